"""Graphs, one in each row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import DataError
from ..kernels import LabelPairs, LabelSequences
from ..values.arrays import Array
from ..values.domains import object_rows, require_rows
from ..values.graph import Graph
from ..wrappers import Deep, Normalized
from .kind import POWERS, DataRows, Kind, Preset, Setting, deep, powers

_WALKS = Normalized(LabelSequences(beta=0.1, series="geometric"))
_PRESETS = (
    Preset("Walks", _WALKS, "Label sequences along walks."),
    Preset("Label pairs", Normalized(LabelPairs(beta=0.1)), "The pairs of labels that walks connect."),
    Preset("Walks, two levels", Deep(_WALKS, level=2), "Distances between molecules, twice."),
)


class Graphs(Kind):
    """Labelled graphs, such as molecules: an object array of `Graph` (n,)."""

    name = "graph"
    expected = "a list of n Graph objects"
    layout = "objects"
    column = "one"
    title = "Graphs"
    called = "graphs"
    row = "a graph"
    one, many = "graph", "graphs"
    search = "graphs molecules networks trees"
    roles = (("sequence",),)
    needs = ("sequence",)
    molecules = True
    large, first_rows = 300, 200  # graphs take longer to compare

    def check(self, X: Any, owner: str) -> Array:
        require_rows(self, X, owner)
        for i, x in enumerate(X):
            if not isinstance(x, Graph):
                raise self.wrong(owner, f"a {type(x).__name__} in row {i}", "wrap it: Graph(adjacency, labels)")
        return object_rows(X)

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        items = list(rows)
        for i, item in enumerate(items):
            if getattr(item, "adjacency", None) is None:
                raise DataError(f"{who}: graph rows must be Graph values; row {i} is {type(item).__name__}.")
        return object_rows(items)

    def presets(self, data: DataRows) -> tuple[Preset, ...]:
        return _PRESETS

    def settings(self, data: DataRows) -> Iterator[Setting]:
        for beta in (0.01, 0.03, 0.05, 0.1):
            walks = LabelSequences(beta=beta, series="geometric")
            yield Setting("Walks", Normalized(walks))
            yield Setting("Walks, lengths kept", walks)
        for beta in (0.1, 0.3, 1.0):
            yield Setting("Walks, exponential", Normalized(LabelSequences(beta=beta, series="exponential")))
            yield Setting("Label pairs", Normalized(LabelPairs(beta=beta)))
            yield Setting("Label pairs, lengths kept", LabelPairs(beta=beta))
        for beta in (0.03, 0.1):
            walks = LabelSequences(beta=beta, series="geometric")
            yield from deep("Deep walks", Normalized(walks))
            yield from deep("Deep walks, lengths kept", walks)
            yield from powers("Power", walks, POWERS[1:])
        yield from deep("Deep label pairs", Normalized(LabelPairs(beta=0.3)))

    def cells(self, data: DataRows, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        return [("nodes", [len(data.rows[i].labels) for i in rows])]
