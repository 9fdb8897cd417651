"""Leading eigenpairs in memory and beyond it, of arrays, files and tiles: those of a full decomposition."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, Centered, DataError, DegenerateError, Linear, ParameterError, Polynomial, Power
from kernlib.large import GramOperator, gram_blocks, leading, leading_eigenpairs
from kernlib.numerics.blocks import all_sizes

pytestmark = pytest.mark.usefixtures("one_thread")
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


def beyond_memory(monkeypatch):
    monkeypatch.setattr(leading, "memory_budget", lambda: 0)


@pytest.fixture(params=["full", "in memory", "beyond memory"])
def pairs(request, tmp_path, monkeypatch):
    """The leading pairs of an array by one of the ways."""

    def found(K, k):
        if request.param == "beyond memory":
            beyond_memory(monkeypatch)
            np.save(tmp_path / "K.npy", K)
            K = np.load(tmp_path / "K.npy", mmap_mode="r")
        with all_sizes(1000 if request.param == "full" else 100):
            return leading_eigenpairs(K, k)

    return found


@pytest.mark.parametrize("name", MATRICES)
def test_the_leading_pairs_are_those_of_a_full_decomposition(name, pairs):
    K, k = MATRICES[name], 8
    found = pairs(K, k)
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
    assert np.array_equal(pairs(K, k).eigenvectors, U)


def test_a_file_and_tiles_give_the_same_pairs(tmp_path, monkeypatch):
    kernel, expected = RBF(sigma=1.5), np.linalg.eigvalsh(MATRICES["rbf"])[:-11:-1]
    tiles = GramOperator(kernel, X, block=100)
    for dtype, close in (("float64", 1e-9), ("float32", 1e-5)):
        gram_blocks(kernel, X, tmp_path / f"{dtype}.npy", block=100)
        np.save(tmp_path / "K.npy", np.load(tmp_path / f"{dtype}.npy").astype(dtype))
        K = np.load(tmp_path / "K.npy", mmap_mode="r")
        assert leading_eigenpairs(K, 10).method == "full"  # 240 rows
        with monkeypatch.context() as small, all_sizes(100):
            assert leading_eigenpairs(tiles, 10).passes == 0
            beyond_memory(small)
            for source, near in ((K, close), (tiles, 1e-9)):
                found = leading_eigenpairs(source, 10)
                assert_allclose(found.eigenvalues, expected, rtol=near)
                assert f"lanczos, {found.passes} passes over K" in found.words()
                assert "l₁; the others carry" in found.words()


def test_low_rank_takes_few_passes_and_a_negative_matrix_an_end(tmp_path, monkeypatch):
    """ARPACK's own rule asked for 559 passes where the rank was below the pairs, and for no end of them below 0."""
    beyond_memory(monkeypatch)
    rows = np.random.default_rng(0).normal(size=(1200, 3))
    for K in (Linear()(rows), Polynomial(degree=2)(rows)):
        np.save(tmp_path / "K.npy", K)
        found = leading_eigenpairs(np.load(tmp_path / "K.npy", mmap_mode="r"), 10)
        largest = np.abs(np.linalg.eigvalsh(K)).max()
        assert found.residuals.max() <= 1e-8 * largest
        assert_allclose(found.eigenvalues, np.linalg.eigvalsh(K)[:-11:-1], rtol=0, atol=1e-8 * largest)
        assert found.passes < 60
    with pytest.raises(DegenerateError, match=r"found \d of 10 pairs of 1200 rows in 20 restarts"):
        leading_eigenpairs(-RBF()(rows), 10)


def test_pairs_that_are_not_found_are_an_error(monkeypatch):
    monkeypatch.setattr(leading, "_RESTARTS", 1)
    with all_sizes(100), pytest.raises(DegenerateError, match=r"found \d of 8 pairs of 240 rows in 1 restarts"):
        leading_eigenpairs(with_eigenvalues(np.linspace(1.0, 0.99, 240)), 8)


def test_passes_are_told(monkeypatch):
    beyond_memory(monkeypatch)
    told = []
    with all_sizes(100):
        found = leading_eigenpairs(
            GramOperator(RBF(sigma=1.5), X, block=100), 10, progress=lambda *state: told.append(state)
        )
    assert told[:7] == [*((done, 6, 0) for done in range(1, 7)), (1, 6, 1)]
    assert told[-1] == (6, 6, found.passes - 1)


def test_refused(tmp_path, monkeypatch):
    for wrong in (np.ones(3), np.ones((2, 3)), "K"):
        with pytest.raises(DataError, match="K must be a square matrix or a GramOperator"):
            leading_eigenpairs(wrong, 1)
    with pytest.raises(ParameterError, match="1 <= components <= 240"):
        leading_eigenpairs(np.eye(240), 0)
    lopsided, gaps = np.eye(240), np.eye(240)
    # One entry that hardly shows in products: every tile is compared with its mirror image.
    lopsided[7, 230], gaps[3, 3] = 1e-6, np.nan
    for K, message in ((lopsided, "K must be symmetric"), (gaps, "K must be finite")):
        np.save(tmp_path / "K.npy", K)
        stored = np.load(tmp_path / "K.npy", mmap_mode="r")
        for size in (1, 100, 1000):
            with all_sizes(size), monkeypatch.context() as small:
                for source in (K, stored):
                    with pytest.raises(DataError, match=message):
                        leading_eigenpairs(source, 5)
                if size < 200:
                    beyond_memory(small)
                    with pytest.raises(DataError, match=message):
                        leading_eigenpairs(stored, 5)
    monkeypatch.setenv("KERNLIB_MEMORY_MB", "1")
    with pytest.raises(DataError, match=r"a decomposition in memory of 240 rows takes .*at most 30 pairs"):
        leading_eigenpairs(GramOperator(Linear(), X, block=50), 5)
