"""The verdict of the page Depth beside the honest best level, by nested cross-validation.

    python -m tests.benchmarks depth_verdict [--splits 10] [name …]

The verdict is that of the page: the levels' test errors on the same five halves, compared by the corrected resampled
t-test with Holm's correction. The honest answer: in each random half the level with the machine's smallest 5-fold error
is chosen, and the other half tests it. Levels help where its error is below that of level 0 by more than one standard
error of the difference over the halves.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from kernlib import Deep, Kernel
from kernlib.analysis import compare_levels, level_distances, level_numbers, levels_of, levels_to_collapse
from kernlib.data import Dataset, load_dataset
from kernlib.machines import SVM
from kernlib.numerics.distances import peak
from kernlib.protocols import RepeatedKFold, RepeatedSplits, errors_on_halves
from kernlib.values.words import percent
from pages.parts.session.presets import default_kernel

SETS: dict[str, dict[str, Any]] = {
    "banana": {},
    "wave-13": {},
    "iris": {},
    "digits-3-8": {"n": 400},
    "lawyers": {},
    "markov-strings": {},
    "breast-cancer-10": {},
}
MOST = 12
MACHINE = SVM(C=10.0, scale="spread")


def verdict(data: Dataset, kernel: Kernel, count: int) -> tuple[bool, int]:
    """Return the page's verdict: whether levels help, and the level with the smallest test error."""
    memo: dict[Kernel, Kernel] = {}
    numbers = []
    for one in levels_of(np.asarray(kernel(data.inputs)), count):
        errors = errors_on_halves(
            Deep(kernel, level=one.level), data.inputs, data.y, task="classification", groups=data.groups, memo=memo
        )
        numbers.append(level_numbers(one, halves=errors))
    choice = compare_levels(numbers)
    assert choice is not None
    return choice.helps, choice.best


def errors_at(data: Dataset, kernel: Any, count: int, train: np.ndarray, test: np.ndarray) -> list[float]:
    """Return the test error at every level of a machine and a kernel that have learnt from the training rows alone."""
    assert data.y is not None
    if kernel.transductive:
        K = kernel(data.inputs)
        base, star, own = K[np.ix_(train, train)], K[np.ix_(test, train)], np.diagonal(K)[test]
    else:
        base, star, own = kernel.specification.fold(data.inputs[train], data.inputs[test], data.y[train])[1:]
    levels = levels_of(base, count)
    between = np.sqrt(np.maximum(own[:, None] - 2 * star + np.diagonal(base), 0.0))
    through = level_distances(between, [one.bandwidth for one in levels[1:]])
    errors = []
    for one, distances in zip(levels, through, strict=True):
        K_star = star if one.bandwidth is None else peak(one.bandwidth) - 0.5 * distances**2
        errors.append(float(np.mean(MACHINE.fit(one.K, data.y[train]).predict(K_star) != data.y[test])))
    return errors


def main(arguments: Sequence[str]) -> None:
    """Print both answers for every data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(SETS))
    parser.add_argument("--splits", type=int, default=10)
    asked = parser.parse_args(arguments)
    agreed = 0
    for name in asked.names:
        data = load_dataset(name, **SETS.get(name, {}))
        kernel = default_kernel(data)
        K = np.asarray(kernel(data.inputs))
        count = levels_to_collapse(K, MOST)[-1].level or MOST
        helps, level = verdict(data, kernel, count)
        errors, chosen = [], []
        for _, train, test in RepeatedSplits(repeats=asked.splits).splits(data.y, task="classification"):
            inner = [
                errors_at(data, kernel, count, train[fit], train[check])
                for _, fit, check in RepeatedKFold(folds=5, repeats=1).splits(data.y[train], task="classification")
            ]
            errors.append(errors_at(data, kernel, count, train, test))
            chosen.append(int(np.mean(inner, axis=0).argmin()))
        table = np.array(errors)
        nested = table[np.arange(len(chosen)), chosen]
        gain = table[:, 0] - nested
        se = float(gain.std(ddof=1)) / np.sqrt(len(gain))
        honest = bool(gain.mean() > se)
        agreed += honest == helps
        word = "helps" if helps else "no"
        print(
            f"{name:17} verdict: {word}, level {level} | nested: "
            f"{'helps' if honest else 'no'}, levels {dict(Counter(chosen).most_common(3))} | test error: level 0 "
            f"{percent(float(table[:, 0].mean()), 3)}, verdict's {percent(float(table[:, level].mean()), 3)}, nested "
            f"{percent(float(nested.mean()), 3)}, gain {100 * gain.mean():.1f} ± {100 * se:.1f} points | "
            f"{'agree' if honest == helps else 'differ'}",
            flush=True,
        )
    print(f"{agreed} of {len(asked.names)} agree")
