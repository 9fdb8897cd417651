"""How often the interval of the relevant dimension holds the true dimension.

    python -m tests.benchmarks dimension_coverage [DRAWS]

True is the cut that the expected coefficients give, E s_i² = (u_i'G)² + Σ_k u_ik² Var ε_k, for the rows of the draw and
their noise-free target G: sinc plus normal noise of 0.1, and twonorm, where G = tanh(a'x). 200 draws, at 95%:

| data | n | holds the true dimension | median width |
|---|---|---|---|
| sinc | 50 | 94.5% | 2 |
| sinc | 100 | 94.5% | 2 |
| sinc | 200 | 94.5% | 1 |
| twonorm | 50 | 98.0% | 2 |
| twonorm | 100 | 99.5% | 1 |
| twonorm | 200 | 99.0% | 1 |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from kernlib import RBF
from kernlib.analysis import relevant_dimension
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


def coverage(problem: Callable[[int, np.random.Generator], Problem], n: int, draws: int) -> tuple[float, float]:
    """Return the share of draws whose plausible dimensions hold the true one, and their median number."""
    rng = np.random.default_rng(0)
    hits, widths = [], []
    for _ in range(draws):
        K, target, variance, y = problem(n, rng)
        rd: RelevantDimension = relevant_dimension(K, y)
        low, high = rd.plausible
        hits.append(low <= expected_dimension(rd, target, variance) <= high)
        widths.append(high - low + 1)
    return float(np.mean(hits)), float(np.median(widths))


def main(arguments: Sequence[str]) -> None:
    """Print the table for so many draws (default 200)."""
    count = int(arguments[0]) if arguments else 200
    print("| data | n | holds the true dimension | median width |\n|---|---|---|---|")
    for name, problem in (("sinc", sinc), ("twonorm", twonorm)):
        for n in (50, 100, 200):
            share, width = coverage(problem, n, count)
            print(f"| {name} | {n} | {share:.1%} | {width:g} |", flush=True)
