"""A small file of each format, by its name: what the table of readings and the fuzzers begin with."""

from __future__ import annotations

import gzip
import json

import numpy as np

from .builders import graphml, mat, npz, parquet, xlsx, zipped

_NAMES = ["id", "length", "width", "colour", "species"]
_ROWS = [
    [f"r{i + 1}", f"{4.5 + i / 10:.1f}", f"{2.0 + (i % 4) / 5:.1f}", ("white", "blue", "red")[i % 3], "ab"[i % 2]]
    for i in range(8)
]
_TYPED = [[row[0], float(row[1]), float(row[2]), *row[3:]] for row in _ROWS]
_TABLE = "".join(",".join(row) + "\n" for row in [_NAMES, *_ROWS])
_ARFF = "@relation flowers\n@attribute length real\n@attribute width real\n@attribute colour {white, blue, red}\n"
_ARFF += "@attribute species {a, b}\n@data\n" + "".join(",".join(row[1:]) + "\n" for row in _ROWS)
_STRINGS = ("ACGTACGTACGT", "ACGAACGTTCGT", "TTGTACCTACGA", "ACGTTCGTACGG", "TTGTAGCTACGA", "TTCTACCTAGGA")
_TEXTS = (
    ("music", "the choir sings a slow song"),
    ("music", "a song for two voices and a drum"),
    ("sport", "the team wins the last match"),
    ("sport", "a match in the rain and no goal"),
)
_SERIES = (("up", "0 1 2 3"), ("up", "0 0 2 2 3"), ("down", "3 2 0"), ("down", "3 3 1 0 0"), ("up", "1 2 2 4"))
_EDGES = "from,to,weight\nada,bob,1\nbob,cy,2\ncy,ada,1\ncy,dan,1\ndan,eve,3\n"
_NODES = "id,club\nada,red\nbob,red\ncy,red\ndan,blue\neve,blue\n"
_PAIRS = [line.split(",")[:2] for line in _EDGES.splitlines()[1:]]
_CLUBS = [line.split(",") for line in _NODES.splitlines()[1:]]
_PLACE = {name: i for i, (name, _) in enumerate(_CLUBS)}
_X = np.arange(12.0).reshape(6, 2)
_K = np.exp(-np.abs(np.arange(5.0)[:, None] - np.arange(5.0)) / 2).round(3)
_LINES = [["", *_PLACE], *([name, *row] for name, row in zip(_PLACE, _K.tolist(), strict=True))]
_SCORES = "".join(",".join(map(str, line)) + "\n" for line in _LINES)
_TU = {
    "M/M_A.txt": b"1, 2\n2, 1\n3, 4\n4, 3\n4, 5\n5, 4\n",
    "M/M_graph_indicator.txt": b"1\n1\n2\n2\n2\n",
    "M/M_graph_labels.txt": b"1\n-1\n",
    "M/M_node_labels.txt": b"6\n8\n6\n6\n8\n",
}

_TEXT = {
    "table.csv": _TABLE,
    "table.tsv": _TABLE.replace(",", "\t"),
    "table.arff": _ARFF,
    "table.json": json.dumps([dict(zip(_NAMES, row, strict=True)) for row in _TYPED], indent=1),
    "vectors.svmlight": "+1 1:0.5 3:2\n-1 2:1\n+1 1:0.7 3:1.5\n-1 2:0.8",
    "molecules.smi": "CCO\tethanol\nCCN\tethylamine\nCC(=O)O\tacetic acid\nc1ccccc1\tbenzene\nCc1ccccc1\ttoluene",
    "sequences.fasta": "".join(f">s{i + 1} {'+-'[i % 2]}\n{s}\n" for i, s in enumerate(_STRINGS)),
    "sequences.csv": "sequence,label\n" + "".join(f"{s},{'+-'[i % 2]}\n" for i, s in enumerate(_STRINGS)),
    "texts.csv": "label,text\n" + "".join(f"{c},{t}\n" for c, t in _TEXTS),
    "texts.jsonl": "".join(json.dumps({"label": c, "text": t}) + "\n" for c, t in _TEXTS),
    "series.csv": "id,time,value,label\n"
    + "".join(
        f"s{i + 1},{t},{v},{label}\n" for i, (label, row) in enumerate(_SERIES) for t, v in enumerate(row.split())
    ),
    "series.ts": "@problemName Example\n@timeStamps false\n@univariate true\n@classLabel true up down\n@data\n"
    + "".join(f"{row.replace(' ', ',')}:{label}\n" for label, row in _SERIES),
    "graph.gml": "graph [\n"
    + "".join(f'  node [ id {_PLACE[n]} label "{n}" club "{c}" ]\n' for n, c in _CLUBS)
    + "".join(f"  edge [ source {_PLACE[a]} target {_PLACE[b]} ]\n" for a, b in _PAIRS)
    + "]\n",
    "edges.csv": _EDGES,
    "adjacency.csv": "0,1,0,0,1\n1,0,1,0,0\n0,1,0,1,0\n0,0,1,0,1\n1,0,0,1,0\n",
    "scores.csv": _SCORES,
}
EXAMPLES: dict[str, bytes] = {name: text.encode() for name, text in _TEXT.items()} | {
    "table.csv.gz": gzip.compress(_TABLE.encode(), mtime=0),
    "table.parquet": parquet(**dict(zip(_NAMES, map(list, zip(*_TYPED, strict=True)), strict=True))),
    "table.xlsx": xlsx([_NAMES, *_TYPED]),
    "vectors.npz": npz(X=_X, y=np.arange(6) % 2),
    "vectors.mat": mat({"X": _X, "y": np.arange(6) % 2}, do_compression=True),
    "texts.zip": zipped({f"{c}/{len(t)}.txt": t.encode() for c, t in _TEXTS}),
    "molecules.zip": zipped(_TU),
    "graph.graphml": graphml(
        "".join(f'<node id="{n}"><data key="c">{c}</data></node>' for n, c in _CLUBS),
        "".join(f'<edge source="{a}" target="{b}"/>' for a, b in _PAIRS),
    ).replace(b"<graph ", b'<key id="c" for="node" attr.name="club" attr.type="string"/><graph ', 1),
    "graph.zip": zipped({"edges.csv": _EDGES.encode(), "nodes.csv": _NODES.encode()}),
    "scores.npz": npz(K=_K, y=np.array(["a", "a", "b", "b", "b"])),
}
