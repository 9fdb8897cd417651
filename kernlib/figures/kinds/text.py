"""Texts by their words."""

from __future__ import annotations

import plotly.graph_objects as go

from ...data import Dataset
from ...stories import Scene
from ...values.arrays import Array
from ..data import sequence_letters, term_bars
from .pictures import Picture, Pictures


class _Texts(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        return [Picture(term_bars(list(data.rows)), "data.terms", "terms")]

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return term_bars(cells.tolist())

    def of_scene(self, scene: Scene) -> go.Figure:
        data = scene.data
        return sequence_letters(data.rows.tolist(), data.y, data.classes, data.ids)


PICTURES = _Texts()
