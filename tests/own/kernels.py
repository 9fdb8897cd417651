"""User-defined kernels as people write them, good and bad, in a file of their own; every test registers them anew."""

from __future__ import annotations

import sys
import time
from typing import Literal

import numpy as np
from scipy.spatial.distance import cdist

from kernlib import DataError, kernel_from, param


def cauchy(X, Y, *, gamma: float = param(1.0, symbol=r"\gamma", low=0.01, high=100, scale="log", minimum=0)):
    """Return 1 / (1 + ‖x − x'‖² / γ²)."""
    return 1 / (1 + cdist(X, Y, "sqeuclidean") / gamma**2)


def single(X, Y):
    """Return float32 values, whose halves differ by rounding."""
    return (X.astype(np.float32) @ Y.T.astype(np.float32)) * np.float32(1 / 3)


def shares(x, y, *, power: int = 1, case: bool = True, kind: Literal["share", "count"] = "share"):
    """Return the letters that two strings have in common."""
    a, b = (set(x), set(y)) if case else (set(x.lower()), set(y.lower()))
    both = len(a & b)
    return float(both if kind == "count" else both / len(a | b)) ** power


def slow(x, y):
    """Return an inner product after a pause."""
    time.sleep(0.002)
    return float(x @ y)


def computed(kernel, X, problem):
    """Return a kernel's matrix, or refuse it after it was computed."""
    K = kernel(X)
    if problem:
        raise DataError(problem)
    return K


def lopsided(X, Y):
    """Return values that depend on the order of two rows."""
    return X @ np.triu(np.ones((X.shape[1], X.shape[1]))) @ Y.T


def raises(X, Y):
    """Raise an error for rows with a negative number."""
    if (X < 0).any():
        raise ZeroDivisionError("a row is negative")
    return X @ Y.T


def leaves(X, Y):
    """End the process for rows with a negative number."""
    if (X < 0).any():
        sys.exit("no negative rows")
    return X @ Y.T


def holes(X, Y):
    """Return NaN for rows that are equal."""
    K = X @ Y.T
    K[cdist(X, Y) == 0] = np.nan
    return K


def writes(X, Y):
    """Centre the rows in place."""
    X -= X.mean(axis=0)
    return X @ Y.T


def flat(X, Y):
    """Return a vector in place of a matrix."""
    return (X @ Y.T).ravel()


def centred(X, Y):
    """Return values that depend on all rows at once."""
    return (X - X.mean(axis=0)) @ (Y - Y.mean(axis=0)).T


def good() -> list:
    """Return one kernel of each kind that keeps the contract."""
    return [
        kernel_from(cauchy, name="Cauchy")(gamma=2.0),
        kernel_from(single, name="Single")(),
        kernel_from(slow, name="Slow", pairwise=True)(),
    ]
