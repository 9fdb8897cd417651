"""Texts of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..kernels import LatentSemantic, VectorSpace
from ..values.arrays import Array
from ..values.domains import string_rows
from ..wrappers import Normalized
from .checked import read_strings
from .kind import DataRows, Kind, Preset, Setting, deep, powers

_PRESETS = (
    Preset("Latent semantic", LatentSemantic(concepts=100), "Documents by their leading concepts."),
    Preset("Bag of words", VectorSpace(), "Counts of words; long documents dominate."),
    Preset("Angles", Normalized(VectorSpace(weighting="tf-idf")), "Angles between documents, of any length."),
)


class Texts(Kind):
    """Texts of words: an object array of str (n,); a text may be empty."""

    name = "text"
    expected = "a list of n strings"
    layout = "objects"
    column = "one"
    strings = True
    title = "Text"
    called = "texts"
    row = "text"
    one, many = "text", "texts"
    search = "texts documents words mails"
    roles = (("text",), ("sequence",))
    typed = "lines"
    as_column = True

    def check(self, X: Any, owner: str) -> Array:
        return string_rows(self, X, owner)

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        return read_strings(rows, who, "texts", allow_empty=True)

    def from_cell(self, cell: str) -> str:
        return cell

    def warnings(self, data: DataRows) -> Iterator[str]:
        empty = sum(not text.strip() for text in data.rows)
        if empty:
            yield f"{empty} of {data.n} texts are empty."

    def presets(self, data: DataRows) -> tuple[Preset, ...]:
        return _PRESETS

    def sizes(self, data: DataRows) -> Array | None:
        return np.array([len(str(row).split()) for row in data.rows], dtype=np.float64)

    def settings(self, data: DataRows) -> Iterator[Setting]:
        yield Setting("Words", VectorSpace())
        for weighting in ("tf", "tf-idf"):
            for stop in (None, "english"):
                words = VectorSpace(weighting=weighting, stop_words=stop)
                yield Setting("Angles between documents", Normalized(words))
                yield Setting("Angles, to a power", Normalized(words) ** 2)
            for concepts in (5, 10, 25, 50, 100, 200):
                semantic = LatentSemantic(concepts=concepts, weighting=weighting)
                yield Setting("Latent semantic", semantic)
                yield Setting("Latent semantic, angles", Normalized(semantic))
            yield from deep("Deep angles", Normalized(VectorSpace(weighting=weighting)))
            yield from powers("Power", Normalized(VectorSpace(weighting=weighting)))

    def cells(self, data: DataRows, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        return [("content", [str(data.rows[i])[: 500 if full else 200] for i in rows])]

    def snippet(self, row: Any) -> str:
        return str(row)[:24]
