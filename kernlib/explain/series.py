"""Kernels of time series: the alignments of two series, and lag by lag."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..kernels.series import Autocorrelation, DynamicTimeWarping, GlobalAlignment, best_alignment
from ..values.words import number
from .explanation import Explanation, Part, Scene, Total, explanation, leaf, parts_of
from .vectors import shared_out

#: Stretches of an alignment that are named, and cells of two series beyond which the alignment is one part.
_STRETCHES, _CELLS = 12, 4_000_000


@explanation.register
def _global(kernel: GlobalAlignment, scene: Scene) -> Explanation:
    n, m = scene.x[0].length, scene.y[0].length
    text = f"all alignments of {n} times with {m}"
    how = "The sum over all alignments, over the root of both series' own sums. 1 is the value of equal series."
    return leaf(kernel, scene, [Part(text, scene.value(kernel))], how)


@explanation.register
def _warped(kernel: DynamicTimeWarping, scene: Scene) -> Explanation:
    x, y = scene.x[0].values, scene.y[0].values
    value, how = scene.value(kernel), "Only the best alignment of the two series counts."
    if len(x) * len(y) > _CELLS:
        return leaf(kernel, scene, [Part(f"the best alignment of {len(x)} times with {len(y)}", value)], how)
    path = best_alignment(x, y)
    away = kernel.gamma * ((x[path[:, 0]] - y[path[:, 1]]) ** 2).sum(axis=1)
    stretches = [steps for steps in np.array_split(np.arange(len(path)), min(_STRETCHES, len(path))) if len(steps)]
    names = [f"times {path[s[0], 0]} to {path[s[-1], 0]} with {path[s[0], 1]} to {path[s[-1], 1]}" for s in stretches]
    sums = np.array([away[s].sum() for s in stretches])
    shares = shared_out(value, np.exp(-sums))
    distance = Total(
        "γ D² by stretches of the best alignment; the value is exp(−sum)",
        tuple(Part(name, float(part)) for name, part in zip(names, sums, strict=True)),
        float(sums.sum()),
        "A long bar makes the series less similar; a short bar means that they agree in this stretch of time.",
        apart=True,
    )
    parts = [
        Part(f"{name}, factor {number(np.exp(-part))}", float(share))
        for name, part, share in zip(names, sums, shares, strict=True)
    ]
    how += " A product of one factor for each stretch, divided in proportion to the factors. The sum is exact."
    return replace(leaf(kernel, scene, parts, how, (distance,), value), shared=True)


@explanation.register
def _autocorrelation(kernel: Autocorrelation, scene: Scene) -> Explanation:
    a, b = kernel.correlations(scene.x)[0], kernel.correlations(scene.y)[0]
    each = kernel.lags + 1
    channels = len(a) // each

    def text(place: int) -> str:
        channel = f", channel {place // each + 1}" if channels > 1 else ""
        root = np.sqrt(channels)
        return f"lag {place % each}{channel}: {number(a[place] * root)} × {number(b[place] * root)}"

    return leaf(kernel, scene, parts_of(a * b, text), "One product of autocorrelations for each lag.")
