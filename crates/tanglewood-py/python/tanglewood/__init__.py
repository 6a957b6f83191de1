"""Dependency parsing where arcs cross.

Exact inference for matrices of arc scores, over all trees or over those that a transition system can build:

>>> import numpy, tanglewood
>>> scores = numpy.array([[0, 1, 2, 9, 0], [0, 0, 1, 1, 0], [0, 2, 0, 1, 0], [0, 8, 0, 0, 7], [0, 0, 6, 5, 0]], dtype=float)
>>> heads, score = tanglewood.decode(scores)
>>> heads.tolist(), score
([3, 4, 0, 3], 30.0)
>>> tanglewood.Tree(heads).crossing_arcs()
[(3, 1), (4, 2), (0, 3)]

``decode``, ``kbest``, ``marginals``, ``log_partition``, ``log_prob``, ``entropy`` and ``sample`` take one matrix or a padded batch. ``best_derivation`` takes
scores of transitions. ``read_conllu``, ``Sentence``, ``Tree``, ``coverage``, ``oracle``, ``evaluate`` and ``calibration`` are about treebanks, ``Parser`` is a trained model,
``Grammar`` a generative one.
``tanglewood.torch``, which is imported only if asked for, trains neural parsers with these sums.
"""

from ._tanglewood import (
    Derivation,
    Document,
    Grammar,
    Parser,
    Sentence,
    Token,
    Tree,
    best_derivation,
    calibration,
    coverage,
    decode,
    entropy,
    evaluate,
    kbest,
    log_partition,
    log_partition_and_marginals,
    log_prob,
    marginals,
    models,
    oracle,
    read_conllu,
    sample,
    sample_treebank,
    sums_over,
    systems,
    write_conllu,
)
from ._tanglewood import __version__

__all__ = [
    "Derivation",
    "Document",
    "Grammar",
    "Parser",
    "Sentence",
    "Token",
    "Tree",
    "best_derivation",
    "calibration",
    "coverage",
    "decode",
    "entropy",
    "evaluate",
    "kbest",
    "log_partition",
    "log_partition_and_marginals",
    "log_prob",
    "marginals",
    "models",
    "oracle",
    "read_conllu",
    "sample",
    "sample_treebank",
    "sums_over",
    "systems",
    "write_conllu",
]
