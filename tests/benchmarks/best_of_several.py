"""How often a value as good as the best is called worse, and how honest the number of the best is.

    python -m tests.benchmarks best_of_several [SIMULATIONS]

k settings of equal true error on 200 rows of two classes, 25 random splits. Each setting is a nearest centroid on four
columns of its own, half of whose noise all settings share ("trained"), or a fixed classifier without any training
noise ("fixed"), which is the harder case: its splits vary by their test rows alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from kernlib.protocols import RepeatedSplits
from kernlib.statistics import band_of_best, compare_settings, confidence_band, paired_difference

N, SPLITS = 200, 25
LABELS = np.arange(N) % 2

Scores = NDArray[np.float64]


def tested(protocol: RepeatedSplits) -> NDArray[np.bool_]:
    """Return which rows each split tests, (splits, N)."""
    rows = np.zeros((SPLITS, N), dtype=bool)
    for number, _, test in protocol.splits(LABELS):
        rows[number, test] = True
    return rows


def trained(k: int, test: NDArray[np.bool_], rng: np.random.Generator) -> Scores:
    """Return the test errors of k nearest centroids, (k, splits)."""
    columns = np.sqrt(0.5) * (rng.normal(size=(N, 1, 4)) + rng.normal(size=(N, k, 4)))
    columns += 0.225 * (2 * LABELS - 1)[:, None, None]
    flat = columns.reshape(N, -1)
    means = []
    for label in (0, 1):
        weights = ~test & (label == LABELS)
        means.append((weights @ flat / weights.sum(axis=1, keepdims=True)).reshape(len(test), k, 4))
    direction = means[1] - means[0]
    middle = ((means[1] ** 2).sum(axis=2) - (means[0] ** 2).sum(axis=2)) / 2
    decision = np.einsum("nkd,tkd->ktn", columns, direction) - middle.T[:, :, None]
    wrong = (decision > 0) != (LABELS == 1)
    return np.asarray((wrong & test).sum(axis=2) / test.sum(axis=1))


def fixed(k: int, test: NDArray[np.bool_], rng: np.random.Generator) -> Scores:
    """Return the test errors of k classifiers that are wrong on a quarter of all rows, (k, splits)."""
    hard = np.sqrt(0.5) * (rng.normal(size=(1, N)) + rng.normal(size=(k, N)))
    return np.asarray((hard > ndtri(0.75)).astype(float) @ test.T / test.sum(axis=1))


def plainly_excluded(table: dict[str, Scores], ratio: float) -> bool:
    """Return whether a paired test without correction calls any setting worse than the best."""
    best = min(table, key=lambda name: float(table[name].mean()))
    return any(paired_difference(row, table[best], ratio).separable for row in table.values())


def main(arguments: Sequence[str]) -> None:
    """Print the table for so many simulations (default 1000)."""
    simulations = int(arguments[0]) if arguments else 1000
    print(
        "| settings | k | splits | called worse: plain | corrected | error of the best: optimistic by | honest by |"
        " covered: plain | honest |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for made in (trained, fixed):
        for train in (0.5, 0.8):
            ratio = RepeatedSplits(train=train).test_over_train
            for k in (1, 10, 20):
                tables = []
                for seed in range(simulations):
                    test = tested(RepeatedSplits(repeats=SPLITS, train=train, seed=seed))
                    tables.append(made(k, test, np.random.default_rng(seed)))
                truth = 0.25 if made is fixed else float(np.mean(tables))
                rows = [{str(i): row for i, row in enumerate(scores)} for scores in tables]
                worse = [plainly_excluded(row, ratio) for row in rows]
                corrected = [len(compare_settings(row, ratio).tied) < k for row in rows]
                plain = [confidence_band(scores[scores.mean(axis=1).argmin()], ratio) for scores in tables]
                honest = [band_of_best(row, ratio) for row in rows]
                off = [100 * (truth - float(np.mean([b.mean for b in bands]))) for bands in (plain, honest)]
                covered = [np.mean([b.low <= truth <= b.high for b in bands]) for bands in (plain, honest)]
                print(
                    f"| {made.__name__} | {k} | {train:.0%} to train | {np.mean(worse):.1%} | {np.mean(corrected):.1%} "
                    f"| {off[0]:.1f} points | {off[1]:.1f} | {covered[0]:.1%} | {covered[1]:.1%} |",
                    flush=True,
                )
