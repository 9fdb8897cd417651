"""Functions drawn by hand: of every value of a kernel, and of the eigenvalues of its matrix."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..core.steps import Pointwise
from ..values.arrays import Array
from ..values.declare import floats, ordinary, param
from .spectral import SpectralStep


def interpolated(values: Array, heights: tuple[float, ...], top: float) -> Array:
    """Return φ of values ≥ 0: straight lines between `heights` at equal steps from 0 to `top`, in units of `top`.

    Beyond `top` the last line goes on.

    >>> interpolated(np.array([0.5, 1.0, 3.0]), (0.0, 0.8, 1.0), 2.0).round(2)
    array([0.8, 1.6, 2.4])
    """
    steps = len(heights) - 1
    place = values * (steps / top)
    left = np.minimum(place, steps - 1).astype(np.intp)
    h = np.asarray(heights)
    return np.asarray(top * (h[left] + (place - left) * (h[left + 1] - h[left])))


def _problem(value: Any) -> str | None:
    known = isinstance(value, tuple) and len(value) > 1 and all(ordinary(v) and v >= 0 for v in value)
    if known and value[-1] > 0 and all(a <= b for a, b in itertools.pairwise(value)):
        return None
    return (
        "must be a tuple of at least two heights from 0 on, none lower than the one before it and the last above 0; "
        f"got {value!r}. Try (0.0, 0.8, 1.0)"
    )


def _heights() -> Any:
    return param(
        (0.0, 0.5, 1.0), kind="other", symbol="h", convert=floats, check=_problem,
        help="heights of the function at equal steps from 0 to the last point, in units of it",
    )  # fmt: skip


@dataclass(frozen=True, repr=False)
class Entrywise(Pointwise):
    """A function φ of every value, drawn by hand: straight lines between points.

        k(x, x') ↦ sgn(k(x, x')) φ(|k(x, x')|),  φ(t i/m) = t hᵢ,  i = 0…m

    `Power` and `Log` are two such functions; which one a kernel with a large diagonal needs is open. The result need
    not be positive semi-definite: put `Empirical` around it.

    Parameters: heights h, from 0 on and not falling, (0, ½, 1) changes nothing; top t > 0, the value of |k| at the last
    point, beyond which the last line goes on. Raises ParameterError otherwise.

    Schölkopf, Weston, Eskin, Leslie, Noble, ECML 2002, section 3: a function φ of the entries; its last sentence leaves
    open which.

    >>> from kernlib import Linear
    >>> Entrywise(Linear(), heights=(0.0, 0.9, 1.0), top=4.0)(np.array([[2.0], [-1.0]]))
    array([[ 4. , -3.6],
           [-3.6,  1.8]])
    """

    heights: tuple[float, ...] = _heights()
    top: float = param(
        1.0, symbol="t", help="value of |k| at the last point", low=0.01, high=100.0, scale="log",
        minimum=0.0, open_minimum=True,
    )  # fmt: skip

    formula: ClassVar[str] = r"\operatorname{sgn}(k(x,x'))\,\varphi(|k(x,x')|)"
    source: ClassVar[str] = "[O] 3"
    cost: ClassVar[str] = "O(n²)"
    psd: ClassVar[bool] = False

    def chip(self) -> str:
        return "φ(·)"

    def change_entries(self, values: Array) -> Array:
        return np.copysign(interpolated(np.abs(values), self.heights, self.top), values)


@dataclass(frozen=True, repr=False)
class Eigenwise(SpectralStep):
    """A function f of the eigenvalues, drawn by hand: straight lines between points.

        K = U diag(λ) U' ↦ U diag(λ₁ f(λ/λ₁)) U',  f(i/m) = hᵢ,  i = 0…m

    λ₁ is the largest eigenvalue. The identity leaves a kernel as it is, √ and the repairs of negative eigenvalues are
    other such functions; an eigenvalue below 0 counts as 0.

    Transductive: the function is applied to the matrix of all rows, test rows included.

    Parameters: heights h, from 0 on and not falling. Raises ParameterError otherwise, TransductiveError for k(X, Y).

    [O] section 3, Functional Calculus on Matrices.

    >>> from kernlib import Linear
    >>> Eigenwise(Linear(), heights=(0.0, 1.0))(np.array([[2.0], [1.0]])).round(12)
    array([[4., 2.],
           [2., 1.]])
    """

    heights: tuple[float, ...] = _heights()

    formula: ClassVar[str] = r"U\,\mathrm{diag}\big(\lambda_1 f(\lambda/\lambda_1)\big)\,U^\top"
    source: ClassVar[str] = "[O] 3"
    cost: ClassVar[str] = "O(n³), one eigendecomposition"

    def chip(self) -> str:
        return "f(λ)"

    def new_eigenvalues(self, eigenvalues: Array) -> Array:
        largest = max(float(eigenvalues[-1]), 0.0)
        if not largest:
            return np.zeros_like(eigenvalues)
        return interpolated(np.maximum(eigenvalues, 0.0), self.heights, largest)
