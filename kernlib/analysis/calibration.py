"""Probabilities of classes, and whether they can be believed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError
from ..statistics import Band, confidence_band
from ..values.arrays import Array, RowNumbers
from ..values.notebook import Pictured


def probabilities_of(decision: ArrayLike) -> Array:
    """Return probabilities (m, classes) of decisions that are log-odds (m,), or log-probabilities (m, classes).

    >>> probabilities_of([0.0]).tolist(), probabilities_of(np.log([[0.2, 0.3, 0.5]])).round(3).tolist()
    ([[0.5, 0.5]], [[0.2, 0.3, 0.5]])
    """
    from scipy.special import expit

    values = np.asarray(decision, dtype=np.float64)
    if values.ndim == 2:
        return np.exp(values)
    return np.stack([expit(-values), expit(values)], axis=1)


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Pictured):
    """Predicted probabilities of one class beside how often rows were of it.

    `probability` and `positive` (n,), of every row; of every bin with rows, (b,): `edges` (b, 2), `mean` of the
    probabilities, `share` of rows of the class with its 95% interval `low`…`high`, and `rows`. `brier` and `log_loss`
    of the probabilities, `guess_brier` and `guess_log_loss` of the share of the class instead. `gain` how much lower
    the Brier score is than that of the share, with an interval over the splits; `p_value` of a calibrated machine.
    """

    _drawn_by: ClassVar[str] = "calibration.calibration_plot"

    probability: Array
    positive: NDArray[np.bool_]
    edges: Array
    mean: Array
    share: Array
    low: Array
    high: Array
    rows: RowNumbers
    brier: float
    log_loss: float
    guess_brier: float
    guess_log_loss: float
    gain: Band
    p_value: float

    @property
    def better(self) -> bool:
        """Return whether the probabilities are significantly better than the share of the class."""
        return self.gain.low > 0

    @property
    def calibrated(self) -> bool:
        """Return whether the shares in the bins agree with the probabilities, at the 5% level."""
        return self.p_value >= 0.05

    @property
    def extreme(self) -> bool:
        """Return whether probabilities lie further from the share of the class than what happened does."""
        away = self.mean - self.positive.mean()
        return float(np.sum(self.rows * away * (self.mean - self.share))) > 0


def calibration_by_bins(
    positive: ArrayLike, probability: ArrayLike, row: ArrayLike, split: ArrayLike, test_over_train: float,
    bins: int = 10,
) -> Calibration:  # fmt: skip
    r"""Return the calibration of out-of-fold probabilities of one class, in bins of equal width.

    .. math:: \mathrm{Brier} = \frac1n\sum_i (p_i - y_i)^2,\quad
        \mathrm{log\ loss} = -\frac1n\sum_i y_i \log p_i + (1 - y_i)\log(1 - p_i)

    A row that several splits test counts once, with its mean probability. Intervals of shares are Wilson's. The p-value
    is that of Σ_b n_b (s_b − p̄_b)² / (p̄_b (1 − p̄_b)) under χ² with one degree of freedom for every bin.

    Parameters: `positive` (m,) whether a tested row is of the class, `probability` (m,) in 0…1, `row` and `split` (m,)
    numbers; `test_over_train` as in `confidence_band`; `bins` of 0…1. Raises DataError for probabilities outside 0…1.
    Reference: Hosmer and Lemeshow, Communications in Statistics A9, 1980; bins by scikit-learn.

    >>> found = calibration_by_bins([0, 0, 1, 1], [0.1, 0.3, 0.7, 0.9], [0, 1, 2, 3], [0, 0, 1, 1], 1.0, bins=2)
    >>> found.rows.tolist(), found.mean.tolist(), found.share.tolist(), round(found.brier, 3), found.guess_brier
    ([2, 2], [0.2, 0.8], [0.0, 1.0], 0.05, 0.25)
    """
    from scipy.stats import binomtest, chi2
    from sklearn.calibration import calibration_curve
    from sklearn.metrics import brier_score_loss, log_loss

    tested, truth = np.asarray(probability, dtype=np.float64), np.asarray(positive).astype(bool)
    if not (len(tested) and (tested >= 0).all() and (tested <= 1).all()):
        raise DataError("calibration_by_bins: probability must be numbers in 0…1; got others. Pass `probabilities_of`.")
    _, first, place = np.unique(np.asarray(row), return_index=True, return_inverse=True)
    p, y = np.bincount(place, weights=tested) / np.bincount(place), truth[first]
    share, mean = calibration_curve(y, p, n_bins=bins)
    edges = np.linspace(0.0, 1.0, bins + 1)
    place = np.searchsorted(edges[1:-1], p)  # as calibration_curve
    counts = np.bincount(place, minlength=bins)
    used = np.flatnonzero(counts)
    hits = np.bincount(place, weights=y, minlength=bins)[used].astype(np.intp)
    intervals = [
        binomtest(int(k), int(n)).proportion_ci(method="wilson") for k, n in zip(hits, counts[used], strict=True)
    ]
    guess = float(y.mean())
    numbers, of_split = np.unique(np.asarray(split), return_inverse=True)
    gained = (guess - truth) ** 2 - (tested - truth) ** 2
    gains = np.bincount(of_split, weights=gained, minlength=len(numbers)) / np.bincount(of_split)
    spread = np.maximum(mean * (1 - mean), np.finfo(float).tiny)
    distance = float(np.minimum(counts[used] * (share - mean) ** 2 / spread, 1e9).sum())
    return Calibration(
        p, y, np.stack([edges[used], edges[used + 1]], axis=1), mean, share,
        np.array([one.low for one in intervals]), np.array([one.high for one in intervals]), counts[used],
        float(brier_score_loss(y, p, pos_label=True)), float(log_loss(y, p, labels=[False, True])),
        guess * (1 - guess), float(log_loss(y, np.full(len(y), guess), labels=[False, True])),
        confidence_band(gains, test_over_train), float(chi2.sf(distance, len(used))),
    )  # fmt: skip
