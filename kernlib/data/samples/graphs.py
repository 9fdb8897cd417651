"""Sample data whose rows are nodes of one graph, or graphs."""

from __future__ import annotations

import numpy as np

from ...values.arrays import Array
from ..containers.complete import read_tudataset
from ..uploads import LIMITS
from .files import read_csv, sample_file
from .sample import UNSTATED, Content, sample


def _adjacency(nodes: list[dict[str, str]], file: str) -> Array:
    """Return the symmetric adjacency matrix of the nodes from a file of edges, without edges from a node to itself."""
    row = {node["id"]: i for i, node in enumerate(nodes)}
    A = np.zeros((len(nodes), len(nodes)))
    for edge in read_csv(file):
        if edge["from"] != edge["to"]:
            A[row[edge["from"]], row[edge["to"]]] = 1.0
    return np.maximum(A, A.T)


@sample(
    "karate",
    "Zachary's karate club",
    "node",
    34,
    "nodes",
    files=("karate/nodes.csv", "karate/edges.csv"),
    source="networkx karate_club_graph",
    licence="BSD-3 (networkx, © NetworkX Developers)",
    citation="Zachary 1977",
    look_for="Raise β: heat leaves the two leaders, and the factions become blocks.",
    note="Edges without their weights.",
)
def karate() -> Content:
    """Return Zachary's karate club: 34 members, 78 unweighted friendships, two factions of 17."""
    nodes = read_csv("karate/nodes.csv")
    return dict(
        rows=_adjacency(nodes, "karate/edges.csv"),
        y=[node["club"] for node in nodes],
        classes=("Mr. Hi", "Officer"),
        ids=tuple(node["id"] for node in nodes),
    )


@sample(
    "enron",
    "Enron e-mail graph",
    "node",
    182,
    "nodes",
    files=("enron/nodes.csv", "enron/edges.csv"),
    source="R package igraphdata, enron",
    licence="CC BY-SA 4.0 (R package igraphdata)",
    citation="Priebe, Conroy, Marchette, Park 2005",
    look_for="One leader in eleven: judge by AUC, and see whether depth gathers the leaders.",
    note="Binary, undirected, without self-loops. That CEO, President and Managing Director are the thesis's 16 is "
    "our inference from its counts (16 against 166).",
)
def enron() -> Content:
    """Return Enron e-mail: 182 accounts joined when either ever wrote to the other; code 1 = leaders (16)."""
    nodes = [node for node in read_csv("enron/nodes.csv") if node["isolated"] == "0"]
    leaders = {"CEO", "President", "Managing Director"}
    return dict(
        rows=_adjacency(nodes, "enron/edges.csv"),
        y=[int(node["status"] in leaders) for node in nodes],
        classes=("others", "leaders"),
        ids=tuple(f"{node['id']} {node['status']}".strip() for node in nodes),
    )


@sample(
    "lawyers",
    "Law firm partners",
    "node",
    36,
    "nodes",
    files=("lawyers/ELattr.csv", "lawyers/ELfriend.csv", "lawyers/ELwork.csv"),
    source="SIENA project page, Lazega lawyers",
    licence=f"none stated on the SIENA page: {UNSTATED}",
    citation="Lazega 2001, The Collegial Phenomenon",
    look_for="The film-strip of the thesis's figure 3.6: nearly diagonal, then blocks, then flat.",
    note=(
        "A stand-in: the thesis used opinions on firm policy; the partners' practice has its counts of 20 and 16. "
        "A tie counts as friendship when either names the other."
    ),
)
def lawyers() -> Content:
    """Return Lazega's law firm: A = ½·friends + ½·collaborated over the 36 partners; practice as the label (20/16)."""
    friends, work = (
        np.array([[float(v) for v in line.values()] for line in read_csv(f"lawyers/{name}.csv")])[:36, :36]
        for name in ("ELfriend", "ELwork")
    )
    partners = read_csv("lawyers/ELattr.csv")[:36]
    # friendship is directed in the file: one who names the other is enough
    A = 0.5 * np.maximum(friends, friends.T) + 0.5 * np.maximum(work, work.T)
    return dict(
        rows=A,
        y=[{"1": "litigation", "2": "corporate"}[line["practice"]] for line in partners],
        classes=("litigation", "corporate"),
        ids=tuple(line["seniority"] for line in partners),
    )


_MUTAG = tuple(f"MUTAG/MUTAG_{part}.txt" for part in ("A", "graph_indicator", "graph_labels", "node_labels"))


@sample(
    "mutag",
    "MUTAG molecules",
    "graph",
    188,
    "graphs",
    files=_MUTAG,
    source="TUDataset MUTAG",
    licence=f"none stated by TUDataset: {UNSTATED}",
    citation="Debnath et al. 1991",
    look_for="Rings of carbon and the nitro groups on them: longer walks see the rings.",
    note=(
        "Atoms carry their node label as the file numbers it (1–7); bonds carry none (edge labels are unreliable here)."
    ),
)
def mutag() -> Content:
    """Return MUTAG: 188 molecules with atom labels; code 1 = mutagenic (125), 0 = not (63)."""
    data = read_tudataset({file: sample_file(file).read_bytes() for file in _MUTAG}, "MUTAG", LIMITS)
    return dict(rows=data.rows, y=data.y, classes=("not mutagenic", "mutagenic"))
