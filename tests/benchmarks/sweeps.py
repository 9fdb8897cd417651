"""Sweeps against scikit-learn's grid search, ratios within one run; not a test.

python tests/benchmarks/sweeps.py
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from kernlib import RBF, Deep, Empirical, Power, Subsequence
from kernlib.experiments import Axis, RunSpec, estimate, ridge_loo, sweep
from kernlib.machines import SVM, KernelRidge
from kernlib.protocols import RepeatedSplits


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The median of a few runs after one that is not counted."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def report(name: str, ours: float, theirs: float, goal: float) -> None:
    word = "reached" if ours <= goal * theirs else "MISSED"
    print(f"{name:<52} {1e3 * ours:8.1f} ms {1e3 * theirs:9.1f} ms  ratio {ours / theirs:.3f}, goal {goal} {word}")


def searched(matrices: list[np.ndarray], y: np.ndarray, splits: list, Cs: tuple[float, ...]) -> None:
    """The same fits by GridSearchCV, which is given the Gram matrices for nothing."""
    for K in matrices:
        GridSearchCV(SVC(kernel="precomputed"), {"C": Cs}, cv=splits, refit=False).fit(K, y)


def over_p() -> None:
    """11 values of p × 20 splits of 50 strings."""
    values = tuple(np.linspace(0.1, 1.0, 11).round(3))
    kernel = Empirical(Power(Subsequence(order=3, decay=0.25)))
    spec = RunSpec(
        "markov-strings", kernel, SVM(C=math.inf), RepeatedSplits(repeats=20), axis=Axis("kernel.kernel.p", values)
    )
    data = spec.load()
    splits = [(train, test) for _, train, test in spec.protocol.splits(data.y)]
    matrices = [spec.at(p)[0](data.rows) for p in values]
    ours = seconds(lambda: list(sweep(spec, data)))
    report("11 p × 20 splits, n = 50", ours, seconds(lambda: searched(matrices, data.y, splits, (1e6,))), 0.2)


def over_levels_and_C() -> None:
    """6 levels × 25 splits × 8 C of 569 rows."""
    Cs = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 1000.0)
    spec = RunSpec(
        "breast-cancer-10", Deep(RBF(sigma="median"), level=0), SVM(), RepeatedSplits(repeats=25),
        axis=Axis("kernel.level", tuple(range(6))), second=Axis("machine.C", Cs),
    )  # fmt: skip
    data = spec.load()
    splits = [(train, test) for _, train, test in spec.protocol.splits(data.y)]
    matrices = [Deep(RBF(sigma="median"), level=level)(data.rows) for level in range(6)]
    theirs = seconds(lambda: searched(matrices, data.y, splits, Cs), 1)
    for jobs in (1, 2):
        ours = seconds(lambda jobs=jobs: list(sweep(spec, data, jobs=jobs)), 1)
        report(f"6 levels × 25 splits × 8 C, n = 569, {jobs} job(s)", ours, theirs, 0.35)


def ridge_grid() -> None:
    """Leave-one-out over a grid of ridges against 25 splits one by one."""
    spec = RunSpec(
        "breast-cancer-10", RBF(sigma=1.0), KernelRidge(), RepeatedSplits(repeats=25),
        axis=Axis("machine.ridge", tuple(np.geomspace(1e-4, 1e2, 20))),
    )  # fmt: skip
    data = spec.load()
    K = spec.kernel(data.rows)
    ours = seconds(lambda: ridge_loo(K, data.y, spec.values))
    report("leave-one-out, 20 ridges, n = 569", ours, seconds(lambda: list(sweep(spec, data)), 1), 0.1)


def estimates() -> None:
    """Said beforehand against what it took."""
    deep = RunSpec(
        "breast-cancer-10", Deep(RBF(sigma="median"), level=0), SVM(), RepeatedSplits(repeats=10),
        axis=Axis("kernel.level", tuple(range(6))), tuning=(Axis("machine.C", (0.1, 1.0, 10.0, 100.0)),),
    )  # fmt: skip
    strings = RunSpec(
        "splice", Empirical(Power(Subsequence())), SVM(), RepeatedSplits(repeats=5), parameters=(("n", 500),),
        axis=Axis("kernel.kernel.p", (0.2, 0.4, 0.6, 0.8, 1.0)),
    )  # fmt: skip
    wide = RunSpec(
        "waveform-like", RBF(sigma=3.0), SVM(), RepeatedSplits(repeats=5), parameters=(("n", 1500),),
        axis=Axis("kernel.sigma", (1.0, 2.0, 4.0, 8.0)),
    )  # fmt: skip
    for name, spec in (("levels, tuned", deep), ("strings", strings), ("n = 1500", wide)):
        data = spec.load()
        said = estimate(spec, data).seconds
        start = time.perf_counter()
        list(sweep(spec, data))
        took = time.perf_counter() - start
        print(f"estimate, {name:<42} {said:8.2f} s  took {took:8.2f} s  ratio {said / took:.2f}")


if __name__ == "__main__":
    over_p()
    over_levels_and_C()
    ridge_grid()
    estimates()
