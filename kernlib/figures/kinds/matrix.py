"""A matrix of scores or distances as it is."""

from __future__ import annotations

from ...data import Dataset
from ..gram import gram_heatmap
from .pictures import Picture, Pictures


class _Matrix(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        return [Picture(gram_heatmap(data.rows, None, data.y, data.classes, data.ids), "data.matrix", "scores")]


PICTURES = _Matrix()
