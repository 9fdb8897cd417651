"""Matrices that were computed elsewhere: scores as they are, distances as a kernel that has them."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from kernlib import (
    RBF,
    Centered,
    Deep,
    Linear,
    Normalized,
    Precomputed,
    PrecomputedDistances,
    PrincipalComponents,
    Repaired,
)
from kernlib.numerics.distances import looks_like_distances

X = np.random.default_rng(3).normal(size=(12, 4))
D = squareform(pdist(X))


def test_precomputed_gives_the_matrix_and_keeps_the_users():
    S = np.array([[1.0, -2.0], [-2.0, 0.5]])
    bound = Precomputed().bind(S)
    np.testing.assert_array_equal(bound([1, 0]), S[::-1, ::-1])
    np.testing.assert_array_equal(Precomputed().diag(S), [1.0, 0.5])
    S[0, 0] = 9.0  # still the user's to write
    assert bound([0]) == 1.0
    assert not Precomputed().is_psd
    assert not Precomputed().transductive
    # Rounding between the halves, as a product of matrices leaves it, is no asymmetry.
    K = Precomputed()(S + np.array([[0.0, 1e-12], [0.0, 0.0]]))
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose((Precomputed() + 0.5 * Precomputed())(S), 1.5 * S)
    assert Linear().reads != Precomputed().reads


def test_distances_of_points_serve_as_well_as_the_points():
    k = PrecomputedDistances()
    np.testing.assert_allclose(Centered(k)(D), Centered(Linear())(X), atol=1e-12)
    np.testing.assert_allclose(Deep(k, level=2)(D), Deep(Linear(), level=2)(X), rtol=1e-10)
    np.testing.assert_allclose(Normalized(Deep(k, bandwidths=(2.0,)))(D), RBF(sigma=2.0)(X), rtol=1e-10)
    train, test = np.arange(8), np.arange(8, 12)
    fold = Deep(k).bind(D).fold(train, test)
    np.testing.assert_allclose(fold.K, Deep(Linear()).fit(X[:8])(X[:8]), rtol=1e-10)
    np.testing.assert_allclose(fold.K_star, Deep(Linear()).fit(X[:8])(X[8:], X[:8]), rtol=1e-10)


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
    np.testing.assert_allclose(scaled(roads), (U * np.maximum(s, 0.0)) @ U.T, atol=1e-6)
    plane = PrincipalComponents(Centered(PrecomputedDistances()), components=2)(roads)
    np.testing.assert_allclose(plane, (U[:, -2:] * s[-2:]) @ U[:, -2:].T, atol=1e-6)


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
