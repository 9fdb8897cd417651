"""Arrays of NPY, NPZ, Matrix Market and MATLAB files, checked before any number is read, never unpickled."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from ...errors import DataError, TooManyEntriesError
from ...values.words import size_in_words
from ..files import File, Limits, listed, opened_zip, parser_errors, sanitize_name
from ..table import GROUPS, IDS, LABELS, Table, table_of_columns

#: Names of arrays of the rows' names and of the columns'.
_IDS = (*IDS, "names", "rownames", "row_names", "samples")
COLUMNS = ("columns", "feature_names", "features", "colnames", "variables")

Arrays = dict[str, npt.NDArray[Any]]


def _array(opened: Callable[[], IO[bytes]], size: int, who: str, limits: Limits) -> npt.NDArray[Any]:
    """Return an array of an NPY stream of `size` bytes, its header checked before its numbers are read."""
    # NumPy warns about headers written by Python 2, here and where it reads the numbers.
    damaged = parser_errors(f"{who}: the NPY header cannot be read", "Save it with numpy.save.")
    with damaged, warnings.catch_warnings(action="ignore"), opened() as stream:
        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(stream)
    if dtype.kind not in "iufbcSU" or dtype.itemsize > 4 * limits.letters:
        what = "pickled Python objects, which are never opened" if dtype.hasobject else str(dtype)
        raise DataError(f"{who}: it holds {what}; expected plain numbers. Save it as a float array.")
    count = int(np.prod(shape, dtype=object))
    # A square matrix is limited by its side, a table by its number of cells.
    square = len(shape) == 2 and shape[0] == shape[1]
    if (square and shape[0] > limits.side) or count > max(limits.cells, limits.side**2):
        raise TooManyEntriesError(
            f"{who}: its header announces {' × '.join(map(str, shape))} entries; expected at most "
            f"{limits.side} × {limits.side}. Draw a sample of the rows.",
            shape,
        )
    announced = count * dtype.itemsize
    if not 0 <= announced <= size <= announced + 65_536:
        raise DataError(
            f"{who} is damaged or cut short: {announced} bytes announced, {size} there. Save it again with numpy.save."
        )
    damaged = parser_errors(f"{who} is damaged or cut short", "Save it again with numpy.save.")
    with damaged, warnings.catch_warnings(action="ignore"), opened() as stream:
        A = np.asarray(np.lib.format.read_array(stream, allow_pickle=False))
        if A.dtype.kind == "U":
            A.tolist()  # fails for invalid Unicode, which NumPy does not check
        return A


def read_arrays(raw: bytes, name: str, limits: Limits) -> Arrays:
    """Return the arrays of an NPZ by name, or the one of an NPY under the name "".

    Raises DataError for pickles, too many entries, a damaged or cut file, more bytes than the header announces.

    >>> stream = io.BytesIO()
    >>> np.savez(stream, X=np.eye(2), y=[0, 1])
    >>> sorted(read_arrays(stream.getvalue(), "t.npz", Limits()))
    ['X', 'y']
    """
    if raw[:6] == b"\x93NUMPY":
        return {"": _array(lambda: io.BytesIO(raw), len(raw), f"{name}: the array", limits)}
    archive, entries = opened_zip(raw, name, limits)
    members = {m.filename.removesuffix(".npy"): m for m in entries if m.filename.endswith(".npy")}
    with parser_errors(f"{name}: the archive is damaged", "Save it again with numpy.savez."), archive:
        return {
            key: _array(partial(archive.open, m), m.file_size, f"{name}: array {key!r}", limits)
            for key, m in members.items()
        }


def table_of_arrays(arrays: Arrays, file: File, container: str) -> Table:
    """Return the table of the array of numbers named K, A or X, of the one asked for, or of the only one.

    Arrays of one entry for each row are columns beside it: labels, names of rows, groups, and others under their names.

    Raises DataError where there is no such array.

    >>> table_of_arrays({"X": np.eye(2), "y": np.array([0, 1])}, File("t.npz", b""), "NPZ").names
    ('y', 'x1', 'x2')
    """
    if "indptr" in arrays:
        raise DataError(f"{file.name}: it holds a sparse matrix, which is not read. Save X.toarray() with numpy.savez.")
    tables = {key: A for key, A in arrays.items() if A.ndim == 2 and A.dtype.kind in "iufb" and A.size}
    flat = {key: A for key, A in arrays.items() if A.ndim == 1 and A.dtype.kind in "iufb" and A.size}
    best = next((k for k in ("K", "A", "X", "") if k in tables), next(iter(tables), next(iter(flat), None)))
    key = file.asked("part") if file.asked("part") in {**tables, **flat} else best
    if key is None:
        kinds = listed(f"{k or 'array'}: {A.dtype} {A.shape}" for k, A in arrays.items())
        raise DataError(
            f"{file.name}: expected numbers in rows and columns, named X (with y) or K; got {kinds}. Rename them."
        )
    matrix = tables[key] if key in tables else flat[key].reshape(-1, 1)
    n, width = matrix.shape
    names: dict[str, Any] = {}
    declared: dict[str, str] = {}
    titles: tuple[str, ...] = ()
    used = {key}
    for other, A in arrays.items():
        low = other.lower()
        if other in used:
            continue
        if A.ndim == 2 and low in LABELS and A.shape[1] > 1 and set(np.unique(A)) == {0, 1} == {*A.sum(axis=1), 0}:
            A = A.argmax(axis=1)  # one-hot
        if low in COLUMNS and A.shape == (width,) and A.dtype.kind in "SUiu":
            titles = tuple(_words(A))
        elif A.shape == (n,) and A.dtype.kind in "SUiufb":
            names[other] = A
            role = "predict" if low in LABELS else "id" if low in _IDS else "group" if low in GROUPS else "left out"
            declared[other] = role if role not in declared.values() else "left out"
        else:
            continue
        used.add(other)
    unused = [f"{k} ({' × '.join(map(str, A.shape)) or 'one value'})" for k, A in arrays.items() if k not in used]
    columns = [_words(A) if A.dtype.kind in "SU" else A for A in names.values()]
    return table_of_columns(
        file.name,
        [*names, *(titles or (f"x{j + 1}" for j in range(width)))],
        [*columns, *matrix.T],
        container=f"{container}, {key}" if key else container,
        named=bool(titles),
        declared=declared,
        others=tuple(k for k in tables if k != key),
        notes=(f"Not used: {listed(unused)}.",) if unused else (),
        limits=file.limits,
    )


def _words(words: npt.NDArray[Any]) -> list[str]:
    return [word.decode("utf-8", "replace") if isinstance(word, bytes) else str(word) for word in words.tolist()]


def read_numpy(file: File) -> Table:
    return table_of_arrays(read_arrays(file.raw, file.name, file.limits), file, "NPZ" if file.is_zip else "NPY array")


# Files that SciPy reads in a process of its own: a damaged one may take all memory, or end the process.

_SAVE = "Write it again; in MATLAB X, y or K alone: save('name.mat', 'X', 'y', '-v7')."
#: Seconds and bytes of memory that the process may take.
_SECONDS, _MEMORY = 20, 2 * 2**30


def read_scipy(file: File) -> Table:
    """Return the arrays of numbers and words of a MATLAB or Matrix Market file; what a sparse one leaves out is 0."""
    name, limits = file.name, file.limits
    market = file.head.startswith("%%")
    what = "Matrix Market" if market else "MATLAB"
    command = [sys.executable, "-m", __name__, str(limits.unpacked), str(limits.letters), what]
    paths = [path for path in sys.path if path] + [os.getcwd()]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
    raw = file.raw.lstrip() if market else file.raw
    try:
        done = subprocess.run(command, input=raw, capture_output=True, timeout=_SECONDS, env=environment, check=False)
    except subprocess.TimeoutExpired:
        raise DataError(f"{name}: reading it takes more than {_SECONDS} seconds. {_SAVE}") from None
    words = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    if done.returncode:
        why = words[0] if done.returncode == 3 and words else f"the {what} file is damaged."
        raise DataError(f"{name}: {why} {_SAVE}")
    arrays = read_arrays(done.stdout, name, limits)
    flat = {key: A.ravel() if A.ndim == 2 and 1 in A.shape and A.size > 1 else A for key, A in arrays.items()}
    return table_of_arrays(flat, file, what)


def _main(unpacked: int, letters: int, what: str) -> None:
    """Read a file from the standard input and write its arrays to the standard output as NPZ."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    from scipy.io import loadmat, mmread

    content = io.BytesIO(sys.stdin.buffer.read())
    variables = {"": mmread(content)} if what == "Matrix Market" else loadmat(content, chars_as_strings=True)
    arrays: dict[str, Any] = {}
    left: list[str] = []
    for key, value in variables.items():
        if key.startswith("__"):
            continue
        if hasattr(value, "toarray") and what == "Matrix Market":
            if value.shape[0] * value.shape[1] * 8 > unpacked:
                _refuse(f"as a dense matrix it takes more than {size_in_words(unpacked)}, the maximum.")
            value = value.toarray()
        A = _matlab_words(value) if isinstance(value, np.ndarray) and value.dtype.kind in "OU" else value
        if isinstance(A, np.ndarray) and A.dtype.kind in "iufbU" and A.dtype.itemsize < 4 * letters:
            arrays[key] = A
        else:
            left.append(f"{key} ({type(value).__name__})")
    size = sum(A.nbytes for A in arrays.values())
    if size > unpacked:
        _refuse(f"it expands to more than {size_in_words(unpacked)}, the maximum.")
    if not arrays:
        _refuse(f"it holds {listed(left) or 'nothing'}; expected arrays of numbers.")
    np.savez(sys.stdout.buffer, allow_pickle=False, **arrays)


def _matlab_words(value: Any) -> Any:
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


if __name__ == "__main__":
    _main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
