"""Sample data that are square matrices of scores."""

from __future__ import annotations

import numpy as np

from ...values.arrays import Array
from .sample import ELEM_STAT_LEARN, SAMPLES, Content, sample


@sample(
    "digit-shift-scores",
    "Digits, best match over shifts",
    "matrix",
    120,
    "× 120 scores",
    files=("zip38.npz",),
    source="Computed from 120 of the ZIP-code digits 3 and 8 (R package ElemStatLearn)",
    licence=ELEM_STAT_LEARN,
    citation="Hastie, Tibshirani, Friedman 2009; LeCun et al. 1989",
    look_for="A maximum over shifts is no kernel: 26 eigenvalues are negative. Compare the repairs before taking one.",
    note="Entry (i, j) is the largest cosine of two images over shifts of one pixel in all directions.",
)
def digit_shift_scores() -> Content:
    """Return the shift-tolerant similarity of 120 digits, symmetric with a unit diagonal, indefinite."""
    digits = SAMPLES["digits-3-8"].load().stratified_sample(120, seed=0)
    scores = best_shift_cosine(digits.rows.reshape(-1, 16, 16) + 1.0)
    return dict(rows=scores, y=digits.y, classes=digits.classes, ids=digits.ids)


def best_shift_cosine(images: Array, reach: int = 1) -> Array:
    """Return max(S, S') of S_ij = max_{|a|,|b| ≤ reach} ⟨x_i, shift_ab x_j⟩ / (‖x_i‖‖x_j‖).

    Parameters: `images` (n, height, width), `reach` in pixels. Returns (n, n).

    >>> best_shift_cosine(np.eye(3)[:2].reshape(2, 1, 3)).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    n, height, width = images.shape
    flat = images.reshape(n, -1)
    padded = np.pad(images, ((0, 0), (reach, reach), (reach, reach)))
    S = np.full((n, n), -np.inf)
    for a in range(2 * reach + 1):
        for b in range(2 * reach + 1):
            np.maximum(S, flat @ padded[:, a : a + height, b : b + width].reshape(n, -1).T, out=S)
    lengths = np.linalg.norm(flat, axis=1)
    return np.asarray(np.maximum(S, S.T) / np.outer(lengths, lengths))
