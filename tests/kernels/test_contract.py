"""The contract of every kernel: shapes, symmetry, diagonal, PSD, unseen rows, binding, repr.

A registered kernel is checked here without a word of its own; what else is true of it stands in
the test beside its name.
"""

from __future__ import annotations

import pickle
import warnings
from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, find, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import kernlib
from kernlib import Empirical, Kernel, Linear, Normalized, NotFittedError
from kernlib.errors import DegenerateError
from kernlib.numerics.blocks import all_sizes
from kernlib.parse import parse
from kernlib.registry import KERNELS

from .examples import EVERY
from .rows import POSITIVE, rows_for

contract = settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@pytest.mark.parametrize("kernel", EVERY, ids=repr)
@contract
@given(data=st.data())
def test_contract(kernel, data):
    """The Gram matrix of rows, and the same rows as training rows and rows that no fit has seen."""
    X = data.draw(rows_for(kernel))
    cut = data.draw(st.integers(1, len(X) - 1))
    with learnable(required=False):
        check_gram_matrix(kernel, X, data.draw(st.sampled_from([1, 7, 50])))
    with learnable():
        check_unseen_rows(kernel, X, cut)


@contextmanager
def learnable(required: bool = True):
    """Rows that leave nothing to learn from are outside the contract; required ones are drawn again."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            yield
    except DegenerateError as error:
        assert "expected" in str(error)
        assume(not required)


def check_gram_matrix(kernel: Kernel, X, size: int):
    K = kernel(X)
    assert K.shape == (len(X), len(X))
    assert K.dtype == np.float64
    assert np.isfinite(K).all()
    assert_array_equal(K, K.T)
    scale = np.abs(K).max() + 1e-300
    diagonal = kernel.diag(X)
    assert diagonal.dtype == np.float64
    assert_allclose(diagonal, np.diag(K), rtol=1e-9, atol=1e-12 * scale)
    if kernel.is_psd:
        assert np.linalg.eigvalsh(K).min() >= -1e-9 * scale * len(X)
    with all_sizes(size):  # by blocks of few rows, and by methods for large matrices
        blocks = kernel(X)
    assert_allclose(blocks, K, rtol=1e-7, atol=1e-9 * scale)
    assert_array_equal(blocks, blocks.T)


def check_unseen_rows(kernel: Kernel, X, cut: int):
    """fit, call, fold and bind tell the same story about rows that no fit has seen."""
    train, test = np.arange(cut), np.arange(cut, len(X))
    y = np.arange(cut) % 2
    if kernel.transductive or kernel.reads == "matrix":  # met bound to all rows only
        fold = kernel.bind(X).fold(train, test)
        assert_allclose(fold.K_star, kernel.bind(X).fit(train)(test, train))
        return
    rows = _indexable(X)
    fitted = kernel.fit(rows(train), y)
    K, K_star, whole = fitted(rows(train)), fitted(rows(test), rows(train)), fitted(X, X)
    close = dict(rtol=1e-8, atol=1e-10 * (np.abs(whole).max() + 1e-300))
    assert_allclose(whole[:cut, :cut], K, **close)
    assert_allclose(whole[cut:, :cut], K_star, **close)
    assert_allclose(fitted.diag(rows(test)), np.diag(whole)[cut:], **close)
    for fold in (kernel.fold(rows(train), rows(test), y), kernel.bind(X).fold(train, test, y)):
        assert_allclose(fold.K, K, **close)
        assert_allclose(fold.K_star, K_star, **close)
        assert_allclose(fold.k_diag, np.diag(whole)[cut:], **close)


def test_text_and_value():
    for kernel in EVERY:
        again = parse(repr(kernel))
        for same in (again, pickle.loads(pickle.dumps(kernel))):
            assert same == kernel
            assert hash(same) == hash(kernel)
            assert repr(same) == repr(kernel)
        assert eval(repr(kernel), vars(kernlib)) == kernel
        assert all(isinstance(chip, str) and chip for chip in kernel.chain())
    assert len({*EVERY}) == len({repr(kernel) for kernel in EVERY})


def test_unfitted_on_new_rows():
    for kernel in EVERY:
        X = _smallest(kernel)
        if kernel.learns and not kernel.transductive:
            with pytest.raises(NotFittedError, match=r"kernel\.fit\(train\)"):
                kernel(X, X)
        elif kernel.transductive:
            with pytest.raises(kernlib.TransductiveError, match="bind"):
                kernel(X, X)


def test_composes():
    """Whatever a kernel is, it can be scaled, added, normalised and mapped, and still binds."""
    for kernel in EVERY:
        X = _smallest(kernel)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            assert np.isfinite(Normalized(kernel + 0.5 * kernel)(X)).all()
            n = len(X)
            fold = Empirical(kernel).bind(X).fold(np.arange(n - 1), np.arange(n - 1, n))
        assert fold.K_star.shape == (1, n - 1)


def _indexable(X):
    return (lambda i: X[i]) if isinstance(X, np.ndarray | kernlib.Pairs) else (lambda i: [X[j] for j in i])


@cache
def _smallest(kernel: Kernel):
    small = {
        "vector": np.array([[0.0, 1.0], [1.0, 0.5], [2.0, -1.0]]),
        "categorical": np.array([["a", "b"], ["a", "c"], ["d", "c"]], dtype=object),
        "sequence": ["ACGTACG", "ACGGACG", "TTGTACG"],
        "text": ["the cat purrs", "a cat", "the dog"],
    }
    apart = ("LocalityImprovedImage", *POSITIVE)
    if kernel.reads in small and not any(name in repr(kernel) for name in apart):
        return small[kernel.reads]
    # The first that are drawn: to search for smaller ones takes long, for every kernel, when tests are collected.
    return find(rows_for(kernel), lambda X: len(X) >= 3, settings=settings(phases=[Phase.generate]))


def test_every_public_kernel_is_registered():
    public = {v for v in vars(kernlib).values() if isinstance(v, type) and issubclass(v, Kernel)}
    kinds = {Kernel, kernlib.Wrapper, kernlib.RowStep, kernlib.MatrixStep, kernlib.WholeStep, kernlib.Shorthand}
    kinds |= {kernlib.OwnKernel}  # the base of classes that are user-defined
    assert public - kinds == set(KERNELS)


def test_every_kernel_is_documented():
    for cls in KERNELS:
        name = cls.__name__
        assert cls.formula, f"{name} needs a formula for the page"
        assert cls.source, f"{name}: where it comes from"
        assert cls.cost, f"{name}: what it costs"
        assert ">>>" in (cls.__doc__ or ""), f"{name} needs an example that runs"
        for p in cls.parameters():
            assert p.symbol, (name, p.name)
            assert p.help, (name, p.name)
            if p.kind in ("float", "int") and p.low is not None:
                assert p.low < p.high
                p.clean(p.low if p.kind == "float" else int(p.low), name)
                p.clean(p.high if p.kind == "float" else int(p.high), name)


def test_sums_and_products_stay_the_tree_that_was_written():
    a, b, c = Linear(), kernlib.RBF(), kernlib.Polynomial()
    assert repr((a * b) + c) == "Linear() * RBF(sigma=1.0) + Polynomial(degree=3, offset=1.0)"
    assert repr(a * (b + c)) == "Linear() * (RBF(sigma=1.0) + Polynomial(degree=3, offset=1.0))"
    assert (a * b) + c != a * (b + c)
    assert a + (b + c) != (a + b) + c
    assert repr(sum([a, b, c])) == repr(a + b + c)
    for k in (a + (b + c), (a + b) ** 2, 2 * (a + b), (2 * a) ** 3, 2 * (3 * a), 1 + a, (a**2) ** 3, a * (b * c)):
        assert parse(repr(k)) == k
