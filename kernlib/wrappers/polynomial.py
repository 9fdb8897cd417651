"""Polynomials of a kernel with non-negative coefficients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real

from ..core.algebra import Constant
from ..core.base import Kernel
from ..errors import ParameterError


def polynomial(kernel: Kernel, coefficients: Sequence[float]) -> Kernel:
    """Return a polynomial of a kernel, made from the algebra's own sums, multiples and powers.

        k(x, x') ↦ Σ_{i=0}^{m} c_i k(x, x')^i,  c_i ≥ 0

    Parameters: coefficients, (c_0, …, c_m), finite numbers from 0 on, not all 0. Terms whose
    coefficient is 0 are left out. Raises ParameterError otherwise: a negative coefficient may cost
    positive semi-definiteness.

    [C] 3.1; [D] Tricks for Constructing Kernels.

    >>> from kernlib import Linear
    >>> polynomial(Linear(), (1.0, 0.0, 2.0))
    Constant(value=1.0) + 2.0 * Linear() ** 2
    >>> polynomial(Linear(), (1.0, 0.0, 2.0))([[3.0]])
    array([[163.]])
    """
    for i, c in enumerate(coefficients):
        if not isinstance(c, Real) or isinstance(c, bool) or not math.isfinite(c) or c < 0:
            raise ParameterError(
                f"polynomial: coefficients must be finite numbers from 0 on; got {c!r} for the power {i}. "
                "Leave that power out with 0."
            )
    terms: list[Kernel] = []
    for i, c in enumerate(coefficients):
        if not c:
            continue
        if i == 0:
            terms.append(Constant(value=float(c)))
            continue
        power = kernel if i == 1 else kernel**i
        terms.append(power if c == 1 else float(c) * power)
    if not terms:
        raise ParameterError(
            f"polynomial: coefficients must not all be 0; got {tuple(coefficients)!r}. Try coefficients=(0, 1)."
        )
    whole = terms[0]
    for term in terms[1:]:
        whole = whole + term
    return whole
