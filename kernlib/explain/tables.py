"""Explanations of kernels on the rows of a table, column by column."""

from __future__ import annotations

import math
from functools import singledispatch

import numpy as np

from ..kernels.anova import ANOVA
from ..kernels.composed import Composed
from ..kernels.distances import Laplacian, Matern, Periodic, RationalQuadratic
from ..kernels.images import LocalityImprovedImage
from ..kernels.nominal import missing
from ..kernels.products import ChiSquared, Cosine, Intersection, Sigmoid
from ..kernels.vectors import RBF, Linear, Polynomial
from ..values.arrays import Array
from ..values.words import number
from .explanation import Explanation, Part, Scene, explanation, leaf, parts_of
from .spaces import same_category, share_of
from .steps import through

#: A sum that cancels to a smaller share of its terms is 0 but for rounding.
_CANCELLED = 1e-13

_SHARED = "A product of one factor for each column, divided in proportion to the factors."


def shared_out(value: float, factors: Array) -> Array:
    """Return a product's value in shares proportional to its factors, which are ≥ 0: all 0 where a factor is 0."""
    total = float(factors.sum())
    return factors * (value / total) if total > 0.0 else np.zeros(len(factors))


def _compared(scene: Scene, values: Array) -> list[Part]:
    """Return one part for each column, with the cells of both rows."""
    x, y, d = scene.x[0], scene.y[0], len(values)
    names = (f"{scene.words.column(c, d)}: {number(x[c])} and {number(y[c])}" for c in range(d))
    return [Part(name, float(value)) for name, value in zip(names, values, strict=True)]


@explanation.register(Linear)
@explanation.register(Polynomial)
@explanation.register(Cosine)
@explanation.register(Sigmoid)
def _of_products(kernel: Linear | Polynomial | Cosine | Sigmoid, scene: Scene) -> Explanation:
    """Return a function of ⟨x, x'⟩ + r as the sum of the columns' products and r, in proportion."""
    x, y, d = scene.x[0], scene.y[0], scene.x.shape[1]
    offset = getattr(kernel, "offset", 0.0)
    products = x * y * getattr(kernel, "gamma", 1.0)
    inner = float(products.sum()) + offset
    size = float(np.abs(products).sum()) + abs(offset)
    ratio = scene.value(kernel) / inner if abs(inner) > _CANCELLED * size else 1.0
    names = (f"{scene.words.column(c, d)}: {number(x[c])} × {number(y[c])}" for c in range(d))
    parts = [Part(name, float(value) * ratio) for name, value in zip(names, products, strict=True)]
    if offset:
        parts.append(Part(f"the offset {number(offset)}", offset * ratio))
    return leaf(kernel, scene, parts, "One product for each column, in proportion.")


@singledispatch
def _terms(kernel: RBF | Laplacian | Periodic | ChiSquared, x: Array, y: Array) -> Array:
    """Return the terms of the exponent, one for each column, where the kernel is exp(−their sum)."""
    raise NotImplementedError


@_terms.register
def _(kernel: RBF, x: Array, y: Array) -> Array:
    return np.asarray(0.5 * ((x - y) / kernel.width()) ** 2)


@_terms.register
def _(kernel: Laplacian, x: Array, y: Array) -> Array:
    return np.asarray(np.abs(x - y) / kernel.width())


@_terms.register
def _(kernel: Periodic, x: Array, y: Array) -> Array:
    return np.asarray(2.0 * (np.sin(np.pi * (x - y) / kernel.period) / kernel.length) ** 2)


@_terms.register
def _(kernel: ChiSquared, x: Array, y: Array) -> Array:
    total = x + y
    return np.asarray(kernel.gamma * np.divide((x - y) ** 2, total, where=total > 0, out=np.zeros_like(total)))


@explanation.register(RBF)
@explanation.register(Laplacian)
@explanation.register(Periodic)
@explanation.register(ChiSquared)
def _of_factors(kernel: RBF | Laplacian | Periodic | ChiSquared, scene: Scene) -> Explanation:
    apart = _compared(scene, _terms(kernel, scene.x[0], scene.y[0]))
    value, factors = scene.value(kernel), np.exp([-part.value for part in apart])
    parts = [
        Part(f"{part.text}, factor {number(factor)}", share)
        for part, factor, share in zip(apart, factors.tolist(), shared_out(value, factors).tolist(), strict=True)
    ]
    return leaf(kernel, scene, parts or [Part("no columns: exp(0)", value)], _SHARED, apart)


@explanation.register(Matern)
@explanation.register(RationalQuadratic)
def _of_distance(kernel: Matern | RationalQuadratic, scene: Scene) -> Explanation:
    apart = _compared(scene, ((scene.x[0] - scene.y[0]) / kernel.width()) ** 2)
    distance = math.sqrt(sum(part.value for part in apart))
    one = Part(f"at distance r = {number(distance)}", scene.value(kernel))
    return leaf(kernel, scene, [one], "A function of the distance of all columns together.", apart)


@explanation.register
def _intersection(kernel: Intersection, scene: Scene) -> Explanation:
    parts = (part for part in _compared(scene, np.minimum(scene.x[0], scene.y[0])) if part.value)
    return leaf(kernel, scene, parts, "The smaller of both values in each column.")


@explanation.register
def _anova(kernel: ANOVA, scene: Scene) -> Explanation:
    """Return the products of columns, each shared equally among its columns: (k − k without the column) / order."""
    value, d = scene.value(kernel), scene.x.shape[1]
    without = np.zeros(d)
    if d > kernel.order:
        rows = (np.delete(np.stack([scene.x[0], scene.y[0]]), c, axis=1) for c in range(d))
        without = np.array([kernel.gram(pair[:1], pair[1:])[0, 0] for pair in rows])
    how = f"The products of {kernel.order} columns, each shared equally among its columns."
    return leaf(kernel, scene, _compared(scene, (value - without) / kernel.order), how)


@explanation.register
def _image(kernel: LocalityImprovedImage, scene: Scene) -> Explanation:
    products = scene.x[0] * scene.y[0]
    windows = np.empty(len(products))
    for read, written, window in kernel.strips():
        windows[written] = products[read] @ window
    powers, columns = windows**kernel.d1, kernel.shape[1]
    parts = parts_of(
        powers * powers.sum() ** (kernel.d2 - 1), lambda i: f"around pixel ({i // columns}, {i % columns})"
    )
    return leaf(kernel, scene, parts, "One term for the window around every pixel.")


@explanation.register
def _nominal(kernel: Composed, scene: Scene) -> Explanation:
    x, y = ([v.item() if isinstance(v, np.generic) else v for v in rows[0]] for rows in (scene.x, scene.y))
    d = len(x)
    p, q = np.array([[share_of(kernel, c, row[c]) for c in range(d)] for row in (x, y)])
    same = np.array([same_category(u, v) for u, v in zip(x, y, strict=True)])
    own = np.stack([kernel.equal_value(p), kernel.equal_value(q)])
    values = np.where(same, own[0], kernel.unequal_value(p, q))
    texts = []
    for c in range(d):
        first, second = ("missing" if missing(cell) else str(cell) for cell in (x[c], y[c]))
        cells = f"{first} in both" if same[c] else f"{first} and {second}"
        rarity = f", P = {number(p[c])}" if kernel.learns_itself and same[c] else ""
        texts.append(f"{scene.words.column(c, d)}: {cells}{rarity}")
    if kernel.before == "f1":
        values, own = np.exp(kernel.gamma * values), np.exp(kernel.gamma * own)
    elif kernel.before == "f2":
        values, own = np.exp(-kernel.gamma * (own.sum(axis=0) - 2.0 * values)), np.ones_like(own)
    if kernel.composition == "mean":
        joined, shares, lengths = float(values.mean()), values / d, own.mean(axis=1)
        how = f"The mean over {d} columns: each adds its own value over {d}."
    else:
        joined, lengths = float(values.prod()), own.prod(axis=1)
        shares, how = shared_out(joined, values), _SHARED
    parts = tuple(Part(text, float(share)) for text, share in zip(texts, shares, strict=True))
    if kernel.after is None:
        return leaf(kernel, scene, parts, how)
    zero = 1.0 if kernel.after == "f1" else math.exp(-kernel.gamma * lengths.sum())
    after = through(Explanation(joined, parts, (), how), scene.value(kernel), zero, kernel.after)
    return leaf(kernel, scene, after.parts, after.how)
