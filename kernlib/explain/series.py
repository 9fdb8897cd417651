"""Kernels of time series: the alignments of two series, and lag by lag."""

from __future__ import annotations

import numpy as np

from ..kernels.series import Autocorrelation, DynamicTimeWarping, GlobalAlignment, warping_distances
from ..values.words import number
from .explanation import Explanation, Part, Scene, explanation, leaf, parts_of


@explanation.register
def _global(kernel: GlobalAlignment, scene: Scene) -> Explanation:
    n, m = scene.x[0].length, scene.y[0].length
    text = f"all alignments of {n} times with {m}"
    how = "The sum over all alignments, over the root of both series' own sums. 1 is the value of equal series."
    return leaf(kernel, scene, [Part(text, scene.value(kernel))], how)


@explanation.register
def _warped(kernel: DynamicTimeWarping, scene: Scene) -> Explanation:
    squared = float(warping_distances(scene.x, scene.y)[0, 0])
    text = f"the best alignment, at the squared distance {number(squared)}"
    return leaf(kernel, scene, [Part(text, scene.value(kernel))], "The best alignment of the two series alone counts.")


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
