"""Random kernels on random rows, each made from one number alone, so that what is found can be found again."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from kernlib import (
    Centered,
    Conformal,
    Deep,
    Empirical,
    Exponential,
    Imputed,
    Kernel,
    KernlibError,
    Log,
    LogRows,
    Normalized,
    Nystrom,
    Pairs,
    Power,
    Ranged,
    Repaired,
    SoftMarginDiagonal,
    SquareRoot,
    Standardized,
    StandardizedRows,
    UnitRows,
)
from kernlib.registry import LEAVES
from kernlib.wrappers.landmarks import CHOICES
from tests.kernels.examples import EXAMPLES
from tests.kernels.rows import _graph, _table

__all__ = ["Case", "case"]

#: They compare strings place by place.
ALIGNED = ("WeightedDegree", "LocalityImprovedSequence", "CodonImproved", "Encoded")
#: What is done to columns of numbers before they are compared.
ROWS = (Standardized, Imputed, LogRows, StandardizedRows, UnitRows, Ranged)
STARTS = [k for cls in LEAVES for k in (EXAMPLES[cls] if cls in EXAMPLES else [cls()])]


@dataclass(frozen=True)
class Case:
    """A kernel, rows that it reads, and a cut into training and test rows."""

    seed: str
    kernel: Kernel
    rows: Any
    y: np.ndarray
    train: np.ndarray
    test: np.ndarray

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.kernel!r} on {self.rows!r:.300}"


def case(seed: str) -> Case:
    """The case of a seed; steps and leaves as often as their classes are many."""
    random = Random(seed)
    kernel = chain(random)
    rows = rows_for(kernel, random)
    n = len(rows)
    order = list(range(n))
    random.shuffle(order)
    cut = random.randint(1, max(1, n - 1))
    y = np.array([random.randrange(2) for _ in range(n)])
    return Case(seed, kernel, rows, y, np.array(order[:cut]), np.array(order[cut:], dtype=np.intp))


def chain(random: Random) -> Kernel:
    kernel = varied(random.choice(STARTS), random)
    if kernel.reads == "vector" and "Image" not in repr(kernel) and random.random() < 0.4:
        for prepared in random.sample(ROWS, random.choice((1, 1, 2))):
            kernel = prepared(kernel)
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        try:
            kernel = step(kernel, random)
        except KernlibError:
            break  # e.g. a sum whose two sides read different rows
    # Outermost alone: of few rows it leaves zeros but for rounding, which a step around it would blow up.
    return random.choice([Centered, lambda k: Empirical(Centered(k))])(kernel) if random.random() < 0.1 else kernel


def step(k: Kernel, random: Random) -> Kernel:
    return random.choice(
        [
            lambda: Power(k, p=random.choice((1.0, 0.9, 0.5))),
            lambda: Log(k),
            lambda: Empirical(k),
            lambda: Normalized(k),
            lambda: Deep(k, level=random.randint(0, 3)),
            lambda: Deep(k, level=2, bandwidths=(random.choice((None, 0.5)), 1.5)),
            lambda: Exponential(Normalized(k), gamma=random.choice((0.01, 1.0, 3.0))),
            lambda: Conformal(k, f=random.choice(("gaussian", "norm", "inverse-norm"))),
            lambda: SoftMarginDiagonal(k),
            lambda: Repaired(k, method=random.choice(("square", "clip", "flip", "shift", "psi"))),
            lambda: SquareRoot(Normalized(k)),
            lambda: Nystrom(k, random.randint(1, 6), random.randint(0, 3), random.choice(CHOICES)),
            lambda: random.choice((0.0, 0.5, 1e-9, 1e9)) * k,
            lambda: k + random.choice((0, 1, 2.5)),
            lambda: k + Deep(k),
            lambda: Normalized(k) * k,
            lambda: Normalized(k) ** random.randint(1, 5),
        ]
    )()


def varied(kernel: Kernel, random: Random) -> Kernel:
    """The kernel with some of its numbers elsewhere in the range that a slider offers."""
    changes: dict[str, Any] = {}
    for p in kernel.parameters():
        if random.random() < 0.6 or p.low is None or p.high is None:
            continue
        at = random.choice((0.0, 1.0, random.random(), random.random()))
        value = p.low * (p.high / p.low) ** at if p.scale == "log" else p.low + at * (p.high - p.low)
        changes[p.name] = min(round(value), 6) if p.kind == "int" else value
    try:
        return dataclasses.replace(kernel, **changes)
    except KernlibError:
        return kernel


def rows_for(kernel: Kernel, random: Random) -> Any:
    numbers = np.random.default_rng(random.getrandbits(32))
    n = random.choice((1, 2, 2, 3, 5, 8))
    written, reads = repr(kernel), kernel.reads
    if any(name in written for name in ALIGNED):
        return texts(random, n, "ACGTé", length=random.choice((0, 1, 3, 9)))
    if reads in ("vector", "any"):
        return vectors(random, numbers, n, 12 if "Image" in written else random.randint(1, 4))
    if reads == "categorical":
        words = np.array(["a", "b", "c", "é", ""], dtype=object)
        return words[numbers.integers(0, random.randint(1, 5), (n, random.randint(1, 4)))]
    if reads == "sequence":
        return texts(random, n, "ACGTé", length=None)
    if reads == "text":
        words = ["cat", "dog", "the", "Cat", "purrs", "é", "x", "1e9"]
        return [" ".join(random.choices(words, k=random.randint(0, 6))) for _ in range(n)]
    if reads == "series":
        channels, size = random.randint(1, 2), random.choice((1.0, 1.0, 0.0, 1e3, 1e150, 1e-150, 1e307))
        return [size * numbers.normal(size=(random.randint(1, 9), channels)).round(1) for _ in range(n)]
    if reads == "graph":
        return [_graph(random.getrandbits(32)) for _ in range(n)]
    if reads == "mixed":
        return _table(n, random.getrandbits(32))
    A = numbers.normal(size=(max(n, 2),) * 2).round(2)
    if reads == "node":
        return np.maximum(A + A.T, 0.0) * random.choice((1.0, 1.0, 0.0, 1e3))
    if reads == "matrix":
        return (A + A.T) * random.choice((1.0, 1.0, 0.0, 1e150, 1e-150))
    return Pairs(A + A.T, numbers.integers(0, len(A), (n, 2)))


def vectors(random: Random, numbers: np.random.Generator, n: int, d: int) -> np.ndarray:
    X = numbers.normal(size=(n, d))
    if random.random() < 0.3:
        X = X.round(0)
    if random.random() < 0.3:
        X = X[numbers.integers(0, max(1, n // 2), n)]  # rows that are there twice
    if random.random() < 0.2:
        X[:, random.randrange(d)] = random.choice((0.0, 1.0, -3.5))
    if random.random() < 0.2:
        X[random.randrange(n)] *= random.choice((0.0, 1e9, 1e-9))  # one row apart
    if random.random() < 0.25:
        X *= random.choice((1e150, 1e-150, 1e75, 1e-75, 0.0))
    if random.random() < 0.1:
        X += random.choice((1e8, 1e15))
    return np.abs(X) if random.random() < 0.2 else X


def texts(random: Random, n: int, alphabet: str, length: int | None) -> list[str]:
    made = ["".join(random.choices(alphabet, k=random.randint(0, 12) if length is None else length)) for _ in range(n)]
    return random.choices(made, k=n) if random.random() < 0.3 else made
