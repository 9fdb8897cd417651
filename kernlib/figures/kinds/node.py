"""Nodes in the drawing of their graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ...data import Dataset
from ...stories import Scene
from ..data import graph_drawing
from ..theme import captioned
from .pictures import Picture, Pictures


class _Nodes(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        return [Picture(graph_drawing(data.rows, data.y, data.classes, data.ids), "data.graph", "graph")]

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        marks = np.zeros(data.n, dtype=np.intp)
        marks[pair[0]], marks[pair[1]] = 1, 2
        fig = graph_drawing(data.rows, marks, ("other nodes", "first", "second"), data.ids)
        words = "The two nodes in their graph: the more short paths connect them, the more similar they are."
        return [Picture(captioned(fig, words), "nodes", "two-nodes")]

    def of_scene(self, scene: Scene) -> go.Figure:
        data = scene.data
        return graph_drawing(data.rows, data.y, data.classes, data.ids, labels=data.ids)


PICTURES = _Nodes()
