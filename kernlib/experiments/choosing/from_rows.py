"""Parameters of a kernel that were computed from the rows that a run tests on."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from ...core.base import Kernel
from ...core.steps import RowStep
from ...values.declare import Parameter
from ...values.domains import form
from ...values.pairs import Pairs
from ..axis import with_value


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
