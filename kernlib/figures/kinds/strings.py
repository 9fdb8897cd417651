"""Strings as coloured letters, texts by their words."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from ...data import Dataset
from ...stories import Scene
from ...values.arrays import Array
from ..data import sequence_letters, term_bars
from .pictures import Picture, Pictures, labels_of


class Sequences(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        return [Picture(sequence_letters(data.rows.tolist(), data.y, data.classes), "data.letters", "letters")]

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return sequence_letters(cells.tolist(), data.y, data.classes)

    def of_rows(
        self, data: Dataset, rows: Sequence[int], names: Sequence[str], *, by_class: bool = False, across: int = 8
    ) -> go.Figure:
        return sequence_letters([data.rows[i] for i in rows], *labels_of(data, rows, by_class), list(names))

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        fig = self.of_rows(data, pair, [data.ids[i] for i in pair], by_class=True)
        return [Picture(fig, "letters", "two-strings")]

    def of_scene(self, scene: Scene) -> go.Figure:
        data = scene.data
        return sequence_letters(data.rows.tolist(), data.y, data.classes, data.ids)


class Texts(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        return [Picture(term_bars(list(data.rows)), "data.terms", "terms")]

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return term_bars(cells.tolist())

    def of_scene(self, scene: Scene) -> go.Figure:
        data = scene.data
        return sequence_letters(data.rows.tolist(), data.y, data.classes, data.ids)
