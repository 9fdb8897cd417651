"""What a kernel's numbers already know of the rows that a run will test on."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from ..base import Kernel
from ..declare import Parameter
from ..steps import RowStep
from ..values.pairs import Pairs
from .axis import with_value

__all__ = ["FromRows", "from_all_rows"]


@dataclass(frozen=True)
class FromRows:
    """A number that equals what all rows together suggest, test rows included; `word` would learn it instead."""

    path: str
    parameter: Parameter
    value: float

    @property
    def word(self) -> Any:
        """The value that asks for learning from each training part."""
        return self.parameter.choices[0]

    def learnt(self, kernel: Kernel) -> Kernel:
        """The kernel that learns the number from its training rows."""
        return cast(Kernel, with_value(kernel, self.path.split(".")[1:], self.word))

    def __str__(self) -> str:
        return (
            f"{self.parameter.name} = {self.value:g} is the {self.parameter.heuristic} of all rows, test rows "
            "included; no label was used."
        )


def from_all_rows(kernel: Kernel, X: Any) -> tuple[FromRows, ...]:
    """The numbers of a kernel that were, by their value to two digits, taken from all of these rows.

    A width that the median distance of all rows suggested has seen the rows that a run tests on. That is seldom
    much of a help, as labels have no part in it, but a curve should say so, or learn the width anew.

    >>> from kernlib import RBF, Deep
    >>> rows = [[0.0], [1.0], [4.0]]
    >>> [str(found) for found in from_all_rows(Deep(RBF(sigma=3.0)), rows)]
    ['sigma = 3 is the median distance of all rows, test rows included; no label was used.']
    >>> from_all_rows(Deep(RBF(sigma="median")), rows)
    ()
    """
    return tuple(_found(kernel, kernel._rows(X), "kernel"))


def _found(kernel: Kernel, X: Any, path: str) -> Iterator[FromRows]:
    own = [p for p in kernel.parameters() if p.heuristic and p.choices and getattr(kernel, p.name) not in p.choices]
    if own:
        suggested = kernel.heuristics(X)
        for p in own:
            value = float(getattr(kernel, p.name))
            if p.name in suggested and float(f"{value:.2g}") == float(f"{suggested[p.name]:.2g}"):
                yield FromRows(f"{path}.{p.name}", p, value)
    rows = kernel._taught(X, None)._map(X) if isinstance(kernel, RowStep) else X
    rows = rows.rows if isinstance(rows, Pairs) and kernel.domain == "pair" else rows
    for f in dataclasses.fields(kernel):
        child = getattr(kernel, f.name)
        if isinstance(child, Kernel):
            yield from _found(child, rows, f"{path}.{f.name}")
