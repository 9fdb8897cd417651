"""What a level does to distances, and where it draws a border, against the deep kernel itself."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, Deep, Diffusion, Polynomial
from kernlib.analysis import level_distances, levels_of, squared_distances
from kernlib.errors import DataError
from kernlib.explain import level_borders
from kernlib.machines import SVM

X = np.random.default_rng(0).normal(size=(24, 2))
Y = (X[:, 0] * X[:, 1] > 0).astype(int)


@pytest.mark.parametrize("kernel", [RBF(sigma=0.7), Polynomial(degree=2)])
def test_distances_at_every_level_are_an_increasing_function_of_those_at_level_0(kernel):
    levels = levels_of(kernel(X), 4)
    through = level_distances(np.sqrt(squared_distances(levels[0].K)), [one.bandwidth for one in levels[1:]])
    for one, distances in zip(levels, through, strict=True):
        assert_allclose(distances, np.sqrt(squared_distances(one.K)), atol=1e-7)
    assert (np.diff(level_distances(np.linspace(0, 3, 99), [0.5, 0.7]), axis=1) > 0).all()


@pytest.mark.parametrize(("codes", "between"), [(Y, (0, 1)), (np.arange(24) % 3, (2, 1))])
def test_borders_are_those_of_the_deep_kernel_at_each_level(codes, between):
    kernel = RBF(sigma=0.7)
    rows = np.flatnonzero(np.isin(codes, between))
    borders = level_borders(kernel, X, codes, levels_of(kernel(X), 2), classes=("a", "b", "c"), between=between, size=9)
    for level, (trained, field) in enumerate(borders):
        grid = np.stack(np.meshgrid(field.x, field.y), axis=-1).reshape(-1, 2)
        deep = Deep(kernel, level=level).fit(X)
        fitted = SVM(C=10.0, scale="spread").fit(deep(X[rows]), codes[rows] == between[1])
        decided = fitted.decision(deep(grid, X[rows]), deep.diag(grid))
        assert_allclose(field.values.ravel(), decided, rtol=1e-5, atol=1e-6)
        assert (trained.rows.tolist(), trained.codes) == (rows.tolist(), between)


def test_borders_need_a_plane_classes_and_a_kernel_that_meets_new_points():
    levels = levels_of(RBF()(X), 1)
    with pytest.raises(DataError, match="two columns"):
        level_borders(RBF(), np.ones((24, 3)), Y, levels)
    with pytest.raises(DataError, match="rows of both classes"):
        level_borders(RBF(), X, np.zeros(24), levels)
    with pytest.raises(DataError, match="can be evaluated on new points"):
        level_borders(Diffusion(), X, Y, levels)
