"""What the spread over overlapping splits allows to be said: the corrected resampled t."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy.stats
from numpy.typing import ArrayLike

from .errors import DataError, ParameterError
from .values.arrays import Array

__all__ = [
    "Band",
    "Difference",
    "NotSeparable",
    "confidence_band",
    "not_separable_from_best",
    "paired_difference",
    "rank_correlation",
]


@dataclass(frozen=True)
class Band:
    """`mean` of the splits, `low` and `high` at `level`, `standard_error` (corrected), `count` splits."""

    mean: float
    low: float
    high: float
    standard_error: float
    count: int
    level: float


@dataclass(frozen=True)
class Difference(Band):
    """A band about the mean of a − b, with `t` and the two-sided `p_value` of no difference."""

    t: float
    p_value: float

    @property
    def separable(self) -> bool:
        """Whether the difference is significant at 1 − level."""
        return self.p_value < 1 - self.level


@dataclass(frozen=True)
class NotSeparable:
    """`best` setting, and `names` of the settings that the splits cannot tell from it, best first.

    `differences` gives, per setting, its paired difference from the best.
    """

    best: str
    names: tuple[str, ...]
    differences: dict[str, Difference]


def confidence_band(values: ArrayLike, test_over_train: float, level: float = 0.95) -> Band:
    r"""Mean over splits with a band that knows that the splits share rows.

    .. math:: \bar v \pm t_{J-1}\sqrt{\Big(\frac1J + \frac{n_{test}}{n_{train}}\Big)\hat\sigma^2}

    Parameters: `values` (J,) one per split; `test_over_train` n_test/n_train ≥ 0, a protocol's
    property of that name; `level` 0…1. With one split, or values that are all equal, the band is
    (−inf, inf) or of no width.
    Raises DataError for values that are not a finite vector, ParameterError for the others.
    Reference: Nadeau and Bengio, Machine Learning 52, 2003, equation 9.

    >>> band = confidence_band([0.1, 0.2, 0.3], test_over_train=1.0)
    >>> round(band.mean, 6), round(band.standard_error, 6)
    (0.2, 0.11547)
    """
    splits = _splits(values, "confidence_band")
    mean, error, half = _spread(splits, test_over_train, level, "confidence_band")
    return Band(mean, mean - half, mean + half, error, len(splits), level)


def paired_difference(a: ArrayLike, b: ArrayLike, test_over_train: float, level: float = 0.95) -> Difference:
    r"""a − b over the same splits: t = mean / √((1/J + n_test/n_train) σ̂²), J − 1 degrees of freedom.

    Parameters: `a`, `b` (J,) values on the same splits, in the same order; the others as in
    `confidence_band`. When all differences are equal, p is 0, or 1 if they are zero.
    Raises DataError for lengths that differ.
    Reference: Nadeau and Bengio, Machine Learning 52, 2003.

    >>> paired_difference([0.3, 0.4, 0.35], [0.1, 0.2, 0.15], test_over_train=1.0).separable
    True
    """
    first, second = _splits(a, "paired_difference"), _splits(b, "paired_difference")
    if len(first) != len(second):
        raise DataError(
            f"paired_difference: a and b must have one value for each split; got {len(first)} and {len(second)}. "
            "Measure both on the same splits."
        )
    difference = first - second
    # Equal values on every split may differ in the last digit of their subtraction.
    difference[np.abs(difference) <= 1e-14 * np.maximum(np.abs(first), np.abs(second))] = 0.0
    mean, error, half = _spread(difference, test_over_train, level, "paired_difference")
    if len(difference) == 1:
        t, p = math.nan, 1.0
    elif error <= 1e-14 * abs(mean):
        t = math.copysign(math.inf, mean) if mean else 0.0
        p = 0.0 if mean else 1.0
    else:
        t = mean / error
        p = 2 * float(scipy.stats.t.sf(abs(t), len(difference) - 1))
    return Difference(mean, mean - half, mean + half, error, len(difference), level, t, p)


def not_separable_from_best(
    table: Mapping[str, ArrayLike],
    test_over_train: float,
    lower_is_better: bool = True,
    level: float = 0.95,
) -> NotSeparable:
    """The settings whose paired difference from the best one is not significant, the best among them.

    No correction for the number of settings is made: the list errs on the side of being short.

    Parameters: `table` setting name → (J,) values on the same splits; the others as above.
    Raises DataError for an empty table or lengths that differ.

    >>> table = {"C=1": [0.1, 0.2, 0.1], "C=9": [0.1, 0.1, 0.2], "C=0": [0.5, 0.6, 0.5]}
    >>> not_separable_from_best(table, test_over_train=0.5).names
    ('C=1', 'C=9')
    """
    if not table:
        raise DataError("not_separable_from_best: table must have at least one setting; got none. Run a sweep first.")
    rows = {name: _splits(values, f"not_separable_from_best, {name}") for name, values in table.items()}
    sign = 1.0 if lower_is_better else -1.0
    ranked = sorted(rows, key=lambda name: sign * float(rows[name].mean()))
    best = ranked[0]
    differences = {name: paired_difference(rows[name], rows[best], test_over_train, level) for name in rows}
    names = tuple(name for name in ranked if not differences[name].separable)
    return NotSeparable(best, names, differences)


def rank_correlation(a: ArrayLike, b: ArrayLike) -> float:
    """Spearman's rank correlation, −1…1; nan for fewer than two pairs or a constant.

    Pairs with a nan are left out. Parameters: `a`, `b` (n,). Raises DataError for lengths that differ.

    >>> rank_correlation([1, 2, 3], [10, 20, 400])
    1.0
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.ndim != 1 or first.shape != second.shape:
        raise DataError(
            f"rank_correlation: a and b must be vectors of one length; got shapes {first.shape} and {second.shape}. "
            "Pass one pair per setting."
        )
    known = ~(np.isnan(first) | np.isnan(second))
    first, second = first[known], second[known]
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return math.nan
    # The last digit of a perfect agreement is rounding.
    return round(float(scipy.stats.spearmanr(first, second).statistic), 15)


def _splits(values: ArrayLike, owner: str) -> Array:
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1 or not len(found) or not np.isfinite(found).all():
        raise DataError(
            f"{owner}: values must be one finite number per split; got shape {found.shape} with "
            f"{int((~np.isfinite(found)).sum())} not finite. Leave failed splits out of every setting."
        )
    return found


def _spread(values: Array, test_over_train: float, level: float, owner: str) -> tuple[float, float, float]:
    """Mean, corrected standard error and half the band's width."""
    if not test_over_train >= 0 or math.isinf(test_over_train):
        raise ParameterError(
            f"{owner}: test_over_train must be a finite number with 0 <= n_test/n_train; got {test_over_train!r}. "
            "Try protocol.test_over_train."
        )
    if not 0 < level < 1:
        raise ParameterError(f"{owner}: level must be a number with 0 < level < 1; got {level!r}. Try level=0.95.")
    mean, count = float(values.mean()), len(values)
    if count == 1:
        return mean, math.inf, math.inf
    error = math.sqrt((1 / count + test_over_train) * float(values.var(ddof=1)))
    return mean, error, float(scipy.stats.t.ppf(0.5 + level / 2, count - 1)) * error
