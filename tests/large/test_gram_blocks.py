"""Gram matrices tile by tile: the same values for every kernel, in memory or in a file that a kill does not spoil."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import (
    RBF,
    Centered,
    DataError,
    Deep,
    DegenerateError,
    Empirical,
    Linear,
    Mismatch,
    Normalized,
    Nystrom,
    ParameterError,
    Polynomial,
    Power,
    ProbabilityOverlap,
    SoftMarginDiagonal,
    SquareRoot,
    Subsequence,
    TransductiveError,
)
from kernlib.large import GramOperator, gram_blocks
from tests.kernels.examples import EVERY
from tests.kernels.rows import rows_for
from tests.kernels.test_contract import learnable


@pytest.mark.parametrize("kernel", EVERY, ids=repr)
@settings(max_examples=4)
@given(data=st.data())
def test_every_kernel(kernel, data):
    X = data.draw(rows_for(kernel))
    n, y = len(X), np.arange(len(X)) % 2
    numbers = np.arange(n)
    with learnable():
        bound = kernel.bind(X)
    cases = [(bound, numbers)]
    if not kernel.transductive and kernel.reads not in ("node", "matrix"):
        cases.append((kernel, X))
    for one, rows in cases:
        with learnable():
            K = one.fold(rows, y=y).K
            found = gram_blocks(one, rows, y=y, block=3)
        scale = np.abs(K).max() + 1e-300
        assert_allclose(found, K, rtol=1e-9, atol=1e-12 * scale)
        assert_array_equal(found, found.T)
        product = GramOperator(one, rows, y=y, block=2) @ np.eye(n)
        assert_allclose(product, K, rtol=1e-9, atol=1e-12 * scale)


def test_a_transductive_kernel_is_refused_with_the_next_step():
    with pytest.raises(TransductiveError, match=r"gram_blocks: SquareRoot.*bind it while all rows fit"):
        gram_blocks(SquareRoot(Linear()), np.eye(3), block=2)


STEPS = [
    RBF(sigma="median"),
    Deep(Normalized(Linear()), level=2),
    Centered(Power(Linear(), p=0.5)) + Deep(RBF(sigma=1.0)),
    SoftMarginDiagonal(Deep(RBF(sigma=1.0))),
    Deep(SoftMarginDiagonal(Linear(), weight=5.0)),
    Empirical(Deep(Linear())),
    Nystrom(Centered(RBF()), landmarks=10),
]


@pytest.mark.parametrize("kernel", STEPS, ids=repr)
def test_what_learns_is_fitted_on_all_rows_and_once(kernel):
    X = np.random.default_rng(0).normal(size=(90, 3))
    y = np.arange(90) % 3
    K = kernel.fold(X, y=y).K
    found = gram_blocks(kernel, X, y=y, block=40)
    assert_allclose(found, K, rtol=1e-10, atol=1e-12)
    assert_array_equal(found, gram_blocks(kernel, X, y=y, block=40, jobs=2))
    # A fitted kernel is evaluated as it is, on rows that are not its own.
    fitted = kernel.fit(X[:50], y[:50])
    assert_allclose(gram_blocks(fitted, X, block=40), fitted(X), rtol=1e-10, atol=1e-12)


def test_a_file_holds_the_matrix_and_nothing_is_left_beside_it(tmp_path):
    X = ["".join(row) for row in np.random.default_rng(0).choice(list("ACGT"), (50, 20))]
    seen = []
    K = gram_blocks(Mismatch(length=3), X, tmp_path / "K.npy", block=20, progress=lambda *now: seen.append(now))
    assert seen == [(i, 6) for i in range(1, 7)]
    assert isinstance(K, np.memmap)
    assert not K.flags.writeable
    assert_array_equal(np.load(tmp_path / "K.npy"), Mismatch(length=3)(X))
    assert [f.name for f in tmp_path.iterdir()] == ["K.npy"]
    with pytest.raises(DataError, match="the file exists already"):
        gram_blocks(Linear(), np.eye(5), tmp_path / "K.npy")
    with pytest.raises(DegenerateError, match="expected finite"):
        gram_blocks(Linear(), np.eye(5) * 1e200, tmp_path / "inf.npy")
    assert {f.name for f in tmp_path.iterdir()} == {"K.npy"}  # no tile, no file


def test_an_interrupted_file_is_removed_and_one_being_written_is_left_alone(tmp_path):
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gram_blocks(RBF(), np.eye(60), tmp_path / "K.npy", block=20, progress=stop)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "K.npy.part").touch()
    with pytest.raises(DataError, match="left by a command that was killed"):
        gram_blocks(RBF(), np.eye(60), tmp_path / "K.npy")


def test_sizes_are_checked_before_anything_is_taken(tmp_path, monkeypatch):
    X = np.zeros((20_000, 1))
    monkeypatch.setenv("KERNLIB_MEMORY_MB", "100")
    with pytest.raises(DataError, match=r"takes 2.98 GiB; expected at most 0.0977 GiB. Name a file"):
        gram_blocks(Linear(), X)
    with pytest.raises(DataError, match="tiles of 8000 rows for 1 workers need more"):
        gram_blocks(Linear(), X, tmp_path / "K.npy", block=8000)
    monkeypatch.setenv("KERNLIB_MEMORY_MB", "1")
    with pytest.raises(DataError, match="tiles of 16 rows for 4 workers need more"):
        gram_blocks(Centered(Linear()), X, tmp_path / "K.npy", jobs=4)
    monkeypatch.delenv("KERNLIB_MEMORY_MB")
    monkeypatch.setattr("shutil.disk_usage", lambda path: os.statvfs_result and type("D", (), {"free": 2**30})())
    with pytest.raises(DataError, match=r"20000 rows need 2.98 GiB on disk; expected at most the 1 GiB.*11585 rows"):
        gram_blocks(Linear(), X, tmp_path / "K.npy")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(DataError, match="cannot be written there, No such file"):
        gram_blocks(Linear(), np.eye(3), tmp_path / "nowhere" / "K.npy")
    for wrong in ({"block": 0}, {"jobs": 1.5}, {"backend": "spark"}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            gram_blocks(Linear(), np.eye(3), **wrong)
    with pytest.raises(DataError, match=r"V must have one row for each of the 3 rows of K; got shape \(2,\)"):
        GramOperator(Linear(), np.eye(3)) @ np.ones(2)


def test_processes_give_the_same_bits(tmp_path):
    rows = np.random.default_rng(0).choice(list("AB"), (40, 6))
    X = ["".join(row) for row in np.random.default_rng(0).choice(list("ACGT"), (40, 12))]
    for kernel, sample in ((ProbabilityOverlap(), rows), (Deep(Subsequence(order=2)), X)):
        alone = gram_blocks(kernel, sample, block=15)
        assert_array_equal(gram_blocks(kernel, sample, block=15, jobs=2, backend="loky"), alone)


@pytest.mark.parametrize("spread", [30.0, 1.0])
def test_centring_by_tiles_refuses_what_centring_at_once_refuses(spread):
    X = 1e8 + spread * np.random.default_rng(0).normal(size=(30, 3))
    for kernel in (Centered(Linear()), Centered(Polynomial(degree=2)), Centered(Linear() + 1e16)):
        outcomes = []
        for way in (lambda k=kernel: k(X), lambda k=kernel: gram_blocks(k, X, block=10)):
            try:
                outcomes.append(way())
            except DegenerateError as error:
                outcomes.append(str(error))
        assert_array_equal(*outcomes)
        assert isinstance(outcomes[0], str) == (spread > 1)
