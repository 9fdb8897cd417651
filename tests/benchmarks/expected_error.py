"""How often the interval of the expected error covers the true error, with signal and without.

    python -m tests.benchmarks expected_error [--draws 16]

Every draw of a design is compared as *Choose* does it, with nested cross-validation. The true error is that of the
recommended kernel and its machine, trained on all rows of the draw, on 4000 fresh rows. Two intervals are judged:
that of nested cross-validation, and that of the race alone, which stands where the budget is too small. Printed are
the mean difference of estimate and truth in points (bias), the mean width, and the share of intervals that cover the
truth.

Twelve draws; for real targets the interval of nested cross-validation spans that of the race:

| design | true | bias, nested and race | width | covers |
|---|---|---|---|---|
| two normals | 9.7 | −0.6, −0.9 | 15.1, 17.4 | 100%, 100% |
| rings | 21.3 | 1.4, 0.1 | 19.1, 22.1 | 100%, 100% |
| checkerboard | 27.6 | 2.5, 0.0 | 19.3, 21.9 | 83%, 100% |
| three classes | 35.3 | 1.7, 1.9 | 22.0, 25.0 | 100%, 100% |
| a rare class | 13.9 | −1.1, −1.2 | 22.8, 22.1 | 100%, 100% |
| noise, 80 rows | 49.6 | 0.3, −2.1 | 26.7, 31.6 | 92%, 100% |
| noise, 160 rows | 50.3 | 1.6, 0.5 | 19.7, 23.6 | 100%, 100% |
| Friedman | 19.2 | 7.2, 4.6 | 36.4, 27.3 | 100%, 100% |
| wave | 64.5 | 3.9, −0.1 | 77.1, 77.9 | 100%, 100% |

Of 108 intervals of nested cross-validation 97% cover the true error, of those of the race all.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernlib.advice import expected, proposed_measure, recommended, search
from kernlib.data import Dataset
from kernlib.measures import MEASURES

Draw = Callable[[np.random.Generator, int], tuple[Any, Any]]
FRESH = 4000


@dataclass(frozen=True)
class Design:
    """A distribution of rows and labels, and the number of rows of a draw."""

    name: str
    n: int
    draw: Draw
    regression: bool = False


def two_normals(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    y = np.arange(n) % 2
    return rng.normal(size=(n, 10)) + 0.45 * (2 * y[:, None] - 1), y


def rings(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    y = np.arange(n) % 2
    return rng.normal(size=(n, 5)) * np.where(y, 1.0, 1.8)[:, None], y


def checkerboard(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    rows = rng.uniform(-1.0, 1.0, size=(n, 4))
    y = (rows[:, 0] * rows[:, 1] > 0).astype(int)
    return rows, np.where(rng.random(n) < 0.15, 1 - y, y)


def noise(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    return rng.normal(size=(n, 6)), rng.permutation(np.arange(n) % 2)


def rare(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    y = (np.arange(n) % 10 == 0).astype(int)
    return rng.normal(size=(n, 4)) + 1.2 * y[:, None], y


def three(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    y = np.arange(n) % 3
    middles = np.array([[0.0, 0.0], [1.6, 0.0], [0.8, 1.4]])
    return np.hstack([rng.normal(size=(n, 2)) + middles[y], rng.normal(size=(n, 3))]), y


def friedman(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    X = rng.random((n, 8))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
    return X, y + rng.normal(size=n)


def wave(rng: np.random.Generator, n: int) -> tuple[Any, Any]:
    X = rng.normal(size=(n, 3))
    return X, np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.6 * rng.standard_t(4, size=n)


DESIGNS = (
    Design("two normals", 100, two_normals),
    Design("rings", 120, rings),
    Design("checkerboard", 150, checkerboard),
    Design("three classes", 120, three),
    Design("a rare class", 200, rare),
    Design("noise, 80 rows", 80, noise),
    Design("noise, 160 rows", 160, noise),
    Design("Friedman", 100, friedman, True),
    Design("wave", 120, wave, True),
)


def dataset(design: Design, rows: Any, y: Any) -> Dataset:
    """Return a draw as a data set."""
    task = "regression" if design.regression else "classification"
    classes = () if design.regression else tuple(map(str, np.unique(y)))
    return Dataset("drawn", "Drawn", "vector", rows, y=y, classes=classes, task=task)


def one_draw(design: Design, seed: int) -> tuple[float, dict[str, tuple[float, float, float]]]:
    """Return the true error of the choice, and the mean and the ends of each interval."""
    rng = np.random.default_rng([seed, design.n])
    data = dataset(design, *design.draw(rng, design.n))
    fresh, truth = design.draw(rng, FRESH)
    bands = {}
    for state in search(data, nested=True):
        if state.race is not None and state.nested is None:
            bands["race"] = expected(state)
    bands["nested"] = expected(state)
    chosen = recommended(state.best)
    assert chosen is not None
    kernel = chosen.kernel.fit(data.inputs, data.y)
    machine = chosen.machine.fit(kernel(data.inputs), data.y, task=data.task)
    predicted = machine.predict(kernel(fresh, data.inputs), kernel.diag(fresh))
    true = MEASURES[proposed_measure(data)[0]](truth, predicted)
    return true, {name: (band.mean, band.low, band.high) for name, band in bands.items()}


def main(arguments: Sequence[str]) -> None:
    """Print one line per design and interval, and their means."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=16)
    parser.add_argument("--only", default="")
    asked = parser.parse_args(arguments)
    total: dict[str, list[bool]] = {"nested": [], "race": []}
    print(f"{'design':<18}{'interval':<9}{'true':>7}{'bias':>7}{'width':>7}{'covers':>8}")
    for design in DESIGNS:
        if asked.only not in design.name:
            continue
        draws = [one_draw(design, seed) for seed in range(asked.draws)]
        truth = np.array([true for true, _ in draws])
        for name, covered in total.items():
            mean, low, high = np.array([bands[name] for _, bands in draws]).T
            inside = (low <= truth) & (truth <= high)
            covered += inside.tolist()
            print(
                f"{design.name:<18}{name:<9}{100 * truth.mean():7.1f}{100 * (mean - truth).mean():7.1f}"
                f"{100 * (high - low).mean():7.1f}{100 * inside.mean():7.0f}%",
                flush=True,
            )
    for name, covered in total.items():
        print(f"all designs, {name}: {100 * np.mean(covered):.0f}% of {len(covered)} intervals cover the true error")
