"""The text of a kernel read back: what is admitted, and what a hostile link gets for an answer."""

from __future__ import annotations

import pytest

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
        "Linear(*[1])",
        "Linear(**{})",
        "open('/etc/passwd')",
        "Linear() + 'a'",
        "Linear() - Linear()",
        "Linear() / 2",
        "Linear() ** 0.5",
        "-1 * Linear()",
        "Linear(x=1)",
        "Power(3)",
        "Power(Linear(), p=2)",
        "RBF(sigma=1e999)",
        "3",
        "'Linear()'",
        "",
        "Linear(",
        "Linear(); Linear()",
        "\x00",
        "Deep(" * 60 + "Linear()" + ")" * 60,
        "(" * 5000,
        "Linear()" + " + Linear()" * 2000,
        "9" * 5000,
        "Linear() ** 99999999999",
        "Subsequence(order=3, decay=0.25, weights=(1,) * 10**9)",
    ],
)
def test_everything_else_is_refused_in_a_sentence(text):
    with pytest.raises(KernlibError) as caught:
        parse(text)
    assert 10 < len(str(caught.value)) < 2_000


def test_machines():
    assert repr(parse_declared("SVM(C=inf)", MACHINES)) == "SVM(C=inf)"
    with pytest.raises(KernlibError, match="Nothing is called 'RBF'"):
        parse_declared("RBF()", MACHINES)
