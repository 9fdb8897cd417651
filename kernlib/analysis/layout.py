"""Positions for drawing: the nodes of a graph, and the order of a Gram matrix's rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, ParameterError
from ..values.arrays import Array
from ..values.labels import read_labels
from .matrix import centre, square, squared_distances
from .spectrum import decompose


def graph_layout(adjacency: ArrayLike) -> Array:
    """Return positions of the nodes, (n, 2) in −1…1, whose distances approximate path lengths; the same on every run.

    Parameters: `adjacency` (n, n), of which only the edges count. Classical scaling, then 60 rounds of stress
    majorisation, none beyond 600 nodes.
    Reference: Gansner, Koren and North, Graph drawing by stress majorization, 2004.

    >>> graph_layout([[0, 1], [1, 0]]).round(3).tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    from scipy.sparse.csgraph import shortest_path
    from sklearn.manifold import smacof

    edges = np.asarray(adjacency) != 0
    n = len(edges)
    turn = 2 * np.pi * np.arange(n) / max(n, 1)
    circle: Array = np.column_stack([np.cos(turn), np.sin(turn)])
    if n < 3:
        return circle * (n > 1)
    lengths = shortest_path(edges, directed=False, unweighted=True)
    lengths = np.minimum(lengths, lengths[np.isfinite(lengths)].max() + 1)  # parts without a path between them
    start = decompose(centre(-0.5 * lengths**2), 2)
    # A small circle separates nodes that have one place.
    P = start.eigenvectors * np.sqrt(np.maximum(start.eigenvalues, 0.0)) + 0.05 * circle
    if n <= 600:
        P = smacof(lengths, init=P, n_init=1, max_iter=60, eps=0.0)[0]
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
