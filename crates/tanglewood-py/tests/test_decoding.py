"""Decoding: small sentences against all trees, one by one."""

import math

import numpy
import pytest
import tanglewood
from conftest import score, trees

SYSTEMS = ["any", "mh4+", "all-s0s1", "arc-standard"]


def members(words, system, direction="either", single_root=True):
    for heads in trees(words, single_root):
        if system in ("any", "mst") or tanglewood.Tree(heads).covered_by(system, direction):
            yield heads


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("dtype", [numpy.float32, numpy.float64])
def test_the_best_tree_is_the_best_of_all(random, system, single_root, dtype):
    for words in range(1, 5):
        scores = random.normal(size=(words + 1, words + 1)).astype(dtype)
        heads, best = tanglewood.decode(scores, system, single_root=single_root)
        expected = max(members(words, system, single_root=single_root), key=lambda tree: score(scores.astype(float), tree))
        assert heads.tolist() == expected
        assert heads.dtype == numpy.int64
        assert math.isclose(best, score(scores.astype(float), expected), rel_tol=1e-12, abs_tol=1e-12)


@pytest.mark.parametrize("system", SYSTEMS)
def test_k_best_are_the_first_of_all(random, system):
    scores = random.normal(size=(5, 5))
    heads, best = tanglewood.kbest(scores, 7, system)
    expected = sorted(members(4, system), key=lambda tree: -score(scores, tree))[:7]
    assert heads.tolist() == expected
    assert numpy.allclose(best, [score(scores, tree) for tree in expected])


def test_there_are_no_more_trees_than_there_are(random):
    scores = random.normal(size=(4, 4))
    heads, best = tanglewood.kbest(scores, 10**15, "any")
    assert heads.shape == (9, 3)
    batch, batch_scores = tanglewood.kbest(scores[None], 12, "any")
    assert batch[0, :9].tolist() == heads.tolist()
    assert (batch[0, 9:] == -1).all() and (batch_scores[0, 9:] == -numpy.inf).all()


@pytest.mark.parametrize("single_root", [True, False])
def test_sums_over_all_trees(random, single_root):
    scores = random.normal(size=(5, 5))
    weights = {tuple(tree): math.exp(score(scores, tree)) for tree in trees(4, single_root)}
    total = sum(weights.values())
    arguments = {"system": "mst", "single_root": single_root}
    assert math.isclose(tanglewood.log_partition(scores, **arguments), math.log(total))
    marginals = numpy.zeros((5, 5))
    for tree, weight in weights.items():
        for word, head in enumerate(tree, start=1):
            marginals[head, word] += weight / total
    assert numpy.allclose(tanglewood.marginals(scores, **arguments), marginals)
    entropy = -sum(weight / total * math.log(weight / total) for weight in weights.values())
    assert math.isclose(tanglewood.entropy(scores, **arguments), entropy)
    for tree, weight in weights.items():
        assert math.isclose(tanglewood.log_prob(scores, tree, **arguments), math.log(weight / total))


@pytest.mark.parametrize("system", ["mh3", "mh4+", "all"])
def test_marginals_are_the_derivative_of_the_log_partition(random, system):
    scores = random.normal(size=(5, 5))
    marginals = tanglewood.marginals(scores, system)
    for head in range(5):
        for word in range(1, 5):
            if head != word:
                step = numpy.zeros((5, 5))
                step[head, word] = 1e-5
                higher = tanglewood.log_partition(scores + step, system)
                lower = tanglewood.log_partition(scores - step, system)
                assert math.isclose(marginals[head, word], (higher - lower) / 2e-5, abs_tol=1e-8)


def test_probabilities_of_a_system_sum_to_one(random):
    scores = random.normal(size=(5, 5))
    total = sum(math.exp(tanglewood.log_prob(scores, tree, "all-s0s1")) for tree in trees(4))
    assert math.isclose(total, 1)


def test_samples_come_as_often_as_they_are_probable(random):
    scores = random.normal(size=(4, 4))
    for system in ["any", "mh3"]:
        drawn = tanglewood.sample(scores, 20_000, 3, system, "ltr")
        for tree in trees(3):
            expected = math.exp(tanglewood.log_prob(scores, tree, system, "ltr"))
            found = (drawn == tree).all(axis=1).mean()
            assert abs(found - expected) < 0.02
        assert (drawn == tanglewood.sample(scores, 20_000, 3, system, "ltr")).all()
        assert (drawn != tanglewood.sample(scores, 20_000, 4, system, "ltr")).any()


def test_a_batch_is_its_elements(random):
    lengths = [4, 1, 6, 3]
    scores = random.normal(size=(4, 7, 7))
    padded = scores.copy()
    for element, length in enumerate(lengths):
        padded[element, length + 1 :, :] = numpy.nan
        padded[element, :, length + 1 :] = numpy.nan
    for threads in [None, 1, 2, 7]:
        heads, best = tanglewood.decode(padded, lengths=lengths, threads=threads)
        marginals = tanglewood.marginals(padded, lengths=lengths, threads=threads)
        partitions = tanglewood.log_partition(padded, lengths=numpy.array(lengths, dtype=numpy.int32), threads=threads)
        probabilities = tanglewood.log_prob(padded, heads, lengths=lengths, threads=threads)
        drawn = tanglewood.sample(padded, 3, 5, lengths=lengths, threads=threads)
        assert heads.shape == (4, 6) and best.shape == (4,) and marginals.shape == (4, 7, 7) and drawn.shape == (4, 3, 6)
        for element, length in enumerate(lengths):
            one = scores[element, : length + 1, : length + 1]
            expected, expected_score = tanglewood.decode(one)
            assert heads[element, :length].tolist() == expected.tolist()
            assert (heads[element, length:] == -1).all() and (drawn[element, :, length:] == -1).all()
            assert best[element] == expected_score
            assert (marginals[element, : length + 1, : length + 1] == tanglewood.marginals(one)).all()
            assert marginals[element].sum() == pytest.approx(length)
            assert partitions[element] == tanglewood.log_partition(one)
            assert probabilities[element] == tanglewood.log_prob(one, expected)
    assert (tanglewood.sample(padded[0, :5, :5], 3, 5) == drawn[0, :, :4]).all()


def test_constraints(random):
    scores = random.normal(size=(5, 5))
    for head, word in [(0, 1), (3, 2), (4, 1)]:
        allowed = [tree for tree in members(4, "mh4+") if tree[word - 1] != head]
        heads, _ = tanglewood.decode(scores, forbidden=[(head, word)])
        assert heads.tolist() == max(allowed, key=lambda tree: score(scores, tree))
        having = [tree for tree in members(4, "mh4+") if tree[word - 1] == head]
        heads, _ = tanglewood.decode(scores, required=[(head, word)])
        assert heads.tolist() == max(having, key=lambda tree: score(scores, tree))
        mask = numpy.zeros((5, 5), dtype=bool)
        mask[head, word] = True
        assert tanglewood.decode(scores, required=mask)[0].tolist() == heads.tolist()
        marginals = tanglewood.marginals(scores, required=[(head, word)])
        assert marginals[head, word] == pytest.approx(1)
    batch = numpy.stack([scores, scores])
    heads, _ = tanglewood.decode(batch, forbidden=[[(0, 1), (0, 2), (0, 3)], None])
    assert heads[0, 3] == 0
    assert heads[1].tolist() == tanglewood.decode(scores)[0].tolist()
    with pytest.raises(ValueError, match="element 1 of the batch: required: word 2 cannot have both 1 and 3"):
        tanglewood.decode(batch, required=[[], [(1, 2), (3, 2)]])
    with pytest.raises(ValueError, match="forbidden: 5 → 2 is no arc"):
        tanglewood.decode(scores, forbidden=[(5, 2)])


def test_what_is_forbidden_is_not_there():
    scores = numpy.full((4, 4), -numpy.inf)
    scores[0, 1] = scores[1, 2] = scores[2, 3] = 1
    assert tanglewood.decode(scores)[0].tolist() == [0, 1, 2]
    scores[2, 3] = -numpy.inf
    for system in ["any", "mh4+"]:
        with pytest.raises(ValueError, match="^no tree"):
            tanglewood.decode(scores, system)
        with pytest.raises(ValueError, match="^element 0 of the batch: no tree"):
            tanglewood.marginals(scores[None], system)
        assert tanglewood.log_partition(scores, system) == -numpy.inf


def test_trees_as_trees_and_as_lists(random):
    scores = random.normal(size=(3, 4, 4))
    heads = [[0, 1, 2], [2, 0, 2], [3, 3, 0]]
    as_lists = tanglewood.log_prob(scores, heads, "any")
    assert (tanglewood.log_prob(scores, numpy.array(heads), "any") == as_lists).all()
    assert (tanglewood.log_prob(scores, [tanglewood.Tree(tree) for tree in heads], "any") == as_lists).all()
    with pytest.raises(ValueError, match="element 2 of the batch: the heads form a cycle"):
        tanglewood.log_prob(scores, heads[:2] + [[2, 1, 0]], "any")
    with pytest.raises(ValueError, match="2 trees; expected 3"):
        tanglewood.log_prob(scores, heads[:2], "any")
    with pytest.raises(ValueError, match="a tree of 2 words; expected 3"):
        tanglewood.log_prob(scores[0], tanglewood.Tree([0, 1]), "any")


def test_the_memory_that_charts_may_take(random):
    scores = random.normal(size=(121, 121))
    with pytest.raises(ValueError, match="limit"):
        tanglewood.marginals(scores, "mh4+", max_memory=1000)
    assert tanglewood.marginals(scores, "any", max_memory=1000).shape == (121, 121)
    with pytest.raises(ValueError, match="ask for fewer trees"):
        tanglewood.sample(scores, 10**12)
    with pytest.raises(ValueError, match="ask for fewer trees"):
        tanglewood.kbest(scores[None], 10**12)


def test_names_are_suggested():
    with pytest.raises(ValueError, match="did you mean `arc-standard`"):
        tanglewood.decode(numpy.zeros((3, 3)), "arc-standart")
    with pytest.raises(ValueError, match="lists the names, and `any` stands for all trees"):
        tanglewood.decode(numpy.zeros((3, 3)), "?")
    with pytest.raises(ValueError, match="expected ltr, rtl or either"):
        tanglewood.decode(numpy.zeros((3, 3)), direction="left")


def test_any_number_of_systems():
    scores = numpy.zeros((3, 3))
    for number in range(300):
        slots = [f"s{place}>s0" for place in range(1, 9) if number >> (place - 1) & 1]
        heads, _ = tanglewood.decode(scores, " ".join(["s1>s0", "s0>s1", "b0>s0"] + slots))
        assert len(heads) == 2
