"""Kernels on nominal rows: overlap, overlap weighted by rarity, and its general form.

All three are put together alike. A univariate kernel compares one column's two modalities;
`before` transforms it; `composition` joins the columns; `after` transforms the result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from ..base import Kernel
from ..blocks import over_row_blocks
from ..declare import param
from ..errors import DomainError, ParameterError
from ..linalg import eigenpairs
from ..values.arrays import Array
from ..values.domains import Domain
from .nominal import Codes, common_codes, features, modality_codes, row_codes, weighted_matches

__all__ = ["GeneralOverlap", "Overlap", "ProbabilityOverlap", "inverting"]

Composition = Literal["mean", "product"]
Transformation = Literal["f1", "f2"] | None

#: exp of more is infinite in double precision.
_LARGEST_EXPONENT = math.log(np.finfo(np.float64).max)
#: Stands for log 0 in a sum of logarithms: exp of it, plus whatever finite logarithms of values ≤ 1, is exactly 0.
_LOG_ZERO = -1e4
#: A column of this many modalities or fewer has one feature for each; above, one for each probability and the
#: matches apart, of which rare ones stay sparse.
_SMALL = 32


def inverting(z: Array, alpha: float) -> Array:
    """h(z) = (1 − z^α)^{1/α}, falling from h(0) = 1 to h(1) = 0 ([C] Definition 4).

    >>> inverting(np.array([0.0, 0.25, 1.0]), alpha=1.0)
    array([1.  , 0.75, 0.  ])
    """
    with np.errstate(divide="ignore"):
        # |expm1(α log z)| keeps 1 − z^α accurate where α is small and z^α is near 1.
        return np.asarray(np.abs(np.expm1(alpha * np.log(z))) ** (1.0 / alpha))


class _Masses(NamedTuple):
    """Per training column: its modalities, one example entry each, and the share of rows that carry them."""

    modalities: tuple[Array, ...]
    shares: tuple[Array, ...]


class _Columns(NamedTuple):
    """Rows as codes: per column those of X and of Y, and each modality's share of the training rows."""

    left: list[Codes]
    right: list[Codes] | None
    shares: list[Array]


def _composition() -> Any:
    return param(
        "mean", kind="choice", symbol=r"\oplus", help="how the columns' values are joined", choices=("mean", "product")
    )


def _transformation(symbol: str, what: str) -> Any:
    return param(None, kind="choice", symbol=symbol, help=f"transformation of {what}", choices=(None, "f1", "f2"))


def _gamma() -> Any:
    return param(
        1.0, symbol=r"\gamma", help="strength of f1 and f2; nothing without them",
        low=0.125, high=4.0, scale="log", minimum=0.0, open_minimum=True,
    )  # fmt: skip


def _alpha() -> Any:
    return param(
        1.0, symbol=r"\alpha", help="shape of h: how fast a match loses weight as it becomes common",
        low=0.1, high=1.5, minimum=0.0, open_minimum=True,
    )  # fmt: skip


class _Nominal(Kernel):
    """What the three kernels share; a subclass gives `_same` and `_different`, functions of probabilities."""

    # Each kernel declares these itself, so that its own alpha stands first in the constructor.
    composition: Composition
    before: Transformation
    after: Transformation
    gamma: float

    domain: ClassVar[Domain] = "categorical"
    cost: ClassVar[str] = "O(n² · modalities), one matrix product"

    def chip(self) -> str:
        shown = [f"{self.alpha:g}"] if isinstance(self, ProbabilityOverlap | GeneralOverlap) else []
        shown += [] if self.composition == "mean" else [self.composition]
        steps = [(name, f) for name, f in (("before", self.before), ("after", self.after)) if f is not None]
        shown += [f"{name}={f}" for name, f in steps]
        shown += [f"{self.gamma:g}"] if steps else []  # without f1 and f2 it does nothing
        return f"{type(self).__name__}({', '.join(shown)})" if shown else type(self).__name__

    def _same(self, p: Array) -> Array:
        """k(u, u) of a modality of probability p."""
        raise NotImplementedError

    def _different(self, p: Array, q: Array) -> Array:
        """k(u, v) of two modalities u ≠ v of probabilities p and q."""
        return np.zeros(np.broadcast_shapes(p.shape, q.shape))

    # -- rows as codes ------------------------------------------------------------------------

    @property
    def pmf(self) -> tuple[dict[Any, float], ...]:
        """Per column, the probability of each modality as learnt; NotFittedError before `fit`."""
        self._require_fitted("pmf")
        masses: _Masses = self._state or _Masses((), ())
        pairs = zip(masses.modalities, masses.shares, strict=True)
        return tuple(dict(zip(m.tolist(), s.tolist(), strict=True)) for m, s in pairs)

    def _learn(self, X: Array, y: Array | None) -> _Masses:
        modalities, shares = [], []
        for column in X.T:
            codes, m = modality_codes(column, type(self).__name__)
            first = np.empty(m, dtype=np.intp)
            first[codes[::-1]] = np.arange(len(codes))[::-1]
            modalities.append(column[first])
            shares.append(np.bincount(codes, minlength=m) / len(codes))
        return _Masses(tuple(modalities), tuple(shares))

    def _columns(self, X: Array, Y: Array | None) -> _Columns:
        owner = type(self).__name__
        masses: _Masses | None = self._state
        if masses is not None and X.shape[1] != len(masses.shares):
            raise DomainError(
                f"{owner}: X has {X.shape[1]} columns; expected {len(masses.shares)} as in the training rows. "
                "Give the same columns in the same order, or fit again."
            )
        left, right, shares = [], [], []
        for c in range(X.shape[1]):
            known = [] if masses is None else [masses.modalities[c]]
            pieces = [*known, X[:, c]] if Y is None else [*known, X[:, c], Y[:, c]]
            codes, m = common_codes(pieces, owner)
            share = np.zeros(m)  # an unseen modality has P = 0
            if masses is not None:
                share[codes[0]] = masses.shares[c]
            left.append(codes[len(known)])
            right.append(codes[-1])
            shares.append(share)
        return _Columns(left, None if Y is None else right, shares)

    # -- evaluation ---------------------------------------------------------------------------

    def _gram(self, X: Array, Y: Array | None) -> Array:
        columns = self._columns(X, Y)
        d = len(columns.left)
        if self.composition == "product" and self.before is None:
            divisor, K = 1, self._product(columns)
        elif self.composition == "product":
            # Π f(k_c) is f of the sum of the k_c, for f1 and f2 alike: both are exponentials.
            divisor, K = 1, self._sum(columns, None, 1)
        else:
            divisor, K = d, self._sum(columns, self.before, d)
        steps = [f for f in ((self.before if self.composition == "product" else None), self.after) if f is not None]
        dx = self._values(columns.left, columns.shares, divisor)
        dy = dx if columns.right is None else self._values(columns.right, columns.shares, divisor)
        scales = []
        for f in steps:
            scales.append((f, dx, dy))
            dx, dy = self._transformed_diag(f, dx), self._transformed_diag(f, dy)
        if not scales:
            return K

        def finish(block: Array, start: int) -> None:
            for f, a, b in scales:
                if f == "f2":
                    block *= 2.0
                    block -= np.add.outer(a[start : start + len(block)], b)
                    np.minimum(block, 0.0, out=block)  # rounding must not lift k(x, x') above k(x, x)
                block *= self.gamma
                np.exp(block, out=block)

        over_row_blocks(K, finish)
        if Y is None:
            np.fill_diagonal(K, dx)
        return K

    def _diag(self, X: Array) -> Array:
        columns = self._columns(X, None)
        divisor = 1 if self.composition == "product" else len(columns.left)
        d = self._values(columns.left, columns.shares, divisor)
        if self.composition == "product" and self.before is not None:
            d = self._transformed_diag(self.before, d)
        return d if self.after is None else self._transformed_diag(self.after, d)

    def _values(self, codes: list[Codes], shares: list[Array], divisor: int) -> Array:
        """k(x, x) as composed, before what is still applied to the whole: (n,)."""
        product = self.composition == "product" and self.before is None
        before = None if self.composition == "product" else self.before
        total = np.ones(len(codes[0])) if product else np.zeros(len(codes[0]))
        for c, p in zip(codes, shares, strict=True):
            value = self._same(p)
            if before is not None:
                value = self._transformed_diag(before, value)
            if product:
                total *= value[c]
            else:
                total += value[c]
        return np.asarray(total / divisor)

    def _transformed_diag(self, f: Transformation, d: Array) -> Array:
        """f1 or f2 of the diagonal d; refused where it, and so the kernel, would overflow."""
        if f == "f2":
            return np.ones_like(d)
        highest = float(d.max(initial=0.0))
        if self.gamma * highest > _LARGEST_EXPONENT:
            raise ParameterError(
                f"{type(self).__name__}: gamma must keep exp(gamma·k(x, x)) finite; expected gamma <= "
                f"{_LARGEST_EXPONENT / highest:.4g} for these rows, got {self.gamma!r}. Try a smaller gamma, "
                "composition='mean', or f2."
            )
        return np.asarray(np.exp(self.gamma * d))

    def _tables(self, shares: Array, f: Transformation) -> tuple[Array, Array]:
        """One column's k(u, u), (r,), and k(u, v) for u ≠ v, (r, r), over r probabilities, transformed."""
        same, different = self._same(shares), self._different(shares[:, None], shares[None, :])
        if f == "f1":
            return self._transformed_diag(f, same), np.exp(self.gamma * different)
        if f == "f2":
            return np.ones_like(same), np.exp(-self.gamma * (np.add.outer(same, same) - 2.0 * different))
        return same, different

    def _sum(self, columns: _Columns, f: Transformation, divisor: int) -> Array:
        """Σ_c f(k_c) / divisor: each column is D(P(u), P(v)) + 1[u = v] w(u), with D of low rank and w ≥ 0."""
        weights, plus, constant = [], [], 0.0
        for c, shares in enumerate(columns.shares):
            # D depends on the probabilities alone, of which n rows have at most √(2n) different ones.
            distinct, place = np.unique(shares, return_inverse=True)
            same, different = self._tables(distinct, f)
            if np.ptp(different) == 0.0:
                constant += float(different[0, 0])
                weights.append(np.maximum(same - different[0, 0], 0.0)[place])
                continue
            own, (table, _) = _split(same, different, place)
            weights.append(own)
            plus.append((c, table))
        K = weighted_matches(columns.left, columns.right, weights, _extra(columns, plus), divisor)
        if constant:
            K += constant / divisor
        return K

    def _product(self, columns: _Columns) -> Array:
        """Π_c k_c, without a transformation before it."""
        if not any(self._different(p[:, None], p[None, :]).any() for p in columns.shares):
            return self._equal_rows(columns)
        # log of the product, as in `_sum`; the tables of logarithms are not PSD, so both signs occur.
        weights, plus, minus = [], [], []
        for c, shares in enumerate(columns.shares):
            distinct, place = np.unique(shares, return_inverse=True)
            with np.errstate(divide="ignore"):
                same, different = (np.maximum(np.log(t), _LOG_ZERO) for t in self._tables(distinct, None))
            own, (above, below) = _split(same, different, place)
            weights.append(own)
            plus.append((c, above))
            minus.append((c, below))
        K = weighted_matches(columns.left, columns.right, weights, _extra(columns, plus))
        below_extra = _extra(columns, minus)
        if below_extra is not None:
            A, B = below_extra
            K -= A @ (A if columns.right is None else B).T

        def exponential(block: Array, start: int) -> None:
            np.exp(block, out=block)

        over_row_blocks(K, exponential)
        return K

    def _equal_rows(self, columns: _Columns) -> Array:
        """Π_c k_c where unequal modalities give 0: only rows equal in every column have a value."""
        both = columns.left if columns.right is None else [
            np.concatenate(pair) for pair in zip(columns.left, columns.right, strict=True)
        ]  # fmt: skip
        codes, m = row_codes(both)
        value = np.ones(len(codes))
        for c, p in zip(both, columns.shares, strict=True):
            value *= self._same(p)[c]
        weight = np.empty(m)
        weight[codes] = value
        n = len(columns.left[0])
        return weighted_matches([codes[:n]], None if columns.right is None else [codes[n:]], [weight])


def _split(same: Array, different: Array, place: Codes) -> tuple[Array, tuple[Array, Array]]:
    """One column as weights w(u) of equal modalities and signed features of its m modalities.

    `same` (r,) and `different` (r, r) are tables over probabilities, `place` (m,) says which one each
    modality has.
    """
    if len(place) <= _SMALL:
        whole = different[np.ix_(place, place)]
        np.fill_diagonal(whole, same[place])
        return np.zeros(len(place)), _factor(whole)
    above, below = _factor(different)
    # Rounding aside w ≥ 0, since k(u, u) ≥ D(P(u), P(u)) in all three kernels.
    return np.maximum(same - different.diagonal(), 0.0)[place], (above[place], below[place])


def _factor(table: Array) -> tuple[Array, Array]:
    """F and G with table = FF' − GG', from the eigenvectors; G is empty for a PSD table.

    A PSD table is brought to a diagonal of ones first, so that rounding is small beside every entry: h
    of a common modality is 10⁻¹² where α = 0.1, that of a rare one 1.
    """
    length = np.sqrt(np.maximum(table.diagonal(), 0.0))
    if (np.abs(table) <= (1.0 + 1e-9) * np.multiply.outer(length, length)).all():
        scale = np.where(length > 0.0, length, 1.0)[:, None]
    else:
        scale = np.ones((len(table), 1))
    values, vectors = eigenpairs(table / (scale * scale.T), "GeneralOverlap")
    negligible = 1e-15 * len(values) * np.abs(values).max()
    above, below = values > negligible, values < -negligible
    return scale * vectors[:, above] * np.sqrt(values[above]), scale * vectors[:, below] * np.sqrt(-values[below])


def _extra(columns: _Columns, tables: list[tuple[int, Array]]) -> tuple[Array, Array] | None:
    """Low-rank features of X's and Y's rows, from per-column tables (m, r)."""
    tables = [(c, table) for c, table in tables if table.shape[1]]
    if not tables:
        return None
    chosen = [table for _, table in tables]
    left = features([columns.left[c] for c, _ in tables], chosen)
    right = left if columns.right is None else features([columns.right[c] for c, _ in tables], chosen)
    return left, right


@dataclass(frozen=True, repr=False)
class Overlap(_Nominal):
    """How many columns agree: the kernel k0 on nominal rows.

        k0(u, v) = 1 if u = v, else 0, per column;  k(x, x') = f_post(⊕_c f_pre(k0(x_c, x'_c)))
        f1(k) = exp(γ k),  f2(k) = exp(−γ [k(x, x) + k(x', x') − 2 k(x, x')])

    Parameters: composition ⊕, "mean" (the share of agreeing columns) or "product" (1 only for
    equal rows); before and after, None, "f1" or "f2"; gamma γ > 0, used by both. Rows: an array
    (n, d) of any dtype; None and NaN are one modality, "missing". Raises DomainError for rows of
    another shape, ParameterError outside the ranges and where f1 would overflow.

    Errata. f2 is printed with exp(+γ …), which grows with distance and is no kernel. Lemma 2, from
    which the source proves k0 and k1 positive semi-definite, is false: three equal numbers a give
    3a² ≥ 6a². The theorems hold all the same: k0 is ⟨e_u, e_v⟩ of one-hot vectors, and k1 that of
    vectors scaled by √h, block-constant per modality; sums, products and exponentials keep it.

    Villegas García, "An investigation into new kernels for categorical variables", UPC 2013,
    Definitions 2, 5, 6.

    >>> Overlap()([["red", "small"], ["red", "large"], ["blue", "large"]])
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0.5],
           [0. , 0.5, 1. ]])
    """

    composition: Literal["mean", "product"] = _composition()
    before: Literal["f1", "f2"] | None = _transformation(r"f_{\mathrm{pre}}", "every column's value")
    after: Literal["f1", "f2"] | None = _transformation(r"f_{\mathrm{post}}", "the joined value")
    gamma: float = _gamma()

    formula: ClassVar[str] = (
        r"f_{\mathrm{post}}\Big(\bigoplus_c f_{\mathrm{pre}}\big(k_0(x_c,x'_c)\big)\Big),\quad k_0(u,v)=\mathbf 1[u=v]"
    )
    source: ClassVar[str] = "[C] Definition 2"

    def _same(self, p: Array) -> Array:
        return np.ones_like(p)


@dataclass(frozen=True, repr=False)
class ProbabilityOverlap(_Nominal):
    """Agreement that counts for more the rarer it is: the kernel k1 on nominal rows.

        k1(u, v) = h(P(u)) if u = v, else 0,  h(z) = (1 − z^α)^{1/α}
        k(x, x') = f_post(⊕_c f_pre(k1(x_c, x'_c))), with ⊕, f1 and f2 as in `Overlap`

    P is each column's probability mass function over the training rows, learnt by `fit`; a
    modality that they do not show has P = 0, so h = 1. A column that is constant in training has
    h = 0 and says nothing.

    Parameters: alpha α > 0, above 1 only the commonest modalities lose weight, below 1 all but the
    rarest do; composition, before, after, gamma as in `Overlap`. Raises what `Overlap` raises, and
    NotFittedError for k(X, Y) before `fit`. Positive semi-definite: one-hot vectors scaled by √h.

    Villegas García, UPC 2013, Definitions 3 and 4; for its Lemma 2 and f2 see `Overlap`.

    >>> ProbabilityOverlap()([["a"], ["a"], ["a"], ["b"]])
    array([[0.25, 0.25, 0.25, 0.  ],
           [0.25, 0.25, 0.25, 0.  ],
           [0.25, 0.25, 0.25, 0.  ],
           [0.  , 0.  , 0.  , 0.75]])
    """

    alpha: float = _alpha()
    composition: Literal["mean", "product"] = _composition()
    before: Literal["f1", "f2"] | None = _transformation(r"f_{\mathrm{pre}}", "every column's value")
    after: Literal["f1", "f2"] | None = _transformation(r"f_{\mathrm{post}}", "the joined value")
    gamma: float = _gamma()

    formula: ClassVar[str] = (
        r"f_{\mathrm{post}}\Big(\bigoplus_c f_{\mathrm{pre}}\big(k_1(x_c,x'_c)\big)\Big),\quad "
        r"k_1(u,v)=\mathbf 1[u=v]\,(1-P(u)^{\alpha})^{1/\alpha}"
    )
    source: ClassVar[str] = "[C] Definitions 3 and 4"

    @property
    def learns_itself(self) -> bool:
        return True

    def _same(self, p: Array) -> Array:
        return inverting(p, self.alpha)


@dataclass(frozen=True, repr=False)
class GeneralOverlap(_Nominal):
    """Rare modalities are alike even when they differ: the kernel k2 on nominal rows.

        k2(u, v) = h(P(u)) if u = v, else g(P(u), P(v)),  h(z) = (1 − z^α)^{1/α}
        g(p, q) = ½ h(p) h(q) (1 − |p − q|)
        k(x, x') = f_post(⊕_c f_pre(k2(x_c, x'_c))), with ⊕, f1 and f2 as in `Overlap`

    The source leaves g open and asks that it be high for two equally rare modalities and low for
    common ones of different probability. This g does so, never exceeds half of what a match would
    score, and keeps every Gram matrix positive semi-definite:

    1. 1 − |p − q| is the share of t in [0, 1] for which p and q lie on the same side of t,
       ∫ 1[p ≤ t] 1[q ≤ t] + 1[p > t] 1[q > t] dt: an integral of inner products, so PSD.
    2. ½ h(p) h(q) is an inner product of numbers, and entrywise products of PSD matrices are PSD.
    3. k2 is that matrix plus a diagonal per modality, h − ½h² ≥ 0, since 0 ≤ h ≤ 1; and 1[u = v]
       scaled by √ of it is k1's argument again.

    P is learnt from the training rows; an unseen modality has P = 0. Parameters and errors as in
    `ProbabilityOverlap`.

    Villegas García, UPC 2013, section 7.1 (k2 and what g should do); g is ours.

    >>> GeneralOverlap()([["a"], ["a"], ["b"], ["c"]])
    array([[0.5    , 0.5    , 0.140625, 0.140625],
           [0.5    , 0.5    , 0.140625, 0.140625],
           [0.140625, 0.140625, 0.75   , 0.28125 ],
           [0.140625, 0.140625, 0.28125 , 0.75   ]])
    """

    alpha: float = _alpha()
    composition: Literal["mean", "product"] = _composition()
    before: Literal["f1", "f2"] | None = _transformation(r"f_{\mathrm{pre}}", "every column's value")
    after: Literal["f1", "f2"] | None = _transformation(r"f_{\mathrm{post}}", "the joined value")
    gamma: float = _gamma()

    formula: ClassVar[str] = (
        r"f_{\mathrm{post}}\Big(\bigoplus_c f_{\mathrm{pre}}\big(k_2(x_c,x'_c)\big)\Big),\quad "
        r"k_2(u,v)=\begin{cases}h(P(u)) & u=v\\ \tfrac12 h(P(u))\,h(P(v))\,(1-|P(u)-P(v)|) & u\ne v\end{cases}"
    )
    source: ClassVar[str] = "[C] 7.1"

    @property
    def learns_itself(self) -> bool:
        return True

    def _same(self, p: Array) -> Array:
        return inverting(p, self.alpha)

    def _different(self, p: Array, q: Array) -> Array:
        return np.asarray(0.5 * inverting(p, self.alpha) * inverting(q, self.alpha) * (1.0 - np.abs(p - q)))
