import math

import numpy as np
import pytest
import scipy.stats

from kernlib.errors import DataError, ParameterError
from kernlib.statistics import (
    band_of_best,
    compare_settings,
    confidence_band,
    detection_power,
    mean_share,
    paired_difference,
    share_interval,
    unexplained_share,
)

RNG = np.random.default_rng(0)


def test_band_is_nadeau_and_bengio():
    values = RNG.normal(0.2, 0.03, 25)
    band = confidence_band(values, 0.5, level=0.9)
    error = math.sqrt((1 / 25 + 0.5) * values.var(ddof=1))
    half = scipy.stats.t.ppf(0.95, 24) * error
    mean = values.mean()
    assert (band.mean, band.low, band.high) == pytest.approx((mean, mean - half, mean + half))
    # Without shared rows it is the ordinary t interval.
    plain = scipy.stats.t.interval(0.95, 24, values.mean(), values.std(ddof=1) / 5)
    found = confidence_band(values, 0.0)
    assert (found.low, found.high) == pytest.approx(plain)


def test_paired_difference():
    a, b = RNG.normal(0.2, 0.1, 20), RNG.normal(0.2, 0.1, 20)
    found = paired_difference(a, b, 0.0)
    theirs = scipy.stats.ttest_rel(a, b)
    assert (found.t, found.p_value) == pytest.approx((theirs.statistic, theirs.pvalue))
    corrected = paired_difference(a, b, 1.0)
    assert abs(corrected.t) < abs(found.t)
    assert corrected.separable == (corrected.low > 0 or corrected.high < 0)


def test_equal_values_and_single_splits():
    a = RNG.uniform(size=8)
    assert not paired_difference(a, a, 1.0).separable
    assert paired_difference(a, a, 1.0).p_value == 1.0
    assert paired_difference(np.ones(8), np.zeros(8), 1.0).p_value == 0.0
    assert paired_difference(np.full(8, 0.3), np.full(8, 0.1), 1.0).separable
    assert not paired_difference([0.3], [0.1], 1.0).separable
    assert confidence_band([0.3], 1.0).high == math.inf


@pytest.mark.parametrize("lower", [True, False])
def test_best_and_its_peers(lower):
    base = RNG.normal(0.5, 0.05, 25)
    sign = 1 if lower else -1
    noise = RNG.normal(0, 0.01, 25)
    noise -= noise.mean()
    table = {"far": base + sign * (0.3 + noise), "near": base + sign * 0.001 + noise, "best": base}
    found = compare_settings(table, 0.5, lower_is_better=lower)
    assert found.best == "best"
    assert found.tied == found.as_good == ("best", "near")
    assert found.differences["far"].separable


@pytest.mark.parametrize("lower", [True, False])
def test_a_setting_that_only_ties_is_not_as_good(lower):
    best = RNG.normal(0.5, 0.05, 5)
    noise = np.array([-0.1, -0.05, 0.0, 0.05, 0.1])
    error = noise.std(ddof=1) * math.sqrt(1 / 5 + 1.0)
    sign = 1 if lower else -1
    table = {name: best + sign * (gap * error + noise) for name, gap in (("near", 0.9), ("tied", 1.1))} | {"best": best}
    found = compare_settings(table, 1.0, lower_is_better=lower)
    assert found.tied == ("best", "near", "tied")
    assert found.as_good == ("best", "near")


def test_holms_rule_over_the_pairs_with_the_best():
    base = RNG.normal(0.5, 0.02, 25)
    table = {
        name: base + gap + 0.02 * RNG.normal(size=25)
        for name, gap in zip("abcde", (0, 0.01, 0.03, 0.06, 0.2), strict=True)
    }
    found = compare_settings(table, 0.25)
    plain = {name: paired_difference(row, table[found.best], 0.25).p_value for name, row in table.items()}
    others = sorted((name for name in table if name != found.best), key=lambda name: plain[name])
    reached = 0.0
    for left, name in zip((5, 4, 3, 2), others, strict=True):
        reached = min(1.0, max(reached, plain[name] * left * (left - 1) / 2))
        assert found.differences[name].p_value == pytest.approx(reached)
    for difference in found.differences.values():  # the interval and the p-value agree
        assert difference.separable == (difference.low > 0 or difference.high < 0)
    assert found.tied != tuple("abcde")


@pytest.mark.parametrize("lower", [True, False])
def test_what_to_expect_of_the_best(lower):
    alone = RNG.normal(0.3, 0.05, 25)
    assert band_of_best({"a": alone}, 1.0, lower) == confidence_band(alone, 1.0)
    scores = RNG.normal(0.3, 0.05, (40, 12, 25))
    tables = [{str(i): row for i, row in enumerate(rows)} for rows in scores]
    bands = [band_of_best(table, 0.0, lower) for table in tables]
    bests = [means.min() if lower else means.max() for means in scores.mean(axis=2)]
    assert all((band.mean > best) == lower for band, best in zip(bands, bests, strict=True))
    # Of one table either may be nearer to the truth; on average over tables the best is too good.
    assert abs(np.mean([band.mean for band in bands]) - 0.3) < abs(np.mean(bests) - 0.3) / 2
    table, found = tables[0], bands[0]
    assert found.low < found.mean < found.high
    # The band moves with the scores, and its near end is that of one setting about the corrected mean.
    moved = band_of_best({name: row + 10.0 for name, row in table.items()}, 0.0, lower)
    assert (moved.low, moved.mean, moved.high) == pytest.approx((found.low + 10, found.mean + 10, found.high + 10))
    near = found.low if lower else found.high
    assert abs(found.mean - near) == pytest.approx(scipy.stats.t.ppf(0.975, 24) * found.standard_error)
    # One setting that is far better than all others was not chosen by chance.
    clear = band_of_best(table | {"far": table["0"] - (1 if lower else -1)}, 0.0, lower)
    plain = confidence_band(table["0"] - (1 if lower else -1), 0.0)
    assert clear.mean == pytest.approx(plain.mean, abs=plain.standard_error / 5)


@pytest.mark.parametrize("size", [0.02, -0.02, 0.06])
def test_the_power_is_about_that_of_the_noncentral_t(size):
    seen = paired_difference(RNG.normal(0.0, 0.1, 60), np.zeros(60), 0.0)
    bound, shift = scipy.stats.t.ppf(0.975, 59), size / seen.standard_error
    expected = scipy.stats.nct.sf(bound, 59, shift) + scipy.stats.nct.cdf(-bound, 59, shift)
    assert detection_power(seen, size) == pytest.approx(expected, abs=0.02)


def test_losses_that_vary_little_count_as_no_more_rows_than_there_are():
    """A mean of 40 losses that are nearly equal has the interval of 10 hits among 40 rows."""
    expected = scipy.stats.binomtest(10, 40).proportion_ci(method="wilson")
    found = mean_share([0.2, 0.3] * 20)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    hits, unbiased = mean_share([0.0, 0.0, 0.0, 1.0] * 10), share_interval(0.25, 39.0, 40)
    assert (hits.low, hits.high) == pytest.approx((unbiased.low, unbiased.high)), "the variance of n - 1 rows"


def test_rows_of_a_group_count_once_and_shared_training_rows_widen():
    once, groups = np.array([0.0, 0.0, 0.0, 1.0] * 10), np.repeat(np.arange(40), 2)
    single = mean_share(once)
    assert mean_share(np.repeat(once, 2), groups).standard_error == pytest.approx(single.standard_error)
    assert mean_share(once, widened=4.0).standard_error == pytest.approx(2 * single.standard_error)
    squares = RNG.uniform(1.0, 2.0, 40)
    plain, wide = unexplained_share(once, squares), unexplained_share(once, squares, widened=4.0)
    assert wide.high / wide.mean == pytest.approx((plain.high / plain.mean) ** 2)


def test_errors():
    with pytest.raises(DataError, match=r"confidence_band: values must be one finite number per split.*1 not finite"):
        confidence_band([0.1, np.nan], 1.0)
    with pytest.raises(DataError, match=r"one value for each split; got 2 and 1. Measure both on the same splits"):
        paired_difference([0.1, 0.2], [0.1], 1.0)
    with pytest.raises(ParameterError, match=r"test_over_train must be a finite number.*got -1"):
        confidence_band([0.1, 0.2], -1)
    with pytest.raises(ParameterError, match=r"0 < level < 1; got 95. Try level=0.95"):
        confidence_band([0.1, 0.2], 1.0, level=95)
    with pytest.raises(DataError, match=r"table must have at least one setting"):
        compare_settings({}, 1.0)
    with pytest.raises(DataError, match=r"compare_settings, C=1: values"):
        compare_settings({"C=1": [np.inf]}, 1.0)
    with pytest.raises(DataError, match=r"band_of_best: every setting must have one value for each split; got 2 and 3"):
        band_of_best({"a": [0.1, 0.2], "b": [0.1, 0.2, 0.3]}, 1.0)
