"""One column of mixed rows, by the pictures of its kind."""

from __future__ import annotations

from ...data import Dataset
from .pictures import Menu, Picture, Pictures, pictures_named


class _Mixed(Pictures):
    def menu(self, data: Dataset) -> Menu:
        return Menu("Column", "data.column", data.columns)

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        kind = data.kinds[chosen]
        return [
            Picture(pictures_named(kind).of_column(data.rows[:, chosen], data, chosen), f"data.mixed.{kind}", "column")
        ]


PICTURES = _Mixed()
