"""Nodes of a graph, graphs, time series, and square matrices of scores."""

from __future__ import annotations

import gzip

import numpy as np

from ...values.arrays import Array
from ..containers.formats import read_ts
from ..containers.graphs import read_tudataset
from ..entries import ELEM_STAT_LEARN, SAMPLES, UCI, UNSTATED, Content, read_csv, sample, sample_file
from ..files import LIMITS


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


@sample(
    "japanese-vowels",
    "Japanese vowels, nine speakers",
    "series",
    270,
    "series of 7 to 26 times, 12 channels",
    files=("japanese-vowels.ts.gz",),
    source="UCI Japanese Vowels, training part as the UEA archive gives it",
    licence=UCI,
    citation="Kudo, Toyama, Shimbo 1999",
    look_for="Aligned, or compared time by time, few utterances are misclassified; by their rhythm alone, many are.",
    note="Each series is one utterance of /ae/: twelve cepstrum coefficients, one time every 6.4 ms.",
)
def japanese_vowels() -> Content:
    """Return utterances of nine men, 30 of each: the class is the speaker."""
    (file,) = japanese_vowels.files
    data = read_ts(gzip.decompress(sample_file(file).read_bytes()).decode(), file, LIMITS)
    return dict(rows=data.rows, y=data.y, classes=tuple(f"speaker {name}" for name in data.classes))


@sample(
    "digit-shift-scores",
    "Digits, best match over shifts",
    "matrix",
    120,
    "× 120 scores",
    files=("zip38.npz",),
    source="Computed from 120 of the ZIP-code digits 3 and 8 (R package ElemStatLearn)",
    licence=ELEM_STAT_LEARN,
    citation="Hastie, Tibshirani, Friedman 2009; LeCun et al. 1989",
    look_for="A maximum over shifts is no kernel: 26 eigenvalues are negative. Compare the repairs before taking one.",
    note="Entry (i, j) is the largest cosine of two images over shifts of one pixel in all directions.",
)
def digit_shift_scores() -> Content:
    """Return the shift-tolerant similarity of 120 digits, symmetric with a unit diagonal, indefinite."""
    digits = SAMPLES["digits-3-8"].load().stratified_sample(120, seed=0)
    scores = best_shift_cosine(digits.rows.reshape(-1, 16, 16) + 1.0)
    return dict(rows=scores, y=digits.y, classes=digits.classes, ids=digits.ids)


def best_shift_cosine(images: Array, reach: int = 1) -> Array:
    """Return max(S, S') of S_ij = max_{|a|,|b| ≤ reach} ⟨x_i, shift_ab x_j⟩ / (‖x_i‖‖x_j‖).

    Parameters: `images` (n, height, width), `reach` in pixels. Returns (n, n).

    >>> best_shift_cosine(np.eye(3)[:2].reshape(2, 1, 3)).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    n, height, width = images.shape
    flat = images.reshape(n, -1)
    padded = np.pad(images, ((0, 0), (reach, reach), (reach, reach)))
    S = np.full((n, n), -np.inf)
    for a in range(2 * reach + 1):
        for b in range(2 * reach + 1):
            np.maximum(S, flat @ padded[:, a : a + height, b : b + width].reshape(n, -1).T, out=S)
    lengths = np.linalg.norm(flat, axis=1)
    return np.asarray(np.maximum(S, S.T) / np.outer(lengths, lengths))
