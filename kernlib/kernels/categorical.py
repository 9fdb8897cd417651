"""Kernels on nominal rows: overlap, overlap weighted by rarity, and its general form.

Each defines the value of two equal and of two unequal categories of a column (`Composed`); `before` transforms it,
`composition` joins the columns and `after` transforms the result; all columns at once, by matrix products.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, cast

import numpy as np

from ..core.base import Kernel
from ..errors import ParameterError
from ..numerics.blocks import over_row_blocks, over_tiles
from ..numerics.linalg import LARGEST_EXPONENT
from ..values.arrays import Array
from ..values.declare import floats, one_of, ordinary, param, positive
from .nominal import CodedRows, Codes, joint_codes, weighted_matches

Transformation = Literal["f1", "f2"] | None
_TRANSFORMATIONS = (None, "f1", "f2")


class _Masses(NamedTuple):
    """Learnt from the training rows: their table of codes, and the share of rows that have each category."""

    rows: CodedRows
    shares: Array


class _Columns(NamedTuple):
    """Rows as codes, (m, d) and (n, d), and by code each category's share of the training rows.

    The codes of column c run from starts[c] on; shares are of `trained` rows.
    """

    left: Codes
    right: Codes | None
    shares: Array
    starts: Codes
    trained: int = 1


@dataclass(frozen=True, repr=False)
class Composed(Kernel):
    """The common part of the kernels; a subclass implements `equal_value` and `unequal_value` of probabilities."""

    composition: Literal["mean", "product"] = one_of(
        "mean", r"\oplus", "how the columns' values are combined", ("mean", "product")
    )
    before: Literal["f1", "f2"] | None = one_of(
        None, r"f_{\mathrm{pre}}", "transformation of every column's value", _TRANSFORMATIONS
    )
    after: Literal["f1", "f2"] | None = one_of(
        None, r"f_{\mathrm{post}}", "transformation of the joined value", _TRANSFORMATIONS
    )
    gamma: float = positive(1.0, r"\gamma", "strength of f1 and f2; without them it has no effect", 0.125, 4.0)

    domain = "categorical"
    cost = "O(n² · categories), one matrix product"
    #: Whether two different categories of a column can have a value other than 0.
    graded: ClassVar[bool] = False

    @property
    def idle(self) -> frozenset[str]:
        """Return {"gamma"} where no transformation uses γ: it then changes nothing."""
        return frozenset({"gamma"} if self.before is None and self.after is None else ())

    @property
    def rounding(self) -> float:
        """Return the bound: f1 and f2 multiply the error of their argument by γ, the second also by the size of f1."""
        bound, size = 1.0, 1.0
        for f in (self.before, self.after):
            if f is not None:
                bound = 1.0 + (2.0 if f == "f2" else 1.0) * self.gamma * size * bound
                size = math.exp(min(self.gamma, LARGEST_EXPONENT)) if f == "f1" else 1.0
        return bound

    def chip(self) -> str:
        alpha: float | None = getattr(self, "alpha", None)
        shown = [] if alpha is None else [f"{alpha:g}"]
        shown += [] if self.composition == "mean" else [self.composition]
        steps = [(name, f) for name, f in (("before", self.before), ("after", self.after)) if f is not None]
        shown += [f"{name}={f}" for name, f in steps]
        shown += [f"{self.gamma:g}"] if steps else []  # without f1 and f2 it does nothing
        return f"{type(self).__name__}({', '.join(shown)})" if shown else type(self).__name__

    def equal_value(self, p: Array) -> Array:
        """Return k(u, u) of a category of probability p."""
        raise NotImplementedError

    def unequal_value(self, p: Array, q: Array) -> Array:
        """Return k(u, v) of two categories u ≠ v of probabilities p and q."""
        return np.zeros(np.broadcast_shapes(p.shape, q.shape))

    # -- rows as codes ------------------------------------------------------------------------

    @property
    def pmf(self) -> tuple[dict[Any, float], ...]:
        """Return per column, the probability of each category as learnt; NotFittedError before `fit`."""
        self.require_fitted("pmf")
        masses: _Masses | None = self.state
        if masses is None:
            return ()
        table, shares = masses.rows.table, masses.shares
        pairs = zip(table.categories, np.split(shares, table.starts[1:-1]), strict=True)
        # The codes of a bound kernel include categories of test rows, which have no share of the training rows.
        return tuple({m: s for m, s in zip(values.tolist(), p.tolist(), strict=True) if s} for values, p in pairs)

    def prepared_rows(self, rows: Array, memo: Any) -> Any:
        """Return rows as codes, once for all kernels that are bound to them."""
        if CodedRows not in memo:
            memo[CodedRows] = CodedRows.of(rows, type(self).__name__)
        return memo[CodedRows]

    def learn(self, X: Array | CodedRows, y: Array | None) -> _Masses:
        coded = X if isinstance(X, CodedRows) else CodedRows.of(X, type(self).__name__)
        carried = np.bincount(coded.codes.ravel(), minlength=int(coded.table.starts[-1]))
        return _Masses(coded, carried / len(coded))

    def _columns(self, X: Array | CodedRows, Y: Array | CodedRows | None) -> _Columns:
        masses: _Masses | None = self.state
        if masses is not None:
            self.require_learnt_columns(cast(Array, X), masses.rows.shape[1])
            if Y is None and X is masses.rows.table.rows:
                X = masses.rows
        if not isinstance(X, CodedRows):
            parts = [X] if Y is None else [X, cast(Array, Y)]
            if masses is not None:
                parts.append(masses.rows.table.rows[masses.rows.numbers])
            coded = joint_codes(parts, type(self).__name__)
            X, Y = coded[0], None if Y is None else coded[1]
            masses = None if masses is None else self.learn(coded[-1], None)
        assert masses is None or masses.rows.table is X.table
        assert Y is None or isinstance(Y, CodedRows)
        shares = np.zeros(int(X.table.starts[-1])) if masses is None else masses.shares
        right = None if Y is None else Y.codes
        return _Columns(X.codes, right, shares, X.table.starts, 1 if masses is None else len(masses.rows))

    # -- evaluation ---------------------------------------------------------------------------

    def gram(self, X: Array, Y: Array | None) -> Array:
        columns = self._columns(X, Y)
        d = columns.left.shape[1]
        # Π f(k_c) is f of the sum of the k_c, for f1 and f2 alike: both are exponentials.
        divisor, f = (1, None) if self.composition == "product" else (d, self.before)
        if self.composition == "product" and self.before is None:
            K = self._graded_product(columns) if self.graded else self._equal_rows(columns)
        else:
            K = (self._graded_sum if self.graded else self._sum)(columns, f, divisor)
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

    def gram_diag(self, X: Array) -> Array:
        columns = self._columns(X, None)
        divisor = 1 if self.composition == "product" else columns.left.shape[1]
        d = self._values(columns.left, columns.shares, divisor)
        if self.composition == "product" and self.before is not None:
            d = self._transformed_diag(self.before, d)
        return d if self.after is None else self._transformed_diag(self.after, d)

    def _values(self, codes: Codes, shares: Array, divisor: int) -> Array:
        """Return k(x, x) as composed, before the transformations of the joined value: (n,)."""
        value = self.equal_value(shares)
        if self.composition == "product" and self.before is None:
            return np.asarray(value[codes].prod(axis=1))
        if self.composition == "mean" and self.before is not None:
            value = self._transformed_diag(self.before, value)
        return np.asarray(value[codes].sum(axis=1) / divisor)

    def _transformed_diag(self, f: Transformation, d: Array) -> Array:
        """Return f1 or f2 of the diagonal d; raise ParameterError where the kernel would overflow."""
        if f == "f2":
            return np.ones_like(d)
        highest = float(d.max(initial=0.0))
        if self.gamma * highest > LARGEST_EXPONENT:
            raise ParameterError(
                f"{type(self).__name__}: gamma must keep exp(gamma·k(x, x)) finite; expected gamma <= "
                f"{LARGEST_EXPONENT / highest:.4g} for these rows, got {self.gamma!r}. Try a smaller gamma, "
                "composition='mean', or f2."
            )
        return np.asarray(np.exp(self.gamma * d))

    def _tables(self, shares: Array, f: Transformation) -> tuple[Array, Array]:
        """Return a column's k(u, u), (r,), and k(u, v) for u ≠ v, (r, r), over r probabilities, transformed."""
        same, different = self.equal_value(shares), self.unequal_value(shares[:, None], shares)
        if f == "f1":
            return self._transformed_diag(f, same), np.exp(self.gamma * different)
        if f == "f2":
            apart = same[:, None] + same - 2.0 * different
            return np.ones_like(same), np.exp(-self.gamma * apart)
        return same, different

    def _sum(self, columns: _Columns, f: Transformation, divisor: int) -> Array:
        """Return Σ_c f(k_c) / divisor where unequal categories have k = 0."""
        same, extra, constant = self.equal_value(columns.shares), None, 0.0
        d = columns.left.shape[1]
        if f == "f1":
            same, constant = self._transformed_diag(f, same) - 1.0, float(d)
        elif f == "f2":
            # exp(−γ[k(u, u) + k(v, v)]): one feature for each column
            fading = np.exp(-self.gamma * same)
            same = 1.0 - fading**2
            if np.ptp(fading) == 0.0:
                constant = d * float(fading[0] ** 2)
            else:
                left = fading[columns.left]
                extra = left, left if columns.right is None else fading[columns.right]
        parts = columns.trained if f is None else 1  # h of whole counts may be whole again, exp of it is not
        K = weighted_matches(columns.left, columns.right, same, extra, divisor, parts)
        if constant:
            K += constant / divisor
        return K

    def _columns_tables(self, columns: _Columns, f: Transformation) -> Iterator[tuple[Array, Array, Codes]]:
        """Yield f of each column's k(u, u) and k(u, v) by probability, and the place of each category's probability.

        n rows have at most √(2n) different probabilities, however many categories.
        """
        for own in map(slice, columns.starts[:-1], columns.starts[1:]):
            distinct, place = np.unique(columns.shares[own], return_inverse=True)
            yield *self._tables(distinct, f), place

    def _graded_sum(self, columns: _Columns, f: Transformation, divisor: int) -> Array:
        """Return Σ_c f(k_c) / divisor: k(u, v) of the probabilities, and for u = v the rest of k(u, u)."""
        left, right = columns.left, columns.left if columns.right is None else columns.right
        values, chosen, rest = [], [], []
        for c, (same, table, place) in enumerate(self._columns_tables(columns, f)):
            values.append(table[place[left[:, c] - columns.starts[c]]])
            chosen.append(np.eye(len(table))[place[right[:, c] - columns.starts[c]]])
            rest.append(np.maximum(same - table.diagonal(), 0.0)[place])
        extra = np.hstack(values), np.hstack(chosen)
        return weighted_matches(left, columns.right, np.concatenate(rest), extra, divisor)

    def _graded_product(self, columns: _Columns) -> Array:
        """Return Π_c k_c."""
        left, right = columns.left, columns.left if columns.right is None else columns.right
        tables = list(self._columns_tables(columns, None))

        def multiplied(rows: slice, others: slice, out: Array) -> None:
            out[...] = 1.0
            for c, (same, table, place) in enumerate(tables):
                u, v = left[rows, c] - columns.starts[c], right[others, c] - columns.starts[c]
                values = table[place[u]].take(place[v], axis=1)
                np.copyto(values, same[place[u]][:, None], where=u[:, None] == v)
                out *= values

        return over_tiles(len(left), None if columns.right is None else len(right), multiplied)

    def _equal_rows(self, columns: _Columns) -> Array:
        """Return Π_c k_c where unequal categories give 0: only rows equal in every column have a value."""
        K = weighted_matches(columns.left, columns.right, np.ones_like(columns.shares))
        value = self.equal_value(columns.shares)[columns.left].prod(axis=1)
        return np.asarray(np.multiply(columns.left.shape[1] == K, value[:, None], out=K))


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

    formula = (
        r"f_{\mathrm{post}}\Big(\bigoplus_c f_{\mathrm{pre}}\big(k_0(x_c,x'_c)\big)\Big),\quad "
        r"{k_0(u,v)=\mathbf 1[u=v]}"
    )
    source = "[C] Definition 2"

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

    learns_itself = True

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

    formula = (
        r"f_{\mathrm{post}}\Big(\bigoplus_c f_{\mathrm{pre}}\big(k_1(x_c,x'_c)\big)\Big),\quad "
        r"{k_1(u,v)=\mathbf 1[u=v]\,(1-P(u)^{\alpha})^{1/\alpha}}"
    )
    source = "[C] Definitions 3 and 4"


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
    formula = (
        r"f_{\mathrm{post}}\Big(\bigoplus_c f_{\mathrm{pre}}\big(k_1(x_c,x'_c)\big)\Big),\quad "
        r"{k_1(u,v)=\mathbf 1[u=v]\,h(P(u))}"
    )
    source = "[C] Definition 3"
    learns_itself = True

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

    formula = (
        r"f_{\mathrm{post}}\Big(\bigoplus_c f_{\mathrm{pre}}\big(k_2(x_c,x'_c)\big)\Big),\quad "
        r"{k_2(u,u)=h(p)},\quad {k_2(u,v)=\tfrac12 h(p)\,h(q)\,(1-|p-q|)},\quad {p=P(u),\ q=P(v)}"
    )
    source = "[C] 7.1"
    graded: ClassVar[bool] = True

    def unequal_value(self, p: Array, q: Array) -> Array:
        return np.asarray(0.5 * inverting(p, self.alpha) * inverting(q, self.alpha) * (1.0 - np.abs(p - q)))
