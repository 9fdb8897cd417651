"""The weight h of a match over the probability of its category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..data import Dataset
from ..kernels.categorical import DrawnOverlap, Overlap, ProbabilityOverlap
from ..protocols import errors_on_halves
from ..stories import Question, View, filled
from ..values.arrays import Array
from ..values.words import percent
from .entries import POINTS

#: Weights to begin with.
NAMED: dict[str, Callable[[Any], Any]] = {
    "all equal": np.ones_like,
    "1 − P": lambda p: 1 - p,
    "rare only": lambda p: (1 - p) ** 4,
    "common": lambda p: p,
}
#: Places of a drawn weight: probabilities from 0 to 1.
PLACES = np.linspace(0.0, 1.0, POINTS)


def named_weights() -> dict[str, tuple[float, ...]]:
    """Return the heights of the weights to begin with."""
    return {name: tuple(weight(PLACES).round(4).tolist()) for name, weight in NAMED.items()}


def category_probabilities(data: Dataset) -> Array:
    """Return the share of rows of each category of each column."""
    columns = np.asarray(data.inputs, dtype=object).T
    return np.array([count / data.n for column in columns for count in Counter(map(str, column)).values()])


def weight_errors(data: Dataset, heights: tuple[float, ...]) -> dict[str, float]:
    """Return the test errors under the drawn weight, under k0, which counts all matches alike, and under k1."""
    assert data.y is not None
    kernels = {"drawn": DrawnOverlap(heights=heights), "k0": Overlap(), "k1": ProbabilityOverlap(alpha=1.0)}
    return {
        name: errors_on_halves(k, data.inputs, data.y, task=data.task or "auto", groups=data.groups).test
        for name, k in kernels.items()
    }


def weights_sentence(errors: dict[str, float]) -> str:
    """Return the test error of the drawn weight beside those of the source's kernels.

    >>> weights_sentence({"drawn": 0.1, "k0": 0.2, "k1": 0.1})
    'With this h the test error is 10%. Equal weights (k0) have 20%, and h = 1 − P (k1) has 10%.'
    """
    drawn, k0, k1 = (percent(errors[name]) for name in ("drawn", "k0", "k1"))
    return f"With this h the test error is {drawn}. Equal weights (k0) have {k0}, and h = 1 − P (k1) has {k1}."


def weight_words(question: Question, view: View, guess: Sequence[float | None]) -> str:
    """Return the test error on the rows of `view` under the drawn weight of a match, beside those of k0 and k1."""
    heights = np.interp(np.linspace(0.0, 1.0, len(question.values)), question.values, filled(guess))
    if not heights.any():
        return "Under this h no two rows are similar."
    return weights_sentence(weight_errors(view.scene().data, tuple(heights.tolist())))
