"""Labels of all rows, checked once when a data set is made."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import DataError
from ..kinds.checked import shape_words
from ..values.arrays import Array, unmasked
from ..values.labels import Task, are_classes


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
    raw = np.asarray(unmasked(y))
    if raw.ndim != 1 or raw.shape[0] != n:
        raise DataError(
            f"{who}: there must be one label per row, {n} of them; got {shape_words(raw)}. "
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
