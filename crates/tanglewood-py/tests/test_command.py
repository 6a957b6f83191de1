"""The command ``tanglewood`` of the package does what the program does, byte for byte."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
from conftest import REPOSITORY, SAMPLE

SCRIPT = pathlib.Path(sys.executable).parent / ("tanglewood.exe" if os.name == "nt" else "tanglewood")

#: Both ways to start it.
COMMANDS = {"module": [sys.executable, "-m", "tanglewood"], "script": [str(SCRIPT)]}

CROSSING = "".join(f"{word}\tw\t_\t_\t_\t_\t{head}\tdep\t_\t_\n" for word, head in enumerate([3, 4, 0, 3], start=1)) + "\n"

#: Arguments, and the exit code that the program has with them and ``CROSSING`` as its input.
CALLS = [
    (["coverage", str(SAMPLE)], 0),
    (["coverage", "-", "--format", "json", "--systems", "all", "--jobs", "2"], 0),
    (["filter", str(SAMPLE)], 0),
    (["systems", "mh4+"], 0),
    (["draw", str(SAMPLE), "--sentence", "0"], 0),
    (["completions", "bash"], 0),
    (["--version"], 0),
    (["--help"], 0),
    (["coverage", "--help"], 0),
    (["oracle", "-", "--system", "arc-standard"], 1),
    (["check", "-"], 1),
    ([], 2),
    (["coverge"], 2),
    (["coverage", "gone.conllu"], 2),
    (["coverage", "--jobs", "0", "-"], 2),
]


@pytest.fixture(params=COMMANDS)
def command(request):
    return COMMANDS[request.param]


def run(command, arguments):
    result = subprocess.run([*command, *arguments], input=CROSSING.encode(), capture_output=True, cwd=REPOSITORY)
    return result.returncode, result.stdout, result.stderr


@pytest.mark.parametrize("arguments, code", CALLS, ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else str(value))
def test_same_bytes_and_exit_codes_as_the_program(program, command, arguments, code):
    expected = run([program], arguments)
    assert expected[0] == code
    assert run(command, arguments) == expected


@pytest.mark.skipif(os.name == "nt", reason="names of files are not bytes there")
def test_names_of_files_may_be_any_bytes(program, command, tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9.conllu"
    try:
        with open(path, "w") as file:
            file.write(CROSSING)
    except OSError:
        pytest.skip("this file system wants names in UTF-8")
    expected = run([program], ["coverage", path, "--format", "tsv"])
    assert expected[0] == 0
    assert run(command, ["coverage", path, "--format", "tsv"]) == expected


def test_a_reader_that_has_gone_is_no_error(command):
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([*command, "filter", str(SAMPLE)], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_nothing_behind_and_dies_of_the_signal(command, number, tmp_path):
    (tmp_path / "old.txt").write_text("from last time")
    arguments = [*command, "filter", "-", "-o", "old.txt"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        process.stdin.write(CROSSING.encode())
        process.stdin.flush()
        for _ in range(4000):
            if len(list(tmp_path.iterdir())) > 1:
                break
            time.sleep(0.005)
        process.send_signal(number)
        # The pipe stays open until after the end.
        assert process.wait(timeout=20) == -number
        assert process.stderr.read() == b""
    assert [path.name for path in tmp_path.iterdir()] == ["old.txt"]
    assert (tmp_path / "old.txt").read_text() == "from last time"
