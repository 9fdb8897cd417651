"""The weight h of a match over the probability of its category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.base import Kernel
from ..data import Dataset
from ..kernels.categorical import DrawnOverlap, Overlap, ProbabilityOverlap
from ..protocols import errors_on_halves
from ..statistics import compare_settings
from ..stories import Question, View, filled, in_terms
from ..values.arrays import Array
from ..values.labels import HalvesErrors
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


def weight_errors(data: Dataset, heights: tuple[float, ...] | None = None) -> dict[str, HalvesErrors]:
    """Return the errors under k0, which counts all matches alike, under k1, and under a drawn weight, if any."""
    assert data.y is not None
    kernels: dict[str, Kernel] = {"k0": Overlap(), "k1": ProbabilityOverlap(alpha=1.0)}
    if heights is not None:
        kernels["drawn"] = DrawnOverlap(heights=heights)
    return {
        name: errors_on_halves(k, data.inputs, data.y, task=data.task or "auto", groups=data.groups)
        for name, k in kernels.items()
    }


def weights_sentence(errors: Mapping[str, HalvesErrors]) -> str:
    """Return the test error of the drawn weight, if there is one, and whether k1 is better than k0 on these rows.

    >>> k0, k1 = (HalvesErrors("classification", "error", tests, (), 0.5, 9, 9) for tests in ((0.1, 0.2), (0.2, 0.3)))
    >>> weights_sentence({"k0": k0, "k1": k1, "drawn": k0})
    'With this h the test error is 15%. h = 1 − P (k1) has 25%, significantly worse than equal weights (k0) with 15%.'
    """
    k0, k1 = errors["k0"], errors["k1"]
    drawn, has = "", "has a test error of"
    if "drawn" in errors:
        drawn, has = f"With this h the test error is {percent(errors['drawn'].test)}. ", "has"
    words = f"{drawn}h = 1 − P (k1) {has} {percent(k1.test)}, "
    if k0.tests == k1.tests:
        return f"{words}as do equal weights (k0)."
    found = compare_settings({"k0": k0.tests, "k1": k1.tests}, test_over_train=1.0)
    sure = "significantly" if found.worse else "not significantly"
    verdict = "as good as" if k1.test == k0.test else f"{sure} {'worse' if k1.test > k0.test else 'better'} than"
    return f"{words}{verdict} equal weights (k0) with {percent(k0.test)}."


def weight_words(question: Question, view: View, guess: Sequence[float | None] | None) -> str:
    """Return the test error on the rows of `view` under the drawn weight of a match, beside those of k0 and k1."""
    heights = None
    if guess is not None:
        drawn = np.interp(np.linspace(0.0, 1.0, len(question.values)), question.values, filled(guess))
        if not drawn.any():
            return "Under this h no two rows are similar."
        heights = tuple(drawn.tolist())
    data = view.scene().data
    return in_terms(weights_sentence(weight_errors(data, heights)), data)
