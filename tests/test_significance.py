"""How often a page says "significantly" of two kernels that are equal by symmetry, and of two that differ.

Every path is simulated: the halves of all pages, the curve with its reference, the levels of Depth, the race of Choose.
Of two equal kernels one is called worse in at most 6 %; the test by rows that pages had before did so in up to 20 %.
"""

import numpy as np
import pytest
from scipy.stats import norm

from kernlib import RBF, Linear
from kernlib.data import Dataset
from kernlib.experiments import RunSpec, curve, gap_from_best, sweep
from kernlib.experiments.race import race
from kernlib.kernels.combined import On
from kernlib.protocols import RepeatedSplits, errors_of_matrix
from kernlib.statistics import compare_settings

#: Two kernels on two halves of the columns, which are drawn alike.
TWINS = On((0, 1), RBF(sigma=2.0)), On((2, 3), RBF(sigma=2.0))
MOST = 0.06


def twins(n, noise, seed):
    """Rows on which both kernels are equally good: labels that shift all columns alike, or labels of noise."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, 4)) + (0.0 if noise else 0.4) * (2 * y[:, None] - 1)
    return Dataset("twins", "Twins", "mixed", X.astype(object), y=y, classes=("a", "b"), task="classification")


def worse_on_halves(data):
    table = {repr(k): errors_of_matrix(k(data.inputs), data.y, task="classification").tests for k in TWINS}
    return bool(compare_settings(table, test_over_train=1.0).worse)


def worse_in_the_race(data):
    """In 250 races: 1.6 % at n = 100, 4.0 % with labels of noise; 1.6 and 3.2 % at n = 200."""
    *_, last = race(data, TWINS)
    return any(runner.dropped for runner in last.runners)


def apart_from_the_reference(data):
    spec = RunSpec("twins", TWINS[0], protocol=RepeatedSplits(repeats=10), reference=TWINS[1])
    return gap_from_best(curve(spec, sweep(spec, data))).separable


@pytest.mark.parametrize(
    ("said", "n", "noise", "draws"),
    [
        (worse_on_halves, 100, False, 100),
        (worse_on_halves, 200, True, 100),
        (worse_in_the_race, 100, False, 12),
        (worse_in_the_race, 100, True, 12),
        (apart_from_the_reference, 100, False, 50),
        (apart_from_the_reference, 200, True, 50),
    ],
)
def test_equal_kernels_are_seldom_called_different(said, n, noise, draws):
    assert np.mean([said(twins(n, noise, seed)) for seed in range(draws)]) <= MOST


def test_of_ten_equal_settings_none_is_called_worse():
    """Independent scores, the worst case: nine comparisons with the best of ten."""
    rng = np.random.default_rng(0)
    said = [
        bool(compare_settings({str(i): row for i, row in enumerate(rng.normal(size=(10, 25)))}, 0.0).worse)
        for _ in range(400)
    ]
    assert np.mean(said) <= MOST


def found(count, low, high, n=200, repeats=20):
    """How often a true difference is found: a kernel on one column against one on two."""
    first = norm.isf(high)
    second = np.sqrt(norm.isf(low) ** 2 - first**2)
    said = []
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.arange(n) % 2)
        X = rng.normal(size=(n, 2)) + np.array([first, second]) * (2 * y[:, None] - 1)
        table = {
            str(k): errors_of_matrix(Linear()(X[:, :k]), y, task="classification", count=count).tests for k in (1, 2)
        }
        said.append("1" in compare_settings(table, test_over_train=1.0).worse)
    return np.mean(said)


def test_a_difference_of_ten_points_is_found_by_25_halves_where_errors_are_small_or_rows_many():
    """Found in at least 80 %: 15 against 5 % at n = 200, and 30 against 20 % at n = 400.

    With 30 against 20 % at n = 200 the difference on all 200 rows varies by 3.6 points from sample to sample: 25 halves
    find it in two thirds of the samples, 100 halves in seven of ten.
    """
    assert found(25, 0.05, 0.15) >= 0.8
    assert found(25, 0.20, 0.30, n=400, repeats=10) >= 0.8


def test_five_halves_miss_such_a_difference_more_often():
    """As the sentence of Depth says: five halves are for looking, not for proving."""
    five = found(5, 0.20, 0.30)
    assert five < 0.5 < found(25, 0.20, 0.30)
