"""Functions drawn by hand: the identity changes nothing, the last line goes on, eigenvalues follow the function."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import (
    RBF,
    DrawnOverlap,
    Eigenwise,
    Entrywise,
    Linear,
    Overlap,
    ParameterError,
    Power,
    Precomputed,
    ProbabilityOverlap,
    SquareRoot,
    parse,
)

X = np.random.default_rng(5).normal(size=(12, 3))


def test_straight_lines_on_the_diagonal_change_nothing():
    for heights in ((0.0, 1.0), (0.0, 0.5, 1.0), tuple(np.linspace(0, 1, 9))):
        np.testing.assert_allclose(Entrywise(Linear(), heights=heights, top=0.3)(X), Linear()(X), atol=1e-12)
        np.testing.assert_allclose(Eigenwise(Linear(), heights=heights)(X), Linear()(X), atol=1e-12)


def test_values_are_those_of_numpy_s_interpolation_with_the_sign_kept():
    heights, K = (0.0, 0.7, 0.9, 1.0), Linear()(X)
    top = float(np.abs(K).max())
    expected = np.sign(K) * np.interp(np.abs(K), top * np.linspace(0, 1, 4), top * np.array(heights))
    np.testing.assert_allclose(Entrywise(Linear(), heights=heights, top=top)(X), expected, atol=1e-12)
    many = tuple(np.sqrt(np.linspace(0, 1, 2001)))
    np.testing.assert_allclose(Entrywise(RBF(), heights=many)(X), Power(RBF(), p=0.5)(X), atol=1e-3)


def test_over_the_logarithm_powers_are_exact_and_zero_stays_zero():
    K = np.array([[0.0, 1e-9, 0.3], [-1e-9, 2.0, 70.0]])
    for p in (0.3, 0.5, 1.0, 2.0):
        heights = tuple(np.geomspace(1e-3, 1.0, 5) ** p)
        step = Entrywise(Precomputed(), heights=heights, top=50.0, bottom=0.05)
        np.testing.assert_allclose(step.change_entries(K.copy()), np.sign(K) * 50 * (np.abs(K) / 50) ** p, rtol=1e-12)
    K = RBF(sigma=0.5)(X)
    root = Eigenwise(RBF(sigma=0.5), heights=(0.1, 1.0), bottom=0.01)(X)
    top = np.linalg.eigvalsh(K)[-1]
    np.testing.assert_allclose(root, np.sqrt(top) * SquareRoot(RBF(sigma=0.5))(X), atol=1e-9)
    level = Entrywise(Precomputed(), heights=(1.0, 1.0), top=1.0, bottom=0.1)
    assert level.change_entries(np.array([0.0, 1e-12, 5.0])).tolist() == [0, 1, 1]


def test_a_link_from_before_evaluates_as_before():
    old = "Entrywise(Linear(), heights=(0.0, 0.7, 0.9, 1.0), top=3.0)"
    assert repr(parse(old)) == old
    expected = np.interp(1.2, [0, 1, 2, 3], [0, 2.1, 2.7, 3.0])
    assert parse(old)(np.array([[1.0], [1.2]]))[0, 1] == pytest.approx(expected)


def test_eigenvalues_follow_the_function_and_eigenvectors_stay():
    K, heights = RBF()(X), (0.0, 0.9, 1.0)
    values, U = np.linalg.eigh(K)
    expected = values[-1] * np.interp(values / values[-1], [0, 0.5, 1], heights)
    np.testing.assert_allclose(Eigenwise(RBF(), heights=heights)(X), (U * expected) @ U.T, atol=1e-12)


def test_a_drawn_weight_of_matches_is_that_of_the_formula():
    rows = np.array([["a", "x"], ["a", "y"], ["a", "x"], ["b", "x"], ["c", "y"]])
    alpha, heights = 1.0, (1.0, 0.75, 0.5, 0.25, 0.0)  # h(z) = 1 − z
    np.testing.assert_allclose(DrawnOverlap(heights=heights)(rows), ProbabilityOverlap(alpha=alpha)(rows), atol=1e-12)
    np.testing.assert_allclose(DrawnOverlap(heights=(1.0, 1.0))(rows), Overlap()(rows), atol=1e-12)
    drawn = DrawnOverlap(heights=(0.0, 1.0, 0.2))(rows)
    assert np.linalg.eigvalsh(drawn).min() > -1e-12
    with pytest.raises(ParameterError, match="none negative and one above 0"):
        DrawnOverlap(heights=(0.0, 0.0))
