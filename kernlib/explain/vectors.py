"""Kernels on vectors, column by column."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from ..kernels.anova import ANOVA
from ..kernels.images import LocalityImprovedImage
from ..kernels.vectors import RBF, Linear, Polynomial
from ..values.arrays import Array
from ..values.words import number
from .explanation import Explanation, Part, Scene, Total, explanation, leaf, parts_of

#: With more columns than this, columns of value 0 are left out.
_ALL_COLUMNS = 60
#: Combinations of columns that are listed by name.
_COMBINATIONS = 500


def products(scene: Scene, factor: float = 1.0) -> list[Part]:
    """Return x_c x'_c for every column, times a factor."""
    x, y = scene.x[0], scene.y[0]
    d = len(x)
    values = x * y * factor
    shown = np.arange(d) if d <= _ALL_COLUMNS else np.flatnonzero(values)
    return [
        Part(f"{scene.words.column(c, d)}: {number(x[c])} × {number(y[c])}", float(values[c])) for c in shown.tolist()
    ]


def shared_out(value: float, factors: Array) -> Array:
    """Return a product's value in shares proportional to its factors, which are ≥ 0: all 0 where a factor is 0."""
    total = float(factors.sum())
    return factors * (value / total) if total > 0.0 else np.zeros(len(factors))


@explanation.register
def _linear(kernel: Linear, scene: Scene) -> Explanation:
    return leaf(kernel, scene, products(scene), "One product for each column.")


@explanation.register
def _polynomial(kernel: Polynomial, scene: Scene) -> Explanation:
    inner = float(scene.x[0] @ scene.y[0]) + kernel.offset
    factor = inner ** (kernel.degree - 1)
    parts = products(scene, factor)
    if kernel.offset:
        parts.append(Part(f"the offset {number(kernel.offset)}", kernel.offset * factor))
    how = f"One of the {kernel.degree} equal factors, {number(inner)}, as a sum over columns; the others multiply it."
    base = (*products(scene), *([Part("the offset", kernel.offset)] if kernel.offset else []))
    return leaf(kernel, scene, parts, how, (Total("⟨x, x'⟩ + R, before the power", base, inner),))


@explanation.register
def _rbf(kernel: RBF, scene: Scene) -> Explanation:
    x, y = scene.x[0], scene.y[0]
    d = len(x)
    away = 0.5 * ((x - y) / kernel.width()) ** 2
    names = [scene.words.column(c, d) for c in range(d)]
    value = scene.value(kernel)
    shares = shared_out(value, np.exp(-away))
    parts = [
        Part(f"{names[c]}: {number(x[c])} and {number(y[c])}, factor {number(math.exp(-away[c]))}", float(shares[c]))
        for c in range(d)
    ]
    if not d:
        parts = [Part("no columns: exp(0)", value)]
    distance = Total(
        "‖x − x'‖² / 2σ² by columns; the value is exp(−sum)",
        tuple(Part(f"{names[c]}: {number(x[c])} and {number(y[c])}", float(away[c])) for c in range(d)),
        float(away.sum()),
        "A long bar makes the rows less similar; a short bar means that they agree in this column.",
    )
    how = (
        "A product of one factor for each column, divided in proportion to the factors. The squared distance is the "
        "exact sum."
    )
    return replace(leaf(kernel, scene, parts, how, (distance,), value), shared=True)


@explanation.register
def _anova(kernel: ANOVA, scene: Scene) -> Explanation:
    x, y = scene.x[0], scene.y[0]
    d, order = len(x), kernel.order
    e = np.exp(-0.5 * ((x - y) / kernel.sigma) ** 2)
    names = [scene.words.column(c, d) for c in range(d)]
    if math.comb(d, order) <= _COMBINATIONS:
        parts = [
            Part(" and ".join(names[c] for c in chosen), float(np.prod(e[list(chosen)])))
            for chosen in itertools.combinations(range(d), order)
        ]
        return leaf(kernel, scene, parts, f"One product for every choice of {order} columns.")
    # e_c ∂S_D/∂e_c, the products that column c takes part in; each product is counted in D columns.
    values = e * _without_one(e, order - 1) / order
    parts = [Part(f"{names[c]}: {number(x[c])} and {number(y[c])}", float(values[c])) for c in range(d)]
    how = f"The products of {order} columns, too many to be named, shared equally among the columns in them."
    return leaf(kernel, scene, parts, how)


def _without_one(e: Array, order: int) -> Array:
    """Return for every column the elementary symmetric polynomial of the others, (d,)."""
    d = len(e)
    before = np.zeros((d + 1, order + 1))
    after = np.zeros((d + 1, order + 1))
    before[0, 0] = after[d, 0] = 1.0
    for c in range(d):
        before[c + 1] = before[c]
        before[c + 1, 1:] += e[c] * before[c, :-1]
        k = d - 1 - c
        after[k] = after[k + 1]
        after[k, 1:] += e[k] * after[k + 1, :-1]
    return np.asarray(np.einsum("cs,cs->c", before[:d], after[1:, ::-1]))


@explanation.register
def _image(kernel: LocalityImprovedImage, scene: Scene) -> Explanation:
    P = scene.x[0] * scene.y[0]
    z = np.empty(len(P))
    for read, written, window in kernel.strips():
        z[written] = P[read] @ window
    powers = z**kernel.d1
    columns = kernel.shape[1]
    values = powers * powers.sum() ** (kernel.d2 - 1)
    parts = parts_of(values, lambda i: f"around pixel ({i // columns}, {i % columns})")
    how = "One term for the window around every pixel" + (
        f", times the sum of all windows to the power {kernel.d2 - 1}." if kernel.d2 > 1 else "."
    )
    return leaf(kernel, scene, parts, how)
