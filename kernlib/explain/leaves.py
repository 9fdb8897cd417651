"""Explanations of kernels without an explicit feature map; those that have none here are one part."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..core.base import Kernel
from ..kernels.categorical import Composed
from ..kernels.nodes import OfLaplacian
from ..kernels.vectors import (
    RBF,
    ChiSquared,
    Cosine,
    Intersection,
    Laplacian,
    Linear,
    Matern,
    Periodic,
    Polynomial,
    RationalQuadratic,
    Sigmoid,
)
from ..values.arrays import Array
from ..values.words import number
from .explanation import Explanation, Part, Scene, explanation, leaf, parts_of
from .features import same_category, share_of

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
    terms = np.append(x * y * getattr(kernel, "gamma", 1.0), offset)
    inner, size = float(terms.sum()), float(np.abs(terms).sum())
    ratio = scene.value(kernel) / inner if abs(inner) > _CANCELLED * size else 1.0
    names = [f"{scene.words.column(c, d)}: {number(x[c])} × {number(y[c])}" for c in range(d)]
    names += [f"the offset {number(offset)}"] if offset else []
    # Columns whose product is 0 too: of images, every pixel has its part.
    parts = [Part(name, value) for name, value in zip(names, (terms * ratio).tolist(), strict=False)]
    return leaf(kernel, scene, parts, "One product for each column, in proportion.")


def _of_factors(kernel: Kernel, scene: Scene, terms: Callable[[Any, Array, Array], Array]) -> Explanation:
    """Return the parts of exp(−Σ terms), one term for each column."""
    apart = _compared(scene, terms(kernel, scene.x[0], scene.y[0]))
    value, factors = scene.value(kernel), np.exp([-part.value for part in apart])
    parts = [
        Part(f"{part.text}, factor {number(factor)}", share)
        for part, factor, share in zip(apart, factors.tolist(), shared_out(value, factors).tolist(), strict=True)
    ]
    return leaf(kernel, scene, parts or [Part("no columns: exp(0)", value)], _SHARED, apart)


#: The terms of the exponent of kernels that are exp(−their sum), for rows x and y.
_EXPONENTS: dict[Any, Callable[[Any, Array, Array], Array]] = {
    RBF: lambda k, x, y: 0.5 * ((x - y) / k.width()) ** 2,
    Laplacian: lambda k, x, y: np.abs(x - y) / k.width(),
    Periodic: lambda k, x, y: 2.0 * (np.sin(np.pi * (x - y) / k.period) / k.length) ** 2,
    ChiSquared: lambda k, x, y: k.gamma * np.divide((x - y) ** 2, x + y, where=x + y > 0, out=np.zeros_like(x)),
}
for _class, _terms in _EXPONENTS.items():
    explanation.register(_class, partial(_of_factors, terms=_terms))


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
def _nominal(kernel: Composed, scene: Scene) -> Explanation:
    x, y, value = scene.x[0], scene.y[0], scene.value(kernel)
    d = len(x)
    p, q = np.array([[share_of(kernel, c, row[c]) for c in range(d)] for row in (x, y)])
    same = [same_category(u, v) for u, v in zip(x, y, strict=True)]
    values = np.where(same, kernel.equal_value(p), kernel.unequal_value(p, q))
    if not values.any():
        return leaf(kernel, scene, parts_of(np.array([value]), lambda _: "nothing in common"))
    rarity = [f", P = {number(a)} and {number(b)}" if kernel.learns_itself else "" for a, b in zip(p, q, strict=True)]
    texts = [f"{scene.words.column(c, d)}: {x[c]} and {y[c]}{rarity[c]}" for c in range(d)]
    parts = zip(texts, shared_out(value, values).tolist(), strict=True)
    return leaf(kernel, scene, parts, "Divided in proportion to the columns' own values.")


@explanation.register
def _of_laplacian(kernel: OfLaplacian, scene: Scene) -> Explanation:
    """Return the explanation as Σ_m r(s_m) u_im u_jm."""
    s, U = kernel.eigenvalues(np.asarray(scene.rows, dtype=np.float64))
    response = kernel.response(s)
    parts = parts_of(
        response * U[scene.i] * U[scene.j], lambda m: f"direction {m + 1} of the graph, s = {number(s[m])}"
    )
    how = "One term for every eigenvector of the Laplacian: slow ones (small s) are shared by whole neighbourhoods."
    return leaf(kernel, scene, parts, how)


class Responses(NamedTuple):
    """r(λ) of a node kernel over its largest value, for several values of one parameter.

    `places` λ (m,), evenly spaced; `ticks` the eigenvalues of the Laplacian, at most 120 of them; `curves` (values, m);
    `values` of the parameter `name`, None for a kernel without one; `at` which of them is the kernel's.
    """

    places: Array
    ticks: Array
    curves: Array
    name: str
    values: tuple[Any, ...]
    at: int


def responses(kernel: OfLaplacian, eigenvalues: Array, values: Sequence[Any] = ()) -> Responses:
    """Return the function of the eigenvalues that makes the kernel, at `values` of its first parameter and its own.

    A response that is 0 at 0, such as 1/λ of the pseudo-inverse, begins at the smallest eigenvalue above 0.

    >>> from kernlib import Diffusion
    >>> found = responses(Diffusion(beta=1.0), np.array([0.0, 2.0]), (0.5,))
    >>> found.values, found.at, found.curves[:, -1].round(4).tolist()
    ((0.5, 1.0), 1, [0.3679, 0.1353])
    """
    last = 2.0 if kernel.normalised else float(eigenvalues[-1]) or 1.0
    above = eigenvalues[eigenvalues > 1e-10 * last]
    begin = 0.0 if kernel.response(np.array([0.0, last]))[0] > 0 or not len(above) else float(above[0])
    places = np.linspace(begin, last, 41)
    name = next((p.name for p in kernel.parameters()), "")
    own = getattr(kernel, name) if name else None
    every = tuple(sorted({*values, own})) if name else (None,)
    curves = np.array([(replace(kernel, **{name: value}) if name else kernel).response(places) for value in every])
    size = curves.max(axis=1, keepdims=True)
    curves = np.divide(curves, size, where=size > 0, out=np.zeros_like(curves))
    shown = np.unique(np.linspace(0, len(eigenvalues) - 1, 120).astype(np.intp))
    return Responses(places, eigenvalues[shown], curves, name, every, every.index(own))
