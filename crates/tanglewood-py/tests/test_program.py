"""The same answers as the program's on the same input."""

import json
import math
import subprocess

import numpy
import pytest
import tanglewood
from conftest import SAMPLE


def run(program, *arguments, text=None):
    result = subprocess.run([program, *arguments], input=text, capture_output=True, text=True, encoding="utf-8")
    assert result.returncode in (0, 1), result.stderr
    return result.stdout


@pytest.mark.parametrize("system", ["mh4+", "mh5", "all-s0s1", "arc-standard", "attardi:3"])
@pytest.mark.parametrize("direction", ["ltr", "rtl", "either"])
def test_decoding_is_the_program_s(program, random, system, direction):
    matrices = []
    for words in [1, 2, 5, 8, 11]:
        scores = random.normal(size=(words + 1, words + 1)).round(3)
        scores[random.random(size=scores.shape) < 0.2] = -numpy.inf
        matrices.append(scores)
    as_json = [[[None if x == -numpy.inf else x for x in row] for row in scores.tolist()] for scores in matrices]
    lines = "".join(json.dumps({"scores": scores}) + "\n" for scores in as_json)
    arguments = ["decode", "--system", system, "--direction", direction, "--k", "4", "--marginals"]
    answers = [json.loads(line) for line in run(program, *arguments, text=lines).splitlines()]
    assert len(answers) == len(matrices)
    for scores, answer in zip(matrices, answers):
        if "error" in answer:
            with pytest.raises(ValueError) as error:
                tanglewood.decode(scores, system, direction)
            assert str(error.value) == answer["error"]
            continue
        heads, best = tanglewood.decode(scores, system, direction)
        assert (heads.tolist(), best) == (answer["heads"], answer["score"])
        trees, values = tanglewood.kbest(scores, 4, system, direction)
        assert trees.tolist() == [tree["heads"] for tree in answer["trees"]]
        assert values.tolist() == [tree["score"] for tree in answer["trees"]]
        assert tanglewood.marginals(scores, system, direction).tolist() == answer["marginals"]
        assert tanglewood.log_partition(scores, system, direction) == answer["log_partition"]
        assert math.isclose(tanglewood.entropy(scores, system, direction), answer["entropy"])
        assert tanglewood.sums_over(system, direction) == answer["over"]


@pytest.mark.parametrize("direction", ["ltr", "either"])
def test_coverage_is_the_program_s(program, direction):
    arguments = ["coverage", str(SAMPLE), "--systems", "all", "--direction", direction, "--classes", "--format", "tsv"]
    titles, values, _ = (line.split("\t") for line in run(program, *arguments).splitlines())
    (row,) = tanglewood.coverage(SAMPLE, "all", direction, classes=True)
    assert [str(value) for value in row.values()] == values
    assert list(row) == titles


def test_evaluation_is_the_program_s(program, tmp_path):
    gold = tanglewood.read_conllu(SAMPLE)
    tanglewood.write_conllu(tmp_path / "system.conllu", [s.with_tree([0] + list(range(1, len(s)))) for s in gold])
    answer = run(program, "eval", str(SAMPLE), str(tmp_path / "system.conllu"), "--format", "json")
    rows = tanglewood.evaluate(SAMPLE, tmp_path / "system.conllu")
    (theirs,) = json.loads(answer)["systems"]
    for name, row in theirs["scores"].items():
        for rate in ["precision", "recall", "f1"]:
            assert rows[name][rate] == row[rate], name
    for name, key in [("crossing", "lenient"), ("crossing_in_both", "strict")]:
        assert rows[name] == theirs["crossing"][key]


def test_oracles_are_the_program_s(program):
    for direction in ["ltr", "rtl"]:
        answer = run(program, "oracle", str(SAMPLE), "--system", "all", "--direction", direction, "--sentence", "81", "--format", "json")
        derivation = tanglewood.oracle(tanglewood.read_conllu(SAMPLE)[81], "all", direction)
        assert derivation.transitions == json.loads(answer)["transitions"]
        assert [list(step["arc"]) for step in derivation.steps() if step["arc"]] == json.loads(answer)["arcs"]
