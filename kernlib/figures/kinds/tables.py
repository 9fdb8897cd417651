"""Rows of a table: points, categories, or one column of several kinds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from ...data import Dataset
from ...explain import Explanation
from ...stories import Scene
from ...values.arrays import Array
from ..data import category_bars, image_grid, scatter, value_histogram
from ..explain import pixel_parts
from ..marks import heat, mark, places_axis
from ..theme import caption, captioned, composed, escape
from .pictures import Menu, Picture, Pictures, labels_of, pictures_named


class Vectors(Pictures):
    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        if data.image is not None:
            return [
                Picture(image_grid(data.complete().rows, data.image, data.y, data.classes), "data.images", "images")
            ]
        X, names = plane(data)
        fig = scatter(X, data.y, data.classes, data.ids, columns=names)
        if data.rows.shape[1] > 2:
            words = f"PC 1 and 2: the two directions in which the {data.rows.shape[1]} standardised columns vary most."
            captioned(fig, f"{caption(fig)} {words}")
        return [Picture(fig, "data.scatter", "scatter")]

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return value_histogram(cells.astype(float), data.y, data.classes, data.columns[j])

    def of_rows(
        self, data: Dataset, rows: Sequence[int], names: Sequence[str], *, by_class: bool = False, across: int = 8
    ) -> go.Figure | None:
        if data.image is None:
            return None
        y, classes = labels_of(data, rows, by_class)
        most = len(rows) * max(len(classes), 1)  # all that are shown may be of one class
        images = data.complete().rows[list(rows)]
        return image_grid(images, data.image, y, classes, max_images=most, across=across, numbers=list(rows))

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        fig = self.of_rows(data, pair, names, across=2)
        if fig is None:
            return []
        words = "The two rows, each with its number. Beside them: which pixels the value comes from."
        return [Picture(captioned(fig, words).update_layout(height=300), "images", "two-images")]

    def of_parts(self, data: Dataset, explanation: Explanation) -> Picture | None:
        if data.image is None:
            return None
        # The factors of a product are all but equal: the terms of its distance are drawn.
        title = "Part of the distance" if explanation.apart else "Part of k(x, x')"
        parts = explanation.apart or explanation.parts
        if len(parts) != data.rows.shape[1]:
            return None
        return Picture(pixel_parts([p.value for p in parts], data.image, title), "pixels", "pixels")

    def of_scene(self, scene: Scene) -> go.Figure:
        data = scene.data
        return scatter(data.rows, data.y, data.classes, data.ids, data.columns)


def plane(data: Dataset) -> tuple[Array, tuple[str, str]]:
    """Return two columns, or the two leading principal components of more, with their names."""
    X = data.complete().rows
    if X.shape[1] == 1:
        height = data.y if data.task == "regression" and data.y is not None else np.zeros(len(X))
        return np.column_stack([X[:, 0], height]), (data.columns[0], "y")
    if X.shape[1] == 2:
        return X, (data.columns[0], data.columns[1])
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    scores: Array = PCA(2, random_state=0).fit_transform(StandardScaler().fit_transform(X))
    return scores, ("PC 1", "PC 2")


#: Up to this many rows, a table shows them all.
_FEW = 12


class Categorical(Pictures):
    def menu(self, data: Dataset) -> Menu:
        return Menu("Column", "data.column", data.columns)

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        fig = category_bars(data.rows, chosen, data.y, data.classes, data.columns)
        return [Picture(fig, "data.bars", "categories")]

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        return category_bars(cells, 0, data.y, data.classes, data.columns[j : j + 1])

    def of_scene(self, scene: Scene) -> go.Figure | None:
        return _table(scene) if scene.data.n <= _FEW else None


def _table(scene: Scene) -> go.Figure:
    """Return few rows of categories as a table; bright values are common."""
    rows = np.asarray(scene.data.rows, dtype=object)
    share = np.array([[(rows[:, j] == rows[i, j]).mean() for j in range(rows.shape[1])] for i in range(len(rows))])
    text = [[escape(value, 20) for value in row] for row in rows]
    bar = dict(title=dict(text="share of rows"), tickformat=".0%")
    shown = dict(zmin=0, zmax=1, xgap=2, ygap=2, colorbar=bar, tip="%{text}: %{z:.0%} of the rows")
    cells = heat(share, "share of rows", text=text, **shown)
    down, across = np.indices(share.shape).reshape(2, -1)
    words = mark(
        "scatter",
        "",
        "",
        x=across,
        y=down,
        text=[word for row in text for word in row],
        mode="text",
        showlegend=False,
        textfont=dict(size=18, color=np.where(share.ravel() > 0.6, "#000000", "#ffffff").tolist()),
    )
    return composed(
        [cells, words],
        dict(
            xaxis=places_axis(
                [f"<b>{escape(name)}</b>" for name in scene.data.columns], tickfont=dict(size=16), side="top", ticks=""
            ),
            yaxis=dict(showticklabels=False, autorange="reversed", ticks=""),
        ),
        alt=f"Table of {len(rows)} rows and {rows.shape[1]} columns of categories.",
        caption="One line for each row, one column for each property. Bright values are common.",
    )


class Mixed(Pictures):
    def menu(self, data: Dataset) -> Menu:
        return Menu("Column", "data.column", data.columns)

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        kind = data.kinds[chosen]
        return [
            Picture(pictures_named(kind).of_column(data.rows[:, chosen], data, chosen), f"data.mixed.{kind}", "column")
        ]
