"""[K] Wang 2011: the data of chapter 3, and what depth does to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import RBF, Deep, Diffusion, Kernel, Standardized
from ..data import load_dataset
from ..experiments import Axis, RunSpec
from ..machines import SVM
from ..protocols import RepeatedKFold, RepeatedSplits
from ..values.labels import read_labels
from .experiment import Exact, Experiment, NoData, Row
from .published import places, printed

__all__ = ["EXPERIMENTS"]

_DATA = "deep/datasets"
#: The paper's name: ours, for the data that are the paper's own.
_HERE = {
    "Breast": "breast-cancer-10", "Digit38": "digits-3-8", "Wave12": "wave-12", "Wave13": "wave-13",
    "Wave23": "wave-23", "Enron": "enron", "Lawyer": "lawyers",
}  # fmt: skip


#: What the table's columns are called here.
_WORDS = {
    "features": "columns", "nodes": "nodes", "terms": "terms", "class1": "one class", "class2": "the other",
}  # fmt: skip


def _sizes(name: str) -> Exact:
    given = list(places(f"{_DATA}/{name}"))

    def ours() -> Sequence[Any]:
        data = load_dataset(_HERE[name])
        counts = sorted(read_labels(data.y, data.task or "auto", owner=name).counts)  # type: ignore[arg-type]
        smaller = printed(f"{_DATA}/{name}/class1") <= printed(f"{_DATA}/{name}/class2")
        first, second = counts if smaller else counts[::-1]
        columns = data.rows.shape[1] if data.domain == "vector" else data.n
        known = {"features": columns, "nodes": data.n, "class1": int(first), "class2": int(second)}
        return [known[place.rpartition("/")[2]] for place in given]

    rows = tuple(Row(_WORDS[place.rpartition("/")[2]], place) for place in given)
    return Exact("K", f"Table 3.1, {name}", f"{name}: the rows that are here are the paper's", rows, ours, of="size")


def _absent(name: str, needs: str) -> NoData:
    given = tuple(places(f"{_DATA}/{name}"))
    return NoData("K", f"Table 3.1, {name}", name, given, needs, tuple(_WORDS[p.rpartition("/")[2]] for p in given))


_COSTS = Axis("machine.C", (0.1, 1.0, 10.0, 100.0, 1000.0))


_DRAWN = (
    "The paper draws these figures and prints no numbers: what can be compared is whether a level is above level 0."
)


def _levels(
    figure: str, name: str, data: str, kernel: Kernel, widths: Sequence[float] = (), measure: str = "accuracy",
    said: str = "",
) -> Experiment:  # fmt: skip
    tuning: tuple[Axis, ...] = (_COSTS,)
    if widths:
        inside = "kernel.kernel.kernel.sigma" if isinstance(kernel, Standardized) else "kernel.kernel.sigma"
        tuning = (Axis(inside, tuple(widths)), _COSTS)
    spec = RunSpec(
        data, Deep(kernel, level=0), SVM(), RepeatedSplits(repeats=25, train=0.5, seed=0), measure,
        axis=Axis("kernel.level", (0, 1, 2, 3, 4, 5)), tuning=tuning,
        inner=RepeatedKFold(folds=3, repeats=1, seed=0),
    )  # fmt: skip
    chosen = f"σ of {', '.join(f'{w:g}' for w in widths)} and C" if widths else "C"
    shown = "RBF on standardised columns" if isinstance(kernel, Standardized) else " → ".join(kernel.chain())
    return Experiment(
        "K", f"{figure}, {name}", f"{name}: {measure} over the levels",
        spec, tuple(Row(f"level {level}", "", at=level) for level in range(6)), 25,
        protocol=f"{'RBF' if widths and shown != 'RBF on standardised columns' else shown}; {measure}; "
        f"{spec.protocol.describe()}; {chosen} by 3 folds of the training half, for every level. {said or _DRAWN}",
    )  # fmt: skip


def _widths(columns: int) -> tuple[float, ...]:
    return tuple(float(f"{w * (2 * columns) ** 0.5:.3g}") for w in (0.125, 0.25, 0.5, 1.0, 2.0))


def _spreads() -> Sequence[Any]:
    """How far the entries beside the diagonal are spread, level by level, on all 36 partners at β = 0.1."""
    rows = load_dataset("lawyers").inputs
    found = []
    for level in range(6):
        K = Deep(Diffusion(beta=0.1), level=level).bind(rows)(np.arange(len(rows)))
        found.append(float(K[~np.eye(len(K), dtype=bool)].std()))
    return found


_PLAIN: Kernel = RBF(sigma=1.0)
_BETAS = (0.03, 0.1, 0.3, 1.0)

EXPERIMENTS: tuple[Experiment | Exact | NoData, ...] = (
    _levels("Figure 3.1", "Breast", _HERE["Breast"], Standardized(_PLAIN), _widths(10)),
    _levels(
        "Figure 3.1", "Breast with columns as they are", _HERE["Breast"], _PLAIN, (25.0, 50.0, 100.0, 200.0, 400.0)
    ),
    *(
        _levels("Figure 3.1", name, _HERE[name], _PLAIN, _widths(columns))
        for name, columns in (("Digit38", 256), ("Wave12", 21), ("Wave13", 21), ("Wave23", 21))
    ),
    _levels(
        "Figure 3.1",
        "stand-in of 707 yeast proteins",
        "yeast",
        Standardized(_PLAIN),
        _widths(8),
        said="All 707 proteins of the two classes; the paper took 700 and does not say which.",
    ),
    *(
        _levels("Figure 3.2", f"Enron, β = {beta:g}", _HERE["Enron"], Diffusion(beta=beta), measure="AUC")
        for beta in _BETAS
    ),
    *(
        _levels("Figure 3.3", f"Lawyer, β = {beta:g}", _HERE["Lawyer"], Diffusion(beta=beta), measure="AUC")
        for beta in _BETAS
    ),
    Exact(
        "K",
        "Figure 3.6",
        "Lawyer: spread of the entries beside the diagonal, level by level",
        tuple(Row(f"level {level}", "") for level in range(6)),
        _spreads,
        of="drawn",
        protocol="Diffusion, β = 0.1, all 36 partners. The paper draws the matrices: nearly diagonal, then "
        "informative, then poor again.",
    ),
    *(_sizes(name) for name in _HERE),
    _absent("Corel", "The Corel image features, 200 × 50, which are no longer given out."),
    _absent("Yeast", "The paper's choice of 700 rows; all 707 rows of the two classes are here."),
    _absent("WebKB", "The paper's 1027 pages; 1628 pages of the two classes are here, with other words."),
    _absent("Protein", "The interaction data with their pairwise scores."),
)
