"""Every kernel of the registry explains itself: its parts sum to its value, its steps end there."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from kernlib import Kernel, Linear, NotFittedError, SoftMarginDiagonal, Subsequence
from kernlib.core.steps import MatrixStep, Pointwise, RowStep, WholeStep
from kernlib.errors import DegenerateError, ExplainError
from kernlib.explain import explain_rows, explanation
from tests.kernels.examples import EVERY
from tests.kernels.rows import rows_for


def sound(told, value: float, scale: float) -> None:
    """The parts sum to the value, which is the kernel's, and the steps lead to it."""
    assert all(isinstance(text, str) and text and math.isfinite(v) for text, v in told.parts)
    total = math.fsum(v for _, v in told.parts)
    close = 1e-9 * max(abs(told.value), 1e-3 * math.fsum(abs(v) for _, v in told.parts))
    assert abs(total - told.value) <= close
    assert told.steps[-1].value == pytest.approx(told.value, rel=1e-12)
    assert_allclose(told.value, value, rtol=1e-9, atol=1e-11 * scale)


@pytest.mark.parametrize("kernel", EVERY, ids=repr)
@settings(max_examples=6)
@given(data=st.data())
def test_parts_sum_to_the_value(kernel, data):
    X = data.draw(rows_for(kernel))
    n = len(X)
    i, j = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            K = kernel(X)
        except DegenerateError:
            assume(False)
        told = explain_rows(kernel, X, i, j)
        sound(told, K[i, j], np.abs(K).max())
        if kernel.transductive or kernel.reads in ("matrix", "node"):
            with pytest.raises(ExplainError, match="explain_rows"):
                kernel.explain(X[i], X[j])
            return
        fitted = kernel.fit(X)
        rows = [X[[m]] if kernel.reads == "pair" else X[m] for m in (i, j)]
        sound(fitted.explain(*rows), K[i, j], np.abs(K).max())
        if kernel.learns:
            with pytest.raises(NotFittedError, match="fit"):
                kernel.explain(*rows)


def test_a_step_that_needs_labels():
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    kernel = SoftMarginDiagonal(Linear()).fit(X, [0, 1, 1, 1])
    sound(kernel.explain(X[0], X[1]), 2.0, 1.0)
    sound(explain_rows(SoftMarginDiagonal(Linear()), X, 1, 1, y=[0, 1, 1, 1]), 4.0, 1.0)


def test_other_peoples_kernels():
    """A class registers its parts; the value of one without is a single part."""

    class Silent(Kernel):
        domain = "vector"

        def gram(self, X, Y):
            return X @ (X if Y is None else Y).T

    class Telling(Silent):
        pass

    class Lying(Silent):
        pass

    explanation.register(Telling, lambda kernel, scene: [("all of it", float(scene.x[0] @ scene.y[0]))])
    explanation.register(Lying, lambda kernel, scene: [("half of it", 0.5 * float(scene.x[0] @ scene.y[0]))])

    assert (0.5 * Telling()).explain([2.0], [3.0]).parts == (("all of it", 3.0),)
    assert Silent().explain([2.0], [3.0]).parts == (("the whole value", 6.0),)
    with pytest.raises(ExplainError, match=r"sum to 3\.0, and its value is 6\.0"):
        Lying().explain([2.0], [3.0])


def test_other_peoples_steps():
    """A step that says nothing of itself is told by its kind."""

    @dataclass(frozen=True, repr=False)
    class Cube(Pointwise):
        def change_entries(self, values):
            return values**3 + 1.0

    @dataclass(frozen=True, repr=False)
    class Doubled(RowStep):
        def map_rows(self, X):
            return 2.0 * X

    @dataclass(frozen=True, repr=False)
    class Halved(MatrixStep):
        def new_matrix(self, K, fx, fy):
            return K / 2

        def new_diagonal(self, side, facts):
            return side.d / 2

    @dataclass(frozen=True, repr=False)
    class Squared(WholeStep):
        def change_whole(self, K):
            return K @ K

    x, y = [1.0, 2.0], [3.0, -1.0]
    assert [v for _, v in Cube(Linear()).explain(x, y).parts] == pytest.approx([1.0, 3.0, -2.0])
    assert Doubled(Linear()).explain(x, y).parts[0] == ("x1: 2 × 6", 12.0)
    assert [v for _, v in Halved(Linear()).explain(x, y).parts] == pytest.approx([1.5, -1.0])
    told = explain_rows(Squared(Linear()), [x, y], 0, 1)
    assert told.parts == (("x1: 1 × 3", 3.0), ("x2: 2 × −1", -2.0), ("what changes by Squared", 14.0))


def test_a_row_that_there_is_not():
    with pytest.raises(ValueError, match="row 2 does not exist; expected 0 to 1"):
        explain_rows(Subsequence(), ["ab", "b"], 0, 2)
