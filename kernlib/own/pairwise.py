"""Values of pairs of single rows, each computed once: with progress, kept in memory with the process."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..errors import OwnCodeError
from ..values.arrays import Array
from ..values.graph import Graph
from ..values.series import Series

#: Called with the number of pairs that are computed and their total; at most every `_OFTEN` seconds.
Progress = Callable[[int, int], object]
Given = Callable[[Any], dict[str, Any]]
#: A definition, and its parameters as text.
Key = tuple[str, str]
#: The digests of rows, and the values of their pairs; NaN where none is known.
Pairs = tuple[tuple[bytes, ...], Array]

_OFTEN = 0.5
#: Rows whose values are kept, 72 MB.
_ROWS = 3000
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
    """Compute every pair inside the block, as if none were kept: for timing."""
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

        if _anew.get():
            others = X if Y is None else Y
            return np.array([[value(x, y) for y in others] for x in X]).reshape(len(X), len(others))
        kept = _kept(_key(kernel, named)) if cache else _Kept()
        return kept.matrix_of(X, Y, value, owner)

    return values


def pair_diagonal(function: Callable[..., Any], given: Given) -> Callable[[Any, Array], Array]:
    """Return k(x, x) of a function of two rows."""
    return lambda kernel, X: np.array([_number(function(x, x, **given(kernel)), type(kernel).__name__) for x in X])


def share_left(kernel: Any, X: Any) -> float:
    """Return the share of the pairs of rows that a kernel's functions of two rows have still to compute; 1 if none is.

    Rows that steps change before they reach the function count as new.
    """
    shares = []
    for part in kernel.walk():
        if part.children:
            continue
        options: dict[str, Any] = getattr(type(part), "recipe", (None, (), {}))[2]
        if not (options.get("pairwise") and options["cache"]):
            return 1.0
        named = {p.name: getattr(part, p.name) for p in part.parameters()}
        kept = _stores.get(_key(part, named))
        shares.append(1.0 if kept is None else kept.share_left(part.checked_rows(X)))
    return max(shares, default=1.0)


def _number(value: Any, owner: str) -> float:
    try:
        number = np.asarray(value)
    except ValueError:  # lists of different lengths
        number = np.empty(0)
    if number.size != 1 or number.dtype.kind not in "fiub":
        shown = f"shape {number.shape}" if number.size > 1 else f"a {type(value).__name__}"
        raise OwnCodeError(f"{owner}: it returned {shown} for two rows; expected one real number. Return a float.")
    return float(number.reshape(()))


class _Kept:
    """The values of one function with one set of parameters, by the digests of the rows."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers: dict[bytes, int] = {}
        self._values = np.full((0, 0), np.nan)
        self._new = False

    def share_left(self, X: Array) -> float:
        with self._lock:
            places = [self._numbers[name] for name in map(_row_digest, X) if name in self._numbers]
            return 1.0 - float(np.isfinite(self._values[np.ix_(places, places)]).sum()) / len(X) ** 2

    def matrix_of(self, X: Array, Y: Array | None, value: Callable[[Any, Any], float], owner: str) -> Array:
        """Return the values of X against Y, (m, n), or of all pairs of X, after computing those that are missing."""
        with self._lock:
            self._make_room()
            here = self._places(X)
            there = here if Y is None else self._places(Y)
            missing = np.argwhere(np.isnan(self._values[np.ix_(here, there)]))
            if len(missing):
                rows = X if Y is None else Y
                self._compute(missing, here, there, lambda i, j: (X[i], rows[j]), value, owner)
            return np.asarray(self._values[np.ix_(here, there)])

    def _compute(
        self,
        missing: Array,
        here: Array,
        there: Array,
        pair: Callable[[int, int], tuple[Any, Any]],
        value: Callable[[Any, Any], float],
        owner: str,
    ) -> None:
        once: dict[tuple[int, int], tuple[int, int]] = {}
        for i, j in missing:
            a, b = int(here[i]), int(there[j])
            once.setdefault((min(a, b), max(a, b)), (i, j))
        report, last, self._new = _progress.get(), time.monotonic(), True
        for done, ((a, b), (i, j)) in enumerate(once.items()):
            x, y = pair(i, j)
            one = value(x, y)
            if done < _BOTH and a != b:
                _require_symmetric(one, value(y, x), owner)
            self._values[a, b] = self._values[b, a] = one
            if report is not None and time.monotonic() - last > _OFTEN:
                last = time.monotonic()
                report(done + 1, len(once))

    def new_pairs(self) -> Pairs | None:
        """Return all values if some were computed since the last call; else None."""
        with self._lock:
            new, self._new = self._new, False
            return (tuple(self._numbers), self._values) if new else None

    def add(self, pairs: Pairs) -> None:
        """Add the values of another process with the same definition."""
        names, values = pairs
        with self._lock:
            self._make_room()
            places = self._numbered(names)
            known = self._values[np.ix_(places, places)]
            self._values[np.ix_(places, places)] = np.where(np.isnan(known), values, known)

    def _make_room(self) -> None:
        if len(self._numbers) > _ROWS:
            self._numbers, self._values = {}, np.full((0, 0), np.nan)

    def _places(self, X: Array) -> Array:
        """Return the numbers of the rows in the matrix of values, which grows with them."""
        return self._numbered([_row_digest(x) for x in X])

    def _numbered(self, names: Sequence[bytes]) -> Array:
        for name in names:
            self._numbers.setdefault(name, len(self._numbers))
        n, known = len(self._numbers), len(self._values)
        if n > known:
            larger = np.full((n, n), np.nan)
            larger[:known, :known] = self._values
            self._values = larger
        return np.array([self._numbers[name] for name in names], dtype=np.intp)


_stores: dict[Key, _Kept] = {}
_stores_lock = threading.Lock()


def new_pairs() -> dict[Key, Pairs]:
    """Return the values that this process has computed since the last call, for the process that asked for them."""
    with _stores_lock:
        stores = tuple(_stores.items())
    return {key: pairs for key, kept in stores if (pairs := kept.new_pairs()) is not None}


def add_pairs(pairs: dict[Key, Pairs]) -> None:
    """Keep the values that a helper process has computed."""
    for key, values in pairs.items():
        _kept(key).add(values)


def _key(kernel: Any, named: dict[str, Any]) -> Key:
    return type(kernel).definition, repr(named)


def _kept(key: Key) -> _Kept:
    with _stores_lock:
        if key not in _stores:
            while len(_stores) >= 4:  # the values of a slider's last places
                _stores.pop(next(iter(_stores)))
            _stores[key] = _Kept()
        return _stores[key]


def _row_digest(row: Any) -> bytes:
    """Return 16 bytes that stand for one row."""
    h = hashlib.blake2b(digest_size=16)
    row = row.values if isinstance(row, Series) else row
    if isinstance(row, np.ndarray) and row.dtype != object:
        h.update(f"{row.dtype.str}{row.shape}".encode() + np.ascontiguousarray(row).tobytes())
    elif isinstance(row, Graph):
        labels = None if row.edge_labels is None else row.edge_labels.tolist()
        h.update(row.adjacency.tobytes() + repr((row.n, row.labels, labels)).encode())
    else:
        plain = row.tolist() if isinstance(row, np.ndarray) else row
        h.update(f"{type(plain).__name__} {plain!r}".encode("utf-8", "surrogatepass"))
    return h.digest()


def _require_symmetric(one: float, other: float, owner: str) -> None:
    if not abs(one - other) <= 1e-6 * max(abs(one), abs(other)) and one == one:
        raise OwnCodeError(
            f"{owner}: it is not symmetric, f(x, y) = {one:.6g} and f(y, x) = {other:.6g}; expected the same value. "
            "Return (f(x, y) + f(y, x)) / 2, or write a function of all rows with @kernel_from."
        )
