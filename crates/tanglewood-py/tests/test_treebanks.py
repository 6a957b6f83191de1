"""Treebanks and parsers."""

import gzip
import lzma
import pathlib

import pandas
import pytest
import tanglewood
from conftest import SAMPLE


@pytest.fixture
def treebank():
    return tanglewood.read_conllu(SAMPLE)


def test_every_byte_is_kept(tmp_path, treebank):
    assert len(treebank) == 84
    assert b"".join(sentence.bytes for sentence in treebank) == SAMPLE.read_bytes()
    assert treebank == tanglewood.sample_treebank()
    word = b"1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_"
    odd = b"\xef\xbb\xbf\r\n\n# \xff\n" + word + b"\r\n\r\n\r\n\n" + word + b"\n\n\n# end\n" + word
    path = tmp_path / "odd.conllu"
    path.write_bytes(odd)
    sentences = tanglewood.read_conllu(path)
    assert [len(sentence) for sentence in sentences] == [1, 1, 1]
    assert b"".join(sentence.bytes for sentence in sentences) == odd
    tanglewood.write_conllu(tmp_path / "copy.conllu", sentences)
    assert (tmp_path / "copy.conllu").read_bytes() == odd
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["copy.conllu", "odd.conllu"]


def test_sentences_stay_apart_in_another_order(tmp_path):
    word = "1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_"
    sentences = [tanglewood.Sentence(word), tanglewood.Sentence(word + "\n"), tanglewood.Sentence(word + "\r\n\r\n"), tanglewood.Sentence(word)]
    tanglewood.write_conllu(tmp_path / "a.conllu", sentences)
    assert [len(sentence) for sentence in tanglewood.read_conllu(tmp_path / "a.conllu")] == [1, 1, 1, 1]
    assert tanglewood.evaluate(sentences, tmp_path / "a.conllu")["Sentences"]["f1"] == 1
    assert tanglewood.Parser.train(sentences, epochs=1, hidden=4).parse(sentences) == sentences


def test_compressed_files(tmp_path, treebank):
    for name, compress in [("a.conllu.gz", gzip.compress), ("a.conllu.xz", lzma.compress)]:
        (tmp_path / name).write_bytes(compress(SAMPLE.read_bytes()))
        assert tanglewood.read_conllu(str(tmp_path / name)) == treebank
        (tmp_path / name).write_bytes(compress(SAMPLE.read_bytes())[:100])
        with pytest.raises(ValueError, match="damaged or cut short"):
            tanglewood.read_conllu(tmp_path / name)


def test_what_a_sentence_knows(treebank):
    sentence = treebank[81]
    assert sentence.sent_id == "sv-preposition-stranding-1" and sentence.text == "Vem pratar du med?"
    assert sentence.metadata("lang") == "sv" and sentence.metadata("nothing") is None
    assert sentence.forms == ["Vem", "pratar", "du", "med", "?"] and len(sentence) == 5
    assert sentence.tree.forms == sentence.forms and sentence.tree.labels == sentence.labels
    assert sentence._repr_svg_().startswith("<svg")
    assert SAMPLE.read_text(encoding="utf-8").splitlines()[sentence.line - 1] == "# sent_id = sv-preposition-stranding-1"


def test_other_trees_change_two_columns(treebank):
    sentence = treebank[81]
    changed = sentence.with_tree([2, 0, 2, 2, 2], labels=["a", "b", "c", "d", "e"])
    before, after = sentence.conllu.splitlines(), changed.conllu.splitlines()
    assert changed.tree.heads == [2, 0, 2, 2, 2] and changed.labels == ["a", "b", "c", "d", "e"]
    for old, new in zip(before, after):
        old, new = old.split("\t"), new.split("\t")
        assert old[:6] == new[:6] and old[8:] == new[8:]
    assert sentence.with_tree(sentence.tree) == sentence
    for wrong in [[0], [2, 1, 0, 0, 0]]:
        with pytest.raises(ValueError):
            sentence.with_tree(wrong)
    with pytest.raises(ValueError, match="without tab or line end"):
        sentence.with_tree(sentence.tree, labels=["a\tb"] * 5)


def test_problems_have_a_line(tmp_path):
    path = tmp_path / "bad.conllu"
    path.write_bytes(SAMPLE.read_bytes() + b"# a comment\n1\tHi\thi\tINTJ\t_\t_\t2\troot\t_\t_\n\n")
    lines = len(path.read_bytes().splitlines())
    with pytest.raises(ValueError, match=rf"^{lines - 1}:"):
        tanglewood.read_conllu(path)[-1].tree
    with pytest.raises(ValueError, match=rf"bad.conllu:{lines - 1}:"):
        tanglewood.coverage(path)
    assert tanglewood.coverage(path, skip_invalid=True)[0]["skipped"] == 1
    with pytest.raises(ValueError, match="3 sentences; expected one"):
        tanglewood.Sentence("# a\n\n# b\n\n# c\n\n")
    with pytest.raises(ValueError, match="0 sentences"):
        tanglewood.Sentence("\n\n")
    with pytest.raises(FileNotFoundError, match="nothing.conllu"):
        tanglewood.coverage("nothing.conllu")


def test_coverage_is_a_table(tmp_path):
    for name in ["b.conllu", "a.conllu", "no.txt"]:
        (tmp_path / name).write_bytes(SAMPLE.read_bytes())
    table = pandas.DataFrame(tanglewood.coverage(tmp_path, systems=["all", "mh4+"], direction="either", classes=True))
    assert [pathlib.Path(file).name for file in table["file"]] == ["a.conllu", "b.conllu"]
    assert table["nonprojective"].tolist() == [61, 61]
    trees = [sentence.tree for sentence in tanglewood.read_conllu(SAMPLE)]
    crossing = [tree for tree in trees if not tree.is_projective]
    for system in ["all", "mh4+"]:
        assert table[f"{system}@either"][0] == sum(tree.covered_by(system, "either") for tree in crossing)
    for name in ["planar", "well-nested", "1-endpoint-crossing"]:
        assert table[name][0] == sum(tree.classes()[name] for tree in crossing)


def test_evaluation(treebank):
    perfect = tanglewood.evaluate(SAMPLE, treebank)
    assert all(row["f1"] in (0.0, 1.0) for row in perfect.values()) and perfect["LAS"]["f1"] == 1
    system = [sentence.with_tree([0] + list(range(1, len(sentence)))) for sentence in treebank]
    rows = tanglewood.evaluate(treebank, system)
    right = sum(a == b for s, t in zip(treebank, system) for a, b in zip(s.tree.heads, t.tree.heads))
    words = sum(map(len, treebank))
    assert rows["UAS"]["f1"] == right / words
    assert rows["crossing"]["precision"] == 0
    assert pandas.DataFrame(rows).T.loc["UAS", "f1"] == right / words
    with pytest.raises(ValueError, match="same characters"):
        tanglewood.evaluate(treebank, treebank[1:])


def test_a_parser_learns_saves_and_loads(tmp_path, treebank):
    seen = []
    options = {"epochs": 30, "hidden": 32, "seed": 3, "threads": 1}
    parser = tanglewood.Parser.train(treebank, treebank, steps=["parse"], progress=seen.append, **options)
    assert [row["epoch"] for row in seen] == list(range(1, 31))
    assert parser.steps == ["parse"]
    with pytest.raises(ValueError, match="has not learned to segment"):
        parser.parse("Er kommt.")
    assert parser.accuracy["uas"] == [row["uas"] for row in seen if row["best"]][-1]
    parsed = parser.parse(treebank)
    result = tanglewood.evaluate(treebank, parsed)
    start = tanglewood.evaluate(treebank, tanglewood.Parser.train(treebank, steps=["parse"], **{**options, "epochs": 1}).parse(treebank))
    assert result["UAS"]["f1"] > max(0.3, 2 * start["UAS"]["f1"])
    assert 100 * result["UAS"]["f1"] == pytest.approx(parser.accuracy["uas"])
    for sentence, tree in zip(treebank, parsed):
        assert sentence.forms == tree.forms
        assert tanglewood.decode(parser.scores(sentence))[0].tolist() == tree.tree.heads
    parser.save(tmp_path / "model")
    loaded = tanglewood.Parser.load(tmp_path / "model")
    assert loaded.parse(SAMPLE, threads=2) == parsed
    assert loaded.accuracy == parser.accuracy and "root" in loaded.labels
    (tmp_path / "model").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="model"):
        tanglewood.Parser.load(tmp_path / "model")
    with pytest.raises(ValueError, match="expected one of heads, trees"):
        tanglewood.Parser.train(treebank, goal="nonsense")
    with pytest.raises(ValueError, match="no sentence"):
        tanglewood.Parser.train([])


def test_windows_are_for_goals_of_transitions(treebank):
    options = {"steps": ["parse"], "epochs": 1, "hidden": 16, "threads": 1}
    parser = tanglewood.Parser.train(treebank, goal="transition-likelihood", windows="pairs", **options)
    assert all(len(sentence.tree) == len(sentence) for sentence in parser.parse(treebank[:5]))
    for goal, windows in [("heads", "pairs"), ("transition-hinge", "nonsense")]:
        with pytest.raises(ValueError, match="windows"):
            tanglewood.Parser.train(treebank, goal=goal, windows=windows, **options)


def test_directions_are_for_goals_of_transitions(treebank, tmp_path):
    options = {"steps": ["parse"], "epochs": 1, "hidden": 16, "threads": 1}
    parser = tanglewood.Parser.train(treebank, goal="transition-likelihood", direction="either", **options)
    parser.save(tmp_path / "model")
    again = tanglewood.Parser.load(tmp_path / "model")
    for direction in [None, "ltr", "rtl"]:
        trees = [sentence.tree for sentence in parser.parse(treebank[:5], direction=direction)]
        assert trees == [sentence.tree for sentence in again.parse(treebank[:5], direction=direction)]
        assert all(len(tree) == len(sentence) for tree, sentence in zip(trees, treebank))
    for goal, direction in [("heads", "rtl"), ("transition-hinge", "inwards")]:
        with pytest.raises(ValueError, match="direction"):
            tanglewood.Parser.train(treebank, goal=goal, direction=direction, **options)
    forward = tanglewood.Parser.train(treebank, goal="transition-likelihood", **options)
    with pytest.raises(ValueError, match="learned to read ltr"):
        forward.parse(treebank[:5], direction="rtl")


def test_calibration_is_that_of_its_definition(treebank):
    parser = tanglewood.Parser.train(treebank, steps=["parse"], epochs=2, hidden=16, threads=1)
    parsed = parser.parse(treebank, confidence=True)
    found = tanglewood.calibration(treebank, parsed)
    bins = [[] for _ in range(10)]
    for gold, sentence in zip(treebank, parsed):
        for misc, right, head in zip(sentence.misc, gold.tree.heads, sentence.tree.heads):
            probability = float(misc.split("ArcProb=")[1].split("|")[0])
            bins[min(int(probability * 10), 9)].append((probability, right == head))
    words = sum(map(len, bins))
    error = sum(abs(sum(p for p, _ in bin) - sum(right for _, right in bin)) for bin in bins) / words
    assert found["words"] == words == sum(bin["words"] for bin in found["bins"])
    assert found["expected_error"] == pytest.approx(error)
    assert found["svg"].startswith("<svg")
    with pytest.raises(ValueError, match="ArcProb"):
        tanglewood.calibration(treebank, treebank)


def test_text_becomes_a_document(tmp_path, treebank):
    seen = []
    parser = tanglewood.Parser.train(treebank, treebank, epochs=2, hidden=16, threads=1, progress=seen.append)
    assert parser.steps == ["segment", "tag", "lemma", "parse"]
    assert [(row["step"], row["epoch"]) for row in seen] == [("segment", 1), ("segment", 2), ("parse", 1), ("parse", 2)]
    text = "\ufeffÄh, 🙂 er kommt.  Er geht!\r\n\r\nNein\0?"
    document = parser.parse(text)
    assert document.text == text and len(document) == len(document.sentences) == len(list(document)) > 1
    assert document[0].sent_id == "1" and len(document[1:]) == len(document) - 1
    place = 0
    for sentence in document:
        assert sentence.tree.has_single_root
        for token in sentence.tokens:
            assert text[token.start : token.end] == token.form and token.start >= place
            assert "".join(sentence.forms[slice(*token.words)]) == token.form
            place = token.end
    parser.save(tmp_path / "model")
    again = tanglewood.Parser.load(tmp_path / "model").parse(text, threads=2)
    assert again.conllu == document.conllu and "# text = Äh, 🙂" in again.conllu
    assert len(parser.parse("")) == len(parser.parse(" \n")) == 0
    assert parser.parse(treebank[:1])[0].tokens[0].start is None
    with pytest.raises(ValueError, match="is not a step; expected segment, tag, lemma, parse"):
        tanglewood.Parser.train(treebank, steps=["guess"])


@pytest.mark.parametrize("goal", ["transitions", "transition-hinge", "transition-likelihood"])
def test_a_parser_of_transitions_has_every_decoder(treebank, goal):
    parser = tanglewood.Parser.train(treebank, steps=["parse"], epochs=2, hidden=16, threads=1, goal=goal)
    for decoder in [None, "exact", "greedy", "beam:3", "mst"]:
        for sentence in parser.parse(treebank[:20], decoder=decoder):
            assert sentence.tree.heads.count(0) == 1
    for sentence in parser.parse(treebank[:20], "arc-standard", decoder="exact"):
        assert sentence.tree.covered_by("arc-standard", "ltr")
    for wrong in [{"decoder": "beam:0"}, {"decoder": "best"}, {"system": "nothing"}, {"direction": "up"}]:
        with pytest.raises(ValueError):
            parser.parse(treebank[:1], **wrong)


def test_the_built_in_model_takes_text():
    assert tanglewood.models()["en"] is None
    parser = tanglewood.Parser.load("en")
    assert parser.steps == ["segment", "tag", "lemma", "parse"]
    document = parser.parse("What are you looking at?")
    assert document.text == "What are you looking at?"
    assert [sentence.forms for sentence in document.sentences] == [["What", "are", "you", "looking", "at", "?"]]
