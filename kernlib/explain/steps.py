"""Explanations of steps, sums and products, from the explanations of the kernels inside."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ..core.algebra import Constant, Product, Sum
from ..core.base import Kernel
from ..core.steps import MatrixStep, RowStep, Shorthand, Side, WholeStep
from ..kernels.mixture import Mixture
from ..values.words import number
from ..wrappers.empirical import LandmarkMap, Squared
from ..wrappers.nystrom import Nystrom
from .explanation import Explanation, Part, Scene, Words, explained, explanation, leaf, parts_of

#: Added to `how` by a step that changes the value, not by a product.
_PROPORTION = "Through the steps every part keeps its proportion."
#: A product of two sums is expanded into at most this many terms; beyond, the right-hand sum is one term.
_PRODUCTS = 2500


def through(inner: Explanation, value: float, at_zero: float, chip: str) -> Explanation:
    """Return the explanation of a function f of the value: f(0), and the difference from it in the parts' proportions.

    f(v) = f(0) + Σ_i p_i (f(v) − f(0)) / v is exact. Where f(v) is so far below f(0) that the sum would cancel, the
    value is a single part.
    """
    zero = Part(f"nothing in common, {chip}", at_zero)
    slope = (value - at_zero) / inner.value if inner.value else 0.0
    parts: tuple[Part, ...] = tuple(Part(text, v * slope) for text, v in inner.parts)
    if at_zero:
        parts = (zero, *parts)
    how = inner.how if _PROPORTION in inner.how else f"{inner.how} {_PROPORTION}".strip()
    if not slope:
        parts = (zero._replace(value=value),) if value else ()
    elif 1e-15 * math.fsum(abs(part.value) for part in parts) > 1e-11 * abs(value):
        parts, how = (Part("all together: the terms cancel", value),), inner.how
    return replace(inner, value=value, parts=parts, steps=(*inner.steps, Part(chip, value)), how=how)


def _after(inner: Explanation, kernel: Kernel, scene: Scene, parts: Iterable[Part], how: str) -> Explanation:
    """Return the explanation of a step that has parts of its own."""
    value = scene.value(kernel)
    return Explanation(value, tuple(parts), (*inner.steps, Part(kernel.chip(), value)), how, inner.apart)


@explanation.register
def _matrix_step(kernel: MatrixStep, scene: Scene) -> Explanation:
    """Return the inner parts in proportion, after what the step makes of two rows whose value is 0."""
    if scene.whole is None:
        fx, fy = (kernel.row_facts(kernel.side_of(rows)) for rows in (scene.x, scene.y))
    else:
        K = scene.matrix(kernel.kernel)
        facts = kernel.row_facts(Side(scene.whole, K.diagonal().copy, lambda: K))
        fx, fy = (None if facts is None else facts[[row]] for row in (scene.i, scene.j))
    at_zero = float(kernel.new_matrix(np.zeros((1, 1)), fx, fy)[0, 0])
    return through(explained(kernel.kernel, scene), scene.value(kernel), at_zero, kernel.chip())


@explanation.register(WholeStep)
@explanation.register(Nystrom)
def _corrected(kernel: WholeStep | Nystrom, scene: Scene) -> Explanation:
    """Return the inner parts and what the step adds to them."""
    inner = explained(kernel.kernel, scene)
    change = scene.value(kernel) - math.fsum(part.value for part in inner.parts)
    parts = (*inner.parts, *parts_of(np.array([change]), lambda _: f"what changes by {kernel.chip()}"))
    return _after(inner, kernel, scene, parts, inner.how)


@explanation.register(LandmarkMap)
@explanation.register(Squared)
def _landmarks(kernel: LandmarkMap | Squared, scene: Scene) -> Explanation:
    kx, ky = scene.against(kernel.kernel, kernel.kept_rows)
    parts = parts_of(kx * ky, lambda i: f"through {scene.words.row(i, len(kx))}: {number(kx[i])} × {number(ky[i])}")
    how = "One product for every landmark row: how similar both rows are to it."
    return _after(explained(kernel.kernel, scene), kernel, scene, parts, how)


@explanation.register
def _shorthand(kernel: Shorthand, scene: Scene) -> Explanation:
    exact = explained(kernel.stands_for, scene)
    below, above = kernel.stands_for, 0
    while below is not kernel.kernel:
        below, above = below.kernel, above + 1  # type: ignore[attr-defined]
    steps = exact.steps[: len(exact.steps) - above]
    return replace(exact, steps=(*steps, Part(kernel.chip(), exact.value)))


@explanation.register
def _row_step(kernel: RowStep, scene: Scene) -> Explanation:
    words = Words(kernel.columns_after(scene.words.columns, scene.x), scene.words.rows)
    inner = explained(kernel.kernel, scene.moved(kernel.map_rows, words))
    first = Part(f"{kernel.chip()} → {inner.steps[0].text}", inner.steps[0].value)
    return replace(inner, steps=(first, *inner.steps[1:]))


# -- several kernels ----------------------------------------------------------------------------


@explanation.register
def _constant(kernel: Constant, scene: Scene) -> list[tuple[str, float]]:
    return [(f"the constant {number(kernel.value)}", kernel.value)] if kernel.value else []


@explanation.register
def _sum(kernel: Sum, scene: Scene) -> Explanation:
    return _weighted(kernel, scene, (1.0, 1.0))


@explanation.register
def _mixture(kernel: Mixture, scene: Scene) -> Explanation:
    return _weighted(kernel, scene, kernel.used_weights())


def _weighted(kernel: Kernel, scene: Scene, weights: Sequence[float]) -> Explanation:
    terms = [(w, explained(one, scene)) for w, one in zip(weights, kernel.children, strict=True) if w]
    parts = [Part(text, w * v) for w, one in terms for text, v in one.parts]
    return leaf(kernel, scene, parts, " Plus: ".join(dict.fromkeys(one.how for _, one in terms if one.how)))


@explanation.register
def _product(kernel: Product, scene: Scene) -> Explanation:
    a, b = explained(kernel.left, scene), explained(kernel.right, scene)
    if len(a.parts) * len(b.parts) <= _PRODUCTS and len(b.parts) > 1:
        parts = [Part(f"{p.text} · {q.text}", p.value * q.value) for p in a.parts for q in b.parts]
        return leaf(kernel, scene, parts, "Every part of the first times every part of the second.")
    how = f"{a.how} Times the second kernel's value {number(b.value)}."
    return leaf(kernel, scene, [Part(text, v * b.value) for text, v in a.parts], how)
