"""Graphs: one graph whose nodes are the rows (GraphML, GEXF, GML, Pajek), and many as rows (graph6, TUDataset)."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ...errors import DataError
from ...values.arrays import Array
from ...values.domains import object_rows
from ...values.objects import Graph
from ..dataset import Dataset
from ..limits import Limits, is_missing, number_of, optional_import, parser_errors, shortened, stem, tamed
from ..table import Complete, Network, Part, table_of
from .files import File, cell_words, decode

#: An XML name has no blank and no bracket, so each '<' is tested once.
_ROOT = r"<([^\s<>/:]{1,50}:)?%s\b"


def read_xml(file: File) -> Part:
    """Return a graph from GraphML or GEXF, by networkx; entities and document types are refused before parsing.

    Raises DataError for what networkx cannot read, too many nodes, an edge to an unknown node.
    """
    name, limits, text = file.name, file.limits, _as_utf8(file)
    if re.search(r"<!(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise DataError(f"{name}: it declares a document type or entities, which are not read. Remove the <! lines.")
    _count(text.count("<"), "XML tags", name, max(1000, limits.cells // 4))
    _count(sum(1 for _ in re.finditer(r"<(?:[^\s<>/:]{1,50}:)?node\b", text)), "nodes", name, limits.side)
    graphs = sum(1 for _ in re.finditer(r"<(?:[^\s<>/:]{1,50}:)?graph\b", text))
    if graphs > 1:
        raise DataError(
            f"{name}: it holds {graphs} graphs, beside or inside each other; expected one. Write one of them to a file."
        )
    # The type gives a text parser its encoding, whatever the declaration says.
    declaration = re.match(r"\s*<\?xml[^>]*>", text)
    text = text[declaration.end() :] if declaration else text
    if re.search(_ROOT % "gexf", text[:8192]):
        return _of_networkx(
            _parsed(name, lambda networkx: networkx.read_gexf(io.BytesIO(text.strip().encode()))),
            name,
            None,
            limits,
            "GEXF",
        )
    graph = _parsed(name, lambda networkx: networkx.parse_graphml(text, node_type=str))
    # networkx adds a node for every end of an edge; the declared nodes are read from the file again.
    root = ElementTree.fromstring(text.strip())
    declared = {element.get("id", "") for element in root.iter() if str(element.tag).rpartition("}")[2] == "node"}
    return _of_networkx(graph, name, declared, limits, "GraphML")


def _as_utf8(file: File) -> str:
    try:
        return file.raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{file.name}: it is not UTF-8 (byte {error.start}). Save the XML in UTF-8.") from None


def read_gml(file: File) -> Part:
    """Return a graph from GML, by networkx; DataError for what it cannot read, and for too many nodes."""
    text, name, limits = file.text, file.name, file.limits
    _count(sum(1 for _ in re.finditer(r"\bnode\s*\[", text)), "nodes", name, limits.side)
    _count(sum(1 for _ in re.finditer(r"\bedge\s*\[", text)), "edges", name, limits.cells // 4)
    lines = [line for line in text.splitlines() if not line.isspace() and line]
    _count(len(lines), "lines", name, 10 * limits.rows)
    graph = _parsed(name, lambda networkx: networkx.parse_gml(lines, label="id"))
    names = [str(label) for _, label in graph.nodes(data="label") if label is not None]
    if len(names) == len(graph) == len(set(names)):  # in GML the label is the name of a node
        import networkx

        for node in graph:
            del graph.nodes[node]["label"]
        graph = networkx.relabel_nodes(graph, dict(zip(graph, names, strict=True)))
    return _of_networkx(graph, name, None, limits, "GML")


def _count(got: int, what: str, name: str, most: int) -> None:
    if got > most:
        raise DataError(f"{name}: it holds {got} {what}; expected at most {most}. Choose a part of the graph.")


def _parsed(name: str, parse: Callable[[Any], Any]) -> Any:
    """Return the graph that `parse` makes with networkx."""
    instead = "give a table of edges with the columns from and to"
    with optional_import(f"{name}: graphs are read by networkx", "graphs", instead):
        import networkx
    damaged = parser_errors(f"{name}: the graph cannot be read", f"Write it again, or {instead}.")
    with damaged, warnings.catch_warnings(action="ignore"):  # of a key without a type, which is then words
        return parse(networkx)


def _of_networkx(graph: Any, name: str, declared: set[str] | None, limits: Limits, container: str) -> Network:
    nodes = list(graph)
    if declared is not None:
        loose = next((node for node in nodes if str(node) not in declared), None)
        if loose is not None:
            raise DataError(
                f"{name}: an edge leads to {shortened(loose)}, which is not a node of the file. Add the "
                "node, or remove the edge."
            )
    if len(nodes) < 2:
        raise DataError(f"{name}: at least two nodes are needed; got {len(nodes)}. Choose another file.")
    _count(len(nodes), "nodes", name, limits.side)
    place = {node: i for i, node in enumerate(nodes)}
    listed = list(graph.edges(data=True))
    node_default, edge_default = (graph.graph.get(f"{kind}_default", {}) for kind in ("node", "edge"))  # of GraphML
    one = edge_default.get("weight", edge_default.get("value", 1))
    weights = [_weight(data.get("weight", data.get("value", one)), i, name) for i, (_, _, data) in enumerate(listed)]
    edges = np.array([[place[u], place[v]] for u, v, _ in listed], dtype=np.int64).reshape(-1, 2)
    keys = list(dict.fromkeys(str(key) for node in nodes for key in (*graph.nodes[node], *node_default)))
    if len(keys) * len(nodes) > limits.cells:
        raise DataError(f"{name}: the nodes have {len(keys)} attributes; expected fewer. Leave some out.")
    # Named apart from an attribute that is called id too.
    ids = [str(node) for node in nodes]
    title = "id" if "id" not in keys else "node"
    lines = [
        [i, *(_attribute(graph.nodes[node].get(key, node_default.get(key))) for key in keys)]
        for i, node in zip(ids, nodes, strict=True)
    ]
    names = tamed([title, *(key or "attribute" for key in keys)])
    table = table_of(name, names, lines, declared={names[0]: "id"}, limits=limits) if len(nodes) > 1 else None
    notes = ("Edges are read as undirected.",) if graph.is_directed() else ()
    several = len(listed) - len({(u, v) for u, v, _ in listed})
    if several:
        raise DataError(
            f"{name}: {several} edges join nodes that another edge joins already; expected one for each pair of nodes. "
            "Put them together, for example with their number as weight."
        )
    return Network(
        name,
        container,
        notes=notes,
        ids=tuple(ids),
        edges=edges,
        weights=np.array(weights, dtype=np.float64),
        nodes=table,
    )


def _weight(cell: object, i: int, name: str) -> float:
    number = number_of(cell)
    if number is None or not (np.isfinite(number) and number >= 0):
        raise DataError(
            f"{name}: edge {i + 1} has the weight {shortened(cell)}; expected a number from 0 on. Correct it."
        )
    return number


def _attribute(value: Any) -> str:
    return "" if isinstance(value, (dict, list)) else cell_words(value)


def read_pajek(file: File) -> Part:
    """Return a graph from a Pajek network, by networkx."""
    lines = [line for line in file.text.split("\n") if line.strip() and not line.lstrip().startswith("%")]
    lines = [re.sub(r"^\*\w+", lambda mark: "*" + mark[0][1:].capitalize(), line.strip()) for line in lines]
    count = next((int(m[1]) for line in lines if (m := re.match(r"\*Vertices\s+(\d{1,9})", line))), 0)
    _count(count, "nodes", file.name, file.limits.side)
    _count(len(lines), "lines", file.name, file.limits.rows)
    place = next((k for k, line in enumerate(lines) if line.startswith("*Vertices")), 0)
    rest = next((k for k, line in enumerate(lines) if k > place and line.startswith("*")), len(lines))
    if rest - place - 1 < count:  # the list of nodes may be left out
        lines = [*lines[: place + 1], *(f'{k + 1} "{k + 1}"' for k in range(count)), *lines[rest:]]
    graph = _parsed(file.name, lambda networkx: networkx.Graph(networkx.parse_pajek(lines)))
    for node in graph:
        for key in ("x", "y", "shape", "id"):
            graph.nodes[node].pop(key, None)
    return _of_networkx(graph, file.name, None, file.limits, "Pajek network")


def read_graph6(file: File) -> Part:
    """Return the list of graphs of a graph6 file, by networkx."""
    lines = [line.strip().removeprefix(">>graph6<<") for line in file.text.split("\n") if line.strip()]
    _count(len(lines), "graphs", file.name, file.limits.rows)
    read = lambda networkx: [networkx.to_numpy_array(networkx.from_graph6_bytes(line.encode())) for line in lines]  # noqa: E731
    rows = object_rows([Graph(A) for A in _parsed(file.name, read)])
    data = Dataset(stem(file.name), file.name, "graph", rows, source=f"upload {file.name}")
    return Complete(file.name, "graph6", data=data, why="Each line is a graph as graph6 writes it.")


TU_PARTS = ("A", "graph_indicator", "graph_labels", "node_labels", "edge_labels")


def read_tudataset(files: Mapping[str, bytes], name: str, limits: Limits) -> Dataset:
    """Return the labelled graphs of a TUDataset's files: NAME_A, _graph_indicator, _graph_labels, _node_labels, ….

    Parameters: `files`, path → content; `name` of the archive; `limits` (`cells` bounds the sum of nodes² too).

    Raises DataError, naming file and line, for a number outside its range, an edge between two graphs, a file of
    another length.

    >>> files = {"T_A.txt": b"1, 2\\n3, 4\\n", "T_graph_indicator.txt": b"1\\n1\\n2\\n2\\n"}
    >>> files["T_graph_labels.txt"] = b"1\\n-1\\n"
    >>> read_tudataset(files, "T.zip", Limits()).class_counts
    {'-1': 1, '1': 1}
    """
    parts = {key: path for path in files for key in TU_PARTS if Path(path).name.endswith(f"_{key}.txt")}
    for key in ("A", "graph_indicator"):
        if key not in parts:
            raise DataError(f"{name}: a TUDataset needs a file NAME_{key}.txt; there is none. Add it.")

    def lines(key: str, width: int) -> list[list[int]]:
        return _whole_numbers(files[parts[key]], f"{name}: {Path(parts[key]).name}", width, limits)

    owner = np.array(lines("graph_indicator", 1)).ravel()
    count, sizes = owner.max(), _sizes(name, owner, limits)
    order, ends = np.argsort(owner, kind="stable"), np.cumsum(sizes)
    place = np.empty(len(owner), dtype=np.int64)  # of each node within its graph
    place[order] = np.arange(len(owner)) - np.repeat(ends - sizes, sizes)
    edges = np.array(lines("A", 2))
    kinds = lines("edge_labels", 1) if "edge_labels" in parts else None
    _same_length(name, "edge_labels", kinds, "A", len(edges))
    _check_edges(f"{name}: {Path(parts['A']).name}", edges, owner)
    adjacency = [np.zeros((size, size)) for size in sizes]
    named: list[dict[tuple[int, int], str]] = [{} for _ in sizes]
    for e, (g, i, j) in enumerate(zip(owner[edges[:, 0] - 1] - 1, *place[edges - 1].T.tolist(), strict=True)):
        adjacency[g][i, j] = adjacency[g][j, i] = 1.0
        if kinds is not None:
            named[g][i, j] = named[g][j, i] = str(kinds[e][0])
    labels: list[list[str]] | None = None
    if "node_labels" in parts:
        atoms = lines("node_labels", 0)
        _same_length(name, "node_labels", atoms, "graph_indicator", len(owner))
        words = [",".join(map(str, atoms[node])) for node in order]
        labels = [words[end - size : end] for end, size in zip(ends, sizes, strict=True)]
    y = None
    if "graph_labels" in parts:
        given = lines("graph_labels", 1)
        _same_length(name, "graph_labels", given, "graphs", int(count))
        y = np.array([str(line[0]) for line in given], dtype=np.str_)
    graphs = np.empty(count, dtype=object)
    for g, A in enumerate(adjacency):
        graphs[g] = Graph(A, None if labels is None else labels[g], named[g] if kinds is not None else None)
    return Dataset(
        stem(name),
        name,
        "graph",
        graphs,
        y=y,
        source=f"upload {name}",
        note="Edges are read as undirected.",
    )


def _sizes(name: str, owner: Array, limits: Limits) -> Array:
    """Return the number of nodes of each graph; DataError for gaps in their numbers and for more than allowed."""
    low, high = int(owner.min()), int(owner.max())
    if low < 1 or high > limits.rows:
        raise DataError(
            f"{name}: graph_indicator must number the graphs from 1 to at most {limits.rows}; got "
            f"{low if low < 1 else high}. Number them again."
        )
    sizes = np.bincount(owner - 1)
    if not sizes.all():
        raise DataError(f"{name}: graph {sizes.argmin() + 1} has no nodes. Number the graphs 1, 2, ….")
    entries = int((sizes**2).sum())
    if entries > limits.cells:
        raise DataError(
            f"{name}: its adjacency matrices have {entries} entries; expected at most {limits.cells}. Choose fewer or "
            "smaller graphs."
        )
    return sizes


def _check_edges(who: str, edges: Array, owner: Array) -> None:
    """Check that both ends of each edge are nodes of one graph."""
    outside = ((edges < 1) | (edges > len(owner))).any(axis=1)
    if outside.any():
        e = int(outside.argmax())
        raise DataError(
            f"{who}, edge {e + 1} joins nodes {edges[e, 0]} and {edges[e, 1]}; expected 1…{len(owner)}. Add the node, "
            "or remove the edge."
        )
    graphs = owner[edges - 1]
    across = graphs[:, 0] != graphs[:, 1]
    if across.any():
        e = int(across.argmax())
        raise DataError(
            f"{who}, edge {e + 1} joins nodes of graphs {graphs[e, 0]} and {graphs[e, 1]}; expected one graph. Remove "
            "the edge."
        )


def is_tudataset(names: Iterable[str]) -> bool:
    """Return whether file names are those of a TUDataset."""
    return {"A", "graph_indicator"} <= {key for n in names for key in TU_PARTS if Path(n).name.endswith(f"_{key}.txt")}


def _same_length(name: str, what: str, got: Sequence[Any] | None, other: str, count: int) -> None:
    if got is not None and len(got) != count:
        raise DataError(f"{name}: {what} has {len(got)} lines; expected {count}, as many as {other}. Correct the file.")


def _whole_numbers(raw: bytes, who: str, width: int, limits: Limits) -> list[list[int]]:
    """Return lines of integers separated by commas, `width` per line (0: any number up to ten)."""
    if raw.count(b"\n") > limits.cells // 4:
        raise DataError(f"{who} has more than {limits.cells // 4} lines, the maximum. Choose fewer graphs.")
    lines = []
    for number, line in enumerate(decode(raw, who, "whole numbers").splitlines(), start=1):
        if is_missing(line):
            continue
        words = [word.strip() for word in line.split(",", 10)]
        if (width and len(words) != width) or not all(re.fullmatch(r"[+-]?\d{1,15}", w, re.ASCII) for w in words):
            expected = f"{width or 'some'} whole number{'s' if width != 1 else ''}"
            raise DataError(f"{who}, line {number} is {shortened(line)}; expected {expected}. Correct the line.")
        lines.append([int(word) for word in words])
    if not lines:
        raise DataError(f"{who} is empty; expected whole numbers. Fill it.")
    return lines
