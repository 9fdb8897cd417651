"""Rows of categories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import DataError
from ..kernels import RBF, Coded, Overlap, Polynomial, ProbabilityOverlap
from ..values.arrays import Array, unmasked
from ..values.domains import nominal_table
from ..wrappers import Deep, Normalized
from .checked import place_words, refuse_not_finite, shape_words, unknown_categories
from .kind import WIDTHS, DataRows, Kind, Preset, Setting, deep

_PRESETS = (
    Preset("Overlap", Overlap(), "The share of columns in which two rows agree."),
    Preset("Rare counts more", ProbabilityOverlap(alpha=0.7), "Agreeing on a rare value weighs more."),
    Preset("Two levels deep", Deep(Overlap(), level=2), "A Gaussian of distances, twice."),
)


class Categorical(Kind):
    """Nominal columns: int64 or an object array of str, (n, d)."""

    name = "categorical"
    expected = "an array of shape (n, d) whose columns are all nominal"
    column = "several"
    strings = nominal = True
    title = "Categorical rows"
    called = "categories"
    search = "categories category categorical nominal columns words categories answers table"
    roles = (("categorical", "numeric"),)
    stand_in = "solar-flare"
    typed = "table"
    as_column = True
    quick = True

    def check(self, X: Any, owner: str) -> Array:
        return nominal_table(self, X, owner)

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        raw = np.asarray(unmasked(rows))
        if raw.ndim != 2 or raw.shape[1] < 1:
            raise DataError(
                f"{who}: categorical rows must be a table of n rows and at least one column; got {shape_words(raw)}."
            )
        if raw.dtype.kind in "iub":
            return np.array(raw, dtype=np.int64)
        if raw.dtype.kind == "f":
            refuse_not_finite(raw, who)
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
                    f"{who}: categorical cells must be text or whole numbers; {place_words(place)} is {item!r}. "
                    "Write a missing value as a category of its own, e.g. '?'."
                )
        if 0 < whole < cells.size:
            raise DataError(
                f"{who}: categorical cells must be all text or all whole numbers; {whole} of {cells.size} are numbers. "
                "Turn the numbers into text."
            )
        return cells.astype(np.int64) if whole else cells

    def unknown(self, data: DataRows, new: DataRows, who: str) -> Iterator[str]:
        yield from unknown_categories(zip(data.columns, data.rows.T, new.rows.T, strict=True))

    def is_cell(self, cell: Any) -> bool:
        return isinstance(cell, (str, int, np.integer))

    def presets(self, data: DataRows) -> tuple[Preset, ...]:
        return _PRESETS

    def settings(self, data: DataRows) -> Iterator[Setting]:
        for exponent in (1, 2, 3, 5):
            yield Setting("Overlap", Overlap() ** exponent if exponent > 1 else Overlap())
        for gamma in WIDTHS:
            yield Setting("Overlap, Gaussian", Overlap(after="f2", gamma=gamma))
        for alpha in (0.4, 0.7, 1.0, 1.3):
            yield Setting("Rare values", ProbabilityOverlap(alpha=alpha))
            yield Setting("Rare values", ProbabilityOverlap(alpha=alpha) ** 2)
            yield Setting("Rare values, Gaussian", ProbabilityOverlap(alpha=alpha, after="f2", gamma=1.0))
        yield from deep("Deep overlap", Overlap())
        yield from deep("Deep rare values", ProbabilityOverlap(alpha=0.7))
        for coding in ("one-hot", "codes"):
            for degree in (2, 3, 5):
                yield Setting(f"Coded, {coding}", Coded(Normalized(Polynomial(degree=degree)), coding=coding))
            yield Setting(f"Coded, {coding}", Coded(RBF(sigma="median"), coding=coding))

    def from_typed(self, data: DataRows, cells: Sequence[Any]) -> tuple[Any, ...]:
        # What was typed stands for the category that is written so.
        known = [{str(v): v for v in data.rows[:, c].tolist()} for c in range(data.rows.shape[1])]
        return tuple(known[c].get(str(v), v) for c, v in enumerate(cells))
