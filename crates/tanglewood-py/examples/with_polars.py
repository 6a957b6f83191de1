"""Polars: a frame of texts, parsed; then which verbs have which objects.

python with_polars.py [FILE.txt]... takes each file as a document.
"""

import pathlib
import sys

import polars
import tanglewood.arrow

TEXTS = ["She wrote a long letter. Nobody answered it.", "What are you looking at? I wrote nothing."]


def main():
    texts = [pathlib.Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]] or TEXTS
    documents = polars.DataFrame({"id": range(len(texts)), "text": texts})
    parsed = polars.DataFrame(tanglewood.arrow.parse(documents, "en", "text"))

    # A row for each sentence, then for each word, with the number that heads refer to.
    sentences = parsed.select("id", "sentences").explode("sentences").unnest("sentences").with_row_index("sentence")
    words = sentences.select("sentence", "words").explode("words").unnest("words")
    words = words.with_columns(polars.int_range(1, polars.len() + 1).over("sentence").cast(polars.Int32).alias("word"))

    heads = words.select("sentence", polars.col("word").alias("head"), polars.col("lemma").alias("verb"))
    objects = words.filter(polars.col("deprel") == "obj").join(heads, on=["sentence", "head"])
    print(objects.select("verb", "deprel", "lemma").sort("verb", "lemma"))


if __name__ == "__main__":
    main()
