"""How often the interval of the relevant dimension holds the true dimension.

    python -m tests.benchmarks dimension_coverage [DRAWS]

True is the cut that the expected coefficients give, E s_i² = (u_i'G)² + Σ_k u_ik² Var ε_k, for the rows of the draw and
their noise-free target G: sinc plus normal noise of 0.1, and twonorm, where G = tanh(a'x). 200 draws, at 95%:

| data | n | interval | holds the true dimension | median width |
|---|---|---|---|---|
| sinc | 50 | profile | 94.5% | 2 |
| sinc | 50 | bootstrap | 99.0% | 5 |
| sinc | 100 | profile | 94.5% | 2 |
| sinc | 100 | bootstrap | 100.0% | 4 |
| sinc | 200 | profile | 94.5% | 1 |
| sinc | 200 | bootstrap | 99.5% | 3 |
| twonorm | 50 | profile | 98.0% | 2 |
| twonorm | 50 | bootstrap | 100.0% | 14 |
| twonorm | 100 | profile | 99.5% | 1 |
| twonorm | 100 | bootstrap | 100.0% | 12.5 |
| twonorm | 200 | profile | 99.0% | 1 |
| twonorm | 200 | bootstrap | 100.0% | 9 |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from kernlib import RBF
from kernlib.analysis import dimension_interval, relevant_dimension
from kernlib.analysis.relevant import RelevantDimension, _neg_log_likelihood

Numbers = NDArray[np.float64]
#: The rows' Gram matrix, the target without noise, its noise variance, and the labels.
Problem = tuple[Numbers, Numbers, Numbers, Numbers]


def sinc(n: int, rng: np.random.Generator) -> Problem:
    x = rng.uniform(-4, 4, n)
    target = np.sinc(x)
    return RBF(sigma=0.7)(x[:, None]), target, np.full(n, 0.01), target + 0.1 * rng.standard_normal(n)


def twonorm(n: int, rng: np.random.Generator) -> Problem:
    a = 2 / np.sqrt(20)
    y = rng.choice([-1.0, 1.0], n)
    X = rng.standard_normal((n, 20)) + a * y[:, None]
    target = np.tanh(a * X.sum(axis=1))
    return RBF(sigma=5.0)(X), target, 1 - target**2, y


def expected_dimension(rd: RelevantDimension, target: Numbers, variance: Numbers) -> int:
    """Return the d of the expected coefficients of a known target, E s_i² = (u_i'G)² + Σ_k u_ik² Var ε_k."""
    U = rd.eigenvectors
    energy = (U.T @ target) ** 2 + (U**2).T @ variance
    curve, leading = (a[:, 0] for a in _neg_log_likelihood(energy[:, None], rd.max_dimension))
    return int(np.where(leading, curve, np.inf).argmin()) + 1


def coverage(
    problem: Callable[[int, np.random.Generator], Problem], n: int, draws: int, bootstrap: int = 0
) -> dict[str, tuple[float, float]]:
    """Return (share of draws whose interval holds the true dimension, median width) of each interval."""
    rng = np.random.default_rng(0)
    hits: dict[str, list[tuple[bool, int]]] = {}
    for _ in range(draws):
        K, target, variance, y = problem(n, rng)
        rd: RelevantDimension = relevant_dimension(K, y)
        true = expected_dimension(rd, target, variance)
        found = dimension_interval(rd, K if bootstrap else None, draws=bootstrap or 1)
        for name, ends in (("profile", found.profile), ("bootstrap", found.bootstrap)):
            if ends is not None:
                hits.setdefault(name, []).append((ends[0] <= true <= ends[1], ends[1] - ends[0] + 1))
    return {name: (float(np.mean([h for h, _ in v])), float(np.median([w for _, w in v]))) for name, v in hits.items()}


def main(arguments: Sequence[str]) -> None:
    """Print the table for so many draws (default 200)."""
    count = int(arguments[0]) if arguments else 200
    print("| data | n | interval | holds the true dimension | median width |\n|---|---|---|---|---|")
    for name, problem in (("sinc", sinc), ("twonorm", twonorm)):
        for n in (50, 100, 200):
            for which, (share, width) in coverage(problem, n, count, bootstrap=60).items():
                print(f"| {name} | {n} | {which} | {share:.1%} | {width:g} |", flush=True)
