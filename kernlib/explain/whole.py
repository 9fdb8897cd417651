"""Kernels that exist for all rows at once: heat on a graph, functions of the eigenvalues, given matrices."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np

from ..kernels.matrices import Precomputed, PrecomputedDistances
from ..kernels.nodes import Diffusion, OfLaplacian
from ..numerics.sizes import block_size
from ..values.arrays import Array
from ..values.words import number
from ..wrappers.empirical import Empirical
from ..wrappers.repaired import Repaired
from ..wrappers.spectral import SpectralStep
from .explanation import Explanation, Part, Scene, explained, explanation, leaf, parts_of
from .steps import by_landmarks, new_parts

#: Most multiplications for walks; with more, heat is explained by eigenvectors.
_WORK = 5_000_000_000


def lazy_walks(A: Array, beta: float, start: int, stop: int) -> Array:
    """Return exp(−βL) from one node to another by the number of steps, (m,).

    With c the largest degree, exp(−βL) = Σ_m e^{−βc} (βc)^m / m! (I − L/c)^m: a walk that moves along an edge of
    weight w with probability w/c and else stays, after a Poisson number of steps. All terms are ≥ 0.

    >>> lazy_walks(np.array([[0.0, 1.0], [1.0, 0.0]]), 0.5, 0, 1)[:2].round(4)
    array([0.    , 0.3033])
    """
    from scipy.sparse import csr_array

    W = np.array(A, dtype=np.float64)
    np.fill_diagonal(W, 0.0)
    degree = W.sum(axis=1)
    c = _fastest(W)
    stay = W / c
    stay[np.diag_indices_from(stay)] = 1.0 - degree / c
    step: Any = csr_array(stay) if np.count_nonzero(stay) < 0.1 * stay.size else stay
    mean = beta * c
    where = np.zeros(len(W))
    where[start] = 1.0
    values = np.empty(_walk_steps(mean) + 1)
    for m in range(len(values)):
        values[m] = math.exp(m * math.log(mean) - mean - math.lgamma(m + 1.0)) * where[stop]
        where = step @ where  # symmetric, so that columns are rows
    return values


def _fastest(W: Array) -> float:
    """Return the largest degree, 1 where there is no edge."""
    off = W.sum(axis=1) - np.diagonal(W)
    return float(off.max(initial=0.0)) or 1.0


def _walk_steps(mean: float) -> int:
    """Return the number of steps above which a Poisson probability with this mean is 0 in double precision."""
    return int(mean + 12.0 * math.sqrt(mean) + 30.0)


@explanation.register
def _diffusion(kernel: Diffusion, scene: Scene) -> Explanation:
    A = np.asarray(scene.whole, dtype=np.float64)
    value = scene.value(kernel)
    if _walk_steps(kernel.beta * _fastest(A)) * A.size > block_size(_WORK):
        return _of_laplacian(kernel, scene)
    values = lazy_walks(A, kernel.beta, scene.i, scene.j)
    parts = parts_of(values, lambda m: f"walks of {m} step{'' if m == 1 else 's'}")
    how = (
        "Heat as a random walk that stays or moves along an edge. Each part: the probability of going from one node to "
        "the other in this number of steps, times its weight."
    )
    return leaf(kernel, scene, _with_rounding(parts, value, 1.0), how, value=value)


@explanation.register
def _of_laplacian(kernel: OfLaplacian, scene: Scene) -> Explanation:
    """Return the explanation as Σ_m r(s_m) u_im u_jm."""
    s, U = kernel.eigenvalues(np.asarray(scene.whole, dtype=np.float64))
    response = kernel.response(s)
    parts = parts_of(
        response * U[scene.i] * U[scene.j], lambda m: f"direction {m + 1} of the graph, s = {number(s[m])}"
    )
    how = "One term for every eigenvector of the Laplacian: slow ones (small s) are shared by whole neighbourhoods."
    value = scene.value(kernel)
    return leaf(kernel, scene, _with_rounding(parts, value, float(response.max())), how, value=value)


def _with_rounding(parts: list[Part], value: float, scale: float) -> list[Part]:
    """Return the parts, and the difference from the value where it is rounding of a decomposition of this scale."""
    left = value - math.fsum(p.value for p in parts)
    if left and abs(left) <= 1e-12 * scale:
        return [*parts, Part("rounding", left)]
    return parts


@explanation.register
def _precomputed(kernel: Precomputed, scene: Scene) -> Explanation:
    value = scene.value(kernel)
    how = "The matrix was given: its entries have no further explanation."
    return leaf(kernel, scene, [Part(f"entry ({scene.i}, {scene.j}) of the matrix", value)], how, value=value)


@explanation.register
def _precomputed_distances(kernel: PrecomputedDistances, scene: Scene) -> Explanation:
    value = scene.value(kernel)
    distance = float(np.asarray(scene.whole, dtype=np.float64)[scene.i, scene.j])
    how = "The distance was given: the value is minus half its square."
    part = Part(f"−½ of the squared distance {number(distance)}", value)
    return leaf(kernel, scene, [part], how, value=value)


@explanation.register
def _spectral(kernel: SpectralStep, scene: Scene) -> Explanation:
    return _by_directions(kernel, scene, kernel.new_eigenvalues)


@explanation.register
def _empirical(kernel: Empirical, scene: Scene) -> Explanation:
    return _squared(kernel, scene) if kernel.transductive else by_landmarks(kernel, scene)


@explanation.register
def _repaired(kernel: Repaired, scene: Scene) -> Explanation:
    if not kernel.transductive or (kernel.method == "square" and scene.whole is None):
        return by_landmarks(kernel, scene)
    if kernel.method == "square":
        return _squared(kernel, scene)
    if kernel.method != "shift":
        return _by_directions(kernel, scene, cast(Any, kernel.stands_for).new_eigenvalues)
    inner, value = explained(kernel.kernel, scene), scene.value(kernel)
    parts = inner.parts
    if scene.i == scene.j and value != inner.value:
        parts = (*parts, Part("the shift of the diagonal", value - inner.value))
    return replace(inner, value=value, parts=parts, steps=(*inner.steps, Part(kernel.chip(), value)))


def _squared(kernel: Repaired | Empirical, scene: Scene) -> Explanation:
    inner = explained(kernel.kernel, scene)
    K = scene.matrix(kernel.kernel)
    parts = parts_of(K[scene.i] * K[scene.j], lambda m: f"through {scene.words.row(m, len(K))}")
    made = new_parts(kernel, scene, inner, parts, "One product for every row.", "k(x, x') itself, before the squares")
    return replace(made, mapped=True)


def _by_directions(
    kernel: SpectralStep | Repaired, scene: Scene, new_eigenvalues: Callable[[Array], Array]
) -> Explanation:
    eigenvalues, U = np.linalg.eigh(scene.matrix(kernel.kernel))
    changed = new_eigenvalues(eigenvalues)
    values = changed * U[scene.i] * U[scene.j]
    order = np.argsort(-changed, kind="stable")
    parts = [
        Part(f"direction {place}: eigenvalue {number(eigenvalues[m])} → {number(changed[m])}", float(values[m]))
        for place, m in enumerate(order.tolist(), 1)
        if values[m]
    ]
    parts = _with_rounding(parts, scene.value(kernel), float(np.abs(changed).max(initial=0.0)))
    how = "One term for every direction of the whole matrix, with its eigenvalue before and after the step."
    return new_parts(kernel, scene, explained(kernel.kernel, scene), parts, how)
