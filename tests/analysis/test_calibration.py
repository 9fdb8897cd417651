"""Probabilities against the definitions, and on draws whose true probabilities are known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, logit
from scipy.stats import binomtest

from kernlib.analysis.outcomes import calibration_by_bins


def drawn(truth, told, seed=0):
    """Rows whose class is drawn by `truth` while the machine says `told`."""
    y = np.random.default_rng(seed).random(len(truth)) < truth
    return calibration_by_bins(y, told, np.arange(len(truth)))


TRUTH = expit(1.5 * np.random.default_rng(5).normal(size=1000))


def test_the_scores_and_the_bins_are_their_definitions():
    p, y = TRUTH[:300], np.random.default_rng(1).random(300) < TRUTH[:300]
    found = calibration_by_bins(y, p, np.arange(300))
    assert found.brier == pytest.approx(np.mean((p - y) ** 2))
    assert found.rows.sum() == 300
    for mean, share, rows, bottom, top in zip(found.mean, found.share, found.rows, found.low, found.high, strict=True):
        inside = (p > np.floor(10 * mean) / 10) & (p <= np.ceil(10 * mean) / 10)
        assert rows == inside.sum()
        assert (mean, share) == (pytest.approx(p[inside].mean()), pytest.approx(y[inside].mean()))
        interval = binomtest(int(y[inside].sum()), int(rows)).proportion_ci(method="wilson")
        assert (bottom, top) == (pytest.approx(interval.low), pytest.approx(interval.high))


def test_a_row_that_is_tested_twice_counts_once_with_its_mean():
    found = calibration_by_bins([1, 0, 1, 0], [0.9, 0.2, 0.7, 0.4], [3, 8, 3, 8])
    assert_allclose(found.mean, [0.3, 0.8])
    assert found.rows.tolist() == [1, 1]
    assert found.share.tolist() == [0.0, 1.0]


def test_true_probabilities_are_rarely_off_and_others_nearly_always():
    told = [drawn(TRUTH, TRUTH, seed) for seed in range(40)]
    assert 0.01 < np.mean([one.off / len(one.rows) for one in told]) < 0.08
    for factor in (2.5, 0.4):
        assert all(drawn(TRUTH, expit(factor * logit(TRUTH)), seed).off > 2 for seed in range(8))
