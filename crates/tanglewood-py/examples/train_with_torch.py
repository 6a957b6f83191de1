"""A tiny parser, trained globally: the loss is that of whole trees, with exact inference over all non-projective ones.

The scorer knows words by their forms and is far too small to be good; it learns the small treebank that comes along by heart.
"""

import torch
import tanglewood
import tanglewood.torch

torch.manual_seed(1)
treebank = tanglewood.sample_treebank()
forms = sorted({form for sentence in treebank for form in sentence.forms})
number = {form: at for at, form in enumerate(forms, start=1)}


class Scorer(torch.nn.Module):
    """Biaffine scores from the embeddings of two words and what stands around them."""

    def __init__(self, size=64):
        super().__init__()
        self.embedding = torch.nn.Embedding(len(forms) + 1, size)
        self.context = torch.nn.LSTM(size, size, bidirectional=True, batch_first=True)
        self.head = torch.nn.Linear(2 * size, size)
        self.dependent = torch.nn.Linear(2 * size, size)

    def forward(self, words):
        context, _ = self.context(self.embedding(words))
        return self.head(context) @ self.dependent(context).transpose(1, 2)


def padded(rows, value):
    longest = max(map(len, rows))
    return torch.tensor([row + [value] * (longest - len(row)) for row in rows])


lengths = [len(sentence) for sentence in treebank]
words = padded([[0] + [number[form] for form in sentence.forms] for sentence in treebank], 0)
gold = padded([sentence.tree.heads for sentence in treebank], -1)

scorer = Scorer()
optimizer = torch.optim.Adam(scorer.parameters(), lr=5e-3)
for epoch in range(1, 13):
    optimizer.zero_grad()
    loss = tanglewood.torch.nll_loss(scorer(words), gold, system="any", lengths=lengths)
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        heads = tanglewood.torch.decode(scorer(words), lengths=lengths)
    right = ((heads == gold) & (gold >= 0)).sum() / (gold >= 0).sum()
    print(f"epoch {epoch}: loss {loss.item():.3f}, right heads {100 * right.item():.1f} %")
