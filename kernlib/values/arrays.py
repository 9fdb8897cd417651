"""The array types that signatures speak of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Any NumPy array; a docstring tells shape and kind of entries.
Array = NDArray[Any]
#: Numbers of rows, from 0 on.
RowNumbers = NDArray[np.intp]


def kept(rows: Any) -> Any:
    """Return rows that a fitted or bound kernel may keep: what the caller writes into its own changes nothing here."""
    if not isinstance(rows, np.ndarray):
        return rows.copy() if hasattr(rows, "copy") else rows
    if rows.flags.writeable:
        rows = rows.copy()
        rows.flags.writeable = False
    return rows
