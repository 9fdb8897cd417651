"""What is true of every kernel on every rows, or a sentence of ours says why it cannot be had."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kernlib import Centered, Kernel, KernlibError, Log, Pairs, parse

from .cases import Case

__all__ = ["broken"]


class _Refused(Exception):
    """The kernel cannot be had on these rows, and says so itself."""


def broken(case: Case) -> list[str] | None:
    """What is not true of this case; None where the kernel refuses these rows altogether."""
    try:
        return list(_broken(case))
    except _Refused:
        return None


def _broken(case: Case) -> Iterator[str]:
    kernel, X = case.kernel, case.rows
    again = parse(repr(kernel))
    if not (again == kernel and repr(again) == repr(kernel) and hash(again) == hash(kernel)):
        yield f"parse(repr(k)) is {again!r}"
    if pickle.loads(pickle.dumps(kernel)) != kernel:
        yield "the pickle is another kernel"
    try:
        K = _ours(lambda: kernel.fold(X, y=case.y).K)
    except _Foreign as error:
        yield str(error)
        return
    n = len(X)
    if K.shape != (n, n) or K.dtype != np.float64:
        yield f"k(X) has shape {K.shape} and type {K.dtype}"
        return
    if not np.isfinite(K).all():
        yield "k(X) is not finite, and nobody says so"
        return
    if not np.array_equal(K, K.T):
        yield f"k(X) is not symmetric, by {np.abs(K - K.T).max():.1e}"
    scale = float(np.abs(K).max())
    if kernel.is_psd and scale > 0:
        smallest = float(np.linalg.eigvalsh(K / scale).min())
        # A learnt distance or a root of one has half of the digits.
        if smallest < -1e-6 * n:
            yield f"is_psd, with an eigenvalue {smallest:.1e} of the largest entry"
    yield from _agree(case, K, max(scale, _before_centring(case)) * _widened(case, case.kernel))


def _widened(case: Case, kernel: Kernel) -> float:
    """By how much a logarithm in a kernel widens the tolerance: of a value that cancels out, it shows the rounding.

    ⟨x, y⟩ = 0 of rows with ‖x‖² = 10¹⁸ is any number up to 100, whose logarithm is a tenth of the largest one.
    """
    widened = max((_widened(case, child) for child in kernel.children), default=1.0)
    if isinstance(kernel, Log):
        try:
            scale = float(np.abs(_ours(lambda: kernel.kernel.fold(case.rows, y=case.y).K)).max())
        except (_Refused, _Foreign):
            return widened
        if scale > 0:
            widened = max(widened, 1e6 * np.log1p(1e-13 * scale) / np.log1p(scale))
    return widened


def _before_centring(case: Case) -> float:
    """The largest entry without centring, 0 for a kernel without it: centring leaves the rounding of that entry."""
    uncentred = _without_centring(case.kernel)
    if uncentred == case.kernel:
        return 0.0
    try:
        return float(np.abs(_ours(lambda: uncentred.fold(case.rows, y=case.y).K)).max())
    except (_Refused, _Foreign):
        return 0.0


def _without_centring(kernel: Kernel) -> Kernel:
    """The kernel without its `Centered` steps."""
    return _without_centring(kernel.kernel) if isinstance(kernel, Centered) else kernel.with_children(_without_centring)


def _agree(case: Case, K: np.ndarray, scale: float) -> Iterator[str]:
    """Every other way to the same numbers."""
    kernel, X, n = case.kernel, case.rows, len(case.rows)
    everything = np.arange(n)

    def same(name: str, found: Callable[[], np.ndarray], wanted: np.ndarray, extent: float = scale) -> Iterator[str]:
        try:
            value = _ours(found)
        except _Refused:
            yield f"{name} is refused where k(X) is not"
            return
        except _Foreign as error:
            yield f"{name}: {error}"
            return
        difference = float(np.abs(value - wanted).max(initial=0.0))
        if value.shape != wanted.shape or not difference <= 1e-6 * max(extent, 1e-300):
            yield f"{name} differs by {difference:.1e} where entries reach {extent:.1e}"

    # The diagonal is raised for training rows: k(X) and a fold know which they are, a call of two sets does not.
    raised = "SoftMarginDiagonal" in repr(kernel)
    yield from same("bind and fold", lambda: kernel.bind(X).fold(everything, y=case.y).K, K)
    if kernel.transductive or kernel.reads == "matrix":
        return
    try:
        fitted = _ours(lambda: kernel.fit(X, case.y))
    except (_Refused, _Foreign) as error:
        yield f"fit: {error}"
        return
    if raised:
        return  # tests/kernels/test_softmargin.py says what holds
    yield from same("fit, then k(X)", lambda: fitted(X), K)
    if not kernel.learns:
        yield from same("k(X) as it is", lambda: kernel(X), K)
    yield from same("k(X, X)", lambda: fitted(X, X), K)
    if kernel.has_factor:
        rows = fitted.checked_rows(X)
        yield from same("short rows", lambda: fitted.factor_rows(rows) @ fitted.factor_rows(rows).T, K)
    yield from same("diag", lambda: fitted.diag(X), np.diagonal(K))
    yield from same("row by row", lambda: np.vstack([fitted(_taken(X, [i]), X) for i in range(n)]), K)
    if len(case.test):
        train, test = _taken(X, case.train), _taken(X, case.test)
        yield from same("k(Y, X)", lambda: fitted(test, train), K[np.ix_(case.test, case.train)])
        yield from same("k(X, Y)'", lambda: fitted(train, test).T, K[np.ix_(case.test, case.train)])
        yield from _unseen(kernel, train, test, X, case)


def _unseen(kernel: Kernel, train: Any, test: Any, X: Any, case: Case) -> Iterator[str]:
    """Learnt from some rows and asked about others: the fold, the bound fold and the fitted kernel tell one story."""
    y = case.y[case.train]
    try:
        told = _ours(lambda: kernel.fold(train, test, y))
    except _Refused:
        return
    except _Foreign as error:
        yield f"fold: {error}"
        return
    extent = _widened(case, kernel) * max(
        _before_centring(case),
        float(np.abs(told.K).max()),
        float(np.abs(told.K_star).max()),
        float(np.abs(told.k_diag).max()),
        1e-300,
    )
    for name, make in (
        ("bind, then fold", lambda: kernel.bind(X).fold(case.train, case.test, y)[1:]),
        ("fit, then call", lambda: _called(kernel.fit(train, y), train, test)),
    ):
        try:
            other = _ours(make)
        except (_Refused, _Foreign) as error:
            yield f"{name}: {error}, where fold is not"
            continue
        for part, a, b in zip(("K", "K_star", "k_diag"), other, told[1:], strict=True):
            difference = float(np.abs(a - b).max(initial=0.0))
            if not difference <= 1e-6 * extent:
                yield f"{name}: {part} differs by {difference:.1e} where entries reach {extent:.1e}"


def _called(fitted: Kernel, train: Any, test: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return fitted(train), fitted(test, train), fitted.diag(test)


def _taken(X: Any, which: Any) -> Any:
    return X[which] if isinstance(X, np.ndarray | Pairs) else [X[i] for i in which]


class _Foreign(Exception):
    """An exception or a warning that is not ours."""


def _ours(call: Callable[[], Any]) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", UserWarning)  # ours, to a person: many columns, few rows
            return call()
    except KernlibError as error:
        raise _Refused(str(error)) from None
    except Exception as error:
        raise _Foreign(f"{type(error).__name__}: {error}"[:300]) from None
