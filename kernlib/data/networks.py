"""Uploaded graphs: a TUDataset of many graphs, or one graph whose nodes are the rows (GraphML, GML, edge lists)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from ..values.labels import Task
from .dataset import Dataset
from .tables import Missing, Table, table_of
from .uploads import Limits, decode, is_missing, number_of, said, shortened, tame, tamed

__all__ = ["Network", "read_edges", "read_gml", "read_graphml", "read_tudataset"]

#: Names of the two columns that make a table a list of edges.
ENDS = (
    ("from", "to"), ("source", "target"), ("src", "dst"), ("node1", "node2"), ("u", "v"), ("head", "tail"),
)  # fmt: skip
WEIGHTS = frozenset({"weight", "weights", "w"})


@dataclass(frozen=True, eq=False)
class Network:
    """One graph whose nodes are the rows: names of the nodes, edges, and what is known of each node.

    Parameters: `name` of the file; `ids`, one name per node; `edges` (m, 2) row numbers; `weights` (m,); `nodes`, a
    table with a line per node or None; `note`.
    """

    name: str
    ids: tuple[str, ...]
    edges: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    nodes: Table | None = None
    note: str = ""

    def with_nodes(self, table: Table, column: str) -> Network:
        """The same edges over the nodes of a table, in its order; DataError for an edge that dangles."""
        ids = [str(cell).strip() for cell in table.column(column)]
        place = {node: i for i, node in enumerate(ids)}
        if len(place) < len(ids):
            twice = next(node for node in ids if ids.count(node) > 1)
            raise DataError(
                f"{table.name}: the node {shortened(twice)} is there twice; expected each once. Remove one."
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
        return Network(self.name, tuple(ids), edges, self.weights, table, self.note)

    def dataset(self, table: Table | None, missing: Missing, task: Task | None, limits: Limits) -> Dataset:
        """The nodes as rows: symmetric adjacency, labels from the table's label column."""
        n = len(self.ids)
        if n > limits.side:
            raise DataError(
                f"{self.name}: {n} nodes would take a matrix of {n**2 * 8 / 1e6:.0f} MB; expected at most "
                f"{limits.side} nodes. Take a part of the graph."
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
            note.append(f"{loops} edges from a node to itself left out.")
        y, keep = None, np.ones(n, dtype=bool)
        if table is not None:
            keep, y, task = table.label_part(missing, task)
        if not keep.all():
            note.append(f"{int((~keep).sum())} of {n} nodes without a label dropped.")
        chosen = np.flatnonzero(keep)
        return Dataset(
            Path(self.name).name.split(".")[0] or "graph", self.name, "node", A[np.ix_(chosen, chosen)], y=y,
            task=task if y is not None else None, ids=tuple(tame(self.ids[i]) for i in chosen),
            source=f"upload {self.name}", note=" ".join(note), groups=None if table is None else table.groups(keep),
        )  # fmt: skip


def ends_of(table: Table) -> tuple[str, str] | None:
    """The two columns that make a table a list of edges, by their names, or None.

    >>> ends_of(table_of("t", ["Source", "Target"], [["a", "b"], ["b", "c"]]))
    ('Source', 'Target')
    """
    plain = {column.name.strip().lower(): column.name for column in table.columns}
    return next(((plain[a], plain[b]) for a, b in ENDS if a in plain and b in plain), None)


def read_edges(table: Table, limits: Limits) -> Network:
    """A graph from a table with a line per edge: columns from and to, and weight if there is one.

    Raises DataError for an empty end, a weight that is no number ≥ 0, more nodes than allowed.

    >>> read_edges(table_of("t", ["from", "to"], [["a", "b"], ["b", "c"]]), Limits()).ids
    ('a', 'b', 'c')
    """
    ends = ends_of(table)
    if ends is None:
        raise DataError(f"{table.name}: expected columns from and to; got {list(table.roles)[:8]}. Rename them.")
    first, second = (table.column(end) for end in ends)
    heavy = next((c.name for c in table.columns if c.name.strip().lower() in WEIGHTS), None)
    weights = [_weight(cell, i, table.name) for i, cell in enumerate(table.column(heavy))] if heavy else [1.0] * table.n
    place: dict[str, int] = {}
    edges = np.empty((table.n, 2), dtype=np.int64)
    for i, pair in enumerate(zip(first, second, strict=True)):
        for k, cell in enumerate(pair):
            word = str(cell).strip()
            if not word:
                raise DataError(
                    f"{table.name}: data row {i + 1} has an edge with one end; expected two. Mend the line."
                )
            edges[i, k] = place.setdefault(word, len(place))
        if len(place) > limits.side:
            raise DataError(
                f"{table.name}: it names more than {limits.side} nodes, the most that is read. Take a part."
            )
    note = f"Edges weighted by {shortened(heavy)}." if heavy else ""
    return Network(table.name, tuple(place), edges, np.array(weights), None, note)


def _weight(cell: object, i: int, name: str) -> float:
    number = number_of(cell)
    if number is None or not (np.isfinite(number) and number >= 0):
        raise DataError(
            f"{name}: data row {i + 1} has the weight {shortened(cell)}; expected a number from 0 on. Mend the cell."
        )
    return number


def read_graphml(raw: bytes, name: str, limits: Limits) -> Network:
    """A graph from GraphML, by networkx; entities and document types are refused unread.

    Raises DataError for what networkx cannot read, too many nodes, an edge to a node that is not there.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{name}: it is not UTF-8 (byte {error.start}). Save the GraphML in UTF-8.") from None
    if re.search(r"<!(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise DataError(f"{name}: it declares a document type or entities, which are not read. Remove the <! lines.")
    _count(len(re.findall(r"<(?:\w+:)?node\b", text)), "nodes", name, limits.side)
    _count(len(re.findall(r"<(?:\w+:)?edge\b", text)), "edges", name, limits.cells // 4)
    networkx = _networkx(name)
    declared = {html.unescape(m[1]) for m in re.findall(r"<(?:\w+:)?node\b[^>]*?\bid\s*=\s*([\"'])(.*?)\1", text)}
    graph = _parsed(
        name, "GraphML", networkx, lambda: networkx.parse_graphml(_without_declaration(text), node_type=str)
    )
    return _of_networkx(graph, name, declared, limits)


def read_gml(text: str, name: str, limits: Limits) -> Network:
    """A graph from GML, by networkx.

    Raises DataError for what networkx cannot read, too many nodes, an edge to a node that is not there.
    """
    _count(len(re.findall(r"\bnode\s*\[", text)), "nodes", name, limits.side)
    _count(len(re.findall(r"\bedge\s*\[", text)), "edges", name, limits.cells // 4)
    networkx = _networkx(name)
    graph = _parsed(name, "GML", networkx, lambda: networkx.parse_gml(text.splitlines(), label="id"))
    return _of_networkx(graph, name, None, limits)


def _without_declaration(text: str) -> str:
    """XML given as text must not name an encoding."""
    return re.sub(r"^\s*<\?xml.*?\?>", "", text, count=1, flags=re.DOTALL)


def _count(got: int, what: str, name: str, most: int) -> None:
    if got > most:
        raise DataError(f"{name}: it holds {got} {what}; expected at most {most}. Take a part of the graph.")


def _networkx(name: str) -> Any:
    try:
        import networkx
    except ImportError:
        raise DataError(
            f"{name}: GraphML and GML are read by networkx, which is not installed here. Next: pip install "
            "'kernlib[graphs]', or give a table of edges with the columns from and to."
        ) from None
    return networkx


def _parsed(name: str, what: str, networkx: Any, parse: Any) -> Any:
    # What a foreign parser makes of a broken file: any of these, none of them fit for a page.
    broken = (
        networkx.NetworkXException, ValueError, LookupError, TypeError, AttributeError, SyntaxError, RecursionError,
        OverflowError, AssertionError, StopIteration,
    )  # fmt: skip
    try:
        return parse()
    except broken as error:
        raise DataError(
            f"{name}: the {what} cannot be read ({said(error)}). Write it anew, or give a table of edges."
        ) from None


def _of_networkx(graph: Any, name: str, declared: set[str] | None, limits: Limits) -> Network:
    nodes = list(graph)
    if declared is not None:
        loose = next((node for node in nodes if str(node) not in declared), None)
        if loose is not None:
            raise DataError(
                f"{name}: an edge leads to {shortened(loose)}, which is no node of the file. Add the node, or remove "
                "the edge."
            )
    if len(nodes) < 2:
        raise DataError(f"{name}: at least two nodes are needed; got {len(nodes)}. Choose another file.")
    _count(len(nodes), "nodes", name, limits.side)
    place = {node: i for i, node in enumerate(nodes)}
    found = list(graph.edges(data=True))
    weights = [_weight(data.get("weight", data.get("value", 1)), i, name) for i, (_, _, data) in enumerate(found)]
    edges = np.array([[place[u], place[v]] for u, v, _ in found], dtype=np.int64).reshape(-1, 2)
    keys = list(dict.fromkeys(str(key) for node in nodes for key in graph.nodes[node]))
    if len(keys) * len(nodes) > limits.cells:
        raise DataError(f"{name}: the nodes have {len(keys)} attributes; expected fewer. Leave some out.")
    # Named apart from an attribute that is called id too.
    ids = [str(node) for node in nodes]
    title = "id" if "id" not in keys else "node"
    lines = [
        [i, *(_attribute(graph.nodes[node].get(key), key, name, limits) for key in keys)]
        for i, node in zip(ids, nodes, strict=True)
    ]
    names = tamed([title, *(key or "attribute" for key in keys)])
    table = table_of(name, names, lines, {names[0]: "id"}) if len(set(names)) == len(names) else None
    note = "Edges are taken to go both ways." if graph.is_directed() else ""
    return Network(name, tuple(ids), edges, np.array(weights, dtype=np.float64), table, note)


def _attribute(value: Any, key: str, name: str, limits: Limits) -> str:
    if isinstance(value, (dict, list)):
        return ""
    word = "" if value is None else str(value)
    if len(word) > limits.letters:
        raise DataError(
            f"{name}: {shortened(key)} has {len(word)} letters; expected at most {limits.letters}. Shorten it."
        )
    return word


def read_tudataset(files: Mapping[str, bytes], name: str, limits: Limits) -> Dataset:
    """Many labelled graphs from the files of a TUDataset: NAME_A, _graph_indicator, _graph_labels, _node_labels, ….

    Parameters: `files`, path → content; `name` of the archive; `limits` (`cells` bounds the sum of nodes² too).

    Raises DataError, naming file and line, for a number outside its range, an edge between two graphs, a file of
    another length.

    >>> files = {"T_A.txt": b"1, 2\\n3, 4\\n", "T_graph_indicator.txt": b"1\\n1\\n2\\n2\\n"}
    >>> files["T_graph_labels.txt"] = b"1\\n-1\\n"
    >>> read_tudataset(files, "T.zip", Limits()).class_counts
    {'-1': 1, '1': 1}
    """
    from ..values.graph import Graph

    parts = {key: path for path in files for key in TU_PARTS if Path(path).name.endswith(f"_{key}.txt")}
    for key in ("A", "graph_indicator"):
        if key not in parts:
            raise DataError(f"{name}: a TUDataset needs a file NAME_{key}.txt; there is none. Add it.")

    def lines(key: str, width: int) -> list[list[int]]:
        return _whole_numbers(files[parts[key]], f"{name}: {Path(parts[key]).name}", width, limits)

    owner = [line[0] for line in lines("graph_indicator", 1)]
    count = max(owner)
    if min(owner) < 1 or count > limits.rows:
        raise DataError(
            f"{name}: graph_indicator must number the graphs from 1 to at most {limits.rows}; got "
            f"{min(owner) if min(owner) < 1 else count}. Number them anew."
        )
    sizes = np.bincount(np.array(owner) - 1, minlength=count)
    if (sizes == 0).any():
        raise DataError(
            f"{name}: graph {int(np.flatnonzero(sizes == 0)[0]) + 1} has no node. Number the graphs 1, 2, …."
        )
    if int((sizes.astype(object) ** 2).sum()) > limits.cells:
        raise DataError(
            f"{name}: its adjacency matrices have {int((sizes.astype(object) ** 2).sum())} entries; expected at most "
            f"{limits.cells}. Take fewer or smaller graphs."
        )
    place = [0] * len(owner)
    filled = [0] * count
    for v, g in enumerate(owner):
        place[v] = filled[g - 1]
        filled[g - 1] += 1
    adjacency = [np.zeros((size, size)) for size in sizes]
    edges = lines("A", 2)
    kinds = lines("edge_labels", 1) if "edge_labels" in parts else None
    _same_length(name, "edge_labels", kinds, "A", len(edges))
    named: list[dict[tuple[int, int], str]] = [{} for _ in range(count)]
    for e, (a, b) in enumerate(edges):
        if not (1 <= a <= len(owner) and 1 <= b <= len(owner)):
            raise DataError(
                f"{name}: {Path(parts['A']).name}, edge {e + 1} joins nodes {a} and {b}; expected 1…{len(owner)}. Add "
                "the node, or remove the edge."
            )
        if owner[a - 1] != owner[b - 1]:
            raise DataError(
                f"{name}: {Path(parts['A']).name}, edge {e + 1} joins nodes of graphs {owner[a - 1]} and "
                f"{owner[b - 1]}; expected one graph. Remove the edge."
            )
        g, i, j = owner[a - 1] - 1, place[a - 1], place[b - 1]
        adjacency[g][i, j] = adjacency[g][j, i] = 1.0
        if kinds is not None:
            named[g][i, j] = named[g][j, i] = str(kinds[e][0])
    labels: list[list[str]] | None = None
    if "node_labels" in parts:
        atoms = _whole_numbers(files[parts["node_labels"]], f"{name}: {Path(parts['node_labels']).name}", 0, limits)
        _same_length(name, "node_labels", atoms, "graph_indicator", len(owner))
        labels = [[""] * size for size in sizes]
        for v, atom in enumerate(atoms):
            labels[owner[v] - 1][place[v]] = ",".join(map(str, atom))
    y = None
    if "graph_labels" in parts:
        given = lines("graph_labels", 1)
        _same_length(name, "graph_labels", given, "graphs", count)
        y = np.array([str(line[0]) for line in given], dtype=np.str_)
    graphs = np.empty(count, dtype=object)
    for g in range(count):
        graphs[g] = Graph(adjacency[g], None if labels is None else labels[g], named[g] if kinds is not None else None)
    return Dataset(
        Path(name).name.split(".")[0] or "graphs", name, "graph", graphs, y=y, source=f"upload {name}",
        note="Edges are taken to go both ways.",
    )  # fmt: skip


TU_PARTS = ("A", "graph_indicator", "graph_labels", "node_labels", "edge_labels")


def is_tudataset(names: Iterable[str]) -> bool:
    """Whether file names are those of a TUDataset."""
    return {"A", "graph_indicator"} <= {key for n in names for key in TU_PARTS if Path(n).name.endswith(f"_{key}.txt")}


def _same_length(name: str, what: str, got: Sequence[Any] | None, other: str, count: int) -> None:
    if got is not None and len(got) != count:
        raise DataError(f"{name}: {what} has {len(got)} lines; expected {count}, as many as {other}. Mend the file.")


def _whole_numbers(raw: bytes, who: str, width: int, limits: Limits) -> list[list[int]]:
    """Lines of whole numbers divided by commas, `width` of them in each (0: any number up to ten)."""
    if raw.count(b"\n") > limits.cells // 4:
        raise DataError(f"{who} has more than {limits.cells // 4} lines, the most that is read. Take fewer graphs.")
    found = []
    for number, line in enumerate(decode(raw, who, "whole numbers").splitlines(), start=1):
        if is_missing(line):
            continue
        words = [word.strip() for word in line.split(",", 10)]
        if (width and len(words) != width) or not all(re.fullmatch(r"[+-]?\d{1,15}", w, re.ASCII) for w in words):
            expected = f"{width or 'some'} whole number{'s' if width != 1 else ''}"
            raise DataError(f"{who}, line {number} is {shortened(line)}; expected {expected}. Mend the line.")
        found.append([int(word) for word in words])
    if not found:
        raise DataError(f"{who} is empty; expected whole numbers. Fill it.")
    return found
