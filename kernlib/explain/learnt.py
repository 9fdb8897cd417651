"""What fitted kernels have learnt, as explanations need it: the one place that looks into their state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ..core.base import Kernel
from ..core.steps import RowStep
from ..kernels.columns import On
from ..kernels.encodings import Encoded
from ..kernels.mismatch import Mismatch
from ..kernels.vectors import RBF
from ..values.arrays import Array
from ..wrappers.centered import Centered
from ..wrappers.empirical import Empirical
from ..wrappers.repaired import Repaired


def width(kernel: RBF) -> float:
    """Return σ, given or learnt."""
    return kernel.width()


def alphabet(kernel: Mismatch) -> str:
    """Return Σ, given or learnt."""
    return cast(str, kernel.state if kernel.alphabet is None else kernel.alphabet)


def landmarks(kernel: Empirical | Repaired) -> tuple[Kernel, Array]:
    """Return the kernel under an empirical map, and the landmarks of the map."""
    map_ = cast(Any, kernel.stands_for)
    return map_.kernel, map_.kept_rows


def means(kernel: Centered) -> tuple[Array, float]:
    """Return the training rows, and their mean similarity m̄."""
    return cast(Array, kernel.kept_rows), float(kernel.state)


def change_of_rows(kernel: RowStep, columns: tuple[str, ...]) -> tuple[
    Callable[[Any], Any], tuple[str, ...]
]:  # fmt: skip
    """Return what a step does to rows before its kernel reads them, and the columns' names from then on."""
    if isinstance(kernel, On):
        known = max(kernel.columns) < len(columns)
        columns = tuple(columns[c] if known else f"x{c + 1}" for c in kernel.columns)
    return kernel.map_rows, () if isinstance(kernel, Encoded) else columns


def encoded_columns(kernel: Encoded, letters: int) -> tuple[str, ...]:
    """Return names of the columns that an encoding makes of strings of this length."""
    if kernel.encoding == "naive":
        return tuple(f"place {p + 1}" for p in range(letters))
    return tuple(f"place {p + 1} is {letter}" for p in range(letters) for letter in kernel.alphabet)
