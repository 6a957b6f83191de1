"""What must not happen: invalid sentences parsed, Ctrl-C not heard, memory filled by a small file, errors that name our
tools instead of the caller's mistake."""

import copy
import gzip
import lzma
import os
import pickle
import re
import signal
import subprocess
import sys
import textwrap
import time

import numpy
import pytest
import tanglewood
import tanglewood.arrow

ROW = "{}\tword\t_\tNOUN\t_\t_\t{}\tdep\t_\t_\n"

#: What is no sentence, and what is said about it.
INVALID = {
    "a gap in the ids": (ROW.format(1, 3) + ROW.format(3, 0) + "\n", "expected 2"),
    "nine columns": ("1\tword\t_\tNOUN\t_\t_\t0\troot\t_\n" + ROW.format(2, 1) + "\n", "9 columns"),
    "no CoNLL-U": ("This is a text.\nIt has two lines.\n", "expected 10"),
    "comments alone": ("# text = nothing\n\n", "without words"),
}


@pytest.fixture(scope="module")
def parser():
    return tanglewood.Parser.load("en")


@pytest.fixture(scope="module")
def grammar():
    return tanglewood.Grammar.fit(tanglewood.sample_treebank(), system="mh3", em=1)


@pytest.mark.parametrize("kind", INVALID)
def test_an_invalid_sentence_is_refused_wherever_it_enters(parser, grammar, kind, tmp_path):
    text, message = INVALID[kind]
    sentence = tanglewood.Sentence(text)
    path = tmp_path / "invalid.conllu"
    path.write_text(tanglewood.sample_treebank()[0].conllu + text, encoding="utf-8")
    entrances = {
        "parse sentences": lambda: parser.parse([sentence]),
        "parse a file": lambda: parser.parse(path),
        "scores": lambda: parser.scores(sentence),
        "tree": lambda: sentence.tree,
        "with_tree": lambda: sentence.with_tree([0] + [1] * (len(sentence) - 1)),
        "train": lambda: tanglewood.Parser.train(path, epochs=1, hidden=8, steps=["parse"]),
        "dev": lambda: tanglewood.Parser.train(tanglewood.sample_treebank()[:2], path, epochs=1, hidden=8, steps=["parse"]),
        "fit": lambda: tanglewood.Grammar.fit(path, em=0),
        "fit raw": lambda: tanglewood.Grammar.fit(raw=path, em=0),
        "grammar.parse": lambda: grammar.parse([sentence]),
        "grammar.score": lambda: grammar.score([sentence]),
        "evaluate": lambda: tanglewood.evaluate(path, path),
        "coverage": lambda: tanglewood.coverage(path),
        "oracle": lambda: tanglewood.oracle(sentence),
    }
    for name, enter in entrances.items():
        try:
            found = enter()
        except ValueError as error:
            assert re.search(message, str(error)), f"{name}: {error}"
            # With its line in the file: the sentence before it has 18.
            assert "file" not in name or str(error).startswith("19:") or "20:" in str(error), f"{name}: {error}"
        else:
            pytest.fail(f"{name}: {found}")


#: Calls that take a minute or more, where `random` and `parser` are there.
LONG = {
    "decode of a batch": "tanglewood.decode(random.normal(size=(4000, 61, 61)), 'all-s0s1')",
    "kbest": "tanglewood.kbest(random.normal(size=(41, 41)), 200_000, 'mh4+')",
    "sample": "tanglewood.sample(random.normal(size=(61, 61)), 5_000_000, system='mh4+')",
    "marginals of a batch": "tanglewood.marginals(random.normal(size=(4000, 61, 61)), 'all-s0s1')",
    "one chart": "tanglewood.decode(numpy.zeros((101, 101)) - random.random((101, 101)), 'all-deg1', 'ltr')",
    "sums in one chart": "tanglewood.marginals(random.normal(size=(101, 101)), 'all-deg1', 'ltr')",
    "one deduction": "tanglewood.marginals(random.normal(size=(26, 26)), 'attardi:3', 'ltr')",
    "sums over all trees": "tanglewood.marginals(random.normal(size=(4001, 4001)), 'any')",
    "parse sentences": "parser.parse(tanglewood.sample_treebank() * 4000)",
    "parse a text": "parser.parse('This is one of many sentences. ' * 400_000)",
    "train": "tanglewood.Parser.train(tanglewood.sample_treebank() * 50, epochs=50)",
    "fit": "tanglewood.Grammar.fit(tanglewood.sample_treebank() * 400, system='mh4', em=50)",
}


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send")
@pytest.mark.parametrize("call", LONG)
def test_an_interrupt_is_heard_within_two_seconds(call):
    script = f"""
        import numpy, tanglewood
        random = numpy.random.default_rng(1)
        parser = tanglewood.Parser.load("en")
        print("begun", flush=True)
        {LONG[call]}
        print("done", flush=True)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "begun\n"
    time.sleep(2)
    assert process.poll() is None, "it was not long enough"
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    try:
        output, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert "done" not in output
    assert "KeyboardInterrupt" in errors
    assert time.monotonic() - start < 4


def same(one, other):
    for name in ["heads", "forms", "labels", "conllu", "line", "transitions", "direction", "score", "text", "form", "start"]:
        assert getattr(one, name, None) == getattr(other, name, None), name


def test_objects_are_pickled_and_copied(parser, grammar):
    odd = tanglewood.Sentence("\n\n# text = Hi\n" + ROW.format(1, 0) + "\n\n")
    document = parser.parse("It rains. It pours.")
    tree = tanglewood.Tree([2, 0, 2], forms=["a", "b", "c"])
    objects = [odd, document[1], document, document[0].tokens[0], tree, tree.oracle("mh4"), tree.oracle("arc-hybrid", "rtl")]
    for one in objects:
        for other in [pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)]:
            assert type(other) is type(one)
            same(one, other)
    again = pickle.loads(pickle.dumps(document))
    assert [sentence.bytes for sentence in again] == [sentence.bytes for sentence in document]
    derivation = tanglewood.best_derivation(numpy.eye(4), {"shift": 0.5}, "arc-standard")
    assert pickle.loads(pickle.dumps(derivation)).score == derivation.score
    with pytest.raises(ValueError, match="not a transition"):
        tanglewood.Derivation("shift jump")
    bytes_alone = tanglewood.Sentence(odd.bytes.replace(b"word", b"\xff"))
    assert pickle.loads(pickle.dumps(bytes_alone)).bytes == bytes_alone.bytes


def test_parsers_and_grammars_are_pickled(parser, grammar, tmp_path):
    # What is built in is named.
    assert len(pickle.dumps(parser)) < 200
    small = tanglewood.Parser.train(tanglewood.sample_treebank()[:8], epochs=1, hidden=8)
    text = "It rains. It pours."
    for one in [parser, small]:
        for other in [pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)]:
            assert other.parse(text).conllu == one.parse(text).conllu
    # A file may be another one when it is read again: its content is kept.
    small.save(tmp_path / "small.model")
    pickled = pickle.dumps(tanglewood.Parser.load(tmp_path / "small.model"))
    (tmp_path / "small.model").unlink()
    assert pickle.loads(pickled).parse(text).conllu == small.parse(text).conllu
    for other in [pickle.loads(pickle.dumps(grammar)), copy.copy(grammar), copy.deepcopy(grammar)]:
        assert repr(other) == repr(grammar)
        treebank = tanglewood.sample_treebank()
        assert other.score(treebank) == grammar.score(treebank)


def test_a_model_that_was_read_is_saved_as_it_was(parser, tmp_path):
    # Numbers of a compact file that are expanded, and written so, are multiplied with other rounding errors.
    parser.save(tmp_path / "copy.model")
    copied = tanglewood.Parser.load(tmp_path / "copy.model")
    copied.save(tmp_path / "copy of copy.model")
    assert (tmp_path / "copy of copy.model").read_bytes() == (tmp_path / "copy.model").read_bytes()
    for sentence in tanglewood.sample_treebank():
        assert numpy.array_equal(copied.scores(sentence), parser.scores(sentence))


SCORES = numpy.zeros((4, 4))

#: Numbers that are not possible, as arguments of what they are for.
OUT_OF_RANGE = {
    "k": lambda number: tanglewood.kbest(SCORES, number),
    "count": lambda number: tanglewood.sample(SCORES, number),
    "seed": lambda number: tanglewood.sample(SCORES, 1, number),
    "threads": lambda number: tanglewood.decode(SCORES, threads=number),
    "max_memory": lambda number: tanglewood.decode(SCORES, max_memory=number),
    "epochs": lambda number: tanglewood.Parser.train(tanglewood.sample_treebank()[:2], epochs=number),
    "hidden": lambda number: tanglewood.Parser.train(tanglewood.sample_treebank()[:2], hidden=number),
    "em": lambda number: tanglewood.Grammar.fit(tanglewood.sample_treebank()[:2], em=number),
    "min_count": lambda number: tanglewood.Grammar.fit(tanglewood.sample_treebank()[:2], min_count=number),
    "max_length": lambda number: tanglewood.Grammar.fit(tanglewood.sample_treebank()[:2], max_length=number),
    "length": lambda number: tanglewood.decode(SCORES[None], lengths=[number]),
    "head": lambda number: tanglewood.Tree([number, 0]),
    "forbidden": lambda number: tanglewood.decode(SCORES, forbidden=[(number, 1)]),
    "line": lambda number: tanglewood.Sentence(ROW.format(1, 0), number),
}


@pytest.mark.parametrize("name", OUT_OF_RANGE)
@pytest.mark.parametrize("number", [-1, 10**30])
def test_numbers_out_of_range_are_value_errors(name, number):
    with pytest.raises(ValueError, match=name):
        OUT_OF_RANGE[name](number)


def test_messages_speak_of_arguments_and_not_of_our_tools(parser):
    wrong = object()
    calls = [
        lambda: parser.parse(wrong),
        lambda: parser.parse([1, 2]),
        lambda: parser.scores("text"),
        lambda: tanglewood.Parser.train(wrong),
        lambda: tanglewood.Parser.train([1]),
        lambda: tanglewood.Parser.load(5),
        lambda: tanglewood.Parser.load(None),
        lambda: tanglewood.Grammar.fit(wrong),
        lambda: tanglewood.evaluate(wrong, wrong),
        lambda: tanglewood.coverage(wrong),
        lambda: tanglewood.coverage([1]),
        lambda: tanglewood.coverage("x.conllu", systems=5),
        lambda: tanglewood.coverage("x.conllu", systems=[5]),
        lambda: tanglewood.oracle(wrong),
        lambda: tanglewood.decode(wrong),
        lambda: tanglewood.decode(SCORES, 5),
        lambda: tanglewood.kbest(SCORES, "many"),
        lambda: tanglewood.kbest(SCORES, 1.5),
        lambda: tanglewood.log_prob(SCORES, wrong),
        lambda: tanglewood.decode(SCORES, forbidden=wrong),
        lambda: tanglewood.Tree(wrong),
        lambda: tanglewood.Sentence(wrong),
        lambda: tanglewood.Sentence.from_words("words"),
        lambda: tanglewood.Sentence.from_words([1]),
        lambda: tanglewood.read_conllu(wrong),
        lambda: tanglewood.write_conllu("x", wrong),
        lambda: tanglewood.arrow.parse(wrong, "en"),
        lambda: tanglewood.arrow.coverage(wrong),
    ]
    for at, call in enumerate(calls):
        with pytest.raises((TypeError, ValueError)) as error:
            call()
        message = str(error.value)
        assert not re.search(r"variant|extract|PyO3|pyo3|Py[A-Z]\w+|panick|unwrap|Vec<|usize", message), f"{at}: {message}"


def zstd(content):
    """Packed with zstd, as blocks that are stored as they are: Python has no module for it before 3.14."""
    frame = b"\x28\xb5\x2f\xfd\xa0" + len(content).to_bytes(4, "little")
    for at in range(0, len(content), 1 << 17):
        block = content[at : at + (1 << 17)]
        is_last = at + len(block) == len(content)
        frame += (is_last | len(block) << 3).to_bytes(3, "little") + block
    return frame


def test_what_is_compressed_is_read_and_a_bomb_is_not(tmp_path):
    treebank = tanglewood.sample_treebank()
    content = b"".join(sentence.bytes for sentence in treebank)
    for name, compress in [("a.conllu.gz", gzip.compress), ("a.conllu.xz", lzma.compress), ("a.conllu.zst", zstd)]:
        (tmp_path / name).write_bytes(compress(content))
        assert tanglewood.read_conllu(tmp_path / name) == treebank
        (tmp_path / name).write_bytes(compress(content)[:-20])
        with pytest.raises(ValueError, match="damaged or cut short"):
            tanglewood.read_conllu(tmp_path / name)
    bomb = tmp_path / "bomb.conllu.gz"
    with gzip.open(bomb, "wb", compresslevel=9) as file:
        for _ in range(1024):
            file.write(bytes(1 << 20))
    for read in [tanglewood.read_conllu, tanglewood.coverage, tanglewood.Parser.load, tanglewood.arrow.read_conllu]:
        before = peak_megabytes()
        with pytest.raises(ValueError, match="unpacks to more than"):
            read(bomb)
        assert peak_megabytes() - before < 700


def peak_megabytes():
    resource = pytest.importorskip("resource")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
