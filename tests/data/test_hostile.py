"""Broken and hostile files, made here, each with the sentence that a person gets; nothing but a DataError comes out."""

from __future__ import annotations

import gzip
import io
import pickle
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csc_array

from kernlib.data import Dataset, Limits, readings
from kernlib.data.files import as_text
from kernlib.errors import DataError

from .builders import graphml, header_of, mat, npy, npz, parquet, xlsx, zipped
from .mutations import LIMITS, mutated, seeds, wrong


def twice(name: str, content: bytes) -> bytes:
    return zipped([(name, content)] * 2, zipfile.ZIP_STORED)


def encrypted(raw: bytes) -> bytes:
    """The same zip with the mark of a password in both headers."""
    out = bytearray(raw)
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = raw.find(mark)
        while at >= 0:
            out[at + place] |= 1
            at = raw.find(mark, at + 4)
    return bytes(out)


def lying(content: bytes, announced: int) -> bytes:
    """A zip whose directory and header announce fewer bytes than come out."""
    raw = bytearray(zipped({"t.csv": content}))
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", raw, bytes(raw).find(mark) + place, announced)
    return bytes(raw)


def nested_cells(depth: int) -> bytes:
    """A MATLAB file of cells in cells, which SciPy would follow by recursion until the stack ends."""
    body = b""
    for _ in range(depth):
        head = struct.pack("<IIIIIIiiII", 6, 8, 1, 0, 5, 8, 1, 1, 1, 0)  # flags, shape, no name
        body = struct.pack("<II", 14, len(head) + len(body)) + head + body
    title = struct.pack("<IIIIIIiiHH4s", 6, 8, 1, 0, 5, 8, 1, 1, 1, 1, b"X")
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM" + struct.pack("<II", 14, len(title) + len(body)) + title + body


def compressed(body: bytes) -> bytes:
    """A MATLAB file with one compressed variable."""
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM" + struct.pack("<II", 15, len(body)) + body


def rezipped(raw: bytes, path: str, old: bytes, new: bytes) -> bytes:
    """The same zip with some bytes of a member exchanged."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert old in files[path]
    return zipped(files | {path: files[path].replace(old, new)})


def sheet(old: bytes, new: bytes) -> bytes:
    """A workbook of two rows, with some bytes of its sheet exchanged."""
    return rezipped(xlsx([["x", "y"], [1, 2]]), "xl/worksheets/sheet1.xml", old, new)


TWO = '<node id="a"/><node id="b"/>'
TU = {"T_A.txt": b"1, 2\n2, 1\n3, 4\n", "T_graph_indicator.txt": b"1\n1\n2\n2\n", "T_graph_labels.txt": b"1\n-1\n"}
SQUARE = b",a,b,c\na,1,0,0\nb,0,1,0\nc,0,0,1\n"
GOOD = b"x,y\n1,a\n2,b\n3,a\n"

#: What it is → name of the file, its bytes (or several files), the sentence.
CASES: dict[str, tuple[str, bytes | dict[str, bytes], str]] = {
    # tables
    "fastq": (
        "t.fastq",
        b"@a x\nACGT\n+\n!!!!\n@b y\nACGG\n+\n!!!!\n",
        "or FASTQ, which is not read. In Python",
    ),
    "empty": ("t.csv", b"", "t.csv: the file is empty; expected rows of values. Choose another file."),
    "ragged": ("t.csv", b"x,y\n1,a\n2\n", "line 3 has 1 cell; expected 2, as in most lines"),
    "a slip in UTF-8": ("t.csv", "x,y\n1,éàü\n2,b".encode() + b"\xe9\n", "line 3 is not UTF-8 (byte 0xe9 at 16)"),
    "market line": (
        "t.mtx",
        b"%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1  21 1  2",
        "the Matrix Market file is damaged",
    ),
    "zero byte": ("t.csv", b"x,y\n1,a\0\n2,b\n", "line 2 holds a zero byte"),
    "open quote": ("t.csv", b'x,y\n1,"a, c\n2,b\n', "line 2 opens a quotation mark that no later"),
    "long cell": (
        "t.csv",
        b"x,y\n1," + b"a" * 3000 + b"\n2,b\n",
        "line 2 has a cell of 3000 letters; expected at most",
    ),
    "too many rows": (
        "t.csv",
        b"x,y\n" + b"1,2\n" * 300,
        "line 202 brings it to 201 rows of 2 columns; expected at most 200 rows",
    ),
    "too many columns": (
        "t.csv",
        b",".join(b"c%d" % i for i in range(60)) + b"\n",
        "brings it to 1 rows of 60 columns; expected at most 200 rows, 50 columns",
    ),
    "infinite": ("t.csv", b"x,y\n1,a\ninf,b\n3,a\n", "no column is left to compare"),
    "label is an id": (
        "t.csv",
        b"x,y\n" + b"".join(b"%d,w%d\n" % (i % 7, i * 2 // 3) for i in range(150)),
        "It looks like an id or a real",
    ),
    "gaps": ("t.csv", b"x,y\n1,a\n,b\n3,a\n", "column 'x' has 1 missing cell, the first in data row 2"),
    # what its name does not say
    "png": ("t.csv", b"\x89PNG\r\n\x1a\n....", "it is a picture, which is not read"),
    "pickle": ("t.csv", pickle.dumps({"a": 1}), "it is a pickle"),
    # gzip
    "gzip cut": ("t.csv.gz", gzip.compress(GOOD * 20)[:-12], "the gzip file is damaged"),
    # zip
    "zip cut": ("t.zip", zipped({"a/1.txt": b"x y", "b/2.txt": b"z"})[:40], "the archive is damaged"),
    "zip empty": ("t.zip", zipped({}), "the zip holds no files"),
    "zip encrypted": ("t.zip", encrypted(zipped({"a.csv": GOOD})), "is encrypted; expected a zip without a password"),
    "zip in zip, renamed": ("t.zip", zipped({"a.csv": zipped({"a.csv": GOOD})}), "an archive inside the archive"),
    "zip name twice": ("t.zip", twice("a/1.txt", b"words"), "occurs twice"),
    "zip lzma": ("t.zip", zipped({"a.csv": GOOD}, zipfile.ZIP_LZMA), "is packed by method 14; expected deflate"),
    # arrays
    "pickle in npy": (
        "t.npy",
        npy(np.array([{}, 1], dtype=object), allow_pickle=True),
        "pickled Python objects, which are",
    ),
    "npy cut": ("t.npy", npy(np.ones((9, 3)))[:-30], "is damaged or cut short"),
    "npy header open": (
        "t.npy",
        b"\x93NUMPY\x01\x00\x30\x00" + b"{'descr': '<f8', 'shape': (3, 1,a\n2,b,c\n000)".ljust(47) + b"\n",
        "the NPY header cannot be read",
    ),
    "npy letters": (
        "t.npz",
        zipped({"X.npy": npy(np.eye(3)[:2]), "y.npy": npy(np.array(["u", "v"])).replace(b"v\0\0\0", b"v\0\0\x7f")}),
        "array 'y' is damaged",
    ),
    "npz bomb": ("t.npz", zipped({"X.npy": header_of((10**6, 10**6))}), "announces 1000000 × 1000000"),
    "npz labels infinite": (
        "t.npz",
        npz(X=np.ones((3, 2)), y=np.array([1, np.inf, 2])),
        "column 'y' has inf in row 1",
    ),
    "npz sparse": (
        "t.npz",
        npz(data=np.ones(1), indices=np.zeros(1, int), indptr=np.array([0, 1]), shape=[1, 10**9], format=b"csr"),
        "it holds a sparse matrix, which is not read. Save X.toarray()",
    ),
    # matrices
    "not symmetric": (
        "t.npz",
        npz(K=np.array([[1, 2.0], [3, 1]])),
        "entry (0, 1) is 2 and (1, 0) is 3; expected a symmetric",
    ),
    "matrix too large": ("t.npy", npy(np.eye(61)), "its header announces 61 × 61 entries; expected at most 60 × 60"),
    "negative edges": (
        "t.csv",
        b"from,to,weight\na,b,-1\nb,c,2\n",
        "data row 1 has the weight '-1'; expected a number",
    ),
    # sequences, texts
    "fasta empty record": ("t.fa", b">a\n>b\nACGT\n", "record 1, 'a', has no letters"),
    "fasta signs": ("t.fa", b">a\nAC;GT\n>b\nACGT\n", "record 1, 'a', holds ';'; expected letters"),
    "json list": ("t.json", b"[1, 2]", "it holds a list of other things; expected a list of records"),
    "json broken": ("t.jsonl", b'\n\n{"a": 1}\n{"a": \n', "line 4 is not JSON"),
    "graphml cut": ("t.graphml", graphml(TWO, "")[:-12], "the graph cannot be read"),
    "gml dangling": (
        "t.gml",
        b"graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 9 ] ]",
        "the graph cannot be read",
    ),
    "edges with one end": ("t.csv", b"from,to\na,b\nb,\n", "data row 2 names one end of two"),
    "edges dangling": (
        "t.zip",
        zipped({"e.csv": b"from,to\na,b\nb,z\n", "n.csv": b"id,k\na,u\nb,v\n"}),
        "e.csv: an edge leads to 'z', which the table of nodes does not list",
    ),
    "node twice": (
        "t.zip",
        zipped({"e.csv": b"from,to\na,b\nb,a\n", "n.csv": b"id,k\na,u\na,v\n"}),
        "do not go together",
    ),
    "too many nodes": (
        "t.csv",
        b"from,to\n" + b"".join(b"a%d,a%d\n" % (i, i + 1) for i in range(80)),
        "it names 81 rows; expected 2 to 60",
    ),
    "edges of many pairs": (
        "t.csv",
        b"a,b,d\n" + b"".join(b"s%d,s%d,%d.5\n" % (i, i * 7 % 70, i % 9) for i in range(70)),
        "it names 70 rows; expected 2 to 60",
    ),
    "tu dangling": ("t.zip", zipped(TU | {"T_A.txt": b"1, 9\n"}), "does not join two of the nodes 1…4"),
    "tu across": ("t.zip", zipped(TU | {"T_A.txt": b"1, 3\n"}), "edge '[1, 3]' does not join two of the nodes"),
    "tu two labels": (
        "t.zip",
        zipped(TU | {"T_graph_labels.txt": b"1,2\n1,3\n"}),
        "has 2 lines of 2 numbers; expected 2 of 1",
    ),
    "tu large": (
        "t.zip",
        zipped(TU | {"T_graph_indicator.txt": b"1\n" * 90, "T_graph_labels.txt": b"1\n"}),
        "it holds 8100 entries of adjacency matrices; expected at most 5000",
    ),
    "pair unknown": (
        "t.zip",
        zipped({"k.csv": SQUARE, "p.csv": b"from,to,label\na,b,1\na,z,0\n"}),
        "do not go together",
    ),
    # ARFF
    "arff without data": ("t.arff", b"@relation r\n@attribute x real\n1\n", "line 3 is '1'; expected @attribute"),
    "arff quote": (
        "t.arff",
        b"@relation r\n@attribute x string\n@data\n'a\nb\n",
        "line 4 cannot be split into cells (unexpected end of data). Close the quotation marks",
    ),
    "arff sparse": (
        "t.arff",
        b"@relation r\n@attribute x real\n@data\n{7 1}\n{0 1}\n",
        "line 4 is a sparse row, which is not read",
    ),
    # MATLAB
    "mat 7.3": ("t.mat", b"MATLAB 7.3 MAT-file".ljust(512) + b"\x89HDF\r\n\x1a\n", "HDF5, which MATLAB 7.3 is"),
    "mat struct": ("t.mat", mat({"data": {"X": np.eye(3)}}), "it holds data (ndarray); expected arrays of numbers"),
    "mat nested": ("t.mat", nested_cells(500), "the MATLAB file is damaged"),
    "mat sparse": ("t.mat", mat({"X": csc_array(np.eye(9))}), "it holds X (csc_matrix); expected arrays"),
    "mat deflate": ("t.mat", compressed(b"\x78\x9c\xff\xff\xff"), "the MATLAB file is damaged"),
    "mat shape": (
        "t.mat",
        mat({"X": np.zeros((200, 50))}, do_compression=True),
        "its header announces 200 × 50 entries",
    ),
    # Excel
    "xlsx wide": ("t.xlsx", xlsx([["x", "y"], [1, 2]], far=[[0] * 60] * 4), "0 rows of 60 columns; expected at most"),
    "xlsx far": (
        "t.xlsx",
        rezipped(xlsx([["x", "y"], [1, 2], [3, 4]]), "xl/worksheets/sheet1.xml", b'r="B3"', b'r="XFD3"'),
        "2 rows of 16384 columns; expected at most",
    ),
    "xlsx damaged": (
        "t.xlsx",
        sheet(b"</sheetData>", b""),
        "the spreadsheet is damaged",
    ),
    "xlsx entities": (
        "t.xlsx",
        rezipped(xlsx([["x"], [1]]), "xl/workbook.xml", b"<workbook", b'<!DOCTYPE x [<!ENTITY a "b">]><workbook'),
        "'xl/workbook.xml' declares a document type",
    ),
    "xlsx of rows that all say r=1": (
        "t.xlsx",
        sheet(
            b"</sheetData>",
            b'<row r="1"/>' * 6_000 + b"</sheetData>",
        ),
        "in one row or more than 5000 rows or strings",
    ),
    "xlsx of few rows that all say r=1": (
        "t.xlsx",
        sheet(
            b"</sheetData>",
            b'<row r="1"><c r="A1"><v>1</v></c></row>' * 400 + b"</sheetData>",
        ),
        "the rows of 'xl/worksheets/sheet1.xml' are not in order",
    ),
    "xlsx one row": (
        "t.xlsx",
        sheet(b"</row>", b"<c/>" * 40_000 + b"</row>"),
        "'xl/worksheets/sheet1.xml' has more than 30000 tags in one row",
    ),
    # JSON
    "json ragged": ("t.json", b'{"x": [1, 2], "y": [1]}', "it is no table (All arrays must be of the same length)"),
    "json nested record": ("t.json", b'[{"a": 1}, {"a": {"b": 1}}]', "record 2, 'a' holds an object"),
    # SVMlight, Parquet
    "svmlight queries": ("t.svmlight", b"+1 qid:1 1:2\n-1 1:1\n", "its lines have a qid:, which is not read"),
    "parquet cut": ("t.parquet", parquet(a=[1, 2, 3])[:-9], "the Parquet file is damaged"),
    "parquet lists": ("t.parquet", parquet(a=[["u"], ["v"]]), "'a' holds a list; expected text or a number"),
    "parquet rows": ("t.parquet", parquet(a=np.arange(300)), "it has 300 rows of 1 columns; expected at most 200 rows"),
    "same name": ("t.csv", {"t.csv": GOOD}, "two files have the same name"),
}


def whole(name: str, raw: bytes | dict[str, bytes]) -> Dataset:
    more = raw if isinstance(raw, dict) else None
    first = readings(name, GOOD if isinstance(raw, dict) else raw, more=more, limits=LIMITS)[0]
    return first.dataset(missing="refuse")


@pytest.mark.parametrize("case", CASES)
def test_the_sentence(case):
    name, raw, words = CASES[case]
    with pytest.raises(DataError) as caught:
        whole(name, raw)
    message = str(caught.value)
    assert words in message
    assert len(message) < 600
    assert message.isprintable()
    assert message.endswith(".")


def test_an_upload_of_words_is_inert():
    bad = ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", "a\u202egpj.exe", "x" * 10_000, "$\\frac{1}{0}$"]
    lines = "".join(f'{i % 7},"{word}","{word}"\n' for i, word in enumerate(bad * 3))
    data = readings("<b>t\u202e\n.csv", f"x,id,label\n{lines}".encode(), roles={"id": "id"}, label="label")[0].dataset()
    assert data.title == "<b>t .csv"
    assert len(data.classes) == len(bad)
    for word in (*data.classes, *data.ids, *data.columns, data.title, repr(data)):
        assert len(word) < 1000
        assert word.isprintable()


def test_long_names_that_begin_alike_stay_apart():
    lines = "".join(f"{i},{i % 5}.5,{'n' * 500}{i % 3}\n" for i in range(12))
    data = readings("t.csv", f"x,z,label\n{lines}".encode())[0].dataset()
    assert sorted(data.class_counts.values()) == [4, 4, 4]


def in_little_memory(call: Callable[[], Any]) -> Any:
    """Return what the call returns; it may take 40 MB at the most."""
    readings("t.csv", GOOD)  # imports are not the file's
    tracemalloc.start()
    try:
        result = call()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 40 * 2**20
    return result


#: Each takes at least 50 MB where all of it is read, which is more than the test allows; what the sentence holds.
BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "gzip": (lambda: gzip.compress(b"1,2\n" * 12_500_000, 1), "it expands to more than 8 MB"),
    "zip": (lambda: zipped({"a.csv": b"1,2\n" * 12_500_000}), "its directory announces 50 MB"),
    "lying zip": (lambda: lying(b"1,2\n" * 12_500_000, 100), "is damaged"),
    "npz longer than it says": (lambda: zipped({"X.npy": npy(np.eye(4)) + b"\0" * 7_900_000}), "128 bytes announced"),
    "zip of many": (lambda: zipped({f"{i}.txt": b"" for i in range(6_000)}, zipfile.ZIP_STORED), "holds 6000 files"),
    "npy": (lambda: header_of((20_000, 20_000)), "its header announces 20000 × 20000 entries"),
    "svmlight": (lambda: b"+1 1:1\n-1 999999999:1\n", "columns"),
    "mat": (lambda: compressed(zlib.compress(b"\0" * 50_000_000, 1)), "the MATLAB file is damaged"),
    "json": (lambda: b"[" + b"[]," * 1_000_000 + b"[]]", "it holds more than 20000 records or"),
    "parquet of one word": (
        lambda: parquet(a=["x" * 90_000] * 1_000, y=["u", "v"] * 500),
        "column 'a' hold 90000000 letters",
    ),
    "xlsx of one word": (lambda: shared("x" * 90_000, 1_000), "line 890 hold 80010004 letters"),
}


MERGED = b"n" * 90_000 + b"," * 600 + b"\n" + b"%s" + b",".join(b"c%d" % j for j in range(600)) + b"\n"


@pytest.mark.parametrize("second", [b"a,", b",Response,"])
def test_a_long_name_over_merged_cells_is_not_repeated(second):
    rows = b"".join(b",".join(b"%d" % (i * j % 7) for j in range(601 + (b"Resp" in second))) + b"\n" for i in range(5))
    head = MERGED.replace(b"\n", b",\n", 1) if b"Resp" in second else MERGED
    assert in_little_memory(lambda: readings("t.csv", head % second + rows))


def shared(word: str, n: int) -> bytes:
    """Return a workbook whose cells refer to one shared string, as Excel writes them."""
    parts = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    cells = "".join(f'<row r="{i}"><c r="A{i}" t="s"><v>0</v></c></row>' for i in range(2, n)).encode()
    raw = rezipped(xlsx([["text"]]), "xl/worksheets/sheet1.xml", b"</sheetData>", cells + b"</sheetData>")
    known = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{parts}" /></Types>'.encode()
    raw = rezipped(raw, "[Content_Types].xml", b"</Types>", known)
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return zipped(files | {"xl/sharedStrings.xml": f'<sst xmlns="{space}"><si><t>{word}</t></si></sst>'.encode()})


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_leaves_the_memory_alone(bomb):
    """A few megabytes at most, whatever was announced or comes out; the limit here is 8 MB unpacked."""
    make, words = BOMBS[bomb]
    raw = make()
    limits = Limits(rows=20_000, unpacked=8_000_000, members=5000, side=3000, cells=2_000_000, letters=100_000)

    def read() -> None:
        with pytest.raises(DataError, match=words):
            readings("bomb", raw, limits=limits)[0].dataset()

    in_little_memory(read)


# Fuzzing: whatever comes in, a data set or a DataError comes out.

BINARY = (".npz", ".zip", ".gz", ".parquet", ".mat", ".xlsx")


def outcome(name: str, raw: bytes) -> None:
    error = wrong(name, raw)
    assert error is None, (name, raw[:500], error)


def test_small_faults_end_in_a_data_set_or_a_data_error():
    for name, raw in mutated(300):
        outcome(name, raw)


#: Forms of the same text: other line ends, a mark in front, lines without letters above it.
FORMS: dict[str, Callable[[str], bytes]] = {
    "Windows": lambda text: text.replace("\n", "\r\n").encode("utf-8-sig"),
    "an old Macintosh": lambda text: text.replace("\n", "\r").encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "U+2028": lambda text: text.replace("\n", "\u2028").encode(),
}


def test_line_ends_and_marks_change_nothing():
    """Every container reads what `as_text` returns: that is compared for all files, what is read for a few."""

    def result(name: str, raw: bytes) -> str:
        try:
            found = readings(name, raw)
            data = found[0].dataset()
        except DataError as error:
            return str(error)
        return f"{[one.kind for one in found]} {data!r} {data.rows.tolist()} {data.labels}"

    for k, (name, raw) in enumerate(seeds()):
        text = raw.decode("utf-8", "replace").replace("\r\n", "\n")
        if not name.endswith(BINARY) and "\ufffd" not in text:
            for form, written in FORMS.items():
                assert as_text(written(text)) == as_text(text.encode()), (name, form)
                if k % 8 == 0:
                    assert result(name, written(text)) == result(name, text.encode()), (name, form)


def test_a_file_of_marks_or_blank_lines_alone_is_empty():
    for raw in (b"\xff\xfe", b"\xff\xfe \0", b"\xef\xbb\xbf\n", b"\x1c\x1c", b"\xe2\x80\xa8"):
        with pytest.raises(DataError, match="the file is empty"):
            readings("t", raw)
    outcome("t", b"\n" * 9_000 + b"x,y\n1,a\n2,b\n")


def test_several_files_of_any_kind_end_in_a_data_set_or_a_data_error():
    """Three files that belong together are texts: a table with line ends of its own, or a binary file, is named."""
    files = [raw for _, raw in seeds()]
    for k, raw in enumerate(files):
        others = {f"{j}": files[(k + j) % len(files)] for j in (1, 2)}
        for first in (raw, raw.replace(b"\n", b"\r")):
            try:
                readings("0", first, more=others, limits=LIMITS)
            except DataError:
                continue


def test_blank_lines_above_a_file_do_not_change_its_format():
    for name, raw in seeds():
        if not name.endswith(BINARY):
            try:
                plain = [one.kind for one in readings(name, raw)]
            except DataError:
                continue
            assert [one.kind for one in readings(name, b"\n\r\n" + raw)] == plain, name
