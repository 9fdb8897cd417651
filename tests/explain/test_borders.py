"""The borders at every level, against the deep kernel itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, Deep, Diffusion, InfiniteWidth, Linear
from kernlib.errors import DataError
from kernlib.explain import level_borders
from kernlib.machines import SVM

X = np.random.default_rng(0).normal(size=(24, 2))
Y = (X[:, 0] * X[:, 1] > 0).astype(int)


@pytest.mark.parametrize(("codes", "between"), [(Y, (0, 1)), (np.arange(24) % 3, (2, 1))])
@pytest.mark.parametrize("top", [Deep(RBF(sigma=0.7), level=2), InfiniteWidth(Linear(), level=2)])
def test_borders_are_those_of_the_kernel_of_each_level(top, codes, between):
    rows = np.flatnonzero(np.isin(codes, between))
    kernels = [replace(top, level=level) for level in range(3)]
    borders = level_borders(kernels, X, codes, classes=("a", "b", "c"), between=between, size=9)
    for kernel, (trained, field) in zip(kernels, borders, strict=True):
        grid = np.stack(np.meshgrid(field.x, field.y), axis=-1).reshape(-1, 2)
        deep = kernel.fit(X)
        fitted = SVM(C=10.0, scale="spread").fit(deep(X[rows]), codes[rows] == between[1])
        decided = fitted.decision(deep(grid, X[rows]), deep.diag(grid))
        assert_allclose(field.values.ravel(), decided, rtol=1e-5, atol=1e-6)
        assert (trained.rows.tolist(), trained.codes) == (rows.tolist(), between)


def test_borders_need_a_plane_classes_and_a_kernel_that_meets_new_points():
    with pytest.raises(DataError, match="one or two columns"):
        level_borders([RBF()], np.ones((24, 3)), Y)
    with pytest.raises(DataError, match="rows of both classes"):
        level_borders([RBF()], X, np.zeros(24))
    with pytest.raises(DataError, match="can be evaluated on new points"):
        level_borders([Diffusion()], X, Y)
