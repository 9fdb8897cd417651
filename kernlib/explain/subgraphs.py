"""The feature spaces of kernels that count small parts of graphs, each part with a name."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Hashable, Sequence
from functools import singledispatch

import numpy as np

from ..kernels.subgraphs import (
    SHAPES,
    Counted,
    EdgeHistogram,
    Graphlets,
    ShortestPath,
    WeisfeilerLehman,
    graphlet_counts,
    path_lengths,
)
from ..values.arrays import Array
from ..values.graph import GENERIC, Graph
from .explanation import Words
from .features import Features, counted_features, feature_map

#: A neighbourhood with a longer name is named by its middle and a number of its own.
_LONGEST_NAME = 60


@singledispatch
def part_counts(kernel: Counted, graph: Graph) -> Counter[str]:
    """Return how often each part occurs in a graph, by its name; equal parts of all graphs have one name.

    >>> part_counts(WeisfeilerLehman(level=1), Graph([[0, 1], [1, 0]], labels="CO"))
    Counter({'C': 1, 'O': 1, 'C(O)': 1, 'O(C)': 1})
    """
    return Counter(_label(label) for label in graph.labels)


@part_counts.register
def _(kernel: ShortestPath, graph: Graph) -> Counter[str]:
    return _paths(graph, [_label(label) for label in graph.labels])


@part_counts.register
def _(kernel: EdgeHistogram, graph: Graph) -> Counter[str]:
    return Counter(f"edge {kind}" for _, _, kind in _edges(graph))


@part_counts.register
def _(kernel: Graphlets, graph: Graph) -> Counter[str]:
    counts = graphlet_counts(graph, kernel.size)
    return Counter({name: int(c) for name, c in zip(SHAPES[kernel.size], counts, strict=True) if c})


@part_counts.register
def _(kernel: WeisfeilerLehman, graph: Graph) -> Counter[str]:
    total: Counter[str] = Counter()
    for h, names in enumerate(neighbourhood_names(graph, kernel.level)):
        if kernel.base == "subtree":  # names of trees tell their depth; others are distinguished by the level
            total += Counter(names)
            continue
        paths = kernel.base == "shortest-path"
        parts = (
            _paths(graph, names)
            if paths
            else Counter(f"{names[i]} –{kind}– {names[j]}" for i, j, kind in _edges(graph))
        )
        total += Counter({f"level {h}, {name}": count for name, count in parts.items()})
    return total


def _paths(graph: Graph, names: Sequence[str]) -> Counter[str]:
    """Return the counts of shortest paths by the names of their ends and their length."""
    paths = zip(*(part.tolist() for part in path_lengths(graph)), strict=True)
    return Counter(f"{names[i]} to {names[j]}, {d} {'edge' if d == 1 else 'edges'}" for i, j, d in paths)


def _edges(graph: Graph) -> list[tuple[int, int, str]]:
    """Return both ends of every edge and a name of its label."""
    E = graph.edge_labels
    return [(i, j, _label(GENERIC if E is None else E[i, j])) for i, j in np.argwhere(graph.adjacency).tolist()]


def neighbourhood_names(graph: Graph, levels: int) -> list[list[str]]:
    """Return a name for the neighbourhood of every node at levels 0 to `levels`: C(C N) is a C between a C and an N.

    Equal neighbourhoods of all graphs have one name. Names that would be longer end in a number made from the whole.

    >>> neighbourhood_names(Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], labels="CNO"), 1)[1]
    ['C(N)', 'N(C O)', 'O(N)']
    """
    near = [np.flatnonzero(row).tolist() for row in graph.adjacency]
    labels = [_label(label) for label in graph.labels]
    known, shown = [labels], labels
    for _ in range(levels):
        full = [f"{label}({' '.join(sorted(shown[j] for j in near[i]))})" for i, label in enumerate(shown)]
        shown = [_short(name, label) for name, label in zip(full, labels, strict=True)]
        known.append(shown)
    return known


def _short(name: str, label: str) -> str:
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{label}(… {hashlib.blake2s(name.encode(), digest_size=6).hexdigest()})"


def _label(label: Hashable) -> str:
    """Return a name of a label; labels that differ have names that differ."""
    if isinstance(label, str) and re.fullmatch(r"[^\W\d_][\w#+=.-]*|#", label):
        return label
    if isinstance(label, bool | int | float) and label == int(label):
        return repr(int(label))
    return repr(label)


@feature_map.register
def _features(kernel: Counted, X: Array, words: Words) -> Features:
    return counted_features({name: float(c) for name, c in part_counts(kernel, graph).items()} for graph in X)
