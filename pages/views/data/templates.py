"""A small example file of each format, to download and fill in."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from kernlib.kinds import KINDS


@dataclass(frozen=True)
class Template:
    """The title, the file name and the maker of the bytes of one example file."""

    title: str
    file: str
    make: Callable[[], bytes]


_TABLE = "id,length,width,colour,species\n" + "".join(
    f"r{i + 1},{4.5 + i / 10:.1f},{2.0 + (i % 4) / 5:.1f},{('white', 'blue', 'red')[i % 3]},{'ab'[i % 2]}\n"
    for i in range(8)
)
_STRINGS = ("ACGTACGTACGT", "ACGAACGTTCGT", "TTGTACCTACGA", "ACGTTCGTACGG", "TTGTAGCTACGA", "TTCTACCTAGGA")
_TEXTS = (
    ("music", "the choir sings a slow song"),
    ("music", "a song for two voices and a drum"),
    ("sport", "the team wins the last match"),
    ("sport", "a match in the rain and no goal"),
)
_EDGES = "from,to,weight\nada,bob,1\nbob,cy,2\ncy,ada,1\ncy,dan,1\ndan,eve,3\n"
_ADJACENCY = "0,1,0,0,1\n1,0,1,0,0\n0,1,0,1,0\n0,0,1,0,1\n1,0,0,1,0\n"
_NODES = "id,club\nada,red\nbob,red\ncy,red\ndan,blue\neve,blue\n"


def _written(write: Callable[[io.BytesIO], object]) -> bytes:
    """Return the bytes that `write` writes into a file."""
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def _zip(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def _scores() -> np.ndarray:
    x = np.arange(5.0)
    return np.exp(-np.abs(x[:, None] - x) / 2).round(3)


def _npz(**arrays: Any) -> bytes:
    return _written(lambda file: np.savez_compressed(file, **arrays))


def _parquet() -> bytes:
    import pandas as pd

    return _written(pd.read_csv(io.StringIO(_TABLE)).to_parquet)


def _excel() -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for line in _TABLE.splitlines():
        book.active.append([float(cell) if cell[0].isdigit() else cell for cell in line.split(",")])
    return _written(book.save)


def _arff() -> str:
    names, *rows = (line.split(",", 1)[1] for line in _TABLE.splitlines())
    kinds = ("real", "real", "{white, blue, red}", "{a, b}")
    head = "".join(f"@attribute {name} {kind}\n" for name, kind in zip(names.split(","), kinds, strict=True))
    return f"@relation flowers\n{head}@data\n" + "".join(f"{row}\n" for row in rows)


def _records() -> str:
    names, *rows = (line.split(",") for line in _TABLE.splitlines())
    numbers = ("length", "width")
    return json.dumps(
        [{n: float(c) if n in numbers else c for n, c in zip(names, row, strict=True)} for row in rows], indent=1
    )


def _matlab() -> bytes:
    from scipy.io import savemat

    vectors = {"X": np.arange(12.0).reshape(6, 2), "y": np.arange(6) % 2}
    return _written(lambda file: savemat(file, vectors, do_compression=True))


def _scores_csv() -> str:
    names = ["ada", "bob", "cy", "dan", "eve"]
    return "".join(
        [
            "," + ",".join(names) + "\n",
            *(f"{n},{','.join(map(str, row))}\n" for n, row in zip(names, _scores(), strict=True)),
        ]
    )


def _graphml() -> str:
    nodes = "".join(f'<node id="{n}"><data key="c">{c}</data></node>' for n, c in _first_two(_NODES))
    edges = "".join(f'<edge source="{a}" target="{b}"/>' for a, b in _first_two(_EDGES))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        '<key id="c" for="node" attr.name="club" attr.type="string"/>'
        f'<graph edgedefault="undirected">{nodes}{edges}</graph></graphml>\n'
    )


def _gml() -> str:
    nodes_and_clubs = _first_two(_NODES)
    names = [n for n, _ in nodes_and_clubs]
    nodes = "".join(f'  node [ id {i} label "{n}" club "{c}" ]\n' for i, (n, c) in enumerate(nodes_and_clubs))
    edges = "".join(f"  edge [ source {names.index(a)} target {names.index(b)} ]\n" for a, b in _first_two(_EDGES))
    return f"graph [\n{nodes}{edges}]\n"


def _first_two(table: str) -> list[tuple[str, str]]:
    """Return the first two cells of each row."""
    return [(line.split(",")[0], line.split(",")[1]) for line in table.splitlines()[1:]]


TEMPLATES: tuple[Template, ...] = (
    Template("Table (CSV)", "table.csv", _TABLE.encode),
    Template("Table (TSV)", "table.tsv", _TABLE.replace(",", "\t").encode),
    Template("Table (CSV, gzipped)", "table.csv.gz", lambda: gzip.compress(_TABLE.encode(), mtime=0)),
    Template("Table (Parquet)", "table.parquet", _parquet),
    *([Template("Table (Excel)", "table.xlsx", _excel)] if find_spec("openpyxl") else []),
    Template("Table (ARFF)", "table.arff", lambda: _arff().encode()),
    Template("Table (JSON records)", "table.json", lambda: _records().encode()),
    Template("Vectors (SVMlight)", "vectors.svmlight", b"+1 1:0.5 3:2\n-1 2:1\n+1 1:0.7 3:1.5\n-1 2:0.8\n".strip),
    Template(
        "Vectors (NPZ: X and y)", "vectors.npz", lambda: _npz(X=np.arange(12.0).reshape(6, 2), y=np.arange(6) % 2)
    ),
    Template("Vectors (MATLAB: X and y)", "vectors.mat", _matlab),
    Template(
        "Molecules (SMILES)",
        "molecules.smi",
        b"CCO\tethanol\nCCN\tethylamine\nCC(=O)O\tacetic acid\nc1ccccc1\tbenzene\nCc1ccccc1\ttoluene\n".strip,
    ),
    Template(
        "Sequences (FASTA)",
        "sequences.fasta",
        lambda: "".join(f">s{i + 1} {'+-'[i % 2]}\n{s}\n" for i, s in enumerate(_STRINGS)).encode(),
    ),
    Template(
        "Sequences (CSV)",
        "sequences.csv",
        lambda: ("sequence,label\n" + "".join(f"{s},{'+-'[i % 2]}\n" for i, s in enumerate(_STRINGS))).encode(),
    ),
    Template("Texts (CSV)", "texts.csv", lambda: ("label,text\n" + "".join(f"{c},{t}\n" for c, t in _TEXTS)).encode()),
    Template(
        "Texts (JSON Lines)",
        "texts.jsonl",
        lambda: "".join(f'{{"label": "{c}", "text": "{t}"}}\n' for c, t in _TEXTS).encode(),
    ),
    Template("Texts (zip, a folder per class)", "texts.zip", lambda: _zip({f"{c}/{len(t)}.txt": t for c, t in _TEXTS})),
    Template(
        "Many graphs (TUDataset zip)",
        "molecules.zip",
        lambda: _zip(
            {
                "M/M_A.txt": "1, 2\n2, 1\n3, 4\n4, 3\n4, 5\n5, 4\n",
                "M/M_graph_indicator.txt": "1\n1\n2\n2\n2\n",
                "M/M_graph_labels.txt": "1\n-1\n",
                "M/M_node_labels.txt": "6\n8\n6\n6\n8\n",
            }
        ),
    ),
    *(Template(title, file, content.encode) for kind in KINDS.values() for title, file, content in kind.templates),
    Template("One graph (GraphML)", "graph.graphml", lambda: _graphml().encode()),
    Template("One graph (GML)", "graph.gml", lambda: _gml().encode()),
    Template(
        "One graph (edges and node table, zip)",
        "graph.zip",
        lambda: _zip({"edges.csv": _EDGES, "nodes.csv": _NODES}),
    ),
    Template("One graph (edges, CSV)", "edges.csv", _EDGES.encode),
    Template("One graph (adjacency, CSV)", "adjacency.csv", _ADJACENCY.encode),
    Template("Scores or Gram matrix (CSV)", "scores.csv", lambda: _scores_csv().encode()),
    Template(
        "Scores or Gram matrix (NPZ: K and y)",
        "scores.npz",
        lambda: _npz(K=_scores(), y=np.array(["a", "a", "b", "b", "b"])),
    ),
    Template(
        "Pairs over a matrix (zip)",
        "pairs.zip",
        lambda: _zip(
            {
                "scores.csv": _scores_csv(),
                "pairs.csv": "first,second,label\nada,bob,1\nbob,eve,0\ncy,dan,1\nada,eve,0\n",
            }
        ),
    ),
)
