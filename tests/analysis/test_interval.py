"""The plausible interval of the relevant dimension, and the level at which deep kernels collapse."""

import numpy as np
import pytest
from scipy.stats import chi2, norm

from kernlib import RBF, Diffusion
from kernlib.analysis import (
    DimensionInterval,
    collapse,
    dimension_interval,
    level_numbers,
    levels_of,
    levels_to_collapse,
    relevant_dimension,
)
from kernlib.data import load_dataset
from kernlib.errors import DataError, ParameterError
from kernlib.values.factor import Factor
from tests.benchmarks.dimension_coverage import coverage, sinc, twonorm


def noisy(n=50, seed=0):
    K, _, _, y = sinc(n, np.random.default_rng(seed))
    return K, y


def test_the_profile_keeps_what_the_likelihood_ratio_does_not_exclude():
    K, y = noisy()
    rd = relevant_dimension(K, y)
    s = rd.coefficients

    def log_likelihood(d):
        parts = (s[:d], s[d:])
        return sum(norm.logpdf(part, scale=np.sqrt((part**2).mean())).sum() for part in parts)

    values = np.array([log_likelihood(d) for d in range(1, rd.max_dimension + 1)])
    assert values.argmax() + 1 == rd.dimension
    for level in (0.5, 0.95, 0.999):
        kept = np.flatnonzero(2 * (values.max() - values) <= chi2.ppf(level, 1)) + 1
        assert dimension_interval(rd, level=level).plausible.tolist() == kept.tolist()


@pytest.mark.parametrize("centred", [False, True])
def test_the_bootstrap_cuts_weighted_rows(centred):
    K, y = noisy()
    y = y + (3.0 if centred else 0.0)
    rd = relevant_dimension(K, y, centred=centred)
    interval = dimension_interval(rd, K, draws=5, seed=3)
    rng, expected = np.random.default_rng(3), []
    for _ in range(5):
        w = rng.exponential(size=len(y))
        targets = y - np.average(y, weights=w) if centred else y
        root = np.sqrt(w)
        cut = relevant_dimension(np.outer(root, root) * K, root * targets, rd.max_dimension, task="regression")
        expected.append(cut.dimension)
    assert interval.draws.tolist() == expected
    low, high = interval.bootstrap
    assert min(expected) <= low <= high <= max(expected)
    assert "by a bootstrap over rows" in interval.words()
    assert dimension_interval(rd).bootstrap is None


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_the_bootstrap_interval_holds_its_level_of_the_draws(level):
    draws = np.random.default_rng(0).permutation(np.arange(1, 1001))
    low, high = DimensionInterval(500, level, np.array([500]), draws).bootstrap
    assert ((low <= draws) & (draws <= high)).mean() == pytest.approx(level, abs=0.002)
    assert (draws < low).sum() == pytest.approx((draws > high).sum(), abs=2)


def test_a_factor_gives_the_interval_of_its_matrix():
    rng = np.random.default_rng(0)
    F = rng.normal(size=(40, 6)) * [5, 3, 1, 1, 1, 1]
    y = np.where(F[:, 0] + 0.3 * rng.normal(size=40) > 0, "a", "b")
    short = dimension_interval(relevant_dimension(Factor(F), y), Factor(F), draws=20)
    whole = dimension_interval(relevant_dimension(F @ F.T, y, 6), F @ F.T, draws=20)
    assert short.plausible.tolist() == whole.plausible.tolist()
    assert short.draws.tolist() == whole.draws.tolist()


@pytest.mark.parametrize("problem", [sinc, twonorm])
def test_the_true_dimension_lies_inside(problem):
    """Over 200 draws, see the benchmark: 94.5% and more by the profile, 99% and more by the bootstrap."""
    share, width = coverage(problem, 60, 60)["profile"]
    assert share >= 0.9
    assert width <= 4
    assert coverage(problem, 40, 10, bootstrap=20)["bootstrap"][0] >= 0.9


def test_classes_beyond_two_and_wrong_arguments():
    K = RBF(sigma=2.0)(np.random.default_rng(0).normal(size=(30, 2)))
    rd = relevant_dimension(K, np.arange(30) % 3)
    low, high = dimension_interval(rd, K, draws=4).profile
    assert low <= rd.dimension <= high
    for wrong in (dict(level=1.0), dict(level=0.0), dict(K=K, draws=0)):
        with pytest.raises(ParameterError, match="dimension_interval"):
            dimension_interval(rd, **wrong)
    with pytest.raises(DataError, match="of 30 rows; got 29 rows"):
        dimension_interval(rd, K[:29, :29])


def test_the_collapse_is_that_of_the_levels():
    iris = load_dataset("iris")
    for K in (
        RBF(sigma=2.4)(iris.rows),
        Diffusion(beta=0.1)(load_dataset("lawyers").inputs),
        RBF(sigma=0.05)(iris.rows),
    ):
        numbers = [level_numbers(level) for level in levels_of(K, 32)]
        found = levels_to_collapse(K)
        assert found[-1].level == collapse(numbers).level
        np.testing.assert_array_equal([one.K for one in found], [one.K for one in levels_of(K, len(found) - 1)])


def test_a_matrix_that_does_not_collapse_and_one_that_has():
    rng = np.random.default_rng(0)
    assert levels_to_collapse(np.ones((5, 5)))[-1].level == 0
    assert levels_to_collapse(np.eye(8))[-1].level == 0
    X = np.r_[np.zeros((10, 1)), np.full((10, 1), 50.0)] + 0.01 * rng.normal(size=(20, 1))
    assert levels_to_collapse(RBF(sigma=1.0)(X), limit=2)[-1].level == 2
    with pytest.raises(ParameterError, match="limit"):
        levels_to_collapse(np.eye(3), limit=0)
