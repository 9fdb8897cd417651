"""Uploaded square matrices of scores or edges: CSV, TSV, NPY, NPZ; nothing is ever unpickled."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ..dataset import Dataset
from ..guesses import Choice, Guess
from ..reading import Upload
from ..table import TABLE_DOMAINS, Table
from ..uploads import (
    LIMITS,
    Limits,
    Source,
    content,
    decode,
    delimiter_of,
    listed,
    number_of,
    shortened,
    split_lines,
    stem,
    tamed,
)
from .arrays import Arrays, label_name, read_arrays
from .base import File, Format, Head
from .contents import Square, is_adjacency, is_symmetric, kind_of_square, of_square
from .edge_lists import pairs_of_ends


def read_matrix(
    source: Source,
    name: str | None = None,
    *,
    domain: Literal["matrix", "node"] = "matrix",
    symmetrise: Literal["mean", "max"] | None = None,
    limits: Limits = LIMITS,
) -> Dataset:
    """Return a square matrix of scores or of edges from CSV, TSV, NPY or NPZ; pickles are refused.

    Parameters
    ----------
    source, name, limits : as for `read_table`; `limits.side` bounds the number of rows and columns.
    domain : "matrix" for scores, "node" for the adjacency of a graph.
    symmetrise : "mean" (A + A')/2 or "max" max(A, A'); None refuses a matrix that is not symmetric.

    An NPZ needs one square array, or one named "K", "A" or "X"; a 1-D array "y" (or labels, target, …) of as many
    entries gives the labels. A CSV may have a line and a column of names.

    Raises
    ------
    DataError : not square, not symmetric, not finite, too large (checked from the header, before allocating memory), …

    Example
    -------
    >>> read_matrix(b"1,0.5\\n0.5,1\\n").rows.tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    raw, name = content(source, name, limits)
    ids: tuple[str, ...] = ()
    y = None
    if raw[:6] == b"\x93NUMPY" or raw[:2] == b"PK":
        A, y = _chosen(read_arrays(raw, name, limits), name)
    else:
        lines = _matrix_lines(decode(raw, name), name, limits)
        A, ids = lines.A, lines.ids
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        shape = " × ".join(map(str, A.shape))
        raise DataError(
            f"{name}: the matrix must be square; got {shape}. Check for a header line or a column of names."
        )
    if A.dtype.kind not in "iufb":
        raise DataError(f"{name}: the matrix must hold real numbers; got {A.dtype}. Convert it with .astype(float).")
    if symmetrise is not None:
        A = (A + A.T) / 2 if symmetrise == "mean" else np.maximum(A, A.T)
    note = f"Made symmetric by the {'mean' if symmetrise == 'mean' else 'maximum'}." if symmetrise else ""
    return Dataset(stem(name), name, domain, A, y=y, ids=ids, source=f"upload {name}", note=note)


def _chosen(arrays: Arrays, name: str) -> tuple[npt.NDArray[Any], npt.NDArray[Any] | None]:
    """Return the square array, and the labels if there are any."""
    if set(arrays) == {""}:
        return arrays[""], None
    square = [k for k, A in arrays.items() if A.ndim == 2 and A.shape[0] == A.shape[1]]
    chosen = next((k for k in ("K", "A", "X") if k in square), square[0] if len(square) == 1 else None)
    if chosen is None:
        raise DataError(
            f"{name}: expected one square array, or one named 'K', 'A' or 'X'; got "
            f"{listed(f'{k} {A.shape}' for k, A in arrays.items())}. Save the matrix as K."
        )
    label = label_name(arrays)
    return arrays[chosen], None if label is None else arrays[label]


@dataclass(frozen=True, eq=False)
class _Lines:
    """A matrix from lines of cells: its numbers, the names that begin its lines, the names above its columns."""

    A: npt.NDArray[np.float64]
    ids: tuple[str, ...]
    above: tuple[str, ...]
    mirrored: bool = False

    @property
    def deliberate(self) -> bool:
        """Return whether it is a square matrix rather than a table that happens to have as many columns as rows."""
        A = self.A
        if len(A) < 3 or A.shape[0] != A.shape[1] or not np.isfinite(A).all():
            return False
        return bool(self.ids and self.ids == self.above) or is_symmetric(A) or (len(A) >= 5 and is_adjacency(A))


def _matrix_lines(text: str, name: str, limits: Limits) -> _Lines:
    side = limits.side + 1
    narrow = replace(limits, rows=side, columns=side, cells=max(limits.cells, side**2))
    mark = delimiter_of(text)
    lines = _triangle(text)
    if not 0 < len(lines) <= limits.side + 1:
        lines = split_lines(text, name, mark, narrow, short_header=True)
    if not lines:
        raise DataError(f"{name}: the file holds no rows; expected a square matrix. Choose another file.")
    if mark == ";" and "," in text and "." not in text:
        lines = [[cell.replace(",", ".") for cell in line] for line in lines]  # decimal commas
    first_line = 1
    ids: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    corner = len(lines) > 1 and not lines[0][0].strip()  # the empty corner cell of a spreadsheet
    if corner or any(cell.strip() and number_of(cell) is None for cell in lines[0][1:]):
        above = tuple(cell.strip() for cell in lines[0])
        lines, first_line = lines[1:], 2
    if lines and (corner or all(number_of(line[0]) is None for line in lines)):
        ids = tuple(line[0].strip() for line in lines)
        lines, above = [line[1:] for line in lines], above[1:]
    if ids != above and sorted(ids) == sorted(above) and len(set(ids)) == len(ids):  # the columns in another order
        order = [above.index(name) for name in ids]
        lines, above = [[line[j] for j in order] for line in lines], ids
    width = len(lines[0]) if lines else 0
    mirrored = len(lines) == width > 2 and _mirror(lines, name)
    if text.isascii() and "_" not in text:  # else Python's float would accept words such as 1_0
        try:
            return _Lines(np.array(lines, dtype=np.float64).reshape(len(lines), width), ids, above, mirrored)
        except ValueError:
            pass  # the cell is named below
    A = np.empty((len(lines), width))
    for i, line in enumerate(lines):
        for j, cell in enumerate(line):
            number = number_of(cell)
            if number is None:
                raise DataError(
                    f"{name}: line {i + first_line}, entry {j + 1} is {shortened(cell)}; expected a number. "
                    "Correct the cell."
                )
            A[i, j] = number
    return _Lines(A, ids, above, mirrored)


#: A triangle is recognised in the first letters.
_FIRST = 20_000


def _triangle(text: str) -> list[list[str]]:
    """Return a lower triangle with empty cells for the other half; [] where lines do not grow by one cell each."""
    mark = next((mark for mark in "\t;," if mark in text[:_FIRST]), None)
    begin = [len(line.strip().split(mark)) for line in text[:_FIRST].splitlines()[:-1] if line.strip()][1:5]
    if any(b != a + 1 for a, b in pairwise(begin)):
        return []
    lines = [[cell.strip() for cell in line.strip().split(mark)] for line in text.splitlines() if line.strip()]
    lengths = [len(line) for line in lines]
    header = len(lines) > 4 and lengths[1] <= lengths[0] >= lengths[-1] - 1
    body = lines[header:]
    if len(body) < 3 or any(b != a + 1 for a, b in pairwise(lengths[header:])):
        return []
    named = number_of(body[-1][0]) is None
    width = len(body) + named
    if not width - 1 <= lengths[-1] <= width or any(number_of(cell) is None for line in body for cell in line[named:]):
        return []
    above = [[""] * (width - lengths[0]) + lines[0]] if header else []
    return above + [line + [""] * (width - len(line)) for line in body]


def _mirror(cells: list[list[str]], name: str) -> bool:
    """Fill the empty half of a square matrix with its other half; return whether one half was empty.

    Raises DataError where the diagonal is empty as well.
    """
    n = len(cells)
    empty = np.array([[not cell.strip() for cell in line] for line in cells])
    upper, lower = np.triu_indices(n, 1), np.tril_indices(n, -1)
    for half, other in ((upper, lower), (lower, upper)):
        if empty[half].all() and not empty[other].any():
            if np.diagonal(empty).any():
                raise DataError(
                    f"{name}: half of the matrix and its diagonal are empty; expected a diagonal. Write 1 there for "
                    "correlations, 0 for distances."
                )
            for i, j in zip(*half, strict=True):
                cells[i][j] = cells[j][i]
            return True
    return False


def named_square(table: Table, file: File) -> Upload | None:
    """Return a table as a matrix where the cells of its first column are the names of other columns, in any order.

    The remaining columns, such as a class, describe the rows.
    """
    ids = [str(cell).strip() for cell in table.cells[:, 0]]
    names = [column.name for column in table.columns]
    if not 3 <= len(ids) <= file.limits.side or len(set(ids)) < len(ids) or not set(ids) <= set(names[1:]):
        return None
    places = [names.index(name, 1) for name in ids]
    cells = [[str(cell).strip() for cell in line] for line in table.cells[:, places]]
    mirrored = _mirror(cells, file.name)
    writings = [table.columns[j].writing for j in places]
    numbers = [[writing.number(cell) for writing, cell in zip(writings, line, strict=True)] for line in cells]
    if any(number is None for line in numbers for number in line):
        return None
    rest = [j for j in range(len(names)) if j not in set(places)]
    columns = tuple(replace(table.columns[j], role="id", others=()) if j == 0 else table.columns[j] for j in rest)
    guesses = tuple(g for g in table.guesses if not {n for c in g.choices for n in dict(c.roles)} & {*ids, names[0]})
    square = Square(file.name, np.array(numbers, dtype=np.float64), tuple(tamed(ids)))
    upload = of_square(square, "Matrix as text", file.domain, file.limits, (*_of_half(mirrored),))
    if len(rest) == 1:
        return upload
    as_rows = Choice("Read each line as a row of numbers", domain="vector")
    same = Guess("The names of the rows are those of the columns: the numbers are read as a matrix.", (as_rows,))
    beside = Table(file.name, columns, table.cells[:, rest], guesses)
    return replace(upload, table=beside, file_guesses=(*upload.file_guesses, same))


#: Names of columns of distances, and of scores, between the two rows that a line names.
_BETWEEN = {
    "distance": "distances", "dist": "distances", "d": "distances", "dissimilarity": "distances",
    "similarity": "scores", "sim": "scores", "score": "scores", "identity": "scores", "correlation": "scores",
}  # fmt: skip


def square_of_pairs(table: Table, file: File) -> Upload | None:
    """Return the matrix in a table of two rows' names and their distance or score, where no pair lacks; else None.

    Names of rows stand in the first two columns. Scores need those of each row with itself.
    """
    names = [column.name.strip().lower() for column in table.columns]
    if len(names) != 3 or names[2] not in _BETWEEN or file.domain not in (None, "matrix"):
        return None
    holds = _BETWEEN[names[2]]
    ends = [[str(cell).strip() for cell in table.cells[:, j]] for j in (0, 1)]
    ids = list(dict.fromkeys(name for pair in zip(*ends, strict=True) for name in pair))
    n, values = len(ids), [table.columns[2].writing.number(cell) for cell in table.cells[:, 2]]
    if not 3 <= n <= file.limits.side or table.n < n * (n - 1) // 2 or None in values:
        return None
    number = {name: i for i, name in enumerate(ids)}
    A = np.full((n, n), np.nan)
    if holds == "distances":
        np.fill_diagonal(A, 0.0)
    i, j = (np.array([number[name] for name in end]) for end in ends)
    A[j, i] = values
    A[i, j] = values
    if np.isnan(A).any():
        return None
    as_table = Choice("Read each line as a row of a table", domain=table.likely_domain())
    as_graph = Choice("Read each line as an edge of a graph", domain="node")
    guess = Guess(f"Each line is a pair of rows: read as a matrix of {n} rows.", (as_table, as_graph), question=True)
    square = Square(file.name, A, tuple(tamed(ids)), holds=holds)
    return of_square(square, "List of pairs", file.domain, file.limits, (guess,))


def _of_half(mirrored: bool) -> tuple[Guess, ...]:
    return (Guess("One half of the matrix is empty; it is filled with the other half."),) if mirrored else ()


def _looks_like_matrix(head: Head) -> str:
    """Return the reason if the first line has several cells; the number of lines is checked on reading."""
    first = head.lines[0] if head.lines else ""
    several = _width(first, delimiter_of("\n".join(head.lines))) > 1 or _triangle("\n".join(head.lines[:20]))
    return "Lines of numbers" if several else ""


def _width(line: str, mark: str) -> int:
    return len(line.split()) if mark == " " else line.count(mark) + 1


def _matrix(file: File, reason: str) -> Upload | None:
    """Return lines of cells that form a square matrix; an error if the caller asked for one and they do not."""
    asked_for = file.domain in ("matrix", "node")
    if file.domain in TABLE_DOMAINS:
        return None
    if not asked_for:
        first = file.text.lstrip()[: file.limits.letters * 10].split("\n", 1)[0]
        columns = _width(first, delimiter_of(file.text))
        rows = sum(1 for line in io.StringIO(file.text) if line.strip())
        if (columns < 3 or not -1 <= rows - columns <= 1) and not _triangle(file.text):
            return None
    elif ends_of_header(file):
        return None
    try:
        lines = _matrix_lines(file.text, file.name, file.limits)
    except DataError:
        if asked_for:
            raise
        return None
    if asked_for and lines.A.shape[0] != lines.A.shape[1]:
        raise DataError(
            f"{file.name}: the matrix must be square; got {' × '.join(map(str, lines.A.shape))}. Check for a header "
            "line or a column of names."
        )
    if not (asked_for or lines.deliberate):
        return None
    guesses = _of_half(lines.mirrored)
    if file.part == _STRICT and lines.mirrored:
        A = np.zeros((len(lines.A) + 1, len(lines.A) + 1))
        lower = np.tril_indices(len(A), -1)
        A[lower] = lines.A[np.tril_indices(len(lines.A))]
        lines = replace(lines, A=A + A.T)
    elif lines.mirrored and not lines.ids and len(set(np.diag(lines.A).tolist())) > 1:
        sentence = "The last entries of the lines of the triangle differ: they are read as its diagonal."
        strict = Choice("The diagonal is left out: distances", domain="matrix", square="distances", part=_STRICT)
        guesses += (Guess(sentence, (strict,), question=True),)
    if not asked_for and not lines.ids:
        sentence = f"As many columns as rows, and the two halves agree: read as a matrix of {kind_of_square(lines.A)}."
        guesses += (Guess(sentence, (Choice("Read each line as a row of numbers", domain="vector"),)),)
    names = lines.ids or (lines.above if len({*lines.above}) == len(lines.A) else ())
    ids = tuple(tamed(names)) if names else ()
    return of_square(Square(file.name, lines.A, ids), "Matrix as text", file.domain, file.limits, guesses)


#: The part of a file whose triangle has no diagonal.
_STRICT = "without diagonal"


def ends_of_header(file: File) -> bool:
    """Return whether the first line names the two ends of an edge: the requested graph is then a list of edges."""
    first = file.head.lines[0].lower() if file.head.lines else ""
    words = {cell.strip().strip("\"'") for cell in first.split(delimiter_of("\n".join(file.head.lines)))}
    return bool(pairs_of_ends(words))


MATRIX = Format("Matrix as text", ("csv", "tsv", "txt", "dat"), _looks_like_matrix, _matrix)
