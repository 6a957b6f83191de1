"""What tests with real engines share: treebanks, texts, and a look at processes.

``cargo xtask test --engines`` makes an environment with the engines and runs them. Two variables make them smaller:
``TANGLEWOOD_SENTENCES`` (usually 50000) and ``TANGLEWOOD_MEGABYTES`` (usually 100).
"""

import itertools
import os
import pathlib
import sys
import time

import pytest
import tanglewood

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]

#: Workers must find this environment, and not whatever is called python3.
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

SENTENCES = int(os.environ.get("TANGLEWOOD_SENTENCES", 50_000))
MEGABYTES = float(os.environ.get("TANGLEWOOD_MEGABYTES", 100))


def treebanks():
    folder = pathlib.Path(os.environ.get("TANGLEWOOD_TREEBANKS", REPOSITORY.parent / "shared")) / "ud-2.1"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there: set TANGLEWOOD_TREEBANKS to a folder with ud-2.1")
    return sorted(folder.glob("*.conllu"))


def files_of(folder):
    return sorted(pathlib.Path(folder).rglob("*.conllu"))


def english(megabytes):
    """English text of so many megabytes, as documents of some two thousand characters."""
    files = [path for path in treebanks() if path.name.startswith("en-ud-")]
    texts = [sentence.text for path in files for sentence in tanglewood.read_conllu(path) if sentence.text]
    documents, size, words = [], 0, itertools.cycle(texts)
    while size < megabytes * 1e6:
        document = " ".join(itertools.islice(words, 20))
        documents.append(document)
        size += len(document.encode())
    return documents


def skewed(documents, seed=1):
    """The same text in documents of which one in a hundred has nine tenths of it."""
    words = " ".join(documents).split(" ")
    large, small = max(1, len(documents) // 100), len(documents) - max(1, len(documents) // 100)
    cut = len(words) * 9 // 10
    of_large = [" ".join(words[at * cut // large : (at + 1) * cut // large]) for at in range(large)]
    rest = words[cut:]
    of_small = [" ".join(rest[at * len(rest) // small : (at + 1) * len(rest) // small]) for at in range(small)]
    # All large ones side by side, at the end: the worst place.
    return of_small + of_large


def processes(*parts):
    """Numbers of the processes whose command line has all of these parts."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if all(part in command for part in parts):
                found.append(int(entry.name))
    return found


def own_megabytes(process):
    """The memory of a process that it does not share with an object store, in megabytes; 0 if it has gone."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    lines = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    number = lambda name: int(lines.get(name, "0 kB").split()[0])
    return (number("VmRSS") - number("RssShmem")) / 1024


def wait_for(condition, seconds=300):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"nothing after {seconds} seconds")
