"""What the pictures of a kind of row answer; where a kind draws nothing, a table shows its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import plotly.graph_objects as go

from ...data import Dataset
from ...explain import Explanation
from ...kinds import KINDS
from ...stories import Scene
from ...values.arrays import Array


@dataclass(frozen=True)
class Picture:
    """A figure with its place on a page and the `name` of its file."""

    figure: go.Figure
    place: str
    name: str


@dataclass(frozen=True)
class Menu:
    """What is chosen for the picture on Data: `label`, the name in links, and the entries; none to choose a row."""

    label: str
    control: str
    entries: Sequence[str] = ()


class Pictures:
    """How rows of one kind are drawn; every method may return nothing."""

    #: One figure shows many rows; else each row has a figure of its own.
    many: ClassVar[bool] = True

    def menu(self, data: Dataset) -> Menu | None:
        """Return what is chosen for the picture on Data."""
        return None

    def of_data(self, data: Dataset, chosen: int = 0) -> list[Picture]:
        """Return the pictures on Data, the main one first; `chosen` is an entry of the menu."""
        return []

    def of_column(self, cells: Array, data: Dataset, j: int) -> go.Figure:
        """Return the picture of column `j` of mixed rows; for kinds that can be a column."""
        raise NotImplementedError

    def of_rows(
        self, data: Dataset, rows: Sequence[int], names: Sequence[str], *, by_class: bool = False, across: int = 8
    ) -> go.Figure | None:
        """Return one picture of many rows in the order given, or by class."""
        return None

    def of_row(self, data: Dataset, row: int, name: str) -> go.Figure | None:
        """Return the picture of a row alone."""
        return None

    def of_pair(self, data: Dataset, pair: tuple[int, int], names: Sequence[str]) -> list[Picture]:
        """Return pictures of two rows for *Why alike*, side by side."""
        if self.many:
            return []
        drawn = [self.of_row(data, row, name) for row, name in zip(pair, names, strict=True)]
        return [Picture(fig, f"graph.{i}", f"graph-{i}") for i, fig in enumerate(drawn) if fig is not None]

    def of_parts(self, data: Dataset, explanation: Explanation) -> Picture | None:
        """Return a picture of where in the rows the parts of a kernel's value lie."""
        return None

    def of_scene(self, scene: Scene) -> go.Figure | None:
        """Return the rows of a lesson; None for the feature map."""
        return None


def pictures_named(kind: str) -> Pictures:
    """Return what draws the rows of a kind: the class here that is named as its declaration, in a module as named."""
    declared = type(KINDS[kind])
    module = import_module(f"{__package__}.{declared.__module__.rsplit('.', 1)[1]}")
    pictures: Pictures = getattr(module, declared.__name__)()
    return pictures


def pictures_of(data: Dataset) -> Pictures:
    """Return what draws the rows of a data set.

    >>> from kernlib.data import load_dataset
    >>> karate = load_dataset("karate")
    >>> [picture.name for picture in pictures_of(karate).of_data(karate)]
    ['graph']
    """
    return pictures_named(data.domain)


def labels_of(data: Dataset, rows: Sequence[int] | None = None, by_class: bool = True) -> tuple[Any, tuple[str, ...]]:
    """Return the codes and the classes of rows, or none."""
    if not by_class or data.y is None:
        return None, ()
    return data.y if rows is None else data.y[list(rows)], data.classes
