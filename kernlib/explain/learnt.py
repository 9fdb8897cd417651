"""What fitted steps have learnt, as explanations and feature maps both need it."""

from __future__ import annotations

from typing import Any, cast

from ..core.base import Kernel
from ..core.steps import RowStep
from ..kernels.columns import On
from ..kernels.encodings import Encoded
from ..values.arrays import Array
from ..wrappers.empirical import Empirical
from ..wrappers.repaired import Repaired


def landmarks(kernel: Empirical | Repaired) -> tuple[Kernel, Array]:
    """Return the kernel under an empirical map, and the landmarks of the map."""
    map_ = cast(Any, kernel.stands_for)
    return map_.kernel, map_.kept_rows


def columns_after(kernel: RowStep, rows: Array, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the columns after a step that changes the rows."""
    if isinstance(kernel, On):
        known = max(kernel.columns) < len(columns)
        return tuple(columns[c] if known else f"x{c + 1}" for c in kernel.columns)
    if not isinstance(kernel, Encoded):
        return columns
    places = range(1, len(rows[0]) + 1)
    if kernel.encoding == "naive":
        return tuple(f"place {p}" for p in places)
    return tuple(f"place {p} is {letter}" for p in places for letter in kernel.alphabet)
