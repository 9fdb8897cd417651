"""[R] Braun, Buhmann, Müller 2006: relevant dimension, estimated noise and errors on the benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import RBF, Encoded, Kernel, Standardized, WeightedDegree
from ..experiments import Axis, RunSpec
from ..machines import SVM, KernelPCARegression, KernelRidge, Machine
from ..protocols import FixedSplits, Protocol, PublishedSplits, RepeatedKFold
from .experiment import Exact, Experiment, Row

_TABLE = "relevant_dimension/benchmark"
_INNER = RepeatedKFold(folds=5, repeats=1, seed=0)
_GENUINE = "The benchmark's own training and test rows"


@dataclass(frozen=True)
class _Set:
    """A benchmark data set: columns, splits, and the number of splits behind the printed figures, which we assume."""

    name: str
    columns: int
    protocol: Protocol
    sample: str = ""
    realisations: int = 100
    parameters: tuple[tuple[str, Any], ...] = ()

    @property
    def data(self) -> str:
        return self.sample or f"ida-{self.name}"


_TEN = PublishedSplits(most=10)
_SETS = (
    _Set("banana", 2, _TEN, "banana", parameters=(("n", "all"),)),
    _Set("breast-cancer", 9, _TEN),
    _Set("diabetes", 8, FixedSplits(train=468, test=300, repeats=10)),
    _Set("german", 20, _TEN),
    _Set("heart", 13, _TEN),
    _Set("image", 18, PublishedSplits(most=5), realisations=20),
    _Set("ringnorm", 20, _TEN, parameters=(("n", "all"),)),
    _Set("thyroid", 5, FixedSplits(train=140, test=75, repeats=10)),
    _Set("titanic", 3, _TEN),
    _Set("twonorm", 20, FixedSplits(train=400, test=7000, repeats=10), parameters=(("n", "all"),)),
    _Set("waveform", 21, _TEN),
    _Set("splice", 60, FixedSplits(train=1000, test=2175, repeats=5), "splice-agct", realisations=20),
)

_LOWER = "Ours is lower, not explained: a width chosen on each training part gives a smaller error than the paper's."
_FIVE = (
    "With parameters tuned on five realisations, the usual protocol of this benchmark, version 0.3.0 gave the printed "
    "figure. It was probably tuned in that way."
)
_NOT_FIVE = (
    "Not explained. Parameters tuned on five realisations, the usual protocol of this benchmark, gave about our figure "
    "in version 0.3.0; the grid of widths and C is not printed."
)
_SCATTER = "The dimension varies widely between realisations."
_FOLLOWS = "It depends on the dimension: the more directions are kept, the fewer training labels are disputed."
_DIM_CV = (
    "Not explained. Leave-one-out by squared and by 0–1 loss, with its own width, 5 and 10 folds, GCV, BIC, one "
    "standard error and the first local minimum were tried; none agrees."
)
#: Reasons for figures that do not agree.
_WHY = {
    ("waveform", "kpcr"): _LOWER,
    ("twonorm", "krr"): _FIVE,
    ("twonorm", "svm"): _NOT_FIVE,
    ("banana", "svm"): _NOT_FIVE,
    ("diabetes", "svm"): _NOT_FIVE,
    ("waveform", "svm"): _NOT_FIVE,
    ("image", "dim"): _SCATTER,
    ("image", "estimated_error"): _FOLLOWS,
    ("titanic", "dim"): _SCATTER,
}


def _widths(columns: int, count: int) -> tuple[float, ...]:
    return tuple(float(f"{w:.4g}") for w in np.geomspace(0.05, 5.0, count) * np.sqrt(2 * columns))


def _words(chosen: _Set, how: str) -> str:
    genuine = isinstance(chosen.protocol, PublishedSplits)
    splits = f"{_GENUINE}, the first {chosen.protocol.count}" if genuine else chosen.protocol.describe()
    return f"{splits}; columns standardised on the training rows; {how}."


#: Columns that one run gives together: the measure of each and its statistic.
_FROM_THE_CUT: dict[str, tuple[str, Any]] = {
    "dim": ("relevant dimension", "median"),
    "dim_cv": ("leave-one-out dimension", "median"),
    "estimated_error": ("estimated error", "mean"),
    "kpcr": ("error", "mean"),
}


def _by_likelihood(chosen: _Set) -> Experiment:
    kernel: Kernel = Standardized(RBF(sigma=1.0))
    spec = RunSpec(
        chosen.data,
        kernel,
        KernelPCARegression("relevant"),
        chosen.protocol,
        "error",
        parameters=chosen.parameters,
        tuning=(Axis("kernel.kernel.sigma", _widths(chosen.columns, 10)),),
        selection="likelihood",
        also=("relevant dimension", "leave-one-out dimension", "estimated error"),
    )
    rows = tuple(
        _row(chosen, column, of, "" if measure == "error" else measure)
        for column, (measure, of) in _FROM_THE_CUT.items()
    )
    how = "width by the smallest −log ℓ of ten on each training part"
    return _experiment(chosen, "", spec, how, rows)


def _by_folds(chosen: _Set, column: str, machine: Machine, axis: Axis) -> Experiment:
    spec = RunSpec(
        chosen.data,
        Standardized(RBF(sigma=1.0)),
        machine,
        chosen.protocol,
        parameters=chosen.parameters,
        tuning=(Axis("kernel.kernel.sigma", _widths(chosen.columns, 6)), axis),
        inner=_INNER,
    )
    how = f"width and {axis.path.split('.')[1]} by 5 folds of the training rows"
    return _experiment(chosen, f", {_LABELS[column]}", spec, how, (_row(chosen, column),))


def _row(chosen: _Set, column: str, of: Any = "mean", measure: str = "") -> Row:
    why = _DIM_CV if column == "dim_cv" else _WHY.get((chosen.name, column), "")
    unit = 1.0 if column.startswith("dim") else 100.0
    return Row(_LABELS[column], f"{_TABLE}/{chosen.name}/{column}", of=of, why=why, measure=measure, unit=unit)


def _experiment(chosen: _Set, column: str, spec: RunSpec, how: str, rows: tuple[Row, ...]) -> Experiment:
    return Experiment(
        "R",
        f"Benchmark, {chosen.name}{column}",
        f"{chosen.name}{column or ', by likelihood'}",
        spec,
        rows,
        chosen.realisations,
        100.0,
        _words(chosen, how),
        note=_STILL,
        slow=chosen.realisations < 100,
        assumed=True,
    )


_LABELS = {
    "dim": "dim",
    "dim_cv": "dim (cv)",
    "estimated_error": "est. error",
    "kpcr": "kPCR",
    "krr": "KRR",
    "svm": "SVM",
}
_STILL = "Not explained. Few realisations and a coarse grid of parameters are a possible reason."

_RIDGES = Axis("machine.ridge", (1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0))
_COSTS = Axis("machine.C", (0.1, 1.0, 10.0, 100.0, 1000.0))

_LETTERS = (Axis("kernel.kernel.sigma", _widths(60, 6)[2:5]),)


def _splice(name: str, kernel: Kernel, tuning: tuple[Axis, ...], place: str) -> Experiment:
    spec = RunSpec(
        "splice-two-class",
        kernel,
        KernelPCARegression("relevant"),
        FixedSplits(train=1000, test=1175, repeats=10),
        "error",
        parameters=(("n", 2180),),
        tuning=tuning,
        selection="likelihood",
        also=("relevant dimension",),
    )
    place = f"relevant_dimension/splice_kernels/{place}"
    why = "Weighted degree is not printed with its degree." if name == "weighted degree" else ""
    rows = (
        Row("dim", f"{place}/dim", of="median", why=why, measure="relevant dimension", unit=1.0),
        Row("error", f"{place}/test_error", why=why),
    )
    return Experiment(
        "R",
        f"Splice kernels, {name}",
        f"Splice sites, {name}",
        spec,
        rows,
        100,
        100.0,
        "2180 of the 3175 strings of two classes, 10 splits into 1000 training and 1175 test strings; kernel PCA "
        "regression at d̂; width by the smallest −log ℓ of three. Weighted degree 10: degree 3 gives dim 4.",
        note=_STILL,
        tried=2,
    )


EXPERIMENTS: tuple[Experiment | Exact, ...] = (
    *(_by_likelihood(s) for s in _SETS),
    *(_by_folds(s, "krr", KernelRidge(), _RIDGES) for s in _SETS),
    *(_by_folds(s, "svm", SVM(), _COSTS) for s in _SETS),
    *(
        _splice(name, kernel, tuning, place)
        for name, kernel, tuning, place in (
            ("codes A, G, C, T", Encoded(RBF(), encoding="naive", alphabet="AGCT"), _LETTERS, "rbf_naive_0123"),
            ("one-hot", Encoded(RBF(), encoding="one-hot"), _LETTERS, "rbf_one_hot"),
            ("weighted degree", WeightedDegree(degree=10), (), "weighted_degree"),
        )
    ),
)
