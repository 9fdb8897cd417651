"""Checks of a data set's rows that several kinds share; every problem is a DataError that names the place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import DataError
from ..values.arrays import Array, unmasked


def shown(item: Any) -> str:
    """Return a cell as a person wrote it, shortened."""
    plain = item.item() if isinstance(item, np.generic) else item
    words = repr(plain)
    return words if len(words) <= 60 else words[:57] + "…"


def shape_words(array: Array) -> str:
    """Return the shape of an array as text."""
    return " × ".join(str(size) for size in array.shape) or "a single value"


def place_words(place: Sequence[int]) -> str:
    """Return the place of a cell as text."""
    return ", ".join(f"{kind} {i}" for kind, i in zip(("row", "column"), place, strict=False))


def to_float(rows: Any, who: str, what: str) -> Array:
    """Return rows as real numbers; DataError names the first cell that is none."""
    if hasattr(rows, "toarray"):
        raise DataError(f"{who}: {what} must be dense; got a sparse {type(rows).__name__}. Pass rows.toarray().")
    try:
        raw = np.asarray(unmasked(rows))
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
                    f"{who}: {what} must be numbers; {place_words(place)} is {shown(item)}. "
                    "Use the categorical domain for nominal values, or remove that column."
                ) from None
        raise DataError(f"{who}: {what} must be numbers; got {raw.dtype}.") from None


def refuse_not_finite(rows: Array, who: str) -> None:
    """Raise DataError where a number is missing or infinite."""
    good = np.isfinite(rows)
    if not good.all():
        place = np.argwhere(~good)[0]
        raise DataError(
            f"{who}: every value must be a finite number; {place_words(place)} is {rows[tuple(place)]} "
            f"({int((~good).sum())} such values). Remove those rows or fill them in from the training rows."
        )


def read_strings(rows: Any, who: str, what: str, allow_empty: bool) -> Array:
    """Return strings as an object array (n,)."""
    if isinstance(rows, str):
        raise DataError(f"{who}: {what} must be a list of strings; got one string. Put it in a list.")
    items = list(rows)
    cells = np.empty(len(items), dtype=object)
    for i, item in enumerate(items):
        if not isinstance(item, str):
            raise DataError(f"{who}: {what} must be strings; row {i} is {shown(item)}. Remove the row or fill it in.")
        if not item and not allow_empty:
            raise DataError(f"{who}: {what} must have at least one letter; row {i} is empty. Remove the row.")
        cells[i] = str(item)
    return cells


def read_square(rows: Any, who: str, what: str) -> Array:
    """Return a symmetric matrix of finite numbers."""
    A = to_float(rows, who, what)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise DataError(
            f"{who}: {what} must be square, one row and one column per object; got {shape_words(A)}. "
            "Check for a header line or a column of names."
        )
    refuse_not_finite(A, who)
    gap = np.abs(A - A.T)
    if gap.size and gap.max() > 1e-8 * max(1.0, float(np.abs(A).max())):
        i, j = np.unravel_index(int(gap.argmax()), gap.shape)
        raise DataError(
            f"{who}: {what} must be symmetric; entry ({i}, {j}) is {A[i, j]:g} and ({j}, {i}) is {A[j, i]:g}. "
            "Take (A + A.T) / 2, or np.maximum(A, A.T) for directed edges."
        )
    return A


def unknown_categories(columns: Iterable[tuple[str, Array, Array]]) -> Iterator[str]:
    """Yield a sentence about each column, (name, cells, new cells), whose new cells hold other categories.

    >>> list(unknown_categories([("k", np.array(["u", "v"]), np.array(["v", "w", "w"]))]))
    ["'k' has values that no training row has, in 2 rows: w."]
    """
    for name, cells, new in columns:
        known = set(cells.tolist())
        others = [str(cell) for cell in new.tolist() if cell not in known]
        if others:
            names = list(dict.fromkeys(others))
            words = ", ".join(name[:40] for name in names[:6]) + (", …" if len(names) > 6 else "")
            yield f"{shown(name)} has values that no training row has, in {len(others)} rows: {words}."
