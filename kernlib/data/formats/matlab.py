"""MATLAB files up to version 7: variables of numbers, words and cells of words.

SciPy writes these files and reads those of version 4. Its reader of versions 5 to 7 does not check the file: one
changed byte can crash the process, which an upload must not do. The tests compare this reader with SciPy's.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ..reading import Upload
from ..uploads import Limits, listed, parser_errors, shortened, size_words
from .array_uploads import of_arrays
from .arrays import Arrays
from .base import File, Format, Head
from .matlab4 import is_version_4, read_version_4

_MATRIX, _COMPRESSED = 14, 15
_CELL, _STRUCT, _OBJECT, _CHAR, _SPARSE = 1, 2, 3, 4, 5
_OTHERS = {_CELL: "cell array", _STRUCT: "struct", _OBJECT: "object", 16: "function", 17: "object"}
#: Types of numbers in MATLAB by class number; the stored type may be smaller.
_CLASSES = {
    6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8",
}  # fmt: skip
#: Stored types of numbers by element type.
_STORED = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_ENCODED = {16: "utf-8", 17: "utf-16", 18: "utf-32"}
_SAVE = "Save X, y or K alone: save('name.mat', 'X', 'y', '-v7')."


class _Damaged(ValueError):
    """The file contradicts itself; the message gives the place."""


@dataclass(frozen=True, eq=False)
class _Variable:
    """One variable of the file: name, class, flags, shape, and the bytes of its parts."""

    name: str
    kind: int
    flags: int
    shape: tuple[int, ...]
    parts: bytes
    order: str

    @property
    def size(self) -> int:
        """Return the number of its entries."""
        return int(np.prod(self.shape, dtype=object))


def read_matlab(raw: bytes, name: str, limits: Limits) -> Arrays:
    """Return the arrays of numbers and words of a MATLAB file, columns and rows of one dimension made flat.

    Raises DataError for a damaged file, for a file of structs and objects only, and beyond the limits.

    >>> import io
    >>> from scipy.io import savemat
    >>> stream = io.BytesIO()
    >>> savemat(stream, {"X": np.eye(3)[:2], "y": ["a", "b"]})
    >>> sorted(read_matlab(stream.getvalue(), "t.mat", Limits()).items())[1]
    ('y', array(['a', 'b'], dtype='<U1'))
    """
    if is_version_4(raw):
        return {key: _flat(A) for key, A in read_version_4(raw, name, limits).items()}
    arrays: Arrays = {}
    left: list[str] = []
    with parser_errors(f"{name}: the MATLAB file is damaged", _SAVE):
        for variable in _variables(raw, name, limits):
            if not variable.name:
                continue  # internal to MATLAB
            _check(variable, name, limits)
            value = _value(variable)
            if value is None:
                left.append(f"{variable.name} ({_OTHERS.get(variable.kind, 'of another kind')})")
            else:
                arrays[variable.name] = _flat(value)
            if len(arrays) + len(left) > 1000:
                raise DataError(f"{name}: it holds more than 1000 variables. {_SAVE}")
    if not arrays:
        raise DataError(f"{name}: it holds {listed(left) or 'nothing'}; expected arrays of numbers. {_SAVE}")
    return arrays


def _variables(raw: bytes, name: str, limits: Limits) -> Iterator[_Variable]:
    """Yield the variables one by one, each unpacked within the remaining limit."""
    order = "<" if raw[126:128] == b"IM" else ">"
    place, room = 128, limits.unpacked
    while place + 8 <= len(raw):
        kind, size = struct.unpack_from(f"{order}II", raw, place)
        if place + 8 + size > len(raw):
            raise _Damaged(f"cut short at byte {place}")
        body = raw[place + 8 : place + 8 + size]
        place += 8 + size
        compressed = kind == _COMPRESSED
        if compressed:
            body = zlib.decompressobj().decompress(body, room + 1)  # one byte more than allowed, which is refused
        room -= len(body)
        if room < 0:
            most = size_words(limits.unpacked)
            raise DataError(f"{name}: it expands to more than {most}, the maximum. Draw a sample of its rows.")
        if compressed:
            kind, size = struct.unpack_from(f"{order}II", body)
            body = body[8 : 8 + size]
        if kind != _MATRIX:
            raise _Damaged(f"no variable before byte {place}")
        yield _header(body, order)


def _check(variable: _Variable, name: str, limits: Limits) -> None:
    if variable.size > max(limits.cells, limits.side**2):
        sides = " × ".join(map(str, variable.shape[:4]))
        raise DataError(
            f"{name}: {shortened(variable.name)} announces {sides} entries; expected at most {limits.cells}. Draw a "
            "sample of the rows."
        )


def _header(body: bytes, order: str) -> _Variable:
    """Return class, flags, shape and name of a variable, and the bytes after them."""
    _, flags, place = _element(body, 0, order)
    _, sides, place = _element(body, place, order)
    _, title, place = _element(body, place, order)
    word = struct.unpack_from(f"{order}I", flags)[0]
    shape = struct.unpack(f"{order}{len(sides) // 4}i", sides[: len(sides) // 4 * 4])
    if not 2 <= len(shape) <= 32 or min(shape) < 0:
        raise _Damaged("an invalid shape")
    return _Variable(title.decode("latin-1"), word & 0xFF, word >> 8, shape, body[place:], order)


def _element(body: bytes, place: int, order: str) -> tuple[int, bytes, int]:
    """Return type and data of the element at an offset, and the next offset; a small element is inside its tag."""
    tag = struct.unpack_from(f"{order}I", body, place)[0]
    if tag >> 16:
        if tag >> 16 > 4 or place + 8 > len(body):
            raise _Damaged("an invalid small element")
        return tag & 0xFFFF, body[place + 4 : place + 4 + (tag >> 16)], place + 8
    size = struct.unpack_from(f"{order}I", body, place + 4)[0]
    if place + 8 + size > len(body):
        raise _Damaged("an element longer than its variable")
    return tag, body[place + 8 : place + 8 + size], place + 8 + (size + 7) // 8 * 8


def _value(variable: _Variable) -> npt.NDArray[Any] | None:
    """Return the numbers or words of a variable in its shape; None for other kinds."""
    if variable.kind == _CHAR:
        return _words(variable)
    if variable.kind == _CELL:
        return _cell_words(variable)
    if variable.flags & 0x08:  # complex
        return None
    if variable.kind == _SPARSE:
        return _sparse(variable)
    if variable.kind not in _CLASSES:
        return None
    values, _ = _numbers(variable, 0, variable.size)
    # A flag marks numbers that mean true and false.
    values = values.astype(bool if variable.flags & 0x02 else _CLASSES[variable.kind])
    return values.reshape(variable.shape, order="F")


def _numbers(variable: _Variable, place: int, count: int | None = None) -> tuple[npt.NDArray[Any], int]:
    """Return the `count` numbers of the element at an offset, and the next offset."""
    kind, data, place = _element(variable.parts, place, variable.order)
    if kind not in _STORED:
        raise _Damaged(f"numbers of the unknown type {kind}")
    stored = np.dtype(variable.order + _STORED[kind])
    if len(data) % stored.itemsize or count not in (None, len(data) // stored.itemsize):
        raise _Damaged(f"{shortened(variable.name)} has another number of entries than it announces")
    return np.frombuffer(data, stored), place


def _words(variable: _Variable) -> npt.NDArray[Any]:
    """Return a word per row of letters, which MATLAB stores column by column."""
    if not variable.size:
        return np.array([""] * (variable.shape[0] or 1), dtype=np.str_)
    kind, data, _ = _element(variable.parts, 0, variable.order)
    if kind in _ENCODED:
        ending = "" if kind == 16 else "-le" if variable.order == "<" else "-be"
        letters = list(data.decode(_ENCODED[kind] + ending))
    else:
        codes, _ = _numbers(variable, 0)
        # Two codes of UTF-16 can be one letter; MATLAB counts them as two, so they stay apart as marks.
        letters = [chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd" for code in codes.astype(np.int64) & 0xFFFF]
    if len(letters) != variable.size:
        if len(variable.shape) != 2 or variable.shape[0] != 1:
            raise _Damaged(f"{shortened(variable.name)} has another number of letters than it announces")
        return np.array(["".join(letters)], dtype=np.str_)
    rows = variable.shape[0]
    return np.array(["".join(letters[i::rows]).rstrip() for i in range(rows)], dtype=np.str_)


def _cell_words(variable: _Variable) -> npt.NDArray[Any] | None:
    """Return the words of a cell array; None where a cell holds something else. Cells in cells are not followed."""
    words: list[str] = []
    place = 0
    while place + 8 <= len(variable.parts) and len(words) < variable.size:
        kind, body, place = _element(variable.parts, place, variable.order)
        if kind != _MATRIX:
            raise _Damaged(f"{shortened(variable.name)} holds an invalid cell")
        cell = _header(body, variable.order)
        if cell.size and (cell.kind != _CHAR or cell.size > len(body)):
            return None
        word = _words(cell) if cell.size else [""]
        if len(word) != 1:
            return None
        words.append(str(word[0]))
    return np.array(words, dtype=np.str_) if words and len(words) == variable.size else None


def _sparse(variable: _Variable) -> npt.NDArray[Any]:
    from scipy.sparse import csc_array

    rows, place = _numbers(variable, 0)
    starts, place = _numbers(variable, place)
    values, _ = _numbers(variable, place)
    used = int(starts[-1]) if starts.size else 0  # more may be allocated
    matrix = csc_array(
        (values[:used].astype(np.float64), rows[:used].astype(np.int64), starts.astype(np.int64)),
        shape=variable.shape,
    )
    matrix.check_format(full_check=True)  # else invalid indices would write outside the array
    dense: npt.NDArray[Any] = matrix.toarray()
    return dense


def _flat(A: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a single row or column as one dimension."""
    return A.ravel() if A.ndim == 2 and 1 in A.shape and A.size > 1 else A


def _is_matlab(head: Head) -> str:
    if head.start.startswith((b"MATLAB 5.0 MAT-file", b"MATLAB 7.3 MAT-file")):
        return "It begins with MATLAB's mark"
    if head.start[124:128] in (b"\x00\x01IM", b"\x01\x00MI"):
        return "It begins with MATLAB's mark"
    return "It begins as MATLAB's version 4 does" if is_version_4(head.start) else ""


def _matlab(file: File, reason: str) -> Upload:
    if file.raw.startswith(b"MATLAB 7.3"):
        raise DataError(
            f"{file.name}: it is a MATLAB file of version 7.3, which is HDF5; read are versions up to 7. "
            "Save it with save('name.mat', 'X', 'y', '-v7')."
        )
    return of_arrays(read_matlab(file.raw, file.name, file.limits), file, "MATLAB arrays")


MATLAB = Format("MATLAB arrays", ("mat",), _is_matlab, _matlab, "binary")
