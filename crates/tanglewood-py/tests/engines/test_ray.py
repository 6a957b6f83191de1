"""Ray with two nodes on one machine: the program's answers, whatever happens to a worker."""

import os
import signal
import threading

import pytest
import tanglewood
from shared import files_of, processes, wait_for

ray = pytest.importorskip("ray")

import pyarrow
import tanglewood.ray
from ray.cluster_utils import Cluster


@pytest.fixture(scope="module")
def cluster():
    # A worker and what feeds it on each node.
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "object_store_memory": 200 << 20})
    cluster.add_node(num_cpus=2, object_store_memory=200 << 20)
    ray.init(address=cluster.address, log_to_driver=False)
    assert len([node for node in ray.nodes() if node["Alive"]]) == 2
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def dataset(folder):
    """A row for each sentence, with its place."""
    tables = []
    for path in files_of(folder):
        table = pyarrow.table(tanglewood.arrow.read_conllu(path))
        tables.append(table.append_column("file", pyarrow.array([str(path)] * len(table))))
    return ray.data.from_arrow(tables)


def content(answer):
    rows = sorted((row["file"], row["sentence"], row["parsed_conllu"]) for row in answer)
    return "".join(text for _, _, text in rows).encode()


def parse(folder, model="en"):
    return tanglewood.ray.parse(dataset(folder), model, "conllu", input="conllu", output="conllu", concurrency=2)


def workers():
    return processes("ray::", "MapWorker")


def test_output_is_that_of_the_program(cluster, folder, parsed, tmp_path):
    path = tmp_path / "mine.model"
    tanglewood.Parser.load("en").save(path)
    assert content(parse(folder, path).iter_rows()) == parsed


def test_output_is_the_same_after_a_worker_was_killed(cluster, folder, parsed):
    answer, failures = [], []

    def job():
        try:
            for row in parse(folder).iter_rows():
                answer.append(row)
        except Exception as error:
            failures.append(error)

    def has_answered():
        assert thread.is_alive(), f"the job has ended: {failures}"
        return len(answer) > 0 and len(workers()) == 2

    thread = threading.Thread(target=job)
    thread.start()
    try:
        wait_for(has_answered)
        killed = workers()[0]
        os.kill(killed, signal.SIGKILL)
        # Another one takes its place while the job goes on.
        wait_for(lambda: len(workers()) == 2 and killed not in workers())
        assert thread.is_alive(), "the job ended before the worker could be missed; take more sentences"
    finally:
        thread.join()
    assert failures == []
    assert content(answer) == parsed


def test_texts_are_what_the_program_says_of_files(cluster, documents, parsed_documents):
    table = pyarrow.table({"id": list(range(len(documents))), "text": documents})
    answer = tanglewood.ray.parse(ray.data.from_arrow(table), "en", output="conllu", blocks=4, concurrency=2)
    rows = sorted(answer.iter_rows(), key=lambda row: row["id"])
    assert [row["parsed_conllu"] for row in rows] == parsed_documents


def test_coverage_is_that_of_the_package(cluster, folder):
    counted = tanglewood.ray.coverage(dataset(folder))
    expected = tanglewood.coverage(folder)
    for name, key in [("sentence_count", "sentences"), ("nonprojective",) * 2, ("all",) * 2]:
        assert counted.sum(name) == sum(row[key] for row in expected)


def test_workers_that_leave_no_cpu_are_warned_of(cluster):
    texts = ray.data.from_arrow(pyarrow.table({"text": ["A text."]}))
    with pytest.warns(UserWarning, match="concurrency is 4, and Ray knows of 4 CPUs"):
        tanglewood.ray.parse(texts, "en", concurrency=4)


@pytest.mark.parametrize("blocks", [0, -1])
def test_rows_are_not_dealt_out_to_no_blocks(cluster, blocks):
    texts = ray.data.from_arrow(pyarrow.table({"text": ["A text."]}))
    with pytest.raises(ValueError, match=f"blocks is {blocks}; expected at least 1"):
        tanglewood.ray.parse(texts, "en", concurrency=1, blocks=blocks)


def test_rows_that_are_wrong_are_named_and_nothing_is_lost(cluster, tmp_path):
    table = pyarrow.table({"id": [1, 2, 3, 4], "tokens": [["Good", "."], None, ["bad", ""], ["word", "."] * 10_000]})
    answer = tanglewood.ray.parse(ray.data.from_arrow(table), "en", "tokens", on_error="null", concurrency=1)
    rows = sorted(answer.iter_rows(), key=lambda row: row["id"])
    assert [row["error"] is None for row in rows] == [True, True, False, True]
    assert "row 2, column `tokens`: token 1 is empty" in rows[2]["error"]
    assert rows[3]["sentences"][0]["path"] == "pieces"
    with pytest.raises(Exception, match="row 2, column `tokens`: token 1 is empty"):
        tanglewood.ray.parse(ray.data.from_arrow(table), "en", "tokens", concurrency=1).materialize()
    # Null and empty texts, and columns of another type.
    texts = pyarrow.table({"id": [1, 2, 3], "text": ["A text.", None, ""]})
    answer = tanglewood.ray.parse(ray.data.from_arrow(texts), "en", concurrency=1)
    rows = sorted(answer.iter_rows(), key=lambda row: row["id"])
    assert [row["sentences"] if row["sentences"] is None else len(row["sentences"]) for row in rows] == [1, None, 0]
    with pytest.raises(Exception, match="column `id` is of type Int64; expected a string, or a list of strings"):
        tanglewood.ray.parse(ray.data.from_arrow(texts), "en", "id", concurrency=1).materialize()
    with pytest.raises(Exception, match="there is no column `body`; expected one of id, text"):
        tanglewood.ray.parse(ray.data.from_arrow(texts), "en", "body", concurrency=1).materialize()
    gone = str(tmp_path / "gone.model")
    with pytest.raises(FileNotFoundError, match="gone.model"):
        tanglewood.ray.parse(ray.data.from_arrow(table), gone, "tokens")
    with pytest.raises(Exception, match="gone.model cannot be read on node"):
        tanglewood.ray.parse(ray.data.from_arrow(table), gone, "tokens", ship=False, concurrency=1).materialize()
