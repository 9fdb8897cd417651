"""Functions applied to every entry of a Gram matrix: dynamic range is reduced, or widened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.steps import Pointwise
from ..values.arrays import Array
from ..values.declare import param


@dataclass(frozen=True, repr=False)
class Power(Pointwise):
    """The subpolynomial kernel: powers below 1 reduce the dynamic range of the values.

        k(x, x') ↦ sgn(k(x, x')) |k(x, x')|^p,  0 < p ≤ 1

    A Gram matrix with a large diagonal can make an SVM memorise; a power below one shrinks the diagonal relative to the
    rest, unless all values are 0 or of one size. The result need not be positive semi-definite: put `Empirical` around
    it, as the source does.

    Parameters: p in (0, 1]; p = 1 changes nothing. Raises ParameterError outside.

    Schölkopf, Weston, Eskin, Leslie, Noble, "A kernel approach for learning from almost
    orthogonal patterns", ECML 2002, section 3.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Power(Linear(), p=0.5)(np.array([[2.0], [-2.0]]))
    array([[ 2., -2.],
           [-2.,  2.]])
    """

    p: float = param(
        1.0,
        symbol="p",
        help="exponent of every entry; a smaller p brings entries of different sizes together",
        low=0.05,
        high=1.0,
        step=0.05,
        minimum=0.0,
        open_minimum=True,
        maximum=1.0,
    )

    formula: ClassVar[str] = r"\operatorname{sgn}(k(x,x'))\,|k(x,x')|^{p}"
    source: ClassVar[str] = "[O] 3"
    cost: ClassVar[str] = "O(n²)"
    psd: ClassVar[bool] = False

    @property
    def is_psd(self) -> bool:
        return self.p == 1.0 and self.kernel.is_psd

    def chip(self) -> str:
        return f"|·|^{self.p:g}"

    def change_entries(self, values: Array) -> Array:
        if self.p == 1.0:
            return values
        negative = values < 0
        np.abs(values, out=values)
        np.power(values, self.p, out=values)
        if negative.any():
            np.negative(values, out=values, where=negative)
        return values


@dataclass(frozen=True, repr=False)
class Log(Pointwise):
    """The logarithm of every value, sign kept: values far above 1 are reduced, values below 1 hardly change.

        k(x, x') ↦ sgn(k(x, x')) log(1 + |k(x, x')|)

    The result need not be positive semi-definite: put `Empirical` around it.

    Schölkopf et al., ECML 2002, section 3 (there for positive values, log(x + 1)).

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Log(Linear())(np.array([[1.0]])).round(4)
    array([[0.6931]])
    """

    formula: ClassVar[str] = r"\operatorname{sgn}(k(x,x'))\,\log(1+|k(x,x')|)"
    source: ClassVar[str] = "[O] 3"
    cost: ClassVar[str] = "O(n²)"
    psd: ClassVar[bool] = False

    def chip(self) -> str:
        return "log(1+|·|)"

    def change_entries(self, values: Array) -> Array:
        return np.copysign(np.log1p(np.abs(values)), values)
