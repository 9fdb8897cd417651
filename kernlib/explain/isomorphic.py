"""What a kernel cannot tell apart: different graphs with one point in feature space."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..numerics.distances import ROUNDING
from ..values.arrays import Array
from ..values.graph import Graph

#: Nodes and neighbours that are coloured, over all pairs: about a second.
_WORK = 1_000_000
#: Rounds of neighbourhoods that are compared before a renumbering of the nodes is searched for.
_ROUNDS = 4


@dataclass(frozen=True)
class Indistinct:
    """Pairs of rows at distance 0: `different` graphs, and how many are one graph twice, or not decided.

    `psd`: the kernel is positive semi-definite, so that rows at distance 0 are one point in feature space.
    """

    different: tuple[tuple[int, int], ...]
    same: int
    undecided: int
    psd: bool = True

    def __str__(self) -> str:
        count = len(self.different)
        words = "No two different graphs here have distance 0: on these rows the kernel tells them all apart."
        if count:
            pairs = "1 pair of different graphs has" if count == 1 else f"{count:,} pairs of different graphs have"
            words = f"{pairs} distance 0, to rounding: this kernel cannot tell them apart."
            if not self.psd:
                words = (
                    f"{pairs} distance 0, to rounding. This kernel can be indefinite, so it may still tell them apart."
                )
        elif self.undecided:
            words = ""
        if self.same:
            pairs = "pair at distance 0 is" if self.same == 1 else "pairs at distance 0 are"
            words += f" {self.same:,} {'more ' if count else ''}{pairs} the same graph, numbered alike or differently."
        if self.undecided:
            pairs = f"{self.undecided:,} {'pair' if self.undecided == 1 else 'pairs'} at distance 0"
            words += f" Deciding whether the graphs differ takes too long for {pairs}."
        return words.strip()


def indistinct_graphs(K: Array, graphs: Sequence[Graph], rounding: float = 1.0, psd: bool = True) -> Indistinct:
    """Return the pairs of graphs at distance 0 up to rounding, k(x, x) + k(y, y) − 2 k(x, y) = 0, by what they are.

    Only a complete graph kernel tells all graphs apart that are not isomorphic ([D] Complete Graph Kernels).

    Parameters: Gram matrix K (n, n) of the graphs; `rounding` of its kernel; `psd`, whether it is positive
    semi-definite.

    >>> edge, path = Graph([[0, 1], [1, 0]], labels="CO"), Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> print(indistinct_graphs(np.ones((2, 2)), [edge, path]))
    1 pair of different graphs has distance 0, to rounding: this kernel cannot tell them apart.
    """
    lengths = np.add.outer(K.diagonal(), K.diagonal())
    zero = np.abs(lengths - 2.0 * K) <= rounding * ROUNDING * np.abs(lengths)
    pairs: list[tuple[int, int]] = [(int(i), int(j)) for i, j in np.argwhere(np.triu(zero, 1))]
    left, found = [_WORK], Counter[bool | None]()
    codes: dict[Any, int] = {}
    signs: dict[Any, int] = {}
    rows: dict[Graph, int] = {}
    first = {i: rows.setdefault(graphs[i], i) for i in sorted({row for pair in pairs for row in pair})}
    seen: dict[int, _Seen] = {}
    coarse: dict[int, list[int]] = {}
    for i in rows.values():
        if _spent(left, (1 + _ROUNDS) * _size(graphs[i])):
            seen[i] = _Seen.of(graphs[i], codes)
            coarse[i] = sorted(_coloured(seen[i], signs))

    @cache
    def alike(i: int, j: int) -> bool | None:
        if i == j:
            return True
        if i not in seen or j not in seen:
            return None
        return coarse[i] == coarse[j] and _renumbered((seen[i], seen[j]), (seen[i].colours, seen[j].colours), left)

    different = []
    for i, j in pairs:
        same = alike(first[i], first[j])
        found[same] += 1
        if same:
            first[j] = first[i]
        elif same is False:
            different.append((i, j))
    return Indistinct(tuple(different), found[True], found[None], psd)


def _size(graph: Graph) -> int:
    """Return the number of nodes and of their neighbours."""
    return graph.n + int(np.count_nonzero(graph.adjacency)) * (1 if graph.undirected else 2)


def _spent(left: list[int], work: int) -> bool:
    """Take `work` from the work `left` and return True, or return False where less is left."""
    enough = work <= left[0]
    left[0] -= work if enough else 0
    return enough


class _Seen(NamedTuple):
    """A graph with numbers for labels: a colour for each node, and for each node its neighbours with their edges."""

    colours: list[int]
    near: list[list[tuple[int, int]]]

    @classmethod
    def of(cls, graph: Graph, codes: dict[Any, int]) -> _Seen:
        """Return the graph, with `codes` of labels that other graphs share."""

        def code(*what: Any) -> int:
            return codes.setdefault(what, len(codes))

        near: list[list[tuple[int, int]]] = [[] for _ in range(graph.n)]
        undirected = graph.undirected
        for i, j in np.argwhere(graph.adjacency > 0).tolist():
            label = "#" if graph.edge_labels is None else graph.edge_labels[i, j]
            weight = float(graph.adjacency[i, j])
            near[i].append((j, code("to", weight, label)))
            if not undirected:
                near[j].append((i, code("from", weight, label)))
        return cls([code("node", label) for label in graph.labels], near)

    def signs(self, colours: list[int]) -> list[Any]:
        """Return what each node sees: its own colour, and those of its neighbours by their edges."""
        return [
            (own, tuple(sorted((edge, colours[j]) for j, edge in near)))
            for own, near in zip(colours, self.near, strict=True)
        ]


def _coloured(one: _Seen, numbers: dict[Any, int]) -> list[int]:
    """Return colours of the nodes after some rounds; nodes that a renumbering exchanges have the same."""
    colours = one.colours
    for place in range(_ROUNDS):
        colours = [numbers.setdefault((place, sign), len(numbers)) for sign in one.signs(colours)]
    return colours


def _renumbered(pair: tuple[_Seen, _Seen], colours: tuple[list[int], list[int]], left: list[int]) -> bool | None:
    """Return whether a renumbering takes the first graph with its colours to the second; None beyond the work `left`.

    Colours are refined by the neighbours' until they are stable. Then one node of a colour that several have is marked
    in the first graph, and each of its candidates in the second.
    """
    while True:
        if not _spent(left, sum(len(one.colours) + sum(map(len, one.near)) for one in pair)):
            return None
        signs = [one.signs(own) for one, own in zip(pair, colours, strict=True)]
        if Counter(signs[0]) != Counter(signs[1]):
            return False
        numbers = {sign: place for place, sign in enumerate(dict.fromkeys(signs[0]))}
        stable = len(numbers) == len(set(colours[0]))
        colours = [numbers[s] for s in signs[0]], [numbers[s] for s in signs[1]]
        if stable:
            break
    counts = Counter(colours[0])
    several = [(count, colour) for colour, count in counts.items() if count > 1]
    if not several:
        return True
    colour = min(several)[1]
    node = colours[0].index(colour)
    first = [len(counts) if v == node else c for v, c in enumerate(colours[0])]
    for other in [v for v, c in enumerate(colours[1]) if c == colour]:
        found = _renumbered(pair, (first, [len(counts) if v == other else c for v, c in enumerate(colours[1])]), left)
        if found is not False:
            return found
    return False
