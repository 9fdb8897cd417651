"""One graph whose nodes are the rows, from GraphML or GML, by networkx."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ...errors import DataError
from ..reading import Upload
from ..tables import table_of
from ..uploads import Limits, optional_import, parser_errors, shortened, tamed
from .base import File, Format, Head, checked_cell
from .networks import Network, edge_weight, of_network


def _looks_like_graphml(head: Head) -> str:
    # An XML name has no blank and no bracket, so each '<' is tested once.
    root = head.text.startswith("<") and re.search(r"<([^\s<>/:]{1,50}:)?graphml\b", head.text)
    return "An XML root graphml" if root else ""


def _graphml(file: File, reason: str) -> Upload:
    return of_network(read_graphml(file.raw, file.name, file.limits), "GraphML", reason, file.limits)


def read_graphml(raw: bytes, name: str, limits: Limits) -> Network:
    """Return a graph from GraphML, by networkx; entities and document types are refused before parsing.

    Raises DataError for what networkx cannot read, too many nodes, an edge to an unknown node.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{name}: it is not UTF-8 (byte {error.start}). Save the GraphML in UTF-8.") from None
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
    graph = _parsed(name, "GraphML", lambda networkx: networkx.parse_graphml(text, node_type=str))
    # networkx adds a node for every end of an edge; the declared nodes are read from the file again.
    root = ElementTree.fromstring(text.strip())
    declared = {element.get("id", "") for element in root.iter() if str(element.tag).rpartition("}")[2] == "node"}
    return _of_networkx(graph, name, declared, limits)


def _looks_like_gml(head: Head) -> str:
    """Return the reason if `graph [` follows only comments and lines such as Creator "…"; reads each line once."""
    if "[" not in head.text:
        return ""
    words = ""
    for line in head.text.splitlines():
        words = f"{words} {line.strip()}".strip().lower()
        if re.match(r"graph\s{0,9}\[", words):
            return "It begins with graph ["
        if words != "graph":
            if words and not words.startswith(("#", "creator", "version", "comment", "directed")):
                return ""
            words = ""
    return ""


def _gml(file: File, reason: str) -> Upload:
    return of_network(read_gml(file.text, file.name, file.limits), "GML", reason, file.limits)


def read_gml(text: str, name: str, limits: Limits) -> Network:
    """Return a graph from GML, by networkx.

    Raises DataError for what networkx cannot read, too many nodes, an edge to an unknown node.
    """
    _count(sum(1 for _ in re.finditer(r"\bnode\s*\[", text)), "nodes", name, limits.side)
    _count(sum(1 for _ in re.finditer(r"\bedge\s*\[", text)), "edges", name, limits.cells // 4)
    lines = [line for line in text.splitlines() if not line.isspace() and line]
    _count(len(lines), "lines", name, 10 * limits.rows)
    graph = _parsed(name, "GML", lambda networkx: networkx.parse_gml(lines, label="id"))
    names = [str(label) for _, label in graph.nodes(data="label") if label is not None]
    if len(names) == len(graph) == len(set(names)):  # in GML the label is the name of a node
        import networkx

        for node in graph:
            del graph.nodes[node]["label"]
        graph = networkx.relabel_nodes(graph, dict(zip(graph, names, strict=True)))
    return _of_networkx(graph, name, None, limits)


def _count(got: int, what: str, name: str, most: int) -> None:
    if got > most:
        raise DataError(f"{name}: it holds {got} {what}; expected at most {most}. Choose a part of the graph.")


def _parsed(name: str, what: str, parse: Callable[[Any], Any]) -> Any:
    """Return the graph that `parse` makes with networkx."""
    instead = "give a table of edges with the columns from and to"
    with optional_import(f"{name}: GraphML and GML are read by networkx", "graphs", instead):
        import networkx
    damaged = parser_errors(
        f"{name}: the {what} cannot be read", f"Write it again, or {instead}.", networkx.NetworkXException
    )
    with damaged, warnings.catch_warnings(action="ignore"):  # of a key without a type, which is then words
        return parse(networkx)


def _of_networkx(graph: Any, name: str, declared: set[str] | None, limits: Limits) -> Network:
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
    weights = [
        edge_weight(data.get("weight", data.get("value", one)), i, name) for i, (_, _, data) in enumerate(listed)
    ]
    edges = np.array([[place[u], place[v]] for u, v, _ in listed], dtype=np.int64).reshape(-1, 2)
    keys = list(dict.fromkeys(str(key) for node in nodes for key in (*graph.nodes[node], *node_default)))
    if len(keys) * len(nodes) > limits.cells:
        raise DataError(f"{name}: the nodes have {len(keys)} attributes; expected fewer. Leave some out.")
    # Named apart from an attribute that is called id too.
    ids = [str(node) for node in nodes]
    title = "id" if "id" not in keys else "node"
    lines = [
        [i, *(_attribute(graph.nodes[node].get(key, node_default.get(key)), key, name, limits) for key in keys)]
        for i, node in zip(ids, nodes, strict=True)
    ]
    names = tamed([title, *(key or "attribute" for key in keys)])
    table = table_of(name, names, lines, {names[0]: "id"}, limits=limits) if len(set(names)) == len(names) else None
    note = "Edges are read as undirected." if graph.is_directed() else ""
    several = len(listed) - len({(u, v) for u, v, _ in listed})
    if several:
        raise DataError(
            f"{name}: {several} edges join nodes that another edge joins already; expected one for each pair of nodes. "
            "Put them together, for example with their number as weight."
        )
    return Network(name, tuple(ids), edges, np.array(weights, dtype=np.float64), table, note)


def _attribute(value: Any, key: str, name: str, limits: Limits) -> str:
    return "" if isinstance(value, (dict, list)) else checked_cell(value, key, name, limits)


GRAPHML = Format("GraphML", ("graphml",), _looks_like_graphml, _graphml)
GML = Format("GML", ("gml",), _looks_like_gml, _gml)
