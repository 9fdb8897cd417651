"""Binding: the base matrix is computed once, what learns is fitted on training rows alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from kernlib import DomainError, Empirical, Kernel, Linear, Power
from kernlib.values.domains import Domain

CALLS: list[tuple[int, ...]] = []
FITS: list[np.ndarray] = []


@dataclass(frozen=True, repr=False)
class Counting(Kernel):
    """A linear kernel that writes down what it was asked for."""

    domain: ClassVar[Domain] = "vector"
    learning: bool = False

    @property
    def learns_itself(self) -> bool:
        return self.learning

    def learn(self, X, y):
        FITS.append(X.copy())
        return X.mean(axis=0)

    def gram(self, X, Y):
        CALLS.append((len(X), len(X if Y is None else Y)))
        return X @ (X if Y is None else Y).T

    def gram_diag(self, X):
        return (X * X).sum(axis=1)


@pytest.fixture(autouse=True)
def _empty():
    CALLS.clear()
    FITS.clear()


X = np.random.default_rng(0).normal(size=(12, 2))
TRAIN, TEST = np.arange(8), np.arange(8, 12)


def test_one_base_matrix_for_a_whole_sweep():
    memo: dict = {}
    bound = [Empirical(Power(Counting(), p=p)).bind(X, memo) for p in (0.2, 0.5, 1.0)]
    for kernel in bound:
        for shift in range(5):
            kernel.fold(np.roll(np.arange(12), shift)[:8], np.roll(np.arange(12), shift)[8:])
    assert CALLS == [(12, 12)]


def test_no_test_row_touches_a_fit():
    Empirical(Counting(learning=True)).bind(X).fold(TRAIN, TEST)
    assert len(FITS) >= 1
    for rows in FITS:
        np.testing.assert_array_equal(rows, X[TRAIN])


def test_a_look_up_is_read_only_and_knows_its_rows():
    bound = Linear().bind(X)
    whole = bound(np.arange(12))
    with pytest.raises(ValueError, match="read-only"):
        whole[0, 0] = 5
    part = bound(TEST, TRAIN)
    part[:] = 0
    np.testing.assert_allclose(bound(TEST, TRAIN), X[TEST] @ X[TRAIN].T)
    with pytest.raises(DomainError, match="row 12 does not exist; expected row numbers from 0 to 11"):
        bound([0, 12])
    with pytest.raises(DomainError, match="row numbers"):
        bound(X)
