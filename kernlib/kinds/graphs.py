"""Graphs, one in each row, and the nodes of one graph."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import Diffusion, LabelPairs, LabelSequences, ShortestPath, WeisfeilerLehman
from ..values.arrays import Array
from ..values.domains import Graph, object_rows, require_rows
from ..wrappers import Centered, Deep, Normalized
from .kind import POWERS, Family, Kind, Preset, SquareKind, deep, powers, suited, two_levels

if TYPE_CHECKING:
    from ..data.dataset import Dataset

#: β of walks in multiples of the heuristic, for a geometric series and for an exponential one.
_BETAS, _EXPONENTIAL = (0.1, 0.3, 0.5, 1.0), (0.09, 0.27, 0.9)


class Graphs(Kind):
    """Labelled graphs, such as molecules: an object array of `Graph` (n,)."""

    name = "graph"
    expected = "a list of n Graph objects"
    layout = "objects"
    column = "one"
    title = "Graphs"
    called = "graphs"
    one, many = "graph", "graphs"
    search = "graphs molecules networks trees"
    needs = True
    molecules = True
    large, first_rows = 300, 200  # graphs take longer to compare
    starts = MappingProxyType(
        {
            LabelSequences: partial(suited, LabelSequences(), digits=1),
            LabelPairs: partial(suited, LabelPairs(), times=_EXPONENTIAL[0], digits=1),
        }
    )

    def check(self, X: Any, owner: str) -> Array:
        require_rows(self, X, owner)
        for i, x in enumerate(X):
            if not isinstance(x, Graph):
                raise self.wrong(owner, f"a {type(x).__name__} in row {i}", "wrap it: Graph(adjacency, labels)")
        return object_rows(X)

    def presets(self, data: Dataset) -> tuple[Preset, ...]:
        walks, pairs = (self.starting(cls, data) for cls in (LabelSequences, LabelPairs))
        assert walks is not None
        assert pairs is not None
        return (
            Preset("Walks", Normalized(walks), "Label sequences along walks."),
            Preset("Label pairs", Normalized(pairs), "The pairs of labels that walks connect."),
            Preset("Neighbourhoods", Normalized(WeisfeilerLehman(level=3)), "Labels of nodes with those around them."),
            Preset("Walks, two levels", Deep(Normalized(walks), level=2), "A Gaussian of distances, twice."),
        )

    def sizes(self, data: Dataset) -> Array | None:
        return np.array([row.n for row in data.rows], dtype=np.float64)

    def settings(self, data: Dataset) -> Iterator[Family]:
        walks = [suited(LabelSequences(), data, times, 1) for times in _BETAS]
        for one in walks:
            yield "Walks", Normalized(one)
            yield "Walks, lengths kept", one
        growing, pairs = LabelSequences(series="exponential"), LabelPairs()
        for times in _EXPONENTIAL:
            yield "Walks, exponential", Normalized(suited(growing, data, times, 1))
            yield "Label pairs", Normalized(suited(pairs, data, times, 1))
            yield "Label pairs, lengths kept", suited(pairs, data, times, 1)
        for one in walks[1::2]:
            yield from deep("Deep walks", Normalized(one))
            yield from deep("Deep walks, lengths kept", one)
            yield from powers("Power", one, POWERS[1:])
        yield from deep("Deep label pairs", Normalized(suited(pairs, data, _EXPONENTIAL[1], 1)))
        for level in (1, 2, 3, 5):
            yield "Neighbourhoods", Normalized(WeisfeilerLehman(level=level))
            yield "Neighbourhoods, lengths kept", WeisfeilerLehman(level=level)
        yield from deep("Deep neighbourhoods", Normalized(WeisfeilerLehman(level=2)))
        yield "Shortest paths", Normalized(ShortestPath())
        yield "Shortest paths, lengths kept", ShortestPath()

    def cells(self, data: Dataset, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        return [("nodes", [len(data.rows[i].labels) for i in rows])]


def _diffusion(data: Dataset | None, times: float = 1.0) -> Diffusion:
    """Return heat after a time in multiples of the heuristic of this graph, to one digit."""
    return suited(Diffusion(), data, times, 1)


class Nodes(SquareKind):
    """Nodes: the symmetric adjacency or similarity matrix of one graph, float64 (n, n)."""

    name = "node"
    expected = "a square (n, n) adjacency or similarity matrix"
    title = "Nodes of one graph"
    called = "nodes of a graph"
    one, many = "node", "nodes"
    search = "nodes node people network of one graph social"
    starts = MappingProxyType({Diffusion: _diffusion})
    stand_in = "karate"
    independent = False
    compared = math.inf

    def warnings(self, data: Dataset) -> Iterator[str]:
        own = np.diagonal(data.rows)
        if own.any():
            yield "Some nodes have an edge to themselves."
        if (data.rows < 0).any():
            yield "Some edges have negative weights."
        alone = int((~(data.rows - np.diag(own)).any(axis=1)).sum())
        if alone:
            yield f"{alone} of {data.n} nodes have no edge."

    def presets(self, data: Dataset) -> tuple[Preset, ...]:
        heat = _diffusion(data)
        little = "Little heat spreads: every node is similar only to itself."
        return (
            Preset("Diffusion", heat, "Heat that spreads along the edges."),
            Preset("Short time", _diffusion(data, 0.07), little),
            two_levels(heat),
        )

    def settings(self, data: Dataset) -> Iterator[Family]:
        for times in (0.04, 0.11, 0.37, 1.1, 3.7, 11.0):
            diffusion = _diffusion(data, times)
            yield "Diffusion", diffusion
            yield "Diffusion, angles", Normalized(diffusion)
            yield from deep("Deep diffusion", diffusion)
        for diffusion in (_diffusion(data, times) for times in (0.37, 1.1, 3.7)):
            yield from deep("Deep diffusion, angles", Normalized(diffusion), (1,))
            yield from powers("Power", diffusion, POWERS[1:])
            yield "Centred", Centered(diffusion)

    def places(self, data: Dataset) -> Array | None:
        from ..analysis.layout import graph_layout

        return graph_layout(np.asarray(data.rows, dtype=np.float64))

    def edges(self, data: Dataset) -> Array | None:
        return np.argwhere(np.triu(np.asarray(data.rows), 1) != 0)
