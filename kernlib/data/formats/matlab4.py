"""MATLAB files of version 4, never compressed, which SciPy reads in plain Python."""

from __future__ import annotations

import io
import struct
import warnings

import numpy as np

from ...errors import DataError, TooManyEntriesError
from ..uploads import Limits, parser_errors, shortened
from .arrays import Arrays


def is_version_4(start: bytes) -> bool:
    """Return whether a file begins with version 4's five integers: type, rows, columns, imaginary, name's length."""
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


def read_version_4(raw: bytes, name: str, limits: Limits) -> Arrays:
    """Return the arrays of numbers and words by name.

    Raises DataError for a damaged file and for more entries than allowed.
    """
    from scipy.io import loadmat, whosmat

    damaged = parser_errors(f"{name}: the MATLAB file is damaged", "Save it by save -v7.")
    # SciPy warns of a byte order that it does not read; what it deprecates is no damage.
    with damaged, warnings.catch_warnings(action="error", category=UserWarning):
        warnings.simplefilter("ignore", DeprecationWarning)
        for title, shape, _ in whosmat(io.BytesIO(raw)):
            if int(np.prod(shape, dtype=object)) > max(limits.cells, limits.side**2):
                raise TooManyEntriesError(
                    f"{name}: {shortened(title)} announces {' × '.join(map(str, shape))} entries; expected at most "
                    f"{limits.cells}. Draw a sample of the rows.",
                    shape,
                )
        variables = loadmat(io.BytesIO(raw))
    dense = {key: A.toarray() if hasattr(A, "toarray") else A for key, A in variables.items()}
    arrays = {key: A for key, A in dense.items() if isinstance(A, np.ndarray) and A.dtype.kind in "iufbU"}
    if not arrays:
        raise DataError(f"{name}: it holds no arrays of numbers. Save it by save -v7.")
    return {key: np.char.rstrip(A) if A.dtype.kind == "U" else A for key, A in arrays.items()}
