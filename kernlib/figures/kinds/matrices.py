"""A matrix of scores or distances as it is, and pairs by the pictures of the rows that they name."""

from __future__ import annotations

from collections.abc import Sequence

from ...data import Dataset
from ..gram import gram_heatmap
from .pictures import Picture, Pictures, pictures_of


class Matrix(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        return [Picture(gram_heatmap(data.rows, None, data.y, data.classes, data.ids), "data.matrix", "scores")]


class PairsOfRows(Pictures):
    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        if data.base is None:
            return []
        members = data.rows[list(pair)].ravel().tolist()
        fig = pictures_of(data.base).of_rows(data.base, members, [data.base.ids[i] for i in members], across=4)
        return [] if fig is None else [Picture(fig, "pairs", "two-pairs")]
