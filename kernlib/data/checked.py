"""Rows of each domain checked once, when a data set is made; labels of all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..errors import DataError
from ..values.arrays import Array
from ..values.domains import Domain
from ..values.labels import Task, are_classes


def _shown(item: Any) -> str:
    """Return a cell as a person wrote it, shortened."""
    plain = item.item() if isinstance(item, np.generic) else item
    words = repr(plain)
    return words if len(words) <= 60 else words[:57] + "…"


def _shape_words(array: Array) -> str:
    return " × ".join(str(size) for size in array.shape) or "a single value"


def _place_words(place: Sequence[int]) -> str:
    return ", ".join(f"{kind} {i}" for kind, i in zip(("row", "column"), place, strict=False))


def _to_float(rows: Any, who: str, what: str) -> Array:
    try:
        raw = np.asarray(rows)
    except ValueError as error:
        raise DataError(f"{who}: {what} must have the same number of columns in every row ({error}).") from None
    if raw.dtype.kind == "c":
        raise DataError(f"{who}: {what} must be real numbers; got complex ones. Take the real part or the modulus.")
    try:
        return np.array(raw, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        for place, item in np.ndenumerate(raw):
            try:
                float(item)
            except (TypeError, ValueError):
                raise DataError(
                    f"{who}: {what} must be numbers; {_place_words(place)} is {_shown(item)}. "
                    "Use the categorical domain for nominal values, or remove that column."
                ) from None
        raise DataError(f"{who}: {what} must be numbers; got {raw.dtype}.") from None


def _refuse_not_finite(rows: Array, who: str) -> None:
    good = np.isfinite(rows)
    if not good.all():
        place = np.argwhere(~good)[0]
        raise DataError(
            f"{who}: every value must be a finite number; {_place_words(place)} is {rows[tuple(place)]} "
            f"({int((~good).sum())} such values). Remove those rows or fill them in from the training rows."
        )


def _vector(rows: Any, who: str) -> Array:
    X = _to_float(rows, who, "vector rows")
    if X.ndim != 2 or X.shape[1] < 1:
        raise DataError(
            f"{who}: vector rows must be a table of n rows and at least one column; got {_shape_words(X)}. "
            "Use rows.reshape(-1, 1) for a single column."
        )
    _refuse_not_finite(X, who)
    return X


def with_gaps(rows: Any, who: str) -> Array:
    """Return checked vector rows; NaN marks a missing cell."""
    X = _to_float(rows, who, "vector rows")
    _vector(np.where(np.isnan(X), 0.0, X), who)
    return X


def _categorical(rows: Any, who: str) -> Array:
    raw = np.asarray(rows)
    if raw.ndim != 2 or raw.shape[1] < 1:
        raise DataError(
            f"{who}: categorical rows must be a table of n rows and at least one column; got {_shape_words(raw)}."
        )
    if raw.dtype.kind in "iub":
        return np.array(raw, dtype=np.int64)
    if raw.dtype.kind == "f":
        _refuse_not_finite(raw, who)
        if (raw != np.round(raw)).any():
            raise DataError(
                f"{who}: categorical columns hold names or whole numbers; got fractions such as "
                f"{raw[raw != np.round(raw)][0]}. Use the vector domain, or turn the values into text."
            )
        return np.array(raw, dtype=np.int64)
    cells = np.empty(raw.shape, dtype=object)
    whole = 0
    for place, item in np.ndenumerate(raw):
        if isinstance(item, str):
            cells[place] = str(item)
        elif isinstance(item, (int, np.integer)) and not isinstance(item, (bool, np.bool_)):
            cells[place] = int(item)
            whole += 1
        else:
            raise DataError(
                f"{who}: categorical cells must be text or whole numbers; {_place_words(place)} is {item!r}. "
                "Write a missing value as a category of its own, e.g. '?'."
            )
    if 0 < whole < cells.size:
        raise DataError(
            f"{who}: categorical cells must be all text or all whole numbers; {whole} of {cells.size} are numbers. "
            "Turn the numbers into text."
        )
    return cells.astype(np.int64) if whole else cells


def _strings(rows: Any, who: str, what: str, allow_empty: bool) -> Array:
    if isinstance(rows, str):
        raise DataError(f"{who}: {what} must be a list of strings; got one string. Put it in a list.")
    items = list(rows)
    cells = np.empty(len(items), dtype=object)
    for i, item in enumerate(items):
        if not isinstance(item, str):
            raise DataError(f"{who}: {what} must be strings; row {i} is {_shown(item)}. Remove the row or fill it in.")
        if not item and not allow_empty:
            raise DataError(f"{who}: {what} must have at least one letter; row {i} is empty. Remove the row.")
        cells[i] = str(item)
    return cells


def _graph(rows: Any, who: str) -> Array:
    items = list(rows)
    cells = np.empty(len(items), dtype=object)
    for i, item in enumerate(items):
        adjacency = getattr(item, "adjacency", None)
        if adjacency is None:
            raise DataError(f"{who}: graph rows must be Graph values; row {i} is {type(item).__name__}.")
        cells[i] = item
    return cells


def _square(rows: Any, who: str, what: str) -> Array:
    A = _to_float(rows, who, what)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise DataError(
            f"{who}: {what} must be square, one row and one column per object; got {_shape_words(A)}. "
            "Check for a header line or a column of names."
        )
    _refuse_not_finite(A, who)
    gap = np.abs(A - A.T)
    if gap.size and gap.max() > 1e-8 * max(1.0, float(np.abs(A).max())):
        i, j = np.unravel_index(int(gap.argmax()), gap.shape)
        raise DataError(
            f"{who}: {what} must be symmetric; entry ({i}, {j}) is {A[i, j]:g} and ({j}, {i}) is {A[j, i]:g}. "
            "Take (A + A.T) / 2, or np.maximum(A, A.T) for directed edges."
        )
    return A


def _pair(rows: Any, who: str) -> Array:
    raw = np.asarray(rows)
    if raw.ndim != 2 or raw.shape[1] != 2 or raw.dtype.kind not in "iu":
        raise DataError(
            f"{who}: pairs must be whole numbers in two columns; got {raw.dtype} of {_shape_words(raw)}. "
            "Give the row numbers of the two partners."
        )
    return np.array(raw, dtype=np.int64)


READERS: dict[Domain, Callable[[Any, str], Array]] = {
    "vector": _vector,
    "categorical": _categorical,
    "sequence": partial(_strings, what="sequences", allow_empty=False),
    "text": partial(_strings, what="texts", allow_empty=True),
    "graph": _graph,
    "node": partial(_square, what="the adjacency matrix"),
    "pair": _pair,
    "matrix": partial(_square, what="the matrix"),
}


def checked_labels(
    y: Any, classes: tuple[str, ...], task: Task | None, n: int, who: str
) -> tuple[Array | None, tuple[str, ...], Task | None]:
    """Return codes or targets, class names and task, all checked."""
    if y is None:
        if task is not None or classes:
            raise DataError(f"{who}: a task or classes need labels; y is None. Give y, or leave both out.")
        return None, (), None
    if task not in (None, "classification", "regression"):
        raise DataError(f"{who}: task must be 'classification', 'regression' or None; got {task!r}.")
    raw = np.asarray(y)
    if raw.ndim != 1 or raw.shape[0] != n:
        raise DataError(
            f"{who}: there must be one label per row, {n} of them; got {_shape_words(raw)}. "
            "Check for a missing or a doubled line."
        )
    if raw.dtype == object:
        _refuse_missing(raw, who)
        raw = _plain(raw, who)
    if raw.dtype.kind == "f" and not np.isfinite(raw).all():
        row = int(np.flatnonzero(~np.isfinite(raw))[0])
        raise DataError(f"{who}: every label must be known and finite; row {row} is {raw[row]}. Remove the row.")
    if task is None:
        task = "classification" if classes or are_classes(raw) else "regression"
    if task == "regression":
        if raw.dtype.kind not in "iufb":
            raise DataError(f"{who}: targets of a regression must be numbers; got {raw[0]!r}. Use classification.")
        return np.array(raw, dtype=np.float64), (), "regression"
    if raw.dtype.kind == "f" and (raw != np.round(raw)).any():
        raise DataError(
            f"{who}: classes must be names or whole numbers; got {raw[raw != np.round(raw)][0]}. Use task='regression'."
        )
    if not classes:
        values, codes = np.unique(raw, return_inverse=True)
        words = tuple(str(int(v)) if values.dtype.kind in "iuf" else str(v) for v in values)
        return codes.astype(np.int64), words, "classification"
    if len(set(classes)) != len(classes):
        raise DataError(f"{who}: the names of the classes must differ; got {classes}.")
    names = tuple(str(c) for c in classes)
    if raw.dtype.kind == "U":
        known = {name: code for code, name in enumerate(names)}
        unknown = sorted(set(raw.tolist()) - set(known))
        if unknown:
            raise DataError(f"{who}: label {unknown[0]!r} is not among the classes {names}. Add it to classes.")
        return np.array([known[label] for label in raw.tolist()], dtype=np.int64), names, "classification"
    codes = raw.astype(np.int64)
    if codes.min() < 0 or codes.max() >= len(names):
        wrong = int(codes.min() if codes.min() < 0 else codes.max())
        raise DataError(
            f"{who}: class codes must be 0…{len(names) - 1}, one per name in classes; got {wrong}. "
            "Give the names as y, or leave classes empty."
        )
    return codes, names, "classification"


def _refuse_missing(raw: Array, who: str) -> None:
    for i, item in enumerate(raw):
        if item is None or (isinstance(item, float) and not np.isfinite(item)) or item == "":
            raise DataError(f"{who}: every row needs a label; row {i} has {item!r}. Remove the row or fill it in.")


def _plain(raw: Array, who: str) -> Array:
    items = raw.tolist()
    if all(isinstance(item, str) for item in items):
        return np.array(items, dtype=np.str_)
    if all(isinstance(item, (bool, int, float)) for item in items):
        return np.array(items)
    kinds = sorted({type(item).__name__ for item in items})
    raise DataError(f"{who}: labels must be of one kind, text or numbers; got {', '.join(kinds)}. Make them all text.")
