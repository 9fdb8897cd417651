"""MATLAB files of versions 5 to 7, by SciPy in a process of its own: one changed byte can crash SciPy's reader."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import Any

import numpy as np

from ...errors import DataError
from ..table import Part
from ..uploads import Limits, listed, sanitize_name, size_words
from .arrays import Arrays, read_arrays, table_of_arrays
from .base import Container, File

_SAVE = "Save X, y or K alone: save('name.mat', 'X', 'y', '-v7')."
#: Seconds and bytes of memory that the process may take.
_SECONDS, _MEMORY = 20, 2 * 2**30


def _matlab(file: File) -> Part:
    if file.raw.startswith(b"MATLAB 7.3"):
        raise DataError(
            f"{file.name}: it is a MATLAB file of version 7.3, which is HDF5; read are versions up to 7. "
            "Save it with save('name.mat', 'X', 'y', '-v7')."
        )
    return table_of_arrays(read_matlab(file.raw, file.name, file.limits), file, "MATLAB")


def read_matlab(raw: bytes, name: str, limits: Limits) -> Arrays:
    """Return the arrays of numbers and words of a MATLAB file; DataError for a damaged file, and beyond the limits."""
    command = [sys.executable, "-m", __name__, str(limits.unpacked), str(limits.letters)]
    paths = [path for path in sys.path if path] + [os.getcwd()]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(command, input=raw, capture_output=True, timeout=_SECONDS, env=environment, check=False)
    except subprocess.TimeoutExpired:
        raise DataError(f"{name}: reading it takes more than {_SECONDS} seconds. {_SAVE}") from None
    words = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    if done.returncode == 3 and words:
        raise DataError(f"{name}: {words[0]} {_SAVE}")
    if done.returncode:
        raise DataError(f"{name}: the MATLAB file is damaged. {_SAVE}")
    arrays = read_arrays(done.stdout, name, limits)
    return {key: A.ravel() if A.ndim == 2 and 1 in A.shape and A.size > 1 else A for key, A in arrays.items()}


def _main(unpacked: int, letters: int) -> None:
    """Read a MATLAB file from the standard input and write its arrays to the standard output as NPZ."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    from scipy.io import loadmat

    variables = loadmat(io.BytesIO(sys.stdin.buffer.read()), chars_as_strings=True)
    arrays: dict[str, Any] = {}
    left: list[str] = []
    for key, value in variables.items():
        if key.startswith("__"):
            continue
        A = _words(value) if isinstance(value, np.ndarray) and value.dtype.kind in "OU" else value
        if (
            isinstance(A, np.ndarray)
            and A.dtype.kind in "iufbU"
            and A.dtype.itemsize < 4 * letters
            and len(arrays) < 20
        ):
            arrays[key] = A
        else:
            left.append(f"{key} ({type(value).__name__})")
    size = sum(A.nbytes for A in arrays.values())
    if size > unpacked:
        _refuse(f"it expands to more than {size_words(unpacked)}, the maximum.")
    if not arrays:
        _refuse(f"it holds {listed(left) or 'nothing'}; expected arrays of numbers.")
    np.savez(sys.stdout.buffer, allow_pickle=False, **arrays)


def _words(value: Any) -> Any:
    """Return rows of letters, or a cell array of words, as words; the value itself where it holds something else."""
    if value.dtype.kind == "U":
        return np.array([word.rstrip() for word in value.ravel().tolist()], dtype=np.str_)
    cells = value.ravel().tolist()
    if not all(isinstance(cell, np.ndarray) and cell.dtype.kind == "U" and cell.size < 2 for cell in cells):
        return value
    return np.array([str(cell.item()) if cell.size else "" for cell in cells], dtype=np.str_)


def _refuse(sentence: str) -> None:
    print(sanitize_name(sentence, 500), file=sys.stderr)
    raise SystemExit(3)


def _is_matlab(file: File) -> bool:
    marks = file.raw.startswith((b"MATLAB 5.0 MAT-file", b"MATLAB 7.3 MAT-file"))
    return marks or file.raw[124:128] in (b"\x00\x01IM", b"\x01\x00MI")


MATLAB = Container("MATLAB arrays", _is_matlab, _matlab, "binary")

if __name__ == "__main__":
    _main(int(sys.argv[1]), int(sys.argv[2]))
