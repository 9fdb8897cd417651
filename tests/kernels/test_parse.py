"""The text of a kernel read back: what is admitted, and what a hostile link gets for an answer."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import KernlibError, parse
from kernlib.machines import MACHINES
from kernlib.parse import parse_declared


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('x')",
        "Linear().__class__",
        "(lambda: Linear())()",
        "[Linear() for _ in range(9)]",
        "Linear(**{})",
        "Linear() + 'a'",
        "Linear() - Linear()",
        "Linear() ** 0.5",
        "-1 * Linear()",
        "Linear(x=1)",
        "Power(3)",
        "Power(Linear(), p=2)",
        "RBF(sigma=1e999)",
        "3",
        "",
        "Linear(); Linear()",
        "\x00",
        "Deep(" * 60 + "Linear()" + ")" * 60,
        "Linear() + (" * 60 + "Linear()" + ")" * 60,
        "Normalized(" * 30 + "Linear()" + " + Linear())" * 30,
        "(" * 5000,
        "Linear()" + " + Linear()" * 2000,
        "9" * 400,
        "RBF(sigma=" + "9" * 400 + ")",
        "Deep(Linear(), bandwidths=(-" + "9" * 400 + ",))",
        "Linear() * " + "9" * 400,
        "Linear()" + " + 1" * 150,
        "Linear() ** 99999999999",
        "Subsequence(order=3, decay=0.25, weights=(1,) * 10**9)",
    ],
)
def test_everything_else_is_refused_in_a_sentence(text):
    with pytest.raises(KernlibError) as caught:
        parse(text)
    assert 10 < len(str(caught.value)) < 2_000


def test_a_long_sum_is_no_nesting():
    """Every way to use the tree of a hundred terms stays within the recursion limit of a process with a deep stack."""
    text = " + ".join(
        ["Linear()", *(f"{i}.0 * Normalized(Linear() + {i}.0)" for i in range(1, 33)), *["RBF(sigma=1.0)"] * 4]
    )
    kernel = parse(text)
    assert repr(kernel) == text
    terms = 1 + sum(range(1, 33)) + 4
    X = np.array([[1.0, 0.0], [1.0, 0.0]])

    def used(depth: int) -> None:
        if depth:
            return used(depth - 1)
        assert parse(repr(kernel)) == kernel
        assert hash(kernel) == hash(parse(text))
        assert pickle.loads(pickle.dumps(kernel)) == kernel
        assert kernel.fit(X).specification == kernel
        assert_allclose(kernel(X), terms)
        assert_allclose(kernel.bind(X).fold([0], [1]).K_star, terms)

    used(150)


def test_machines():
    assert repr(parse_declared("SVM(C=inf)", MACHINES)) == "SVM(C=inf)"
    with pytest.raises(KernlibError, match="Unknown name 'RBF'"):
        parse_declared("RBF()", MACHINES)
