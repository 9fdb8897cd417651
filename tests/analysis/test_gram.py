import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from kernlib.analysis import (
    ORDERINGS,
    centre,
    class_separability,
    cosine,
    diagnose,
    gram,
    order_rows,
    squared_distances,
)
from kernlib.errors import DataError, DegenerateError, ParameterError
from kernlib.values.factor import Factor

seeds = st.integers(0, 10**6)


def vectors(seed, n=12, d=4):
    return np.random.default_rng(seed).normal(size=(n, d))


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_against_brute_force(seed):
    X = vectors(seed)
    K, n = X @ X.T, len(X)
    y = np.r_[0, 0, 1, 1, 2, 2, np.random.default_rng(seed).integers(0, 3, n - 6)]
    found = diagnose(K, y)
    off = np.array([K[i, j] for i in range(n) for j in range(n) if i != j])
    assert found.diagonal_ratio == pytest.approx(np.trace(K) / n / np.abs(off).mean())
    assert found.off_diagonal_spread == pytest.approx(off.std())
    assert found.off_diagonal.median == pytest.approx(np.median(off))
    values = np.linalg.eigvalsh(K)[::-1]
    assert_allclose(found.eigenvalues, values, atol=1e-10)
    p = values[:4] / values[:4].sum()
    assert found.effective_rank == pytest.approx(math.exp(-(p * np.log(p)).sum()))
    assert found.participation_ratio == pytest.approx(1 / (p**2).sum())
    assert found.psd
    assert found.condition == math.inf

    H = np.eye(n) - 1 / n
    Z = np.eye(3)[y]
    A, T = H @ K @ H, H @ Z @ Z.T @ H
    assert found.alignment == pytest.approx((A * T).sum() / np.linalg.norm(A) / np.linalg.norm(T))
    mean = X.mean(0)
    between = sum((y == c).sum() * ((X[y == c].mean(0) - mean) ** 2).sum() for c in range(3))
    within = sum(((X[y == c] - X[y == c].mean(0)) ** 2).sum() for c in range(3))
    assert found.separability == pytest.approx(between / within)
    for a in range(3):
        for b in range(3):
            pairs = [K[i, j] for i in range(n) for j in range(n) if i != j and (y[i], y[j]) == (a, b)]
            assert found.class_means[a, b] == pytest.approx(np.mean(pairs))


def test_two_classes_align_as_plus_and_minus_one():
    X = vectors(1)
    y = np.arange(12) % 2
    t = 2.0 * y - 1
    assert diagnose(X @ X.T, y).alignment == pytest.approx(gram.centred_alignment(X @ X.T, t))
    assert diagnose(X @ X.T, X[:, 0]).classes is None
    assert diagnose(X @ X.T, X[:, 0]).alignment > 0


@pytest.mark.parametrize("far", [1e3, 1e6, 1e7])
def test_classes_far_from_the_origin_are_told_apart_as_at_the_origin(far):
    """Scatter within of 4 beside a trace of 4·10¹⁴: taken for rounding, it would be infinitely small."""
    x, y = np.array([[0.0], [2.0], [10.0], [12.0]]), np.array([0, 0, 1, 1])
    near, moved = diagnose(x @ x.T, y), diagnose((x + far) @ (x + far).T, y)
    assert (near.separability, moved.separability) == (25.0, pytest.approx(25.0, rel=1e-2))
    assert moved.alignment == pytest.approx(near.alignment, rel=1e-2)
    odd = np.array([[1.0, 3.1], [20.2, 7.7]])[y] + far  # two points, as far as rounding can tell
    assert diagnose(odd @ odd.T, y).separability == math.inf
    assert class_separability(Factor(x + far / 3), y) == pytest.approx(25.0, rel=1e-7)


def test_the_condition_of_a_factor_is_that_of_its_matrix():
    F = np.random.default_rng(0).normal(size=(6, 9))
    whole, factor = diagnose(F @ F.T), diagnose(Factor(F), sample=np.arange(3))
    assert factor.condition == pytest.approx(whole.condition)
    assert not any("singular" in note for note in factor.notes)
    flat = diagnose(Factor(F[:, :2]), sample=np.arange(2))
    assert flat.condition == math.inf
    assert any("singular" in note for note in flat.notes)
    sparse = diagnose(Factor(np.vstack([np.zeros((2, 2)), np.eye(2)])), sample=np.arange(2))
    assert not any("zero everywhere" in note for note in sparse.notes), "the sample's rows are zero, not all rows"


def test_ranks_of_the_extremes():
    identity, constant = diagnose(np.eye(5)), diagnose(np.ones((5, 5)), [0, 0, 0, 1, 1])
    assert identity.effective_rank == pytest.approx(5)
    assert identity.diagonal_ratio == math.inf
    assert "every two rows are orthogonal" in identity.notes[0]
    assert constant.effective_rank == pytest.approx(1)
    assert constant.off_diagonal_spread == 0
    assert math.isnan(constant.alignment)
    assert math.isnan(constant.separability)
    assert any("there is no alignment" in note for note in constant.notes)
    assert any("All rows coincide" in note for note in constant.notes)


@pytest.mark.parametrize("value", [0.0, 0.1, 1e-12, 1e6])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_any_constant_matrix_is_described(value, n):
    found = diagnose(np.full((n, n), value), np.linspace(0, 1, n) + 0.5)
    assert found.psd
    assert found.off_diagonal_spread == 0 or n == 1
    assert math.isnan(found.alignment)
    assert found.notes


def test_indefinite_is_no_psd_and_eigenvalues_can_be_given():
    K = np.array([[0.0, 1.0], [1.0, 0.0]])
    found = diagnose(K)
    assert not found.psd
    assert found.smallest_eigenvalue == pytest.approx(-1)
    given_ones = diagnose(K, eigenvalues=[-1.0, 1.0])
    assert given_ones.eigenvalues.tolist() == [1.0, -1.0]
    assert given_ones.effective_rank == found.effective_rank
    with pytest.raises(DataError, match=r"eigenvalues must be all 2 of K; got shape \(1,\)"):
        diagnose(K, eigenvalues=[1.0])


def test_one_eigendecomposition_and_none_when_given(monkeypatch):
    calls = []
    real = np.linalg.eigvalsh
    monkeypatch.setattr(np.linalg, "eigvalsh", lambda K: calls.append(1) or real(K))
    diagnose(np.eye(3), [0, 0, 1])
    assert len(calls) == 1
    diagnose(np.eye(3), [0, 0, 1], eigenvalues=np.ones(3))
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("K", "words"),
    [
        ([[1.0, 2.0], [0.0, 1.0]], r"diagnose: K must be symmetric; got K\[0, 1\] = 2 and K\[1, 0\] = 0. Symmetrise"),
        ([[1.0, np.nan], [0.0, 1.0]], r"diagnose: K must be finite; got nan at \(0, 1\), 1 such entries"),
        ([[1.0, np.inf], [np.inf, 1.0]], r"must be finite; got inf at \(0, 1\), 2 such"),
        ([[1.0, 2.0]], r"diagnose: K must be square.*got shape \(1, 2\)"),
        ([1.0, 2.0], r"must be a matrix.*got shape \(2,\)"),
        ([["a", "b"]], r"must be a matrix of numbers; got list"),
    ],
)
def test_what_is_no_gram_matrix(K, words):
    with pytest.raises(DataError, match=words):
        diagnose(K)


@given(seeds, st.sampled_from([1e-6, 1.0, 1e6]))
@settings(max_examples=25, deadline=None)
def test_geometry_helpers(seed, scale):
    X, new = scale * vectors(seed), scale * vectors(seed + 1, 5)
    K, K_star = X @ X.T, new @ X.T
    dx, dy = (new**2).sum(1), (X**2).sum(1)
    direct = ((new[:, None] - X) ** 2).sum(-1)
    assert_allclose(squared_distances(K_star, dx, dy), direct, atol=1e-12 * scale**2)
    assert (squared_distances(K) >= 0).all()
    unit = lambda A: A / np.linalg.norm(A, axis=1, keepdims=True)  # noqa: E731
    assert_allclose(cosine(K_star, dx, dy), unit(new) @ unit(X).T)
    assert_allclose(np.diagonal(cosine(K)), 1)
    mean = X.mean(0)
    assert_allclose(centre(K), (X - mean) @ (X - mean).T, atol=1e-11 * scale**2)


def test_geometry_errors():
    with pytest.raises(DegenerateError, match=r"k\(x, x\) must be positive in every row; got 0 in row 1"):
        cosine(np.diag([1.0, 0.0]))
    with pytest.raises(DataError, match=r"K must be square when diag_x or diag_y is left out.*Pass diag_x"):
        squared_distances(np.ones((2, 3)))
    with pytest.raises(DataError, match=r"diag_y must have one value for each of the 3 columns"):
        squared_distances(np.ones((2, 3)), np.ones(2), np.ones(2))


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
    with pytest.raises(ParameterError, match=r"by must be one of 'as read', 'class'.*got 'colour'"):
        order_rows(np.eye(2), [0, 1], "colour")
    with pytest.raises(DataError, match="by='class' must have labels; got y=None"):
        order_rows(np.eye(2))


def test_class_sizes_are_those_of_the_entries():
    rng = np.random.default_rng(2)
    # Far from zero: the difference of mean squares would have no digit left.
    K = 1e8 + (lambda A: A + A.T)(rng.normal(size=(15, 15)))
    codes = np.arange(15) % 3
    found = diagnose(K, codes)
    for a in range(3):
        for b in range(3):
            entries = K[(codes[:, None] == a) & (codes == b) & ~np.eye(15, dtype=bool)]
            assert found.class_means[a, b] == pytest.approx(entries.mean())
