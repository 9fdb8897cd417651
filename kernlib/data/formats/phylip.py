"""PHYLIP files: aligned sequences, sequential or interleaved, and distance matrices, square or lower triangular."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ..reading import Upload, of_table
from ..tables import table_of
from ..uploads import number_of, shortened, tamed
from .base import File, Format, Head
from .contents import Square, of_square

ENDINGS = ("phy", "phylip", "phyl", "ph", "dist")
_SIZES = re.compile(r"\s*(\d{1,9})\s+(\d{1,9})(?:\s+[A-Za-z]{1,5})?\s*")
_COUNT = re.compile(r"\s*(\d{1,9})\s*")
#: Letters of a sequence: a base or a residue, a gap, an unknown; a point repeats the first sequence.
_LETTERS = re.compile(r"[A-Za-z?*.\-]+")
#: In strict files the name is the first ten letters of a line; in relaxed ones it ends at the first blank.
_NAME = 10

_Split = Callable[[str], tuple[str, str]]


def _strict(line: str) -> tuple[str, str]:
    return line[:_NAME].strip(), line[_NAME:]


def _relaxed(line: str) -> tuple[str, str]:
    name, _, rest = line.strip().partition(" ") if " " in line.strip() else line.strip().partition("\t")
    return name, rest


def _looks_like_sequences(head: Head) -> str:
    first = _SIZES.fullmatch(head.lines[0]) if len(head.lines) > 1 else None
    if first is None or not int(first[1]) > 1 or not int(first[2]):
        return ""
    rest = head.lines[1].split()
    letters = _LETTERS.fullmatch(rest[-1]) is not None or len(rest) == 1
    return f"{first[1]} sequences of {first[2]} letters, as its first line announces" if letters else ""


def _sequences(file: File, reason: str) -> Upload | None:
    """Return the sequences as rows; None if the letters do not add up to what the first line announces."""
    lines = [line.rstrip() for line in file.text.splitlines() if line.strip()]
    sizes = _SIZES.fullmatch(lines[0])
    if sizes is None:
        return None
    n, length = int(sizes[1]), int(sizes[2])
    if n > file.limits.rows or length > file.limits.letters:
        raise DataError(
            f"{file.name}: it announces {n} sequences of {length} letters; expected at most {file.limits.rows} of "
            f"{file.limits.letters}. Keep fewer."
        )
    parsed = None
    for layout, split in product((_interleaved, _sequential), (_relaxed, _strict)):
        parsed = layout(lines[1:], n, length, split)
        if parsed is not None:
            break
    if parsed is None:
        _refuse(file, f"{n} sequences of {length} letters each, with their names before them")
        return None
    names, sequences = parsed
    first = sequences[0]
    repeated = [
        "".join(a if b == "." else b for a, b in zip(first, s, strict=True)) if "." in s else s for s in sequences
    ]
    rows = list(zip(tamed(names), (s.upper() for s in repeated), strict=True))
    table = table_of(file.name, ["id", "sequence"], rows).declared(
        {"id": ("id", "the name before each sequence"), "sequence": ("sequence", "the letters of each sequence")},
    )
    return of_table(table, "PHYLIP sequences", reason, file.domain, file.limits)


def _interleaved(lines: Sequence[str], n: int, length: int, split: _Split) -> tuple[list[str], list[str]] | None:
    """Return names and sequences of blocks of n lines; the first block has the names."""
    if not n or len(lines) % n:
        return None
    parts = [split(line) for line in lines[:n]]
    letters = [_plain(rest) for _, rest in parts]
    for start in range(n, len(lines), n):
        for i, line in enumerate(lines[start : start + n]):
            # Some programs repeat the names in every block.
            name, rest = split(line)
            letters[i] += _plain(rest if name == parts[i][0] and parts[i][0] else line)
    return _complete([name for name, _ in parts], letters, length)


def _sequential(lines: Sequence[str], n: int, length: int, split: _Split) -> tuple[list[str], list[str]] | None:
    """Return names and sequences, one sequence after the other, each over as many lines as it needs."""
    names: list[str] = []
    letters: list[str] = []
    for line in lines:
        if letters and len(letters[-1]) < length:
            letters[-1] += _plain(line)
            continue
        name, rest = split(line)
        names.append(name)
        letters.append(_plain(rest))
        if len(names) > n:
            return None
    return _complete(names, letters, length) if len(names) == n else None


def _plain(text: str) -> str:
    return "".join(text.split())


def _complete(names: list[str], letters: list[str], length: int) -> tuple[list[str], list[str]] | None:
    fits = all(len(s) == length and _LETTERS.fullmatch(s) for s in letters) and all(names)
    return (names, letters) if fits else None


def _looks_like_distances(head: Head) -> str:
    first = _COUNT.fullmatch(head.lines[0]) if len(head.lines) > 2 else None
    if first is None or int(first[1]) < 2:
        return ""
    words = head.lines[2].split()
    named = number_of(head.lines[1].split()[0]) is None or head.ending in ENDINGS
    numbers = number_of(words[-1]) is not None
    return f"{first[1]} named rows of distances, as its first line announces" if named and numbers else ""


def _distances(file: File, reason: str) -> Upload | None:
    """Return the distances as a square matrix; None if the numbers do not add up to a square or a triangle."""
    lines = [line.rstrip() for line in file.text.splitlines() if line.strip()]
    n = int(lines[0])
    if n > file.limits.side:
        raise DataError(f"{file.name}: it announces {n} rows; expected at most {file.limits.side}. Keep fewer.")
    for split in (_relaxed, _strict):
        for width in (lambda i: n, lambda i: i, lambda i: i + 1):
            parsed = _rows(lines[1:], n, width, split)
            if parsed is not None:
                names, A = parsed
                square = Square(file.name, A, tuple(tamed(names)))
                upload = of_square(square, "PHYLIP distances", file.domain, file.limits)
                form = "a lower triangle" if width(0) < n else "a square"
                return replace(upload, reason=f"{reason} They form {form}. {upload.reason}")
    _refuse(file, f"{n} lines of a name and {n} distances, or the lower triangle of them")
    return None


def _rows(
    lines: Sequence[str], n: int, width: Callable[[int], int], split: _Split
) -> tuple[list[str], npt.NDArray[np.float64]] | None:
    """Return names and the matrix, if row i has width(i) numbers; a row may go over several lines."""
    A = np.zeros((n, n))
    names: list[str] = []
    left = iter(lines)
    for i in range(n):
        line = next(left, None)
        if line is None:
            return None
        name, rest = split(line)
        words = rest.split()
        while len(words) < width(i) and (more := next(left, None)) is not None:
            words += more.split()
        numbers = [number_of(word) for word in words]
        if len(words) != width(i) or not name or any(value is None for value in numbers):
            return None
        names.append(name)
        A[i, : len(words)] = numbers
        if width(0) < n:
            A[: len(words), i] = A[i, : len(words)]
    return None if next(left, None) is not None else (names, A)


def _refuse(file: File, expected: str) -> None:
    """Raise DataError if the name says that it is a PHYLIP file; other formats may read another file."""
    if file.head.ending in ENDINGS:
        first = shortened(file.head.lines[0])
        raise DataError(f"{file.name}: its first line is {first}; expected {expected}. Correct it, or give FASTA.")


PHYLIP = Format("PHYLIP sequences", (*ENDINGS, "txt"), _looks_like_sequences, _sequences)
PHYLIP_DISTANCES = Format("PHYLIP distances", (*ENDINGS, "txt"), _looks_like_distances, _distances)
