"""Explanations of steps, sums and products, from the explanations of the kernels inside."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ..core.algebra import Constant, Monomial, Product, Scaled, Sum
from ..core.base import Kernel
from ..core.steps import MatrixStep, Pointwise, RowStep, Shorthand, Side, WholeStep
from ..kernels.mixture import Mixture
from ..values.words import number
from ..wrappers.centered import Centered
from ..wrappers.conformal import Conformal
from ..wrappers.deep import Deep
from ..wrappers.empirical import Empirical
from ..wrappers.infinite import Layers
from ..wrappers.normalized import Normalized
from ..wrappers.nystrom import Nystrom
from ..wrappers.repaired import Repaired
from ..wrappers.softmargin import SoftMarginDiagonal
from ..wrappers.standardized import Standardized
from .explanation import Explanation, Part, Scene, Total, Words, explained, explanation, leaf, parts_of
from .learnt import columns_after, landmarks

#: Added to `how` by a step that changes the value, not by a product.
_PROPORTION = "Through the steps every part keeps its proportion."
#: A product of two sums is expanded into at most this many terms; beyond, the right-hand sum is one term.
_PRODUCTS = 2500


def multiplied(inner: Explanation, factor: float, value: float, chip: str, how: str = "") -> Explanation:
    """Return the explanation of a step that multiplies every value by a number."""
    return replace(
        inner,
        value=value,
        parts=tuple(Part(text, v * factor) for text, v in inner.parts),
        steps=(*inner.steps, Part(chip, value)),
        how=f"{inner.how} {how}".strip(),
    )


def through(inner: Explanation, value: float, at_zero: float, chip: str, zero: str) -> Explanation:
    """Return the explanation of a function f of the value: f(0), and the difference from it in the parts' proportions.

    f(v) = f(0) + Σ_i p_i (f(v) − f(0)) / v is exact. Where f(v) is so far below f(0) that the sum would cancel, the
    value is a single part.
    """
    steps = (*inner.steps, Part(chip, value))
    size = math.fsum(abs(p.value) for p in inner.parts)
    if inner.value == 0.0 or not inner.parts:
        alone = (Part(zero, value),) if value else ()
        return replace(inner, value=value, parts=alone, steps=steps)
    slope = (value - at_zero) / inner.value
    lost = 1e-15 * (abs(at_zero) + abs(slope) * size)
    if lost > 1e-11 * abs(value):
        one = Part("all together: the terms cancel", value)
        return Explanation(value, (one,), steps, inner.how, (*inner.inside, _before(inner)))
    parts = tuple(Part(text, v * slope) for text, v in inner.parts)
    if at_zero:
        parts = (Part(zero, at_zero), *parts)
    how = "" if _PROPORTION in inner.how else _PROPORTION
    return replace(inner, value=value, parts=parts, steps=steps, how=f"{inner.how} {how}".strip())


def _before(inner: Explanation) -> Total:
    return Total(f"before the step: {inner.steps[-1].text if inner.steps else ''}", inner.parts, inner.value)


def new_parts(
    kernel: Kernel, scene: Scene, inner: Explanation, parts: Iterable[Part], how: str, before: str = ""
) -> Explanation:
    """Return the explanation of a step that has parts of another kind than the kernel inside, whose parts are a total.

    `before` is the title of that total.
    """
    value = scene.value(kernel)
    under = Total(before, inner.parts, inner.value) if before else _before(inner)
    return Explanation(value, tuple(parts), (*inner.steps, Part(kernel.chip(), value)), how, (under, *inner.inside))


# -- functions of one value ---------------------------------------------------------------------


@explanation.register
def _pointwise(kernel: Pointwise, scene: Scene) -> Explanation:
    at_zero = float(kernel.change_entries(np.zeros((1, 1)))[0, 0])
    zero = f"nothing in common, {kernel.chip()}"
    return through(explained(kernel.kernel, scene), scene.value(kernel), at_zero, kernel.chip(), zero)


@explanation.register
def _deep(kernel: Deep, scene: Scene) -> Explanation:
    inner = explained(kernel.kernel, scene)
    steps = inner.steps
    dx, dy = scene.diagonal(kernel.kernel)
    for level, h in enumerate(kernel.learnt_bandwidths, start=1):
        peak = 1.0 / (math.sqrt(2.0 * math.pi) * h)
        away = max(0.0, dx - 2.0 * inner.value + dy) / (2.0 * h * h)
        at_zero = peak * math.exp(-(dx + dy) / (2.0 * h * h))
        inner = through(inner, peak * math.exp(-away), at_zero, kernel.chip(), f"nothing in common, level {level}")
        dx = dy = peak
    # The kernel rounds at every level (rows that coincide have distance 0): its value is shown.
    return _scaled_to(inner, scene.value(kernel), (*steps, Part(kernel.chip(), scene.value(kernel))))


@explanation.register
def _layers(kernel: Layers, scene: Scene) -> Explanation:
    """Return the inner parts in proportion, after what two rows at a right angle have in common."""
    inner, value = explained(kernel.kernel, scene), scene.value(kernel)
    lengths = (np.array([d]) for d in scene.diagonal(kernel.kernel))
    fx, fy = (kernel.row_facts(Side(scene.x, lambda d=d: d, lambda d=d: d)) for d in lengths)  # type: ignore[misc]
    at_zero = float(kernel.new_matrix(np.zeros((1, 1)), fx, fy)[0, 0])
    return through(inner, value, at_zero, kernel.chip(), f"at a right angle, {kernel.chip()}")


def _scaled_to(explanation: Explanation, value: float, steps: tuple[Part, ...]) -> Explanation:
    """Return the parts scaled to the value that the kernel computes, where both agree to rounding."""
    if abs(value - explanation.value) > 1e-7 * max(abs(value), abs(explanation.value)):
        one = Part("all together: the terms cancel", value)
        return replace(explanation, value=value, parts=(one,), steps=steps)
    factor = value / explanation.value if explanation.value else 1.0
    parts = tuple(Part(text, v * factor) for text, v in explanation.parts)
    return replace(explanation, value=value, parts=parts, steps=steps)


# -- linear in the value, and sums --------------------------------------------------------------


@explanation.register
def _normalized(kernel: Normalized, scene: Scene) -> Explanation:
    dx, dy = scene.diagonal(kernel.kernel)
    factor = 1.0 / (math.sqrt(dx) * math.sqrt(dy)) if dx > 0.0 and dy > 0.0 else 0.0
    how = f"Divided by both rows' lengths, {number(math.sqrt(max(dx, 0.0)))} and {number(math.sqrt(max(dy, 0.0)))}."
    return multiplied(explained(kernel.kernel, scene), factor, scene.value(kernel), kernel.chip(), how)


@explanation.register
def _conformal(kernel: Conformal, scene: Scene) -> Explanation:
    value, inner = scene.value(kernel), explained(kernel.kernel, scene)
    dx, dy = scene.diagonal(kernel.kernel)
    if isinstance(kernel.f, str):
        fx, fy = (float(kernel.factors(scene.x, np.array([d]))[0]) for d in (dx, dy))
    elif scene.whole is not None:
        values = kernel.factors(scene.whole, np.empty(0))
        fx, fy = float(values[scene.i]), float(values[scene.j])
    else:
        fx, fy = (float(kernel.factors(rows, np.empty(0))[0]) for rows in (scene.x, scene.y))
    return multiplied(inner, fx * fy, value, kernel.chip(), f"Times f(x) f(x') = {number(fx)} × {number(fy)}.")


@explanation.register
def _scaled(kernel: Scaled, scene: Scene) -> Explanation:
    return multiplied(explained(kernel.kernel, scene), kernel.factor, scene.value(kernel), kernel.chip())


@explanation.register
def _monomial(kernel: Monomial, scene: Scene) -> Explanation:
    inner = explained(kernel.kernel, scene)
    how = f"One of {kernel.exponent} equal factors as a sum; the others multiply it."
    return multiplied(inner, inner.value ** (kernel.exponent - 1), scene.value(kernel), kernel.chip(), how)


@explanation.register
def _soft_margin(kernel: SoftMarginDiagonal, scene: Scene) -> Explanation:
    how = "Only the diagonal of the training rows is raised, not the value of two rows."
    return multiplied(explained(kernel.kernel, scene), 1.0, scene.value(kernel), kernel.chip(), how)


@explanation.register
def _centered(kernel: Centered, scene: Scene) -> Explanation:
    inner = explained(kernel.kernel, scene)
    kx, ky = scene.against(kernel.kernel, kernel.kept_rows)
    value = scene.value(kernel)
    parts = (
        *inner.parts,
        Part("less the first row's mean with all training rows", -float(kx.mean())),
        Part("less the second row's mean with all training rows", -float(ky.mean())),
        Part("plus the mean of all training rows with each other", float(kernel.state)),
    )
    return replace(inner, value=value, parts=parts, steps=(*inner.steps, Part(kernel.chip(), value)))


def by_landmarks(kernel: Empirical | Repaired, scene: Scene) -> Explanation:
    """Return the explanation of an empirical map whose landmarks are the training rows."""
    base, rows = landmarks(kernel)
    kx, ky = scene.against(base, rows)
    parts = parts_of(kx * ky, lambda i: f"through {scene.words.row(i, len(kx))}: {number(kx[i])} × {number(ky[i])}")
    how = "One product for every training row: how similar both rows are to it."
    made = new_parts(kernel, scene, explained(base, scene), parts, how, "k(x, x') itself, before the empirical map")
    return replace(made, mapped=True)


@explanation.register
def _nystrom(kernel: Nystrom, scene: Scene) -> Explanation:
    products = kernel.factor_rows(scene.x)[0] * kernel.factor_rows(scene.y)[0]
    parts = parts_of(products, lambda i: f"landmarks' direction {len(products) - i}")
    how = (
        "One product for every direction of the landmarks' own matrix: how far the two rows lie along it. Direction 1 "
        "is the longest. The menu 'Parts of' has the kernel itself, before the landmarks."
    )
    before = "k(x, x') itself, before the approximation"
    return new_parts(kernel, scene, explained(kernel.kernel, scene), parts, how, before)


# -- two kernels --------------------------------------------------------------------------------


@explanation.register
def _constant(kernel: Constant, scene: Scene) -> Explanation:
    parts = [Part(f"the constant {number(kernel.value)}", kernel.value)] if kernel.value else []
    return leaf(kernel, scene, parts)


@explanation.register
def _sum(kernel: Sum, scene: Scene) -> Explanation:
    a, b = explained(kernel.left, scene), explained(kernel.right, scene)
    how = f"{a.how} Plus: {b.how}" if a.how and b.how else a.how or b.how
    return leaf(kernel, scene, (*a.parts, *b.parts), how, (*a.inside, *b.inside))


@explanation.register
def _mixture(kernel: Mixture, scene: Scene) -> Explanation:
    inner = [explained(one, scene) for one in kernel.kernels]
    weights = kernel.used_weights()
    parts = [Part(text, w * v) for w, one in zip(weights, inner, strict=True) for text, v in one.parts if w]
    shares = "; ".join(f"{number(w)} × {one.chip()}" for w, one in zip(weights, kernel.kernels, strict=True))
    used = (one for w, one in zip(weights, inner, strict=True) if w)
    return leaf(kernel, scene, parts, f"The kernels' parts, each times its weight: {shares}.",
                tuple(total for one in used for total in one.inside))  # fmt: skip


@explanation.register
def _product(kernel: Product, scene: Scene) -> Explanation:
    a, b = explained(kernel.left, scene), explained(kernel.right, scene)
    value = scene.value(kernel)
    if len(a.parts) * len(b.parts) <= _PRODUCTS and len(b.parts) > 1:
        parts = [Part(f"{p.text} · {q.text}", p.value * q.value) for p in a.parts for q in b.parts]
        return leaf(kernel, scene, parts, "Every part of the first times every part of the second.", value=value)
    parts = [Part(text, v * b.value) for text, v in a.parts]
    how = f"{a.how} Times the second kernel's value {number(b.value)}."
    other = Total("the second factor", b.parts, b.value)
    return leaf(kernel, scene, parts, how, (*a.inside, other), value)


# -- steps that change the rows -----------------------------------------------------------------


@explanation.register
def _rows_first(kernel: RowStep, scene: Scene) -> Explanation:
    columns = columns_after(kernel, scene.x, scene.words.columns)
    inner = explained(kernel.kernel, scene.moved(kernel.map_rows, Words(columns, scene.words.rows)))
    first = Part(f"{kernel.chip()} → {inner.steps[0].text}", inner.steps[0].value)
    outer = replace(inner, steps=(first, *inner.steps[1:]))
    if not isinstance(kernel, Standardized):
        return outer
    units = "Values are less their column's mean, in units of its spread."
    inside = tuple(t._replace(look_for=f"{t.look_for} {units}".strip()) for t in inner.inside)
    return replace(outer, how=f"{inner.how} {units}".strip(), inside=inside)


# -- steps without a function of their own ------------------------------------------------------


@explanation.register
def _any_matrix_step(kernel: MatrixStep, scene: Scene) -> Explanation:
    """Return the inner parts in proportion."""
    inner, value = explained(kernel.kernel, scene), scene.value(kernel)
    return through(inner, value, 0.0, kernel.chip(), f"what {kernel.chip()} makes of 0")


@explanation.register
def _any_shorthand(kernel: Shorthand, scene: Scene) -> Explanation:
    exact = explained(kernel.stands_for, scene)
    return replace(exact, steps=(*exact.steps[:-1], Part(kernel.chip(), exact.value)))


@explanation.register
def _any_whole_step(kernel: WholeStep, scene: Scene) -> Explanation:
    one = Part(f"what {kernel.chip()} makes of all rows at once", scene.value(kernel))
    how = "A function of the whole matrix: its value for two rows is not a sum of parts."
    return new_parts(kernel, scene, explained(kernel.kernel, scene), [one], how)
