"""Where a strip of levels is most informative, and where it has collapsed."""

import math

import numpy as np

from kernlib import Deep, Polynomial
from kernlib.analysis.levels import LevelNumbers, collapse, informative_peak
from kernlib.machines import NearestNeighbour


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
