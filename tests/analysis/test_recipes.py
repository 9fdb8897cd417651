"""Levels of every kind: each is the kernel of that level, and the maps of correlations say what it does."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import RBF, ArcCosine, Deep, InfiniteWidth, LabelPairs, Linear, Normalized, WeisfeilerLehman
from kernlib.analysis import correlations_of, deep_recipe, levels_of, recipes_for, without_levels
from kernlib.data import load_dataset

X = np.random.default_rng(0).normal(size=(12, 3))


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("base", [Linear(), RBF(sigma=1.5)])
def test_every_level_is_the_kernel_of_that_level(base, place):
    recipe = recipes_for(base, "vector")[place]
    for one in recipe.levels(base(X), X, 4):
        np.testing.assert_allclose(one.K, recipe.at(one.level)(X), rtol=1e-9, atol=1e-12)
        assert not one.K.flags.writeable


def test_graphs_have_neighbourhoods_as_levels():
    graphs = list(load_dataset("mutag").rows)[:20]
    recipe = recipes_for(LabelPairs(), "graph")[-1]
    assert recipe.base == WeisfeilerLehman(level=0)
    for one in recipe.levels(np.empty((0, 0)), graphs, 3):
        np.testing.assert_array_equal(one.K, WeisfeilerLehman(level=one.level)(graphs))
    assert not any(isinstance(one.kernel, WeisfeilerLehman) for one in recipes_for(Linear(), "vector"))


def test_the_kernel_below_the_levels():
    network = InfiniteWidth(Linear(), level=3, of="ntk")
    assert without_levels(network) == (Linear(), network)
    assert without_levels(Deep(ArcCosine(RBF()), level=2)) == (RBF(), Deep(ArcCosine(RBF()), level=2))
    assert without_levels(Normalized(network)) == (Normalized(network), None)
    assert without_levels(WeisfeilerLehman(level=4)) == (WeisfeilerLehman(level=0), WeisfeilerLehman(level=4))
    assert deep_recipe(RBF()).at(0) == RBF()


@pytest.mark.parametrize("kernel", [
    ArcCosine(Normalized(Linear()), order=0), ArcCosine(Normalized(Linear()), order=2),
    InfiniteWidth(Normalized(Linear()), weights=1.5), InfiniteWidth(Normalized(Linear()), activation="erf", biases=0.0),
])  # fmt: skip
def test_maps_of_rows_of_equal_length_are_what_the_levels_do(kernel):
    recipe = next(r for r in recipes_for(Normalized(Linear()), "vector") if type(r.kernel) is type(kernel))
    recipe = type(recipe)("", kernel)
    levels = recipe.levels(kernel.kernel(X), X, 3)
    maps = correlations_of(kernel, levels)
    through = maps.correlations["all pairs"]
    for level in (1, 2, 3):
        np.testing.assert_allclose(
            np.interp(through[:, level - 1], maps.before, maps.after[level]), through[:, level], atol=2e-3
        )
        K = levels_of(levels[level - 1].K, 1)[1].K  # a level of the deep kernel machine on the level before
        i, j = maps.pairs["all pairs"].T
        mapped = np.interp(through[:, level - 1], maps.before, maps.gaussian[level])
        np.testing.assert_allclose(mapped, K[i, j] / K[0, 0], atol=2e-3)
    assert maps.after[0].tolist() == maps.before.tolist()


def test_where_correlations_end():
    """Order 0 has a fixed point below 1, where 1 − θ/π = cos θ; relu ends at 1, and erf with large weights at 0."""
    rows = Normalized(Linear())(X)
    level = recipes_for(Normalized(Linear()), "vector")[0].levels(rows, X, 0)
    end = correlations_of(ArcCosine(Linear(), order=0), level)
    assert 1 - np.arccos(end.fixed) / np.pi == pytest.approx(end.fixed, abs=1e-9)
    edge = correlations_of(InfiniteWidth(Linear(), weights=2.0, biases=0.0), level)
    assert (edge.fixed, edge.slope) == (1.0, pytest.approx(1.0))
    ordered = correlations_of(InfiniteWidth(Linear(), weights=1.0, biases=0.2), level)
    assert ordered.fixed == 1.0
    assert ordered.slope == pytest.approx(0.5, abs=1e-6)
    chaotic = correlations_of(InfiniteWidth(Linear(), activation="erf", weights=10.0, biases=0.0), level)
    assert chaotic.slope > 1.0
    assert chaotic.fixed == pytest.approx(0.0, abs=1e-6)
