"""Spark with two executors: the program's answers, whatever happens to an executor."""

import os
import pathlib
import signal
import threading

import pytest
import tanglewood
from shared import files_of, processes, wait_for

pyspark = pytest.importorskip("pyspark")

import tanglewood.spark
from pyspark.errors import PythonException
from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def spark():
    os.environ.setdefault("SPARK_HOME", str(pathlib.Path(pyspark.__file__).parent))
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.executor.memory", "1g")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1000")
        .getOrCreate()
    )
    tanglewood.spark.register(session)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """The built-in model as a file, which has to be sent."""
    path = tmp_path_factory.mktemp("models") / "mine.model"
    tanglewood.Parser.load("en").save(path)
    return path


def parse_folder(spark, folder, target, model="en", counters=None):
    treebank = spark.read.format("conllu").load(str(folder))
    parsed = tanglewood.spark.parse(treebank, model, "conllu", input="conllu", output="conllu", counters=counters)
    parsed.write.format("conllu").option("column", "parsed_conllu").mode("append").save(str(target))


def content(folder):
    return b"".join(path.read_bytes() for path in files_of(folder))


def test_folders_come_back_byte_for_byte(spark, folder, tmp_path):
    treebank = spark.read.format("conllu").load(str(folder))
    treebank.write.format("conllu").mode("append").save(str(tmp_path / "copy"))
    copied = {path.relative_to(tmp_path / "copy"): path.read_bytes() for path in files_of(tmp_path / "copy")}
    assert copied == {path.relative_to(folder): path.read_bytes() for path in files_of(folder)}
    # Also if rows are dealt out and every task has some of each file.
    dealt = treebank.where("file like 'part-0/%'").repartition(5)
    dealt.write.format("conllu").mode("overwrite").save(str(tmp_path / "copy"))
    expected = {path.relative_to(folder): path.read_bytes() for path in files_of(folder / "part-0")}
    assert {path.relative_to(tmp_path / "copy"): path.read_bytes() for path in files_of(tmp_path / "copy")} == expected
    assert [path.name for path in (tmp_path / "copy").iterdir() if path.name.startswith(".")] == []


def test_reading_says_what_there_is_and_reads_what_is_asked_for(spark, folder):
    treebank = spark.read.format("conllu").load(str(folder))
    assert treebank.columns == ["file", "sentence", "sent_id", "text", "conllu"]
    few = spark.read.format("conllu").schema("sentence bigint, file string").load(str(files_of(folder)[0]))
    assert few.first().asDict() == {"sentence": 0, "file": files_of(folder)[0].name}
    with pytest.raises(Exception, match="no file named"):
        spark.read.format("conllu").load(str(folder / "gone")).count()


def test_output_is_that_of_the_program(spark, folder, parsed, tmp_path, model):
    counters = tanglewood.spark.Counters(spark)
    parse_folder(spark, folder, tmp_path / "out", model, counters)
    assert content(tmp_path / "out") == parsed
    sentences = parsed.count(b"\n\n")
    assert (counters.values["rows"], counters.values["sentences"], counters.values["errors"]) == (sentences, sentences, 0)
    assert counters.values["words"] > sentences


def test_output_is_the_same_after_an_executor_was_killed(spark, folder, parsed, tmp_path):
    def executors():
        return processes("CoarseGrainedExecutorBackend", spark.sparkContext.applicationId)

    def has_written():
        # Tasks write to a hidden folder. (Accumulators say nothing before a task has ended.)
        return any(part.stat().st_size for part in tmp_path.glob("out/.tanglewood-*/*/*"))

    killed, done = [], threading.Event()

    def kill():
        wait_for(lambda: done.is_set() or has_written())
        killed.append(executors()[0])
        os.kill(killed[0], signal.SIGKILL)
        # Another one takes its place while the job goes on.
        wait_for(lambda: done.is_set() or len(executors()) == 2 and killed[0] not in executors())
        killed.append("replaced" if not done.is_set() else "too late; take more sentences")

    # The job is in this thread: Spark looks for data sources in the session of the thread.
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        parse_folder(spark, folder, tmp_path / "out")
    finally:
        done.set()
        killer.join()
    assert killed[1:] == ["replaced"]
    assert content(tmp_path / "out") == parsed


def test_texts_are_what_the_program_says_of_files(spark, documents, parsed_documents):
    frame = spark.createDataFrame([(number, text) for number, text in enumerate(documents)], "id int, text string")
    answer = tanglewood.spark.parse(frame, "en", output="both", partitions=7).orderBy("id").collect()
    assert [row.parsed_conllu for row in answer] == parsed_documents
    exploded = tanglewood.spark.parse(frame, "en").selectExpr("id", "inline(sentences)")
    assert exploded.count() == sum(text.count("# sent_id = ") for text in parsed_documents)


def test_coverage_is_that_of_the_package(spark, folder):
    counted = tanglewood.spark.coverage(spark.read.format("conllu").load(str(folder)))
    sums = counted.groupBy().sum("sentence_count", "nonprojective", "all", "attardi").first()
    expected = tanglewood.coverage(folder)
    for name, key in [("sentence_count", "sentences"), ("nonprojective",) * 2, ("all",) * 2, ("attardi",) * 2]:
        assert sums[f"sum({name})"] == sum(row[key] for row in expected)


def test_rows_that_are_wrong_are_named_and_nothing_is_lost(spark):
    rows = [(1, ["Good", "."]), (2, None), (3, []), (4, ["bad", ""]), (5, ["word", "."] * 10_000)]
    frame = spark.createDataFrame(rows, "id int, tokens array<string>").coalesce(1)
    answer = tanglewood.spark.parse(frame, "en", "tokens", on_error="null").orderBy("id").collect()
    assert [row.id for row in answer] == [1, 2, 3, 4, 5]
    assert [row.sentences is None for row in answer] == [False, True, False, True, False]
    assert [row.error is None for row in answer] == [True, True, True, False, True]
    assert "row 3, column `tokens`: token 1 is empty" in answer[3].error
    assert answer[4].sentences[0].path == "pieces"
    with pytest.raises(PythonException, match="row 3, column `tokens`: token 1 is empty"):
        tanglewood.spark.parse(frame, "en", "tokens").collect()
    texts = spark.createDataFrame([(1, "A text."), (2, None), (3, "")], "id int, text string")
    rows = tanglewood.spark.parse(texts, "en").orderBy("id").collect()
    assert [row.sentences if row.sentences is None else len(row.sentences) for row in rows] == [1, None, 0]
    # What is wrong with the question is said before anything runs.
    with pytest.raises(ValueError, match="column `id` is of type Int32"):
        tanglewood.spark.parse(frame, "en", "id")
    with pytest.raises(ValueError, match="no column `text`"):
        tanglewood.spark.parse(frame, "en")
    with pytest.raises(TypeError, match="expected a name or a path"):
        tanglewood.spark.parse(frame, tanglewood.Parser.load("en"), "tokens")


def test_a_model_that_an_executor_lacks_is_named(spark, tmp_path):
    path = tmp_path / "gone.model"
    tanglewood.Parser.load("en").save(path)
    frame = spark.createDataFrame([("Text.",)], "text string")
    parsed = tanglewood.spark.parse(frame, path, ship=False)
    assert parsed.count() == 1
    path.unlink()
    with pytest.raises(PythonException, match="gone.model cannot be read on executor"):
        parsed.collect()
