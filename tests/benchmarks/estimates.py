"""What a run is said to cost before it starts, against what it takes.

    python -m tests.benchmarks estimates [NAME …]

How fast sweeps are beside a grid search: ``python -m tests.benchmarks speed --only sweep``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from kernlib import RBF, Deep, Empirical, LabelSequences, Nystrom, Power, Subsequence
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
    "kernel and C tuned": RunSpec(
        "breast-cancer-10", RBF(sigma=3.0), SVM(), RepeatedSplits(repeats=5),
        tuning=(Axis("kernel.sigma", (1.0, 3.0, 9.0, 30.0)), Axis("machine.C", (0.1, 1.0, 10.0, 100.0))),
    ),
    "few strings, many splits": RunSpec(
        "markov-strings", Power(Subsequence()), SVM(C=1e4), RepeatedSplits(repeats=50),
        axis=Axis("kernel.p", (0.1, 0.3, 0.5, 0.7, 1.0)),
    ),
    "graphs": RunSpec(
        "mutag", LabelSequences(), SVM(), RepeatedSplits(repeats=10), axis=Axis("machine.C", (0.1, 1.0, 10.0, 100.0)),
    ),
    "landmarks, n = 20000": RunSpec(
        "twonorm", Nystrom(RBF(sigma=5.0), landmarks=300), SVM(), RepeatedSplits(repeats=1),
        parameters=(("n", 20_000),), axis=Axis("kernel.kernel.sigma", (2.0, 5.0, 10.0)),
    ),
    "landmarks, n = 50000, C": RunSpec(
        "twonorm", Nystrom(RBF(sigma=5.0), landmarks=300), SVM(), RepeatedSplits(repeats=1),
        parameters=(("n", 50_000),), axis=Axis("machine.C", (0.1, 1.0, 10.0)),
    ),
    "landmarks varied": RunSpec(
        "twonorm", Nystrom(RBF(sigma=5.0), landmarks=300), SVM(), RepeatedSplits(repeats=1),
        parameters=(("n", 20_000),), axis=Axis("kernel.landmarks", (10, 50, 100, 200, 300, 500)),
    ),
}  # fmt: skip


def main(wanted: Sequence[str]) -> None:
    """Each in turn; one that is named alone is the first of its process, as in a command."""
    for name in wanted or SPECS:
        spec = SPECS[name]
        data = spec.load()
        start = time.process_time()
        said = estimate(spec, data).seconds
        saying = time.process_time() - start
        # Processor time, as in the estimate: others may be busy while it runs.
        start = time.process_time()
        list(sweep(spec, data))
        took = time.process_time() - start
        print(
            f"{name:<26} said {said:7.2f} s (in {saying:4.2f} s)  took {took:7.2f} s  ratio {said / took:.2f}",
            flush=True,
        )
