"""Values of pairs of single rows, each computed once: with progress, kept in memory and on disk."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..errors import OwnCodeError
from ..values.arrays import Array
from ..values.graph import Graph
from ..values.ledger import lock
from ..values.series import Series
from .digests import digest_of

#: Called with the number of pairs that are computed and their total; at most every `_OFTEN` seconds.
Progress = Callable[[int, int], object]
Given = Callable[[Any], dict[str, Any]]

_OFTEN = 0.5
#: Rows whose values are kept in memory, 72 MB; values on disk stay.
_ROWS = 3000
#: Pairs that are computed in both orders, so that an asymmetric function does not go unnoticed.
_BOTH = 10
#: A record on disk: the digests of both rows, the value, and the exclusive or of these five words.
_WORDS = 6
_MARK = np.uint64(0x6B65726E6C696201)

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


def cache_folder() -> Path:
    """Return the folder of values on disk: KERNLIB_CACHE, or kernlib's part of the user's folder of caches."""
    given = os.environ.get("KERNLIB_CACHE")
    if given:
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"), "kernlib", "cache")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "kernlib"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "kernlib")


def pair_values(function: Callable[..., Any], given: Given, cache: bool) -> Callable[..., Array]:
    """Return the Gram matrix of a function of two rows, as `OwnKernel` takes it."""

    def values(kernel: Any, X: Array, Y: Array | None = None) -> Array:
        named, owner = given(kernel), type(kernel).__name__

        def value(x: Any, y: Any) -> float:
            return _number(function(x, y, **named), owner)

        if _anew.get():
            others = X if Y is None else Y
            return np.array([[value(x, y) for y in others] for x in X]).reshape(len(X), len(others))
        kept = _kept(type(kernel).digest, named, cache)
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
        if not options.get("pairwise"):
            return 1.0
        named = {p.name: getattr(part, p.name) for p in part.parameters()}
        shares.append(_kept(type(part).digest, named, options["cache"]).share_left(part.checked_rows(X)))
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

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._numbers: dict[bytes, int] = {}
        self._values = np.full((0, 0), np.nan)
        self._read_to = 0

    def share_left(self, X: Array) -> float:
        with self._lock:
            self._read()
            places = self._places(X)
            return float(np.isnan(self._values[np.ix_(places, places)]).mean())

    def matrix_of(self, X: Array, Y: Array | None, value: Callable[[Any, Any], float], owner: str) -> Array:
        """Return the values of X against Y, (m, n), or of all pairs of X, after computing those that are missing."""
        with self._lock:
            if len(self._numbers) > _ROWS:
                self._numbers, self._values, self._read_to = {}, np.full((0, 0), np.nan), 0
            self._read()
            here = self._places(X)
            there = here if Y is None else self._places(Y)
            missing = np.argwhere(np.isnan(self._values[np.ix_(here, there)]))
            if len(missing):
                rows = X if Y is None else Y
                self._compute(missing, here, there, lambda i, j: (X[i], rows[j]), value, owner)
            return np.asarray(self._values[np.ix_(here, there)])

    def _compute(
        self, missing: Array, here: Array, there: Array, pair: Callable[[int, int], tuple[Any, Any]],
        value: Callable[[Any, Any], float], owner: str,
    ) -> None:  # fmt: skip
        once: dict[tuple[int, int], tuple[int, int]] = {}
        for i, j in missing:
            a, b = int(here[i]), int(there[j])
            once.setdefault((min(a, b), max(a, b)), (i, j))
        report, said, new = _progress.get(), time.monotonic(), list[tuple[int, int]]()
        with self._file() as file:
            for done, ((a, b), (i, j)) in enumerate(once.items()):
                x, y = pair(i, j)
                found = value(x, y)
                if done < _BOTH and a != b:
                    _require_symmetric(found, value(y, x), owner)
                self._values[a, b] = self._values[b, a] = found
                new.append((a, b))
                if time.monotonic() - said > _OFTEN:
                    said, new = time.monotonic(), self._write(file, new)
                    if report is not None:
                        report(done + 1, len(once))
            self._write(file, new)

    def _places(self, X: Array) -> Array:
        """Return the numbers of the rows in the matrix of values, which grows with them."""
        names = [_row_digest(x) for x in X]
        for name in names:
            self._numbers.setdefault(name, len(self._numbers))
        n, known = len(self._numbers), len(self._values)
        if n > known:
            larger = np.full((n, n), np.nan)
            larger[:known, :known] = self._values
            self._values = larger
        return np.array([self._numbers[name] for name in names], dtype=np.intp)

    def _read(self) -> None:
        """Read what this or another process has written since; damaged records are left out."""
        if self._path is None:
            return
        try:
            with self._path.open("rb") as file:
                file.seek(self._read_to)
                content = file.read()
        except OSError:
            return
        content = content[: len(content) // (8 * _WORDS) * 8 * _WORDS]
        self._read_to += len(content)
        words = np.frombuffer(content, dtype="<u8").reshape(-1, _WORDS)
        words = words[np.bitwise_xor.reduce(words, axis=1) == _MARK] if len(words) else words
        names = [(row[:2].tobytes(), row[2:4].tobytes()) for row in words]
        for name in dict.fromkeys(name for both in names for name in both):
            self._numbers.setdefault(name, len(self._numbers))
        self._places(np.empty(0))
        if names:
            a, b = np.array([[self._numbers[name] for name in both] for both in names]).T
            self._values[a, b] = self._values[b, a] = words[:, 4].copy().view("<f8")

    @contextmanager
    def _file(self) -> Iterator[IO[bytes] | None]:
        """Open the file for this process alone; None where the disk refuses or another process writes it."""
        file = None
        with suppress(OSError):
            if self._path is not None:
                self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                file = self._path.open("ab")
        try:
            if file is None or not lock(file.fileno()):
                yield None
            else:
                file.truncate(file.tell() // (8 * _WORDS) * 8 * _WORDS)
                yield file
        finally:
            if file is not None:
                file.close()

    def _write(self, file: IO[bytes] | None, new: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Write the values of these pairs; return no pairs."""
        if file is not None and new:
            names = list(self._numbers)
            words = np.empty((len(new), _WORDS), dtype="<u8")
            for row, (a, b) in zip(words, new, strict=True):
                row[:4] = np.frombuffer(names[a] + names[b], dtype="<u8")
            places = np.array(new)
            words[:, 4] = self._values[places[:, 0], places[:, 1]].astype("<f8").view("<u8")
            words[:, 5] = np.bitwise_xor.reduce(words[:, :5], axis=1) ^ _MARK
            with suppress(OSError):
                file.write(words.tobytes())
                file.flush()
        return []


stores: dict[str, _Kept] = {}
_stores_lock = threading.Lock()


def _kept(digest: str, named: dict[str, Any], cache: bool) -> _Kept:
    key = digest_of(digest, named)
    with _stores_lock:
        if key not in stores:
            while len(stores) >= 4:  # the values of a slider's last places
                stores.pop(next(iter(stores)))
            stores[key] = _Kept(cache_folder() / "pairs" / f"{key}.bin" if cache else None)
        return stores[key]


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
