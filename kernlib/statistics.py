"""Intervals and tests for scores on overlapping splits: the corrected resampled t, for one value and for several."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from .errors import DataError, ParameterError
from .values.arrays import Array

#: Draws from which the optimism of the best value is averaged, and their seed.
_DRAWS, _SEED = 1000, 0
#: Level of the intervals of shares and of the best value.
_LEVEL = 0.95


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
        """Return whether the difference is significant at 1 − level."""
        return self.p_value < 1 - self.level

    @property
    def within_one_error(self) -> bool:
        """Return whether a − b is at most its standard error: where b is the best and low is good, a is as good as b.

        Few splits let settings tie that differ by ten points: to tie is not enough.
        Reference: the one-standard-error rule of Breiman, Friedman, Olshen and Stone, 1984, section 3.4.3, here with
        the standard error of the paired difference.
        """
        return self.mean <= self.standard_error

    def reversed(self) -> Difference:
        """Return the difference b − a."""
        return replace(self, mean=-self.mean, low=-self.high, high=-self.low, t=-self.t)


@dataclass(frozen=True)
class Comparison:
    """Settings measured on the same splits: all that a sentence, a star, a hollow point or a band may state.

    `best` has the best mean; `worse` are significantly worse than it; `tied` are the others, the best first and among
    them; `as_good` those within one standard error of the best, of which the simplest is proposed; `bands` the mean of
    each setting with its interval; `differences` that of each setting from the best, corrected for the number of
    settings.
    """

    best: str
    worse: tuple[str, ...]
    tied: tuple[str, ...]
    as_good: tuple[str, ...]
    bands: dict[str, Band]
    differences: dict[str, Difference]


def confidence_band(values: ArrayLike, test_over_train: float, level: float = 0.95) -> Band:
    r"""Return the mean over splits with a confidence band that allows for the rows that splits share.

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


def mean_share(losses: ArrayLike, owners: ArrayLike | None = None, widened: float = 1.0) -> Band:
    r"""Return the mean of losses in 0…1 with Wilson's interval, which stays in 0…1 and never has width 0.

    .. math:: \frac{p + z^2/2m \pm z\sqrt{p(1-p)/m + z^2/4m^2}}{1 + z^2/m},\quad m = \frac{p(1-p)}{w\,se^2}

    m is the number of independent rows with the same variance: that of rows of one owner is the variance of their sums.

    Parameters: `losses` (n,); `owners` (n,) the group of each row, None where rows are independent; `widened` w ≥ 1
    multiplies the variance, for rows that were tested by machines that share training rows.
    Raises as `confidence_band`.
    Reference: Wilson, Journal of the American Statistical Association 22, 1927.

    >>> band = mean_share([0.0] * 40)
    >>> band.mean, band.low, round(band.high, 3)
    (0.0, 0.0, 0.088)
    """
    values = _splits(losses, "mean_share")
    mean = float(values.mean())
    variance, count = _variance_of_mean(values - mean, owners)
    independent = mean * (1 - mean) / variance if variance > 0 and 0 < mean < 1 else float(count)
    return share_interval(mean, min(independent, count) / widened, len(values))


def share_interval(mean: float, independent: float, count: int) -> Band:
    """Return Wilson's interval of a share of so many `independent` rows; parameters as in `mean_share`."""
    from scipy.special import ndtri

    z2 = float(ndtri((1 + _LEVEL) / 2)) ** 2
    scale = 1 + z2 / independent
    centre = (mean + z2 / (2 * independent)) / scale
    variance = max(0.0, mean * (1 - mean)) / independent
    half = math.sqrt(z2 * variance + (z2 / (2 * independent)) ** 2) / scale
    low, high = min(mean, max(0.0, centre - half)), max(mean, min(1.0, centre + half))
    return Band(mean, low if low > 1e-12 else 0.0, high, math.sqrt(variance), count, _LEVEL)


def unexplained_share(
    losses: ArrayLike, squares: ArrayLike, owners: ArrayLike | None = None, widened: float = 1.0
) -> Band:
    r"""Return mean loss over mean square, the unexplained variance r, with an interval on a logarithmic scale.

    .. math:: r \exp\Big(\pm t\,\frac{\sqrt{w}\,se}{r}\Big),\quad
        se = \frac1n \sqrt{\sum_i u_i^2},\ u_i = \frac{l_i - r s_i}{\bar s}

    Parameters: `losses` l (n,) ≥ 0; `squares` s (n,) of the targets about their mean; the others as in `mean_share`.
    Raises as `confidence_band`.

    >>> band = unexplained_share([1.0, 2.0, 3.0, 2.0], [8.0, 8.0, 8.0, 8.0])
    >>> band.mean, 0 < band.low < 0.25 < band.high
    (0.25, True)
    """
    values, whole = _splits(losses, "unexplained_share"), _splits(squares, "unexplained_share")
    scale = float(whole.mean())
    if scale <= 0:
        raise DataError(
            "unexplained_share: expected targets with two different values; got equal ones. Use other rows."
        )
    mean = float(values.mean()) / scale
    variance, count = _variance_of_mean((values - mean * whole) / scale, owners)
    return log_interval(mean, math.sqrt(widened * variance), count)


def log_interval(mean: float, error: float, count: int) -> Band:
    """Return the interval mean · exp(± t error / mean) of a positive mean over `count` independent values."""
    if mean <= 0 or count < 2:
        return Band(mean, 0.0, mean if count > 1 else math.inf, error, count, _LEVEL)
    factor = math.exp(min(700.0, _quantile(count, 1 - _LEVEL) * error / mean))
    return Band(mean, mean / factor, mean * factor, error, count, _LEVEL)


def _variance_of_mean(deviations: Array, owners: ArrayLike | None) -> tuple[float, int]:
    """Return the variance of the mean of deviations from it, and the number of independent owners."""
    sums = deviations
    if owners is not None:
        _, codes = np.unique(np.asarray(owners), return_inverse=True)
        sums = np.bincount(codes, weights=deviations)
    count = len(sums)
    spread = float(sums @ sums) / len(deviations) ** 2
    return spread * count / max(1, count - 1), count


def paired_difference(a: ArrayLike, b: ArrayLike, test_over_train: float, level: float = 0.95) -> Difference:
    r"""Return a − b over the same splits: t = mean / √((1/J + n_test/n_train) σ̂²), J − 1 degrees of freedom.

    Parameters: `a`, `b` (J,) values on the same splits, in the same order; the others as in
    `confidence_band`. When all differences are equal, p is 0, or 1 if they are zero.
    Raises DataError for lengths that differ.
    Reference: Nadeau and Bengio, Machine Learning 52, 2003.

    >>> paired_difference([0.3, 0.4, 0.35], [0.1, 0.2, 0.15], test_over_train=1.0).separable
    True
    """
    from scipy.special import stdtr

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
        p = 2 * float(stdtr(len(difference) - 1, -abs(t)))
    return Difference(mean, mean - half, mean + half, error, len(difference), level, t, p)


def compare_settings(
    table: Mapping[str, ArrayLike],
    test_over_train: float,
    lower_is_better: bool = True,
    level: float = 0.95,
) -> Comparison:
    """Return the one comparison of settings on the same splits: the best, those worse, those tied, those as good.

    Each setting has the corrected resampled t-test against the best. Any of the k settings may be the best by chance,
    so each comparison counts as one of k(k − 1)/2 pairs. Holm's rule then steps down: once a setting is significantly
    worse, only the pairs of the others count. The probability that a setting as good as the best is called worse is at
    most 1 − level; two settings have the uncorrected paired test.

    Parameters: `table` setting name → (J,) values on the same splits; the others as in `paired_difference`.
    Raises DataError for an empty table, or lengths that differ.
    Reference: Holm, Scandinavian Journal of Statistics 6, 1979; Nadeau and Bengio, Machine Learning 52, 2003.

    >>> table = {"level 0": [0.3, 0.2, 0.3, 0.2], "level 1": [0.2, 0.2, 0.3, 0.2], "level 2": [0.9, 0.8, 0.9, 0.9]}
    >>> found = compare_settings(table, test_over_train=1.0)
    >>> found.best, found.as_good, found.worse
    ('level 1', ('level 1', 'level 0'), ('level 2',))
    """
    rows, ranked = _ranked(table, lower_is_better, "compare_settings")
    best = ranked[0]
    plain = {name: paired_difference(row, rows[best], test_over_train, level) for name, row in rows.items()}
    corrected: dict[str, Difference] = {best: plain[best]}
    reached = 0.0
    for place, name in enumerate(sorted(ranked[1:], key=lambda name: plain[name].p_value)):
        left = len(rows) - place
        p = plain[name].p_value
        reached = min(1.0, max(reached, p * left * (left - 1) / 2))
        # The interval leaves 0 out exactly where the corrected p-value is below 1 − level.
        times = reached / p if p > 0 else left * (left - 1) / 2
        corrected[name] = _corrected(plain[name], reached, max(1.0, times))
    tied = tuple(name for name in ranked if not corrected[name].separable)
    worse_by = corrected if lower_is_better else {name: gap.reversed() for name, gap in corrected.items()}
    return Comparison(
        best=best,
        worse=tuple(name for name in ranked if name not in tied),
        tied=tied,
        as_good=tuple(name for name in ranked if worse_by[name].within_one_error),
        bands={name: confidence_band(row, test_over_train, level) for name, row in rows.items()},
        differences={name: corrected[name] for name in rows},
    )


def _corrected(plain: Difference, p: float, times: float) -> Difference:
    if plain.count == 1 or plain.standard_error == 0.0:
        return plain
    half = _quantile(plain.count, (1 - plain.level) / times) * plain.standard_error
    mean, error = plain.mean, plain.standard_error
    return Difference(mean, mean - half, mean + half, error, plain.count, plain.level, plain.t, p)


def band_of_best(
    table: Mapping[str, ArrayLike],
    test_over_train: float,
    lower_is_better: bool = True,
) -> Band:
    r"""Return the expected value of the best setting on new data, corrected for the choice of the best.

    The smallest of k means is too small by E[−ε_b], where ε are the errors of the k means and b is the best setting.
    ε is drawn from N(0, (1/J + n_test/n_train) Σ̂), Σ̂ the covariance of the settings over splits: the
    bootstrap of the means with the correction for shared rows. Its mean is taken off. The upper bound is that of one
    setting among k (Bonferroni), the lower bound that of one setting about the corrected mean.

    For one setting it is `confidence_band`. Parameters as in `compare_settings`; raises the same.
    Reference: Tsamardinos, Greasidou and Borboudakis, Machine Learning 107, 2018; Nadeau and Bengio, 2003.

    >>> rng = np.random.default_rng(0)
    >>> table = {str(i): 0.3 + 0.05 * rng.normal(size=25) for i in range(10)}
    >>> round(min(float(np.mean(row)) for row in table.values()), 3), round(band_of_best(table, 0.0).mean, 3)
    (0.289, 0.303)
    """
    rows, ranked = _ranked(table, lower_is_better, "band_of_best")
    sign = 1.0 if lower_is_better else -1.0
    best = rows[ranked[0]]
    band = confidence_band(best, test_over_train)
    if len(rows) == 1 or len(best) == 1:
        return band
    scores = sign * np.array([rows[name] for name in ranked])
    means, count = scores.mean(axis=1), len(best)
    scale = math.sqrt((1 / count + test_over_train) / (count - 1))
    errors = scale * np.random.default_rng(_SEED).standard_normal((_DRAWS, count)) @ (scores - means[:, None]).T
    chosen = (means + errors).argmin(axis=1)
    centre = means[0] - float(errors[np.arange(_DRAWS), chosen].mean())
    half = _quantile(count, 1 - _LEVEL) * band.standard_error
    upper = means[0] + _quantile(count, (1 - _LEVEL) / len(rows)) * band.standard_error
    low, mean, high = sorted(sign * float(end) for end in (centre - half, centre, max(centre, upper)))
    return Band(mean, low, high, band.standard_error, count, _LEVEL)


def detection_power(difference: Difference, size: float) -> float:
    r"""Return the probability that a paired test with this standard error finds a true difference of that size.

    .. math:: \Phi\Big(\frac{|\delta|}{se} - t_{J-1,\,1-\alpha/2}\Big)

    Parameters: `difference`, whose standard error, count and level are used; `size` δ. nan for a single value.

    >>> difference = paired_difference([0.1, 0.3, 0.2, 0.4], [0.1, 0.2, 0.2, 0.3], 0.0)
    >>> round(detection_power(difference, 0.2), 2), round(detection_power(difference, 0.001), 2)
    (1.0, 0.0)
    """
    from scipy.special import ndtr

    if difference.count < 2:
        return math.nan
    if difference.standard_error <= 0:
        return 1.0 if size else 0.0
    critical = _quantile(difference.count, 1 - difference.level)
    return float(ndtr(abs(size) / difference.standard_error - critical))


def _ranked(table: Mapping[str, ArrayLike], lower_is_better: bool, owner: str) -> tuple[dict[str, Array], list[str]]:
    """Return the values of each setting, and the names, the best mean first."""
    if not table:
        raise DataError(f"{owner}: table must have at least one setting; got none. Run a sweep first.")
    rows = {name: _splits(values, f"{owner}, {name}") for name, values in table.items()}
    counts = sorted({len(values) for values in rows.values()})
    if len(counts) > 1:
        raise DataError(
            f"{owner}: every setting must have one value for each split; got {' and '.join(map(str, counts))} values. "
            "Measure all settings on the same splits."
        )
    sign = 1.0 if lower_is_better else -1.0
    return rows, sorted(rows, key=lambda name: sign * float(rows[name].mean()))


def _splits(values: ArrayLike, owner: str) -> Array:
    splits = np.asarray(values, dtype=np.float64)
    if splits.ndim != 1 or not len(splits) or not np.isfinite(splits).all():
        raise DataError(
            f"{owner}: values must be one finite number per split; got shape {splits.shape} with "
            f"{int((~np.isfinite(splits)).sum())} not finite. Leave failed splits out of every setting."
        )
    return splits


def _quantile(count: int, outside: float) -> float:
    """Return the quantile of Student's t for `count` splits that leaves the share `outside` at both ends together."""
    from scipy.special import stdtrit

    return -float(stdtrit(count - 1, outside / 2))


def _spread(values: Array, test_over_train: float, level: float, owner: str) -> tuple[float, float, float]:
    """Return the mean, its corrected standard error and half the band's width."""
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
    return mean, error, _quantile(count, 1 - level) * error
