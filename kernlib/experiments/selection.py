"""Choosing by training rows alone: criteria of a Gram matrix, and parameters that were computed from all rows."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from ..analysis.gram import centred_alignment
from ..analysis.relevant import relevant_dimension
from ..analysis.spectrum import RIDGES, Decomposition, decompose, left_out_residuals
from ..core.base import Kernel
from ..core.steps import RowStep
from ..errors import DegenerateError, ParameterError
from ..machines import KernelRidge, Machine
from ..values.arrays import Array, Factor
from ..values.declare import Parameter
from ..values.domains import Pairs, form
from ..values.labels import AskedTask, Labels, read_labels
from .axis import with_value


def criterion(name: str, K: Array | Factor, y: Array, machine: Machine, task: AskedTask) -> float:
    """Return −log ℓ(d̂), 1 − centred alignment, or the leave-one-out squared error; small is good.

    Parameters: `name` "likelihood", "alignment" or "leave-one-out".

    >>> x = np.linspace(-1, 1, 20)
    >>> criterion("leave-one-out", np.outer(x, x), 3 * x, KernelRidge(ridge=10.0), "auto").__round__(4)
    1.1889
    """
    if name == "likelihood":
        return float(relevant_dimension(K, y, task=task, centred=_centres(machine)).minimum)
    if name == "alignment":
        return 1.0 - centred_alignment(K, read_labels(y, task, owner="alignment").targets)
    return leave_one_out(decompose(K, owner="leave-one-out"), read_labels(y, task, owner="leave-one-out"), machine)


def _centres(machine: Machine) -> bool:
    """Return whether the machine centres real targets; its criteria do the same."""
    return bool(getattr(machine, "centred", False))


def leave_one_out(decomposition: Decomposition, labels: Labels, machine: Machine) -> float:
    """Return the leave-one-out squared error of ridge regression at the machine's ridge, or at the best of a grid.

    Real targets are centred if the machine centres them.
    """
    mean = float(np.abs(decomposition.eigenvalues).sum()) / len(decomposition.eigenvectors)
    ridges = RIDGES * max(mean, np.finfo(float).tiny)
    if isinstance(machine, KernelRidge) and not isinstance(machine.ridge, str):
        ridges = np.array([machine.ridge])
    # An indefinite K has no inverse near its negative eigenvalues: only ridges beyond them count.
    usable = ridges[ridges > -2 * min(0.0, float(decomposition.eigenvalues.min()))]
    return float(_ridge_loo(decomposition, labels, usable, _centres(machine)).min()) if len(usable) else math.nan


def ridge_loo(
    K: ArrayLike | Factor, y: ArrayLike, ridges: ArrayLike, *, task: AskedTask = "auto", centred: bool = False
) -> Array:
    r"""Return the leave-one-out squared errors of kernel ridge regression for a grid, from one decomposition.

    .. math:: \mathrm{LOO}(\lambda) = \frac1n\sum_i\Big(\frac{\alpha_i}{[(K+\lambda I)^{-1}]_{ii}}\Big)^2,
        \quad \alpha = (K + \lambda I)^{-1} y

    exactly the error of n machines, each trained without one row. More classes than two: summed
    over the one-hot columns.

    Parameters: `K` (n, n) symmetric, or a `Factor`; `y` (n,); `ridges` (r,), each λ > 0; `centred` takes the mean of
    the n − 1 real targets off them and puts it back. Returns (r,).
    Raises DataError for K or y that cannot be used, ParameterError for a ridge of 0 or less,
    DegenerateError where K + λI is singular.
    Reference: Cawley and Talbot, Neural Networks 17, 2004, equation 13.

    >>> x = np.linspace(-1, 1, 20)
    >>> ridge_loo(np.outer(x, x), 3 * x, [1e-6, 10.0]).round(4)
    array([0.    , 1.1889])
    """
    labels = read_labels(y, task, owner="ridge_loo")
    decomposition = decompose(K if isinstance(K, Factor) else np.asarray(K, dtype=np.float64), owner="ridge_loo")
    return _ridge_loo(decomposition, labels, np.atleast_1d(ridges), centred)


def _ridge_loo(decomposition: Decomposition, labels: Labels, ridges: Array, centred: bool) -> Array:
    wrong = [r for r in ridges if not (math.isfinite(r) and r > 0)]
    if wrong:
        raise ParameterError(f"ridge_loo: ridges must be finite numbers above 0; got {wrong[0]!r}. Try 1e-3.")
    for ridge in ridges:
        shifted = np.abs(decomposition.eigenvalues + ridge)
        if shifted.min() <= np.finfo(float).eps * shifted.max():
            raise DegenerateError(
                f"ridge_loo: K + ridge·I must not be singular; got an eigenvalue of {-ridge:.6g} in K. "
                "Choose a larger ridge, or repair the kernel."
            )
    targets, centred = labels.targets.reshape(len(labels.targets), -1), centred and labels.codes is None
    left_out = left_out_residuals(decomposition, targets, np.asarray(ridges, dtype=np.float64), centred=centred)
    return np.asarray((left_out**2).sum(axis=1).mean(axis=0))


@dataclass(frozen=True)
class FromRows:
    """A parameter that equals the heuristic of all rows, test rows included; `word` learns it from training rows."""

    path: str
    parameter: Parameter
    value: float

    @property
    def word(self) -> Any:
        """Return the value with which each training part learns the parameter."""
        return self.parameter.choices[0]

    def learnt(self, kernel: Kernel) -> Kernel:
        """Return the kernel that learns the parameter from its training rows."""
        return cast(Kernel, with_value(kernel, self.path.split(".")[1:], self.word))

    def __str__(self) -> str:
        return (
            f"{self.parameter.name} = {self.value:g} is the {self.parameter.heuristic} of all rows, test rows "
            "included; no label was used."
        )


def from_all_rows(kernel: Kernel, X: Any) -> tuple[FromRows, ...]:
    """Return the parameters of a kernel that equal, to two digits, the heuristic of all these rows.

    The median distance of all rows depends on the rows that a run tests. The effect is small, because no label is used;
    a curve reports it, and offers to learn the width from each training part.

    >>> from kernlib import RBF, Deep
    >>> rows = [[0.0], [1.0], [4.0]]
    >>> [str(number) for number in from_all_rows(Deep(RBF(sigma=3.0)), rows)]
    ['sigma = 3 is the median distance of all rows, test rows included; no label was used.']
    >>> from_all_rows(Deep(RBF(sigma="median")), rows)
    ()
    """
    return tuple(_statistics(kernel, kernel.checked_rows(X), "kernel"))


def _statistics(kernel: Kernel, X: Any, path: str) -> Iterator[FromRows]:
    own = [p for p in kernel.parameters() if p.heuristic and p.choices and getattr(kernel, p.name) not in p.choices]
    if own:
        suggested = kernel.heuristics(X)
        for p in own:
            value = getattr(kernel, p.name)
            if not isinstance(value, float) or p.name not in suggested:
                continue
            if float(f"{value:.2g}") == float(f"{suggested[p.name]:.2g}"):
                yield FromRows(f"{path}.{p.name}", p, value)
    rows = kernel.fitted_step(X, None).map_rows(X) if isinstance(kernel, RowStep) else X
    rows = rows.rows if isinstance(rows, Pairs) and form(kernel.domain).layout == "pairs" else rows
    for f in dataclasses.fields(kernel):
        child = getattr(kernel, f.name)
        if isinstance(child, Kernel):
            yield from _statistics(child, rows, f"{path}.{f.name}")
