"""Kernels on vectors, column by column."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from ..core.base import Kernel
from ..kernels.anova import ANOVA
from ..kernels.distances import Laplacian, Matern, Periodic, RationalQuadratic
from ..kernels.images import LocalityImprovedImage
from ..kernels.products import ChiSquared, Cosine, Intersection, Sigmoid
from ..kernels.vectors import RBF, Linear, OfDistance, Polynomial
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
    exponent = (
        "½ Σ (x − x')² / σ², each column with its width"
        if isinstance(kernel.width(), np.ndarray)
        else "‖x − x'‖² / 2σ²"
    )
    return _product(kernel, scene, 0.5 * ((scene.x[0] - scene.y[0]) / kernel.width()) ** 2, exponent)


def _product(kernel: Kernel, scene: Scene, away: Array, exponent: str) -> Explanation:
    """Return the explanation of exp(−Σ_c away_c): the value in shares of the columns' factors, and the exact sum."""
    value, factors = scene.value(kernel), np.exp(-away)
    exact = _apart(scene, away)
    parts = [
        Part(f"{part.text}, factor {number(factor)}", share)
        for part, factor, share in zip(exact, factors.tolist(), shared_out(value, factors).tolist(), strict=True)
    ]
    total = Total(f"{exponent} by columns; the value is exp(−sum)", tuple(exact), float(away.sum()), _APART, True)
    how = (
        "A product of one factor for each column, divided in proportion to the factors. The sum in the exponent is "
        "exact."
    )
    parts = parts or [Part("no columns: exp(0)", value)]
    return replace(leaf(kernel, scene, parts, how, (total,), value), shared=True)


_APART = "A long bar makes the rows less similar; a short bar means that they agree in this column."


def _apart(scene: Scene, away: Array) -> list[Part]:
    x, y, d = scene.x[0], scene.y[0], len(scene.x[0])
    names = (f"{scene.words.column(c, d)}: {number(x[c])} and {number(y[c])}" for c in range(d))
    return [Part(name, float(a)) for name, a in zip(names, away, strict=True)]


@explanation.register
def _laplacian(kernel: Laplacian, scene: Scene) -> Explanation:
    return _product(kernel, scene, np.abs(scene.x[0] - scene.y[0]) / kernel.width(), "‖x − x'‖₁ / σ")


@explanation.register
def _periodic(kernel: Periodic, scene: Scene) -> Explanation:
    phase = np.sin(np.pi * (scene.x[0] - scene.y[0]) / kernel.period)
    return _product(kernel, scene, 2.0 * (phase / kernel.length) ** 2, "(2/ℓ²) sin²")


@explanation.register
def _chi_squared(kernel: ChiSquared, scene: Scene) -> Explanation:
    x, y = scene.x[0], scene.y[0]
    total = x + y
    away = np.divide((x - y) ** 2, total, where=total > 0, out=np.zeros_like(total))
    return _product(kernel, scene, kernel.gamma * away, "γ (x − x')² / (x + x')")


@explanation.register(Matern)
@explanation.register(RationalQuadratic)
def _of_distance(kernel: OfDistance, scene: Scene) -> Explanation:
    squares = ((scene.x[0] - scene.y[0]) / kernel.width()) ** 2
    total = Total("r² = ‖x − x'‖² / ℓ² by columns", tuple(_apart(scene, squares)), float(squares.sum()), _APART, True)
    one = Part(f"at distance r = {number(math.sqrt(squares.sum()))}", scene.value(kernel))
    return leaf(kernel, scene, [one], "A function of the distance of all columns together.", (total,))


@explanation.register
def _cosine(kernel: Cosine, scene: Scene) -> Explanation:
    lengths = [float(np.linalg.norm(rows[0])) for rows in (scene.x, scene.y)]
    factor = 1.0 / (lengths[0] * lengths[1]) if all(lengths) else 0.0
    how = f"One product for each column, over both lengths {number(lengths[0])} and {number(lengths[1])}."
    return leaf(kernel, scene, products(scene, factor), how)


@explanation.register
def _sigmoid(kernel: Sigmoid, scene: Scene) -> Explanation:
    value = scene.value(kernel)
    inner = kernel.gamma * float(scene.x[0] @ scene.y[0]) + kernel.offset
    ratio = value / inner if inner else 1.0
    parts = products(scene, kernel.gamma * ratio)
    parts += [Part(f"the offset {number(kernel.offset)}", kernel.offset * ratio)] if kernel.offset else []
    base = products(scene, kernel.gamma) + ([Part("the offset", kernel.offset)] if kernel.offset else [])
    how = "The parts of γ⟨x, x'⟩ + r in proportion."
    return leaf(kernel, scene, parts, how, (Total("γ⟨x, x'⟩ + r, before tanh", tuple(base), inner),), value)


@explanation.register
def _intersection(kernel: Intersection, scene: Scene) -> Explanation:
    least = np.minimum(scene.x[0], scene.y[0])
    parts = [part for part in _apart(scene, least) if part.value]
    return leaf(kernel, scene, parts, "The smaller of both values in each column.")


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
