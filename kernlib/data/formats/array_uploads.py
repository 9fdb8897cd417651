"""Uploads of arrays by name, as NPY, NPZ and MATLAB files hold them: vectors with labels, or a square matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import DataError, TooManyEntriesError
from ...values.split import Split
from ..guesses import Choice, Guess
from ..reading import Upload
from ..uploads import listed, parser_errors, shortened, tamed
from .arrays import LABELS, Arrays, label_name, read_arrays
from .base import File, Format, Head
from .contents import Square, Vectors, is_symmetric, of_square

IDS = ("ids", "id", "names", "rownames", "row_names", "samples", "index")
COLUMNS = ("columns", "feature_names", "features", "colnames", "variables")
CLASSES = ("classes", "class_names", "label_names", "target_names", "classnames")


def of_arrays(arrays: Arrays, file: File, format: str) -> Upload:
    """Return an upload of the array of numbers named K, A or X, or the only one, with its labels, columns and splits.

    Raises DataError where there is none or several are possible, and for a domain that numbers cannot have.
    """
    arrays = _dense(arrays, file)
    key, matrix = _matrix_of(arrays, file)
    n = len(matrix)
    label = file.part if file.part in arrays and arrays[file.part].ndim == 1 else label_name(arrays, n)
    y = None if label is None else _named(arrays, label)
    ids, columns = _words(arrays, IDS, n), _words(arrays, COLUMNS, matrix.shape[1])
    used = {key, label, *(k for k in arrays if k.lower() in (*IDS, *COLUMNS))} | (
        {k for k in arrays if k.lower() in CLASSES} if label else set()
    )
    splits = _splits(arrays, n)
    guesses = _guesses(arrays, label, used | ({"train", "test"} if splits else set()), n)
    domain, square = file.domain, matrix.shape[0] == matrix.shape[1]
    as_matrix = domain in ("matrix", "node") or (domain is None and (key in ("K", "A") or is_symmetric(matrix)))
    if square and as_matrix and (key or domain or n > 2):
        chosen = domain or ("node" if key == "A" else None)
        return of_square(Square(file.name, matrix, ids, y), format, chosen, file.limits, guesses)
    if domain in ("matrix", "node"):
        raise DataError(
            f"{file.name}: the matrix must be square; got {' × '.join(map(str, matrix.shape))}. Save one row and "
            "one column per object."
        )
    if domain not in (None, "vector"):
        raise DataError(
            f"{file.name}: arrays of numbers hold vectors or a matrix; got domain {domain!r}. Leave it out."
        )
    reason = f"{f'The array {key!r}' if key else 'An array'} has {n} rows and {matrix.shape[1]} columns"
    reason += f"; {label!r} holds the labels." if label else "."
    vectors = Vectors(file.name, matrix, y, splits, columns, ids)
    return Upload(
        file.name, format, reason, "vector", ("vector", "matrix", "node") if square else ("vector",), None, file.limits,
        content=vectors, file_guesses=guesses,
    )  # fmt: skip


def _dense(arrays: Arrays, file: File) -> Arrays:
    """Return the matrix that `scipy.sparse.save_npz` wrote; other arrays unchanged."""
    parts = ("data", "indices", "indptr", "shape", "format")
    if not {*parts} <= {*arrays} or _plain(np.atleast_1d(arrays["format"]))[0] not in ("csr", "csc"):
        return arrays
    from scipy.sparse import csc_array, csr_array

    make = csr_array if _plain(np.atleast_1d(arrays["format"]))[0] == "csr" else csc_array
    with parser_errors(f"{file.name}: its sparse matrix is damaged", "Save it again."):
        rows, columns = (int(side) for side in arrays["shape"])
        if min(rows, columns) < 1 or rows * columns > file.limits.cells:
            raise TooManyEntriesError(
                f"{file.name}: its sparse matrix has {rows} × {columns} entries; expected at most {file.limits.cells}, "
                "as it becomes a dense matrix. Draw a sample of its rows, or choose columns.",
                (rows, columns),
            )
        matrix = make((arrays["data"], arrays["indices"], arrays["indptr"]), shape=(rows, columns))
        matrix.check_format(full_check=True)  # else invalid indices would write outside the array
    return {"X": matrix.toarray()} | {key: A for key, A in arrays.items() if key not in parts}


def _matrix_of(arrays: Arrays, file: File) -> tuple[str, npt.NDArray[Any]]:
    tables = {key: A for key, A in arrays.items() if A.ndim == 2 and A.dtype.kind in "iufb"}
    if file.part in tables:
        return file.part, tables[file.part]
    key = next((k for k in ("K", "A", "X") if k in tables), next(iter(tables)) if len(tables) == 1 else None)
    if key is not None:
        return key, tables[key]
    flat = next((k for k, A in arrays.items() if k in ("", "X") and A.ndim == 1 and A.dtype.kind in "iufb"), None)
    if flat is not None:
        return flat, arrays[flat].reshape(-1, 1)
    kinds = listed(f"{k or 'array'}: {A.dtype} {A.shape}" for k, A in arrays.items())
    raise DataError(
        f"{file.name}: expected numbers in rows and columns, named X (with y) or K; got {kinds}. Rename them."
    )


def _named(arrays: Arrays, label: str) -> npt.NDArray[Any]:
    """Return the labels, as names of classes where the file has one name for each of the codes 0…c−1 or 1…c."""
    y = arrays[label]
    names = next((A for k, A in arrays.items() if k.lower() in CLASSES and k != label and A.dtype.kind in "SU"), None)
    if names is None or names.ndim != 1 or y.dtype.kind not in "iufb" or not y.size or not np.isfinite(y).all():
        return y
    codes = y.astype(np.float64)
    first = int(codes.min())
    fits = first in (0, 1) and int(codes.max()) == first + len(names) - 1 and (codes == np.round(codes)).all()
    return np.array(tamed(_plain(names)), dtype=np.str_)[codes.astype(np.int64) - first] if fits else y


def _words(arrays: Arrays, called: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Return the names of rows or columns, where an array of that name has one word or whole number for each."""
    array = next((A for k, A in arrays.items() if k.lower() in called and A.shape == (count,)), None)
    if array is None or array.dtype.kind not in "SUiu":
        return ()
    return tuple(tamed(_plain(array)))


def _plain(words: npt.NDArray[Any]) -> list[str]:
    return [word.decode("utf-8", "replace") if isinstance(word, bytes) else str(word) for word in words.tolist()]


def _guesses(arrays: Arrays, label: str | None, used: set[str | None], n: int) -> tuple[Guess, ...]:
    """Return which arrays are not used, and a question if several arrays could be the labels."""
    others = [k for k, A in arrays.items() if k not in used and A.shape == (n,)]
    others = [k for k in others if label is None or k.lower() in LABELS]
    guesses: tuple[Guess, ...] = ()
    if others:
        sentence = "No array is named as labels" if label is None else f"{shortened(label)} is read as the labels"
        sentence += f"; {listed(shortened(k) for k in others)} could be."
        guesses = (Guess(sentence, tuple(Choice(f"Take {shortened(k)}", part=k) for k in others[:5]), question=True),)
    unused = {k: A.shape for k, A in arrays.items() if k not in (*used, *others)}
    left = [f"{k} ({' × '.join(map(str, shape)) or 'one value'})" for k, shape in unused.items()]
    return (*guesses, Guess(f"Not used: {listed(left)}.")) if left else guesses


def _splits(arrays: Arrays, n: int) -> tuple[Split, ...]:
    """Return published splits from the arrays train and test, one line of row numbers per split."""
    train, test = arrays.get("train"), arrays.get("test")
    if train is None or test is None or train.ndim != 2 or test.ndim != 2 or len(train) != len(test):
        return ()
    if train.dtype.kind not in "iu" or test.dtype.kind not in "iu" or not train.size or not test.size:
        return ()
    if min(train.min(), test.min()) < 0 or max(train.max(), test.max()) >= n or len(train) > 1000:
        return ()
    return tuple(Split(str(i + 1), a, b) for i, (a, b) in enumerate(zip(train, test, strict=True)))


def _is_npy(head: Head) -> str:
    return "It begins with NumPy's mark" if head.start.startswith(b"\x93NUMPY") else ""


def _is_npz(head: Head) -> str:
    return "A zip of NPY arrays" if any(member.endswith(".npy") for member in head.members) else ""


def _arrays(file: File, reason: str) -> Upload:
    format = "NPZ arrays" if file.is_zip else "NPY array"
    return of_arrays(read_arrays(file.raw, file.name, file.limits), file, format)


NPY = Format("NPY array", ("npy",), _is_npy, _arrays, "binary")
NPZ = Format("NPZ arrays", ("npz",), _is_npz, _arrays, "zip")
