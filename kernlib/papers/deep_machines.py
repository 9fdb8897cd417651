"""[K] Wang 2011: the data of chapter 3 and the effect of depth on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import RBF, Deep, Diffusion, Kernel, LatentSemantic, MetricPairs, Standardized, TensorPairs
from ..analysis.levels import level_numbers, levels_of
from ..data import load_dataset
from ..experiments import Axis, RunSpec
from ..machines import SVM
from ..protocols import RepeatedKFold, RepeatedSplits
from ..values.labels import read_labels
from .experiment import Exact, Experiment, Row, places, printed

_DATA = "deep/datasets"
#: The paper's name: our name, for data that are the paper's own.
HERE = {
    "Breast": "breast-cancer-10",
    "Digit38": "digits-3-8",
    "Wave12": "wave-12",
    "Wave13": "wave-13",
    "Wave23": "wave-23",
    "Enron": "enron",
    "Lawyer": "lawyers",
}


#: Our names for the table's columns.
_WORDS = {
    "features": "columns",
    "nodes": "nodes",
    "terms": "terms",
    "class1": "one class",
    "class2": "the other",
}


def _sizes(name: str) -> Exact:
    given = list(places(f"{_DATA}/{name}"))

    def ours() -> Sequence[Any]:
        data = load_dataset(HERE[name])
        counts = sorted(read_labels(data.y, data.task or "auto", owner=name).counts)  # type: ignore[arg-type]
        smaller = printed(f"{_DATA}/{name}/class1") <= printed(f"{_DATA}/{name}/class2")
        first, second = counts if smaller else counts[::-1]
        columns = data.n if data.d is None else data.d
        known = {"features": columns, "nodes": data.n, "class1": int(first), "class2": int(second)}
        return [known[place.rpartition("/")[2]] for place in given]

    rows = tuple(Row(_WORDS[place.rpartition("/")[2]], place) for place in given)
    return Exact("K", f"Table 3.1, {name}", f"{name}: the sizes of the data set", rows, ours, of="size")


_COSTS = Axis("machine.C", (0.1, 1.0, 10.0, 100.0, 1000.0))


_DRAWN = "The paper draws these figures and prints no numbers: only the sign of a gain over level 0 can be compared."


def _levels(
    figure: str,
    name: str,
    data: str,
    kernel: Kernel,
    widths: Sequence[float] = (),
    measure: str = "accuracy",
    remark: str = "",
    parameters: tuple[tuple[str, Any], ...] = (),
) -> Experiment:
    tuning: tuple[Axis, ...] = (_COSTS,)
    if widths:
        tuning = (Axis("kernel." * (1 + len([*kernel.walk()])) + "sigma", tuple(widths)), _COSTS)
    spec = RunSpec(
        data,
        Deep(kernel, level=0),
        SVM(),
        RepeatedSplits(repeats=25, train=0.5, seed=0),
        measure,
        axis=Axis("kernel.level", (0, 1, 2, 3, 4, 5)),
        tuning=tuning,
        inner=RepeatedKFold(folds=3, repeats=1, seed=0),
        parameters=parameters,
    )
    chosen = f"σ of {', '.join(f'{w:g}' for w in widths)} and C" if widths else "C"
    shown = " → ".join(kernel.chain())
    if widths:
        shown = "RBF on standardised columns" if kernel.children else "RBF"
    return Experiment(
        "K",
        f"{figure}, {name}",
        f"{name}: {measure} over the levels",
        spec,
        (
            *(Row(f"level {level}", "", at=level) for level in range(6)),
            *(Row(f"gain of level {level}", "", at=level, of="gain") for level in range(1, 6)),
        ),
        25,
        protocol=f"{shown}; {measure}; "
        f"{spec.protocol.describe()}; {chosen} by 3 folds of the training half, for every level. {remark or _DRAWN}",
    )


def _widths(columns: int) -> tuple[float, ...]:
    return tuple(float(f"{w * (2 * columns) ** 0.5:.3g}") for w in (0.125, 0.25, 0.5, 1.0, 2.0))


def _spreads() -> Sequence[Any]:
    """Return the off-diagonal spread level by level, as on the Depth page, of all 36 partners at β = 0.1."""
    K = Diffusion(beta=0.1)(load_dataset("lawyers").inputs)
    return [level_numbers(level).spread for level in levels_of(K, 5)]


def _shares() -> Sequence[Any]:
    pages = printed("deep/webkb/pages")
    return [100 * pages[name] / pages["Total"] for name in printed("deep/webkb/percentage")]


#: The median distance of the digits, rounded.
_WIDTH = 15.0
_PLAIN: Kernel = RBF(sigma=1.0)
_BETAS = (0.03, 0.1, 0.3, 1.0)

EXPERIMENTS: tuple[Experiment | Exact, ...] = (
    _levels("Figure 3.1", "Breast", HERE["Breast"], Standardized(_PLAIN), _widths(10)),
    _levels("Figure 3.1", "Breast with columns as they are", HERE["Breast"], _PLAIN, (25.0, 50.0, 100.0, 200.0, 400.0)),
    *(
        _levels("Figure 3.1", name, HERE[name], _PLAIN, _widths(columns))
        for name, columns in (("Digit38", 256), ("Wave12", 21), ("Wave13", 21), ("Wave23", 21))
    ),
    _levels(
        "Figure 3.1",
        "stand-in of 707 yeast proteins",
        "yeast",
        Standardized(_PLAIN),
        _widths(8),
        remark="All 707 proteins of the two classes; the paper uses 700 and does not say which.",
    ),
    *(
        _levels("Figure 3.2", f"Enron, β = {beta:g}", HERE["Enron"], Diffusion(beta=beta), measure="AUC")
        for beta in _BETAS
    ),
    *(
        _levels("Figure 3.3", f"Lawyer, β = {beta:g}", HERE["Lawyer"], Diffusion(beta=beta), measure="AUC")
        for beta in _BETAS
    ),
    _levels(
        "Figure 3.4",
        "stand-in of 300 WebKB pages",
        "webkb",
        LatentSemantic(concepts=100),
        remark="300 of the repository's pages on faculty and projects, 100 concepts; the paper's pages have other "
        "words, and it does not say how many concepts.",
        parameters=(("n", 300),),
    ),
    _levels(
        "Figure 3.5",
        "stand-in of pairs of digits",
        "digit-pairs",
        TensorPairs(RBF(sigma=_WIDTH)) + MetricPairs(RBF(sigma=_WIDTH)),
        measure="F",
        remark="40 pairs of the same digit against 160 of different ones; the paper's protein pairs and their scores "
        "are not available.",
    ),
    Exact(
        "K",
        "Figure 3.6",
        "Lawyer: off-diagonal spread, level by level",
        tuple(Row(f"level {level}", "") for level in range(6)),
        _spreads,
        of="drawn",
        protocol="Diffusion, β = 0.1, all 36 partners; standard deviation of the entries off the diagonal over the "
        "mean diagonal, as on the Depth page. The paper draws the matrices and defines no number: level 0 is nearly "
        "diagonal, levels 1 and 2 are informative, higher levels less so.",
    ),
    Exact(
        "K",
        "Table 3.2, percentage",
        "WebKB: share of each category among the printed numbers of pages",
        tuple(
            Row(
                place.rpartition("/")[2],
                place,
                why="74 of 5893 pages are 1.26%; the printed 1.2 makes the column add up to 100.0.",
            )
            for place in places("deep/webkb/percentage")
        ),
        _shares,
        decimals=1,
    ),
    *(_sizes(name) for name in HERE),
)
