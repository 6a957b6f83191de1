"""Real data for the engines, and the program's answers."""

import itertools
import os
import pathlib
import subprocess

import pytest
import tanglewood
from shared import REPOSITORY, SENTENCES, files_of, treebanks


@pytest.fixture(scope="session")
def the_program():
    name = "tanglewood.exe" if os.name == "nt" else "tanglewood"
    built = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "debug" / name
    path = pathlib.Path(os.environ.get("TANGLEWOOD_PROGRAM", built))
    if not path.exists():
        pytest.skip(f"{path} is not built: cargo build")
    return path


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Sentences of real treebanks, 500 in a file."""
    folder = tmp_path_factory.mktemp("treebank")
    sentences = itertools.chain.from_iterable(map(tanglewood.read_conllu, treebanks()))
    sentences = itertools.islice(sentences, SENTENCES)
    for number in itertools.count():
        some = list(itertools.islice(sentences, 500))
        if not some:
            break
        below = folder / f"part-{number % 3}"
        below.mkdir(exist_ok=True)
        (below / f"{number:04}.conllu").write_bytes(b"".join(sentence.bytes for sentence in some))
    return folder


@pytest.fixture(scope="session")
def parsed(folder, the_program):
    """What the program writes for all files of the folder, one after the other."""
    files = files_of(folder)
    done = subprocess.run([the_program, "parse", "en", *files], capture_output=True, check=True)
    return done.stdout


@pytest.fixture(scope="session")
def documents():
    """Texts of 20 sentences each, as a list."""
    sentences = itertools.chain.from_iterable(map(tanglewood.read_conllu, treebanks()))
    texts = [sentence.text for sentence in itertools.islice(sentences, max(SENTENCES // 10, 400)) if sentence.text]
    return [" ".join(texts[at : at + 20]) for at in range(0, len(texts), 20)]


@pytest.fixture(scope="session")
def parsed_documents(documents, the_program, tmp_path_factory):
    """What the program writes for each of them as a file."""
    folder = tmp_path_factory.mktemp("documents")
    files = []
    for number, text in enumerate(documents):
        files.append(folder / f"{number:05}.txt")
        files[-1].write_text(text, encoding="utf-8")
    done = subprocess.run([the_program, "parse", "en", "--input", "text", *files], capture_output=True, check=True)
    parts = done.stdout.decode().split("# newdoc\n")
    assert parts.pop(0) == ""
    return ["# newdoc\n" + part for part in parts]
