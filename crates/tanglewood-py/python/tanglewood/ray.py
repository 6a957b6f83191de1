"""Parsing with Ray Data.

::

    import ray, tanglewood.ray

    documents = ray.data.read_parquet("documents")
    parsed = tanglewood.ray.parse(documents, "en", "text", concurrency=8)
    parsed.write_parquet("trees")

``Parse`` is the callable class behind it, for ``map_batches(batch_format="pyarrow")``. The package has to be installed on
every node.
"""

import os
import tempfile
import warnings

import pyarrow
import ray
import ray.data

from . import arrow, models

__all__ = ["Coverage", "Parse", "coverage", "parse"]

#: Rows of a batch, unless told otherwise: what is lost, and done again, when a worker dies.
BATCH_ROWS = 256

#: Bytes of a block of answers.
BLOCK_BYTES = 2 << 20


class Parse:
    """Parses batches, as ``tanglewood.arrow.parse`` does, whose options these are. The model is read once, when the worker
    starts, which then uses one thread.

    ``model`` is a name, a path that all nodes have, or a reference to the content of such a file in Ray's object store.
    """

    def __init__(self, model="en", column="text", **options):
        self.parser = _parser(model)
        self.options = dict(options, column=column, threads=1)

    def __call__(self, table):
        # A table is a stream of batches: answers are handed over piece by piece, by the number of words.
        for batch in pyarrow.RecordBatchReader.from_stream(arrow.parse(table, self.parser, **self.options)):
            yield pyarrow.Table.from_batches([batch])


class Coverage:
    """Counts trees, as ``tanglewood.arrow.coverage`` does, whose options these are."""

    def __init__(self, column="conllu", **options):
        self.options = dict(options, column=column)

    def __call__(self, table):
        return pyarrow.RecordBatchReader.from_stream(arrow.coverage(table, **self.options)).read_all()


def parse(
    dataset, model="en", column="text", *, concurrency=None, blocks=None, batch_size=BATCH_ROWS, ship=True, **options
):
    """The dataset with the trees of a column, as ``tanglewood.arrow.parse`` gives them, whose options these are.

    ``concurrency`` is the number of workers, each with one of the CPUs that Ray knows of; without it Ray starts as many as
    there are, but for one: what reads the dataset needs one, too. A model that is a file is put into Ray's object store,
    which sends it to each node once; with ``ship=False`` its path is one that every node has.

    ``blocks`` deals the rows out to this number of blocks first, at random, each of which is then a batch. A block is the work
    of one worker: texts of very different length should be spread over several times as many blocks as there are workers, so
    that none is left with most of the text.
    """
    if blocks is not None and blocks < 1:
        # Ray would give an empty dataset for 0.
        raise ValueError(f"blocks is {blocks}; expected at least 1")
    if ship and not isinstance(model, ray.ObjectRef):
        model = os.fspath(model)
        path = models().get(model, model)
        if path is not None:
            with open(path, "rb") as file:
                model = ray.put(file.read())
    cpus = int(ray.cluster_resources().get("CPU", 1))
    if concurrency is None:
        workers = ray.data.ActorPoolStrategy(min_size=1, max_size=max(1, cpus - 1))
    else:
        if concurrency >= cpus:
            warnings.warn(
                f"concurrency is {concurrency}, and Ray knows of {cpus} CPUs: if no more of them come, none is left for what "
                f"reads or repartitions the dataset, which then waits for ever; tell Ray of more CPUs (num_cpus) or take "
                f"fewer workers",
                stacklevel=2,
            )
        workers = ray.data.ActorPoolStrategy(size=concurrency)
    if blocks is not None:
        # At random: in order, large texts that are side by side would come into one block. Blocks are not put together
        # again to fill a batch.
        dataset = dataset.random_shuffle(seed=1).repartition(blocks)
        batch_size = None
    # Workers keep what they have answered until there is enough of it for a block.
    context = dataset.context
    context.target_max_block_size = min(context.target_max_block_size or BLOCK_BYTES, BLOCK_BYTES)
    return dataset.map_batches(
        Parse,
        fn_constructor_kwargs=dict(options, model=model, column=column),
        batch_format="pyarrow",
        batch_size=batch_size,
        compute=workers,
        num_cpus=1,
    )


def coverage(dataset, column="conllu", *, batch_size=4096, **options):
    """The dataset with counts of a column's trees, as ``tanglewood.arrow.coverage`` gives them, whose options these are."""
    task = Coverage(column, **options)
    return dataset.map_batches(task.__call__, batch_format="pyarrow", batch_size=batch_size)


def _parser(model):
    if isinstance(model, ray.ObjectRef):
        model = ray.get(model)
    if not isinstance(model, bytes):
        try:
            return arrow.load(model)
        except OSError as error:
            node = ray.get_runtime_context().get_node_id()
            raise FileNotFoundError(f"the model {model} cannot be read on node {node}: {error}") from error
    with tempfile.TemporaryDirectory(prefix="tanglewood-") as folder:
        path = os.path.join(folder, "shipped.model")
        with open(path, "wb") as file:
            file.write(model)
        return arrow.Parser.load(path)
