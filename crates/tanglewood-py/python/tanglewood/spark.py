"""Parsing with Spark: PySpark 4, on Arrow batches.

::

    import tanglewood.spark

    parsed = tanglewood.spark.parse(spark.table("documents"), "en", "text")
    parsed.selectExpr("id", "inline(sentences)").write.parquet("trees")

The package has to be installed wherever Python workers run. A model that is a file is sent to each executor once, as a
file; each Python worker reads it once, and nothing of it is ever pickled. A task uses one thread: Spark has as many tasks
as there are cores.

``register(spark)`` makes the data source ``conllu`` known, which reads and writes folders of CoNLL-U::

    treebank = spark.read.format("conllu").load("/data/treebank")
    parsed = tanglewood.spark.parse(treebank, "en", "conllu", input="conllu", output="conllu")
    parsed.write.format("conllu").option("column", "parsed_conllu").mode("append").save("/data/parsed")
"""

import atexit
import hashlib
import os
import pathlib
import shutil
import socket
import tempfile

import pyarrow
from pyspark import SparkFiles
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from . import arrow, models
from ._spark_conllu import ConlluDataSource

__all__ = ["ConlluDataSource", "Counters", "coverage", "parse", "register"]


class Counters:
    """Accumulators that tell the driver how far a job is: rows, errors, sentences and words.

    As with all accumulators in transformations, what a task has counted before it failed and was started again counts
    twice.
    """

    NAMES = ("rows", "errors", "sentences", "words")

    def __init__(self, spark):
        self._accumulators = {name: spark.sparkContext.accumulator(0) for name in self.NAMES}

    @property
    def values(self):
        """What has been counted so far, by name."""
        return {name: accumulator.value for name, accumulator in self._accumulators.items()}

    def __repr__(self):
        return f"<Counters: {self.values}>"


def parse(df, model="en", column="text", *, ship=True, partitions=None, counters=None, on_error="raise", **options):
    """The data frame with the trees of a column, as ``tanglewood.arrow.parse`` gives them, whose options these are.

    ``model`` is the name of a model or a path on the driver, which is sent to all executors; with ``ship=False`` it is a
    path that every executor has, for instance on a file system that they share.

    ``partitions`` deals the rows out to this number of partitions first. Texts of very different length should be spread over
    several times as many partitions as there are cores: no task can then be left with most of the text.

    ``counters`` are accumulators: see ``Counters``.
    """
    place = _Model.shipped(df.sparkSession, model) if ship else _Model(path=os.fspath(model))
    options = dict(options, column=column, on_error=on_error, threads=1)
    if partitions is not None:
        df = df.repartition(partitions)
    task = _Task("parse", options, place, counters and counters._accumulators)
    return df.mapInArrow(task, _schema(df.schema, lambda table: arrow.parse(table, model, **options)))


def coverage(df, column="conllu", *, counters=None, **options):
    """The data frame with counts of a column's trees, as ``tanglewood.arrow.coverage`` gives them, whose options these are.

    ``coverage(df).groupBy().sum()`` is what ``tanglewood coverage`` counts.
    """
    options = dict(options, column=column)
    task = _Task("coverage", options, None, counters and counters._accumulators)
    return df.mapInArrow(task, _schema(df.schema, lambda table: arrow.coverage(table, **options)))


def register(spark):
    """Makes the data source ``conllu`` known to a session."""
    spark.dataSource.register(ConlluDataSource)


def _schema(schema, answer):
    """The schema of an answer: a table without rows is answered, which also says at once if a column is wrong."""
    empty = pyarrow.RecordBatchReader.from_batches(to_arrow_schema(schema, timezone="UTC"), [])
    answered = pyarrow.RecordBatchReader.from_stream(answer(empty)).schema
    new = [answered.field(at) for at in range(len(schema), len(answered))]
    return StructType(schema.fields + from_arrow_schema(pyarrow.schema(new)).fields)


class _Model:
    """Where a worker finds the model. This is what is pickled: a few names."""

    #: Files that were sent, by application and content.
    _sent = {}

    def __init__(self, name=None, path=None, file=None):
        self.name, self.path, self.file = name, path, file

    @classmethod
    def shipped(cls, spark, model):
        if isinstance(model, arrow.Parser):
            raise TypeError("model is a Parser; expected a name or a path, since models are sent as files: save it first")
        model = os.fspath(model)
        path = models().get(model, model)
        if path is None:
            # It is part of the package, which every worker has.
            return cls(name=model)
        context = spark.sparkContext
        content = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()[:16]
        key = (context.applicationId, content)
        if key not in cls._sent:
            # Under a name that says what is in it: two models may have the same name in different folders.
            folder = tempfile.mkdtemp(prefix="tanglewood-")
            # Executors ask for it when they start, which may be at any time.
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            file = pathlib.Path(folder) / f"tanglewood-{content}.model"
            shutil.copyfile(path, file)
            context.addFile(str(file))
            cls._sent[key] = file.name
        return cls(name=model, file=cls._sent[key])

    def load(self):
        place = SparkFiles.get(self.file) if self.file else self.path or self.name
        try:
            return arrow.load(place)
        except OSError as error:
            host = socket.gethostname()
            raise FileNotFoundError(
                f"the model {self.name or self.path} cannot be read on executor {host}: {error}; with ship=False each executor "
                f"needs it at this path, without it Spark sends it"
            ) from error


class _Task:
    """What a Python worker does with the batches of a partition."""

    def __init__(self, function, options, model, accumulators):
        self.function, self.options, self.model, self.accumulators = function, options, model, accumulators

    def __call__(self, batches):
        first = next(batches, None)
        if first is None:
            return
        reader = pyarrow.RecordBatchReader.from_batches(first.schema, _chain(first, batches))
        options = dict(self.options, model=self.model.load()) if self.model else self.options
        stream = getattr(arrow, self.function)(reader, **options)
        before = dict.fromkeys(Counters.NAMES, 0)
        for batch in pyarrow.RecordBatchReader.from_stream(stream):
            if self.accumulators:
                now = stream.counts
                for name, accumulator in self.accumulators.items():
                    accumulator.add(now[name] - before[name])
                before = now
            yield batch


def _chain(first, others):
    yield first
    yield from others
