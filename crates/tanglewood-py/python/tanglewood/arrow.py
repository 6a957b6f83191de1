"""Tables in, tables with trees out.

Whatever has ``__arrow_c_stream__`` or ``__arrow_c_array__`` is a table: those of pyarrow, polars, pandas, DuckDB, Daft
and others. None of them has to be installed. The answer has these methods, too, so the same libraries read it::

    import polars, tanglewood.arrow

    table = polars.DataFrame({"id": [1, 2], "text": ["What are you looking at?", "Nothing."]})
    parsed = polars.DataFrame(tanglewood.arrow.parse(table, "en", "text"))

All columns of the table are kept, and all of its rows, in order; new columns come after them. The schema of the new
columns is documented in ``docs/arrow.md`` and has a version, which the metadata of the answer names under
``tanglewood.schema``.

A record batch is answered at once, by a record batch. A stream of batches is answered by a stream, which works as it is
read: batches are cut so that each has at most ``batch_words`` words, unless it is a single row. Each row is answered by
itself, so neither this nor the number of threads makes a difference to the answer.
"""

import os as _os
import threading as _threading

from ._tanglewood import Batch, Parser, Stream
from ._tanglewood import arrow_coverage as _coverage
from ._tanglewood import arrow_evaluate as _evaluate
from ._tanglewood import arrow_parse as _parse
from ._tanglewood import arrow_read_conllu as read_conllu

__all__ = ["Batch", "Stream", "coverage", "evaluate", "load", "parse", "read_conllu"]

#: Words of a batch of a stream, unless told otherwise: a few megabytes of answers.
BATCH_WORDS = 20_000

_models = {}
_lock = _threading.Lock()


def load(model):
    """The parser of this name, or of the file at this path, as ``Parser.load`` reads it, but once in a process.

    A file that has changed since is read again.

    >>> import tanglewood.arrow
    >>> tanglewood.arrow.load("en") is tanglewood.arrow.load("en")
    True
    """
    if isinstance(model, Parser):
        return model
    name = _os.fspath(model)
    try:
        found = _os.stat(name)
        key = (_os.path.abspath(name), found.st_mtime_ns, found.st_size)
    except OSError:
        key = (name,)
    with _lock:
        if key not in _models:
            _models[key] = Parser.load(name)
        return _models[key]


def options_of(confidence=False, decoder=None, system=None, direction=None, steps=None, keep=None, max_memory=None):
    """Options of ``tanglewood parse`` as the program takes them."""
    listed = {"steps": steps, "keep": keep}
    options = [f"--{name}={','.join([value] if isinstance(value, str) else value)}" for name, value in listed.items() if value]
    single = {"decoder": decoder, "system": system, "direction": direction, "max-memory": max_memory}
    options += [f"--{name}={value}" for name, value in single.items() if value is not None]
    return options + ["--confidence"] * confidence


def parse(
    data,
    model="en",
    column="text",
    *,
    input=None,
    output="sentences",
    on_error="raise",
    batch_words=BATCH_WORDS,
    threads=None,
    **options,
):
    """The table with the trees of a column.

    ``column`` has running text (strings), or the words of one sentence (lists of strings), or with ``input="conllu"``
    sentences in CoNLL-U, of which nothing but heads and relations is replaced unless ``steps`` says so. ``model`` is a
    ``Parser``, a name, or the path of a file.

    ``output="sentences"`` adds the column ``sentences``, a list of structs; ``"conllu"`` adds ``parsed_conllu``, which is
    what ``tanglewood parse`` writes for a file with the content of the row, byte for byte; ``"both"`` adds both.

    Null gives null, and a text without words no sentences. If something else is wrong with a row, ``on_error="raise"``
    is a ValueError with its number, counted from 0, and the column; with ``"null"`` the new columns of that row are null
    and the column ``error`` says why.

    ``confidence``, ``decoder``, ``system``, ``direction``, ``steps``, ``keep`` and ``max_memory`` are the options of
    ``tanglewood parse``. Sentences that are too long for the decoder take a fallback, which ``path`` names.
    """
    options = options_of(**options)
    return _parse(data, load(model), column, options, input, output, on_error, batch_words, threads)


def coverage(data, column="conllu", *, systems="paper", direction="ltr", on_error="raise"):
    """The table with counts of a column's trees: ``sentence_count``, ``nonprojective``, and for each system how many of
    the non-projective trees it can build, in columns that are named as those of ``tanglewood.coverage``. Sums over rows
    are the counts of ``tanglewood coverage``.

    ``column`` has CoNLL-U, or the heads of a tree (lists of numbers), or what ``parse`` gives as ``sentences``.
    """
    return _coverage(data, column, systems, direction, on_error)


def evaluate(data, gold="gold", system="system", *, on_error="raise"):
    """The table with counts of what two columns of CoNLL-U have in common: for each measure of ``tanglewood.evaluate`` a
    struct of ``gold``, ``system``, ``correct`` and ``aligned``. These can be summed over any rows: precision is
    correct / system, recall correct / gold.
    """
    return _evaluate(data, gold, system, on_error)
