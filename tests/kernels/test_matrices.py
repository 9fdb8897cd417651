"""Matrices that were computed elsewhere, and pairs of their rows."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import pdist, squareform

from kernlib import (
    RBF,
    Centered,
    Deep,
    Linear,
    MetricPairs,
    Normalized,
    Pairs,
    Precomputed,
    PrecomputedDistances,
    PrincipalComponents,
    Repaired,
    TensorPairs,
)
from kernlib.numerics.distances import looks_like_distances

# -- matrices ----------------------------------------------------------------------------------


X = np.random.default_rng(3).normal(size=(12, 4))
D = squareform(pdist(X))


def test_precomputed_leaves_the_matrix_to_the_user():
    S = np.array([[1.0, -2.0], [-2.0, 0.5]])
    bound = Precomputed().bind(S)
    S[0, 0] = 9.0
    assert_array_equal(bound([1, 0]), [[0.5, -2.0], [-2.0, 1.0]])
    # Rounding between the halves, as a product of matrices leaves it, is no asymmetry.
    K = Precomputed()(S + np.array([[0.0, 1e-12], [0.0, 0.0]]))
    assert_array_equal(K, K.T)


def test_distances_of_points_serve_as_well_as_the_points():
    k = PrecomputedDistances()
    assert_allclose(Centered(k)(D), Centered(Linear())(X), atol=1e-12)
    assert_allclose(Deep(k, level=2)(D), Deep(Linear(), level=2)(X), rtol=1e-10)
    assert_allclose(Normalized(Deep(k, bandwidths=(2.0,)))(D), RBF(sigma=2.0)(X), rtol=1e-10)


def test_classical_scaling_of_road_distances():
    """Torgerson's points of distances on a sphere, which no plane has: negative directions are left out."""
    towns = np.radians([[52.5, 13.4], [48.9, 2.4], [41.9, 12.5], [40.4, -3.7], [59.3, 18.1]])
    (lat, lon), n = towns.T, len(towns)
    angle = np.sin(lat[:, None]) * np.sin(lat) + np.cos(lat[:, None]) * np.cos(lat) * np.cos(lon[:, None] - lon)
    roads = 6371.0 * np.arccos(np.clip(angle, -1.0, 1.0))
    np.fill_diagonal(roads, 0.0)
    J = np.eye(n) - 1.0 / n
    s, U = np.linalg.eigh(-0.5 * J @ roads**2 @ J)
    assert s[0] < -1.0
    scaled = Repaired(Centered(PrecomputedDistances()))
    assert_allclose(scaled(roads), (U * np.maximum(s, 0.0)) @ U.T, atol=1e-6)
    plane = PrincipalComponents(Centered(PrecomputedDistances()), components=2)(roads)
    assert_allclose(plane, (U[:, -2:] * s[-2:]) @ U[:, -2:].T, atol=1e-6)


def test_the_largest_distances_and_twins_are_finite():
    far = np.array([[0.0, 1e150, 0.0], [1e150, 0.0, 1e150], [0.0, 1e150, 0.0]])
    K = PrecomputedDistances()(far)
    assert np.isfinite(K).all()
    assert not np.signbit(K[K == 0]).any()
    assert np.isfinite(Deep(PrecomputedDistances())(far)).all()


@pytest.mark.parametrize(
    ("S", "whether"),
    [
        (D, True),
        (D**2, True),
        (-D, False),
        (D + np.eye(12), False),
        (np.exp(-D), False),
        ((D < 1.5).astype(float) - np.eye(12), False),  # links
        (np.zeros((4, 4)), False),
    ],
    ids=["distances", "squared", "negative", "a diagonal", "likeness", "links", "nothing"],
)
def test_what_looks_like_distances(S, whether):
    assert looks_like_distances(S) is whether


# -- pairs -------------------------------------------------------------------------------------


S = np.array([[2.0, 1.0, -0.5], [1.0, 3.0, 0.2], [-0.5, 0.2, 1.0]])


def test_the_base_learns_from_the_objects_of_the_training_pairs():
    X = np.random.default_rng(1).normal(size=(6, 2))
    train, test = np.array([[0, 1], [1, 3]]), np.array([[4, 5]])
    learnt = RBF(sigma="median").fit(X[[0, 1, 3]])
    expected = TensorPairs(learnt.bind(X))
    everything = np.vstack([train, test])
    spec, bound = TensorPairs(RBF(sigma="median")), TensorPairs(RBF(sigma="median").bind(X))
    for fold in (
        spec.fold(Pairs(X, train), Pairs(X, test)),
        bound.fold(train, test),
        spec.bind(Pairs(X, everything)).fold([0, 1], [2]),
        bound.bind(everything).fold([0, 1], [2]),
    ):
        assert_allclose(fold.K, expected(train))
        assert_allclose(fold.K_star, expected(test, train))
        assert_allclose(fold.k_diag, expected.diag(test))


def test_a_base_matrix_is_computed_once_for_a_sum(monkeypatch):
    calls = []
    original = Linear.gram
    monkeypatch.setattr(Linear, "gram", lambda k, X, Y: calls.append(1) or original(k, X, Y))
    (TensorPairs(Linear() + 1.0) + MetricPairs(Linear() + 1.0) + 1.0).bind(Pairs(S, [[0, 1], [1, 2]]))
    assert len(calls) == 1


def test_pairs_are_rows():
    pairs = Pairs(S, [[0, 1], [1, 2], [2, 2]])
    assert len(pairs) == 3
    assert pairs.shape == (3,)
    assert_array_equal(pairs[[0, 2]].numbers, [[0, 1], [2, 2]])
    assert len(pairs[0]) == 1
    assert_array_equal(pairs[np.array([True, False, True])].numbers, [[0, 1], [2, 2]])
