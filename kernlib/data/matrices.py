"""Uploaded square matrices of scores or edges: CSV, TSV, NPY, NPZ; nothing is ever unpickled."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from .arrays import Arrays, read_arrays
from .dataset import Dataset
from .uploads import LIMITS, Limits, Source, content, decode, delimiter_of, listed, number_of, shortened, split_lines

__all__ = ["read_matrix"]


def read_matrix(
    source: Source,
    name: str | None = None,
    *,
    domain: Literal["matrix", "node"] = "matrix",
    symmetrise: Literal["mean", "max"] | None = None,
    limits: Limits = LIMITS,
) -> Dataset:
    """A square matrix of scores or of edges from CSV, TSV, NPY or NPZ; pickles are refused.

    Parameters
    ----------
    source, name, limits : as for `read_table`; `limits.side` bounds the number of rows and columns.
    domain : "matrix" for scores, "node" for the adjacency of a graph.
    symmetrise : "mean" (A + A')/2 or "max" max(A, A'); None refuses a matrix that is not symmetric.

    An NPZ needs one square array, or one named "K", "A" or "X"; a 1-D array "y" of as many entries gives the labels. A
    CSV
    may have a line and a column of names.

    Raises
    ------
    DataError : not square, not symmetric, not finite, too large (checked from the header, before memory is taken), …

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
        A, ids = matrix_lines(raw, name, limits)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        shape = " × ".join(map(str, A.shape))
        raise DataError(
            f"{name}: the matrix must be square; got {shape}. Check for a header line or a column of names."
        )
    if A.dtype.kind not in "iufb":
        raise DataError(f"{name}: the matrix must hold real numbers; got {A.dtype}. Convert it with .astype(float).")
    if symmetrise is not None:
        A = (A + A.T) / 2 if symmetrise == "mean" else np.maximum(A, A.T)
    stem = Path(name).name.split(".")[0] or "matrix"
    note = f"Made symmetric by the {'mean' if symmetrise == 'mean' else 'maximum'}." if symmetrise else ""
    return Dataset(stem, name, domain, A, y=y, ids=ids, source=f"upload {name}", note=note)


def _chosen(arrays: Arrays, name: str) -> tuple[npt.NDArray[Any], npt.NDArray[Any] | None]:
    """The square array, and the labels if there are any."""
    if set(arrays) == {""}:
        return arrays[""], None
    square = [k for k, A in arrays.items() if A.ndim == 2 and A.shape[0] == A.shape[1]]
    chosen = next((k for k in ("K", "A", "X") if k in square), square[0] if len(square) == 1 else None)
    if chosen is None:
        raise DataError(
            f"{name}: expected one square array, or one named 'K', 'A' or 'X'; got "
            f"{listed(f'{k} {A.shape}' for k, A in arrays.items())}. Save the matrix as K."
        )
    return arrays[chosen], arrays.get("y")


def matrix_lines(raw: bytes, name: str, limits: Limits) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
    text = decode(raw, name)
    narrow = dataclasses.replace(limits, rows=limits.side + 1, columns=limits.side + 1)
    lines = split_lines(text, name, delimiter_of(text), narrow)
    if not lines:
        raise DataError(f"{name}: the file holds no rows; expected a square matrix. Choose another file.")
    first_line = 1
    ids: tuple[str, ...] = ()
    if any(number_of(cell) is None for cell in lines[0][1:]):
        lines, first_line = lines[1:], 2
    if lines and all(number_of(line[0]) is None for line in lines):
        ids = tuple(line[0].strip() for line in lines)
        lines = [line[1:] for line in lines]
    A = np.empty((len(lines), len(lines[0]) if lines else 0))
    for i, line in enumerate(lines):
        for j, cell in enumerate(line):
            number = number_of(cell)
            if number is None:
                raise DataError(
                    f"{name}: line {i + first_line}, entry {j + 1} is {shortened(cell)}; expected a number. Mend the "
                    f"cell."
                )
            A[i, j] = number
    return A, ids
