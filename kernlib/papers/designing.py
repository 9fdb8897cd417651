"""[D] Scott 2006: kernels designed from knowledge about the rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import Kernel, LocalityImprovedImage, Polynomial, Subsequence
from ..experiments import Axis, RunSpec
from ..machines import SVM
from ..protocols import RepeatedSplits
from .experiment import Exact, Experiment, Row, printed

#: The kernels of the table of MNIST, by their printed names; pixels lie in [−1, 1].
_IMAGES: dict[str, Kernel] = {
    "k^{1,4}": Polynomial(degree=4, offset=0.0),
    "k9^{2,2}": LocalityImprovedImage(shape=(16, 16), width=9, d1=2, d2=2),
    "k9^{4,1}": LocalityImprovedImage(shape=(16, 16), width=9, d1=4, d2=1),
}
_EXAMPLE = "designing/label_pair_example"


def _abba() -> Sequence[Any]:
    # ⟨Φ(ABBA), Φ(AB)⟩ is Φ_AB(ABBA)·λ², as AB is the only pair of letters of the string AB.
    decay = 0.5
    return (float(Subsequence(order=2, decay=decay)(["ABBA"], ["AB"])[0, 0]) / decay**2,)


def _walks() -> Sequence[Any]:
    L, E = np.array(printed(f"{_EXAMPLE}/L")), np.array(printed(f"{_EXAMPLE}/E"))
    return [(L @ np.linalg.matrix_power(E, n) @ L.T).astype(float).tolist() for n in (1, 2)]


EXPERIMENTS: tuple[Experiment | Exact, ...] = (
    Exact(
        "D",
        "ABBA",
        "Φ_AB(ABBA) = λ² + λ³ of the subsequence kernel, here at λ = ½",
        (Row("Φ_AB(ABBA)", "designing/abba/phi_AB"),),
        _abba,
        decimals=12,
        values=(0.5**2 + 0.5**3,),
    ),
    Exact(
        "D",
        "Matrix example",
        "Walks between labels of the six-node graph",
        (Row("L E L'", f"{_EXAMPLE}/LELt"), Row("L E² L'", f"{_EXAMPLE}/LE2Lt")),
        _walks,
        decimals=12,
    ),
    Experiment(
        "D",
        "MNIST stand-in, digits 3 and 8",
        "The image kernels on 400 digits 3 and 8: error of a hard-margin SVM",
        RunSpec(
            "digits-3-8",
            _IMAGES["k^{1,4}"],
            SVM(C=math.inf),
            RepeatedSplits(repeats=20, train=0.5, seed=0),
            axis=Axis("kernel", tuple(map(repr, _IMAGES.values()))),
            parameters=(("n", 400),),
        ),
        tuple(Row(name, "", at=repr(kernel)) for name, kernel in _IMAGES.items()),
        20,
        protocol="400 of the 16 × 16 digits 3 and 8, 20 random halves. The paper has 60 000 digits of ten classes: "
        "only the order of the kernels can be compared.",
    ),
)
