"""Kernels on nominal rows: overlap, overlap weighted by rarity, and its general form.

All three share `Composed`; each defines the value of two equal and of two unequal categories.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..core.base import Kernel
from ..values.arrays import Array
from ..values.declare import floats, ordinary, param
from .composed import Composed


def inverting(z: Array, alpha: float) -> Array:
    """Return h(z) = (1 − z^α)^{1/α}, falling from h(0) = 1 to h(1) = 0 ([C] Definition 4).

    >>> inverting(np.array([0.0, 0.25, 1.0]), alpha=1.0)
    array([1.  , 0.75, 0.  ])
    """
    with np.errstate(divide="ignore"):
        # |expm1(α log z)| keeps 1 − z^α accurate where α is small and z^α is near 1.
        return np.asarray(np.abs(np.expm1(alpha * np.log(z))) ** (1.0 / alpha))


@dataclass(frozen=True, repr=False)
class Overlap(Composed):
    """The share of columns that agree: the kernel k0 on nominal rows.

        k0(u, v) = 1 if u = v, else 0, per column;  k(x, x') = f_post(⊕_c f_pre(k0(x_c, x'_c)))
        f1(k) = exp(γ k),  f2(k) = exp(−γ [k(x, x) + k(x', x') − 2 k(x, x')])

    Parameters: composition ⊕, "mean" (the share of agreeing columns) or "product" (1 only for
    equal rows); before and after, None, "f1" or "f2"; gamma γ > 0, used by both. Rows: an array
    (n, d) of any dtype; None and NaN are one category, "missing". Raises DomainError for rows of
    another shape, ParameterError outside the ranges and where f1 would overflow.

    Errata. f2 is printed with exp(+γ …), which grows with distance and is no kernel. Lemma 2, from
    which the source proves k0 and k1 positive semi-definite, is false: three equal numbers a give
    3a² ≥ 6a². The theorems hold nevertheless: k0 is ⟨e_u, e_v⟩ of one-hot vectors, and k1 that of
    vectors scaled by √h, block-constant per category; sums, products and exponentials keep it.

    Villegas García, "An investigation into new kernels for categorical variables", UPC 2013,
    Definitions 2, 5, 6.

    >>> Overlap()([["red", "small"], ["red", "large"], ["blue", "large"]])
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0.5],
           [0. , 0.5, 1. ]])
    """

    formula: ClassVar[str] = (
        r"f_{\mathrm{post}}\Big(\bigoplus_c f_{\mathrm{pre}}\big(k_0(x_c,x'_c)\big)\Big),\quad "
        r"{k_0(u,v)=\mathbf 1[u=v]}"
    )
    source: ClassVar[str] = "[C] Definition 2"

    def equal_value(self, p: Array) -> Array:
        return np.ones_like(p)


@dataclass(frozen=True, repr=False)
class _Rarity(Kernel):
    """The parameter of h. A base after `Composed`, so that alpha is the first argument of the constructor."""

    alpha: float = param(
        1.0,
        symbol=r"\alpha",
        help="shape of h: how fast common matches lose weight",
        low=0.1,
        high=1.5,
        minimum=0.0,
        open_minimum=True,
    )


class _ByRarity(Composed, _Rarity):
    """Overlap in which agreeing on a category counts by its probability over the training rows."""

    learns_itself: ClassVar[bool] = True

    def equal_value(self, p: Array) -> Array:
        return inverting(p, self.alpha)


@dataclass(frozen=True, repr=False)
class ProbabilityOverlap(_ByRarity):
    """Overlap weighted by rarity: the kernel k1 on nominal rows.

        k1(u, v) = h(P(u)) if u = v, else 0,  h(z) = (1 − z^α)^{1/α}
        k(x, x') = f_post(⊕_c f_pre(k1(x_c, x'_c))), with ⊕, f1 and f2 as in `Overlap`

    P is each column's probability mass function over the training rows, learnt by `fit`; a category that is not in
    the training rows has P = 0, so h = 1. A column that is constant in training has h = 0 and no effect.

    Parameters: alpha α > 0: above 1 only the most common categories lose weight, below 1 all but the
    rarest do; composition, before, after, gamma as in `Overlap`. Raises what `Overlap` raises, and
    NotFittedError for k(X, Y) before `fit`. Positive semi-definite: one-hot vectors scaled by √h.

    Villegas García, UPC 2013, Definitions 3 and 4; for its Lemma 2 and f2 see `Overlap`.

    >>> ProbabilityOverlap()([["a"], ["a"], ["a"], ["b"]])
    array([[0.25, 0.25, 0.25, 0.  ],
           [0.25, 0.25, 0.25, 0.  ],
           [0.25, 0.25, 0.25, 0.  ],
           [0.  , 0.  , 0.  , 0.75]])
    """

    formula: ClassVar[str] = (
        r"f_{\mathrm{post}}\Big(\bigoplus_c f_{\mathrm{pre}}\big(k_1(x_c,x'_c)\big)\Big),\quad "
        r"{k_1(u,v)=\mathbf 1[u=v]\,(1-P(u)^{\alpha})^{1/\alpha}}"
    )
    source: ClassVar[str] = "[C] Definitions 3 and 4"


def _weights_problem(value: Any) -> str | None:
    if isinstance(value, tuple) and len(value) > 1 and all(ordinary(v) and v >= 0 for v in value) and any(value):
        return None
    return f"must be a tuple of at least two weights, none negative and one above 0; got {value!r}. Try (1.0, 0.5, 0.0)"


@dataclass(frozen=True, repr=False)
class _Drawn(Kernel):
    """The parameter of a drawn h. A base after `Composed`, so that heights is the first argument of the constructor."""

    heights: tuple[float, ...] = param(
        (1.0, 0.5, 0.0),
        kind="other",
        symbol="h",
        convert=floats,
        check=_weights_problem,
        help="weight of a match at equal steps of the category's probability, from 0 to 1",
    )


@dataclass(frozen=True, repr=False)
class DrawnOverlap(Composed, _Drawn):
    """Overlap in which a match counts by its probability, with weights drawn by hand.

        k1(u, v) = h(P(u)) if u = v, else 0,  h(i/m) = hᵢ, straight lines between
        k(x, x') = f_post(⊕_c f_pre(k1(x_c, x'_c))), with ⊕, f1 and f2 as in `Overlap`

    `ProbabilityOverlap` is one such h. Any h ≥ 0 gives a kernel: one-hot vectors scaled by √h. P is learnt from the
    training rows; an unseen category has P = 0.

    Parameters: heights h, from 0 on and not all 0; the others as in `Overlap`. Raises what `ProbabilityOverlap` raises.

    Villegas García, UPC 2013, Definition 3; other functions h are its future work.

    >>> DrawnOverlap(heights=(0.0, 1.0))([["a"], ["a"], ["a"], ["b"]])[0]
    array([0.75, 0.75, 0.75, 0.  ])
    """

    edited_as = "matches"
    formula: ClassVar[str] = (
        r"f_{\mathrm{post}}\Big(\bigoplus_c f_{\mathrm{pre}}\big(k_1(x_c,x'_c)\big)\Big),\quad "
        r"{k_1(u,v)=\mathbf 1[u=v]\,h(P(u))}"
    )
    source: ClassVar[str] = "[C] Definition 3"
    learns_itself: ClassVar[bool] = True

    def equal_value(self, p: Array) -> Array:
        return np.asarray(np.interp(p, np.linspace(0.0, 1.0, len(self.heights)), self.heights))


@dataclass(frozen=True, repr=False)
class GeneralOverlap(_ByRarity):
    """Overlap in which different rare categories are similar too: the kernel k2 on nominal rows.

        k2(u, v) = h(P(u)) if u = v, else g(P(u), P(v)),  h(z) = (1 − z^α)^{1/α}
        g(p, q) = ½ h(p) h(q) (1 − |p − q|)
        k(x, x') = f_post(⊕_c f_pre(k2(x_c, x'_c))), with ⊕, f1 and f2 as in `Overlap`

    The source leaves g open; it should be high for two equally rare categories and low for common ones of different
    probability. This g is, never exceeds half of the value of a match, and keeps every Gram matrix positive
    semi-definite:

    1. 1 − |p − q| is the share of t in [0, 1] for which p and q lie on the same side of t,
       ∫ 1[p ≤ t] 1[q ≤ t] + 1[p > t] 1[q > t] dt: an integral of inner products, so PSD.
    2. ½ h(p) h(q) is an inner product of numbers, and entrywise products of PSD matrices are PSD.
    3. k2 is that matrix plus a diagonal per category, h − ½h² ≥ 0, since 0 ≤ h ≤ 1; and 1[u = v]
       scaled by √ of it is k1's argument again.

    P is learnt from the training rows; an unseen category has P = 0. Parameters and errors as in
    `ProbabilityOverlap`.

    Villegas García, UPC 2013, section 7.1 (k2 and what g should do); g is ours.

    >>> GeneralOverlap()([["a"], ["a"], ["b"], ["c"]])
    array([[0.5    , 0.5    , 0.140625, 0.140625],
           [0.5    , 0.5    , 0.140625, 0.140625],
           [0.140625, 0.140625, 0.75   , 0.28125 ],
           [0.140625, 0.140625, 0.28125 , 0.75   ]])
    """

    formula: ClassVar[str] = (
        r"f_{\mathrm{post}}\Big(\bigoplus_c f_{\mathrm{pre}}\big(k_2(x_c,x'_c)\big)\Big),\quad "
        r"{k_2(u,u)=h(p)},\quad {k_2(u,v)=\tfrac12 h(p)\,h(q)\,(1-|p-q|)},\quad {p=P(u),\ q=P(v)}"
    )
    source: ClassVar[str] = "[C] 7.1"
    graded: ClassVar[bool] = True

    def unequal_value(self, p: Array, q: Array) -> Array:
        return np.asarray(0.5 * inverting(p, self.alpha) * inverting(q, self.alpha) * (1.0 - np.abs(p - q)))
