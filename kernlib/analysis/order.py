"""Row orders for displaying a Gram matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, ParameterError
from ..values.labels import Labels, read_labels
from .geometry import squared_distances
from .matrix import square
from .spectrum import decompose

ORDERINGS = ("as read", "class", "class, then eigenvector", "clustering")


def order_rows(
    K: ArrayLike,
    y: ArrayLike | None = None,
    by: str = "class",
    *,
    eigenvector: ArrayLike | None = None,
) -> NDArray[np.intp]:
    """Return row numbers in the order for displaying a Gram matrix.

    "as read"; "class": by label (real y: by value), stable; "class, then eigenvector": within a class
    by the leading eigenvector of K; "clustering": the leaves of average linkage on feature space
    distances.

    Parameters: `K` (n, n); `y` (n,), needed by the two orders that name the class; `by` one of
    `ORDERINGS`; `eigenvector` (n,) the leading one, if already computed.
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
    first = _sorting_key(labels)
    if by == "class":
        return np.argsort(first, kind="stable")
    if eigenvector is None:
        eigenvector = decompose(matrix, 1, owner="order_rows").eigenvectors[:, 0]
    return np.lexsort((np.asarray(eigenvector, dtype=np.float64), first))


def _sorting_key(labels: Labels) -> NDArray[Any]:
    return labels.targets if labels.codes is None else labels.codes
