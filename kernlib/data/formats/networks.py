"""One graph whose nodes are the rows: names, edges, weights, and a table about the nodes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ...values.domains import Domain
from ..dataset import Dataset
from ..guesses import Guess
from ..reading import Content, How, Upload
from ..table import TABLE_DOMAINS, Table
from ..uploads import Limits, counted, number_of, shortened
from .contents import labelled_square


@dataclass(frozen=True, eq=False)
class Network(Content):
    """One graph whose nodes are the rows: names of the nodes, edges, and a table about the nodes.

    Parameters: `name` of the file; `ids`, one name per node; `edges` (m, 2) row numbers; `weights` (m,); `nodes`, a
    table with a line per node or None; `note`; `lines`, the table with a line per edge that it came from, or None.
    """

    name: str
    ids: tuple[str, ...]
    edges: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    nodes: Table | None = None
    note: str = ""
    lines: Table | None = None

    def with_nodes(self, table: Table, column: str) -> Network:
        """Return the same edges over the nodes of a table, in its order; DataError for an edge to an unknown node."""
        ids = [str(cell).strip() for cell in table.column(column)]
        place = {node: i for i, node in enumerate(ids)}
        if len(place) < len(ids):
            twice = next(node for node, count in Counter(ids).items() if count > 1)
            raise DataError(
                f"{table.name}: the node {shortened(twice)} occurs twice; expected each node once. Remove one."
            )
        for e, (i, j) in enumerate(self.edges):
            for end in (self.ids[i], self.ids[j]):
                if end not in place:
                    raise DataError(
                        f"{self.name}: edge {e + 1} leads to {shortened(end)}, which {table.name} does not list; "
                        "expected an edge between listed nodes. Add the node, or remove the edge."
                    )
        moved = np.array([place[node] for node in self.ids], dtype=np.int64)
        edges = moved[self.edges] if len(self.edges) else self.edges
        return Network(self.name, tuple(ids), edges, self.weights, table, self.note, self.lines)

    def dataset(self, how: How) -> Dataset:
        """Return the nodes as rows: symmetric adjacency, labels from the table's label column.

        Raises DataError for more nodes than allowed, and for fewer than two.
        """
        n = len(self.ids)
        if n > how.limits.side:
            raise DataError(
                f"{self.name}: {n} nodes would take a matrix of {n**2 * 8 / 1e6:.0f} MB; expected at most "
                f"{how.limits.side} nodes. Choose a part of the graph."
            )
        if n < 2:
            raise DataError(f"{self.name}: at least two nodes are needed; got {n}. Add edges or nodes.")
        A = np.zeros((n, n))
        loops = 0
        for (i, j), weight in zip(self.edges, self.weights, strict=True):
            loops += int(i == j)
            if i != j:
                A[i, j] = A[j, i] = max(A[i, j], weight)
        note = [self.note] if self.note else []
        if loops:
            note.append(f"{counted(loops, 'edge')} from a node to itself left out.")
        return labelled_square(self.name, A, self.ids, how, note)


def read_edges(table: Table, ends: tuple[str, str], limits: Limits, weight: str | None = None) -> Network:
    """Return a graph from a table with a line per edge; `ends` and `weight` are names of columns.

    Raises DataError for an empty end, a weight that is not a number ≥ 0, more nodes than allowed.

    >>> from kernlib.data.tables import table_of
    >>> read_edges(table_of("t", ["from", "to"], [["a", "b"], ["b", "c"]]), ("from", "to"), Limits()).ids
    ('a', 'b', 'c')
    """
    first, second = (table.column(end) for end in ends)
    weights = [1.0] * table.n
    if weight is not None:
        weights = [edge_weight(cell, i, table.name) for i, cell in enumerate(table.column(weight))]
    place: dict[str, int] = {}
    edges = np.empty((table.n, 2), dtype=np.int64)
    for i, pair in enumerate(zip(first, second, strict=True)):
        for k, cell in enumerate(pair):
            word = str(cell).strip()
            if not word:
                raise DataError(
                    f"{table.name}: data row {i + 1} has an edge with one end; expected two. Correct the line."
                )
            edges[i, k] = place.setdefault(word, len(place))
        if len(place) > limits.side:
            raise DataError(
                f"{table.name}: it names more than {limits.side} nodes, the maximum. Choose a part of the graph."
            )
    note = f"Edges weighted by {shortened(weight)}." if weight else ""
    return Network(table.name, tuple(place), edges, np.array(weights), None, note, table)


def edge_weight(cell: object, i: int, name: str) -> float:
    """Return the weight of an edge; DataError, naming data row i + 1, for a weight that is not a number ≥ 0."""
    number = number_of(cell)
    if number is None or not (np.isfinite(number) and number >= 0):
        raise DataError(
            f"{name}: data row {i + 1} has the weight {shortened(cell)}; expected a number from 0 on. Correct the cell."
        )
    return number


def of_network(network: Network, format: str, reason: str, limits: Limits, guesses: tuple[Guess, ...] = ()) -> Upload:
    """Return an upload of one graph; a list of edges can also be read as a table."""
    domains: tuple[Domain, ...] = ("node",) if network.lines is None else ("node", *TABLE_DOMAINS)
    return Upload(
        network.name, format, reason, "node", domains, network.nodes, limits, content=network, file_guesses=guesses
    )
