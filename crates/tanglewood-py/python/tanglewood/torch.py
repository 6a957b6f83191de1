"""Training with exact non-projective inference: autograd over the sums of Tanglewood.

All functions take scores as ``decode`` does, as tensors: ``scores[head, dependent]`` for one sentence, ``scores[b, head, dependent]`` for a padded batch with
``lengths``. Gradients are exact: the derivative of the log partition function is the matrix of marginals. Inference is done on the CPU, with all cores over a
batch; tensors may be anywhere, and results are where the scores are.

>>> import torch, tanglewood.torch
>>> scores = torch.zeros(2, 4, 4, requires_grad=True)
>>> gold = torch.tensor([[2, 0, 2], [0, 1, -1]])
>>> loss = tanglewood.torch.nll_loss(scores, gold, lengths=[3, 2], system="any")
>>> loss.backward()
>>> scores.grad[1, 0, 1:3].tolist()    # 0 -> 1 is in the tree, 0 -> 2 is not; both are as likely
[-0.25, 0.25]

Sums over the trees of a system are over its derivations, unless ``tanglewood.sums_over`` says otherwise; with ``system="any"`` they are over all trees.
"""

import numpy
import torch
from torch.autograd.function import once_differentiable

from . import _tanglewood

__all__ = ["decode", "hinge_loss", "log_partition", "log_prob", "marginals", "nll_loss", "perceptron_loss"]


def _array(tensor):
    """A tensor as an array, without a copy where it is on the CPU already."""
    tensor = tensor.detach()
    if tensor.dtype not in (torch.float32, torch.float64):
        tensor = tensor.float()
    return tensor.cpu().numpy()


def _lengths(lengths):
    return lengths.tolist() if isinstance(lengths, torch.Tensor) else lengths


def _heads(heads):
    """Heads as rows of integers; an array of them if it is one."""
    return heads.detach().cpu().numpy() if isinstance(heads, torch.Tensor) else heads


def _arcs(like, heads):
    """An array in the shape of the scores with 1 for each arc of the trees."""
    arcs = numpy.zeros(like.shape, dtype=like.dtype)
    if like.ndim == 2:
        batch, rows = arcs[None], [heads]
    else:
        batch, rows = arcs, heads
    for matrix, row in zip(batch, rows):
        row = numpy.asarray(getattr(row, "heads", row), dtype=numpy.int64)
        words = numpy.flatnonzero(row >= 0)
        matrix[row[words], words + 1] = 1
    return arcs


def _check_trees(like, heads, lengths):
    """A ValueError if these are not trees of the right lengths."""
    one = like.ndim == 2
    rows = [heads] if one else list(heads)
    lengths = numpy.broadcast_to(like.shape[-1] - 1 if lengths is None else lengths, 1 if one else like.shape[0]).tolist()
    if len(rows) != len(lengths):
        raise ValueError(f"{len(rows)} trees; expected {len(lengths)}, one for each matrix")
    for element, (row, length) in enumerate(zip(rows, lengths)):
        row = list(getattr(row, "heads", row))
        where = "" if one else f"element {element} of the batch: "
        if len(row) < length or any(head >= 0 for head in row[length:]):
            raise ValueError(f"{where}{len(row)} heads; expected {length}, and -1 after them")
        try:
            _tanglewood.Tree(row[:length])
        except ValueError as error:
            raise ValueError(f"{where}{error}") from None


def _per_sentence(gradient, of_each):
    """The gradient of each sentence times that of its scores."""
    return gradient.reshape(gradient.shape + (1, 1)) * of_each


class _LogPartition(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, options):
        array = _array(scores)
        if ctx.needs_input_grad[0]:
            value, marginals = _tanglewood.log_partition_and_marginals(array, **options)
            ctx.save_for_backward(torch.from_numpy(marginals).to(scores))
        else:
            value = _tanglewood.log_partition(array, **options)
        return torch.as_tensor(value, dtype=scores.dtype, device=scores.device)

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient):
        (marginals,) = ctx.saved_tensors
        return _per_sentence(gradient, marginals), None


class _LogProb(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, heads, options):
        array = _array(scores)
        value = numpy.asarray(_tanglewood.log_prob(array, heads, **options))
        if ctx.needs_input_grad[0]:
            difference = _arcs(array, heads) - _tanglewood.marginals(array, **options)
            # What is impossible stays so whatever the scores are.
            difference[value == -numpy.inf] = 0
            ctx.save_for_backward(torch.from_numpy(difference).to(scores))
        return torch.as_tensor(value, dtype=scores.dtype, device=scores.device)

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient):
        (difference,) = ctx.saved_tensors
        return _per_sentence(gradient, difference), None, None


def _options(system, direction, single_root, lengths, threads, max_memory):
    return {
        "system": system,
        "direction": direction,
        "single_root": single_root,
        "lengths": _lengths(lengths),
        "threads": threads,
        "max_memory": max_memory,
    }


def log_partition(scores, system="mh4+", direction="either", single_root=True, *, lengths=None, threads=None, max_memory=None):
    """The logarithm of the sum of exp(score) over all derivations, or trees. Its derivative is the matrix of marginals.

    >>> import torch, tanglewood.torch
    >>> scores = torch.zeros(3, 3, requires_grad=True)
    >>> tanglewood.torch.log_partition(scores, "any").backward()
    >>> scores.grad.tolist()
    [[0.0, 0.5, 0.5], [0.0, 0.0, 0.5], [0.0, 0.5, 0.0]]
    """
    return _LogPartition.apply(scores, _options(system, direction, single_root, lengths, threads, max_memory))


def log_prob(scores, heads, system="mh4+", direction="either", single_root=True, *, lengths=None, threads=None, max_memory=None):
    """The logarithm of the probability of each tree, all its derivations together; -inf, with a gradient of 0, for one that the system cannot build.

    ``heads`` has the head of each word, and -1 in the padding, as ``decode`` gives it; or is a list of ``Tree``.
    """
    options = _options(system, direction, single_root, lengths, threads, max_memory)
    return _LogProb.apply(scores, _heads(heads), options)


def _reduced(losses, reduction):
    if reduction == "mean":
        return losses.mean()
    if reduction == "sum":
        return losses.sum()
    if reduction == "none":
        return losses
    raise ValueError(f"`{reduction}` is not a reduction; expected mean, sum or none")


def nll_loss(
    scores, heads, system="mh4+", direction="either", single_root=True, *, lengths=None, reduction="mean", uncovered="raise", threads=None, max_memory=None
):
    """The negative logarithm of the trees' probability: global training with exact inference.

    A tree that the system cannot build has no probability. ``uncovered="raise"`` is a ValueError that says which one it is; ``"zero"`` leaves it out: its loss
    and its gradient are 0. ``system="any"`` can build all trees.
    """
    if uncovered not in ("raise", "zero"):
        raise ValueError(f"`{uncovered}` is not what to do with uncovered trees; expected raise or zero")
    losses = -log_prob(scores, heads, system, direction, single_root, lengths=lengths, threads=threads, max_memory=max_memory)
    impossible = torch.isinf(losses.detach())
    if uncovered == "raise" and bool(impossible.any()):
        which = "the tree" if losses.dim() == 0 else f"element {int(impossible.nonzero()[0])} of the batch: the tree"
        message = f"{which} has no derivation in `{system}`, read {direction}, with these scores; choose a system with a larger class of trees such as"
        raise ValueError(f'{message} `any`, or leave such trees out with uncovered="zero"')
    return _reduced(torch.where(impossible, torch.zeros_like(losses), losses), reduction)


def _score(scores, arcs):
    """The score of trees: only their own arcs are added, since others may be -inf."""
    own = torch.where(arcs > 0, scores, torch.zeros_like(scores))
    return own.sum(dim=(-1, -2))


def hinge_loss(
    scores,
    heads,
    system="mh4+",
    direction="either",
    single_root=True,
    *,
    lengths=None,
    cost=1.0,
    reduction="mean",
    threads=None,
    max_memory=None,
):
    """The structured hinge loss: by how much the best tree, each wrong arc counted ``cost`` more, is better than the right one; not below 0.

    >>> import torch, tanglewood.torch
    >>> scores = torch.zeros(3, 3, requires_grad=True)
    >>> tanglewood.torch.hinge_loss(scores, [2, 0]).item()
    2.0
    """
    options = _options(system, direction, single_root, lengths, threads, max_memory)
    array = _array(scores)
    heads = _heads(heads)
    _check_trees(array, heads, options["lengths"])
    gold = _arcs(array, heads)
    best, _ = _tanglewood.decode(array + cost * (1 - gold), **options)
    found = _arcs(array, best)
    wrong = torch.from_numpy(numpy.asarray((found * (1 - gold)).sum(axis=(-1, -2)))).to(scores)
    gold, found = torch.from_numpy(gold).to(scores), torch.from_numpy(found).to(scores)
    # A gold tree outside of the class can be better than all in it.
    losses = torch.clamp(_score(scores, found) + cost * wrong - _score(scores, gold), min=0)
    return _reduced(losses, reduction)


def perceptron_loss(
    scores, heads, system="mh4+", direction="either", single_root=True, *, lengths=None, reduction="mean", threads=None, max_memory=None
):
    """The loss of the structured perceptron: by how much the best tree is better than the right one."""
    return hinge_loss(
        scores,
        heads,
        system,
        direction,
        single_root,
        lengths=lengths,
        cost=0.0,
        reduction=reduction,
        threads=threads,
        max_memory=max_memory,
    )


def marginals(scores, system="mh4+", direction="either", single_root=True, *, lengths=None, threads=None, max_memory=None):
    """The probability of each arc, as a tensor without gradient."""
    options = _options(system, direction, single_root, lengths, threads, max_memory)
    return torch.from_numpy(_tanglewood.marginals(_array(scores), **options)).to(scores)


def decode(scores, system="mh4+", direction="either", single_root=True, *, lengths=None, threads=None, max_memory=None):
    """The heads of the best tree, or of each of a batch, as a tensor of integers, with -1 in the padding."""
    options = _options(system, direction, single_root, lengths, threads, max_memory)
    heads, _ = _tanglewood.decode(_array(scores), **options)
    return torch.from_numpy(heads).to(scores.device)
