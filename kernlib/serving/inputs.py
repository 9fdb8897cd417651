"""Arrays, frames, lists and graphs of a notebook as a data set, checked in the words of the upload."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ..data import Dataset
from ..errors import DataError
from ..numerics.distances import as_distances
from ..values.arrays import Array, unmasked
from ..values.labels import Task
from ..values.objects import Graph

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
    if isinstance(X, Dataset):
        if y is not None or groups is not None or matrix is not None:
            raise DataError("show: a Dataset has its own labels and groups; got y, groups or matrix. Leave them out.")
        return X
    if missing not in ("refuse", *_WAYS):
        raise DataError(f"show: missing must be one of {', '.join(_WAYS)}; got {missing!r}.")
    if isinstance(X, (dict, set, frozenset)):
        bunch = isinstance(X, dict) and {"data", "target"} <= {*X}
        instead = "bunch.data, bunch.target" if bunch else "pandas.DataFrame(X)"
        raise DataError(f"show: X is a {type(X).__name__}, whose rows are not known; expected rows. Give {instead}.")
    pandas = sys.modules.get("pandas")  # a frame cannot exist before its import
    frame = X if pandas is not None and isinstance(X, pandas.DataFrame) else None
    title = name or "Your data"
    given: dict[str, Any] = {}
    if frame is not None:
        frame, y, groups, column = _split(frame, y, groups)
        given["ids"] = () if _is_plain(frame.index) else tuple(map(str, frame.index))
        title = name or (f"Your data, {column}" if column else "Your data")
    y, groups = _labels(y, "y"), _labels(groups, "groups")
    if matrix is not None:
        if matrix not in ("kernel", "distance"):
            raise DataError(f"show: matrix must be 'kernel' or 'distance'; got {matrix!r}.")
        rows = _numbers(X if frame is None else _aligned(frame).to_numpy(), "the matrix")
        given |= {"domain": "matrix", "rows": _checked_square(rows, matrix), "distances": matrix == "distance"}
    elif frame is not None:
        if len(frame) > 1 and not _is_plain(frame.index) and {*frame.index} == {*frame.columns}:
            raise DataError(
                "show: X has the same names on both sides, so that it may hold scores or distances of its rows. Give "
                "matrix='kernel' or matrix='distance', or X.to_numpy() to compare its columns."
            )
        given |= _of_frame(frame)
    else:
        given |= _of_values(X)
    rows = given["rows"]
    if missing != "refuse" or _gaps(given).any():
        kept = _handled(given, missing)
        if kept is not None:
            y, groups = (None if one is None else np.asarray(one)[kept] for one in (y, groups))
            given["rows"] = rows[kept]
            given["ids"] = tuple(np.asarray(given["ids"])[kept]) if given.get("ids") else ()
    named = None if groups is None else tuple(map(str, groups))
    return Dataset("data", title, y=y, task=task, groups=named, source="handed over by kernlib.show", **given)


def _aligned(frame: Any) -> Any:
    """Return a square frame with its columns in the order of its rows; DataError where the names differ."""
    if _is_plain(frame.index) or _is_plain(frame.columns) or list(frame.index) == list(frame.columns):
        return frame
    if {*frame.index} != {*frame.columns} or frame.index.has_duplicates:
        odd = next((name for name in frame.index if name not in {*frame.columns}), frame.index[0])
        raise DataError(
            f"show: the matrix has a row {odd!r} and no column of this name; expected the same names on both sides. "
            "Name them alike, or give X.to_numpy()."
        )
    return frame[list(frame.index)]


def _checked_square(rows: Array, matrix: Matrix) -> Array:
    """Return the matrix, with what rounding left of a zero diagonal set to 0; DataError for no distances."""
    if matrix != "distance" or rows.ndim != 2 or rows.shape[0] != rows.shape[1] or not np.isfinite(rows).all():
        return rows  # the data set says what is wrong
    distances = as_distances(rows) if len(rows) > 2 else rows
    if distances is None:
        raise DataError(
            f"show: distances have a zero diagonal and no negative entry; got a diagonal of up to "
            f"{np.abs(rows.diagonal()).max():g} and a least entry of {rows.min():g}. Give matrix='kernel' for scores."
        )
    return distances


def _is_plain(index: Any) -> bool:
    return type(index).__name__ == "RangeIndex" or bool(np.array_equal(index.to_numpy(), np.arange(len(index))))


def _split(frame: Any, y: Any, groups: Any) -> tuple[Any, Any, Any, str]:
    """Return the frame without the columns of labels and groups, the labels, the groups, the label's column."""
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise DataError(f"show: two columns are called {twice[0]!r}; expected different names. Rename one of them.")
    column = ""
    for what, value in (("y", y), ("groups", groups)):
        if isinstance(value, str):
            if value not in frame.columns:
                shown = ", ".join(map(str, frame.columns[:8]))
                raise DataError(f"show: {what}={value!r} is no column; expected one of {shown}. Check the name.")
        elif hasattr(value, "index") and hasattr(value, "to_numpy") and not frame.index.equals(value.index):
            if len(value) != len(frame):
                raise DataError(f"show: X has {len(frame)} rows and {what} {len(value)}; expected one for each row.")
            i = int(np.flatnonzero(frame.index.to_numpy() != value.index.to_numpy())[0])
            raise DataError(
                f"show: the indexes of X and {what} differ, first at place {i}: {frame.index[i]!r} and "
                f"{value.index[i]!r}; expected the same rows. Align them, {what} = {what}.loc[X.index], or give "
                f"{what}.to_numpy()."
            )
    if isinstance(y, str):
        column, y, frame = str(y), frame[y], frame.drop(columns=y)
    if isinstance(groups, str):
        named, groups = groups, (y if groups == column else frame[groups])
        frame = frame if named == column else frame.drop(columns=named)
    return frame, y, groups, column


def _labels(y: Any, what: str) -> Any:
    if y is None:
        return None
    if np.ma.isMaskedArray(y) and np.ma.getmaskarray(y).any():
        raise DataError(f"show: {what} has masked entries; expected one for each row. Drop those rows.")
    if isinstance(y, str):
        raise DataError(f"show: {what}={y!r} names a column, and X has no names. Give X as a DataFrame, or values.")
    values = np.asarray(unmasked(y))
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if hasattr(y, "cat") or (values.dtype.kind == "O" and all(isinstance(v, (str, bool, np.bool_)) for v in values)):
        values = values.astype(str)
    return values.astype(str) if values.dtype.kind == "b" else values


def _numbers(X: Any, what: str) -> Array:
    """Return numbers as float64; a masked cell is missing, whatever stands behind the mask."""
    masked = np.ma.getmaskarray(X) if np.ma.isMaskedArray(X) else None
    values = np.asarray(X)
    if values.dtype.kind == "c":
        raise DataError(f"show: {what} holds complex numbers; expected real ones. Take the real part or the modulus.")
    if values.dtype.kind in "mM":
        raise DataError(f"show: {what} holds dates; expected numbers. Convert them, for example to days.")
    try:
        numbers = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"show: {what} holds {values.dtype} values; expected numbers. Convert or drop them.") from None
    if masked is not None:
        numbers[masked] = np.nan
    return numbers


def _of_values(X: Any) -> dict[str, Any]:
    """Return domain and rows of an array, a list of strings or a list of graphs."""
    if hasattr(X, "tocsr"):
        n, d = X.shape
        if n * d * 8 > _DENSE:
            raise DataError(
                f"show: X is sparse, and as a table its {n:,} × {d:,} cells take {n * d * 8 / 2**20:,.0f} MB; expected "
                f"at most {_DENSE / 2**20:.0f}. Reduce the columns, for example with "
                "sklearn.decomposition.TruncatedSVD, or give the Gram matrix: show(X @ X.T, y, matrix='kernel')."
            )
        return {"domain": "vector", "rows": _numbers(X.toarray(), "X")}
    if hasattr(X, "to_numpy"):
        X = X.to_numpy()
    if isinstance(X, (str, bytes)) or not hasattr(X, "__len__"):
        raise DataError(f"show: X is a {type(X).__name__}; expected rows: an array, a DataFrame, or a list.")
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
        array = X if isinstance(X, np.ndarray) else np.asarray(X)
    except ValueError:
        raise DataError("show: the rows of X have different lengths; expected the same columns in each.") from None
    if array.ndim != 2:
        raise DataError(
            f"show: X has shape {array.shape}; expected (rows, columns). X.reshape(-1, 1) makes one column, "
            "X.reshape(len(X), -1) flattens images."
        )
    if array.dtype.kind not in "OUS":
        return {"domain": "vector", "rows": _numbers(X, "X")}
    if not isinstance(X, np.ndarray):
        array = np.asarray(X, dtype=object)
    return _of_columns([array[:, j] for j in range(array.shape[1])], [f"x{j + 1}" for j in range(array.shape[1])])


def _of_frame(frame: Any) -> dict[str, Any]:
    columns = []
    for name in frame.columns:
        column = frame[name]
        if getattr(column.dtype, "kind", "O") in "mM":
            raise DataError(f"show: column {name!r} holds dates; expected numbers or text. Convert or drop it.")
        numeric = getattr(column.dtype, "kind", "O") in "iuf"
        words = column.astype(object).where(column.notna(), None).to_numpy(dtype=object)  # pd.NA equals nothing
        columns.append(column.to_numpy(dtype=np.float64, na_value=np.nan) if numeric else words)
    return _of_columns(columns, list(map(str, frame.columns)))


def _of_columns(columns: Sequence[Array], names: list[str]) -> dict[str, Any]:
    """Return rows of columns: numbers, nominal, or mixed; a missing word is '?'."""
    if not columns:
        raise DataError("show: X has no columns; expected at least one.")
    ready, kinds = [], []
    for name, column in zip(names, columns, strict=True):
        masked = np.ma.getmaskarray(column)
        values = np.asarray(column)
        gap = np.array([v is None or v is np.ma.masked or v != v for v in values.tolist()], dtype=bool) | masked
        held = [v for v, missing in zip(values.tolist(), gap, strict=True) if not missing]
        if values.dtype.kind in "iuf" or (held and all(_is_number(v) for v in held)):
            numbers = np.full(len(values), np.nan)
            numbers[~gap] = held
            ready.append(numbers)
            kinds.append("vector")
            continue
        if any(isinstance(v, complex) for v in held):
            raise DataError(f"show: column {name!r} holds complex numbers; expected real ones. Take the modulus.")
        odd = next((v for v in held if not isinstance(v, (str, bool, int, float))), None)
        if odd is not None:
            raise DataError(
                f"show: column {name!r} holds a {type(odd).__name__}; expected numbers or text. Convert or drop it."
            )
        words = np.full(len(values), "?", dtype=object)
        words[~gap] = [str(v) for v in held]
        ready.append(words)
        kinds.append("categorical")
    given: dict[str, Any] = {"columns": tuple(names)}
    if set(kinds) == {"vector"}:
        return given | {"domain": "vector", "rows": np.column_stack(ready)}
    rows = np.empty((len(ready[0]), len(ready)), dtype=object)
    for j, column in enumerate(ready):
        rows[:, j] = column
    if set(kinds) == {"categorical"}:
        return given | {"domain": "categorical", "rows": rows}
    return given | {"domain": "mixed", "rows": rows, "kinds": tuple(kinds)}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _gaps(given: dict[str, Any]) -> Array:
    """Return which cells of numbers are missing."""
    rows = given["rows"]
    if isinstance(rows, np.ndarray) and rows.dtype.kind == "f":
        return np.asarray(np.isnan(rows))
    if "kinds" in given:
        return np.array([[isinstance(v, float) and v != v for v in row] for row in rows])
    return np.zeros((1, 1), dtype=bool)


def _handled(given: dict[str, Any], missing: str) -> Array | None:
    """Set how missing cells are filled; return the rows that stay where rows are dropped. DataError if nobody chose."""
    gaps = _gaps(given)
    if not gaps.any():
        return None
    if missing == "refuse" or given["domain"] == "matrix":
        i, j = np.argwhere(gaps)[0]
        where = given.get("columns", ())[j] if given.get("columns") else f"column {j}"
        ways = (
            "Drop those rows and columns."
            if given["domain"] == "matrix"
            else ("Choose missing='mean', 'most_frequent' or 'drop'.")
        )
        raise DataError(f"show: {int(gaps.sum())} cells are missing, the first in row {i}, {where}. {ways}")
    if missing == "drop":
        return np.flatnonzero(~gaps.any(axis=1))
    given["fill"] = missing
    return None
