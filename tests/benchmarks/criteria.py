"""How often a quick criterion orders two values of a parameter as the test error does, by kind of data.

    python -m tests.benchmarks criteria [--only NAME]

A row of the table is a regime: data, a kernel, and the parameter that varies. Each set of a regime is drawn anew, or is
a random half of a sample. Criteria see the training rows; the error is that of a support vector machine, C = 10 over
the spread, on the other rows. All pairs of values with unequal errors count; a tie of the criterion counts one half.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernlib import (
    RBF,
    Deep,
    Diffusion,
    Empirical,
    Kernel,
    LabelSequences,
    Linear,
    Normalized,
    Overlap,
    Polynomial,
    Power,
    ProbabilityOverlap,
    Spectrum,
    Standardized,
    Subsequence,
    VectorSpace,
    WeightedDegree,
)
from kernlib.analysis import decompose, relevant_dimension
from kernlib.analysis.gram import centred_alignment, diagonal_ratio
from kernlib.analysis.quick import quick_errors
from kernlib.core.base import Memo
from kernlib.core.folding import folded
from kernlib.core.steps import normal_form
from kernlib.data import CATALOGUE, Dataset, load_dataset
from kernlib.experiments.axis import with_value
from kernlib.machines import SVM
from kernlib.numerics.workers import one_blas_thread
from kernlib.protocols import RepeatedKFold, RepeatedSplits
from kernlib.values.labels import read_labels


@dataclass(frozen=True)
class Regime:
    """A regime: `data` by name, `train` rows of `n`, `kernel` with other values of the parameter at `path`, `sets`."""

    name: str
    data: str
    path: str
    values: tuple[Any, ...]
    kernel: Kernel
    n: int
    train: int
    sets: int = 20

    @property
    def varies(self) -> str:
        """Return the parameter's name."""
        return self.path.split(".")[-1]

    def at(self, data: Dataset, value: Any) -> Kernel:
        """Return the kernel at a value; a width is a multiple of the median distance."""
        if self.varies == "sigma":
            value *= self.kernel.heuristics(data.rows)["sigma"]
        return with_value(self.kernel, self.path.split("."), value)


def powered(base: Kernel) -> tuple[str, tuple[float, ...], Kernel]:
    """Return what varies over a base kernel: p of its power, over all landmarks."""
    return "kernel.p", (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0), Empirical(Power(base))


def deep(base: Kernel) -> tuple[str, tuple[int, ...], Kernel]:
    """Return what varies over a base kernel: the level."""
    return "level", (0, 1, 2, 3, 4, 6, 8), Deep(base)


WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0)
NAMES = ("likelihood", "alignment", "squared", "cross-validation")
STRINGS, LONG = Subsequence(order=3, decay=0.25), Subsequence(order=6, decay=0.5)
WALKS = Normalized(LabelSequences(beta=0.05, series="geometric"))
TEXTS = VectorSpace(weighting="tf-idf")
TITLES = {name: entry.title for name, entry in CATALOGUE.items()}
GENERATORS = ("twonorm", "ringnorm", "banana-like")
SAMPLES = ("wine", "ida-heart", "ida-german", "breast-cancer-10")
SPLICE = ("Splice sites", "splice-two-class")
REGIMES: tuple[Regime, ...] = (
    Regime("Markov strings", "markov-strings", *powered(STRINGS), 500, 100),
    Regime("Markov strings", "markov-strings", *deep(STRINGS), 400, 100),
    Regime("Markov strings", "markov-strings", "decay", (0.05, 0.1, 0.25, 0.5, 0.75, 1.0), STRINGS, 400, 100, 10),
    Regime("Hidden variables", "hidden-variables", *powered(Polynomial(degree=10, offset=0.0)), 1100, 100),
    Regime("Colon tissues with noise", "colon-noise", *powered(Linear()), 62, 31, 12),
    Regime(*SPLICE, *powered(LONG), 300, 150, 4),
    Regime(*SPLICE, *deep(Normalized(WeightedDegree(degree=3))), 600, 150),
    Regime(*SPLICE, "kernel.length", (1, 2, 3, 4, 5, 6), Normalized(Spectrum()), 600, 150),
    Regime(*SPLICE, "kernel.degree", (1, 2, 3, 5, 8, 12), Normalized(WeightedDegree()), 600, 150),
    Regime("Promoters", "promoters", *powered(LONG), 106, 53, 10),
    Regime("MUTAG", "mutag", *deep(WALKS), 188, 94),
    Regime("MUTAG", "mutag", "kernel.beta", (0.01, 0.03, 0.05, 0.1, 0.13), WALKS, 188, 94, 6),
    Regime("WebKB", "webkb", *powered(TEXTS), 600, 150, 10),
    Regime("WebKB", "webkb", *deep(TEXTS), 600, 150, 10),
    Regime("Lawyers", "lawyers", *deep(Diffusion(beta=0.1)), 36, 18),
    Regime("Lawyers", "lawyers", "beta", (0.01, 0.03, 0.1, 0.3, 1.0), Diffusion(), 36, 18),
    *(Regime(TITLES[name], name, *deep(Linear()), 1100, 100) for name in GENERATORS),
    *(Regime(TITLES[name], name, "sigma", WIDTHS, RBF(sigma="median"), 1100, 100) for name in GENERATORS),
    *(
        Regime(TITLES[name], name, "kernel.sigma", WIDTHS, Standardized(RBF(sigma="median")), 569, 100)
        for name in SAMPLES
    ),
    *(Regime(TITLES[name], name, *deep(Standardized(Linear())), 569, 100) for name in SAMPLES),
    *(Regime(f"Monks-{i}", f"monks-{i}", *deep(Overlap()), 560, 120) for i in (1, 2, 3)),
    *(
        Regime(name, data, "alpha", (0.25, 0.5, 1.0, 1.5, 2.0), ProbabilityOverlap(), n, n // 2)
        for name, data, n in (
            ("Monks-1", "monks-1", 240),
            ("Promoters as columns", "promoters-categorical", 106),
            ("Generated categories", "synthetic-poisson", 800),
        )
    ),
)


def drawn(regime: Regime, number: int) -> tuple[Dataset, np.ndarray, np.ndarray]:
    """Return the rows of a set with its training and its test part."""
    entry, asked = CATALOGUE[regime.data], {"seed": number}
    if "n" in {p.name for p in entry.parameters()}:
        asked["n"] = regime.n if entry.kind == "generator" else min(regime.n, load_dataset(regime.data).n)
    data = load_dataset(regime.data, **asked)
    splits = RepeatedSplits(repeats=number + 1, train=regime.train / data.n, seed=7)
    _, train, test = list(splits.splits(data.y, task="classification"))[number]
    return data, train, test


def tested(bound: Kernel, train: np.ndarray, test: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the training part's Gram matrix, and the error of its machine on the test part."""
    fold = folded(bound, train, test, y[train])
    machine = SVM(C=10.0, scale="spread").fit(fold.K, y[train], task="classification")
    return fold.K, float(np.mean(machine.predict(fold.K_star) != y[test]))


def measured(regime: Regime, number: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the criteria of each value, small for good, (criteria, values), the test errors, and the first ratio."""
    data, train, test = drawn(regime, number)
    y = np.asarray(data.y)
    labels = read_labels(y[train], "classification")
    memo: Memo = {}
    table, errors, ratio = [], [], np.nan
    folds = list(RepeatedKFold(folds=5, repeats=1, seed=3).splits(y[train], task="classification"))
    plain = regime.values[-1] if regime.varies == "p" else regime.values[0]
    for value in regime.values:
        bound = normal_form(regime.at(data, value)).bind(data.inputs, memo)
        K, wrong = tested(bound, train, test, y)
        errors.append(wrong)
        pairs = decompose(K)
        relevant = relevant_dimension(K, y[train], task="classification", decomposition=pairs, centred=True)
        inner = [tested(bound, train[own], train[new], y)[1] for _, own, new in folds]
        table.append(
            (
                relevant.minimum,
                -centred_alignment(K, labels.targets),
                quick_errors(K, y[train], task="classification", decomposition=pairs).squared,
                np.mean(inner),
            )
        )
        if value == plain:
            base = regime.at(data, value)
            base = base.kernel if regime.varies == "p" else base
            ratio = diagonal_ratio(folded(normal_form(base).bind(data.inputs, memo), train, None, y[train]).K)
    return np.array(table).T, np.array(errors), ratio


def shares(table: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Return the share of pairs of values that each criterion orders as the errors do; nan without such a pair."""
    right = [
        (1 + np.sign(table[:, i] - table[:, j]) * np.sign(errors[i] - errors[j])) / 2
        for i, j in itertools.combinations(range(len(errors)), 2)
        if errors[i] != errors[j]
    ]
    return np.mean(right, axis=0) if right else np.full(len(table), np.nan)


def judged(regime: Regime) -> tuple[float, np.ndarray]:
    """Return the median diagonal ratio of a regime's sets, and the criteria's shares on each set that has some."""
    found, ratios = [], []
    for number in range(regime.sets):
        table, errors, ratio = measured(regime, number)
        found.append(shares(table, errors))
        ratios.append(ratio)
    of = np.array(found)
    return float(np.median(ratios)), of[np.isfinite(of).all(axis=1)]


def main(arguments: Sequence[str]) -> None:
    """Print the rows of the table as they are measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only regimes whose name or parameter contains this text")
    only = parser.parse_args(arguments).only.lower()
    columns = ("data", "rows are", "varies", "diagonal ratio", "training rows", "sets", *NAMES)
    print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
    with one_blas_thread():
        for regime in REGIMES:
            if only in f"{regime.name} {regime.varies}".lower():
                ratio, of = judged(regime)
                domain, errors = load_dataset(regime.data).domain, of.std(axis=0, ddof=1) / np.sqrt(len(of))
                about = f"{regime.name} | {domain} | {regime.varies} | {ratio:.3g} | {regime.train} | {len(of)}"
                cells = (f"{mean:.2f} ± {error:.2f}" for mean, error in zip(of.mean(axis=0), errors, strict=True))
                print("|", about, "|", " | ".join(cells), "|", flush=True)
