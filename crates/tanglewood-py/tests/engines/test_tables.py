"""Polars, DuckDB, pandas and Daft: their tables in and out, and the examples."""

import pathlib
import runpy
import sys

import pytest
import tanglewood.arrow

TEXTS = ["What are you looking at?", None, "Nothing. At all."]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def expected():
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.table(tanglewood.arrow.parse(pyarrow.table({"text": TEXTS}), "en")).to_pylist()


def test_polars(expected):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"text": TEXTS})
    assert polars.DataFrame(tanglewood.arrow.parse(frame, "en")).to_dicts() == expected
    tokens = polars.DataFrame({"tokens": [["No", "."], []]})
    parsed = polars.DataFrame(tanglewood.arrow.parse(tokens, "en", "tokens"))
    assert parsed["sentences"].list.len().to_list() == [1, 0]


def test_duckdb(expected):
    duckdb = pytest.importorskip("duckdb")
    texts = duckdb.connect().sql("select unnest(['What are you looking at?', null, 'Nothing. At all.']) as text")
    parsed = tanglewood.arrow.parse(texts, "en")
    rows = duckdb.sql("select text, sentences from parsed").to_arrow_table().to_pylist()
    assert rows == expected


def test_pandas(expected):
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"text": pandas.array(TEXTS, dtype="string")})
    parsed = pyarrow.table(tanglewood.arrow.parse(frame, "en"))
    assert parsed.column("sentences").to_pylist() == [row["sentences"] for row in expected]


def test_daft(expected):
    daft = pytest.importorskip("daft")
    frame = daft.from_pydict({"text": TEXTS})
    assert daft.from_arrow(tanglewood.arrow.parse(frame, "en")).to_pylist() == expected


@pytest.mark.parametrize("script", ["with_polars.py", "with_duckdb.py"])
def test_examples_run(script, capsys, monkeypatch):
    pytest.importorskip(script[5:-3])
    monkeypatch.setattr(sys, "argv", [script])
    runpy.run_path(str(EXAMPLES / script), run_name="__main__")
    assert "obj" in capsys.readouterr().out
