"""The form of each domain's rows, checked once by every leaf kernel."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from numbers import Real
from typing import Any, Literal

import numpy as np

from ..errors import DomainError
from .arrays import Array, not_finite
from .graph import Graph

Domain = Literal["vector", "categorical", "sequence", "text", "graph", "node", "pair", "matrix", "mixed", "row", "any"]
#: The domains of data sets; the other domains occur only inside kernels.
DATA_DOMAINS: tuple[Domain, ...] = (
    "vector", "categorical", "mixed", "sequence", "text", "graph", "node", "pair", "matrix",
)  # fmt: skip

_EXPECTED: dict[Domain, str] = {
    "vector": "a finite float array of shape (n, d)",
    "categorical": "an array of shape (n, d) whose columns are all nominal",
    "sequence": "a list of n strings",
    "text": "a list of n strings",
    "graph": "a list of n Graph objects",
    "node": "a square (n, n) adjacency or similarity matrix",
    "pair": "an integer array of shape (n, 2) of row numbers",
    "matrix": "a square (n, n) matrix of scores or inner products",
    "mixed": "an array of shape (n, d) with columns of several types",
    "row": "row numbers of the data that the kernel is bound to",
    "any": "rows of any kind",
}

_OTHER = "choose a kernel for this data"


def check_rows(domain: Domain, X: Any, owner: str) -> Array:
    """Return `X` as the array that kernels of `domain` compute with, or DomainError in one sentence.

    Strings and graphs become one-dimensional object arrays, so that every domain is indexed by
    rows in the same way.

    >>> check_rows("sequence", ["ACGT", "AC"], "Spectrum").shape
    (2,)
    """
    if domain == "any":
        return _any(X, owner)
    if domain in ("sequence", "text"):
        return _strings(domain, X, owner)
    if domain == "graph":
        return _graphs(X, owner)
    if domain == "row":
        return _row_numbers(X, owner)
    array = _as_array(domain, X, owner)
    if domain in ("categorical", "mixed"):
        if array.ndim != 2 or 0 in array.shape:
            raise _wrong(domain, owner, f"shape {array.shape}", "X.reshape(-1, 1) makes one column")
        return array
    if domain == "pair":
        if array.ndim != 2 or array.shape[1] != 2 or array.shape[0] == 0 or array.dtype.kind not in "iu":
            raise _wrong(domain, owner, _describe(array), "give two row numbers for every pair")
        return array
    array = _finite(domain, array, owner)
    if domain in ("node", "matrix") and array.shape[0] != array.shape[1]:
        raise _wrong(domain, owner, f"shape {array.shape}", "bind the kernel to the whole square matrix")
    return array


def _as_array(domain: Domain, X: Any, owner: str) -> Array:
    if isinstance(X, (str, bytes)) or not isinstance(X, Iterable):
        raise _wrong(domain, owner, f"a {type(X).__name__}", "pass all rows at once")
    try:
        array = np.asarray(X)
    except ValueError:
        raise _wrong(domain, owner, "rows of different lengths", "give every row the same columns") from None
    if domain in ("categorical", "mixed") and array.dtype.kind in "US" and not hasattr(X, "dtype"):
        # NumPy turns all entries of a list with words into words: 1, 1.0 and NaN would be '1', '1.0' and 'nan'.
        array = np.asarray(X, dtype=object)
    return array


def _finite(domain: Domain, array: Array, owner: str) -> Array:
    if array.dtype.kind == "O":
        array = _numbers(domain, array, owner)
    if array.dtype.kind not in "fiub":
        what = "text" if array.dtype.kind in "US" else f"values of type {array.dtype}"
        raise _wrong(domain, owner, what, f"encode the columns as numbers, or {_OTHER}")
    if array.ndim != 2 or 0 in array.shape:
        raise _wrong(domain, owner, f"shape {array.shape}", "X.reshape(-1, 1) makes one column")
    array = np.asarray(array, dtype=np.float64)
    bad = not_finite(array)
    if len(bad):
        i, j = bad[0]
        raise DomainError(
            f"{owner}: row {i}, column {j} is {array[i, j]}; expected {_EXPECTED[domain]}. "
            f"{len(bad)} value(s) are NaN or infinite: drop those rows or fill them in first."
        )
    return array


def _numbers(domain: Domain, array: Array, owner: str) -> Array:
    """Return numbers stored as Python objects as floats, as in a table of mixed columns; a gap becomes NaN."""
    for place, value in np.ndenumerate(array):
        if not (value is None or isinstance(value, Real)):
            where = f"{value!r:.40} in row {place[0]}" + (f", column {place[1]}" if len(place) > 1 else "")
            raise _wrong(domain, owner, where, f"encode the columns as numbers, or {_OTHER}")
    return array.astype(np.float64)


def _require_rows(domain: Domain, X: Any, owner: str, step: str = "put it in a list") -> None:
    if isinstance(X, (str, bytes)) or not isinstance(X, Iterable) or not isinstance(X, Sized):
        raise _wrong(domain, owner, f"one {type(X).__name__}", step)
    if len(X) == 0:
        raise _wrong(domain, owner, "no rows", "give at least one")


def _object_rows(X: Any) -> Array:
    rows = np.empty(len(X), dtype=object)
    for i, x in enumerate(X):
        rows[i] = x
    return rows


def _strings(domain: Domain, X: Any, owner: str) -> Array:
    _require_rows(domain, X, owner)
    if getattr(X, "ndim", 1) != 1:
        axes = np.ndim(np.asarray(X))
        raise _wrong(domain, owner, f"an array with {axes} axes", "join each row's letters into one string")
    for i, x in enumerate(X):
        if not isinstance(x, str):
            step = "join each row's letters or words into one string" if isinstance(x, list | tuple) else _OTHER
            raise _wrong(domain, owner, f"a {type(x).__name__} in row {i}", step)
    return _object_rows([str(x) for x in X])


def _graphs(X: Any, owner: str) -> Array:
    _require_rows("graph", X, owner)
    for i, x in enumerate(X):
        if not isinstance(x, Graph):
            raise _wrong("graph", owner, f"a {type(x).__name__} in row {i}", "wrap it: Graph(adjacency, labels)")
    return _object_rows(X)


def _row_numbers(X: Any, owner: str) -> Array:
    array = np.asarray(X)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise _wrong("row", owner, _describe(array), "pass for example np.arange(n)")
    return array.astype(np.intp, copy=False)


def _any(X: Any, owner: str) -> Array:
    _require_rows("any", X, owner, "pass all rows at once")
    return X if isinstance(X, np.ndarray) else _object_rows(X)


def _describe(array: Array) -> str:
    return f"shape {array.shape} of {array.dtype}"


def _wrong(domain: Domain, owner: str, got: str, step: str) -> DomainError:
    return DomainError(f"{owner} reads {_EXPECTED[domain]}; got {got}. Next: {step}.")
