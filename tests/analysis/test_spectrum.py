import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from kernlib import RBF
from kernlib.analysis.spectrum import decompose, kernel_pca
from kernlib.values.arrays import Factor

rbf = RBF()


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=20)
def test_the_empirical_map_reproduces_the_kernel(seed, centered):
    X = np.random.default_rng(seed).normal(size=(15, 3))
    K = rbf(X, X)
    pca = kernel_pca(K, centered=centered)
    H = np.eye(15) - (1 / 15 if centered else 0)
    target = H @ K @ H
    assert_allclose(pca.scores @ pca.scores.T, target, atol=1e-10)
    assert (np.diff(pca.eigenvalues) <= 0).all()
    assert pca.explained.sum() == pytest.approx(1)
    largest = pca.eigenvectors[np.abs(pca.eigenvectors).argmax(0), range(15)]
    assert (largest > 0).all() or centered


@pytest.mark.parametrize("centered", [False, True])
def test_projection_is_the_sum_of_the_definition(centered):
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(12, 2)), rng.normal(size=(4, 2))
    K, K_star = rbf(X, X), rbf(new, X)
    pca = kernel_pca(K, centered=centered, components=5)
    if centered:
        joint = rbf(np.r_[X, new], np.r_[X, new])
        weights = np.r_[np.full(12, 1 / 12), np.zeros(4)]
        H = np.eye(16) - weights
        K_star = (H @ joint @ H.T)[12:, :12]
    assert_allclose(pca.project(rbf(new, X)), K_star @ pca.eigenvectors / pca.eigenvalues, atol=1e-10)
    assert_allclose(pca.project(K), pca.eigenvectors, atol=1e-9)
    assert_allclose(pca.project(K, scaled=True), pca.scores, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_null_components_project_to_zero(scale):
    x = scale * np.arange(1.0, 5.0)
    projected = kernel_pca(np.outer(x, x)).project(np.outer([scale], x))
    assert projected[0, 0] != 0
    assert (projected[0, 1:] == 0).all()
    assert kernel_pca(np.outer(x, x)).rank == 1


def test_lanczos_gives_what_the_dense_way_gives():
    X = np.random.default_rng(2).normal(size=(320, 3))
    K = rbf(X, X)
    few, all_ = decompose(K, 10), decompose(K)
    assert_allclose(few.eigenvalues, all_.eigenvalues[:10], rtol=1e-9)
    assert_allclose(few.eigenvectors, all_.eigenvectors[:, :10], atol=1e-7)
    again = decompose(K, 10)
    assert (again.eigenvectors == few.eigenvectors).all()


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_lanczos_survives_constant_matrices(value):
    found = decompose(np.full((320, 320), value), 3)
    assert_allclose(found.eigenvalues, [320 * value, 0, 0], atol=1e-9)
    assert found.rank == (1 if value else 0)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
def test_a_factor_has_as_many_pairs_as_its_rank(scale):
    F = scale * np.array([[0.1, 0.2, 0.3], [0.7, 0.1, 0.8], [0.3, 0.3, 0.6], [0.5, 0.9, 1.4]])  # of rank 2
    found = decompose(Factor(F))
    assert_allclose(found.eigenvalues, decompose(F @ F.T, 2).eigenvalues)
    assert len(decompose(Factor(F), 1).eigenvalues) == 1
    assert decompose(Factor(0.0 * F)).eigenvalues.tolist() == [0.0]
