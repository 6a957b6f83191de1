"""What engines cost: their throughput beside that of the program with the same two cores, start-up apart.

Times are those of a clock, so the machine has to be quiet. Each engine and the program take turns.
"""

import os
import pathlib
import subprocess
import time

import pytest
import tanglewood
from shared import MEGABYTES, english

import pyarrow
import pyarrow.parquet

#: Rows of a file of the input.
ROWS = 400


@pytest.fixture(scope="module")
def texts():
    return english(MEGABYTES)


@pytest.fixture(scope="module")
def table(texts, tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    for number, at in enumerate(range(0, len(texts), ROWS)):
        pyarrow.parquet.write_table(pyarrow.table({"text": texts[at : at + ROWS]}), folder / f"{number:05}.parquet")
    return folder


@pytest.fixture(scope="module")
def with_program(texts, the_program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    path, small = folder / "all.txt", folder / "small.txt"
    # A blank line between documents, as between the documents of a table.
    path.write_text("\n\n".join(texts), encoding="utf-8")
    small.write_text(texts[0], encoding="utf-8")

    def run():
        def timed(file):
            start = time.monotonic()
            subprocess.run([the_program, "parse", "en", file, "--jobs", "2", "-o", folder / "out"], check=True)
            return time.monotonic() - start

        return timed(path) - timed(small)

    return run


def compare(name, with_engine, with_program):
    times = [(with_program(), with_engine()) for _ in range(2)]
    share = min(program for program, _ in times) / min(engine for _, engine in times)
    print(f"{name}: program and engine, in seconds, {[(round(a, 1), round(b, 1)) for a, b in times]}: {share:.2f}")
    assert share >= 0.8


def test_spark_has_four_fifths_of_the_program_s_throughput(table, with_program):
    pyspark = pytest.importorskip("pyspark")
    import tanglewood.spark
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_HOME", str(pathlib.Path(pyspark.__file__).parent))
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.files.maxPartitionBytes", "2m").getOrCreate()

    def run(frame):
        start = time.monotonic()
        tanglewood.spark.parse(frame, "en").write.format("noop").mode("overwrite").save()
        return time.monotonic() - start

    try:
        frame = spark.read.parquet(str(table))
        run(frame.limit(20))
        compare("Spark", lambda: run(frame), with_program)
    finally:
        spark.stop()


def test_ray_has_four_fifths_of_the_program_s_throughput(table, with_program):
    ray = pytest.importorskip("ray")
    import tanglewood.ray

    ray.init(num_cpus=2, log_to_driver=False, object_store_memory=1 << 30)

    def run(limit=None):
        data = ray.data.read_parquet(str(table))
        data = data.limit(limit) if limit else data
        start = time.monotonic()
        for batch in tanglewood.ray.parse(data, "en", concurrency=2).iter_batches(batch_format="pyarrow"):
            assert batch.column("sentences").null_count == 0
        return time.monotonic() - start

    try:
        # What it takes to start two workers is no part of the throughput.
        compare("Ray", lambda: run() - run(20), with_program)
    finally:
        ray.shutdown()
