"""Uploads: honest files become data, hostile ones one sentence that says what to do."""

from __future__ import annotations

import contextlib
import io
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernlib.data import LIMITS, Limits, read_matrix, read_sequences, read_table
from kernlib.errors import DataError, KernlibError

from .builders import header_of, npy, npz, zipped

GOOD = b"x,y\n1,a\n2,b\n3,a\n"


TABLES = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n \n", "is empty"),
    "commas only in one line": (b"x,y\n", "at least two data rows"),
    "one row": (b"x,y\n1,2\n", "at least two data rows are needed; got 1"),
    "ragged short": (b"x,y\n1,2\n3\n", "line 3 has 1 cells; expected 2"),
    "ragged long": (b"x,y\n1,2\n3,4,5\n", "line 3 has 3 cells; expected 2"),
    "latin-1": ("x,y\n1,é\n2,b\n".encode("latin-1"), "line 2 is not UTF-8"),
    "utf-16": ("x,y\n1,a\n2,b\n".encode("utf-16-be"), "text in UTF-16 without its mark"),
    "zero byte": (b"x,y\n1,a\0\n2,b\n", "line 2 holds a zero byte"),
    "png": (b"\x89PNG\r\n\x1a\n....", "a picture"),
    "jpeg": (b"\xff\xd8\xff\xe0....", "a picture"),
    "pdf": (b"%PDF-1.7\n....", "a PDF document"),
    "spreadsheet": (zipped({"xl/workbook.xml": b"<x/>"}), "a zip archive or spreadsheet"),
    "old spreadsheet": (b"\xd0\xcf\x11\xe0....", "an old spreadsheet"),
    "gzip": (b"\x1f\x8b\x08\x00....", "a gzip archive"),
    "pickle": (pickle.dumps({"a": 1}), "a pickle"),
    "web page": (b"<!DOCTYPE html><html></html>", "a web page"),
    "name twice": (b"x,x\n1,2\n3,4\n", "names the column 'x' twice"),
    "open quote": (b'x,y\n1,"a, c\n2,b\n', "line 2 opens a quotation mark that no later line closes"),
    "quote inside": (b'x,y\n1,"a, c"b\n2,c\n', "line 2 goes on after a closing quotation mark"),
    "too many bytes": (b"x\n" + b"1\n" * 600, "larger than 1000 bytes"),
    "too many rows": (b"x,y\n" + b"1,2\n" * 60, "line 52 brings it to 51 rows of 2 columns; expected at most 50 rows"),
    "too many columns": (
        b",".join(b"c%d" % i for i in range(30)) + b"\n",
        "line 1 brings it to 0 rows of 30 columns; expected at most 50 rows, 20 columns",
    ),
    "too many cells": (
        b"a,b,c,d,e,f\n" + b"1,2,3,4,5,6\n" * 40,
        "line 35 brings it to 34 rows of 6 columns; expected at most 50 rows, 20 columns and 200 cells",
    ),
    "too long a cell": (b"x,y\n1," + b"a" * 200 + b"\n2,b\n", "line 2, column 2 has 200 letters"),
}
SMALL = Limits(bytes=1000, rows=50, columns=20, cells=200, letters=100, side=10)


@pytest.mark.parametrize("case", TABLES)
def test_hostile_tables(case: str) -> None:
    raw, words = TABLES[case]
    with pytest.raises(DataError, match=words) as caught:
        read_table(raw, "mine.csv", limits=SMALL)
    assert str(caught.value).startswith("mine.csv:")
    assert "\n" not in str(caught.value)


MATRICES = {
    "oblong": (b"1,2,3\n2,1,3\n", {}, "must be square; got 2 × 3"),
    "words": (b"1,a\nb,c\n", {}, "entry"),
    "not symmetric": (b"1,2\n3,1\n", {}, r"entry \(0, 1\) is 2 and \(1, 0\) is 3"),
    "missing": (b"1,nan\nnan,1\n", {}, "must be a finite number"),
    "infinite": (npy(np.array([[np.inf, 0], [0, 1.0]])), {}, "must be a finite number"),
    "one entry": (b"1\n", {}, "at least two rows"),
    "vector": (npy(np.arange(4.0)), {}, "must be square; got 4"),
    "complex": (npy(np.eye(3) * 1j), {}, "real numbers; got complex128"),
    "strings": (npy(np.array([["a", "b"], ["b", "a"]])), {}, "real numbers; got <U1"),
    "pickle in npy": (npy(np.array([[{}, 1], [1, {}]], dtype=object), allow_pickle=True), {}, "never opened"),
    "pickle in npz": (npz(K=np.array([[{}, 1], [1, {}]], dtype=object)), {}, "never opened"),
    "pickled labels": (npz(K=np.eye(2), y=np.array([{}, 1], dtype=object)), {}, "array 'y': it holds pickled"),
    "cut npy": (npy(np.eye(5))[:-40], {}, "cut short"),
    "cut header": (npy(np.eye(5))[:20], {}, "header cannot be read"),
    "bomb header": (header_of((10**9, 10**9)), {}, "announces 1000000000 × 1000000000"),
    "bomb in npz": (zipped({"K.npy": header_of((10**6, 10**6))}), {}, "announces 1000000 × 1000000"),
    "zip bomb": (zipped({"K.npy": npy(np.eye(4)) + b"\0" * 10**7}), {}, "where 128 were announced"),
    "zip of text": (zipped({"notes.txt": b"hello"}), {}, "a zip without arrays"),
    "cut npz": (npz(K=np.eye(50))[:100], {}, "archive is damaged"),
    "two matrices": (npz(a=np.eye(3), b=np.eye(3)), {}, "got a"),
    "labels short": (npz(K=np.eye(3), y=np.arange(2)), {}, "one label per row, 3 of them; got 2"),
    "too wide": (header_of((3001, 3001)), {}, "expected at most 3000"),
    "directed graph": (b"0,1\n0,0\n", {"domain": "node"}, "np.maximum"),
}


@pytest.mark.parametrize("case", MATRICES)
def test_hostile_matrices(case: str) -> None:
    raw, more, words = MATRICES[case]
    with pytest.raises(DataError, match=words) as caught:
        read_matrix(raw, "mine", **more)
    assert "mine" in str(caught.value)


SEQUENCES = {
    "empty record": (b">a\n>b\nACGT\n", "line 1: record 'a' has no letters"),
    "empty last": (b">a\nACGT\n>b\n", "the last record, 'b'"),
    "one": (b">a\nACGT\n", "at least two sequences"),
    "signs": (b">a\nAC,GT\n>b\nACGT\n", "line 2 holds ','"),
    "too long": (b">a\n" + b"A" * 101 + b"\n>b\nA\n", "record 'a' has more than 100 letters"),
    "too many": (b">a\nA\n" * 51, "expected at most 50 records"),
    "numbers": (b"x,y\n1,2\n3,4\n", "expected FASTA"),
}


@pytest.mark.parametrize("case", SEQUENCES)
def test_hostile_sequences(case: str) -> None:
    raw, words = SEQUENCES[case]
    with pytest.raises(DataError, match=words):
        read_sequences(raw, "mine.fa", limits=SMALL)


@given(st.binary(max_size=300))
def test_any_bytes_give_data_or_one_of_our_errors(raw: bytes) -> None:
    for read in (lambda: read_table(raw).to_dataset(), lambda: read_sequences(raw), lambda: read_matrix(raw)):
        with contextlib.suppress(KernlibError):
            read()


@given(st.text(alphabet='ab1.,;\t"\n-> é?', max_size=80))
def test_any_text_gives_data_or_one_of_our_errors(text: str) -> None:
    test_any_bytes_give_data_or_one_of_our_errors.hypothesis.inner_test(text.encode())  # type: ignore[attr-defined]


@given(st.binary(max_size=60), st.integers(0, 400))
def test_a_damaged_archive_is_one_of_our_errors(junk: bytes, place: int) -> None:
    raw = npz(K=np.eye(4), y=np.arange(4))
    with contextlib.suppress(KernlibError):
        read_matrix(raw[:place] + junk + raw[place + len(junk) :])


def test_roles_are_guessed_with_reasons() -> None:
    lines = ["id,size,kind,dna,words,const,empty,class"]
    for i in range(30):
        word = f"the {i} words of a page"
        lines.append(f"r{i},{i / 7:.3f},{'abc'[i % 3]},{'ACGTACGTACG' + 'ACGT'[i % 4]},{word},7,,{'yn'[i % 2]}")
    table = read_table("\n".join(lines).encode())
    assert table.roles == {
        "id": "id", "size": "numeric", "kind": "categorical", "dna": "sequence", "words": "text", "const": "ignore",
        "empty": "ignore", "class": "label",
    }  # fmt: skip
    assert all(column.reason for column in table.columns)
    assert table.to_dataset().kinds == ("vector", "categorical", "sequence", "text")
    assert table.to_dataset("sequence").rows[1] == "ACGTACGTACGC"
    assert table.to_dataset("vector").rows.shape == (30, 1)
    assert table.to_dataset("text").rows[3] == "the 3 words of a page"
    assert table.to_dataset("categorical").columns == ("size", "kind")
    assert table.to_dataset("vector").ids[5] == "r5"
    assert table.with_roles({"dna": "ignore", "words": "ignore", "kind": "ignore"}).to_dataset().domain == "vector"
    assert not table.cells.flags.writeable


def test_a_label_that_is_really_an_id_is_said_so() -> None:
    raw = b"x,label\n" + b"".join(b"%d,w%d\n" % (i, i) for i in range(80))
    assert read_table(raw).roles["label"] == "id"
    with pytest.raises(DataError, match="looks like an id"):
        read_table(raw, roles={"label": "label"}).to_dataset()


def test_missing_cells_are_refused_dropped_or_a_category() -> None:
    table = read_table(b"x,k,y\n1,u,a\n,v,b\n3,?,a\n4,u,b\n", "t.csv")
    assert table.missing == 2
    with pytest.raises(DataError, match=r"t.csv: column 'x' has 1 missing cells, the first in data row 2"):
        table.to_dataset("vector")
    dropped = table.to_dataset("vector", missing="drop")
    assert dropped.n == 3
    assert dropped.note == "1 of 4 rows dropped for missing cells. Left out as not numbers: k."
    assert table.to_dataset("categorical").rows[2, 1] == "?"


def test_labels_become_classes_or_targets() -> None:
    numbers = b"x,y\n" + b"".join(b"%d,%.3f\n" % (i, i / 7) for i in range(60))
    assert read_table(numbers).to_dataset().task == "regression"
    few = b"x,y\n" + b"".join(b"%d,%d\n" % (i, i % 3) for i in range(60))
    assert read_table(few).to_dataset().class_counts == {"0": 20, "1": 20, "2": 20}
    one = read_table(b"x,y\n1,a\n2,a\n").to_dataset()
    assert "one class" in one.warnings[0]


def test_roles_must_be_known() -> None:
    with pytest.raises(DataError, match="no column 'z'; expected one of x, y"):
        read_table(GOOD, roles={"z": "label"})
    with pytest.raises(DataError, match="role 'colour'; expected one of numeric"):
        read_table(GOOD, roles={"x": "colour"})  # type: ignore[dict-item]
    with pytest.raises(DataError, match="at most one column can be the label; got x, y"):
        read_table(GOOD, roles={"x": "label"})
    with pytest.raises(DataError, match="no column is read as numeric"):
        read_table(GOOD, roles={"x": "ignore"}).to_dataset("vector")
    with pytest.raises(DataError, match="must hold finite numbers; data row 1 has 'a'"):
        read_table(GOOD, roles={"y": "numeric"}).to_dataset("vector")
    with pytest.raises(DataError, match="Use read_matrix"):
        read_table(GOOD).to_dataset("node")


def test_sources_and_separators(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    path.write_bytes(GOOD)
    for source in (GOOD, path, str(path), io.BytesIO(GOOD), b"\xef\xbb\xbf" + GOOD, GOOD.replace(b"\n", b"\r\n"),
                   GOOD.replace(b",", b";"), GOOD.replace(b",", b"\t")):  # fmt: skip
        assert read_table(source).to_dataset().class_counts == {"a": 2, "b": 1}
    assert read_table(path).name == "some.csv"
    with pytest.raises(DataError, match="the file cannot be read, No such file"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(DataError, match="mode 'rb'"):
        read_table(io.StringIO("x"))  # type: ignore[arg-type]
    assert read_table(b"1,2\n3,4\n").columns[0].name == "x1"
    assert read_table(b"ACGTACGTAC,+\nTTTTTTTTTT,-\n").n == 2


def test_sequences_from_fasta_and_tables() -> None:
    fasta = read_sequences(b">s1 +\nac gt\nAC\n>s2 -\nTTTT\n>s3 -\nTTTA\n", "g.fa")
    assert fasta.rows.tolist() == ["ACGTAC", "TTTT", "TTTA"]
    assert fasta.labels == ("+", "-", "-")
    assert fasta.ids == ("s1", "s2", "s3")
    assert read_sequences(b">s1 kinase\nACGT\n>s2 ligase\nTTTT\n").y is None, "one value each is no label"
    assert read_sequences(b">s1\nAC\n>s2\nTT\n").y is None
    table = read_sequences(b"sequence,label\nabacab,u\nbbbaab,v\nabbbaa,u\n")
    assert table.domain == "sequence"
    assert table.class_counts == {"u": 2, "v": 1}


def test_matrices_from_text_and_arrays() -> None:
    named = read_matrix(b",a,b\na,1,0.5\nb,0.5,1\n", "s.csv")
    assert named.rows.tolist() == [[1, 0.5], [0.5, 1]]
    assert named.ids == ("a", "b")
    assert read_matrix(npy(np.eye(3, dtype=np.int32))).rows.dtype == np.float64
    labelled = read_matrix(npz(K=np.eye(3), y=np.array(["u", "v", "u"]), other=np.arange(5)))
    assert labelled.class_counts == {"u": 2, "v": 1}
    assert read_matrix(b"0,1\n0,0\n", domain="node", symmetrise="max").rows.tolist() == [[0, 1], [1, 0]]
    assert read_matrix(b"0,1\n0,0\n", symmetrise="mean").rows[0, 1] == 0.5


def test_there_are_more_than_thirty_hostile_files() -> None:
    assert len(TABLES) + len(MATRICES) + len(SEQUENCES) >= 30


def test_the_guide_tells_the_limits_that_every_reader_has():
    guide = Path(__file__).parents[2] / ".github" / "GUIDE.md"
    assert " ".join(LIMITS.words().split()) in " ".join(guide.read_text(encoding="utf-8").split())
