"""The worked examples that a lecture begins with, as values: a kernel, its rows, and what to see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.base import Kernel
from ..kernels.convolution import Convolution
from ..kernels.graphs import LabelPairs
from ..kernels.spectrum import Spectrum
from ..kernels.subsequence import Subsequence
from ..values.graph import Graph


@dataclass(frozen=True)
class Example:
    """One example: rows to compare two by two, and a sentence with its source."""

    title: str
    kernel: Kernel
    rows: tuple[Any, ...]
    names: tuple[str, ...]
    look_for: str


def _six_nodes() -> Graph:
    """Return a ring of six nodes, one of them labelled differently ([D], Matrix Example)."""
    return Graph(np.roll(np.eye(6), 1, axis=1) + np.roll(np.eye(6), -1, axis=1), labels=("C", "C", "C", "N", "C", "C"))


EXAMPLES: tuple[Example, ...] = (
    Example(
        "ABBA",
        Subsequence(order=2, decay=0.5),
        ("ABBA", "AB", "ABAC"),
        ("ABBA", "AB", "ABAC"),
        "AB is in ABBA twice: next to each other, λ², and with a B between them, λ³. [D] String Kernels.",
    ),
    Example(
        "CAT, CART, BAT",
        Subsequence(order=2, decay=0.5),
        ("CAT", "CART", "BAT"),
        ("CAT", "CART", "BAT"),
        "CAT and CART share all words of CAT, some of them stretched by the R. CAT and BAT share only AT.",
    ),
    Example(
        "Four strings",
        Subsequence(order=3, decay=0.25),
        ("qqbqqnshrtktfhhaahhh", "abajahnaajjjiiittt", "sdolncqniflmmprioog", "reaqhcoigealgjdsdgs"),
        ("qqbqq… (+)", "abaja… (+)", "sdoln… (−)", "reaqh… (−)"),
        "Each string is similar only to itself: a large diagonal. Only the two of class + share repeated letters. "
        "[O] Figure 1 prints 0.6183, 1, 0.4692 and 0.4292 on the diagonal, and 0.0133 between the two. The printed "
        "strings lack letters.",
    ),
    Example(
        "Convolution of ATG",
        Convolution("two-substrings", (Spectrum(length=1), Spectrum(length=1))),
        ("ATG", "ATC"),
        ("ATG", "ATC"),
        "ATG splits into A|TG or AT|G; all pairs of splits are compared. [D] Convolution Kernels "
        "writes out the two terms that split both at the same place.",
    ),
    Example(
        "Six-node graph",
        LabelPairs(beta=0.2),
        (_six_nodes(), Graph(np.array([[0.0, 1.0], [1.0, 0.0]]), labels=("C", "N"))),
        ("ring of six", "one edge"),
        "Walks from one label to another: 8 of one edge and 18 of two edges lead from C to C. [D] Matrix Example.",
    ),
)
