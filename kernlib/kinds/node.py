"""The nodes of one graph."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ..kernels import Diffusion
from ..values.arrays import Array
from ..values.domains import finite_table
from ..wrappers import Centered, Deep, Normalized
from .checked import read_square
from .kind import POWERS, DataRows, Kind, Preset, Setting, deep, first_entries, powers


def _diffusion(data: DataRows | None, times: float = 1.0) -> Diffusion:
    """Return heat after a time in multiples of the heuristic of this graph, to one digit."""
    suited = {} if data is None else Diffusion().heuristics(data.rows)
    return Diffusion(beta=float(f"{times * suited['beta']:.1g}")) if suited else Diffusion()


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
    starts = MappingProxyType({Diffusion: lambda data: _diffusion(data)})
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
        heat = _diffusion(data)
        little = "Little heat spreads: every node is similar only to itself."
        return (
            Preset("Diffusion", heat, "Heat that spreads along the edges."),
            Preset("Short time", _diffusion(data, 0.07), little),
            Preset("Two levels deep", Deep(heat, level=2), "A Gaussian of distances, twice."),
        )

    def settings(self, data: DataRows) -> Iterator[Setting]:
        for times in (0.04, 0.11, 0.37, 1.1, 3.7, 11.0):
            diffusion = _diffusion(data, times)
            yield Setting("Diffusion", diffusion)
            yield Setting("Diffusion, angles", Normalized(diffusion))
            yield from deep("Deep diffusion", diffusion)
        for diffusion in (_diffusion(data, times) for times in (0.37, 1.1, 3.7)):
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
