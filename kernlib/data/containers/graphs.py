"""Graphs: one graph whose nodes are the rows (GraphML, GEXF, GML), and many graphs as rows (TUDataset)."""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import DataError
from ...values.arrays import Array
from ...values.domains import Graph, object_rows
from ..dataset import Dataset
from ..files import File, Limits, cell_words, check_size, optional_import, parser_errors, shortened, stem
from ..table import Table, table_of_columns

_Parts = tuple[Table, Table]


def read_xml(file: File) -> _Parts:
    """Return a graph from GraphML or GEXF, by networkx; entities and document types are refused before parsing.

    Raises DataError for what networkx cannot read, and for too many nodes.
    """
    name, text, limits = file.name, file.text, file.limits
    if re.search(r"<!(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise DataError(f"{name}: it declares a document type or entities, which are not read. Remove the <! lines.")
    # An XML name has no blank and no bracket, so each '<' is tested once.
    tags = Counter(re.findall(r"<(?:[^\s<>/:]{1,50}:)?(node|graph|gexf)\b", text))
    _count(text.count("<"), "XML tags", name, max(1000, limits.cells // 4))
    _count(tags["node"], "nodes", name, limits.side)
    if tags["graph"] > 1:
        raise DataError(
            f"{name}: it holds {tags['graph']} graphs, beside or inside each other; expected one. Write one of them "
            "to a file."
        )
    # The type gives a text parser its encoding, whatever the declaration says.
    text = re.sub(r"^\s*<\?xml[^>]*>", "", text).strip()
    if tags["gexf"]:
        return _of_networkx(file, "GEXF", lambda nx: nx.read_gexf(io.BytesIO(text.encode())))
    return _of_networkx(file, "GraphML", lambda nx: nx.parse_graphml(text, node_type=str))


def read_gml(file: File) -> _Parts:
    """Return a graph from GML, by networkx; DataError for what it cannot read, and for too many nodes."""
    lines = [line for line in file.text.splitlines() if line.strip()]
    _count(file.text.count("["), "nodes and edges", file.name, file.limits.cells // 4)
    _count(len(lines), "lines", file.name, 10 * file.limits.rows)

    def parsed(nx: Any) -> Any:
        try:
            return nx.parse_gml(lines)
        except nx.NetworkXError:  # a node without a label, or two of one label
            return nx.parse_gml(lines, label="id")

    return _of_networkx(file, "GML", parsed)


def _count(got: int, what: str, name: str, most: int) -> None:
    if got > most:
        raise DataError(f"{name}: it holds {got} {what}; expected at most {most}. Choose a part of the graph.")


def _of_networkx(file: File, container: str, parse: Callable[[Any], Any]) -> _Parts:
    """Return the edges and the nodes of the graph that `parse` makes with networkx, as two tables."""
    name, limits, instead = file.name, file.limits, "give a table of edges with the columns from and to"
    with optional_import(f"{name}: graphs are read by networkx", "graphs", instead):
        import networkx
    damaged = parser_errors(f"{name}: the graph cannot be read", f"Write it again, or {instead}.")
    with damaged, warnings.catch_warnings(action="ignore"):  # of a key without a type, which is then words
        graph = parse(networkx)
    of_nodes, of_edges = (graph.graph.get(f"{what}_default", {}) for what in ("node", "edge"))  # of GraphML
    keys = dict.fromkeys(key for _, data in graph.nodes(data=True) for key in data) | of_nodes
    check_size(name, len(graph), len(keys), limits)
    columns = [[cell_words(graph.nodes[node].get(key, of_nodes.get(key))) for node in graph] for key in keys]
    more: dict[str, Any] = {"declared": {"id": "id"}, "kinds": {"id": "word"}, "limits": limits}
    # Nodes may be called NA, or 1 and 1.0.
    nodes = table_of_columns(f"nodes of {name}", ["id", *map(str, keys)], [list(map(str, graph)), *columns], **more)
    first, second, data = zip(*graph.edges(data=True), strict=True) if graph.size() else ((), (), ())
    known = [of_edges | one for one in data]
    weights = [cell_words(one.get("weight", one.get("value", 1))) for one in known]
    lines = [list(map(str, first)), list(map(str, second)), weights]
    declared = {"from": "from", "to": "to", "weight": "compared"}
    notes = ("Edges are read as undirected.",) if graph.is_directed() else ()
    if graph.is_multigraph():
        notes = (*notes, "Of several edges between two nodes the one of the largest weight counts.")
    more = {"declared": declared, "kinds": {"from": "word", "to": "word"}, "limits": replace(limits, least=1)}
    return table_of_columns(name, [*declared], lines, container=container, notes=notes, **more), nodes


TU_PARTS = ("A", "graph_indicator", "graph_labels", "node_labels", "edge_labels")


def is_tudataset(names: Iterable[str]) -> bool:
    """Return whether file names are those of a TUDataset."""
    return {"A", "graph_indicator"} <= {key for n in names for key in TU_PARTS if Path(n).name.endswith(f"_{key}.txt")}


def read_tudataset(files: Mapping[str, bytes], name: str, limits: Limits) -> Dataset:
    """Return the labelled graphs of a TUDataset's files: NAME_A, _graph_indicator, _graph_labels, _node_labels, ….

    Parameters: `files`, path → content; `name` of the archive; `limits` (`cells` bounds the sum of nodes² too).

    Raises DataError, naming the file, for a number outside its range, an edge between two graphs, a file of another
    length.

    >>> files = {"T_A.txt": b"1, 2\\n3, 4\\n", "T_graph_indicator.txt": b"1\\n1\\n2\\n2\\n"}
    >>> files["T_graph_labels.txt"] = b"1\\n-1\\n"
    >>> read_tudataset(files, "T.zip", Limits()).class_counts
    {'-1': 1, '1': 1}
    """
    parts = {key: path for path in files for key in TU_PARTS if path.endswith(f"_{key}.txt")}

    def numbers(key: str, rows: int | None = None) -> Array:
        """Return the whole numbers of a file, one line for each of `rows`."""
        who, raw = f"{name}: {Path(parts[key]).name}", files[parts[key]]
        _count(raw.count(b"\n"), "lines", who, limits.cells // 4)
        damaged = parser_errors(f"{who} holds other things than whole numbers", "Correct it.")
        with damaged, warnings.catch_warnings(action="ignore"):  # of an empty file
            found = np.loadtxt(io.BytesIO(raw), dtype=np.int64, delimiter=",", ndmin=2)
        n, width = found.shape
        expected = (rows or max(n, 1), {"A": 2, "node_labels": width}.get(key, 1))
        if found.shape != expected:
            raise DataError(
                f"{who} has {n} lines of {width} numbers; expected {rows or 'some'} of {expected[1]}. Correct the file."
            )
        return found

    owner, edges = numbers("graph_indicator")[:, 0] - 1, numbers("A") - 1
    if owner[0] != 0 or not np.isin(np.diff(owner), (0, 1)).all():
        raise DataError(f"{name}: graph_indicator must number the graphs 1, 2, … one after the other. Sort the nodes.")
    sizes = np.bincount(owner)
    _count(int((sizes**2).sum()), "entries of adjacency matrices", name, limits.cells)
    inside = np.all((edges >= 0) & (edges < len(owner)), axis=1)
    inside[inside] = np.ptp(owner[edges[inside]], axis=1) == 0
    if not inside.all():
        raise DataError(
            f"{name}: {Path(parts['A']).name}, edge {shortened((edges[inside.argmin()] + 1).tolist())} does not join "
            f"two of the nodes 1…{len(owner)} of one graph. Correct the file."
        )
    rows = {"node_labels": len(owner), "edge_labels": len(edges), "graph_labels": len(sizes)}
    labels = {
        key: [",".join(map(str, line)) for line in numbers(key, n).tolist()] for key, n in rows.items() if key in parts
    }
    starts = np.cumsum(sizes) - sizes
    adjacency, bonds = [np.zeros((size, size)) for size in sizes], [dict[tuple[int, int], str]() for _ in sizes]
    owners = owner[edges[:, 0]]
    for e, (g, (i, j)) in enumerate(zip(owners.tolist(), (edges - starts[owners, None]).tolist(), strict=True)):
        adjacency[g][i, j] = adjacency[g][j, i] = 1.0
        if "edge_labels" in labels:
            bonds[g][i, j] = bonds[g][j, i] = labels["edge_labels"][e]
    graphs = [
        Graph(
            A,
            labels["node_labels"][start : start + len(A)] if "node_labels" in labels else None,
            own if "edge_labels" in labels else None,
        )
        for A, own, start in zip(adjacency, bonds, starts.tolist(), strict=True)
    ]
    y = np.array(labels["graph_labels"]) if "graph_labels" in labels else None
    note = "Edges are read as undirected."
    return Dataset(stem(name), name, "graph", object_rows(graphs), y=y, source=f"upload {name}", note=note)
