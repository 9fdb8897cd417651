"""Nominal columns as codes, equal entries with equal codes, and sums over the columns in which two rows agree.

Entries are compared as Python compares them (1 == 1.0 == True), whatever the dtype; a missing entry (None, NaN, NaT) is
one category of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import DomainError
from ..numerics.blocks import block_size, over_row_blocks, over_tiles
from ..values.arrays import Array

Codes = NDArray[np.intp]


def category_codes(column: Array, owner: str = "kernel") -> tuple[Codes, int]:
    """Return the number of each entry's category, (n,), and how many categories there are.

    Raises DomainError for an entry that cannot be hashed, such as a list.

    >>> category_codes(np.array(["b", "a", "b"]))[0].tolist()
    [0, 1, 0]
    >>> category_codes(np.array([None, 1.5, float("nan")], dtype=object))[0].tolist()
    [0, 1, 0]
    """
    import pandas

    native = column.astype(column.dtype.newbyteorder("="), copy=False)  # pandas reads no other byte order
    try:
        # Missing entries of all kinds are one category.
        codes, categories = pandas.factorize(native, use_na_sentinel=False)
    except TypeError as error:
        raise DomainError(
            f"{owner} reads nominal columns; expected entries that can be compared (text, numbers, None), got an "
            f"{error}. Next: turn such entries into text."
        ) from None
    return codes.astype(np.intp, copy=False), len(categories)


def category_words(column: Array, owner: str = "kernel") -> Array:
    """Return every entry as a word, equal entries of whatever dtype as the same one.

    >>> category_words(np.array([1, 1.0, "a", None, float("nan")], dtype=object)).tolist()
    ['1', '1', 'a', 'missing', 'missing']
    """
    if column.dtype.kind in "iuU":
        return column.astype(str)
    codes, m = category_codes(column, owner)
    first = np.empty(m, dtype=np.intp)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of several assignments, the last counts
    return np.array([_word(entry) for entry in column[first].tolist()])[codes]


@dataclass(frozen=True, eq=False)
class _Table:
    """Nominal rows (n, d) and the numbers of their entries' categories, those of column c from starts[c] on."""

    rows: Array
    codes: Codes
    starts: Codes

    @cached_property
    def categories(self) -> tuple[Array, ...]:
        """Return one entry of every category, column by column."""
        n, d = self.codes.shape
        first = np.empty(int(self.starts[-1]), dtype=np.intp)
        first[self.codes[::-1]] = np.arange(n)[::-1, None]  # of several assignments, the last counts
        return tuple(self.rows[first[self.starts[c] : self.starts[c + 1]], c] for c in range(d))


class CodedRows:
    """Nominal rows as codes, from which the folds of a sweep are taken.

    Indexed by row numbers like the rows themselves; all parts of one table use the same codes, those of each column
    above those of the column before.

    >>> CodedRows.of(np.array([["a", "b"], ["c", "b"]]))[[1, 1]].codes.tolist()
    [[1, 2], [1, 2]]
    """

    def __init__(self, table: _Table, numbers: Codes | None = None) -> None:
        self.table = table
        self.numbers = np.arange(len(table.codes)) if numbers is None else numbers
        self.codes = table.codes if numbers is None else table.codes[numbers]

    @classmethod
    def of(cls, rows: Array, owner: str = "kernel") -> CodedRows:
        """Return the rows' own numbers; DomainError for entries that cannot be compared."""
        coded = [category_codes(column, owner) for column in rows.T]
        starts = np.concatenate([[0], np.cumsum([m for _, m in coded])]).astype(np.intp)
        return cls(_Table(rows, np.stack([c for c, _ in coded], axis=1) + starts[:-1], starts))

    @property
    def shape(self) -> tuple[int, int]:
        return self.codes.shape[0], self.codes.shape[1]

    @property
    def ndim(self) -> int:
        return 2

    @property
    def nbytes(self) -> int:
        return self.codes.nbytes + self.table.codes.nbytes

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> CodedRows:
        return CodedRows(self.table, self.numbers[rows])


def joint_codes(parts: Sequence[Array], owner: str = "kernel") -> list[CodedRows]:
    """Return several tables of the same columns as codes, the same category with the same number in all of them."""
    kinds = {rows.dtype.kind for rows in parts}
    # Different kinds are compared as Python objects: NumPy would turn 1 and "1" into the same string.
    joint = CodedRows.of(np.concatenate([r if len(kinds) == 1 else r.astype(object) for r in parts]), owner)
    ends = np.cumsum([len(rows) for rows in parts])
    return [joint[np.arange(end - len(rows), end)] for rows, end in zip(parts, ends, strict=True)]


def missing(value: Any) -> bool:
    """Return whether an entry is None, NaN, NaT or pandas.NA, which are one category of their own."""
    if value is None or type(value).__name__ == "NAType":  # pandas.NA, without importing pandas
        return True
    return isinstance(value, (float, np.floating, np.datetime64, np.timedelta64)) and bool(value != value)


def _word(entry: Any) -> str:
    if missing(entry):
        return "missing"
    return str(int(entry)) if isinstance(entry, float) and entry.is_integer() else str(entry)


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
        divisor, roots = exact.divisor, exact.weights
    else:
        roots = np.sqrt(weights / divisor)
    # A match is worth √w √w, or of whole numbers w · 1.
    dtype, ones = (np.float64, roots) if exact is None else (exact.dtype, np.ones_like(roots))
    A = _one_hot(left, frequent, roots, dtype)
    B = A if right is None and exact is None else _one_hot(left if right is None else right, frequent, ones, dtype)
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
        S = _sparse_one_hot(left, rare, roots)
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


def _by_column(codes: Codes) -> Array:
    """Return (d, n): comparing runs of numbers in memory costs less than writing ones here and there."""
    return codes.T.astype(np.int32 if int(codes.max()) < 2**31 else np.int64, order="C")


def _column_of(codes: Codes, low: Array) -> Codes:
    """Return the column of each code; `low` has the lowest code of each column."""
    return np.asarray(np.maximum(np.searchsorted(low, codes, side="right") - 1, 0))


def _one_hot(codes: Codes, chosen: Array, values: Array, dtype: Any) -> Array:
    """Return (features, n): a chosen category's value where a row carries it."""
    features, by_column = np.flatnonzero(chosen), _by_column(codes)
    columns = _column_of(features, by_column.min(axis=1))
    carried = by_column[columns] == features[:, None].astype(by_column.dtype)
    return np.asarray(np.multiply(carried, values[features, None].astype(dtype), dtype=dtype))


def _sparse_one_hot(codes: Codes, chosen: Array, values: Array | None = None) -> Any:
    from scipy.sparse import csr_matrix

    rows, columns = np.nonzero(chosen[codes])
    carried = codes[rows, columns]
    place = (np.cumsum(chosen) - 1)[carried]
    data = np.ones(len(carried)) if values is None else values[carried]
    one_hot = csr_matrix((data, (rows, place)), shape=(len(codes), int(chosen.sum())))
    one_hot.sort_indices()  # one order of summation for (i, j) and (j, i): exact symmetry
    return one_hot
