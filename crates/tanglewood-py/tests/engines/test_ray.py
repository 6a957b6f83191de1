"""Ray with two nodes on one machine: the program's answers, whatever happens to a worker."""

import os
import signal
import threading
import time

import pytest
import tanglewood
from shared import MEGABYTES, english, files_of, own_megabytes, processes, skewed, wait_for

ray = pytest.importorskip("ray")

import pyarrow
import tanglewood.ray
from ray.cluster_utils import Cluster


@pytest.fixture(scope="module")
def cluster():
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 200 << 20})
    cluster.add_node(num_cpus=1, object_store_memory=200 << 20)
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

    thread = threading.Thread(target=job)
    thread.start()
    try:
        wait_for(lambda: len(answer) > 0)
        assert len(workers()) == 2
        os.kill(workers()[0], signal.SIGKILL)
        assert thread.is_alive()
    finally:
        thread.join()
    assert failures == []
    assert content(answer) == parsed


def test_texts_are_what_the_program_says_of_files(cluster, documents, parsed_documents):
    table = pyarrow.table({"id": list(range(len(documents))), "text": documents})
    answer = tanglewood.ray.parse(ray.data.from_arrow(table).repartition(4), "en", output="conllu", concurrency=2)
    rows = sorted(answer.iter_rows(), key=lambda row: row["id"])
    assert [row["parsed_conllu"] for row in rows] == parsed_documents


def test_coverage_is_that_of_the_package(cluster, folder):
    counted = tanglewood.ray.coverage(dataset(folder))
    expected = tanglewood.coverage(folder)
    for name, key in [("sentence_count", "sentences"), ("nonprojective",) * 2, ("all",) * 2]:
        assert counted.sum(name) == sum(row[key] for row in expected)


def test_rows_that_are_wrong_are_named_and_nothing_is_lost(cluster, tmp_path):
    table = pyarrow.table({"id": [1, 2, 3, 4], "tokens": [["Good", "."], None, ["bad", ""], ["word", "."] * 10_000]})
    answer = tanglewood.ray.parse(ray.data.from_arrow(table), "en", "tokens", on_error="null", concurrency=1)
    rows = sorted(answer.iter_rows(), key=lambda row: row["id"])
    assert [row["error"] is None for row in rows] == [True, True, False, True]
    assert "row 2, column `tokens`: token 1 is empty" in rows[2]["error"]
    assert rows[3]["sentences"][0]["path"] == "pieces"
    with pytest.raises(Exception, match="row 2, column `tokens`: token 1 is empty"):
        tanglewood.ray.parse(ray.data.from_arrow(table), "en", "tokens", concurrency=1).materialize()
    gone = str(tmp_path / "gone.model")
    with pytest.raises(FileNotFoundError, match="gone.model"):
        tanglewood.ray.parse(ray.data.from_arrow(table), gone, "tokens")
    with pytest.raises(Exception, match="gone.model cannot be read on node"):
        tanglewood.ray.parse(ray.data.from_arrow(table), gone, "tokens", ship=False, concurrency=1).materialize()


def seconds(texts, blocks):
    table = ray.data.from_arrow(pyarrow.table({"text": texts})).repartition(blocks).materialize()
    start = time.monotonic()
    tanglewood.ray.parse(table, "en", concurrency=2, batch_size=32).materialize()
    return time.monotonic() - start


def test_a_few_documents_with_most_of_the_text_make_no_difference(cluster):
    texts = english(min(MEGABYTES, 8))
    uneven = skewed(texts)
    # What is at the end of one file must not be the work of one worker.
    uneven = [uneven[at] for start in range(64) for at in range(start, len(uneven), 64)]
    times = [[seconds(kind, 64) for kind in (texts, uneven)] for _ in range(2)]
    ratio = min(b for _, b in times) / min(a for a, _ in times)
    print(f"skew: {times}, {ratio:.2f}")
    assert ratio < 1.3


def test_memory_of_a_worker_stays_small(cluster):
    largest, done = [0.0], threading.Event()

    def watch():
        while not done.wait(0.2):
            largest[0] = max([largest[0]] + [own_megabytes(process) for process in workers()])

    watcher = threading.Thread(target=watch)
    watcher.start()
    seconds(english(min(MEGABYTES, 8)), 8)
    done.set()
    watcher.join()
    print(f"largest worker: {largest[0]:.0f} MB")
    assert 0 < largest[0] < 300
