"""Gradients against finite differences. Needs PyTorch: `cargo xtask test --torch` installs it."""

import math
import pathlib
import runpy
import sys

import numpy
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed; `cargo xtask test --torch` installs it")

import tanglewood  # noqa: E402
import tanglewood.torch  # noqa: E402
from conftest import score, trees  # noqa: E402
from test_documentation import run_examples  # noqa: E402

LENGTHS = [4, 2, 3]


def batch(seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(3, 5, 5, dtype=torch.float64, generator=generator, requires_grad=True)


def gold(scores, system="mh4+"):
    # Not the best trees: those of other scores.
    return tanglewood.torch.decode(batch(7), system, lengths=LENGTHS)


@pytest.mark.parametrize("system", ["any", "mh3", "mh4+", "all-s0s1"])
def test_the_gradient_of_the_log_partition_is_that_of_finite_differences(system):
    scores = batch()
    assert torch.autograd.gradcheck(lambda x: tanglewood.torch.log_partition(x, system, lengths=LENGTHS), (scores,))
    assert torch.autograd.gradcheck(lambda x: tanglewood.torch.log_partition(x, system), (scores[0].detach().requires_grad_(),))
    total = tanglewood.torch.log_partition(scores, system, lengths=torch.tensor(LENGTHS)).sum()
    (gradient,) = torch.autograd.grad(total, scores)
    assert torch.equal(gradient, tanglewood.torch.marginals(scores, system, lengths=LENGTHS))


@pytest.mark.parametrize("system", ["any", "mh4+"])
def test_the_gradient_of_log_probabilities_is_that_of_finite_differences(system):
    scores = batch()
    heads = gold(scores)
    assert torch.autograd.gradcheck(lambda x: tanglewood.torch.log_prob(x, heads, system, lengths=LENGTHS), (scores,))
    assert torch.autograd.gradcheck(lambda x: tanglewood.torch.nll_loss(x, heads, system, lengths=LENGTHS, reduction="sum"), (scores,))


@pytest.mark.parametrize("system", ["any", "mh4+"])
@pytest.mark.parametrize("cost", [0.0, 1.0])
def test_the_gradient_of_the_hinge_loss_is_that_of_finite_differences(system, cost):
    scores = batch()
    heads = gold(scores)
    assert torch.autograd.gradcheck(lambda x: tanglewood.torch.hinge_loss(x, heads, system, lengths=LENGTHS, cost=cost), (scores,))


def test_losses_are_what_they_say():
    scores = batch()[0].detach()
    array = scores.numpy()
    heads = [2, 0, 2, 3]
    total = math.log(sum(math.exp(score(array, tree)) for tree in trees(4)))
    assert math.isclose(tanglewood.torch.nll_loss(scores, heads, "any").item(), total - score(array, heads))
    wrong = lambda tree: sum(a != b for a, b in zip(tree, heads))  # noqa: E731
    margin = max(score(array, tree) + 2 * wrong(tree) for tree in trees(4)) - score(array, heads)
    assert math.isclose(tanglewood.torch.hinge_loss(scores, heads, "any", cost=2.0).item(), margin)
    best = max(score(array, tree) for tree in trees(4)) - score(array, heads)
    assert math.isclose(tanglewood.torch.perceptron_loss(scores, heads, "any").item(), best)
    assert tanglewood.torch.perceptron_loss(scores, tanglewood.torch.decode(scores)).item() == 0


def test_forbidden_arcs_have_no_gradient():
    scores = torch.zeros(4, 4)
    scores[1, 2] = -math.inf
    scores.requires_grad_()
    tanglewood.torch.nll_loss(scores, [2, 0, 2]).backward()
    assert torch.isfinite(scores.grad).all() and scores.grad[1, 2] == 0
    scores.grad = None
    tanglewood.torch.hinge_loss(scores, [2, 0, 2]).backward()
    assert torch.isfinite(scores.grad).all() and scores.grad[1, 2] == 0


def test_trees_that_the_system_cannot_build():
    scores = torch.zeros(2, 5, 5, requires_grad=True)
    heads = torch.tensor([[3, 3, 0, 3], [3, 4, 0, 3]])
    with pytest.raises(ValueError, match="element 1 of the batch: the tree has no derivation in `arc-standard`"):
        tanglewood.torch.nll_loss(scores, heads, "arc-standard")
    loss = tanglewood.torch.nll_loss(scores, heads, "arc-standard", reduction="none", uncovered="zero")
    assert loss[0] > 0 and loss[1] == 0
    loss.sum().backward()
    assert scores.grad[0].abs().sum() > 0 and scores.grad[1].abs().sum() == 0
    for wrong, message in [
        ([[0, 1, 1, 1], [2, 1, 0, 3]], "element 1 of the batch: the heads form a cycle"),
        ([[0, 1, 1, 1]], "1 trees; expected 2"),
        ([[0, 1, 1], [0, 1, 1]], "element 0 of the batch: 3 heads; expected 4"),
        ([[0, 1, 1, 9], [0, 1, 1, 1]], "element 0 of the batch: word 4 has head 9"),
    ]:
        for loss in [tanglewood.torch.hinge_loss, tanglewood.torch.nll_loss]:
            with pytest.raises(ValueError, match=message):
                loss(scores, torch.tensor(wrong))


def test_types_and_reductions():
    scores = batch().float()
    loss = tanglewood.torch.nll_loss(scores, gold(scores), lengths=LENGTHS, reduction="none")
    assert loss.dtype == torch.float32 and loss.shape == (3,)
    assert torch.allclose(loss.mean(), tanglewood.torch.nll_loss(scores, gold(scores), lengths=LENGTHS))
    half = torch.zeros(3, 3, dtype=torch.float16, requires_grad=True)
    tanglewood.torch.log_partition(half, "any").backward()
    assert half.grad.dtype == torch.float16
    assert numpy.asarray(tanglewood.torch.decode(scores.detach(), lengths=LENGTHS)).dtype == numpy.int64
    with pytest.raises(ValueError, match="expected mean, sum or none"):
        tanglewood.torch.nll_loss(scores, gold(scores), lengths=LENGTHS, reduction="nonsense")


def test_examples_run(monkeypatch, capsys, tmp_path):
    for name in ["__doc__"] + tanglewood.torch.__all__:
        text = tanglewood.torch.__doc__ if name == "__doc__" else getattr(tanglewood.torch, name).__doc__
        assert text, name
        run_examples(name, text)
    script = pathlib.Path(__file__).resolve().parents[1] / "examples" / "train_with_torch.py"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(script)])
    runpy.run_path(str(script), run_name="__main__")
    losses = [float(line.split("loss")[1].split(",")[0]) for line in capsys.readouterr().out.splitlines() if "loss" in line]
    assert len(losses) > 2 and losses[-1] < losses[0] / 2
