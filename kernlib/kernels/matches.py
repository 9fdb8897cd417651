"""Counts or weighted sums of equal categories of nominal columns, by products of matrices."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..numerics.blocks import over_row_blocks, over_tiles
from ..numerics.sizes import block_size
from ..values.arrays import Array
from .nominal import Codes

#: A category in less than this share of the rows costs less as a sparse feature than as a column of a matrix product.
_RARE = 1 / 20
#: Below this many entries of the dense feature matrix the sparse detour is not worth its overhead.
_DENSE_ENTRIES = 1 << 16
#: Whole numbers up to it are exact in single precision, which multiplies at twice the rate; and in double precision.
_SINGLE, _DOUBLE = 2**24, 2**53
#: For fewer categories of unequal weights, dividing their whole sums costs more than products in double precision.
_FEW = 48


def weighted_matches(
    left: Codes,
    right: Codes | None,
    weights: Array,
    extra: tuple[Array, Array] | None = None,
    divisor: float = 1.0,
    parts: int = 1,
) -> Array:
    """Return (Σ_c w[u] 1[u = v] over the columns c, plus ⟨e, e'⟩ of extra features) / divisor: (m, n).

    `left` and `right` are codes, (m, d) and (n, d), every column's above those of the column before; `weights` has the
    value of a match for each code. Categories are one-hot features of one matrix product, with no m×n×d
    temporary; rare categories are sparse, so that a column of identifiers costs no n×n feature matrix.
    Weights that are all equal, or whole numbers over `parts`, are summed as whole numbers, without rounding. `right`
    None means `left`, and then the result is exactly symmetric.
    """
    n = len(left)
    frequent = weights > 0
    if n * len(weights) > block_size(_DENSE_ENTRIES):
        frequent &= np.bincount(left.ravel(), minlength=len(weights)) >= _RARE * n
    rare = (weights > 0) & ~frequent
    exact = None if extra is not None else _whole(weights, divisor, parts, left.shape[1])
    if exact is not None:
        divisor = exact.divisor
        A, B = _contrasts(left, right, exact.weights, frequent, exact.dtype)
    else:
        roots = np.sqrt(weights / divisor)
        A = _scaled_one_hot(left, frequent, roots)
        B = A if right is None else _scaled_one_hot(right, frequent, roots)
        if extra is not None:
            unit = 1.0 / math.sqrt(divisor)
            A, B = np.vstack([A, unit * extra[0].T]), np.vstack([B, unit * extra[1].T])

    def products(rows: slice, columns: slice, out: Array) -> None:
        if exact is None:
            np.matmul(A[:, rows].T, B[:, columns], out=out)
        else:
            np.divide(A[:, rows].T @ B[:, columns], divisor, out=out, dtype=np.float64)

    m = None if right is None else len(right)
    K = over_tiles(n, m, products) if len(A) else np.zeros((n, n if m is None else m))
    if rare.any():
        S = _sparse_one_hot(left, rare, roots if exact is None else exact.weights)
        T = _sparse_one_hot(left if right is None else right, rare, roots if exact is None else None).T.tocsr()

        def add(block: Array, start: int) -> None:
            product = S[start : start + len(block)] @ T
            if exact is not None:
                product.data /= divisor
            block += product.toarray()

        over_row_blocks(K, add)
    return K


class _Whole(NamedTuple):
    """Weights as whole numbers, what to divide their sums by, and a type in which these are exact."""

    weights: Array
    divisor: float
    dtype: Any


def _whole(weights: Array, divisor: float, parts: int, columns: int) -> _Whole | None:
    """Return the weights in units of one of them, where all are equal, or of 1/parts; None where they are not whole."""
    known = weights[weights > 0]
    if not len(known):
        return None
    if (known == known[0]).all():
        whole, divisor = np.where(weights > 0, 1.0, 0.0), divisor / float(known[0])
    elif len(weights) < _FEW:
        return None
    else:
        whole, divisor = np.rint(weights * parts), divisor * parts
        # Shares and functions of them are known to a rounding or two.
        if not (np.abs(weights * parts - whole) <= 4 * np.finfo(np.float64).eps * parts).all():
            return None
    largest = 2 * columns * float(whole.max())  # no partial sum of any order exceeds it
    return None if largest > _DOUBLE else _Whole(whole, divisor, np.float32 if largest <= _SINGLE else np.float64)


def _contrasts(left: Codes, right: Codes | None, weights: Array, frequent: Array, dtype: Any) -> tuple[Array, Array]:
    """Return integer features A and B with Σ_f A_fu B_fv = Σ_c w[u] 1[u = v] over frequent categories.

    A column of frequent categories alone needs no feature for one of them, its base b: with B_j = 1[v = j] and
    A_j = w_j 1[u = j] − w_b 1[u = b] for the others, a match is worth ⟨A, B⟩ + w_b 1[u = b], and the sum of these
    last terms over all such columns is one feature. So four categories cost three products, and two cost one.
    """
    U = _by_column(left)
    V = U if right is None else _by_column(right)
    low = np.minimum(U.min(axis=1), V.min(axis=1))
    present = np.bincount(left.ravel(), minlength=len(weights)) > 0
    if right is not None:
        present |= np.bincount(right.ravel(), minlength=len(weights)) > 0
    based = np.bincount(_column_of(np.flatnonzero(present & ~frequent), low), minlength=len(low)) == 0
    chosen = frequent & present
    chosen[low[based]] = False
    features = np.flatnonzero(chosen)
    columns = _column_of(features, low)
    A, B = (np.empty((len(features) + 1, side.shape[1]), dtype) for side in (U, V))
    _one_hot(U, features, columns, weights, A[:-1])
    _one_hot(V, features, columns, np.ones_like(weights), B[:-1])
    if not based.any():
        return A[:-1], B[:-1]
    base = np.multiply(low[:, None] == U, np.where(based, weights[low], 0.0).astype(dtype)[:, None])
    A[:-1] -= base[columns]
    base.sum(axis=0, out=A[-1])
    B[-1] = 1.0
    return A, B


def _by_column(codes: Codes) -> Array:
    """Return (d, n): comparing runs of numbers in memory costs less than writing ones here and there."""
    return codes.T.astype(np.int32 if int(codes.max()) < 2**31 else np.int64, order="C")


def _column_of(codes: Codes, low: Array) -> Codes:
    """Return the column of each code; `low` has the lowest code of each column."""
    return np.asarray(np.maximum(np.searchsorted(low, codes, side="right") - 1, 0))


def _one_hot(by_column: Array, features: Codes, columns: Codes, values: Array, out: Array) -> Array:
    """Return (features, n): a category's value where a row carries it; `columns` are the features' own."""
    carried = by_column[columns] == features[:, None].astype(by_column.dtype)
    np.multiply(carried, values[features, None].astype(out.dtype), out=out)
    return out


def _scaled_one_hot(codes: Codes, chosen: Array, values: Array) -> Array:
    features, by_column = np.flatnonzero(chosen), _by_column(codes)
    columns = _column_of(features, by_column.min(axis=1))
    return _one_hot(by_column, features, columns, values, np.empty((len(features), len(codes))))


def _sparse_one_hot(codes: Codes, chosen: Array, values: Array | None = None) -> Any:
    from scipy.sparse import csr_matrix

    rows, columns = np.nonzero(chosen[codes])
    carried = codes[rows, columns]
    place = (np.cumsum(chosen) - 1)[carried]
    data = np.ones(len(carried)) if values is None else values[carried]
    one_hot = csr_matrix((data, (rows, place)), shape=(len(codes), int(chosen.sum())))
    one_hot.sort_indices()  # one order of summation for (i, j) and (j, i): exact symmetry
    return one_hot
