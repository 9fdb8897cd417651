"""What a run is said to cost before it starts, against what it takes; not a test.

    python tests/benchmarks/estimates.py

How fast sweeps are beside a grid search: ``python -m kernlib bench --only sweep``.
"""

from __future__ import annotations

import time

from kernlib import RBF, Deep, Empirical, Power, Subsequence
from kernlib.experiments import Axis, RunSpec, estimate, sweep
from kernlib.machines import SVM
from kernlib.protocols import RepeatedSplits

SPECS = {
    "levels, tuned": RunSpec(
        "breast-cancer-10", Deep(RBF(sigma="median"), level=0), SVM(), RepeatedSplits(repeats=10),
        axis=Axis("kernel.level", tuple(range(6))), tuning=(Axis("machine.C", (0.1, 1.0, 10.0, 100.0)),),
    ),
    "strings": RunSpec(
        "splice", Empirical(Power(Subsequence())), SVM(), RepeatedSplits(repeats=5), parameters=(("n", 500),),
        axis=Axis("kernel.kernel.p", (0.2, 0.4, 0.6, 0.8, 1.0)),
    ),
    "n = 1500": RunSpec(
        "waveform-like", RBF(sigma=3.0), SVM(), RepeatedSplits(repeats=5), parameters=(("n", 1500),),
        axis=Axis("kernel.sigma", (1.0, 2.0, 4.0, 8.0)),
    ),
}  # fmt: skip


def main() -> None:
    for name, spec in SPECS.items():
        data = spec.load()
        said = estimate(spec, data).seconds
        start = time.perf_counter()
        list(sweep(spec, data))
        took = time.perf_counter() - start
        print(f"estimate, {name:<42} {said:8.2f} s  took {took:8.2f} s  ratio {said / took:.2f}")


if __name__ == "__main__":
    main()
