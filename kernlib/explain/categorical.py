"""Kernels on nominal rows: which columns agree, how rare the shared categories are, and the value of each match."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..kernels.categorical import DrawnOverlap, GeneralOverlap, Overlap, ProbabilityOverlap
from ..kernels.nominal import missing
from ..values.words import number
from .explanation import Explanation, Part, Scene, explanation, leaf
from .steps import through
from .vectors import shared_out

_Nominal = Overlap | ProbabilityOverlap | GeneralOverlap | DrawnOverlap


def same_category(u: Any, v: Any) -> bool:
    return missing(v) if missing(u) else not missing(v) and bool(u == v)


def share_of(kernel: _Nominal, column: int, value: Any) -> float:
    """Return P of a category; 0 if it is not in the training rows, or if the kernel does not use P."""
    pmf = {} if isinstance(kernel, Overlap) else kernel.pmf[column]
    return next((share for category, share in pmf.items() if same_category(category, value)), 0.0)


@explanation.register(Overlap)
@explanation.register(ProbabilityOverlap)
@explanation.register(DrawnOverlap)
@explanation.register(GeneralOverlap)
def _nominal(kernel: _Nominal, scene: Scene) -> Explanation:
    x, y = ([v.item() if isinstance(v, np.generic) else v for v in rows[0]] for rows in (scene.x, scene.y))
    d = len(x)
    texts, values, own = [], np.empty(d), np.empty((2, d))
    for c, (u, v) in enumerate(zip(x, y, strict=True)):
        p, q = share_of(kernel, c, u), share_of(kernel, c, v)
        own[:, c] = kernel.equal_value(np.array([p, q]))
        equal = same_category(u, v)
        values[c] = own[0, c] if equal else float(kernel.unequal_value(np.array([p]), np.array([q]))[0])
        name = scene.words.column(c, d)
        shown = ["missing" if missing(w) else str(w) for w in (u, v)]
        sentence = f"{name}: {shown[0]} in both" if equal else f"{name}: {shown[0]} and {shown[1]}"
        if not isinstance(kernel, Overlap):
            sentence += f", P = {number(p)}, h(P) = {number(own[0, c])}" if equal else ""
            if not equal and isinstance(kernel, GeneralOverlap):
                sentence += f", P = {number(p)} and {number(q)}"
        texts.append(sentence)
    if kernel.before is not None:
        values, own = _transformed(kernel, kernel.before, values, own)
    if kernel.composition == "mean":
        joined, shares, (dx, dy) = float(values.mean()), values / d, own.mean(axis=1).tolist()
        how = f"The mean over {d} columns: each adds its own value over {d}."
    else:
        joined = float(values.prod())
        shares, (dx, dy) = shared_out(joined, values), own.prod(axis=1).tolist()
        how = (
            "A product of one factor for each column, divided in proportion to the factors. If one column has the "
            "value 0, all do."
        )
    parts = tuple(Part(text, float(share)) for text, share in zip(texts, shares, strict=True))
    value = scene.value(kernel)
    if kernel.after is None:
        return leaf(kernel, scene, parts, how, value=value)
    zero = 1.0 if kernel.after == "f1" else math.exp(-kernel.gamma * (dx + dy))
    inner = Explanation(joined, parts, (), how)
    transformed = through(inner, value, zero, kernel.chip(), f"nothing in common, {kernel.after}")
    return leaf(kernel, scene, transformed.parts, transformed.how, value=value)


def _transformed(kernel: _Nominal, f: str, values: Any, own: Any) -> tuple[Any, Any]:
    if f == "f1":
        return np.exp(kernel.gamma * values), np.exp(kernel.gamma * own)
    return np.exp(-kernel.gamma * (own[0] + own[1] - 2.0 * values)), np.ones_like(own)
