"""Where a strip of levels is most informative, and where it has collapsed."""

import dataclasses
import math

import numpy as np
import pytest

from kernlib import RBF, Deep, Linear, Polynomial
from kernlib.analysis import decompose, effective_rank, helped_machines, level_numbers, level_sentences, level_verdict
from kernlib.analysis.levels import LevelNumbers, collapse, informative_peak, levels_of
from kernlib.data import load_dataset
from kernlib.figures import level_beside
from kernlib.machines import NearestNeighbour
from kernlib.overview import quick_errors


def numbers(level, spread=0.3, alignment=math.nan, ratio=2.0):
    nan = math.nan
    return LevelNumbers(level, None, 3.0, 2.0, spread, ratio, alignment, nan, None, nan, nan)


def test_nearest_neighbours_are_the_same_at_every_level():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    train, test = np.arange(40), np.arange(40, 60)
    told = []
    for level in range(5):
        kernel = Deep(Polynomial(degree=2), level=level).fit(X[train])
        machine = NearestNeighbour(k=1).fit(kernel(X[train]), y[train])
        told.append(machine.predict(kernel(X[test], X[train]), kernel.diag(X[test])).tolist())
    assert told[1:] == told[:1] * 4


def test_peak_and_its_rule():
    found = informative_peak([numbers(0, 0.9, 0.2), numbers(1, 0.2, 0.5), numbers(2, 0.001, 0.1)])
    assert (found.level, found.value, found.rule) == (1, 0.5, "largest alignment with the labels")
    assert informative_peak([numbers(0, 0.9), numbers(1, 0.2)]).rule == "largest off-diagonal spread"
    assert informative_peak([numbers(0, math.nan)]) is None
    assert informative_peak([]) is None


def test_collapse_must_last_and_may_be_identity():
    assert collapse([numbers(0, 0.001), numbers(1, 0.2)]) is None
    assert collapse([numbers(0, 0.2), numbers(1, 0.001), numbers(2, 0.0001)]).level == 1
    found = collapse([numbers(0, 0.2), numbers(1, 0.001, ratio=1e6)])
    assert (found.level, found.kind) == (1, "identity")
    assert "1%" in found.rule.replace(" ", "")


@pytest.mark.parametrize("n", [60, 120])
def test_depth_ends_in_neither_a_constant_nor_the_identity(n):
    """Where h is the mean distance: one similarity off the diagonal, a rank that rises, centred the identity."""
    levels = levels_of(Linear()(load_dataset("banana-like", n=n, seed=0).rows), 50)
    K = levels[-1].K / levels[-1].K[0, 0]
    off = K[~np.eye(n, dtype=bool)]
    end = np.exp(-0.5 * (n / (n - 1)) ** 2)
    assert 0.59 < end < 0.61
    assert (np.abs(off - end) < 0.001).mean() > 0.99
    ranks = [effective_rank(np.linalg.eigvalsh(level.K)[::-1]) for level in levels[::10]]
    assert ranks == sorted(ranks)
    assert ranks[0] < 2.1
    assert ranks[-1] > 9
    centring = np.eye(n) - 1 / n
    inner = np.linalg.eigvalsh(centring @ K @ centring)[1:]
    assert inner.min() > 0.8 * inner.max()
    assert np.sqrt(1 - end) == pytest.approx(level_beside.END, abs=0.01)


def measured(kernel, data, y, most=8):
    made = []
    for one in levels_of(kernel(data), most):
        pairs = decompose(one.K)
        quick = quick_errors(one.K, y, decomposition=pairs, by_row=True)
        errors, squared = {"centroid": quick.centroid, "ridge": quick.ridge}, (quick.squared, quick.squared_se)
        made.append(
            level_numbers(
                one, y, errors=errors, squared=squared, missed=quick.missed, chance=quick.chance, decomposition=pairs
            )
        )
    return made


def test_labels_of_noise_seldom_have_a_level_that_helps():
    """Leave-one-out errors at level 0 are above guessing, and the best of eight levels is often far below them."""
    rng, told, uncorrected = np.random.default_rng(0), [], []
    for _ in range(25):
        made = measured(RBF(sigma=1.5), rng.normal(size=(60, 3)), rng.permutation(np.repeat([0, 1], 30)))
        told.append(any(one.helps for one in helped_machines(made, 60)) or level_verdict(made).helps)
        best = min(one.errors["ridge"] for one in made)
        uncorrected.append(best < made[0].errors["ridge"] - math.sqrt(0.25 / 60))
    assert np.mean(told) <= 0.08
    assert np.mean(uncorrected) > 0.1


def test_a_level_helps_where_rows_fall_and_groups_count_once():
    data = load_dataset("banana-like")
    made = measured(RBF(sigma=2.0), data.rows, data.y)
    helped = {one.machine: one.helps for one in helped_machines(made, data.n)}
    assert helped == {"centroid": True, "ridge": False}
    assert "A level helps the nearest centroid" in level_sentences(made, data.n)[0]
    few = np.arange(data.n) % 4  # four groups of rows that fall together are too few to tell
    assert not any(one.helps for one in helped_machines(made, data.n, few))
    # Errors of rows that are not known: as many differ as can.
    bare = [dataclasses.replace(one, missed={}) for one in made]
    assert {one.machine: one.helps for one in helped_machines(bare, data.n)} == helped


@pytest.mark.parametrize(("now", "clear"), [(0.035, False), (0.06, True)])
def test_a_level_is_worse_beyond_the_standard_error_of_its_own_error(now, clear):
    """At level 0 nearly no row is wrong, and the standard error of that is nearly zero."""
    errors = [
        {"centroid": 0.3, "ridge": 0.02, "SVM, test": 0.0, "SVM, training": 0.1},
        {"centroid": 0.1, "ridge": now, "SVM, test": now, "SVM, training": 0.0},
    ]
    levels = levels_of(np.eye(4) + 1.0, 1)
    words = " ".join(level_sentences([level_numbers(one, errors=errors[one.level]) for one in levels], 100))
    assert ("At level 1 ridge regression is worse" in words) == clear
    assert ("Level 1 memorises" in words) == clear
