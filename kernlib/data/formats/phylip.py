"""Distances as PHYLIP and mothur write them: a line of how many, then names with a square or a lower triangle."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ..reading import Upload
from ..uploads import number_of, shortened, tamed
from .base import File, Format, Head
from .contents import Square, of_square

ENDINGS = ("phy", "phylip", "phyl", "ph", "dist")
_COUNT = re.compile(r"\s*(\d{1,9})\s*")
#: In strict files the name is the first ten letters of a line; in relaxed ones it ends at the first blank.
_NAME = 10

_Split = Callable[[str], tuple[str, str]]


def _strict(line: str) -> tuple[str, str]:
    return line[:_NAME].strip(), line[_NAME:]


def _relaxed(line: str) -> tuple[str, str]:
    name, _, rest = line.strip().partition(" ") if " " in line.strip() else line.strip().partition("\t")
    return name, rest


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
                square = Square(file.name, A, tuple(tamed(names)), holds="distances")
                upload = of_square(square, "PHYLIP distances", file.domain, file.limits)
                form = "a lower triangle" if width(0) < n else "a square"
                return replace(upload, reason=f"{reason} They form {form}. {upload.reason}")
    if file.head.ending not in ENDINGS:
        return None
    raise DataError(
        f"{file.name}: its first line is {shortened(file.head.lines[0])}; expected {n} lines of a name and {n} "
        "distances, or the lower triangle of them. Correct it."
    )


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


PHYLIP_DISTANCES = Format("PHYLIP distances", (*ENDINGS, "txt"), _looks_like_distances, _distances)
