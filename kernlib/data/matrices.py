"""Uploaded square matrices of scores or edges: CSV, TSV, NPY, NPZ; nothing is ever unpickled."""

from __future__ import annotations

import dataclasses
import io
import zipfile
import zlib
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..errors import DataError
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
    if raw[:6] == b"\x93NUMPY":
        A = _npy(raw, name, limits)
    elif raw[:2] == b"PK":
        A, y = _npz(raw, name, limits)
    else:
        A, ids = _matrix_lines(raw, name, limits)
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


def _npy_header(stream: Any, name: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and type from an NPY header, before its numbers are read."""
    try:
        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(stream)
    except (ValueError, EOFError, OSError) as error:
        raise DataError(f"{name}: the NPY header cannot be read ({error}). Save it anew with numpy.save.") from None
    return shape, dtype


def _check_array(shape: tuple[int, ...], dtype: np.dtype[Any], name: str, limits: Limits) -> None:
    if dtype.hasobject:
        raise DataError(
            f"{name}: it holds pickled Python objects, which are never opened; expected plain numbers. "
            "Save it as a float array."
        )
    if any(side > limits.side for side in shape) or int(np.prod(shape, dtype=object)) > limits.side**2:
        raise DataError(
            f"{name}: its header announces {' × '.join(map(str, shape))} entries; expected at most "
            f"{limits.side} × {limits.side}. Draw a sample of the rows."
        )


def _npy(raw: bytes, name: str, limits: Limits) -> npt.NDArray[Any]:
    _check_array(*_npy_header(io.BytesIO(raw), name), name, limits)
    try:
        return np.asarray(np.load(io.BytesIO(raw), allow_pickle=False))
    except (ValueError, EOFError, OSError) as error:
        raise DataError(f"{name}: the NPY file is cut short or damaged ({error}). Save it anew.") from None


def _npz(raw: bytes, name: str, limits: Limits) -> tuple[npt.NDArray[Any], npt.NDArray[Any] | None]:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            members = [m for m in archive.infolist() if m.filename.endswith(".npy")]
            if not members:
                raise DataError(f"{name}: a zip without arrays; expected an NPZ made by numpy.savez. Save it so.")
            arrays: dict[str, npt.NDArray[Any]] = {}
            shapes: dict[str, tuple[int, ...]] = {}
            for m in members[:20]:
                key = m.filename.removesuffix(".npy")
                with archive.open(m) as stream:
                    shape, dtype = _npy_header(stream, f"{name}: array {key!r}")
                shapes[key] = shape
                if not (key == "y" or len(shape) == 2):
                    continue
                _check_array(shape, dtype, f"{name}: array {key!r}", limits)
                expected = int(np.prod(shape, dtype=object)) * dtype.itemsize
                if m.file_size > expected + 65_536:
                    raise DataError(
                        f"{name}: array {key!r} unpacks to {m.file_size} bytes where {expected} were announced. "
                        "Save it anew with numpy.savez."
                    )
            square = [k for k, s in shapes.items() if len(s) == 2 and s[0] == s[1]]
            chosen = next((k for k in ("K", "A", "X") if k in square), square[0] if len(square) == 1 else None)
            if chosen is None:
                raise DataError(
                    f"{name}: expected one square array, or one named 'K', 'A' or 'X'; got "
                    f"{listed(f'{k} {s}' for k, s in shapes.items())}. Save the matrix as K."
                )
            for key in {chosen} | ({"y"} & set(shapes)):
                with archive.open(f"{key}.npy") as stream:
                    arrays[key] = np.asarray(np.lib.format.read_array(stream, allow_pickle=False))
    except (zipfile.BadZipFile, ValueError, EOFError, OSError, NotImplementedError, RuntimeError, zlib.error) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{name}: the archive is damaged ({error}). Save it anew with numpy.savez.") from None
    return arrays[chosen], arrays.get("y")


def _matrix_lines(raw: bytes, name: str, limits: Limits) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
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
