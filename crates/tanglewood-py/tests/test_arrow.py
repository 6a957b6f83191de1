"""Tables: the same answers as the program's, whatever a table looks like and however it is cut."""

import json
import subprocess

import pytest
import tanglewood
import tanglewood.arrow
from conftest import SAMPLE

pyarrow = pytest.importorskip("pyarrow")

TEXTS = [
    "What are you looking at? I don't know.\n\nA review has just appeared of her new novel.",
    "",
    " \n ",
    "A smile \U0001F600, a café\u0301 and don't.\t Then\u00a0more.",
    "Nothing",
]


def batch(**columns):
    return pyarrow.record_batch(columns)


def rows(answer):
    return pyarrow.record_batch(answer).to_pylist()


def run(program, tmp_path, content, *options):
    file = tmp_path / "input"
    file.write_bytes(content.encode())
    done = subprocess.run([program, "parse", "en", file, *options], capture_output=True, check=True)
    return done.stdout.decode()


def test_conllu_is_what_the_program_writes_for_a_file(program, tmp_path):
    answer = rows(tanglewood.arrow.parse(batch(text=TEXTS), "en", output="conllu"))
    for row in answer:
        assert row["parsed_conllu"] == run(program, tmp_path, row["text"], "--input", "text")


def test_sentences_have_what_the_json_of_the_program_has(program, tmp_path):
    answer = rows(tanglewood.arrow.parse(batch(text=TEXTS), "en", confidence=True))
    for row in answer:
        options = ["--input", "text", "--output", "json", "--ranges", "--confidence"]
        expected = [json.loads(line) for line in run(program, tmp_path, row["text"], *options).splitlines()]
        assert len(row["sentences"]) == len(expected)
        for found, wanted in zip(row["sentences"], expected):
            words = found["words"]
            assert [word["form"] for word in words] == wanted["forms"]
            assert [word["head"] for word in words] == wanted["heads"]
            assert [word["deprel"] for word in words] == wanted["deprels"]
            for name, key in [("lemma", "lemmas"), ("upos", "upos"), ("xpos", "xpos"), ("feats", "feats")]:
                assert [word[name] or "_" for word in words] == wanted[key]
            assert [word["arc_prob"] for word in words] == pytest.approx(wanted["arc_probs"], abs=1e-4)
            assert [word["label_prob"] for word in words] == pytest.approx(wanted["label_probs"], abs=1e-4)
            assert found["tree_log_prob"] == pytest.approx(wanted["tree_log_prob"], abs=1e-4)
            assert (found["path"], found["over"]) == (wanted["path"], wanted["over"])
            assert found["score"] == pytest.approx(wanted["score"], abs=1e-4)
            assert (found["text"], found["sent_id"]) == (wanted["text"], wanted["sent_id"])
            tokens = [(token["form"], [token["first"], token["last"]], [token["start"], token["end"]]) for token in found["tokens"]]
            assert tokens == [(token["form"], token["words"], token["range"]) for token in wanted["tokens"]]


def test_offsets_are_in_characters_of_the_row():
    for row in rows(tanglewood.arrow.parse(batch(text=TEXTS), "en")):
        for sentence in row["sentences"]:
            assert row["text"][sentence["start"] : sentence["end"]].split() == sentence["text"].split()
            for token in sentence["tokens"]:
                assert row["text"][token["start"] : token["end"]] == token["form"]


def test_lists_of_tokens_are_sentences(program, tmp_path):
    tokens = [["What", "are", "you", "looking", "at", "?"], ["Nothing", "."], [], ["One two", "three"]]
    answer = rows(tanglewood.arrow.parse(batch(id=[3, 1, 4, 1], tokens=tokens), "en", "tokens"))
    assert [row["id"] for row in answer] == [3, 1, 4, 1]
    assert answer[2]["sentences"] == []
    horizontal = "".join(" ".join(words) + "\n" for words in tokens[:2])
    expected = run(program, tmp_path, horizontal, "--input", "horizontal", "--output", "json").splitlines()
    for row, line in zip(answer, expected):
        (sentence,) = row["sentences"]
        assert [word["head"] for word in sentence["words"]] == json.loads(line)["heads"]
        assert [token["start"] for token in sentence["tokens"]] == [None] * len(row["tokens"])
    assert [word["form"] for word in answer[3]["sentences"][0]["words"]] == ["One two", "three"]


def test_conllu_in_and_out_changes_heads_and_relations_alone(program, tmp_path):
    whole = SAMPLE.read_text(encoding="utf-8")
    table = pyarrow.record_batch(tanglewood.arrow.read_conllu(SAMPLE))
    assert "".join(table.column("conllu").to_pylist()) == whole
    answer = rows(tanglewood.arrow.parse(table, "en", "conllu", input="conllu", output="conllu"))
    expected = run(program, tmp_path, whole, "--input", "conllu")
    assert "".join(row["parsed_conllu"] for row in answer) == expected
    # All of it in a single row, too, with what is wrong with the last line of the file.
    answer = rows(tanglewood.arrow.parse(batch(text=["\n" + whole.rstrip("\n")]), "en", input="conllu", output="both"))
    assert answer[0]["parsed_conllu"] == "\n" + expected.rstrip("\n")
    assert len(answer[0]["sentences"]) == len(table)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("batch_words", [1, 40, 1_000_000])
def test_how_a_table_is_cut_makes_no_difference(threads, batch_words):
    texts = [sentence.text for sentence in tanglewood.sample_treebank()[:30]]
    texts[4] = None
    texts[7] = " ".join(texts[8:20])
    table = pyarrow.table({"text": texts})
    expected = rows(tanglewood.arrow.parse(table.combine_chunks().to_batches()[0], "en", output="both"))
    stream = tanglewood.arrow.parse(table, "en", output="both", threads=threads, batch_words=batch_words)
    batches = list(pyarrow.RecordBatchReader.from_stream(stream))
    assert [row for batch in batches for row in batch.to_pylist()] == expected
    assert stream.counts["rows"] == len(texts)
    assert stream.counts["sentences"] == sum(len(row["sentences"] or []) for row in expected)
    assert len(batches) == {1: len(texts), 1_000_000: 1}.get(batch_words, len(batches))
    assert 1 < len(batches) < len(texts) or batch_words != 40


def test_a_stream_works_as_it_is_read_and_once():
    read = []

    def source():
        for at in range(3):
            read.append(at)
            yield batch(text=["One more."])

    reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema({"text": pyarrow.string()}), source())
    stream = tanglewood.arrow.parse(reader, "en")
    answers = pyarrow.RecordBatchReader.from_stream(stream)
    assert read == []
    answers.read_next_batch()
    assert (read, stream.counts["rows"]) == ([0], 1)
    with pytest.raises(ValueError, match="read already"):
        pyarrow.table(stream)


def test_all_kinds_of_strings_and_lists():
    for text in [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()]:
        strings = pyarrow.array(["Yes.", None], text)
        lists = [pyarrow.array([["Yes", "."], None], kind(text)) for kind in (pyarrow.list_, pyarrow.large_list)]
        for column in [strings, *lists]:
            found = rows(tanglewood.arrow.parse(batch(column=column), "en", "column"))
            assert [word["form"] for word in found[0]["sentences"][0]["words"]] == ["Yes", "."]
            assert found[1]["sentences"] is None
    # A slice of a longer one.
    sliced = pyarrow.table({"text": ["a", "No.", "b"]}).slice(1, 1).to_batches()[0]
    assert len(rows(tanglewood.arrow.parse(sliced, "en"))) == 1


def test_the_schema_has_a_version_and_keeps_what_was_there():
    schema = pyarrow.schema({"id": pyarrow.int8(), "text": pyarrow.string()}, metadata={"made": "by hand"})
    table = pyarrow.table({"id": [1], "text": ["No."]}, schema=schema)
    answer = pyarrow.table(tanglewood.arrow.parse(table, "en"))
    assert answer.schema.metadata == {b"made": b"by hand", b"tanglewood.schema": b"parse/1"}
    assert answer.schema.names == ["id", "text", "sentences"]
    record_batch = tanglewood.arrow.parse(table.to_batches()[0], "en")
    assert pyarrow.record_batch(record_batch).schema.equals(answer.schema, check_metadata=True)
    assert len(record_batch) == 1


BROKEN = "1\tA\t_\t_\t_\t_\t_\t_\t_\t_\n3\tB\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
GOOD = BROKEN.replace("3\tB", "2\tB")


@pytest.mark.parametrize(
    "columns, options, message",
    [
        ({"text": [GOOD, GOOD + BROKEN]}, {"input": "conllu"}, "row 1, column `text`: 5:"),
        ({"text": [["a"], ["b", None]]}, {}, "row 1, column `text`: token 1 is null"),
        ({"text": [["a"], ["b", ""]]}, {}, "row 1, column `text`: token 1 is empty"),
    ],
    ids=["conllu", "null", "empty"],
)
def test_a_row_that_is_wrong_is_named(columns, options, message):
    table = batch(**columns)
    with pytest.raises(ValueError) as raised:
        tanglewood.arrow.parse(table, "en", **options)
    assert message in str(raised.value)
    answer = rows(tanglewood.arrow.parse(table, "en", on_error="null", **options))
    assert (answer[0]["error"], len(answer[0]["sentences"])) == (None, 1)
    assert message in answer[1]["error"] and answer[1]["sentences"] is None
    assert answer[1]["text"] == columns["text"][1]
    # In a stream rows are counted from its start.
    stream = tanglewood.arrow.parse(pyarrow.table({"text": columns["text"]}), "en", batch_words=1, **options)
    with pytest.raises(pyarrow.ArrowInvalid) as raised:
        pyarrow.table(stream)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "columns, options, message",
    [
        ({"text": [1]}, {}, "column `text` is of type Int64; expected a string, or a list of strings"),
        ({"text": [[1]]}, {}, "column `text` is of type List"),
        ({"text": ["a"]}, {"input": "tokens"}, "expected a list of strings"),
        ({"text": [["a"]]}, {"input": "conllu"}, "expected a string"),
        ({"texts": ["a"]}, {}, "no column `text`; expected one of texts"),
        ({"text": ["a"], "sentences": [1]}, {}, "already has a column `sentences`"),
        ({"text": ["a"]}, {"input": "words"}, "input is `words`"),
        ({"text": ["a"]}, {"output": "html"}, "output is `html`"),
        ({"text": ["a"]}, {"on_error": "skip"}, "on_error is `skip`"),
        ({"text": ["a"]}, {"decoder": "best"}, "best"),
        ({"text": ["a"]}, {"system": "nothing"}, "nothing"),
    ],
)
def test_wrong_questions_say_what_was_expected(columns, options, message):
    for table in [batch(**columns), pyarrow.table(columns)]:
        with pytest.raises(ValueError) as raised:
            tanglewood.arrow.parse(table, "en", **options)
        assert message in str(raised.value)


def test_what_is_no_table_is_refused():
    for wrong in ["text", ["text"], {"text": ["a"]}, None]:
        with pytest.raises(TypeError, match="expected a table or a record batch"):
            tanglewood.arrow.parse(wrong, "en")
    with pytest.raises(TypeError, match="expected a record batch"):
        tanglewood.arrow.parse(pyarrow.array([1, 2]), "en")


def test_a_sentence_of_20000_words_takes_the_named_fallback_and_stalls_nothing():
    table = batch(tokens=[["word", "."] * 10_000, ["Short", "."], ["word"] * 600])
    answer = rows(tanglewood.arrow.parse(table, "en", "tokens"))
    paths = [row["sentences"][0]["path"] for row in answer]
    assert paths[0] == "pieces"
    assert paths[1] not in ["pieces", "mst-too-large"]
    words = answer[0]["sentences"][0]["words"]
    assert len(words) == 20_000
    assert tanglewood.Tree([word["head"] for word in words]).has_single_root


def test_coverage_adds_up_to_what_the_package_counts():
    table = tanglewood.arrow.read_conllu(SAMPLE)
    (expected,) = tanglewood.coverage(SAMPLE, systems="all", direction="either")
    answer = pyarrow.record_batch(tanglewood.arrow.coverage(table, systems="all", direction="either"))
    sums = {name: sum(answer.column(name).to_pylist()) for name in answer.schema.names[4:]}
    assert sums.pop("sentence_count") == expected.pop("sentences")
    expected.pop("file")
    assert sums == expected
    # The same trees as lists of heads, and as a row.
    treebank = tanglewood.sample_treebank()
    heads = batch(heads=[sentence.tree.heads for sentence in treebank] + [None])
    found = pyarrow.record_batch(tanglewood.arrow.coverage(heads, "heads"))
    assert found.column("all").to_pylist() == pyarrow.record_batch(tanglewood.arrow.coverage(table)).column("all").to_pylist() + [None]


def test_coverage_of_what_was_parsed_needs_no_other_library():
    parsed = tanglewood.arrow.parse(tanglewood.arrow.read_conllu(SAMPLE), "en", "conllu", input="conllu", output="both")
    by_sentences = rows(tanglewood.arrow.coverage(parsed, "sentences"))
    by_conllu = rows(tanglewood.arrow.coverage(parsed, "parsed_conllu"))
    assert by_sentences == by_conllu
    assert sum(row["sentence_count"] for row in by_conllu) == 84


def test_trees_that_are_none_are_named():
    table = batch(heads=[[0, 1], [2, 1]])
    with pytest.raises(ValueError, match="row 1, column `heads`"):
        tanglewood.arrow.coverage(table, "heads")
    answer = rows(tanglewood.arrow.coverage(table, "heads", on_error="null"))
    assert (answer[0]["error"], answer[0]["sentence_count"], answer[1]["sentence_count"]) == (None, 1, None)
    with pytest.raises(ValueError, match="column `heads` is of type"):
        tanglewood.arrow.coverage(batch(heads=[1.5]), "heads")


def test_evaluation_adds_up_to_what_the_package_says():
    gold = tanglewood.sample_treebank()
    system = [sentence.with_tree([0] + list(range(1, len(sentence)))) for sentence in gold]
    table = batch(gold=[sentence.conllu for sentence in gold] + [None], system=[sentence.conllu for sentence in system] + ["x"])
    answer = rows(tanglewood.arrow.evaluate(table))
    assert answer[-1]["UAS"] is None
    expected = tanglewood.evaluate(gold, system)
    for measure in ["UAS", "LAS", "UPOS", "MLAS", "nonprojective"]:
        counts = {part: sum(row[measure][part] for row in answer[:-1]) for part in ["gold", "system", "correct"]}
        for part, name in [("system", "precision"), ("gold", "recall")]:
            share = counts["correct"] / counts[part] if counts[part] else 0
            assert share == pytest.approx(expected[measure][name])
    wrong = batch(gold=[gold[0].conllu], system=[gold[1].conllu])
    with pytest.raises(ValueError, match="row 0, column `system`"):
        tanglewood.arrow.evaluate(wrong)


def damaged(kind, **columns):
    """Strings whose bytes are none, as other languages and files may hand them over."""
    broken = pyarrow.array([b"A word.", b"caf\xe9 \xff", b"Another."])
    offsets = pyarrow.array([0, 9, 3, 12], pyarrow.int32()).buffers()[1]
    backwards = pyarrow.Array.from_buffers(pyarrow.string(), 3, [None, offsets, pyarrow.py_buffer(b"A bc d, e f.")])
    column = {
        "bytes": broken.view(pyarrow.string()),
        "offsets": backwards,
        "tokens": pyarrow.ListArray.from_arrays([0, 1, 3, 3], broken.view(pyarrow.string())),
        "views": pyarrow.array([b"A long word, longer than a view.", b"\xff" * 20, b"\xff"]).cast(pyarrow.binary_view()).view(pyarrow.string_view()),
    }[kind]
    return pyarrow.record_batch({"text": column, **columns})


@pytest.mark.parametrize("kind", ["bytes", "offsets", "tokens", "views"])
@pytest.mark.parametrize("stream", [False, True])
def test_strings_that_are_none_are_refused_and_not_believed(kind, stream):
    table = damaged(kind, other=["a", "b", "c"])
    data = pyarrow.RecordBatchReader.from_batches(table.schema, [table]) if stream else table
    with pytest.raises((ValueError, OSError), match="column `text` is damaged"):
        pyarrow.table(tanglewood.arrow.parse(data, "en"))
    if kind != "tokens":
        for ask in [tanglewood.arrow.coverage, lambda data, column: tanglewood.arrow.evaluate(data, column, "other")]:
            with pytest.raises(ValueError, match="column `text` is damaged"):
                ask(table, "text")


def test_a_damaged_column_that_nobody_reads_does_no_harm():
    table = damaged("bytes", good=["It rains.", "It pours.", ""])
    answer = pyarrow.record_batch(tanglewood.arrow.parse(table, "en", "good"))
    assert [len(sentences) for sentences in answer.column("sentences").to_pylist()] == [1, 1, 0]


def test_a_file_that_is_not_utf8_is_named_with_its_line(tmp_path):
    path = tmp_path / "latin.conllu"
    path.write_bytes(GOOD.encode() + b"# caf\xe9\n")
    with pytest.raises(ValueError, match="latin.conllu:4: bytes that are not UTF-8"):
        tanglewood.arrow.read_conllu(path)


def test_models_are_read_once(tmp_path):
    path = tmp_path / "a.model"
    tanglewood.Parser.load("en").save(path)
    assert tanglewood.arrow.load(path) is tanglewood.arrow.load(str(path))
    with pytest.raises(FileNotFoundError):
        tanglewood.arrow.load(tmp_path / "b.model")
