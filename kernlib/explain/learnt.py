"""What fitted steps have learnt, as explanations and feature maps both need it."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from ..core.base import Kernel
from ..core.steps import RowStep
from ..kernels.columns import On
from ..kernels.encodings import Encoded
from ..kernels.mixture import Mixture
from ..kernels.vectors import RBF
from ..values.arrays import Array
from ..values.words import number
from ..wrappers.empirical import Empirical
from ..wrappers.repaired import Repaired
from .explanation import Part, Total, Words


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


def weights_in_kernel(kernel: Kernel, X: Any, columns: tuple[str, ...] = ()) -> list[Total]:
    """Return the weights inside a fitted kernel as sums of parts: relevances of columns, weights of a mixture.

    The relevance of a column is (s/σ)², with its standard deviation s over the rows `X` (n, d) and its width σ: how far
    an ordinary difference in this column lowers the value.

    >>> from kernlib import RBF
    >>> [total] = weights_in_kernel(RBF(sigma=(1.0, 2.0)), np.array([[0.0, 0.0], [2.0, 2.0]]), ("a", "b"))
    >>> total.parts
    (Part(text='a: width σ = 1', value=1.0), Part(text='b: width σ = 2', value=0.25))
    """
    found: list[Total] = []
    if isinstance(kernel, RBF) and isinstance(widths := kernel.width(), np.ndarray):
        table = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind == "f"
        spread = X.std(axis=0) if table else np.ones(len(widths))
        words = Words(columns)
        found.append(_total("Relevance of each column", _RELEVANT, [
            Part(f"{words.column(c, len(widths))}: width σ = {number(width)}", float(s / width) ** 2)
            for c, (width, s) in enumerate(zip(widths.tolist(), spread.tolist(), strict=True))
        ]))  # fmt: skip
    if isinstance(kernel, Mixture):
        weighed = zip(kernel.kernels, kernel.used_weights(), strict=True)
        found.append(_total("Weight of each kernel", _WEIGHTS, [Part(" → ".join(k.chain()), w) for k, w in weighed]))
    if isinstance(kernel, RowStep):
        X, columns = kernel.map_rows(X), columns_after(kernel, X, columns)
    return found + [total for child in kernel.children for total in weights_in_kernel(child, X, columns)]


_RELEVANT = (
    "Relevance (s/σ)² of each column: s is the standard deviation of its values, σ its width. A column with a short "
    "bar hardly changes the kernel."
)
_WEIGHTS = (
    "Weight of each kernel in the mixture. Kernels that agree share their weight; many get none. A kernel of large "
    "values needs a small weight."
)


def _total(title: str, look_for: str, parts: list[Part]) -> Total:
    return Total(title, tuple(parts), math.fsum(part.value for part in parts), look_for)
