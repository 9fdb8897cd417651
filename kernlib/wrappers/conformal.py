"""Conformal transformations: every row rescaled in feature space; a positive factor keeps angles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from ..core.steps import MatrixStep, Side
from ..errors import DegenerateError
from ..values.arrays import Array
from ..values.declare import one_of
from .normalized import inverse_length

#: Functions f by name, of a row's squared length k(x, x), (n,) → (n,); any other f is given as a callable.
FUNCTIONS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {
        "inverse-norm": inverse_length,
        "gaussian": lambda d: np.exp(-0.5 * np.maximum(d, 0.0)),
        "norm": lambda d: np.sqrt(np.maximum(d, 0.0)),
    }
)


class _Tabulated:
    """The values of a callable f on the bound rows, as a function of row numbers."""

    def __init__(self, values: Array) -> None:
        self.values = values

    def __call__(self, rows: Array) -> Array:
        return np.asarray(self.values[rows])


@dataclass(frozen=True, repr=False)
class Conformal(MatrixStep):
    """A conformal transformation: every row is rescaled by f; angles stay the same where f > 0.

        k(x, x') ↦ f(x) k(x, x') f(x')

    f by name is a function of the squared length k(x, x): "inverse-norm", 1/√k(x, x), which is
    `Normalized`; "gaussian", exp(−k(x, x)/2), which shrinks rows far from the origin; "norm", √k(x, x), which
    stretches them. f may also be a Python callable from rows (n, …) to n finite numbers; such a kernel prints with the
    callable's repr, which `parse` does not read back, and is equal only to one with the same callable.

    Raises ParameterError for an unknown name, DegenerateError if f does not return n finite numbers.

    [D] Conformal Transformations; Amari and Wu, "Improving support vector machine classifiers by
    modifying kernel functions", 1999.

    The exponential of the linear kernel at unit length is the RBF kernel:

    >>> from kernlib import RBF, Exponential, Linear
    >>> X = [[0.0], [1.0]]
    >>> bool(abs(Conformal(Exponential(Linear()), f="inverse-norm")(X) - RBF(sigma=1.0)(X)).max() < 1e-12)
    True
    """

    f: str | Callable[[Any], Any] = one_of(  # noqa: RUF009 (a field, as everywhere)
        "inverse-norm", "f", "function that rescales each row", tuple(FUNCTIONS)
    )

    formula: ClassVar[str] = r"f(x)\,k(x,x')\,f(x')"
    source: ClassVar[str] = "[D] Conformal Transformations"
    cost: ClassVar[str] = "O(n²)"

    def __post_init__(self) -> None:
        if not callable(self.f):
            super().__post_init__()

    def chip(self) -> str:
        name = self.f if isinstance(self.f, str) else getattr(self.f, "__name__", type(self.f).__name__)
        return f"conformal ({name})"

    @property
    def reads_rows(self) -> bool:
        return not isinstance(self.f, str)

    def row_facts(self, side: Side) -> Array:
        return self.factors(side.rows, side.d if isinstance(self.f, str) else np.empty(0))

    def factors(self, rows: Array, d: Array) -> Array:
        """Return f of every row, (n,), from its k(x, x) where f is a name."""
        if isinstance(self.f, str):
            return FUNCTIONS[self.f](d)
        values = np.asarray(self.f(rows))
        if values.shape != (len(rows),) or values.dtype.kind not in "fiub" or not np.isfinite(values).all():
            raise DegenerateError(
                f"Conformal: f must give one finite number for each row; expected shape ({len(rows)},), got "
                f"{'values that are not finite' if values.shape == (len(rows),) else f'shape {values.shape}'}. "
                "f reads all rows at once."
            )
        return values.astype(np.float64)

    def new_matrix(self, K: Array, fx: Array, fy: Array) -> Array:
        # The two factors first, so that a symmetric matrix stays symmetric to the last bit.
        K *= np.multiply.outer(fx, fy)
        return K

    def new_diagonal(self, side: Side, facts: Array) -> Array:
        return np.asarray(facts**2 * side.d)

    def _over_numbers(self, rows: Array) -> Self:
        # A callable reads rows, but a bound kernel has row numbers only: f is evaluated here, once.
        return self.with_fields({"f": _Tabulated(self.factors(rows, np.empty(0)))}) if self.reads_rows else self
