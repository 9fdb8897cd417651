"""[R] Braun, Buhmann, Müller 2006: how many directions carry the labels, and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import RBF, Encoded, Kernel, Standardized, WeightedDegree
from ..experiments import Axis, RunSpec
from ..machines import SVM, KernelPCARegression, KernelRidge, Machine
from ..protocols import FixedSplits, Protocol, PublishedSplits, RepeatedKFold
from .experiment import Exact, Experiment, NoData, Row
from .published import places

__all__ = ["EXPERIMENTS"]

_TABLE = "relevant_dimension/benchmark"
_INNER = RepeatedKFold(folds=5, repeats=1, seed=0)
_GENUINE = "The benchmark's own training and test rows"


@dataclass(frozen=True)
class _Set:
    """A data set of the benchmark: columns, splits, how many splits stand behind the printed figures."""

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
    _Set("image", 18, PublishedSplits(most=3), realisations=20),
    _Set("ringnorm", 20, _TEN, parameters=(("n", "all"),)),
    _Set("thyroid", 5, FixedSplits(train=140, test=75, repeats=10)),
    _Set("titanic", 3, _TEN),
    _Set("twonorm", 20, FixedSplits(train=400, test=7000, repeats=10), parameters=(("n", "all"),)),
    _Set("waveform", 21, _TEN),
    _Set("splice", 60, FixedSplits(train=1000, test=2175, repeats=3), "splice-agct", realisations=20),
)

_LOWER = "Ours is lower: the published figure seems to come from parameters that are tuned once for all realisations."
_SCATTER = "The dimension scatters widely from realisation to realisation."
_FOLLOWS = "It follows from the dimension: the more directions are kept, the fewer training labels are disputed."
_DIM_CV = (
    "Unexplained. Leave-one-out by squared and by 0–1 loss, with its own width, 5 and 10 folds, GCV, BIC, one standard "
    "error and the first local minimum were tried; none fits."
)
#: What is known of figures that do not agree.
_WHY = {
    ("waveform", "kpcr"): _LOWER, ("twonorm", "krr"): _LOWER, ("twonorm", "svm"): _LOWER,
    ("image", "dim"): _SCATTER, ("image", "estimated_error"): _FOLLOWS, ("titanic", "dim"): _SCATTER,
}  # fmt: skip


def _widths(columns: int, count: int) -> tuple[float, ...]:
    return tuple(float(f"{w:.4g}") for w in np.geomspace(0.05, 5.0, count) * np.sqrt(2 * columns))


def _words(chosen: _Set, how: str) -> str:
    genuine = isinstance(chosen.protocol, PublishedSplits)
    splits = f"{_GENUINE}, the first {chosen.protocol.count}" if genuine else chosen.protocol.describe()
    return f"{splits}; columns standardised on the training rows; {how}."


def _by_likelihood(chosen: _Set, column: str, measure: str, of: Any = "mean") -> Experiment:
    kernel: Kernel = Standardized(RBF(sigma=1.0))
    spec = RunSpec(
        chosen.data, kernel, KernelPCARegression("relevant"), chosen.protocol, measure, parameters=chosen.parameters,
        tuning=(Axis("kernel.kernel.sigma", _widths(chosen.columns, 10)),), selection="likelihood",
    )  # fmt: skip
    return _experiment(chosen, column, spec, "width by the smallest −log ℓ, ten widths tried on each training part", of)


def _by_folds(chosen: _Set, column: str, machine: Machine, axis: Axis) -> Experiment:
    spec = RunSpec(
        chosen.data, Standardized(RBF(sigma=1.0)), machine, chosen.protocol, parameters=chosen.parameters,
        tuning=(Axis("kernel.kernel.sigma", _widths(chosen.columns, 6)), axis), inner=_INNER,
    )  # fmt: skip
    return _experiment(chosen, column, spec, f"width and {axis.path.split('.')[1]} by 5 folds of the training rows")


def _experiment(chosen: _Set, column: str, spec: RunSpec, how: str, of: Any = "mean") -> Experiment:
    why = _DIM_CV if column == "dim_cv" else _WHY.get((chosen.name, column), "")
    row = Row(_LABELS[column], f"{_TABLE}/{chosen.name}/{column}", of=of, why=why)
    unit = 1.0 if column.startswith("dim") else 100.0
    return Experiment(
        "R", f"Benchmark, {chosen.name}, {_LABELS[column]}", f"{chosen.name}: {_LABELS[column]}", spec, (row,),
        chosen.realisations, unit, _words(chosen, how), note=_STILL,
        slow=chosen.realisations < 100,
    )  # fmt: skip


_LABELS = {
    "dim": "dim", "dim_cv": "dim (cv)", "estimated_error": "est. error", "kpcr": "kPCR", "krr": "KRR", "svm": "SVM",
}  # fmt: skip
_STILL = "Not explained. Few realisations and a coarse grid of parameters are one possible reason."

_RIDGES = Axis("machine.ridge", (1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0))
_COSTS = Axis("machine.C", (0.1, 1.0, 10.0, 100.0, 1000.0))

_LETTERS = (Axis("kernel.kernel.sigma", _widths(60, 6)[2:5]),)


def _splice(name: str, kernel: Kernel, tuning: tuple[Axis, ...], place: str, column: str) -> Experiment:
    dim = column == "dim"
    spec = RunSpec(
        "splice-two-class", kernel, KernelPCARegression("relevant"), FixedSplits(train=1000, test=1175, repeats=10),
        "relevant dimension" if dim else "error", parameters=(("n", 2180),), tuning=tuning, selection="likelihood",
    )  # fmt: skip
    label = "dim" if dim else "error"
    why = "Weighted degree is not printed with its degree." if name == "weighted degree" else ""
    return Experiment(
        "R", f"Splice kernels, {name}, {label}", f"Splice sites, {name}", spec,
        (Row(label, f"relevant_dimension/splice_kernels/{place}/{column}", of="median" if dim else "mean", why=why),),
        20, 1.0 if dim else 100.0,
        "2180 of the 3175 strings of two classes, 10 splits of 1000 to train on and 1175 to test; kernel PCA "
        "regression at d̂; width by −log ℓ, three tried. Weighted degree 10: degree 3 gives dim 4.",
        note=_STILL, tried=2,
    )  # fmt: skip


EXPERIMENTS: tuple[Experiment | Exact | NoData, ...] = (
    *(_by_likelihood(s, "dim", "relevant dimension", "median") for s in _SETS),
    *(_by_likelihood(s, "estimated_error", "estimated error") for s in _SETS),
    *(_by_likelihood(s, "kpcr", "error") for s in _SETS),
    *(_by_likelihood(s, "dim_cv", "leave-one-out dimension", "median") for s in _SETS),
    *(_by_folds(s, "krr", KernelRidge(), _RIDGES) for s in _SETS),
    *(_by_folds(s, "svm", SVM(), _COSTS) for s in _SETS),
    *(
        _splice(name, kernel, tuning, place, column)
        for name, kernel, tuning, place in (
            ("codes A, G, C, T", Encoded(RBF(), encoding="naive", alphabet="AGCT"), _LETTERS, "rbf_naive_0123"),
            ("one-hot", Encoded(RBF(), encoding="one-hot"), _LETTERS, "rbf_one_hot"),
            ("weighted degree", WeightedDegree(degree=10), (), "weighted_degree"),
        )
        for column in ("dim", "test_error")
    ),
    NoData(
        "R", "Benchmark, flare-solar", "flare-solar", tuple(places(f"{_TABLE}/flare-solar")),
        "The benchmark's 1066 prepared rows with their splits; the solar flares here are UCI's ten nominal columns.",
    ),
)
