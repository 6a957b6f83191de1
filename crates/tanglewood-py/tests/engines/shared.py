"""What tests with real engines share: treebanks, and a look at processes.

``cargo xtask test --engines`` makes an environment with the engines and runs them. ``TANGLEWOOD_SENTENCES`` (usually 50000)
makes them smaller, and ``TANGLEWOOD_PROGRAM`` names the program that they are compared with.
"""

import os
import pathlib
import sys
import time

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]

#: Workers must find this environment, and not whatever is called python3.
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

SENTENCES = int(os.environ.get("TANGLEWOOD_SENTENCES", 50_000))


def treebanks():
    folder = pathlib.Path(os.environ.get("TANGLEWOOD_TREEBANKS", REPOSITORY.parent / "shared")) / "ud-2.1"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there: set TANGLEWOOD_TREEBANKS to a folder with ud-2.1")
    return sorted(folder.glob("*.conllu"))


def files_of(folder):
    return sorted(pathlib.Path(folder).rglob("*.conllu"))


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


def wait_for(condition, seconds=300):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"nothing after {seconds} seconds")
