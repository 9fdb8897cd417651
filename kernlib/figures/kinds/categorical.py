"""Categories as bars, and few rows as a table of bright and dark cells."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from ...data import Dataset
from ...stories import Scene
from ...values.arrays import Array
from ..data import category_bars
from ..theme import SEQUENTIAL, composed, escape
from .pictures import Menu, Picture, Pictures

#: Up to this many rows, a table shows them all.
_FEW = 12


class _Categorical(Pictures):
    def menu(self, data: Dataset) -> Menu:
        return Menu("Column", "data.column", data.columns)

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        fig = category_bars(data.rows, chosen, data.y, data.classes, data.columns)
        return [Picture(fig, "data.bars", "categories")]

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return category_bars(cells, 0, data.y, data.classes, data.columns[j : j + 1])

    def of_scene(self, scene: Scene) -> go.Figure | None:
        return _table(scene) if scene.data.n <= _FEW else None


PICTURES = _Categorical()


def _table(scene: Scene) -> go.Figure:
    """Return few rows of categories as a table; bright values are common."""
    rows = np.asarray(scene.data.rows, dtype=object)
    share = np.array([[(rows[:, j] == rows[i, j]).mean() for j in range(rows.shape[1])] for i in range(len(rows))])
    text = [[escape(value, 20) for value in row] for row in rows]
    cells = go.Heatmap(
        z=share,
        text=text,
        colorscale=SEQUENTIAL,
        zmin=0,
        zmax=1,
        xgap=2,
        ygap=2,
        colorbar=dict(title_text="share of rows", tickformat=".0%"),
        name="share of rows",
        hovertemplate="%{text}: %{z:.0%} of the rows<extra></extra>",
    )
    down, across = np.indices(share.shape).reshape(2, -1)
    words = go.Scatter(
        x=across,
        y=down,
        text=[word for row in text for word in row],
        mode="text",
        hoverinfo="skip",
        showlegend=False,
        textfont=dict(size=18, color=np.where(share.ravel() > 0.6, "#000000", "#ffffff").tolist()),
    )
    return composed(
        [cells, words],
        dict(
            xaxis=dict(
                tickvals=list(range(rows.shape[1])),
                ticktext=[f"<b>{escape(name)}</b>" for name in scene.data.columns],
                tickfont=dict(size=16),
                side="top",
                ticks="",
            ),
            yaxis=dict(showticklabels=False, autorange="reversed", ticks=""),
        ),
        alt=f"Table of {len(rows)} rows and {rows.shape[1]} columns of categories.",
        caption="One line for each row, one column for each property. Bright values are common.",
    )
