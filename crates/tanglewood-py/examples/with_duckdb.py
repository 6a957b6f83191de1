"""DuckDB: a table of texts, parsed; then which verbs have which objects, in SQL.

python with_duckdb.py [FILE.txt]... takes each file as a document.
"""

import pathlib
import sys

import duckdb
import tanglewood.arrow

TEXTS = ["She wrote a long letter. Nobody answered it.", "What are you looking at? I wrote nothing."]

QUERY = """
    with sentences as (select id, unnest(sentences) as sentence from parsed),
         words as (select id, sentence.sent_id as sent_id, sentence.words as words,
                          unnest(sentence.words) as word from sentences)
    select words[word.head].lemma as verb, word.deprel, word.lemma
    from words where word.deprel = 'obj' order by verb, word.lemma
"""


def main():
    texts = [pathlib.Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]] or TEXTS
    connection = duckdb.connect()
    connection.execute("create table documents (id integer, text varchar)")
    connection.executemany("insert into documents values (?, ?)", list(enumerate(texts)))

    # A connection has one open result at a time: the texts are read through another one, while trees are asked for.
    parsed = tanglewood.arrow.parse(connection.cursor().table("documents"), "en", "text")
    connection.register("parsed", parsed)
    print(connection.sql(QUERY))


if __name__ == "__main__":
    main()
