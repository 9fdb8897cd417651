"""Leading eigenpairs by every method, from an array, a file and tiles: those of a full decomposition, errors stated."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, Centered, DataError, Linear, ParameterError, Polynomial, Power
from kernlib.large import GramOperator, gram_blocks, leading, leading_eigenpairs
from kernlib.numerics.blocks import all_sizes

pytestmark = pytest.mark.usefixtures("one_thread")
METHODS = ("full", "lanczos", "randomised")
RNG = np.random.default_rng(0)


def with_eigenvalues(values):
    """A symmetric matrix of these eigenvalues, and as many zeros as there are rows left of 240."""
    Q = np.linalg.qr(RNG.normal(size=(240, len(values))))[0]
    K = (Q * values) @ Q.T
    return (K + K.T) / 2


X = RNG.normal(size=(240, 3))
MATRICES = {
    "rbf": RBF(sigma=1.5)(X),
    "equal rows": RBF(sigma=0.5)(np.repeat(X[:48], 5, axis=0)),
    "rank 3": Linear()(X),
    "tiny eigenvalues": with_eigenvalues(10.0 ** -np.arange(0.0, 30.0)),
    "equal eigenvalues": with_eigenvalues([5.0] * 12 + [1.0] * 100),
    "indefinite": Power(Linear(), p=0.3)(X),
    "negative leads in size": with_eigenvalues([-100.0, -50.0, 3.0, 2.0, 1.0]),
    "identity": np.eye(240),
    "zeros": np.zeros((240, 240)),
    "centred": Centered(Polynomial(degree=2))(X),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", MATRICES)
def test_the_leading_pairs_are_those_of_a_full_decomposition(name, method):
    K, k = MATRICES[name], 8
    found = leading_eigenpairs(K, k, method=method)
    expected = np.linalg.eigvalsh(K)[::-1]
    scale = max(np.abs(expected).max(), 1e-300)
    l, U = found.eigenvalues, found.eigenvectors
    rounding = 240 * np.finfo(float).eps * scale
    # Within the stated error of each, and that error is what it says.
    assert (np.abs(l - expected[:k]) <= found.residuals + rounding).all()
    assert_allclose(np.linalg.norm(K @ U - U * l, axis=0), found.residuals, atol=rounding)
    assert found.residuals.max() <= 1e-8 * scale + rounding
    assert found.error * np.abs(l).max() == pytest.approx(found.residuals.max(), rel=1e-12, abs=0)
    assert_allclose(U.T @ U, np.eye(k), atol=1e-10)
    assert found.trace == pytest.approx(np.trace(K), abs=rounding)
    if found.trace > rounding:
        assert found.trace_left == pytest.approx(1 - expected[:k].sum() / np.trace(K), abs=1e-6)
    assert np.array_equal(leading_eigenpairs(K, k, method=method).eigenvectors, U)


def test_a_file_and_tiles_give_the_same_pairs(tmp_path):
    kernel, expected = RBF(sigma=1.5), np.linalg.eigvalsh(MATRICES["rbf"])[:-11:-1]
    for dtype, close in (("float64", 1e-9), ("float32", 1e-5)):
        gram_blocks(kernel, X, tmp_path / f"{dtype}.npy", block=100)
        np.save(tmp_path / "K.npy", np.load(tmp_path / f"{dtype}.npy").astype(dtype))
        K = np.load(tmp_path / "K.npy", mmap_mode="r")
        found = leading_eigenpairs(K, 10, method="randomised")
        assert_allclose(found.eigenvalues, expected, rtol=close)
        assert leading_eigenpairs(K, 10).method == "full"  # 240 rows
    tiles = GramOperator(kernel, X, block=100)
    for method in METHODS:
        found = leading_eigenpairs(tiles, 10, method=method)
        assert_allclose(found.eigenvalues, expected, rtol=1e-9)
    assert "randomised" in found.words()
    assert "l₁; the others carry" in found.words()


def test_the_method_is_chosen_by_size():
    K, tiles = MATRICES["rbf"], GramOperator(RBF(sigma=1.5), X)
    with all_sizes(200):
        assert leading_eigenpairs(K, 10).method == "lanczos"
        assert leading_eigenpairs(tiles, 10).method == "randomised"
        assert leading_eigenpairs(K, 150).method == leading_eigenpairs(tiles, 150).method == "full"


def test_what_was_not_reached_is_said(monkeypatch):
    monkeypatch.setattr(leading, "_PASSES", 1)
    found = leading_eigenpairs(MATRICES["rbf"], 8, method="randomised")
    assert found.passes == 1
    assert found.error > 1e-4
    nearest = np.abs(np.linalg.eigvalsh(MATRICES["rbf"])[:, None] - found.eigenvalues).min(axis=0)
    assert (nearest <= found.residuals).all()


def test_refused(tmp_path, monkeypatch):
    for wrong in (np.ones(3), np.ones((2, 3)), "K"):
        with pytest.raises(DataError, match="K must be a square matrix or a GramOperator"):
            leading_eigenpairs(wrong, 1)
    with pytest.raises(ParameterError, match="1 <= components <= 240"):
        leading_eigenpairs(np.eye(240), 0)
    with pytest.raises(ParameterError, match="method must be one of auto"):
        leading_eigenpairs(np.eye(4), 1, method="power")
    lopsided, gaps = np.eye(240), np.eye(240)
    lopsided[200, 2], gaps[3, 3] = 1.0, np.nan
    for method in METHODS:
        with pytest.raises(DataError, match="K must be symmetric"):
            leading_eigenpairs(lopsided, 5, method=method)
        with pytest.raises(DataError, match="K must be finite"):
            leading_eigenpairs(gaps, 5, method=method)
    # One entry that hardly shows in products with random columns: every tile is compared with its mirror image.
    stored = np.lib.format.open_memmap(tmp_path / "K.npy", mode="w+", dtype="float64", shape=(240, 240))
    stored[:] = np.eye(240)
    stored[7, 230] = 1e-6
    for size in (1, 200):
        with (
            all_sizes(size),
            pytest.raises(DataError, match=r"K must be symmetric; got K\[7, 230\] = 1e-06 and K\[230, 7"),
        ):
            leading_eigenpairs(stored, 5, method="randomised")
    monkeypatch.setenv("KERNLIB_MEMORY_MB", "1")
    with pytest.raises(DataError, match=r"a decomposition in memory of 240 rows takes .*at most 20 pairs"):
        leading_eigenpairs(GramOperator(Linear(), X, block=50), 5, method="full")
