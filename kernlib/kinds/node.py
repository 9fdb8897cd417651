"""The nodes of one graph."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..kernels import Diffusion
from ..values.arrays import Array
from ..values.domains import finite_table
from ..wrappers import Centered, Deep, Normalized
from .checked import read_square
from .kind import POWERS, DataRows, Kind, Preset, Setting, deep, first_entries, powers

_PRESETS = (
    Preset("Diffusion", Diffusion(beta=0.3), "Heat that spreads along the edges."),
    Preset("Short time", Diffusion(beta=0.02), "Little heat spreads: every node is similar to itself alone."),
    Preset("Two levels deep", Deep(Diffusion(beta=0.3), level=2), "Distances in feature space, twice."),
)


class Nodes(Kind):
    """Nodes: the symmetric adjacency or similarity matrix of one graph, float64 (n, n)."""

    name = "node"
    expected = "a square (n, n) adjacency or similarity matrix"
    layout = "square"
    title = "Nodes of one graph"
    called = "nodes of a graph"
    row = "a node"
    one, many = "node", "nodes"
    search = "nodes node people network of one graph social"
    stand_in = "karate"
    independent = False
    quick = True
    compared = math.inf

    def check(self, X: Any, owner: str) -> Array:
        return finite_table(self, X, owner)

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        return read_square(rows, who, "the adjacency matrix")

    def warnings(self, data: DataRows) -> Iterator[str]:
        own = np.diagonal(data.rows)
        if own.any():
            yield "Some nodes have an edge to themselves."
        if (data.rows < 0).any():
            yield "Some edges have negative weights."
        alone = int((~(data.rows - np.diag(own)).any(axis=1)).sum())
        if alone:
            yield f"{alone} of {data.n} nodes have no edge."

    def presets(self, data: DataRows) -> tuple[Preset, ...]:
        return _PRESETS

    def settings(self, data: DataRows) -> Iterator[Setting]:
        for beta in (0.01, 0.03, 0.1, 0.3, 1.0, 3.0):
            diffusion = Diffusion(beta=beta)
            yield Setting("Diffusion", diffusion)
            yield Setting("Diffusion, angles", Normalized(diffusion))
            yield from deep("Deep diffusion", diffusion)
        for diffusion in (Diffusion(beta=0.1), Diffusion(beta=0.3), Diffusion(beta=1.0)):
            yield from deep("Deep diffusion, angles", Normalized(diffusion), (1,))
            yield from powers("Power", diffusion, POWERS[1:])
            yield Setting("Centred", Centered(diffusion))

    def cells(self, data: DataRows, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        return first_entries(data, rows, full)

    def places(self, data: DataRows) -> Array | None:
        from ..analysis.layout import graph_layout

        return graph_layout(np.asarray(data.rows, dtype=np.float64))

    def edges(self, data: DataRows) -> Array | None:
        return np.argwhere(np.triu(np.asarray(data.rows), 1) != 0)
