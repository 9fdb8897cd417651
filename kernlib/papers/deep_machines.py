"""[K] Wang 2011: the data of chapter 3, and what depth does to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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


def _sizes(name: str) -> Exact:
    given = list(places(f"{_DATA}/{name}"))
    words = {"features": "columns", "nodes": "nodes", "class1": "one class", "class2": "the other"}

    def ours() -> Sequence[Any]:
        data = load_dataset(_HERE[name])
        counts = sorted(read_labels(data.y, data.task or "auto", owner=name).counts)  # type: ignore[arg-type]
        smaller = printed(f"{_DATA}/{name}/class1") <= printed(f"{_DATA}/{name}/class2")
        first, second = counts if smaller else counts[::-1]
        columns = data.rows.shape[1] if data.domain == "vector" else data.n
        known = {"features": columns, "nodes": data.n, "class1": int(first), "class2": int(second)}
        return [known[place.rpartition("/")[2]] for place in given]

    rows = tuple(Row(words[place.rpartition("/")[2]], place) for place in given)
    return Exact("K", f"Table 3.1, {name}", f"{name}: the rows that are here are the paper's", rows, ours, of="size")


def _absent(name: str, needs: str) -> NoData:
    return NoData("K", f"Table 3.1, {name}", name, tuple(places(f"{_DATA}/{name}")), needs)


_COSTS = Axis("machine.C", (0.1, 1.0, 10.0, 100.0, 1000.0))


def _levels(name: str, kernel: Kernel, measure: str) -> Experiment:
    spec = RunSpec(
        _HERE[name], Deep(kernel, level=0), SVM(), RepeatedSplits(repeats=25, train=0.5, seed=0), measure,
        axis=Axis("kernel.level", (0, 1, 2, 3, 4, 5)), tuning=(_COSTS,),
        inner=RepeatedKFold(folds=3, repeats=1, seed=0),
    )  # fmt: skip
    return Experiment(
        "K", f"Depth, {name}", f"{name}: {measure} over the levels",
        spec, tuple(Row(f"level {level}", "", at=level) for level in range(6)), 25,
        protocol=f"{kernel!r}; {spec.protocol.describe()}; C by 3 folds of the training half. The paper draws these "
        "figures and prints no numbers: what can be compared is whether a level is above level 0.",
    )  # fmt: skip


_BROAD: Kernel = RBF(sigma="median")

EXPERIMENTS: tuple[Experiment | Exact | NoData, ...] = (
    _levels("Breast", Standardized(_BROAD), "accuracy"),
    _levels("Digit38", _BROAD, "accuracy"),
    _levels("Wave12", _BROAD, "accuracy"),
    _levels("Wave13", _BROAD, "accuracy"),
    _levels("Wave23", _BROAD, "accuracy"),
    _levels("Enron", Diffusion(beta=0.1), "AUC"),
    _levels("Lawyer", Diffusion(beta=0.1), "AUC"),
    *(_sizes(name) for name in _HERE),
    _absent("Corel", "The Corel image features, 200 × 50, which are no longer given out."),
    _absent("Yeast", "The paper's choice of 700 rows; all 707 rows of the two classes are here."),
    _absent("WebKB", "The paper's 1027 pages; 1628 pages of the two classes are here, with other words."),
    _absent("Protein", "The interaction data with their pairwise scores."),
)
