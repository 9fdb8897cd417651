"""Film-strips and lines over the level."""

import math

import numpy as np
import pytest

from kernlib.analysis.levels import DeepLevel, LevelNumbers, collapse, informative_peak, level_numbers, levels_of
from kernlib.figures import depth, theme

from .checking import HOSTILE, check


def numbers(level, spread=0.3, alignment=math.nan, ratio=2.0, errors=None):
    nan = math.nan
    return LevelNumbers(level, None, 3.0, 2.0, spread, ratio, alignment, nan, None, nan, nan, errors or {})


@pytest.fixture
def levels():
    X = np.random.default_rng(0).standard_normal((20, 3))
    return levels_of(X @ X.T, 5)


def test_strip_has_one_picture_per_level_on_one_scale(levels):
    told = [level_numbers(one, np.arange(20) % 2) for one in levels]
    for scale in ("diagonal", "common", "level"):
        fig = depth.film_strip(levels, np.argsort(np.arange(20) % 2, kind="stable"), scale, told)
        check(fig)
        assert len(fig.data) == 6
        assert {t.coloraxis for t in fig.data} == {"coloraxis"}
        assert all(t.z.dtype == np.float32 for t in fig.data)
        images = depth.strip_images(levels, size=40, scale=scale)
        assert {(i.shape, i.dtype.name) for i in images} == {((40, 40, 3), "uint8")}


@pytest.mark.parametrize("K", [np.ones((1, 1)), np.zeros((2, 2)), np.ones((5, 5)), np.eye(3), -np.eye(3)])
def test_degenerate_levels(K):
    for scale in ("diagonal", "common", "level"):
        check(depth.film_strip([DeepLevel(0, None, K)], scale=scale))
    check(depth.film_strip([]))


def test_standardised_constant_stays_flat():
    fig = depth.film_strip([DeepLevel(0, None, 1 + 1e-12 * np.arange(16.0).reshape(4, 4))], scale="level")
    assert np.abs(fig.data[0].z).max() < 1e-3


def test_lines_mark_peak_and_collapse():
    told = [numbers(0, 0.3, 0.2), numbers(1, 0.2, 0.5), numbers(2, 0.001, 0.1), numbers(3, 0.0001, math.nan)]
    assert informative_peak(told).level == 1
    assert collapse(told).kind == "constant"
    fig = depth.level_lines(told)
    check(fig)
    assert "level, 1: largest alignment" in theme.caption(fig)
    assert "From level 2 on" in theme.caption(fig)


def test_lines_of_real_levels_errors_and_hostile_machines(levels):
    told = [level_numbers(one, np.arange(20) % 2, errors=dict.fromkeys(HOSTILE[:3], 0.1)) for one in levels]
    check(depth.level_lines(told))
    check(depth.level_lines(told, ["errors"]))
    check(depth.level_lines([numbers(0, math.nan)], ["alignment"]))
    check(depth.level_lines([]))
