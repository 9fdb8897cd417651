"""Nominal columns as numbers: which entries of a column are the same modality, and matches counted fast.

Entries are compared as Python compares them (1 == 1.0 == True), whatever the dtype; a missing
entry (None, NaN, NaT) is one modality of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..blocks import over_row_blocks, over_tiles
from ..errors import DomainError
from ..values.arrays import Array

__all__ = [
    "CodedRows", "Codes", "common_codes", "missing", "modality_codes", "modality_words", "row_codes",
    "weighted_matches",
]  # fmt: skip

Codes = NDArray[np.intp]

#: A modality that fewer than this share of the rows carry costs less as a sparse feature than as a column of a GEMM.
_RARE = 1 / 20
#: Below this many entries of the dense feature matrix the sparse detour is not worth its overhead.
_DENSE_ENTRIES = 1 << 16
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


def modality_words(column: Array, owner: str = "kernel") -> Array:
    """Every entry as a word, equal entries of whatever dtype as the same one.

    >>> modality_words(np.array([1, 1.0, "a", None, float("nan")], dtype=object)).tolist()
    ['1', '1', 'a', 'missing', 'missing']
    """
    if column.dtype.kind in "iuU":
        return column.astype(str)
    codes, m = modality_codes(column, owner)
    first = np.empty(m, dtype=np.intp)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of several, the last that is written stays
    return np.array([_word(entry) for entry in column[first].tolist()])[codes]


def row_codes(codes: Codes) -> tuple[Codes, int]:
    """The number of each whole row of codes, (n, d): equal rows share one.

    >>> row_codes(np.array([[0, 5], [0, 7], [0, 5]]))[0].tolist()
    [0, 1, 0]
    """
    joint, m = _integer_codes(codes[:, 0])
    for column in codes.T[1:]:
        low = column.min()
        joint, m = _integer_codes(joint * (int(column.max() - low) + 1) + (column - low))
    return joint, m


@dataclass(frozen=True, eq=False)
class _Table:
    """Nominal rows (n, d) and the numbers of their entries' modalities, those of column c from starts[c] on."""

    rows: Array
    codes: Codes
    starts: Codes

    @cached_property
    def whole(self) -> Codes:
        """The number of each row: equal rows share one."""
        return row_codes(self.codes)[0]

    @cached_property
    def modalities(self) -> tuple[Array, ...]:
        """One entry of every modality, column by column."""
        n, d = self.codes.shape
        first = np.empty(int(self.starts[-1]), dtype=np.intp)
        first[self.codes[::-1]] = np.arange(n)[::-1, None]  # of several, the last that is written stays
        return tuple(self.rows[first[self.starts[c] : self.starts[c + 1]], c] for c in range(d))


class CodedRows:
    """Nominal rows that are numbers already: what a sweep's folds are taken from.

    Indexed by row numbers as the rows themselves are; all parts of one table speak of the same codes.

    >>> CodedRows.of(np.array([["a", "b"], ["c", "b"]]))[[1, 1]].codes.tolist()
    [[1, 2], [1, 2]]
    """

    def __init__(self, table: _Table, numbers: Codes | None = None) -> None:
        self.table = table
        self.numbers = np.arange(len(table.codes)) if numbers is None else numbers
        self.codes = table.codes if numbers is None else table.codes[numbers]

    @classmethod
    def of(cls, rows: Array, owner: str = "kernel") -> CodedRows:
        """The rows' own numbers; DomainError for entries that cannot be compared."""
        coded = [modality_codes(column, owner) for column in rows.T]
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

    @property
    def whole(self) -> Codes:
        """The number of each row: equal rows share one."""
        return self.table.whole[self.numbers]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> CodedRows:
        return CodedRows(self.table, self.numbers[rows])


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
    if any(missing(v) for v in numbers):
        # Every NaN is a key of its own, since NaN ≠ NaN; here they are one modality.
        again: dict[Any, int] = {}
        renamed = [again.setdefault(_MISSING if missing(v) else v, len(again)) for v in numbers]
        return np.asarray(renamed, dtype=np.intp)[codes], len(again)
    return codes, len(numbers)


def missing(value: Any) -> bool:
    """Whether an entry is None, NaN, NaT or pandas.NA, which are one modality of their own."""
    if value is None or type(value).__name__ == "NAType":  # pandas.NA, without importing pandas
        return True
    return isinstance(value, (float, np.floating, np.datetime64, np.timedelta64)) and bool(value != value)


def _word(entry: Any) -> str:
    if missing(entry):
        return "missing"
    return str(int(entry)) if isinstance(entry, float) and entry.is_integer() else str(entry)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def weighted_matches(
    left: Codes,
    right: Codes | None,
    weights: Array,
    extra: tuple[Array, Array] | None = None,
    divisor: float = 1.0,
) -> Array:
    """(Σ_c w[u] 1[u = v] over the columns c, plus ⟨e, e'⟩ of extra features) / divisor: (m, n).

    `left` and `right` are codes, (m, d) and (n, d), in which no two columns share a number, `weights` says
    what a match in each is worth. Modalities are one-hot features scaled by √w and go through one matrix
    product, with no m×n×d temporary; those that few rows carry stay sparse, so that a column of
    identifiers costs no n×n feature matrix. `right` None means `left`, and then the result is exactly
    symmetric.
    """
    n = len(left)
    counts = np.bincount(left.ravel(), minlength=len(weights))
    frequent = weights > 0
    if n * len(weights) > _DENSE_ENTRIES:
        frequent &= counts >= _RARE * n
    rare = (weights > 0) & ~frequent
    known = weights[weights > 0]
    # Counts of matches below 2²⁴ are exact in single precision, at twice the speed.
    counting = extra is None and bool(len(known)) and bool((known == known[0]).all())
    if counting:
        divisor /= float(known[0])
        weights = np.where(weights > 0, 1.0, 0.0)
        if frequent.all() and (signs := _as_signs(left, right, len(frequent))):
            return _agreements(*signs, divisor)
    else:
        weights = weights / divisor
    A = _one_hot(left, weights, frequent, np.float32 if counting else np.float64)
    B = None if right is None else _one_hot(right, weights, frequent, A.dtype)
    if extra is not None:
        unit = 1.0 / math.sqrt(divisor)
        A, B = np.hstack([A, unit * extra[0]]), None if B is None else np.hstack([B, unit * extra[1]])
    others = A if B is None else B

    def products(rows: slice, columns: slice, out: Array) -> None:
        if counting:  # counts are exact, and so is their quotient
            np.divide(A[rows] @ others[columns].T, divisor, out=out, dtype=np.float64)
        else:
            np.matmul(A[rows], others[columns].T, out=out)

    K = over_tiles(n, None if B is None else len(B), products)
    if rare.any():
        S = _sparse_one_hot(left, weights, rare)
        T = (S if right is None else _sparse_one_hot(right, weights, rare)).T.tocsr()

        def add(block: Array, start: int) -> None:
            found = (S[start : start + len(block)] @ T).toarray()
            block += found / divisor if counting else found

        over_row_blocks(K, add)
    return K


#: Rows of a Hadamard matrix without its column of ones: equal ones have the product 3, different ones −1.
_FOUR = np.array([[1, 1, 1], [-1, 1, -1], [1, -1, -1], [-1, -1, 1]], dtype=np.float32)


def _as_signs(left: Codes, right: Codes | None, width: int) -> tuple[Array, Array | None, int, int] | None:
    """Rows of ±1 whose products count matches, with fewer than `width` columns; None where there are none.

    Two modalities need one sign, four need three: ⟨A, B⟩ = order · matches − constant. Returns A, B, order, constant.
    """
    both = left if right is None else np.concatenate([left, right])
    low = both.min(axis=0)
    sizes = both.max(axis=0) - low + 1
    if sizes.max() > 4:
        return None
    order = 2 if sizes.max() <= 2 else 4
    few = sizes <= 2
    # Beside columns of four, a sign counts twice, so that a match is worth as much.
    repeated = order // 2
    columns = repeated * int(few.sum()) + 3 * int((~few).sum())
    if columns >= width:
        return None

    def signs(codes: Codes) -> Array:
        found = codes - low
        two = np.repeat(1 - 2 * found[:, few].astype(np.float32), repeated, axis=1)
        return np.hstack([two, _FOUR[found[:, ~few]].reshape(len(found), -1)])

    constant = repeated * int(few.sum()) + int((~few).sum())
    return signs(left), None if right is None else signs(right), order, constant


def _agreements(A: Array, B: Array | None, order: int, constant: int, divisor: float) -> Array:
    """(⟨A, B⟩ + constant) / (order · divisor): whole numbers, which are exact in single precision, over the divisor."""
    others = A if B is None else B

    def products(rows: slice, columns: slice, out: Array) -> None:
        matches = A[rows] @ others[columns].T
        matches += constant
        np.divide(matches, order * divisor, out=out, dtype=np.float64)

    return over_tiles(len(A), None if B is None else len(B), products)


def _one_hot(codes: Codes, weights: Array, chosen: Array, dtype: Any) -> Array:
    """(n, number of chosen modalities): √w where a row carries the modality."""
    width = int(chosen.sum())
    # One column more takes what is not chosen, and is cut off.
    place = np.where(chosen, np.cumsum(chosen) - 1, width)
    A = np.zeros((len(codes), width + 1), dtype=dtype)
    A[np.arange(len(codes))[:, None], place[codes]] = np.sqrt(weights).astype(dtype)[codes]
    return A[:, :width]


def _sparse_one_hot(codes: Codes, weights: Array, chosen: Array) -> Any:
    from scipy.sparse import csr_matrix

    rows, columns = np.nonzero(chosen[codes])
    carried = codes[rows, columns]
    place = (np.cumsum(chosen) - 1)[carried]
    made = csr_matrix((np.sqrt(weights)[carried], (rows, place)), shape=(len(codes), int(chosen.sum())))
    made.sort_indices()  # one order of summation for (i, j) and (j, i): exact symmetry
    return made
