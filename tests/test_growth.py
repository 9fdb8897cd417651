"""Text and tables from outside take time in proportion to their size: none can hold a server by its form."""

from __future__ import annotations

import io
import re
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from kernlib.data import Limits, readings
from kernlib.errors import KernlibError
from kernlib.kernels.spectrum import motif_expression
from kernlib.stories import read_lesson
from kernlib.values.words import inert_cell
from pages.parts.inputs.controls import code, explained, plain

#: Letters of the small input; the large one is `TIMES` as long. Linear work grows by 8, quadratic work by 64.
SIZE, TIMES, MOST = 4_000, 8, 24


def upload(name: str) -> Callable[[bytes], Any]:
    return lambda raw: readings(name, raw)


def cell(word: str) -> Callable[[int], bytes]:
    """Return a maker of tables with a long cell of repeated words."""
    return lambda n: f"x;y\n1;a\n{word * (n // len(word))}!;b\n2;a\n".encode()


def block(line: str) -> Callable[[int], str]:
    """Return a maker of lessons whose first block repeats a text."""
    return lambda n: f"# T\n\nWhy?\n\n```toml lesson\n{line * (n // len(line))}\n```\n"


def text(words: str) -> Callable[[int], str]:
    return lambda n: f"# T\n\n{words * (n // len(words))}\n"


def repeated(words: str) -> Callable[[int], str]:
    return lambda n: words * (n // len(words))


def sheet(words: str) -> Callable[[int], bytes]:
    """Return a maker of workbooks whose sheet repeats a text."""

    def made(n: int) -> bytes:
        raw = io.BytesIO()
        with zipfile.ZipFile(raw, "w") as archive:
            archive.writestr("xl/workbook.xml", "<workbook/>")
            archive.writestr("xl/worksheets/sheet1.xml", words * (n // len(words)))
        return raw.getvalue()

    return made


#: What reads the text, and the form that makes a pattern with backtracking try the same letters again and again.
HOSTILE: dict[str, tuple[Callable[[Any], Any], Callable[[int], Any]]] = {
    # files
    "dashes below names": (upload("t.csv"), lambda n: b"|a|b|\n" + b"-" * n + b"x\n"),
    "a line of blanks": (upload("t.csv"), lambda n: b" " * n + b"\nx,y\n1,a\n2,b\n"),
    "letters before an umlaut": (upload("t.csv"), lambda n: b"x,y\n" + b"a" * n + b",\xe9\n1,b\n"),
    "digits": (upload("t.csv"), cell("1")),
    "thousands": (upload("t.csv"), cell("1,111")),
    "signs": (upload("t.csv"), cell("+")),
    "points": (upload("t.csv"), cell("1.")),
    "dates": (upload("t.csv"), cell("2020-01-01 ")),
    "genes": (upload("t.csv"), cell("ENSG")),
    "residues": (upload("t.csv"), cell("AC")),
    "brackets of molecules": (upload("t.csv"), cell("[C")),
    "numbers between blanks": (upload("t.txt"), lambda n: b"1  " * n + b"x\n1 2\n"),
    "sentences": (upload("t.txt"), lambda n: b"a, b; " * (n // 6) + b"c.\nd e f.\n"),
    "quotes": (upload("t.csv"), lambda n: b'x,y\n"' + b'""' * (n // 2) + b"\n"),
    "Matrix Market": (
        upload("t.mtx"),
        lambda n: b"%%MatrixMarket matrix array real general\n2 1\n1\n" + b"1" * n + b"x\n",
    ),
    "SVMlight": (upload("t.svm"), lambda n: b"+1 1:0.5\n-1 1:1" + b" 2:1" * (n // 4) + b" x\n"),
    "ARFF": (upload("t.arff"), lambda n: b"@relation r\n@attribute x {'" + b"\\'" * (n // 2) + b"\n@data\n1\n2\n"),
    "ARFF cells": (upload("t.arff"), lambda n: b"@relation r\n@attribute x string\n@data\n" + b" " * n + b"'\n"),
    "GML": (upload("t.gml"), lambda n: b"graph [\n" + b"node " * (n // 5) + b"]\n"),
    "GraphML": (upload("t.graphml"), lambda n: b"<graphml>" + b"<a:" * (n // 3)),
    "FASTA": (upload("t.fa"), lambda n: b">" + b"group " * (n // 6) + b"\nACGT\n>b\nACGT\n"),
    "JSON": (upload("t.json"), lambda n: b'[{"a": "' + b'\\"' * (n // 2)),
    "rows of a sheet": (upload("t.xlsx"), sheet("<row ")),
    "a page of XML": (upload("t.csv"), lambda n: b" " * n + b"<!doctype"),
    # lessons
    "tags without an end": (read_lesson, text("<a")),
    "pictures without an end": (read_lesson, text("![")),
    "half formulas": (read_lesson, text("$ a")),
    "lines of blanks": (read_lesson, text("\n ")),
    "dotted names": (read_lesson, block("a.")),
    "brackets": (read_lesson, block("a = [")),
    "names of tables": (read_lesson, block("[a.b]\n")),
    "blanks before a name": (read_lesson, block("  ")),
    # words on a page
    "links": (lambda words: explained(words, None), repeated("[a](")),
    "link texts": (lambda words: explained(words, None), repeated("[")),
    "code": (lambda words: explained(words, None), repeated("`a$")),
    "directives": (lambda words: explained(words, None), repeated(":a-")),
    "terms": (lambda words: explained(words, None), repeated("gram ")),
    "marks": (plain, repeated("-<:www.@")),
    "backticks": (code, repeated("`")),
    "cells": (inert_cell, repeated("-1")),
    # kernels from a link
    "motifs": (lambda words: re.findall(motif_expression("[^A]B"), words), repeated("A")),
}


def seconds(work: Callable[[Any], Any], given: Any) -> float:
    """Return the processor time of this thread, the smallest of three."""
    measured = []
    for _ in range(3):
        start = time.thread_time()
        with suppress(KernlibError):
            work(given)
        measured.append(time.thread_time() - start)
    return min(measured)


@pytest.mark.parametrize("name", HOSTILE)
def test_time_grows_with_the_length_of_a_hostile_text(name):
    work, made = HOSTILE[name]
    assert seconds(work, made(TIMES * SIZE)) < MOST * seconds(work, made(SIZE))


def wide(columns: int) -> bytes:
    values = np.random.default_rng(0).normal(size=(40, columns)).round(3).tolist()
    names = ",".join(f"g{j}" for j in range(columns))
    return "\n".join(
        [f"{names},y", *(f"{','.join(map(str, row))},{'ab'[i % 2]}" for i, row in enumerate(values))]
    ).encode()


def test_time_grows_with_the_columns_of_a_table():
    assert seconds(upload("t.csv"), wide(TIMES * 200)) < MOST * seconds(upload("t.csv"), wide(200))


def test_a_square_has_as_many_rows_as_promised():
    limits = Limits(rows=200, columns=200, cells=1_000, side=60)
    square = "\n".join(",".join("1" if i == j else "0.5" for j in range(60)) for i in range(60))
    assert readings("t.csv", square.encode(), limits=limits)[0].dataset().rows.shape == (60, 60)
