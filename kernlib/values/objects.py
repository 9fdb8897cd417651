"""Rows that are objects: graphs and time series, read-only and compared by content."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DomainError
from .arrays import Array

#: What a node or an edge without a label of its own carries ([D], Contiguous Label Sequences).
GENERIC = "#"


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """A directed or undirected graph with labels on nodes and edges, compared by content.

    Parameters
    ----------
    adjacency : square matrix, [E]_ij > 0 where the edge (i, j) exists; NumPy, nested lists, SciPy
        sparse or a networkx graph (whose 'label' attributes are then read). A weight other than 1
        multiplies the walks through its edge. Undirected graphs are symmetric. No nodes and no
        edges are allowed.
    labels : one hashable label per node, or None: every node carries the generic '#'.
    edge_labels : a mapping {(i, j): label}, an (n, n) array, or None; an edge left out carries '#'.
        In an undirected graph (i, j) also names (j, i).

    All attributes are read-only: `adjacency` a float array (n, n), `labels` a tuple, `edge_labels` None
    or an object array (n, n) that holds None where there is no edge.

    Raises DomainError for a matrix that is not square, negative or not finite, and for labels that do
    not fit the nodes or edges.

    Example
    -------
    >>> g = Graph([[0, 1], [1, 0]], labels=["C", "O"])
    >>> g, g.n, g == Graph([[0, 1], [1, 0]], labels=("C", "O"))
    (Graph(<2 nodes, 2 directed edges, labels C O>), 2, True)
    """

    adjacency: Array
    labels: Any = None
    edge_labels: Any = None

    def __post_init__(self) -> None:
        adjacency, labels, edge_labels = self.adjacency, self.labels, self.edge_labels
        networkx = sys.modules.get("networkx")  # a networkx graph cannot exist before its import
        if networkx is not None and isinstance(adjacency, networkx.Graph):
            adjacency, labels, edge_labels = _from_networkx(networkx, adjacency, labels, edge_labels)
        E = _adjacency(adjacency)
        E.flags.writeable = False
        object.__setattr__(self, "adjacency", E)
        object.__setattr__(self, "labels", _node_labels(labels, len(E)))
        object.__setattr__(self, "edge_labels", None if edge_labels is None else _edge_labels(edge_labels, E))

    @property
    def n(self) -> int:
        """Return the number of nodes."""
        return len(self.adjacency)

    @property
    def undirected(self) -> bool:
        """Return whether every edge goes both ways with the same weight and label."""
        same = bool((self.adjacency == self.adjacency.T).all())
        return same and (self.edge_labels is None or bool((self.edge_labels == self.edge_labels.T).all()))

    def _content(self) -> tuple[Hashable, ...]:
        named = None if self.edge_labels is None else tuple(self.edge_labels.ravel())
        return (self.n, self.adjacency.tobytes(), self.labels, named)

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, Graph) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._content())

    def __repr__(self) -> str:
        names = [str(x) for x in dict.fromkeys(self.labels) if x != GENERIC]
        named = f", labels {' '.join(names[:6])}{' …' if len(names) > 6 else ''}" if names else ""
        return f"Graph(<{self.n} nodes, {np.count_nonzero(self.adjacency)} directed edges{named}>)"


def _adjacency(given: Any) -> Array:
    """Return a fresh (n, n) float array, or DomainError."""
    dense = given.toarray() if hasattr(given, "toarray") else given
    try:
        E = np.array(dense, dtype=np.float64)
    except (TypeError, ValueError):
        raise DomainError(
            f"Graph: adjacency must be a square matrix of numbers; got {type(given).__name__} that is none. "
            "Give one row and one column per node."
        ) from None
    if E.size == 0 and E.ndim <= 2 and (E.ndim < 2 or E.shape[0] == E.shape[1]):
        return np.zeros((0, 0))
    if E.ndim != 2 or E.shape[0] != E.shape[1]:
        raise DomainError(
            f"Graph: adjacency must be square; got shape {E.shape}. Give one row and one column per node."
        )
    wrong = ~(np.isfinite(E) & (E >= 0.0))
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        raise DomainError(
            f"Graph: adjacency must hold finite weights from 0 on, since they count walks; entry ({i}, {j}) is "
            f"{E[i, j]:g}. Put 0 where there is no edge."
        )
    return E + 0.0  # −0.0 becomes 0.0: equal graphs have equal bytes


def _node_labels(labels: Any, n: int) -> tuple[Hashable, ...]:
    if labels is None:
        return (GENERIC,) * n
    if isinstance(labels, Mapping):
        unknown = next((node for node in labels if node not in range(n)), None)
        if unknown is not None:
            raise DomainError(
                f"Graph: labels names node {unknown!r}; expected numbers of nodes from 0 to {n - 1}. Remove the label, "
                "or give a list of one label per node."
            )
        labels = [labels.get(i, GENERIC) for i in range(n)]
    if not isinstance(labels, Iterable):
        raise DomainError(f"Graph: labels must hold one label per node; got {labels!r}. Give a list of {n}.")
    checked = tuple(_label(x, "labels") for x in labels)
    if len(checked) != n:
        raise DomainError(
            f"Graph: labels must hold one label per node; expected {n}, got {len(checked)}. Give None for no labels."
        )
    return checked


def _edge_labels(given: Any, E: Array) -> Array:
    """Return (n, n) objects: a label where there is an edge, None elsewhere."""
    n = len(E)
    named = np.full((n, n), None, dtype=object)
    edges = np.argwhere(E > 0)
    for i, j in edges:
        named[i, j] = GENERIC
    if not isinstance(given, Mapping):
        table = np.asarray(given.toarray() if hasattr(given, "toarray") else given, dtype=object)
        if table.shape != (n, n):
            raise DomainError(
                f"Graph: edge_labels must be a mapping {{(i, j): label}} or an array of shape {(n, n)}; "
                f"got shape {table.shape}. Give None for no labels."
            )
        given = {(i, j): table[i, j] for i, j in edges if table[i, j] is not None}
    plain = {}
    for place, label in given.items():
        try:
            i, j = place
            exists = 0 <= i < n and 0 <= j < n and E[i, j] > 0
        except (TypeError, ValueError, IndexError):
            exists = False
        if not exists:
            raise DomainError(
                f"Graph: edge_labels names {place!r}, expected an edge (i, j) of the adjacency matrix; there is "
                "none. Remove the label or add the edge."
            )
        plain[int(i), int(j)] = _label(label, "edge_labels")
    for (i, j), label in plain.items():
        named[i, j] = label
        if E[j, i] == E[i, j] and (j, i) not in plain:
            named[j, i] = label
    named.flags.writeable = False
    return named


def _label(value: Any, where: str) -> Hashable:
    """Return a label as a plain Python value, so that 1 read from an array equals 1."""
    value = value.item() if isinstance(value, np.generic) else value
    if not isinstance(value, Hashable) or value is None or value != value:
        raise DomainError(f"Graph: {where} holds {value!r}; expected text or numbers. Name it, e.g. '{GENERIC}'.")
    return value


def _from_networkx(networkx: Any, graph: Any, labels: Any, edge_labels: Any) -> tuple[Any, Any, Any]:
    """Return adjacency and labels; the graph's own 'label' attributes unless others are given."""
    parallel = [(u, v) for u, v in graph.edges() if graph.number_of_edges(u, v) > 1] if graph.is_multigraph() else []
    if parallel:
        u, v = parallel[0]
        raise DomainError(
            f"Graph: several edges join the nodes {u!r} and {v!r}; expected one for each pair. Put them together, for "
            "example in a networkx.Graph whose weights count them."
        )
    nodes = list(graph)
    number = {node: i for i, node in enumerate(nodes)}
    E = networkx.to_numpy_array(graph, nodelist=nodes) if nodes else np.zeros((0, 0))
    if labels is None and any("label" in graph.nodes[node] for node in nodes):
        labels = [graph.nodes[node].get("label", GENERIC) for node in nodes]
    if edge_labels is None:
        labels_by_edge = {(number[u], number[v]): x for u, v, x in graph.edges(data="label") if x is not None}
        edge_labels = labels_by_edge or None
    return E, labels, edge_labels


@dataclass(frozen=True, eq=False, repr=False)
class Series:
    """Numbers at equally spaced times, (length, channels), compared by content.

    Parameters: values, finite numbers (length,) or (length, channels), at least one. Raises DomainError for others.

    It prints with a digest of its content, so that different series print differently.

    >>> a, b = Series([1.0, 2.0, 4.0]), Series([[1.0], [2.0], [4.0]])
    >>> a.values.shape, a.length, a.channels, a == b, repr(a) == repr(b)
    ((3, 1), 3, 1, True, True)
    """

    values: Array

    def __post_init__(self) -> None:
        try:
            values = np.array(self.values, dtype=np.float64)
        except (TypeError, ValueError):
            raise DomainError(
                f"Series: values must be numbers, one for each time; got {self.values!r:.60}. Give a list of numbers, "
                "or one list of numbers for each time."
            ) from None
        values = values[:, None] if values.ndim == 1 else values
        if values.ndim != 2 or 0 in values.shape:
            raise DomainError(
                f"Series: values must be an array (length,) or (length, channels) that is not empty; got shape "
                f"{values.shape}. Give at least one time."
            )
        if not np.isfinite(values).all():
            time, channel = np.argwhere(~np.isfinite(values))[0]
            raise DomainError(
                f"Series: every value must be finite; time {time}, channel {channel} is {values[time, channel]}. Fill "
                "the gap in, or cut the series there."
            )
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    @property
    def length(self) -> int:
        """Return the number of times."""
        return len(self.values)

    @property
    def channels(self) -> int:
        """Return the number of values at each time."""
        return int(self.values.shape[1])

    def __eq__(self, other: object) -> bool:
        return np.array_equal(self.values, other.values) if isinstance(other, Series) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._digest())

    def __repr__(self) -> str:
        return f"Series(<{self.length} × {self.channels} values, {self._digest()}>)"

    def _digest(self) -> str:
        content = (self.values + 0.0).tobytes()  # −0 is 0
        return hashlib.blake2b(content, digest_size=16, key=str(self.values.shape).encode()).hexdigest()
