"""Files as other programs write them: how each is read, and what is said or asked of a guess."""

from __future__ import annotations

import gzip
import io
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.io import arff, loadmat, mmread, mmwrite, savemat
from scipy.sparse import csr_array, save_npz

from kernlib import Deep, Precomputed, PrecomputedDistances
from kernlib.data import ENDINGS, FORMATS, Limits, Upload, formats, read_arff, read_upload
from kernlib.data.formats.base import File, Format, Head
from kernlib.data.formats.matlab import read_matlab
from kernlib.data.reading import of_table
from kernlib.data.tables import table_of
from kernlib.errors import DataError
from kernlib.experiments.proposals import presets_for

from .builders import written, zipped

RNG = np.random.default_rng(7)
FRAME = pd.DataFrame({
    "length": RNG.normal(size=12).round(3), "count": RNG.integers(1, 9, 12), "colour": RNG.choice(["red", "blue"], 12),
    "kind": ["a", "b", "b"] * 4,
})  # fmt: skip
X, Y = RNG.normal(size=(12, 3)), np.array([1, 2, 2] * 4)
K = X @ X.T
NAMES = list("abcdefghijkl")
LETTERS = np.array(["a", "b", "b"] * 4)


def json(orient: str, **options: Any) -> bytes:
    return str(FRAME.to_json(orient=orient, **options)).encode()


def quoted(mark: str, corner: bool = True) -> bytes:
    """K as R's write.csv and write.table write it: names in quotes, no cell above the names of the rows."""
    names = [f'"{name}"' for name in NAMES]
    head = mark.join(['""', *names] if corner else names)
    body = [mark.join([name, *map(repr, row)]) for name, row in zip(names, K.tolist(), strict=True)]
    return "\n".join([head, *body]).encode()


TABLES: dict[str, bytes] = {
    "records.json": json("records"),
    "pretty.json": json("records", indent=2),
    "columns.json": json("columns"),
    "index.json": json("index"),
    "split.json": json("split"),
    "table.json": json("table"),
    "lists.json": ("{" + ",".join(f'"{c}":{FRAME[c].to_json(orient="values")}' for c in FRAME) + "}").encode(),
    "wrapped.json": b'{"status": "ok", "data": ' + json("records") + b"}",
    "lines.jsonl": json("records", lines=True),
    "frame.parquet": written(FRAME.to_parquet),
    "frame.xlsx": written(FRAME.to_excel, index=False),
    "frame.csv": FRAME.to_csv(index=False).encode("utf-8-sig"),
    "wide.txt": FRAME.to_csv(index=False, sep="\t").encode("utf-16"),
    "gzipped.csv.gz": gzip.compress(FRAME.to_csv(index=False).encode()),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_frame_written_by_pandas_is_the_same_table(name: str) -> None:
    upload = read_upload(name, TABLES[name])
    data = upload.dataset()
    assert upload.table is not None
    roles = {column: role for column, role in upload.table.roles.items() if column != "index"}
    assert roles == {"length": "numeric", "count": "numeric", "colour": "categorical", "kind": "label"}
    assert np.allclose(upload.table.column("length").astype(float), FRAME["length"], rtol=0, atol=5e-4)
    assert data.class_counts == {"a": 4, "b": 8}


def test_an_index_of_names_is_no_column() -> None:
    named = FRAME.set_index(pd.Index([f"r{i}" for i in range(12)]))
    for name, raw in (("t.parquet", written(named.to_parquet)), ("t.json", str(named.to_json()).encode())):
        upload = read_upload(name, raw)
        assert upload.table is not None
        assert upload.table.roles["index"] == "id"
        assert upload.dataset().ids[3] == "r3"


MATRICES: dict[str, tuple[bytes, str, Any]] = {
    "xy.mat": (written(savemat, {"X": X, "y": Y}), "vector", {"1": 4, "2": 8}),
    "packed.mat": (written(savemat, {"fea": X, "gnd": Y[:, None]}, do_compression=True), "vector", {"1": 4, "2": 8}),
    "old.mat": (written(savemat, {"X": X, "y": Y.astype(float)}, format="4"), "vector", {"1": 4, "2": 8}),
    "cells.mat": (written(savemat, {"K": K, "labels": LETTERS.astype(object)}), "matrix", {"a": 4, "b": 8}),
    "chars.mat": (written(savemat, {"K": K, "Class": LETTERS}), "matrix", {"a": 4, "b": 8}),
    "labels.npz": (written(np.savez, K=K, labels=LETTERS), "matrix", {"a": 4, "b": 8}),
    "target.npz": (written(np.savez, K=K, target=Y), "matrix", {"1": 4, "2": 8}),
    "names.npz": (
        written(np.savez, X=X, y=Y - 1, target_names=["u", "v"], feature_names=["p", "q", "r"]),
        "vector",
        {"u": 4, "v": 8},
    ),
    "sparse.npz": (written(save_npz, csr_array(X)), "vector", {}),
    "sparse.mat": (written(savemat, {"X": csr_array(X).tocsc(), "y": Y}), "vector", {"1": 4, "2": 8}),
    "frame.csv": (pd.DataFrame(K).to_csv().encode(), "matrix", {}),
    "named.csv": (pd.DataFrame(K, index=NAMES, columns=NAMES).to_csv().encode(), "matrix", {}),
    "plain.txt": (written(np.savetxt, K), "matrix", {}),
    "r.csv": (quoted(","), "matrix", {}),
    "r.txt": (quoted(" ", corner=False), "matrix", {}),
    "german.csv": (pd.DataFrame(K).to_csv(sep=";", decimal=",").encode("utf-8-sig"), "matrix", {}),
}


@pytest.mark.parametrize("name", MATRICES)
def test_arrays_keep_their_labels(name: str) -> None:
    raw, domain, counts = MATRICES[name]
    data = read_upload(name, raw).dataset()
    assert (data.domain, data.n, data.class_counts) == (domain, 12, counts)
    assert np.allclose(data.rows, K if domain == "matrix" else X)
    if name == "names.npz":
        assert data.columns == ("p", "q", "r")
    if name in ("named.csv", "r.csv", "r.txt"):
        assert data.ids[2] == "c"


@pytest.mark.parametrize("packed", [False, True])
def test_matlab_is_read_as_scipy_reads_it(packed: bool) -> None:
    """SciPy's own reader is not used, as a damaged file ends its process; on whole files the two agree."""
    kinds = ("f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?")
    variables: dict[str, Any] = {f"v_{kind.replace('?', 'b')}": (9 * X).astype(kind) for kind in kinds}
    variables |= {
        "sparse": csr_array(np.where(X > 0, X, 0)), "words": np.array(["a", "bcd", "ef"]), "one": "ünï",
        "cells": np.array(["u", "", "vw"], dtype=object), "cube": RNG.normal(size=(2, 3, 4)), "none": np.zeros((0, 3)),
    }  # fmt: skip
    raw = written(savemat, variables, do_compression=packed)
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # of the class of sparse matrices
        theirs = loadmat(io.BytesIO(raw), chars_as_strings=True)
    ours = read_matlab(raw, "t.mat", Limits())
    assert set(ours) == set(variables)
    for name, array in ours.items():
        expected = theirs[name]
        if name == "sparse":
            expected = expected.toarray()
        elif name == "cells":
            expected = np.array([cell[0] if cell.size else "" for cell in expected.ravel()])
        elif array.dtype.kind == "U":
            expected = np.char.rstrip(expected).ravel()
        elif name.endswith("_b"):
            expected = expected.astype(bool)
        assert array.dtype == expected.dtype
        assert np.array_equal(array, expected.ravel() if array.ndim < expected.ndim else expected)


def test_a_warning_of_scipy_is_no_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    for read in (loadmat, mmread):

        def deprecated(*arguments: Any, read: Any = read, **options: Any) -> Any:
            warnings.warn("sparse matrices become sparse arrays", DeprecationWarning, stacklevel=2)
            return read(*arguments, **options)

        monkeypatch.setattr(f"scipy.io.{read.__name__}", deprecated)
    raw = written(savemat, {"X": csr_array(X).tocsc(), "y": Y.astype(float)}, format="4")
    assert np.allclose(read_upload("t.mat", raw).dataset().rows, X)
    assert np.allclose(read_upload("t.mtx", written(mmwrite, csr_array(X))).dataset().rows, X)


def test_what_of_an_array_file_is_not_used_is_said() -> None:
    raw = written(np.savez, X=X, y=Y, labels=LETTERS, weights=np.ones(12))
    upload = read_upload("t.npz", raw)
    assert [(g.sentence, g.question) for g in upload.guesses] == [
        ("'y' is read as the labels; 'labels' could be.", True),
        ("Not used: weights (12).", False),
    ]
    again = read_upload("t.npz", raw, **upload.guesses[0].choices[0].asked)
    assert again.dataset().class_counts == {"a": 4, "b": 8}


ARFF = b"""% a comment
@RELATION 'small one'
@ATTRIBUTE 'the length' REAL
@attribute code {1, 2, 3}
@ATTRIBUTE note string
@attribute class {good, 'very bad'}
@DATA
5.1, 1, 'it\\'s one', good
4.9, ?, "two, too", 'very bad'
?,   3, three, good

{0 4.5, 3 'very bad'}
"""


def test_arff_says_what_its_columns_are() -> None:
    table = read_arff(ARFF)
    assert table.roles == {"the length": "numeric", "code": "categorical", "note": "text", "class": "label"}
    assert table.column("note").tolist() == ["it's one", "two, too", "three", ""]
    assert table.column("class").tolist() == ["good", "very bad", "good", "very bad"]
    assert table.column("code").tolist() == ["1", "", "3", "1"]
    assert read_upload("t.txt", ARFF).format == "ARFF table"
    # SciPy reads what is neither a string nor sparse; the two agree there.
    plain = "@relation r\n@attribute x real\n@attribute k {u,v}\n@data\n" + "".join(
        f"{x!r},{k}\n" for x, k in zip(X[:, 0].tolist(), "uvvuvuuvuvvu", strict=True)
    )
    ours, (theirs, _) = read_arff(plain.encode()), arff.loadarff(io.StringIO(plain))
    assert ours.column("x").astype(float).tolist() == theirs["x"].tolist()
    assert ours.column("k").tolist() == [word.decode() for word in theirs["k"]]


def test_a_workbook_of_several_sheets_asks() -> None:
    stream = io.BytesIO()
    with pd.ExcelWriter(stream) as book:
        pd.DataFrame({"about": ["made by hand"]}).to_excel(book, sheet_name="Read me", index=False)
        FRAME.to_excel(book, sheet_name="Data", index=False)
        FRAME[:5].to_excel(book, sheet_name="Test", index=False)
    upload = read_upload("t.xlsx", stream.getvalue())
    assert upload.dataset().n == 12
    guess = upload.guesses[0]
    assert guess.question
    assert [choice.asked for choice in guess.choices] == [{"part": "Read me"}, {"part": "Test"}]
    assert read_upload("t.xlsx", stream.getvalue(), part="Test").dataset().n == 5
    with pytest.raises(DataError, match="no sheet 'Tests'; expected one of Read me, Data, Test"):
        read_upload("t.xlsx", stream.getvalue(), part="Tests")


def test_formulas_without_values_are_said() -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["x", "sum", "y"], [1, "=A2+1", "a"], [2, "=A3+1", "b"], [3, "=A4+1", "a"]):
        book.active.append(row)
    upload = read_upload("t.xlsx", written(book.save))
    assert "3 formulas have no stored value" in upload.guesses[0].sentence


#: name → text, domain, number of rows, classes
LINES: dict[str, tuple[str, str, int, dict[str, int]]] = {
    "a.smi": ("CCO ethanol\nCCN ethylamine\nc1ccccc1 benzene ring\n", "sequence", 3, {}),
    "b.smi": ("CCO\t1\nCCN\t0\nC=O\t1\nCC#N\t0\n", "sequence", 4, {"0": 2, "1": 2}),
    "c.txt": ("smiles active\nCC(=O)O 1\nCCN(C)C 0\nc1ccccc1 1\n", "sequence", 3, {"0": 1, "1": 2}),
    "a.fa": (">s1 class=x\nACGT\n>s2 class=y\nACGA\n>s3 class=x\nTTTT\n", "sequence", 3, {"x": 2, "y": 1}),
    "b.fa": (">s1|x\nACGT\n>s2|y\nACGA\n>s3|x\nTTTT\n", "sequence", 3, {"x": 2, "y": 1}),
    "c.fa": (">s1 len=4 label=x\nACGT\n>s2 len=4 label=y\nACGA\n>s3 label=x\nTT\n", "sequence", 3, {"x": 2, "y": 1}),
    "d.fa": (">sp|P1|A_HUMAN Alpha\nMKV\n>sp|P2|B_HUMAN Beta\nMKL\n>sp|P3|C_HUMAN Gamma\nMKK\n", "sequence", 3, {}),
    "a.libsvm": ("+1 1:0.5 3:1\n-1\n+1 2:1\n", "vector", 3, {"-1": 1, "1": 2}),
    "b.libsvm": ("1\n0 1:0.5\n", "vector", 2, {"0": 1, "1": 1}),
    "snap.txt": ("# Directed graph\n# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n2\t9\n", "node", 4, {}),
    "nx.edgelist": ("a b {'weight': 2.0}\nb c {}\nc d {}\n".replace("{}", "{'weight': 1}"), "node", 4, {}),
    "plain.edgelist": ("a b {}\nb c {}\n", "node", 3, {}),
    "named.txt": ("ada bob\nbob cy\ncy ada\ncy dan\n", "node", 4, {}),
    "primary.csv": ("PK,x,y\n8,2.5,a\n5,3.5,b\n7,4.5,a\n", "vector", 3, {"a": 2, "b": 1}),
    "sql.csv": ("[x],[z],[class]\n1.5,2.5,a\n2,2.6,b\n3,2.7,a\n", "vector", 3, {"a": 2, "b": 1}),
    "orchids.csv": ("ORCHIDÉE,y\n1,a\n3,b\n7,a\n", "vector", 3, {"a": 2, "b": 1}),
}


@pytest.mark.parametrize("name", LINES)
def test_lines_of_other_programs(name: str) -> None:
    text, domain, n, counts = LINES[name]
    data = read_upload(name, text.encode()).dataset()
    assert (data.domain, data.n, data.class_counts) == (domain, n, counts)


def test_a_node_of_gml_is_called_by_its_label() -> None:
    raw = b'Creator "x"\ngraph [\n node [ id 7 label "ada" club "u" ]\n node [ id 9 label "bob" club "v" ]\n'
    data = read_upload("g.gml", raw + b" edge [ source 7 target 9 ]\n]\n").dataset()
    assert data.ids == ("ada", "bob")
    assert data.class_counts == {"u": 1, "v": 1}


def test_a_graph_with_several_edges_between_two_nodes_is_refused() -> None:
    nodes = b'graph [\n multigraph 1\n node [ id 0 label "a" ]\n node [ id 1 label "b" ]\n'
    edge = b" edge [ source 0 target 1 key 0 weight 2 ]\n"
    assert read_upload("g.gml", nodes + edge + b"]").dataset().n == 2
    with pytest.raises(DataError, match="1 edges join nodes that another edge joins already"):
        read_upload("g.gml", nodes + edge + edge.replace(b"key 0", b"key 1") + b"]")


def test_relations_between_nodes_are_edges() -> None:
    sif = read_upload("n.sif", b"A lt B\nC lt A\nD xx E F B\nG\n")
    assert (sif.dataset().n, int(sif.dataset().rows.sum())) == (6, 10)
    assert "The relations, 'lt', 'xx', are not used. 1 nodes without an edge are left out." in sif.guesses[0].sentence
    raw = b"G1\tpp\tG2\nG2\tpd\tG3\nG3\tpp\tG1\nG4\tpd\tG1\n"
    triples = read_upload("t.tsv", raw)
    assert (triples.domain, triples.dataset().n, triples.guesses[0].question) == ("node", 4, True)
    table = read_upload("t.tsv", raw, triples.guesses[0].choices[0])
    assert table.table is not None
    assert len(table.table.columns) == 3
    for other in (b"yes\tred\tno\nno\tblue\tyes\nyes\tgreen\tno\n", b"who\tlikes\twhom\nA\tpp\tB\nB\tpp\tA\n"):
        assert read_upload("t.tsv", other).domain != "node"


def lines(names: str, cells: Callable[[int], tuple[Any, ...]], n: int = 40) -> bytes:
    return "\n".join([names, *(",".join(map(str, cells(i))) for i in range(n))]).encode()


def ring(i: int) -> tuple[int, int]:
    return i % 9, (i * 5 + 1) % 9


#: A table with two columns that sound like ends: what it is, and whether it is said or asked.
ENDS: dict[str, tuple[bytes, str, bool | None]] = {
    "wind": (lines("u,v,temp,humidity,class", lambda i: (*ring(i), i / 7, i % 5 / 3, "ab"[i % 2])), "table", None),
    "wind in decimals": (lines("u,v", lambda i: (i / 7, i / 3)), "table", None),
    "customers": (
        lines("age,income,source,target", lambda i: (20 + i * 7 % 31, i * 977 % 5000, "ws"[i % 3 > 0], i % 2)),
        "table",
        None,
    ),
    "payments": (lines("from,to,amount,currency", lambda i: (*ring(i), i * 97 % 59, "EUR")), "table", True),
    "graph": (lines("from,to,weight", lambda i: (*ring(i), 1 + i % 3)), "node", False),
    "graph with row numbers": (lines(",source,target,weight", lambda i: (i, *ring(i), 1 + i % 3)), "node", False),
    "graph by u and v": (lines("u,v", ring), "node", False),
    "Gephi": (lines("Source,Target,Type,Id,Weight", lambda i: (*ring(i), "Directed", i, 1.0)), "node", False),
    "labelled edges": (lines("source,target,label", lambda i: (*ring(i), "ab"[i % 2])), "node", True),
    "two parts": (lines("from,to", lambda i: (f"u{i % 5}", f"i{i % 7}")), "node", True),
}


@pytest.mark.parametrize("case", ENDS)
def test_a_table_is_a_graph_only_where_it_makes_sense_as_one(case: str) -> None:
    raw, domain, asked = ENDS[case]
    upload = read_upload("t.csv", raw)
    assert (upload.domain == "node") is (domain == "node")
    about = [guess for guess in upload.guesses if any(choice.domain is not None for choice in guess.choices)]
    assert [guess.question for guess in about] == ([] if asked is None else [asked])
    for guess in about:  # one click reads it the other way, as a page or a headless run would
        other = read_upload("t.csv", raw, **guess.choices[0].asked)
        assert (other.domain == "node") is (domain != "node")
        assert guess.choices[0].domain in upload.domains


def test_a_graph_that_was_asked_for_says_what_could_weigh_its_edges() -> None:
    raw = ENDS["payments"][0]
    (guess,) = read_upload("t.csv", raw, domain="node").guesses
    assert guess.sentence == "All edges count the same; 'amount', 'currency' are not used."
    assert [choice.asked for choice in guess.choices] == []  # an amount of 0 is no weight of an edge that is there
    raw = raw.replace(b",0,EUR", b",1,EUR")
    (guess,) = read_upload("t.csv", raw, domain="node").guesses
    assert [choice.words for choice in guess.choices] == ["Weigh them by 'amount'"]
    weighed = read_upload("t.csv", raw, **guess.choices[0].asked)
    assert weighed.dataset().rows.max() > 50
    assert "weighted by 'amount'; 'currency' is not used" in weighed.guesses[0].sentence


def test_numbers_divided_by_blanks_ask_whether_they_are_edges() -> None:
    upload = read_upload("t.txt", b"1 2\n2 3\n3 1\n4 2\n")
    assert (upload.domain, [g.question for g in upload.guesses]) == ("node", [True])
    reviews = read_upload("reviews.txt", b"good movie\nbad movie\nnice film\n")
    assert (reviews.domain, reviews.dataset().n) == ("text", 2)
    asked, names = reviews.guesses
    assert (asked.sentence, asked.question) == ("Nothing separates cells: each line is read as one text.", True)
    assert names.sentence == "The first line, 'good movie', is read as names."
    again = read_upload("reviews.txt", b"good movie\nbad movie\n", names.choices[0])
    assert again.dataset().n == 2
    assert read_upload("reviews.txt", b"a good movie it is\nno bad movie\nnot so nice a film\n").dataset().n == 3
    assert read_upload("t.txt", b"63 1\n45 0\n51 1\n38 0\n").domain == "vector"


def test_a_table_that_is_square_is_no_matrix() -> None:
    raw = b"name,x,y,z\nann,1,2,3\nbob,4,5,6\ncy,7,8,9\n"
    assert read_upload("t.csv", raw).domain == "vector"
    symmetric = read_upload("t.csv", b"2,1,0\n1,2,1\n0,1,2\n")
    assert symmetric.domain == "matrix"
    assert "read as a matrix of scores" in symmetric.guesses[0].sentence


def test_distances_are_not_taken_for_scores() -> None:
    """Large where rows differ: shown as they are they would say the contrary."""
    upload = read_upload("d.csv", b"0,2,3\n2,0,1.5\n3,1.5,0\n")
    assert "read as a matrix of distances" in upload.guesses[0].sentence
    assert "probably distances" in upload.reason
    assert "would treat distant rows as similar" in upload.dataset().warnings[0]
    assert presets_for(upload.dataset())[0].kernel == Deep(PrecomputedDistances())
    scores = read_upload("k.csv", b"1,0.5,0.2\n0.5,1,0.1\n0.2,0.1,1\n")
    assert not scores.dataset().warnings
    assert presets_for(scores.dataset())[0].kernel == Precomputed()


def office(*members: str) -> bytes:
    return zipped(dict.fromkeys(("[Content_Types].xml", *members), b"<x/>"))


FOREIGN = {
    "a PDF document": b"%PDF-1.7\n1 0 obj", "a picture": b"\x89PNG\r\n\x1a\n",
    "a picture (JPEG)": b"\xff\xd8\xff\xe0",
    "a document of Word or PowerPoint": office("word/document.xml"),
    "an old spreadsheet, or one of another program": office("content.xml"),
    "an old spreadsheet (xlsb)": office("xl/workbook.bin"), "an old spreadsheet": b"\xd0\xcf\x11\xe0....",
    "an array file (HDF5": b"\x89HDF\r\n\x1a\n\0", "a pickle, which is never opened": pickle.dumps([1]),
    "R data": gzip.compress(b"RDX3\nX\n\0\0\0\3"), "R data (rds)": gzip.compress(b"X\n\0\0\0\3\0\4"),
    "an SPSS file": b"$FL2@(#) IBM SPSS", "a Stata file": written(FRAME.rename(columns={"kind": "k"}).to_stata),
    "a SAS file": b"\0" * 12 + b"\xc2\xea\x81\x60\xb3\x14", "a Feather or Arrow file": written(FRAME.to_feather),
    "a database": b"SQLite format 3\0", "an archive (bzip2)": b"BZh91AY&SY\x01\x02",
    "an archive (xz)": b"\xfd7zXZ\0",
    "an archive (7z)": b"7z\xbc\xaf\x27\x1c", "an archive (tar)": b"a.csv".ljust(257, b"\0") + b"ustar",
    "an ORC file": b"ORC\x0a\x03\x00",
    "a GenBank file": b"LOCUS       X 120 bp",
    "a Graphviz graph": b"digraph G {\n a -> b }", "a Pajek network": b"*Vertices 3\n1 a\n",
    "a web page": b"<!DOCTYPE html><html>",
    "a Jupyter notebook": b'{"cells": [{"cell_type": "code"}]}',
    "a binary file of a kind that is not known": bytes(range(256)),
}  # fmt: skip


@pytest.mark.parametrize("what", FOREIGN)
def test_what_is_not_read_is_named(what: str) -> None:
    with pytest.raises(DataError) as caught:
        read_upload("data.csv", FOREIGN[what])
    message = str(caught.value)
    assert f"it is {what.split(' (')[0]}" in message
    assert "UTF-8 (byte" not in message
    assert len(message.split(". ")) >= 2, "a next step"


def test_the_table_of_formats() -> None:
    assert len({format.name for format in FORMATS}) == len(FORMATS)
    assert {"csv", "arff", "mat", "xlsx", "smi", "json", "gz", "zip"} <= set(ENDINGS)
    assert [format.name for format in FORMATS if format.looks_like(Head("x", b"\0\1\2"))] == ["Table as text"]


def test_a_format_is_a_module_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a newcomer does: a way to see it, a way to read it, one line in the table; `read_upload` needs no change."""

    def read(file: File, reason: str) -> Upload:
        words = [line.removeprefix("fact ").split(" is ") for line in file.text.splitlines()]
        return of_table(table_of(file.name, ["what", "is"], words), "Facts", reason, file.domain, file.limits)

    facts = Format("Facts", ("fct",), lambda head: "It begins with a fact" * head.text.startswith("fact "), read)
    monkeypatch.setattr(formats, "FORMATS", (facts, *FORMATS))
    upload = read_upload("t.fct", b"fact snow is white\nfact coal is black\nfact ice is white\n")
    assert (upload.format, upload.reason) == ("Facts", "It begins with a fact.")
    assert upload.dataset().class_counts == {"black": 1, "white": 2}


HOG = """
import resource, sys
from kernlib.data import Limits, read_upload
from kernlib.data.formats import FORMATS
from kernlib.data.formats.base import HEAD, Head
from kernlib.errors import DataError
from kernlib.experiments.proposals import presets_for
import networkx, openpyxl, scipy.io, sklearn.datasets

def upload(raw):
    try:
        read_upload("t", raw, limits=limits).dataset(missing="drop")
    except DataError:
        pass

limits = Limits(cells=5_000_000, side=3_000, unpacked=100 * 2**20)
resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, 6 * 2**30))
for byte in range(256):
    for format in FORMATS:
        format.looks_like(Head("t", bytes([byte]) * HEAD))
upload(b"x,y\\n1,a\\n2,b\\n1,a\\n")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for piece in sys.argv[1:]:
    head, _, line = piece.rpartition("…")
    upload((head + line * (300_000 // len(line))).encode())
unit = 1 if sys.platform == "darwin" else 1024
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit // 2**20)
"""
#: A letter or a line of many, behind what stands before the dots: beginnings of formats with a pattern to fall into.
PIECES = [
    *"a1 \t\n,;'\"#{[<>(-.:\\", "# c\n", "% c\n", "Creator x\n", "comment\n", "graph\n", "<a>", "node [ ", "1 1:1\n",
    "1 1:1 ", "1e", "1.", "a b\n", '{"a":[', '"\\', "C(", "graph […# c\n", "graph […\\", "<graphml>…<node ", ">s\n…A\n",
    "@relation r\n@data…\n", "@relation r\n@attribute x string\n@data\n…'a',", "1 1…1", "x,y\n…1,1",
]  # fmt: skip


def test_a_third_of_a_megabyte_of_anything_takes_little_memory() -> None:
    """Through every detector and reader; a pattern that tried each division of its input would not come to an end."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HOG, *PIECES], capture_output=True, text=True, timeout=1800
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) < 60, "megabytes beyond those of the first upload"
