"""Positions for drawing: the nodes of a graph, and the order of a Gram matrix's rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, ParameterError
from ..values.arrays import Array
from ..values.labels import read_labels
from .matrix import square, squared_distances
from .spectrum import decompose


def graph_layout(adjacency: ArrayLike, rounds: int = 60) -> Array:
    """Return positions of the nodes, (n, 2) in −1…1: a spectral start, then springs; the same on every run.

    Parameters: `adjacency` (n, n), symmetrised by the larger weight; `rounds` of the springs, none beyond 600
    nodes. Reference: Fruchterman and Reingold, Software: Practice and Experience 21, 1991, for the springs.

    >>> graph_layout([[0, 1], [1, 0]]).round(3).tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    A = np.abs(np.asarray(adjacency, dtype=np.float64))
    A = np.maximum(A, A.T)
    np.fill_diagonal(A, 0.0)
    n = len(A)
    turn = 2 * np.pi * np.arange(n) / max(n, 1)
    if n < 4 or not A.any():
        return np.column_stack([np.cos(turn), np.sin(turn)]) * (n > 1)
    degree = A.sum(axis=1)
    root = 1 / np.sqrt(np.maximum(degree, 1e-12))
    root[degree == 0] = 0.0
    vectors = np.linalg.eigh(np.eye(n) - root[:, None] * A * root)[1]
    # A small fixed circle separates nodes with one spectral position.
    P = vectors[:, 1:3] / (np.abs(vectors[:, 1:3]).max(axis=0) + 1e-12)
    P = P + 0.05 * np.column_stack([np.cos(7 * turn + 1), np.sin(11 * turn + 2)])
    if n <= 600:
        k, weight = 1.6 / np.sqrt(n), A / A.max()
        for step in np.linspace(0.12, 0.004, rounds):
            norms = (P**2).sum(axis=1)
            d2 = np.maximum(norms[:, None] - 2 * P @ P.T + norms, 1e-12)
            push = k**2 / d2 - weight * np.sqrt(d2) / k
            np.fill_diagonal(push, 0.0)
            # Σ_j push_ij (P_i − P_j), and a weak spring to the centre that holds components together.
            move = P * push.sum(axis=1, keepdims=True) - push @ P - 0.8 * P
            length = np.sqrt((move**2).sum(axis=1, keepdims=True)) + 1e-12
            P = P + move / length * np.minimum(length, step)
    P = P - (P.max(axis=0) + P.min(axis=0)) / 2
    placed: Array = P / (np.abs(P).max() or 1.0)
    return placed


ORDERINGS = ("as read", "class", "class, then eigenvector", "clustering")


def order_rows(
    K: ArrayLike,
    y: ArrayLike | None = None,
    by: str = "class",
) -> NDArray[np.intp]:
    """Return row numbers in the order for displaying a Gram matrix.

    "as read"; "class": by label (real y: by value), stable; "class, then eigenvector": within a class
    by the leading eigenvector of K; "clustering": the leaves of average linkage on feature space
    distances.

    Parameters: `K` (n, n); `y` (n,), needed by the two orders that name the class; `by` one of
    `ORDERINGS`.
    Returns a permutation (n,). Raises ParameterError for `by`, DataError when y is missing.

    >>> import numpy as np
    >>> order_rows(np.eye(4), ["b", "a", "b", "a"], by="class")
    array([1, 3, 0, 2])
    """
    matrix = square(K, "order_rows")
    n = len(matrix)
    if by not in ORDERINGS:
        raise ParameterError(
            f"order_rows: by must be one of {', '.join(map(repr, ORDERINGS))}; got {by!r}. Try by='class'."
        )
    if by == "as read" or n == 1:
        return np.arange(n)
    if by == "clustering":
        from scipy.cluster.hierarchy import average, leaves_list  # a tenth of a second that few need

        distances = np.sqrt(squared_distances(matrix))
        return np.asarray(leaves_list(average(distances[np.triu_indices(n, 1)])), dtype=np.intp)
    if y is None:
        raise DataError(f"order_rows: by={by!r} must have labels; got y=None. Pass y, or by='clustering'.")
    labels = read_labels(y, "auto", n, "order_rows")
    first = labels.targets if labels.codes is None else labels.codes
    if by == "class":
        return np.argsort(first, kind="stable")
    return np.lexsort((decompose(matrix, 1, owner="order_rows").eigenvectors[:, 0], first))
