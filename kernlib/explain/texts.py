"""Kernels on texts by terms and concepts, and on pairs by their members."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.pairs import MetricPairs, TensorPairs, _numbers
from ..kernels.text import LatentSemantic, VectorSpace
from ..values.arrays import Array
from ..values.words import number
from .explanation import Explanation, Part, Scene, Total, explanation, leaf, parts_of


def term_names(kernel: VectorSpace | LatentSemantic) -> list[str]:
    """Return the terms of a fitted kernel, in the order of its columns."""
    vocabulary, columns = kernel.terms().vocabulary, kernel.terms().columns
    if vocabulary is None:
        return [] if columns is None else [f"term {c}" for c in columns]
    return sorted(vocabulary, key=vocabulary.__getitem__)


def concept_words(kernel: LatentSemantic, most: int = 5) -> list[list[str]]:
    """Return the terms of largest weight in each concept."""
    names = term_names(kernel)
    concepts = kernel.state
    basis = np.asarray(concepts.basis if concepts.D is None else concepts.D.T @ concepts.basis)
    return [[names[t] for t in np.argsort(-np.abs(column), kind="stable")[:most]] for column in basis.T]


@explanation.register
def _vector_space(kernel: VectorSpace, scene: Scene) -> Explanation:
    return leaf(kernel, scene, _by_terms(kernel, scene), "One term for every word that both texts use.")


def _by_terms(kernel: VectorSpace | LatentSemantic, scene: Scene) -> list[Part]:
    names = term_names(kernel)
    a, b = (_row(kernel.term_counts(kernel.terms(), rows)) for rows in (scene.x, scene.y))
    return parts_of(a * b, lambda t: f"‘{names[t]}’: {number(a[t])} × {number(b[t])}")


def _row(documents: Any) -> Array:
    dense: Array = np.asarray(documents.toarray() if hasattr(documents, "toarray") else documents)
    row: Array = dense[0]
    return row


@explanation.register
def _latent(kernel: LatentSemantic, scene: Scene) -> Explanation:
    a, b = (_row(kernel.text_features(kernel.term_counts(kernel.terms(), rows))) for rows in (scene.x, scene.y))
    words = concept_words(kernel)
    parts = parts_of(a * b, lambda i: f"concept {i + 1} ({', '.join(words[i])}): {number(a[i])} × {number(b[i])}")
    terms = tuple(_by_terms(kernel, scene))
    shared = Total("words that both texts use, before concepts", terms, sum(p.value for p in terms))
    how = "One term for every concept, named by the words of largest weight in it."
    return leaf(kernel, scene, parts, how, (shared,))


@explanation.register(TensorPairs)
@explanation.register(MetricPairs)
def _pairs(kernel: TensorPairs | MetricPairs, scene: Scene) -> Explanation:
    whole = scene.whole is not None
    everything = scene.whole if whole else scene.x
    base = kernel.base_kernel(everything)
    if not base.fitted:
        base = base.fit(np.unique(_numbers(everything)))
    first, second = (scene.i, scene.j) if whole else (0, 0)
    B = base(_numbers(scene.x)[first], _numbers(scene.y)[second])
    if isinstance(kernel, TensorPairs):
        B = B + kernel.shift
        parts = [
            Part(f"straight: {number(B[0, 0])} × {number(B[1, 1])}", float(B[0, 0] * B[1, 1])),
            Part(f"crosswise: {number(B[0, 1])} × {number(B[1, 0])}", float(B[0, 1] * B[1, 0])),
        ]
        how = "The base kernel between the pairs' members: first with first times second with second, and crosswise."
        return leaf(kernel, scene, parts, how)
    difference = float(B[0, 0] + B[1, 1] - (B[0, 1] + B[1, 0]))
    squares = (
        Part("first with first", float(B[0, 0])),
        Part("second with second", float(B[1, 1])),
        Part("less first with second", -float(B[0, 1])),
        Part("less second with first", -float(B[1, 0])),
    )
    parts = [Part(f"{text}: {number(v)} × {number(difference)}", v * difference) for text, v in squares]
    how = "The square of a difference of base values: one factor as a sum, times the other."
    return leaf(kernel, scene, parts, how, (Total("the difference, before the square", squares, difference),))
