"""Values of a function of two single rows: computed with progress, the last matrices kept in memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..core.steps import RowStep
from ..errors import OwnCodeError
from ..values.arrays import Array

#: Called with the number of pairs that are computed and their total; at most every `_OFTEN` seconds.
Progress = Callable[[int, int], object]
Given = Callable[[Any], dict[str, Any]]
#: A definition, its parameters as text, and the digest of the rows.
Key = tuple[str, str, str]

_OFTEN = 0.5
#: Matrices of all pairs that are kept, such as those of a slider's last places, and the bytes of the largest.
_MATRICES, _LARGEST = 8, 72_000_000
#: Pairs that are computed in both orders, so that an asymmetric function does not go unnoticed.
_BOTH = 10

_progress: ContextVar[Progress | None] = ContextVar("progress", default=None)
_anew: ContextVar[bool] = ContextVar("anew", default=False)


@contextmanager
def progress_of_pairs(report: Progress) -> Iterator[None]:
    """Report the progress of all pairs that this thread computes inside the block."""
    token = _progress.set(report)
    try:
        yield
    finally:
        _progress.reset(token)


@contextmanager
def computed_anew() -> Iterator[None]:
    """Compute every pair inside the block, as if no matrix were kept: for timing."""
    token = _anew.set(True)
    try:
        yield
    finally:
        _anew.reset(token)


def pair_values(function: Callable[..., Any], given: Given, cache: bool) -> Callable[..., Array]:
    """Return the Gram matrix of a function of two rows, as `OwnKernel` takes it."""

    def values(kernel: Any, X: Array, Y: Array | None = None) -> Array:
        named, owner = given(kernel), type(kernel).__name__

        def value(x: Any, y: Any) -> float:
            return _number(function(x, y, **named), owner)

        if Y is not None or not cache or _anew.get():
            return _computed(X, Y, value, owner)
        key = _key(kernel, named, X)
        with _lock:
            K = _kept.get(key)
        if K is None:
            K = _computed(X, None, value, owner)
            with _lock:
                _new.add(key)
        _keep(key, K)
        return K

    return values


def pair_diagonal(function: Callable[..., Any], given: Given) -> Callable[[Any, Array], Array]:
    """Return k(x, x) of a function of two rows."""
    return lambda kernel, X: np.array([_number(function(x, x, **given(kernel)), type(kernel).__name__) for x in X])


def _computed(X: Array, Y: Array | None, value: Callable[[Any, Any], float], owner: str) -> Array:
    """Return the values of X against Y, or of all pairs of X, each pair evaluated once; report the progress."""
    others = X if Y is None else Y
    K = np.empty((len(X), len(others)))
    todo = np.argwhere(np.tri(len(X), dtype=bool).T if Y is None else np.ones(K.shape, dtype=bool))
    report, last = _progress.get(), time.monotonic()
    for done, (i, j) in enumerate(todo, 1):
        K[i, j] = value(X[i], others[j])
        if done <= _BOTH and (Y is not None or i != j):
            _require_symmetric(K[i, j], value(others[j], X[i]), owner)
        if Y is None:
            K[j, i] = K[i, j]
        if report is not None and time.monotonic() - last > _OFTEN:
            last = time.monotonic()
            report(done, len(todo))
    return K


def _number(value: Any, owner: str) -> float:
    try:
        number = np.asarray(value)
    except ValueError:  # lists of different lengths
        number = np.empty(0)
    if number.size != 1 or number.dtype.kind not in "fiub":
        shown = f"shape {number.shape}" if number.size > 1 else f"a {type(value).__name__}"
        raise OwnCodeError(f"{owner}: it returned {shown} for two rows; expected one real number. Return a float.")
    return float(number.reshape(()))


_lock = threading.Lock()
#: The last matrices, the one used last at the end, and those of them that were computed since `new_matrices`.
_kept: dict[Key, Array] = {}
_new: set[Key] = set()


def _keep(key: Key, K: Array) -> None:
    with _lock:
        _kept.pop(key, None)
        if K.nbytes <= _LARGEST:
            _kept[key] = K
        for oldest in [*_kept][:-_MATRICES]:
            del _kept[oldest]
        _new.intersection_update(_kept)


def new_matrices() -> dict[Key, Array]:
    """Return the matrices that this process has computed since the last call, for the process that asked for them."""
    with _lock:
        new = {key: _kept[key] for key in _new}
        _new.clear()
    return new


def add_matrices(matrices: dict[Key, Array]) -> None:
    """Keep the matrices that a helper process has computed."""
    for key, K in matrices.items():
        _keep(key, K)


def of_pairs(kernel: Any) -> dict[str, Any] | None:
    """Return the options of a kernel that is made from a function of two single rows; None for any other."""
    options: dict[str, Any] = getattr(type(kernel), "recipe", (None, (), {}))[2]
    return options if options.get("pairwise") else None


def is_kept(kernel: Any, X: Any) -> bool:
    """Return whether the matrices of rows X by all functions of two rows in a kernel are kept, and it has no others."""
    parts = tuple(kernel.walk())
    leaves = [part for part in parts if not part.children]
    if any(isinstance(part, RowStep) for part in parts) or not all(map(of_pairs, leaves)):
        return False
    named = [{p.name: getattr(leaf, p.name) for p in leaf.parameters()} for leaf in leaves]
    return all(_key(leaf, given, leaf.checked_rows(X)) in _kept for leaf, given in zip(leaves, named, strict=True))


def _key(kernel: Any, named: dict[str, Any], X: Array) -> Key:
    from joblib import hash as digest

    return type(kernel).definition, repr(named), str(digest(np.ascontiguousarray(X)))


def _require_symmetric(one: float, other: float, owner: str) -> None:
    if not abs(one - other) <= 1e-6 * max(abs(one), abs(other)) and one == one:
        raise OwnCodeError(
            f"{owner}: it is not symmetric, f(x, y) = {one:.6g} and f(y, x) = {other:.6g}; expected the same value. "
            "Return (f(x, y) + f(y, x)) / 2, or write a function of all rows with @kernel_from."
        )
