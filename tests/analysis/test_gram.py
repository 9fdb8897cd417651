import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from kernlib.analysis import (
    ORDERINGS,
    centre,
    cosine,
    diagnose,
    gram,
    order_rows,
    squared_distances,
)

seeds = st.integers(0, 10**6)


def vectors(seed, n=12, d=4):
    return np.random.default_rng(seed).normal(size=(n, d))


@given(seeds)
@settings(max_examples=25)
def test_against_brute_force(seed):
    X = vectors(seed)
    K, n = X @ X.T, len(X)
    y = np.r_[0, 0, 1, 1, 2, 2, np.random.default_rng(seed).integers(0, 3, n - 6)]
    found = diagnose(K, y)
    off = K[~np.eye(n, dtype=bool)]
    assert found.diagonal_ratio == pytest.approx(np.trace(K) / n / np.abs(off).mean())
    values = np.linalg.eigvalsh(K)[::-1]
    assert_allclose(found.eigenvalues, values, atol=1e-10)
    p = values[:4] / values[:4].sum()
    assert found.effective_rank == pytest.approx(math.exp(-(p * np.log(p)).sum()))
    assert found.psd

    H = np.eye(n) - 1 / n
    Z = np.eye(3)[y]
    A, T = H @ K @ H, H @ Z @ Z.T @ H
    assert found.alignment == pytest.approx((A * T).sum() / np.linalg.norm(A) / np.linalg.norm(T))


def test_two_classes_align_as_plus_and_minus_one():
    X = vectors(1)
    y = np.arange(12) % 2
    t = 2.0 * y - 1
    assert diagnose(X @ X.T, y).alignment == pytest.approx(gram.centred_alignment(X @ X.T, t))
    assert diagnose(X @ X.T, X[:, 0]).alignment > 0


def test_ranks_of_the_extremes():
    identity, constant = diagnose(np.eye(5)), diagnose(np.ones((5, 5)), [0, 0, 0, 1, 1])
    assert identity.effective_rank == pytest.approx(5)
    assert identity.diagonal_ratio == math.inf
    assert constant.effective_rank == pytest.approx(1)
    assert math.isnan(constant.alignment)


@pytest.mark.parametrize("value", [0.0, 0.1, 1e-12, 1e6])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_any_constant_matrix_is_described(value, n):
    found = diagnose(np.full((n, n), value), np.linspace(0, 1, n) + 0.5)
    assert found.psd
    assert math.isnan(found.alignment)


def test_indefinite_is_no_psd_and_eigenvalues_can_be_given():
    K = np.array([[0.0, 1.0], [1.0, 0.0]])
    found = diagnose(K)
    assert not found.psd
    assert found.smallest == pytest.approx(-1)
    given_ones = diagnose(K, eigenvalues=[-1.0, 1.0])
    assert given_ones.eigenvalues.tolist() == [1.0, -1.0]
    assert given_ones.effective_rank == found.effective_rank


def test_one_eigendecomposition_and_none_when_given(monkeypatch):
    calls = []
    real = np.linalg.eigvalsh
    monkeypatch.setattr(np.linalg, "eigvalsh", lambda K: calls.append(1) or real(K))
    diagnose(np.eye(3), [0, 0, 1])
    assert len(calls) == 1
    diagnose(np.eye(3), [0, 0, 1], eigenvalues=np.ones(3))
    assert len(calls) == 1


@given(seeds, st.sampled_from([1e-6, 1.0, 1e6]))
@settings(max_examples=25)
def test_geometry_helpers(seed, scale):
    X = scale * vectors(seed)
    K = X @ X.T
    assert_allclose(squared_distances(K), ((X[:, None] - X) ** 2).sum(-1), atol=1e-12 * scale**2)
    assert (squared_distances(K) >= 0).all()
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    assert_allclose(cosine(K), unit @ unit.T, atol=1e-12)
    mean = X.mean(0)
    assert_allclose(centre(K), (X - mean) @ (X - mean).T, atol=1e-11 * scale**2)


def test_a_row_without_length_has_no_cosine():
    assert cosine(np.diag([1.0, 0.0])).tolist() == [[1, 0], [0, 0]]


@pytest.mark.parametrize("by", ORDERINGS)
def test_every_order_is_a_permutation_and_classes_stay_together(by):
    X = vectors(3, 20)
    y = np.array(list("abcabbaccbaabbccabca"))
    X[:, 0] += 9 * (y == "a")
    order = order_rows(X @ X.T, y, by)
    assert sorted(order) == list(range(20))
    if by.startswith("class"):
        assert y[order].tolist() == sorted(y)
    if by == "as read":
        assert order.tolist() == list(range(20))
    if by == "class, then eigenvector":
        leading = np.linalg.eigh(X @ X.T)[1][:, -1]
        within = leading[order][y[order] == "a"]
        assert (np.diff(within) >= 0).all() or (np.diff(within) <= 0).all()


def test_clustering_puts_clusters_together():
    x = np.array([0.0, 100.0, 1.0, 101.0, 2.0])
    assert set(order_rows(np.outer(x, x), by="clustering")[:2].tolist()) in ({1, 3}, {0, 2}, {0, 4}, {2, 4})
