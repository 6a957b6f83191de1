"""Trees, derivations and pictures."""

import pickle
import xml.etree.ElementTree

import numpy
import pytest
import tanglewood
from conftest import score, trees

SVG = "{http://www.w3.org/2000/svg}"


def test_what_is_no_tree():
    for wrong, message in [
        ([2, 1], "the heads form a cycle: 1 → 2 → 1"),
        ([0, 3], "word 2 has head 3; expected a number from 0 to 2"),
        ([0, -1], "word 2 has head -1"),
    ]:
        with pytest.raises(ValueError, match=message):
            tanglewood.Tree(wrong)
    with pytest.raises(ValueError, match="1 forms; expected 2"):
        tanglewood.Tree([0, 1], forms=["one"])
    with pytest.raises(ValueError, match="expected a list or an array of integers"):
        tanglewood.Tree("ab")


def test_trees_are_values():
    tree = tanglewood.Tree(numpy.array([2, 0, 2], dtype=numpy.int32), ["a", "b", "c"], ["x", "root", "y"])
    assert tree == tanglewood.Tree([2, 0, 2]) and tree != tanglewood.Tree([0, 1, 1]) and tree != [2, 0, 2]
    assert len({tree, tanglewood.Tree([2, 0, 2])}) == 1
    assert repr(tree) == "Tree([2, 0, 2])" and eval(repr(tree), {"Tree": tanglewood.Tree}) == tree
    assert len(tree) == 3 and tree.heads == [2, 0, 2] and tree.arcs() == [(2, 1), (0, 2), (2, 3)]
    copy = pickle.loads(pickle.dumps(tree))
    assert copy == tree and copy.forms == ["a", "b", "c"] and copy.labels == ["x", "root", "y"]
    assert tree.mirrored().heads == [2, 0, 2] and tree.mirrored().forms == ["c", "b", "a"]


def crosses(first, second):
    (a, b), (c, d) = sorted(first), sorted(second)
    return a < c < b < d or c < a < d < b


def test_crossing_arcs_by_definition():
    for heads in trees(5):
        tree = tanglewood.Tree(heads)
        arcs = tree.arcs()
        pairs = [(a, b) for at, a in enumerate(arcs) for b in arcs[at + 1 :] if crosses(a, b)]
        assert tree.crossing_pairs() == pairs
        assert tree.crossing_arcs() == [arc for arc in arcs if any(arc in pair for pair in pairs)]
        assert tree.is_projective == (not pairs) == tree.classes()["projective"]
        assert tree.has_single_root


def test_oracles_build_what_they_cover():
    covered = 0
    for heads in trees(4):
        tree = tanglewood.Tree(heads)
        for system in ["arc-standard", "mh4+", "attardi"]:
            for direction in ["ltr", "rtl", "either"]:
                if tree.covered_by(system, direction):
                    derivation = tree.oracle(system, direction)
                    assert derivation.tree == tree
                    assert direction in (derivation.direction, "either")
                    arcs = {step["arc"] for step in derivation.steps() if step["arc"]}
                    assert arcs == set(tree.arcs())
                    assert derivation.steps()[-1]["stack"] == [0]
                    covered += 1
                else:
                    with pytest.raises(ValueError, match="cannot build this tree"):
                        tree.oracle(system, direction)
    assert covered > 100


def test_pictures_are_svg_with_an_arc_for_each_word():
    tree = tanglewood.Tree([3, 4, 0, 3], forms=["<b>", "&", '"', "\x01語"], labels=["a<", "b&", "root", "d"])
    picture = xml.etree.ElementTree.fromstring(tree._repr_svg_())
    arcs = [group for group in picture.iter(SVG + "g") if group.get("data-head")]
    assert sorted((arc.get("data-dependent"), arc.get("data-head")) for arc in arcs) == [("1", "3"), ("2", "4"), ("3", "0"), ("4", "3")]
    crossing = [arc for arc in arcs if "crossing" in arc.get("class").split()]
    assert len(crossing) == len(tree.crossing_arcs()) == 3
    texts = [text.text for text in picture.iter(SVG + "text")]
    assert {"<b>", "&", '"', "a<", "b&"} <= set(texts)
    assert xml.etree.ElementTree.fromstring(tanglewood.Tree([]).svg()) is not None
    derivation = xml.etree.ElementTree.fromstring(tree.oracle()._repr_svg_())
    texts = [text.text for text in derivation.iter(SVG + "text")]
    assert [text for text in texts if text in set(tree.oracle().transitions)] == tree.oracle().transitions
    long = tanglewood.Tree(list(range(5000)))
    assert long._repr_svg_() is None
    with pytest.raises(ValueError, match="too many for a picture"):
        long.svg()


# Transition scores.


def runs(words, reduces):
    """All runs of a system without buffer heads but b0, as lists of (transition, front, arc, top), from left to right; one root."""

    def go(stack, front, done):
        if stack == [0] and front == words + 1:
            yield done
            return
        if front <= words:
            yield from go(stack + [front], front + 1, done + [("shift", front, None, stack[-1] if stack else None)])
        for name in reduces:
            head, dependent = name.split(">")
            place = int(dependent[1:])
            if place >= len(stack):
                continue
            word = stack[-1 - place]
            if head[0] == "s":
                if int(head[1:]) >= len(stack):
                    continue
                node = stack[-1 - int(head[1:])]
            else:
                node = front + int(head[1:])
                if node > words:
                    continue
            if word == 0 or (node == 0 and (len(stack) != 2 or front != words + 1)):
                continue
            rest = stack[: len(stack) - 1 - place] + stack[len(stack) - place :]
            yield from go(rest, front, done + [(name, front, (node, word), None)])

    yield from go([], 0, [])


@pytest.mark.parametrize(
    "system, reduces",
    [
        ("arc-standard", ["s0>s1", "s1>s0"]),
        ("kuhlmann-2", ["s0>s1", "s1>s0", "b0>s1"]),
        ("all-s0s1", ["s1>s0", "s2>s0", "b0>s0", "s0>s1", "s2>s1", "b0>s1"]),
        ("attardi", ["s1>s0", "s2>s0", "s0>s1", "s0>s2"]),
    ],
)
def test_the_best_derivation_is_the_best_of_all(random, system, reduces):
    for words in [1, 3]:
        nodes = words + 1
        scores = random.normal(size=(nodes, nodes))
        tables = {"shift": random.normal(size=(nodes, nodes))}
        for at, name in enumerate(reduces):
            if system == "attardi" and name.endswith("s2"):
                tables["s2"] = random.normal(size=(nodes, nodes))
            else:
                shape = [(), (nodes, nodes), (nodes, nodes, nodes + 1)][at % 3]
                tables[name] = random.normal(size=shape)

        def value(run):
            total = 0.0
            for name, front, arc, top in run:
                if name == "shift":
                    total += tables["shift"][top, front] if top is not None else 0.0
                else:
                    table = numpy.asarray(tables["s2"] if name.endswith("s2") else tables[name])
                    total += scores[arc] + float(table[(arc + (front,))[: table.ndim]])
            return total

        best = tanglewood.best_derivation(scores, tables, system)
        expected = max(runs(words, reduces), key=value)
        assert best.transitions == [step[0] for step in expected]
        assert best.score == pytest.approx(value(expected))
        assert score(scores, best.tree.heads) == pytest.approx(sum(scores[arc] for _, _, arc, _ in expected if arc))


def test_heads_ahead_have_tables():
    scores = numpy.zeros((5, 5))
    ahead = numpy.zeros((5, 5))
    ahead[4, 1] = 3
    best = tanglewood.best_derivation(scores, {"ahead>s0": ahead}, "mh4+")
    assert best.tree.heads[0] == 4 and best.score == 3
    near = tanglewood.best_derivation(scores, {"ahead>s0": ahead, "b0>s0": 5.0}, "mh4+")
    assert near.score == pytest.approx(15)


@pytest.mark.parametrize(
    "tables, message",
    [
        ({"s3>s0": 1.0}, "has no transition `s3>s0`"),
        ({"nonsense": 1.0}, "`nonsense` is not a transition"),
        ({"s1>s0": numpy.zeros(3)}, "s1>s0 has shape"),
        ({"s1>s0": numpy.full((3, 3), numpy.nan)}, "expected finite numbers"),
        ({"s0>s2": 1.0}, "one table for all heads: name it `s2`"),
        ({1: 1.0}, "no text"),
    ],
)
def test_wrong_tables(tables, message):
    with pytest.raises(ValueError, match=message):
        tanglewood.best_derivation(numpy.zeros((3, 3)), tables, "attardi")
