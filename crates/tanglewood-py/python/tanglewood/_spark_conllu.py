"""Folders of CoNLL-U as a data source of Spark: read file by file, and written so that they come back byte for byte."""

import array
import heapq
import os
import pathlib
import shutil
import uuid
from dataclasses import dataclass, field

import pyarrow
from pyspark.sql.datasource import (
    DataSource,
    DataSourceArrowWriter,
    DataSourceReader,
    InputPartition,
    WriterCommitMessage,
)

from . import arrow

#: Names of files that are taken for CoNLL-U when a folder is searched.
SUFFIXES = (".conllu", ".conllu.gz", ".conllu.xz")

#: Rows of a batch.
BATCH_ROWS = 2000

#: Bytes of an entry of an index: the number of a sentence, and where it begins and ends in its part.
ENTRY = 3


class ConlluDataSource(DataSource):
    """Reads and writes folders of CoNLL-U, under the name ``conllu``.

    Reading: ``load(path)`` takes a file or a folder, which is searched. Each file is a partition. The columns are
    ``file``, the path below the folder, ``sentence``, counted from 0 in each file, ``sent_id``, ``text`` and ``conllu``: the
    sentence with its comments and blank lines. Those of a file, in order, are the file. ``schema("file string, conllu
    string")`` reads only these columns.

    Writing: ``file`` and ``conllu`` are needed, and ``sentence`` says the order if the rows of a file are in several
    partitions. ``option("column", "parsed_conllu")`` takes another column for ``conllu``. Files appear, uncompressed, when
    the job is complete. ``mode("overwrite")`` removes the CoNLL-U that is there before, ``mode("append")`` never replaces a
    file.

    Driver and executors must see the same file system.
    """

    @classmethod
    def name(cls):
        return "conllu"

    def schema(self):
        return "file string, sentence bigint, sent_id string, text string, conllu string"

    def reader(self, schema):
        known = ["file", "sentence", "sent_id", "text", "conllu"]
        unknown = [name for name in schema.names if name not in known]
        if unknown:
            raise ValueError(f"there is no column `{unknown[0]}` in CoNLL-U; expected some of {', '.join(known)}")
        return _Reader(self._path(), schema.names)

    def writer(self, schema, overwrite):
        column = self.options.get("column", "conllu")
        for name in ["file", column]:
            if name not in schema.names:
                raise ValueError(f"there is no column `{name}`; writing CoNLL-U needs `file` and `{column}`")
        return _Writer(self._path(), column, "sentence" in schema.names, overwrite)

    def _path(self):
        path = self.options.get("path")
        if not path:
            raise ValueError("no path; expected load(path) or save(path)")
        return path.removeprefix("file://").removeprefix("file:") if path.startswith("file:") else path


@dataclass
class _File(InputPartition):
    path: str
    name: str

    def __init__(self, path, name):
        super().__init__(name)
        self.path, self.name = path, name


class _Reader(DataSourceReader):
    def __init__(self, path, columns):
        self.path, self.columns = path, columns

    def partitions(self):
        root = pathlib.Path(self.path)
        if root.is_file():
            return [_File(str(root), root.name)]
        files = sorted(path for path in root.rglob("*.conllu*") if path.name.endswith(SUFFIXES) and path.is_file())
        if not files:
            raise FileNotFoundError(f"{root}: there is no such file, or no file named *.conllu in this folder")
        return [_File(str(path), path.relative_to(root).as_posix()) for path in files]

    def read(self, partition):
        table = pyarrow.record_batch(arrow.read_conllu(partition.path))
        names = pyarrow.repeat(partition.name, len(table)).cast(pyarrow.string())
        columns = dict(zip(table.schema.names, table.columns), file=names)
        batch = pyarrow.record_batch([columns[name] for name in self.columns], names=self.columns)
        for start in range(0, len(batch), BATCH_ROWS):
            yield batch.slice(start, BATCH_ROWS)


@dataclass
class _Parts(WriterCommitMessage):
    """Files of a task: name, and where its part is."""

    files: list = field(default_factory=list)


class _Writer(DataSourceArrowWriter):
    def __init__(self, path, column, ordered, overwrite):
        self.root, self.column, self.ordered, self.overwrite = os.path.abspath(path), column, ordered, overwrite
        self.stage = os.path.join(self.root, f".tanglewood-{uuid.uuid4().hex}")

    def write(self, batches):
        # A task may be started twice: each attempt has a folder of its own, and the commit message says which counts.
        folder = os.path.join(self.stage, uuid.uuid4().hex)
        os.makedirs(folder)
        parts = {}
        for batch in batches:
            names, texts = batch.column("file").to_pylist(), batch.column(self.column).to_pylist()
            numbers = batch.column("sentence").to_pylist() if self.ordered else range(len(names))
            for name, number, text in zip(names, numbers, texts):
                if name is None or text is None or number is None:
                    missing = "file" if name is None else self.column if text is None else "sentence"
                    raise ValueError(f"file {name}, sentence {number}: `{missing}` is null; expected a value in each row that is written")
                if name not in parts:
                    parts[name] = _Part(os.path.join(folder, str(len(parts))))
                parts[name].append(number, text.encode())
        for part in parts.values():
            part.close()
        return _Parts([(name, part.path) for name, part in parts.items()])

    def commit(self, messages):
        parts = {}
        for name, path in (file for message in messages if message for file in message.files):
            parts.setdefault(name, []).append(path)
        try:
            files = {name: self._complete(name, paths) for name, paths in sorted(parts.items())}
            if self.overwrite:
                for path in [path for path in pathlib.Path(self.root).rglob("*.conllu*") if path.name.endswith(SUFFIXES)]:
                    path.unlink()
            for name, path in files.items():
                target = self._target(name)
                target.parent.mkdir(parents=True, exist_ok=True)
                if target.exists():
                    raise FileExistsError(f"{target}: exists already; expected a new file, or mode(\"overwrite\")")
                os.replace(path, target)
        finally:
            shutil.rmtree(self.stage, ignore_errors=True)

    def abort(self, messages):
        shutil.rmtree(self.stage, ignore_errors=True)

    def _target(self, name):
        plain = name.removesuffix(".gz").removesuffix(".xz")
        target = pathlib.Path(os.path.normpath(os.path.join(self.root, plain)))
        if pathlib.Path(self.root) not in target.parents:
            raise ValueError(f"file is `{name}`; expected the path of a file below the folder that is written")
        return target

    def _complete(self, name, paths):
        """The file, of one part or merged from several."""
        self._target(name)
        if len(paths) > 1 and not self.ordered:
            raise ValueError(
                f"the rows of file `{name}` are in several partitions, and there is no column `sentence` that says their order"
            )
        if len(paths) == 1 and _is_sorted(paths[0]):
            return paths[0]
        merged = _Part(paths[0] + ".merged")
        for number, text in heapq.merge(*map(_entries, paths), key=lambda entry: entry[0]):
            merged.append(number, text)
        merged.close()
        return merged.path


class _Part:
    """Sentences of a file, and an index of them."""

    def __init__(self, path):
        self.path, self.index = path, array.array("q")
        self.out, self.end = open(path, "wb"), b"\n\n"

    def append(self, number, text):
        if not self.end.endswith((b"\n\n", b"\n\r\n")):
            # The last sentence of a file may lack the blank line that another one needs before it.
            self.out.write(b"\n" if self.end.endswith(b"\n") else b"\n\n")
        start = self.out.tell()
        self.out.write(text)
        self.index.extend((number, start, start + len(text)))
        self.end = (self.end + text)[-3:]

    def close(self):
        self.out.close()
        with open(self.path + ".index", "wb") as file:
            self.index.tofile(file)


def _index(path):
    index = array.array("q")
    with open(path + ".index", "rb") as file:
        index.frombytes(file.read())
    return [tuple(index[at : at + ENTRY]) for at in range(0, len(index), ENTRY)]


def _is_sorted(path):
    index = _index(path)
    return all(before[0] <= after[0] for before, after in zip(index, index[1:]))


def _entries(path):
    with open(path, "rb") as file:
        for number, start, end in sorted(_index(path)):
            file.seek(start)
            yield number, file.read(end - start)
