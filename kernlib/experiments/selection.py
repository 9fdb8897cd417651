"""Choosing by training rows alone: criteria of a Gram matrix, and parameters that were computed from all rows."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ..analysis.gram import centred_alignment
from ..analysis.relevant import relevant_dimension
from ..analysis.spectrum import decompose
from ..core.base import Kernel
from ..core.steps import RowStep
from ..machines import Machine
from ..machines.regression import left_out_errors
from ..values.arrays import Array, Factor
from ..values.declare import Parameter
from ..values.domains import Pairs, form
from ..values.labels import AskedTask, read_labels
from .axis import with_value


def criterion(name: str, K: Array | Factor, y: Array, machine: Machine, task: AskedTask) -> float:
    """Return −log ℓ(d̂), 1 − centred alignment, or the leave-one-out squared error; small is good.

    Parameters: `name` "likelihood", "alignment" or "leave-one-out", of ridge regression at the machine's ridge, or at
    the best of a grid.

    >>> from kernlib.machines import KernelRidge
    >>> x = np.linspace(-1, 1, 20)
    >>> criterion("leave-one-out", np.outer(x, x), 3 * x, KernelRidge(ridge=10.0), "auto").__round__(4)
    1.1889
    """
    if name == "likelihood":
        return float(relevant_dimension(K, y, task=task, centred=_centres(machine)).minimum)
    if name == "alignment":
        return 1.0 - centred_alignment(K, read_labels(y, task, owner="alignment").targets)
    given = getattr(machine, "ridge", "")
    ridges = None if isinstance(given, str) else np.array([given])
    pairs = decompose(K, owner="leave-one-out")
    labels = read_labels(y, task, owner="leave-one-out")
    errors = left_out_errors(pairs, labels, _centres(machine), ridges)[1]
    return float(errors.min()) if len(errors) else math.nan


def _centres(machine: Machine) -> bool:
    """Return whether the machine centres real targets; its criteria do the same."""
    return bool(getattr(machine, "centred", False))


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
