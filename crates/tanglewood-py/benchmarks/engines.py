"""What Spark and Ray cost beside ``tanglewood parse --jobs 2`` on the same two cores, in one run.

    python benchmarks/engines.py --treebanks ~/treebanks --program target/release/tanglewood --megabytes 100 spark ray

English sentences of UD 2.1 make documents of some two thousand characters, and tables of 400 rows. Three things are
measured for each engine:

* overhead: the seconds of the program, by those of the engine, for the same text; at least 0.8. The program runs before
  and after the engines, and the mean counts;
* skew: the engine's seconds for the same text in documents of which one in a hundred has nine tenths of it, all of them
  at the end of the last file, by those for the documents of one length; at most 1.3. Rows of the former are dealt out to
  32 pieces for each core;
* memory: the largest Python worker, without what it shares with others; less than 300 MB.

Start-up is apart. A job of 20 rows starts the engine, its workers and the model before the one that is measured; workers
of Ray start anew for each job, so the time of the small job is subtracted, as is that of the program with a text of one
document. Reading the table, handing rows to workers and answers back to the engine, and
what that costs the processes of the engine is all counted. The program writes CoNLL-U to a file; engines get `sentences`,
which nobody reads.

Seconds of a clock need a quiet machine, so processor seconds of this process and all below it are printed beside them. The
exit code is 1 if a bound is not kept.
"""

import argparse
import contextlib
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import pyarrow
import pyarrow.parquet
import tanglewood

#: Documents of a file of the input.
ROWS = 400
CORES = 2
#: Partitions or blocks that rows are dealt out to where their lengths differ.
PIECES = 32 * CORES
LEAST_THROUGHPUT, MOST_SKEW, MOST_MEGABYTES = 0.8, 1.3, 300


def english(folder, megabytes):
    """English text of this size, as documents of some two thousand characters."""
    files = sorted(pathlib.Path(folder).glob("ud-2.1/en-ud-*.conllu"))
    texts = [sentence.text for path in files for sentence in tanglewood.read_conllu(path) if sentence.text]
    if not texts:
        sys.exit(f"{folder}: no sentences in ud-2.1/en-ud-*.conllu; expected the treebanks of UD 2.1")
    documents, size, sentences = [], 0, itertools.cycle(texts)
    while size < megabytes * 1e6:
        documents.append(" ".join(itertools.islice(sentences, 20)))
        size += len(documents[-1].encode())
    return documents


def skewed(documents):
    """The same text in as many documents, of which one in a hundred has nine tenths of it. These come last, side by side."""
    words = " ".join(documents).split(" ")
    large = max(1, len(documents) // 100)
    cut = len(words) * 9 // 10

    def shared(words, count):
        return [" ".join(words[at * len(words) // count : (at + 1) * len(words) // count]) for at in range(count)]

    return shared(words[cut:], len(documents) - large) + shared(words[:cut], large)


class Input:
    """The text as tables and for the program."""

    def __init__(self, folder, documents):
        self.folder = folder
        self.even = self._table("even", documents)
        self.skewed = self._table("skewed", skewed(documents))
        self.text, self.start = folder / "all.txt", folder / "start.txt"
        # Blank lines between documents, as rows are in a table.
        self.text.write_text("\n\n".join(documents), encoding="utf-8")
        self.start.write_text(documents[0], encoding="utf-8")

    def _table(self, name, documents):
        (self.folder / name).mkdir()
        for number, at in enumerate(range(0, len(documents), ROWS)):
            part = pyarrow.table({"text": documents[at : at + ROWS]})
            pyarrow.parquet.write_table(part, self.folder / name / f"{number:05}.parquet")
        return str(self.folder / name)


class Times(tuple):
    """Seconds of a clock, and of processors."""

    def __sub__(self, other):
        return Times(one - two for one, two in zip(self, other))

    def __truediv__(self, other):
        return Times(one / two for one, two in zip(self, other))

    def mean(self, other):
        return Times((one + two) / 2 for one, two in zip(self, other))

    def __str__(self):
        return f"{self[0]:.1f} s ({self[1]:.1f} of processors)"

    def ratio(self, other):
        """Of both, for people."""
        ratio = self / other
        return f"{ratio[0]:.2f} ({ratio[1]:.2f} by processors)"


class Watch(threading.Thread):
    """Looks at this process and all below it several times a second: what processors have done for them, and how large the
    processes are whose command line has a certain part.
    """

    def __init__(self):
        super().__init__(daemon=True)
        self.part, self.largest, self.ticks = None, 0.0, {}
        self.ended, self.lock = threading.Event(), threading.Lock()

    def run(self):
        while not self.ended.wait(0.25):
            self._look()

    def _look(self):
        with self.lock:
            for number, fields in descendants():
                # Kept when the process has ended; a number may be used again, for a process that started later.
                self.ticks[number, fields[19]] = int(fields[11]) + int(fields[12])
                if self.part:
                    with contextlib.suppress(OSError):
                        place = pathlib.Path(f"/proc/{number}")
                        if self.part in (place / "cmdline").read_text():
                            self.largest = max(self.largest, own_megabytes((place / "status").read_text()))

    def look_for(self, part):
        """From now on, the processes with this part."""
        with self.lock:
            self.part, self.largest = part, 0.0

    @contextlib.contextmanager
    def timed(self):
        """Fills a list with the times of what is done meanwhile."""
        times, clock, processors = [], time.monotonic(), self._processors()
        yield times
        times.append(Times((time.monotonic() - clock, self._processors() - processors)))

    def _processors(self):
        self._look()
        return sum(self.ticks.values()) / os.sysconf("SC_CLK_TCK")

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join()


def descendants():
    """This process and all below it, as numbers and fields of /proc/N/stat after the name."""
    processes, children = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                processes[int(entry.name)] = fields
                children.setdefault(int(fields[1]), []).append(int(entry.name))
    below, found = [os.getpid()], []
    while below:
        number = below.pop()
        found.append((number, processes[number]))
        below += children.get(number, [])
    return found


def own_megabytes(status):
    """Resident memory that is not part of an object store."""
    lines = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    kilobytes = lambda name: int(lines.get(name, "0 kB").split()[0])
    return (kilobytes("VmRSS") - kilobytes("RssShmem")) * 1024 / 1e6


class Program:
    def __init__(self, path, given, watch):
        self.path, self.given, self.watch = path, given, watch

    def run(self):
        return self._times(self.given.text) - self._times(self.given.start)

    def _times(self, file):
        command = [self.path, "parse", "en", file, "--input", "text", "--jobs", str(CORES), "-o", self.given.folder / "out"]
        with self.watch.timed() as times:
            subprocess.run(command, check=True)
        return times[0]


class Engine:
    """What parses a table, with two workers of one core each."""

    def __init__(self, watch):
        self.watch = watch

    def run(self, table, pieces=None):
        """Times without those of start-up."""
        with self.watch.timed() as start:
            self.parse(self.read(table).limit(20))
        with self.watch.timed() as times:
            self.parse(self.read(table), pieces)
        return times[0] - start[0] if self.starts_anew else times[0]


class Spark(Engine):
    """Two executors, whose Python workers stay."""

    worker, starts_anew = "pyspark.daemon", False

    def __init__(self, watch):
        super().__init__(watch)
        os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
        import pyspark
        import tanglewood.spark

        os.environ.setdefault("SPARK_HOME", str(pathlib.Path(pyspark.__file__).parent))
        builder = pyspark.sql.SparkSession.builder.master(f"local-cluster[{CORES},1,1024]")
        quiet = [("spark.ui.enabled", "false"), ("spark.ui.showConsoleProgress", "false")]
        for name, value in [*quiet, ("spark.sql.files.maxPartitionBytes", "1m")]:
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("ERROR")

    def read(self, table):
        return self.session.read.parquet(table)

    def parse(self, frame, partitions=None):
        tanglewood.spark.parse(frame, "en", partitions=partitions).write.format("noop").mode("overwrite").save()

    def stop(self):
        self.session.stop()


class Ray(Engine):
    """Two actors, which are started anew for each job."""

    worker, starts_anew = "ray::MapWorker", True

    def __init__(self, watch):
        super().__init__(watch)
        # Usually workers yield to everything else on a machine, which the program does not.
        os.environ["RAY_worker_niceness"] = "0"
        import ray
        import tanglewood.ray

        self.ray = ray
        # What reads the files has a CPU of its own in Ray's eyes, and next to nothing to do.
        ray.init(num_cpus=CORES + 1, log_to_driver=False, object_store_memory=1 << 30)
        ray.data.DataContext.get_current().enable_progress_bars = False

    def read(self, table):
        # Without it few blocks are made of small files, and a block is the work of one worker.
        return self.ray.data.read_parquet(table, override_num_blocks=PIECES)

    def parse(self, dataset, blocks=None):
        parsed = tanglewood.ray.parse(dataset, "en", concurrency=CORES, blocks=blocks)
        for batch in parsed.iter_batches(batch_size=None, batch_format="pyarrow"):
            assert batch.column("sentences").null_count == 0

    def stop(self):
        self.ray.shutdown()


class Figures:
    """What was measured of an engine."""

    def __init__(self, kind, given, with_skew, watch):
        self.name, engine = kind.__name__, kind(watch)
        watch.look_for(engine.worker)
        try:
            self.even, self.skew = engine.run(given.even), [0]
            show(f"{self.name}: {self.even}, largest worker {watch.largest:.0f} MB")
            if with_skew:
                uneven = engine.run(given.skewed, PIECES)
                self.skew = uneven / self.even
                show(f"{self.name}: skewed {uneven}: {uneven.ratio(self.even)}, largest worker {watch.largest:.0f} MB")
        finally:
            engine.stop()
        self.largest = watch.largest

    def are_good(self, alone):
        """Whether all bounds are kept, where the program takes this time."""
        throughput = alone / self.even
        show(f"{self.name}: throughput {alone.ratio(self.even)}")
        small = 0 < self.largest < MOST_MEGABYTES
        return throughput[0] >= LEAST_THROUGHPUT and self.skew[0] <= MOST_SKEW and small


def show(line):
    """On a line of its own, whatever an engine shows of its progress."""
    print(f"\n{line}", flush=True)


def main():
    repository = pathlib.Path(__file__).resolve().parents[3]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help="spark, ray; both unless named")
    parser.add_argument("--megabytes", type=float, default=float(os.environ.get("TANGLEWOOD_MEGABYTES", 10)))
    parser.add_argument("--treebanks", default=os.environ.get("TANGLEWOOD_TREEBANKS", repository.parent / "shared"))
    parser.add_argument("--program", default=os.environ.get("TANGLEWOOD_PROGRAM", repository / "target/release/tanglewood"))
    parser.add_argument("--no-skew", action="store_true", help="only overhead and memory, which takes half the time")
    arguments = parser.parse_args()
    kinds = {"spark": Spark, "ray": Ray}
    for name in set(arguments.engines) - set(kinds):
        parser.error(f"there is no engine {name}; expected spark or ray")
    with tempfile.TemporaryDirectory(prefix="tanglewood-engines-") as folder:
        given = Input(pathlib.Path(folder), english(arguments.treebanks, arguments.megabytes))
        with Watch() as watch:
            program = Program(arguments.program, given, watch)
            before = program.run()
            figures = [Figures(kinds[name], given, not arguments.no_skew, watch) for name in arguments.engines or kinds]
            after = program.run()
    show(f"program: {before} before, {after} after")
    kept = [engine.are_good(before.mean(after)) for engine in figures]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
