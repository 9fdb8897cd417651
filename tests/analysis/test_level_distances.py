"""What a level does to distances, and where it draws a border, against the deep kernel itself."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import RBF, Deep, Diffusion, Polynomial
from kernlib.analysis import distances_of, level_distances, levels_of, squared_distances
from kernlib.errors import DataError
from kernlib.explain import level_borders
from kernlib.machines import SVM, KernelDensity, NearestCentroid

X = np.random.default_rng(0).normal(size=(24, 2))
Y = (X[:, 0] * X[:, 1] > 0).astype(int)


@pytest.mark.parametrize("kernel", [RBF(sigma=0.7), Polynomial(degree=2)])
def test_distances_at_every_level_are_an_increasing_function_of_those_at_level_0(kernel):
    levels = levels_of(kernel(X), 4)
    through = level_distances(np.sqrt(squared_distances(levels[0].K)), [one.bandwidth for one in levels[1:]])
    for one, distances in zip(levels, through, strict=True):
        np.testing.assert_allclose(distances, np.sqrt(squared_distances(one.K)), atol=1e-7)
    assert (np.diff(level_distances(np.linspace(0, 3, 99), [0.5, 0.7]), axis=1) > 0).all()


def test_pairs_lie_on_the_curve_and_pairs_at_distance_h_get_one_value():
    levels = levels_of(RBF(sigma=0.7)(X), 12)
    drawn = distances_of(levels, Y)
    assert sorted(drawn.pairs) == ["between classes", "within a class"]
    for name, pairs in drawn.pairs.items():
        assert ((Y[pairs[:, 0]] == Y[pairs[:, 1]]) == (name == "within a class")).all()
        for through in drawn.distances[name]:
            on_curve = [np.interp(through[0], drawn.base, curve) for curve in drawn.curves]
            np.testing.assert_allclose(through, on_curve, atol=2e-3)
    for at, curve in zip(drawn.at_h[1:], drawn.curves[1:], strict=True):
        assert np.interp(at, drawn.base, curve) == pytest.approx(np.sqrt(1 - np.exp(-0.5)), abs=2e-3)
    assert sum(map(len, drawn.spread.values())) == 24 * 23 / 2
    # Where all distances are equal, h as the mean over all n² pairs leaves them so.
    fixed = np.sqrt(1 - np.exp(-0.5 * (24 / 23) ** 2))
    end = distances_of(levels_of(RBF(sigma=0.7)(X), 45))
    assert end.distances["all pairs"][:, -1] == pytest.approx(fixed, abs=0.01)


def test_borders_are_those_of_the_deep_kernel_at_each_level():
    kernel = RBF(sigma=0.7)
    levels = levels_of(kernel(X), 2)
    borders = level_borders(kernel, X, Y, levels, size=9)
    grid = np.stack(np.meshgrid(borders.x, borders.y), axis=-1).reshape(-1, 2)
    machines = {"centroid": NearestCentroid(), "density": KernelDensity(), "SVM": SVM(C=10.0, scale="spread")}
    for level in range(3):
        deep = Deep(kernel, level=level).fit(X)
        for name, machine in machines.items():
            decided = machine.fit(deep(X), Y).decision(deep(grid, X), deep.diag(grid))
            np.testing.assert_allclose(borders.decisions[name][level].ravel(), decided, rtol=1e-5, atol=1e-6)


def test_borders_of_three_classes_are_where_two_decisions_lead_together():
    kernel, codes = RBF(sigma=0.7), np.arange(24) % 3
    levels = levels_of(kernel(X), 1)
    borders = level_borders(kernel, X, codes, levels, size=9)
    grid = np.stack(np.meshgrid(borders.x, borders.y), axis=-1).reshape(-1, 2)
    deep = Deep(kernel, level=1).fit(X)
    fitted = NearestCentroid().fit(deep(X), codes)
    leads = borders.decisions["centroid"][1].reshape(3, -1)
    assert (leads.argmax(axis=0) == fitted.predict(deep(grid, X), deep.diag(grid))).all()
    assert ((leads > 0).sum(axis=0) == 1).all()
    decided = fitted.decision(deep(grid, X), deep.diag(grid))
    np.testing.assert_allclose(leads.max(axis=0), np.diff(np.sort(decided, axis=1))[:, -1], rtol=1e-5, atol=1e-6)


def test_borders_need_a_plane_classes_and_a_kernel_that_meets_new_points():
    levels = levels_of(RBF()(X), 1)
    with pytest.raises(DataError, match="two columns in at least two classes"):
        level_borders(RBF(), np.ones((24, 3)), Y, levels)
    with pytest.raises(DataError, match="two columns in at least two classes"):
        level_borders(RBF(), X, np.zeros(24), levels)
    with pytest.raises(DataError, match="can be evaluated on new points"):
        level_borders(Diffusion(), X, Y, levels)
