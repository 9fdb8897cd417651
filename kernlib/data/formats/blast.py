"""Hits of BLAST in its tabular form (-m 8, -outfmt 6 and 7): one alignment of two sequences per line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ..guesses import Choice, Guess, Role
from ..reading import Upload, of_table
from ..table import TABLE_DOMAINS
from ..tables import table_of
from ..uploads import check_size, number_of
from .base import File, Format, Head
from .contents import Square, of_square

NAMES = (
    "query", "subject", "identity %", "length", "mismatches", "gap openings", "query start", "query end",
    "subject start", "subject end", "e-value", "bit score",
)  # fmt: skip
_WHOLE = re.compile(r"\d{1,12}")


def _is_hit(cells: Sequence[str]) -> bool:
    """Return whether cells are names, a percentage, seven whole numbers, a probability and a score."""
    if len(cells) != len(NAMES):
        return False
    identity, e_value, score = (number_of(cells[k]) for k in (2, 10, 11))
    # BLAST writes the percentage with decimals, which distinguishes it from a table of whole numbers.
    known = "." in cells[2] and None not in (identity, e_value, score)
    numbers = known and all(_WHOLE.fullmatch(cell.strip()) for cell in cells[3:10])
    return bool(numbers and 0 <= identity <= 100 and e_value >= 0 and score > 0)  # type: ignore[operator]


def _looks_like_hits(head: Head) -> str:
    lines = [line for line in head.lines if not line.startswith("#")]
    if not lines or not all(_is_hit(line.split("\t")) for line in lines):
        return ""
    return "Hits of BLAST: two names, a percentage, seven whole numbers, an e-value and a score per line"


def _hits(file: File, reason: str) -> Upload | None:
    lines = [line for line in file.text.splitlines() if line.strip() and not line.startswith("#")]
    check_size(file.name, len(lines), len(NAMES), file.limits)
    hits = [[cell.strip() for cell in line.split("\t")] for line in lines]
    if not all(map(_is_hit, hits)):
        return None
    names = list(dict.fromkeys(name for hit in hits for name in hit[:2]))
    if file.domain == "matrix":
        if len(names) > file.limits.side:
            raise DataError(
                f"{file.name}: it has {len(names)} sequences; expected at most {file.limits.side} for a matrix. Keep "
                "fewer."
            )
        return replace(of_square(Square(file.name, *_scores(hits, names)), "BLAST hits", "matrix", file.limits),
                       domains=(*TABLE_DOMAINS, "matrix"))  # fmt: skip
    if file.domain not in (None, *TABLE_DOMAINS):
        return None
    words: dict[str, tuple[Role, str]] = dict.fromkeys(NAMES[:2], ("categorical", "the name of a sequence"))
    numbers: dict[str, tuple[Role, str]] = dict.fromkeys(NAMES[2:], ("numeric", "a number of each hit"))
    table = table_of(file.name, NAMES, hits).declared(words | numbers)
    both = {hit[0] for hit in hits} & {hit[1] for hit in hits}
    choices = (Choice("Read a matrix of bit scores", domain="matrix"),) if both else ()
    sentence = "Each row is one hit of BLAST."
    if both:
        sentence += " A matrix of bit scores compares the sequences themselves; pairs without a hit count 0 there."
    upload = of_table(table, "BLAST hits", reason, file.domain, file.limits, (Guess(sentence, choices, bool(both)),))
    return replace(upload, domains=(*upload.domains, "matrix")) if both else upload


def _scores(hits: Sequence[Sequence[str]], names: list[str]) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """Return the best bit score of each pair, in either direction, and the sequences' names."""
    place = {name: i for i, name in enumerate(names)}
    A = np.zeros((len(names), len(names)))
    pairs = np.array([[place[hit[0]], place[hit[1]]] for hit in hits])
    np.maximum.at(A, tuple(pairs.T), [float(hit[11]) for hit in hits])
    return np.maximum(A, A.T), tuple(names)


BLAST = Format("BLAST hits", ("m8", "b6", "blast", "tsv", "tab", "txt", "out"), _looks_like_hits, _hits)
