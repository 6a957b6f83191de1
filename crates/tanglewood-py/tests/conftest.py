"""What tests share."""

import itertools
import os
import pathlib
import signal

import numpy
import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
SAMPLE = REPOSITORY / "crates" / "tanglewood" / "sample" / "tangles.conllu"

# In the background of a script SIGINT is ignored, and so it would be by all that tests start and interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def trees(words, single_root=True):
    """All dependency trees over this number of words, as lists of heads: the plain way."""
    for heads in itertools.product(range(words + 1), repeat=words):
        if single_root and heads.count(0) != 1:
            continue
        if all(reaches_root(heads, word) for word in range(1, words + 1)):
            yield list(heads)


def reaches_root(heads, word):
    for _ in range(len(heads) + 1):
        if word == 0:
            return True
        word = heads[word - 1]
    return False


def score(scores, heads):
    return sum(scores[head, word] for word, head in enumerate(heads, start=1))


@pytest.fixture
def random():
    return numpy.random.default_rng(20)


@pytest.fixture
def program():
    """The command line, built by `cargo xtask test` before these tests."""
    name = "tanglewood.exe" if os.name == "nt" else "tanglewood"
    folder = os.environ.get("CARGO_TARGET_DIR", str(REPOSITORY / "target"))
    path = pathlib.Path(folder) / "debug" / name
    if not path.exists():
        pytest.skip(f"{path} is not built: cargo build")
    return path
