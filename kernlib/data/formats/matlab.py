"""MATLAB files up to version 7, by SciPy, once every variable is known to be numbers or words and small enough."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np

from ...errors import DataError
from ..reading import Upload
from ..uploads import Limits, listed, said, shortened
from .archives import size_words
from .array_uploads import of_arrays
from .arrays import Arrays
from .base import File, Format, Head

__all__ = ["MATLAB", "read_matlab"]

_MATRIX, _COMPRESSED = 14, 15
#: Classes of arrays by the number that the format gives them.
_CLASSES = {
    1: "cell array", 2: "struct", 3: "object", 4: "char", 5: "sparse", 6: "double", 7: "single", 8: "int8", 9: "uint8",
    10: "int16", 11: "uint16", 12: "int32", 13: "uint32", 14: "int64", 15: "uint64", 16: "function", 17: "opaque",
}  # fmt: skip
_NUMBERS = frozenset(range(4, 16))
_CHUNK = 1 << 16
_SAVE = "Save X, y or K alone: save('name.mat', 'X', 'y', '-v7')."


def read_matlab(raw: bytes, name: str, limits: Limits) -> Arrays:
    """The arrays of numbers and words of a MATLAB file, columns and rows of one dimension made flat.

    Raises DataError for version 7.3 (which is HDF5), a damaged file, structs and objects alone, more than is allowed;
    what the file expands to is counted before SciPy reads it.

    >>> from scipy.io import savemat
    >>> stream = io.BytesIO()
    >>> savemat(stream, {"X": np.eye(3)[:2], "y": ["a", "b"]})
    >>> sorted(read_matlab(stream.getvalue(), "t.mat", Limits()).items())[1]
    ('y', array(['a', 'b'], dtype='<U1'))
    """
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    wanted, left = _variables_4(raw, name, limits) if _is_version_4(raw) else _variables(raw, name, limits)
    if not wanted:
        raise DataError(f"{name}: it holds {listed(left) or 'nothing'}; expected arrays of numbers. {_SAVE}")
    broken = (
        MatReadError, ValueError, TypeError, OSError, LookupError, OverflowError, EOFError, NotImplementedError,
        AttributeError, zlib.error, MemoryError,
    )  # fmt: skip
    try:
        found = loadmat(io.BytesIO(raw), variable_names=wanted, chars_as_strings=True, mat_dtype=False)
        flat = {key: _flat(found[key], limits.cells) for key in wanted if key in found}
    except broken as error:
        raise DataError(f"{name}: the MATLAB file is damaged ({said(error)}). {_SAVE}") from None
    arrays = {key: A for key, A in flat.items() if A is not None}
    if not arrays:
        raise DataError(f"{name}: it holds {listed(wanted)}; expected arrays of numbers. {_SAVE}")
    return arrays


def _variables(raw: bytes, name: str, limits: Limits) -> tuple[list[str], list[str]]:
    """The names of the variables that are read and, in words, of those that are not; all sizes checked."""
    order = "<" if raw[126:128] == b"IM" else ">"
    wanted: list[str] = []
    left: list[str] = []
    place = 128
    room = limits.unpacked
    while place + 8 <= len(raw):
        kind, size = struct.unpack_from(f"{order}II", raw, place)
        if place + 8 + size > len(raw):
            raise DataError(f"{name}: the MATLAB file is cut short at byte {place}. {_SAVE}")
        body = raw[place + 8 : place + 8 + size]
        place += 8 + size
        if kind == _COMPRESSED:
            body = _inflated(body, name, limits, room)
            kind, size = struct.unpack_from(f"{order}II", body) if len(body) >= 8 else (0, 0)
            body = body[8 : 8 + size]
        room -= len(body)
        if room < 0:
            raise DataError(_too_large(name, limits))
        if kind != _MATRIX:
            raise DataError(f"{name}: the MATLAB file is damaged: no array at byte {place}. {_SAVE}")
        kind, shape, title, rest = _header(body, order, name)
        if len(wanted) + len(left) > 1000:
            raise DataError(f"{name}: it holds more than 1000 variables. {_SAVE}")
        cells = int(np.prod(shape, dtype=object))
        if cells > max(limits.cells, limits.side**2):
            raise DataError(
                f"{name}: {shortened(title)} announces {' × '.join(map(str, shape[:4]))} entries; expected at most "
                f"{limits.cells}. Draw a sample of the rows."
            )
        if title and (kind in _NUMBERS or (kind == 1 and _holds_words(rest, order))):
            wanted.append(title)
        elif title:
            left.append(f"{title} ({_CLASSES.get(kind, 'of an unknown class')})")
    return wanted, left


def _is_version_4(start: bytes) -> bool:
    """Whether a file begins with the five whole numbers of version 4: type, rows, columns, imaginary, name's length."""
    if len(start) < 20:
        return False
    for order in "<>":
        kind, rows, columns, imaginary, length = struct.unpack_from(f"{order}5i", start)
        digits = (kind // 1000, kind // 100 % 10, kind // 10 % 10, kind % 10)
        known = digits[0] == (order == ">") and digits[1] == 0 and digits[2] <= 5 and digits[3] <= 2
        if known and min(rows, columns) >= 0 and imaginary in (0, 1) and 2 <= length <= 64:
            title = start[20 : 20 + length]
            return title.endswith(b"\0") and title[:-1].replace(b"_", b"a").isalnum()
    return False


def _variables_4(raw: bytes, name: str, limits: Limits) -> tuple[list[str], list[str]]:
    """The same for a file of version 4, which is never compressed."""
    from scipy.io import whosmat

    try:
        found = whosmat(io.BytesIO(raw))
    except (ValueError, TypeError, OSError, LookupError, OverflowError, MemoryError) as error:
        raise DataError(f"{name}: the MATLAB file is damaged ({said(error)}). {_SAVE}") from None
    for title, shape, _ in found:
        if int(np.prod(shape, dtype=object)) > max(limits.cells, limits.side**2):
            raise DataError(f"{name}: {shortened(title)} announces {shape}; expected at most {limits.cells} entries.")
    return [title for title, _, _ in found], []


def _inflated(packed: bytes, name: str, limits: Limits, room: int) -> bytes:
    """What a compressed variable holds, never more than there is room for."""
    engine = zlib.decompressobj()
    parts: list[bytes] = []
    size = 0
    try:
        pending = packed
        while pending and not engine.eof:
            parts.append(engine.decompress(pending, _CHUNK))
            pending = engine.unconsumed_tail
            size += len(parts[-1])
            if size > room:
                raise DataError(_too_large(name, limits))
    except zlib.error as error:
        raise DataError(f"{name}: the MATLAB file is damaged ({said(error)}). {_SAVE}") from None
    return b"".join(parts)


def _too_large(name: str, limits: Limits) -> str:
    return (
        f"{name}: it expands to more than {size_words(limits.unpacked)}, the most that is unpacked. Draw a sample of "
        "its rows."
    )


def _header(body: bytes, order: str, name: str) -> tuple[int, tuple[int, ...], str, bytes]:
    """Class, shape and name of an array, and the bytes that follow them."""
    try:
        flags, place = _element(body, 0, order)
        sides, place = _element(body, place, order)
        title, place = _element(body, place, order)
        kind = struct.unpack_from(f"{order}I", flags)[0] & 0xFF
        shape = struct.unpack(f"{order}{len(sides) // 4}i", sides[: len(sides) // 4 * 4])
        if not 2 <= len(shape) <= 32 or min(shape) < 0:
            raise ValueError("its shape")
        return kind, shape, title.decode("latin-1"), body[place:]
    except (struct.error, ValueError) as error:
        raise DataError(f"{name}: the MATLAB file is damaged ({said(error)}). {_SAVE}") from None


def _element(body: bytes, place: int, order: str) -> tuple[bytes, int]:
    """The data of the element at a place, and the place of the next; small ones stand in their own tag."""
    tag = struct.unpack_from(f"{order}I", body, place)[0]
    if tag >> 16:
        size = tag >> 16
        if size > 4:
            raise ValueError("a small element of more than four bytes")
        return body[place + 4 : place + 4 + size], place + 8
    size = struct.unpack_from(f"{order}I", body, place + 4)[0]
    if place + 8 + size > len(body):
        raise ValueError("an element longer than its array")
    return body[place + 8 : place + 8 + size], place + 8 + (size + 7) // 8 * 8


def _holds_words(body: bytes, order: str) -> bool:
    """Whether a cell array holds words or numbers alone: nothing is nested, as a deep nest would exhaust the stack."""
    place = 0
    while place + 24 <= len(body):
        kind, size, _, _, flags = struct.unpack_from(f"{order}IIIII", body, place)
        if kind != _MATRIX or flags & 0xFF not in _NUMBERS:
            return False
        place += 8 + size
    return True


def _flat(found: Any, cells: int) -> Any:
    """A variable as numbers or words; one row or column as one dimension; None for what is neither."""
    if hasattr(found, "toarray"):
        if found.shape[0] * found.shape[1] > cells:
            return None
        # SciPy does not look at the row numbers of a file, and would write wherever they point.
        found = found.tocsc()
        found.check_format(full_check=True)
        found = found.toarray()
    if not isinstance(found, np.ndarray):
        return None
    if found.dtype.kind == "O":  # a cell array, of words if it is to be of use
        held = list(found.ravel())
        if not all(isinstance(cell, np.ndarray) and cell.dtype.kind in "SU" and cell.size <= 1 for cell in held):
            return None
        return np.array([str(cell.ravel()[0]) if cell.size else "" for cell in held], dtype=np.str_)
    if found.dtype.kind == "U":
        return np.array([str(word).rstrip() for word in found.ravel()], dtype=np.str_)
    if found.dtype.kind not in "iufb":
        return None
    return found.ravel() if found.ndim == 2 and 1 in found.shape and found.size > 1 else found


def _is_matlab(head: Head) -> str:
    if head.start.startswith(b"MATLAB 7.3 MAT-file"):
        return "It begins with MATLAB's mark"
    if head.start.startswith(b"MATLAB 5.0 MAT-file") or head.start[124:128] in (b"\x00\x01IM", b"\x01\x00MI"):
        return "It begins with MATLAB's mark"
    return "It begins as MATLAB's version 4 does" if _is_version_4(head.start) else ""


def _matlab(file: File, reason: str) -> Upload:
    if file.raw.startswith(b"MATLAB 7.3"):
        raise DataError(
            f"{file.name}: it is a MATLAB file of version 7.3, which is HDF5; read are versions up to 7. "
            "Save it with save('name.mat', 'X', 'y', '-v7')."
        )
    return of_arrays(read_matlab(file.raw, file.name, file.limits), file, "MATLAB arrays")


MATLAB = Format("MATLAB arrays", ("mat",), _is_matlab, _matlab)
