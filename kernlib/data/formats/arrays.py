"""Arrays from NPY and NPZ files, checked by their headers before any number is read; nothing is unpickled."""

from __future__ import annotations

import io
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import DataError, TooManyEntriesError
from ..uploads import Limits, parser_errors
from .archives import opened_zip

#: Names of label arrays, the likeliest first; gnd is the ground truth in a known collection of faces.
LABELS = ("y", "label", "labels", "target", "targets", "class", "classes", "outcome", "gnd")

Arrays = dict[str, npt.NDArray[Any]]


def read_arrays(raw: bytes, name: str, limits: Limits) -> Arrays:
    """Return the arrays of an NPZ by name, or the one of an NPY under the name "".

    Raises DataError for pickles, too many entries, a damaged or cut file, more bytes than the header announces.

    >>> stream = io.BytesIO()
    >>> np.savez(stream, X=np.eye(2), y=[0, 1])
    >>> sorted(read_arrays(stream.getvalue(), "t.npz", Limits()))
    ['X', 'y']
    """
    if raw[:6] == b"\x93NUMPY":
        return {"": _npy(raw, name, limits)}
    return _npz(raw, name, limits)


def label_name(arrays: Arrays, n: int | None = None) -> str | None:
    """Return the name of the array with the labels, in any case; those of n entries come first, where n is given.

    >>> label_name({"K": np.eye(2), "Labels": np.array([1, 2])})
    'Labels'
    """
    labels = (k for k, A in arrays.items() if k.lower() in LABELS and A.ndim == 1)
    candidates = sorted(labels, key=lambda k: LABELS.index(k.lower()))
    return next((k for k in candidates if n is None or len(arrays[k]) == n), next(iter(candidates), None))


def _header(stream: Any, name: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and type from an NPY header, without reading its numbers."""
    # NumPy warns about headers written by Python 2, here and where it reads the numbers.
    damaged = parser_errors(f"{name}: the NPY header cannot be read", "Save it with numpy.save.")
    with damaged, warnings.catch_warnings(action="ignore"):
        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(stream)
    return shape, dtype


def _check(shape: tuple[int, ...], dtype: np.dtype[Any], name: str, limits: Limits) -> None:
    if dtype.hasobject:
        raise DataError(
            f"{name}: it holds pickled Python objects, which are never opened; expected plain numbers. "
            "Save it as a float array."
        )
    if dtype.kind not in "iufbcSU" or dtype.itemsize > 4 * limits.letters:
        raise DataError(f"{name}: it holds {dtype}; expected plain numbers. Save it as a float array.")
    if any(side < 0 for side in shape):
        raise DataError(f"{name}: its header announces a negative size. Save it again with numpy.save.")
    count = int(np.prod(shape, dtype=object))
    # A square matrix is limited by its side, a table by its number of cells.
    square = len(shape) == 2 and shape[0] == shape[1]
    if (square and shape[0] > limits.side) or count > max(limits.cells, limits.side**2):
        raise TooManyEntriesError(
            f"{name}: its header announces {' × '.join(map(str, shape))} entries; expected at most "
            f"{limits.side} × {limits.side}. Draw a sample of the rows.",
            shape,
        )
    if count * dtype.itemsize > limits.unpacked:
        raise DataError(
            f"{name}: its header announces {count * dtype.itemsize} bytes; expected at most {limits.unpacked}. "
            "Draw a sample of the rows."
        )


def _checked(A: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """Return the array; DataError for invalid Unicode, which NumPy does not check."""
    if A.dtype.kind == "U" and A.dtype.itemsize and A.size:
        codes = np.ascontiguousarray(A).reshape(-1).view(np.dtype("u4").newbyteorder(A.dtype.byteorder))
        if codes.max() > 0x10FFFF or ((codes >= 0xD800) & (codes < 0xE000)).any():
            raise DataError(f"{name}: its text has invalid Unicode characters. Save it again with numpy.save.")
    return A


def _npy(raw: bytes, name: str, limits: Limits) -> npt.NDArray[Any]:
    stream = io.BytesIO(raw)
    shape, dtype = _header(stream, name)
    _check(shape, dtype, name, limits)
    announced = int(np.prod(shape, dtype=object)) * dtype.itemsize
    if len(raw) - stream.tell() < announced:
        raise DataError(
            f"{name}: the NPY file is cut short or damaged ({announced} bytes announced, {len(raw) - stream.tell()} "
            "there). Save it again."
        )
    damaged = parser_errors(f"{name}: the NPY file is cut short or damaged", "Save it again.")
    with damaged, warnings.catch_warnings(action="ignore"):
        return _checked(np.asarray(np.load(io.BytesIO(raw), allow_pickle=False)), name)


def _npz(raw: bytes, name: str, limits: Limits) -> Arrays:
    archive, entries = opened_zip(raw, name, limits)
    members = [m for m in entries if m.filename.endswith(".npy")]
    if not members:
        raise DataError(f"{name}: a zip without arrays; expected an NPZ made by numpy.savez. Save it with numpy.savez.")
    if len(members) > 20:
        raise DataError(f"{name}: it holds {len(members)} arrays; expected X and y, or one matrix. Save those alone.")
    arrays: Arrays = {}
    with parser_errors(f"{name}: the archive is damaged", "Save it again with numpy.savez."), archive:
        for m in members:
            key = m.filename.removesuffix(".npy")
            who = f"{name}: array {key!r}"
            with archive.open(m) as stream:
                shape, dtype = _header(stream, who)
            _check(shape, dtype, who, limits)
            expected = int(np.prod(shape, dtype=object)) * dtype.itemsize
            if m.file_size > expected + 65_536:
                raise DataError(
                    f"{who} unpacks to {m.file_size} bytes where {expected} were announced. "
                    "Save it again with numpy.savez."
                )
            if m.file_size < expected:
                raise DataError(f"{who} is cut short: {expected} bytes announced, {m.file_size} there. Save it again.")
            with archive.open(m) as stream, warnings.catch_warnings(action="ignore"):
                arrays[key] = _checked(np.asarray(np.lib.format.read_array(stream, allow_pickle=False)), who)
    return arrays
