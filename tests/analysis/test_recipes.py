"""Levels of every kind: each is the kernel of that level, and the maps of correlations say what it does."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import RBF, LabelPairs, Linear, WeisfeilerLehman
from kernlib.analysis import recipes_for
from kernlib.data import load_dataset

X = np.random.default_rng(0).normal(size=(12, 3))


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("base", [Linear(), RBF(sigma=1.5)])
def test_every_level_is_the_kernel_of_that_level(base, place):
    recipe = recipes_for(base, "vector")[place]
    for one in recipe.levels(base(X), X, 4):
        assert_allclose(one.K, recipe.at(one.level)(X), rtol=1e-9, atol=1e-12)
        assert not one.K.flags.writeable


def test_graphs_have_neighbourhoods_as_levels():
    graphs = list(load_dataset("mutag").rows)[:20]
    recipe = recipes_for(LabelPairs(), "graph")[-1]
    assert recipe.base == WeisfeilerLehman(level=0)
    for one in recipe.levels(np.empty((0, 0)), graphs, 3):
        assert_array_equal(one.K, WeisfeilerLehman(level=one.level)(graphs))
    assert not any(isinstance(one.kernel, WeisfeilerLehman) for one in recipes_for(Linear(), "vector"))
