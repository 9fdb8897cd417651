"""Matrices of Matrix Market (.mtx), by SciPy once their size is known."""

from __future__ import annotations

import io
import re
import warnings

import numpy as np

from ...errors import DataError
from ..table import Part
from ..uploads import parser_errors, shortened
from .arrays import table_of_arrays
from .base import Container, File

_SAVE = "Write it again with scipy.io.mmwrite."
#: A comment, or whole numbers and fractions: a number such as 2.5e+ ends the process in SciPy's parser.
_LINE = re.compile(r"\s*(%.*|([-+]?((\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?|inf(inity)?|nan)(\s+|$))*)", re.IGNORECASE)


def _market(file: File) -> Part:
    """Return the matrix as a table without names; what a sparse file leaves out is 0.

    Raises DataError for a damaged file, complex entries, and more entries than allowed.
    """
    from scipy.io import mmread

    # SciPy reads "pattern" as ones, and writes the mirrored half of a symmetric matrix.
    sizes = next((line for line in file.text.split("\n") if line.strip() and not line.startswith("%")), "")
    match = re.match(r"\s*(\d{1,9})\s+(\d{1,9})(\s+\d{1,9})?\s*$", sizes)
    if "skew-symmetric" in file.text[:200].lower():
        raise DataError(f"{file.name}: it is skew-symmetric, which neither scores nor edges are. Write its upper half.")
    if match is None:
        raise DataError(f"{file.name}: the line of its size is {sizes[:50]!r}; expected rows and columns. {_SAVE}")
    rows, columns = int(match[1]), int(match[2])
    if rows * columns > file.limits.cells or max(rows, columns) > max(file.limits.rows, file.limits.columns):
        raise DataError(
            f"{file.name}: it has {rows} × {columns} entries; expected at most {file.limits.cells}, as it becomes a "
            "dense matrix. Draw a sample of its rows, or choose columns."
        )
    for number, line in enumerate(file.text.split("\n"), start=1):
        if not _LINE.fullmatch(line):
            raise DataError(f"{file.name}: line {number} is {shortened(line)}; expected numbers. {_SAVE}")
    with parser_errors(f"{file.name}: the Matrix Market file is damaged", _SAVE), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # what SciPy deprecates is no damage
        matrix = mmread(io.StringIO(file.text.lstrip()))
        dense = np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix)
    return table_of_arrays({"": dense}, file, "Matrix Market")


MARKET = Container("Matrix Market", lambda file: file.head.lower().startswith("%%matrixmarket"), _market)
