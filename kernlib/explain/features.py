"""Explicit feature spaces: Φ as a sparse matrix with names, so that ΦΦ' is the Gram matrix."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.algebra import Constant, Monomial, Product, Scaled, Sum
from ..core.base import Kernel
from ..core.steps import RowStep, Shorthand
from ..errors import DataError, ExplainError
from ..values.arrays import Array
from ..values.pairs import concatenated
from ..values.words import number
from ..wrappers.centered import Centered
from ..wrappers.conformal import Conformal
from ..wrappers.empirical import LandmarkMap
from ..wrappers.normalized import Normalized, inverse_length
from ..wrappers.softmargin import SoftMarginDiagonal
from .explanation import Explanation, Part, Scene, Words, explanation, leaf, parts_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Most columns of an explicit feature space; for more, use the kernel.
MOST = 200_000


class Features(NamedTuple):
    """Φ (n, m) as a sparse matrix, and the m features' names."""

    matrix: csr_array
    names: tuple[str, ...]


def features(kernel: Kernel, X: Any, names: Sequence[str] | None = None, words: Words | None = None) -> Features:
    """Return Φ of the rows; see `Kernel.features`."""
    fitted = kernel if kernel.fitted else kernel.fit(X)
    space = feature_map(fitted, fitted.checked_rows(X), words or Words())
    return space if names is None else _as_named(space, names)


def _as_named(features: Features, names: Sequence[str]) -> Features:
    """Return the columns in the order of `names`: other columns are left out, missing ones are 0."""
    from scipy.sparse import csr_array

    if len(set(names)) < len(names):
        raise DataError("features: names must name each feature once. Give the names that another call returned.")
    place = {name: m for m, name in enumerate(names)}
    kept = [(c, place[name]) for c, name in enumerate(features.names) if name in place]
    old, new = np.array(kept, dtype=np.intp).reshape(-1, 2).T
    select = csr_array((np.ones(len(kept)), (old, new)), shape=(len(features.names), len(names)))
    return Features((features.matrix @ select).tocsr(), tuple(names))


@singledispatch
def feature_map(kernel: Any, X: Array, words: Words) -> Features:
    """Return Φ of checked rows for a fitted kernel: registered for each class of kernels, here and in `spaces`."""
    raise ExplainError(
        f"features: {type(kernel).__name__} has no explicit feature space that could be written down; expected a "
        "kernel on counts, columns, terms, words or label pairs, or sums, products and linear steps of such kernels. "
        "Next: the Gram matrix itself, or Nystrom or Empirical for coordinates by landmarks."
    )


def counted_features(rows: Iterable[dict[str, float]]) -> Features:
    """Return one column for every word that occurs in a row's counts, in alphabetical order."""
    from scipy.sparse import csr_array

    counts = list(rows)
    names = sorted({word for row in counts for word in row})
    place = {word: m for m, word in enumerate(names)}
    values = [v for row in counts for v in row.values()]
    columns = [place[word] for row in counts for word in row]
    ends = np.cumsum([0, *(len(row) for row in counts)])
    return Features(sparse(csr_array((values, columns, ends), shape=(len(counts), len(names)))), tuple(names))


def sparse(matrix: Any) -> csr_array:
    from scipy.sparse import csr_array

    sparse = csr_array(matrix)
    sparse.eliminate_zeros()
    return sparse


def too_many(kernel: object, count: float) -> ExplainError:
    return ExplainError(
        f"features: {kernel!r} has {count:.3g} features; expected at most {MOST}. "
        "Choose a smaller order, degree or length, or work with the Gram matrix."
    )


# -- the algebra --------------------------------------------------------------------------------


@feature_map.register
def _constant(kernel: Constant, X: Array, words: Words) -> Features:
    return Features(sparse(np.full((len(X), 1), math.sqrt(kernel.value))), ("constant",))


@feature_map.register
def _scaled(kernel: Scaled, X: Array, words: Words) -> Features:
    matrix, names = feature_map(kernel.kernel, X, words)
    return Features(sparse(math.sqrt(kernel.factor) * matrix), names)


@feature_map.register
def _sum(kernel: Sum, X: Array, words: Words) -> Features:
    from scipy.sparse import hstack

    (A, left), (B, right) = feature_map(kernel.left, X, words), feature_map(kernel.right, X, words)
    if set(left) & set(right):
        left, right = (tuple(f"{side}: {n}" for n in names) for side, names in (("1", left), ("2", right)))
    return Features(sparse(hstack([A, B])), (*left, *right))


@feature_map.register
def _product(kernel: Product, X: Array, words: Words) -> Features:
    return _times(kernel, feature_map(kernel.left, X, words), feature_map(kernel.right, X, words))


def _times(kernel: Kernel, a: Features, b: Features) -> Features:
    # A product within the right factor stays in brackets: x1 · (x2 · x3) is another column than x1 · x2 · x3.
    right = tuple(f"({q})" if " · " in q else q for q in b.names)
    return by_rows(kernel, a, Features(b.matrix, right), " · ")


def by_rows(kernel: Kernel, a: Features, b: Features, between: str) -> Features:
    """Return every feature of `a` times every feature of `b`, (n, a·b), named with `between` in the middle."""
    if len(a.names) * len(b.names) > MOST:
        raise too_many(kernel, len(a.names) * len(b.names))
    names = tuple(f"{p}{between}{q}" for p in a.names for q in b.names)
    return Features(_kronecker(a.matrix, b.matrix), names)


def _kronecker(A: csr_array, B: csr_array) -> csr_array:
    """Return the Kronecker product row by row, (n, a·b)."""
    from scipy.sparse import csr_array

    n = A.shape[0]
    inside, outside = np.diff(A.indptr), np.diff(B.indptr)
    # Pairs of an entry of a row of A and an entry of the same row of B.
    again = np.repeat(outside, inside)
    first = np.repeat(np.arange(A.nnz), again)
    begins = np.repeat(np.repeat(B.indptr[:-1], inside), again)
    within = np.arange(len(first)) - np.repeat(np.cumsum(again) - again, again)
    second = begins + within
    column = A.indices[first].astype(np.int64) * B.shape[1] + B.indices[second]
    ends = np.concatenate([[0], np.cumsum(inside * outside)])
    return csr_array((A.data[first] * B.data[second], column, ends), shape=(n, A.shape[1] * B.shape[1]))


@feature_map.register
def _monomial(kernel: Monomial, X: Array, words: Words) -> Features:
    one = feature_map(kernel.kernel, X, words)
    product = one
    for _ in range(kernel.exponent - 1):
        product = _times(kernel, product, one)
    return product


# -- steps --------------------------------------------------------------------------------------


@feature_map.register
def _normalized(kernel: Normalized, X: Array, words: Words) -> Features:
    matrix, names = feature_map(kernel.kernel, X, words)
    return Features(_row_times(matrix, inverse_length(kernel.kernel.gram_diag(X))), names)


@feature_map.register
def _conformal(kernel: Conformal, X: Array, words: Words) -> Features:
    matrix, names = feature_map(kernel.kernel, X, words)
    return Features(_row_times(matrix, kernel.factors(X, kernel.kernel.gram_diag(X))), names)


def _row_times(matrix: csr_array, factors: Array) -> csr_array:
    return sparse(matrix.multiply(factors[:, None]))


@feature_map.register
def _centered(kernel: Centered, X: Array, words: Words) -> Features:
    # Of the training rows and X together, so that both have the same features.
    rows = kernel.kept_rows
    both = feature_map(kernel.kernel, concatenated(rows, X), words)
    dense = both.matrix.toarray()
    return Features(sparse(dense[len(rows) :] - dense[: len(rows)].mean(axis=0)), both.names)


@feature_map.register
def _soft_margin(kernel: SoftMarginDiagonal, X: Array, words: Words) -> Features:
    return feature_map(kernel.kernel, X, words)


@feature_map.register
def _shorthand(kernel: Shorthand, X: Array, words: Words) -> Features:
    return feature_map(kernel.stands_for, X, words)


@feature_map.register
def _landmarks(kernel: LandmarkMap, X: Array, words: Words) -> Features:
    K = kernel.kernel.gram(X, kernel.kept_rows)
    return Features(sparse(K), tuple(f"like {words.row(i, K.shape[1])}" for i in range(K.shape[1])))


@feature_map.register
def _rows_first(kernel: RowStep, X: Array, words: Words) -> Features:
    columns = kernel.columns_after(words.columns, X)
    return feature_map(kernel.kernel, kernel.map_rows(X), Words(columns, words.rows))


# -- a value by its features --------------------------------------------------------------------


@explanation.register
def by_features(kernel: Kernel, scene: Scene) -> Explanation:
    """Return the value of a kernel with an explicit feature map as the sum of Φ(x) ∘ Φ(x')."""
    if feature_map.dispatch(type(kernel)) is feature_map.dispatch(object):
        return explanation.dispatch(object)(kernel, scene)  # type: ignore[return-value]
    try:
        matrix, names = feature_map(kernel, concatenated(scene.x, scene.y), scene.words)
    except ExplainError:
        one = Part("all features together", scene.value(kernel))
        return leaf(kernel, scene, [one], "The kernel has too many features to be listed.")
    a, b = matrix.toarray()
    parts = parts_of(a * b, lambda m: f"{names[m]}: {number(a[m])} × {number(b[m])}")
    return leaf(kernel, scene, parts, "One product for each feature that both rows have.")
