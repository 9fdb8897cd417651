"""The level at which deep kernels collapse."""

import numpy as np
from numpy.testing import assert_array_equal

from kernlib import RBF, Diffusion
from kernlib.analysis import collapse, level_numbers, levels_of, levels_to_collapse
from kernlib.data import load_dataset


def test_the_collapse_is_that_of_the_levels():
    iris = load_dataset("iris")
    for K in (
        RBF(sigma=2.4)(iris.rows),
        Diffusion(beta=0.1)(load_dataset("lawyers").inputs),
        RBF(sigma=0.05)(iris.rows),
    ):
        numbers = {one.level: level_numbers(one) for one in levels_of(K, 32)}
        found = levels_to_collapse(K)
        assert found[-1].level == collapse(numbers).level
        assert_array_equal([one.K for one in found], [one.K for one in levels_of(K, len(found) - 1)])


def test_a_matrix_that_does_not_collapse_and_one_that_has():
    rng = np.random.default_rng(0)
    assert levels_to_collapse(np.ones((5, 5)))[-1].level == 0
    assert levels_to_collapse(np.eye(8))[-1].level == 0
    X = np.r_[np.zeros((10, 1)), np.full((10, 1), 50.0)] + 0.01 * rng.normal(size=(20, 1))
    assert levels_to_collapse(RBF(sigma=1.0)(X), limit=2)[-1].level == 2
