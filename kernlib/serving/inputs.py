"""Arrays, frames, lists and graphs of a notebook as a data set, checked in the words of the upload."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any, Literal

import numpy as np

from ..data import Dataset
from ..data.dataset import cells_of_frame
from ..data.files import counted
from ..errors import DataError
from ..numerics.distances import as_distances
from ..values.arrays import Array, unmasked
from ..values.domains import Graph
from ..values.labels import Task

Matrix = Literal["kernel", "distance"]
_WAYS = ("mean", "most_frequent", "drop")
#: A sparse matrix that becomes a table takes at most these bytes.
_DENSE = 2**28


def dataset_of(
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    matrix: Matrix | None = None,
    missing: str = "refuse",
    task: Task | None = None,
    name: str = "",
) -> Dataset:
    """Return the data set of a person's values; parameters as in `show`.

    Raises DataError for what is not clear: shapes, missing values, complex numbers, indexes that differ, …

    >>> dataset_of([[1.0, 2.0], [3.0, 4.0]], ["a", "b"])
    Dataset('data', vector, n=2, d=2, classes={'a': 1, 'b': 1})
    >>> dataset_of(["ACGT", "AC"]).domain, dataset_of(["a cat", "the dog"]).domain
    ('sequence', 'text')
    """
    import pandas

    if isinstance(X, Dataset):
        if y is not None or groups is not None or matrix is not None:
            raise DataError("show: a Dataset has its own labels and groups; got y, groups or matrix. Leave them out.")
        return X
    if missing not in ("refuse", *_WAYS):
        raise DataError(f"show: missing must be one of {', '.join(_WAYS)}; got {missing!r}.")
    if matrix not in (None, "kernel", "distance"):
        raise DataError(f"show: matrix must be 'kernel' or 'distance'; got {matrix!r}.")
    if isinstance(X, (dict, set, frozenset, str, bytes)) or not hasattr(X, "__len__"):
        raise DataError(
            f"show: X is a {type(X).__name__}; expected rows: an array, a DataFrame, or a list. Give "
            "pandas.DataFrame(X), or of a bunch of scikit-learn bunch.data and bunch.target."
        )
    title, given = name or "Your data", dict[str, Any]()
    if isinstance(X, pandas.DataFrame):
        X, y, groups, column = _split(X, y, groups)
        given["ids"] = () if _is_plain(X.index) else tuple(map(str, X.index))
        title = name or (f"Your data, {column}" if column else "Your data")
    y, groups = _labels(y, "y"), _labels(groups, "groups")
    given |= _of_values(X) if matrix is None else _of_matrix(X, matrix)
    rows = given["rows"]
    gaps = np.asarray(pandas.isna(rows)) if getattr(rows, "ndim", 1) == 2 else np.zeros((1, 1), dtype=bool)
    if gaps.any() and (missing == "refuse" or matrix is not None):
        i, j = np.argwhere(gaps)[0]
        where = given["columns"][j] if "columns" in given else f"column {j}"
        ways = "Drop those rows and columns." if matrix else "Choose missing='mean', 'most_frequent' or 'drop'."
        raise DataError(
            f"show: X has {counted(int(gaps.sum()), 'missing cell')}, the first in row {i}, {where}. {ways}"
        )
    if gaps.any() and missing == "drop":
        kept = np.flatnonzero(~gaps.any(axis=1))
        y, groups = (None if one is None else one[kept] for one in (y, groups))
        given |= {"rows": rows[kept], "ids": tuple(np.asarray(given.get("ids", ()))[kept]) if given.get("ids") else ()}
    elif gaps.any():
        given["fill"] = missing
    named = None if groups is None else tuple(map(str, groups))
    return Dataset("data", title, y=y, task=task, groups=named, source="handed over by kernlib.show", **given)


def _is_plain(index: Any) -> bool:
    return type(index).__name__ == "RangeIndex" or bool(np.array_equal(index.to_numpy(), np.arange(len(index))))


def _split(frame: Any, y: Any, groups: Any) -> tuple[Any, Any, Any, str]:
    """Return the frame without the columns of labels and groups, the labels, the groups, the label's column."""
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise DataError(f"show: two columns are called {twice[0]!r}; expected different names. Rename one of them.")
    asked = {"y": y, "groups": groups}
    named = {what: value for what, value in asked.items() if isinstance(value, str)}
    for what, value in asked.items():
        if what in named:
            if value not in frame.columns:
                shown = ", ".join(map(str, frame.columns[:8]))
                raise DataError(f"show: {what}={value!r} is no column; expected one of {shown}. Check the name.")
            asked[what] = frame[value]
        elif hasattr(value, "index") and hasattr(value, "to_numpy") and not frame.index.equals(value.index):
            raise DataError(
                f"show: the indexes of X and {what} differ; expected the same {len(frame)} rows. Align them, "
                f"{what} = {what}.loc[X.index], or give {what}.to_numpy()."
            )
    return frame.drop(columns={*named.values()}), asked["y"], asked["groups"], named.get("y", "")


def _labels(y: Any, what: str) -> Any:
    """Return labels or groups as an array (n,); true and false are words."""
    import pandas

    if y is None:
        return None
    if isinstance(y, str):
        raise DataError(f"show: {what}={y!r} names a column, and X has no names. Give X as a DataFrame, or values.")
    values = np.asarray(unmasked(y))
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if pandas.isna(values).any():
        raise DataError(f"show: {what} has missing entries; expected one for each row. Drop those rows.")
    words = values.dtype.kind == "O" and all(isinstance(v, (str, bool, np.bool_)) for v in values)
    return values.astype(str) if words or hasattr(y, "cat") or values.dtype.kind == "b" else values


def _numbers(X: Any, what: str) -> Array:
    """Return numbers as float64; a masked cell is missing, whatever stands behind the mask."""
    values = np.asarray(unmasked(X))
    with suppress(TypeError, ValueError):
        if values.dtype.kind not in "cmM":  # NumPy would take the real part, or count days
            return values.astype(np.float64)
    raise DataError(f"show: {what} holds {values.dtype} values; expected real numbers. Convert or drop them.")


def _of_matrix(X: Any, matrix: Matrix) -> dict[str, Any]:
    """Return a square matrix; what rounding left of a zero diagonal of distances is 0."""
    if hasattr(X, "columns"):
        if not (_is_plain(X.index) or _is_plain(X.columns) or list(X.index) == list(X.columns)):
            raise DataError(
                "show: the rows and the columns of the matrix have other names; expected the same names in the same "
                "order. Align them, X = X.loc[:, X.index], or give X.to_numpy()."
            )
        X = X.to_numpy()
    rows = _numbers(X, "the matrix")
    if matrix == "distance" and rows.ndim == 2 and 2 < len(rows) == rows.shape[1] and np.isfinite(rows).all():
        distances = as_distances(rows)
        if distances is None:
            raise DataError(
                f"show: distances have a zero diagonal and no negative entry; got a diagonal of up to "
                f"{np.abs(rows.diagonal()).max():g} and a least entry of {rows.min():g}. Give matrix='kernel' for "
                "scores."
            )
        rows = distances
    return {"domain": "matrix", "rows": rows, "distances": matrix == "distance"}


def _of_values(X: Any) -> dict[str, Any]:
    """Return domain and rows of a table, a list of strings, a list of graphs or a list of series."""
    import pandas

    if hasattr(X, "tocsr"):
        n, d = X.shape
        if n * d * 8 > _DENSE:
            raise DataError(
                f"show: X is sparse, and as a table its {n:,} × {d:,} cells take {n * d * 8 / 2**20:,.0f} MB; expected "
                f"at most {_DENSE / 2**20:.0f}. Reduce the columns, for example with "
                "sklearn.decomposition.TruncatedSVD, or give the Gram matrix: show(X @ X.T, y, matrix='kernel')."
            )
        X = X.toarray()
    if isinstance(X, pandas.DataFrame):
        if len(X) > 1 and not _is_plain(X.index) and {*X.index} == {*X.columns}:
            raise DataError(
                "show: X has the same names on both sides, so that it may hold scores or distances of its rows. Give "
                "matrix='kernel' or matrix='distance', or X.to_numpy() to compare its columns."
            )
        return _of_frame(X)
    if hasattr(X, "to_numpy"):
        X = X.to_numpy()
    if len(X) and all(isinstance(x, str) for x in X):
        texts = sum(len(x.split()) > 1 for x in X) * 2 > len(X)
        return {"domain": "text" if texts else "sequence", "rows": list(X)}
    networkx = sys.modules.get("networkx")
    if len(X) and all(isinstance(x, Graph) or (networkx and isinstance(x, networkx.Graph)) for x in X):
        return {"domain": "graph", "rows": [x if isinstance(x, Graph) else Graph(x) for x in X]}
    if not isinstance(X, np.ndarray) and all(isinstance(x, np.ndarray) and 0 < x.ndim < 3 for x in X):
        if len({len(x) for x in X}) > 1:
            return {"domain": "series", "rows": list(X)}
    try:
        array = np.asarray(unmasked(X))
    except ValueError:
        raise DataError("show: the rows of X have different lengths; expected the same columns in each.") from None
    if array.ndim != 2:
        raise DataError(
            f"show: X has shape {array.shape}; expected (rows, columns). X.reshape(-1, 1) makes one column, "
            "X.reshape(len(X), -1) flattens images."
        )
    if array.dtype.kind not in "OUS":
        return {"domain": "vector", "rows": _numbers(array, "X")}
    cells = np.asarray(array if isinstance(X, np.ndarray) else X, dtype=object)  # NumPy makes words of a list's numbers
    return _of_frame(pandas.DataFrame(cells, columns=[f"x{j + 1}" for j in range(cells.shape[1])]))


def _of_frame(frame: Any) -> dict[str, Any]:
    """Return rows of columns: numbers, nominal, or mixed; a missing word is '?'."""
    if not frame.shape[1]:
        raise DataError("show: X has no columns; expected at least one.")
    cells, columns = cells_of_frame(frame), tuple(map(str, frame.columns))
    for name, column in zip(columns, cells.T, strict=True):
        odd = next((cell for cell in column if not isinstance(cell, (str, float, int, np.floating, np.integer))), None)
        if odd is not None:
            raise DataError(
                f"show: column {name!r} holds a {type(odd).__name__}; expected numbers or text. Convert or drop it."
            )
    words = [any(isinstance(cell, str) for cell in column) for column in cells.T]
    if not any(words):
        return {"domain": "vector", "rows": cells.astype(np.float64), "columns": columns}
    cells[:, words] = cells[:, words].astype(str)
    if all(words):
        return {"domain": "categorical", "rows": cells, "columns": columns}
    kinds = tuple("categorical" if word else "vector" for word in words)
    return {"domain": "mixed", "rows": cells, "columns": columns, "kinds": kinds}
