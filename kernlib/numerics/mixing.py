"""Weights of several Gram matrices by their agreement with the labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..values.arrays import Array


def aligned_weights(matrices: Sequence[Array], targets: Array) -> Array:
    r"""Return weights ≥ 0 of sum 1 with which Σ_k w_k K_k has the largest centred alignment with the targets.

    .. math:: w \propto \arg\min_{v \ge 0} v^\top M v - 2 v^\top a,\quad
        M_{kl} = \langle K_k^c, K_l^c\rangle_F,\quad a_k = \langle K_k^c, YY^\top\rangle_F

    A non-negative least squares problem with one solution up to kernels that agree; all weights are 0 where no kernel
    is aligned with the targets. Parameters: `matrices` (n, n) each; `targets` Y (n, c).
    Reference: Cortes, Mohri, Rostamizadeh, JMLR 13, 2012, proposition 9 (ALIGNF).

    >>> y = np.array([[1.0], [1.0], [-1.0], [-1.0]])
    >>> aligned_weights([y @ y.T, np.eye(4)], y).round(3)
    array([1., 0.])
    """
    from scipy.optimize import nnls

    Y = targets - targets.mean(axis=0)
    centred = [K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean() for K in matrices]
    sizes = np.array([np.linalg.norm(K) for K in centred])
    whole = np.array([np.linalg.norm(K) for K in matrices])
    useful = sizes > 1e-12 * whole  # of a constant matrix only rounding is left
    weights = np.zeros(len(centred))
    units = [K / size for K, size, known in zip(centred, sizes, useful, strict=True) if known]
    if not units:
        return weights
    M = np.array([[float(np.vdot(A, B)) for B in units] for A in units])
    a = np.array([float((Y * (A @ Y)).sum()) for A in units])
    s, V = np.linalg.eigh(M)
    root = np.sqrt(np.maximum(s, 1e-12 * s[-1]))
    found, _ = nnls(root[:, None] * V.T, (V.T @ a) / root)
    weights[useful] = found / sizes[useful]
    total = float(weights.sum())
    return weights / total if total > 0 else weights
