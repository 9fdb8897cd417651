"""Nominal columns as numbers: which entries of a column are the same modality, and matches counted fast.

Entries are compared as Python compares them (1 == 1.0 == True), whatever the dtype; a missing
entry (None, NaN, NaT) is one modality of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..blocks import over_row_blocks
from ..errors import DomainError
from ..values.arrays import Array

__all__ = ["Codes", "common_codes", "features", "modality_codes", "row_codes", "weighted_matches"]

Codes = NDArray[np.intp]

#: A modality that fewer than this share of the rows carry costs less as a sparse feature than as a column of a GEMM.
_RARE = 1 / 20
#: Below this many entries of the dense feature matrix the sparse detour is not worth its overhead.
_DENSE_ENTRIES = 1 << 16
#: So many rows make a matrix product that runs at full speed.
_BLOCK_ROWS = 256
_MISSING = object()


def modality_codes(column: Array, owner: str = "kernel") -> tuple[Codes, int]:
    """The number of each entry's modality, and how many modalities there are.

    >>> modality_codes(np.array(["b", "a", "b"]))[0].tolist()
    [1, 0, 1]
    >>> modality_codes(np.array([None, 1.5, float("nan")], dtype=object))[0].tolist()
    [0, 1, 0]
    """
    kind = column.dtype.kind
    if kind in "iub":
        return _integer_codes(column)
    if kind == "f":
        return _sorted_codes(column)
    if kind in "US" and column.dtype.itemsize:
        return _letter_codes(column)
    return _object_codes(column, owner)


def common_codes(parts: Sequence[Array], owner: str = "kernel") -> tuple[list[Codes], int]:
    """Codes of several pieces of one column, the same modality with the same number in all of them."""
    kinds = {p.dtype.kind for p in parts}
    # Unlike kinds meet as Python objects: NumPy would turn 1 and "1" into the same string.
    joined = np.concatenate([p if len(kinds) == 1 else p.astype(object) for p in parts])
    codes, m = modality_codes(joined, owner)
    return np.split(codes, np.cumsum([len(p) for p in parts])[:-1]), m


def row_codes(columns: Sequence[Codes]) -> tuple[Codes, int]:
    """The number of each whole row, from the codes of its columns: equal rows share one."""
    joint, m = _integer_codes(columns[0])
    for codes in columns[1:]:
        joint, m = _integer_codes(joint * (int(codes.max()) + 1) + codes)
    return joint, m


def _integer_codes(values: Array) -> tuple[Codes, int]:
    low, high = int(values.min()), int(values.max())
    if high - low > 4 * len(values) + 1024:
        return _sorted_codes(values)
    # Unsigned numbers may exceed int64, signed ones may overflow their own width.
    wide = values if values.dtype.kind == "u" else values.astype(np.int64, copy=False)
    offsets = (wide - wide.dtype.type(low)).astype(np.intp, copy=False)
    present = np.bincount(offsets) > 0
    return (np.cumsum(present) - 1)[offsets], int(present.sum())


def _sorted_codes(values: Array) -> tuple[Codes, int]:
    distinct, codes = np.unique(values, return_inverse=True)
    return codes.reshape(-1), len(distinct)


def _letter_codes(column: Array) -> tuple[Codes, int]:
    # A fixed-width string is a row of code points: letter by letter, sorting no strings.
    letter = np.dtype(np.uint32 if column.dtype.kind == "U" else np.uint8)
    width = column.dtype.itemsize // letter.itemsize
    if width > 32:
        return _object_codes(column, "kernel")
    native = np.ascontiguousarray(column).astype(column.dtype.newbyteorder("="), copy=False)
    letters = native.view(letter).reshape(len(column), width)
    joint, m = _integer_codes(letters[:, 0])
    for j in range(1, width):
        if letters[:, j].any():
            codes, size = _integer_codes(letters[:, j])
            joint, m = _integer_codes(joint * size + codes)
    return joint, m


def _object_codes(column: Array, owner: str) -> tuple[Codes, int]:
    numbers: dict[Any, int] = {}
    number = numbers.setdefault
    try:
        codes = np.fromiter((number(v, len(numbers)) for v in column.tolist()), np.intp, len(column))
    except TypeError:
        bad = next(v for v in column.tolist() if not _hashable(v))
        raise DomainError(
            f"{owner} reads nominal columns; expected entries that can be compared (text, numbers, None), "
            f"got a {type(bad).__name__}. Next: turn such entries into text."
        ) from None
    if any(_missing(v) for v in numbers):
        # Every NaN is a key of its own, since NaN ≠ NaN; here they are one modality.
        again: dict[Any, int] = {}
        renamed = [again.setdefault(_MISSING if _missing(v) else v, len(again)) for v in numbers]
        return np.asarray(renamed, dtype=np.intp)[codes], len(again)
    return codes, len(numbers)


def _missing(value: Any) -> bool:
    if value is None or type(value).__name__ == "NAType":  # pandas.NA, without importing pandas
        return True
    return isinstance(value, (float, np.floating, np.datetime64, np.timedelta64)) and bool(value != value)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def features(codes: Sequence[Codes], tables: Sequence[Array]) -> Array:
    """The rows of each column's (m, r) table that its codes name, side by side: (n, Σr)."""
    return np.hstack([table[c] for c, table in zip(codes, tables, strict=True)])


def weighted_matches(
    left: Sequence[Codes],
    right: Sequence[Codes] | None,
    weights: Sequence[Array],
    extra: tuple[Array, Array] | None = None,
    divisor: int = 1,
) -> Array:
    """(Σ_c w_c[u] 1[u = v] over the columns c, plus ⟨e, e'⟩ of extra features) / divisor: (m, n).

    Modalities are one-hot features scaled by √w and go through one matrix product, with no m×n×d
    temporary; those that few rows carry stay sparse, so that a column of identifiers costs no n×n
    feature matrix. `right` None means `left`, and then the result is exactly symmetric.
    """
    n = len(left[0])
    counts = [np.bincount(c, minlength=len(w)) for c, w in zip(left, weights, strict=True)]
    small = n * sum(map(len, weights)) <= _DENSE_ENTRIES
    frequent = [(w > 0) & (small | (count >= _RARE * n)) for w, count in zip(weights, counts, strict=True)]
    rare = [(w > 0) & ~f for w, f in zip(weights, frequent, strict=True)]
    # Counts of matches below 2²⁴ are exact in single precision, at twice the speed.
    counting = extra is None and all(bool((w[w > 0] == 1.0).all()) for w in weights)
    dtype = np.float32 if counting else np.float64
    A = _one_hot(left, weights, frequent, dtype)
    B = None if right is None else _one_hot(right, weights, frequent, dtype)
    if extra is not None:
        A, B = np.hstack([A, extra[0]]), None if B is None else np.hstack([B, extra[1]])
    K = _inner_products(A, B, divisor)
    if any(bool(r.any()) for r in rare):
        S = _sparse_one_hot(left, weights, rare)
        T = (S if right is None else _sparse_one_hot(right, weights, rare)).T.tocsr()

        def add(block: Array, start: int) -> None:
            block += (S[start : start + len(block)] @ T).toarray() / divisor

        over_row_blocks(K, add)
    return K


def _inner_products(A: Array, B: Array | None, divisor: int) -> Array:
    """AB' / divisor in double precision, by blocks of rows; B None means A, and half the work."""
    others = A if B is None else B
    K = np.empty((len(A), len(others)))
    for start in range(0, len(A), _BLOCK_ROWS):
        stop = min(start + _BLOCK_ROWS, len(A))
        first = start if B is None else 0
        np.divide(A[start:stop] @ others[first:].T, divisor, out=K[start:stop, first:], dtype=np.float64)
        if B is None:
            corner = K[start:stop, start:stop]
            np.copyto(corner, corner.T, where=np.tri(stop - start, k=-1, dtype=bool))
            K[stop:, start:stop] = K[start:stop, stop:].T
    return K


def _one_hot(codes: Sequence[Codes], weights: Sequence[Array], chosen: Sequence[Array], dtype: Any) -> Array:
    """(n, number of chosen modalities): √w where a row carries the modality."""
    n, width = len(codes[0]), sum(int(c.sum()) for c in chosen)
    # One column more takes what is not chosen, and is cut off.
    A = np.zeros((n, width + 1), dtype=dtype)
    start = 0
    rows = np.arange(n)
    for c, w, mask in zip(codes, weights, chosen, strict=True):
        place = np.where(mask, start + np.cumsum(mask) - 1, width)
        A[rows, place[c]] = np.sqrt(w).astype(dtype)[c]
        start += int(mask.sum())
    return A[:, :width]


def _sparse_one_hot(codes: Sequence[Codes], weights: Sequence[Array], chosen: Sequence[Array]) -> Any:
    rows, places, values, start = [], [], [], 0
    for c, w, mask in zip(codes, weights, chosen, strict=True):
        carried = np.flatnonzero(mask[c])
        rows.append(carried)
        places.append(start + (np.cumsum(mask) - 1)[c[carried]])
        values.append(np.sqrt(w)[c[carried]])
        start += int(mask.sum())
    shape = (len(codes[0]), max(start, 1))
    made = sparse.csr_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(places))), shape=shape)
    made.sort_indices()  # one order of summation for (i, j) and (j, i): exact symmetry
    return made
