"""The error that each way of choosing a kernel costs, on the project's sets.

    python -m tests.benchmarks choosing [--quick] [--only WORDS]

`kernlib.advice.REGRETS` says the result on the page *Choose*.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kernlib.advice.find import Advice, Comparison
from kernlib.advice.nested import search
from kernlib.analysis import decompose, relevant_dimension
from kernlib.analysis.gram import centred_alignment
from kernlib.core.base import Kernel, Memo
from kernlib.core.folding import folded
from kernlib.core.steps import normal_form
from kernlib.data import CATALOGUE, Dataset, load_dataset
from kernlib.errors import DataError, KernlibError
from kernlib.experiments import Axis, RunSpec, sweep
from kernlib.experiments.decisions import default_kernel, default_machine
from kernlib.experiments.race import COSTS, FOLDS
from kernlib.numerics.workers import one_blas_thread
from kernlib.protocols import Protocol, RepeatedKFold, RepeatedSplits
from kernlib.values.arrays import Array
from kernlib.values.labels import read_labels
from kernlib.values.words import table_lines

#: The sets of a short run: at least one of each kind of row.
QUICK = (
    "wine",
    "ida-heart",
    "ida-german",
    "banana-like",
    "monks-2",
    "solar-flare",
    "promoters",
    "markov-strings",
    "splice",
    "mutag",
    "webkb",
    "heart-mixed",
)

CROSS_VALIDATION, RACE, QUICK_ERRORS = "5-fold cross-validation of every setting, C tuned", "find", "squared"


@dataclass(frozen=True)
class Choice:
    """What one chooser did on one half of one set.

    `regret` in points of error; `seconds` of processor time without that of the Gram matrices, which every chooser
    needs; `fits` of machines.
    """

    dataset: str
    chooser: str
    regret: float
    seconds: float = 0.0
    fits: int = 0


def main(arguments: Sequence[str]) -> None:
    """Print the table of all choosers as it grows.

    Every set is halved at random: each chooser sees one half, and the error of its choice on the other half is
    compared with the smallest of all settings. An error is that of a support vector machine whose C is tuned by 5-fold
    cross-validation inside the first half, of `find` that of its own C. Raises DataError if no set has such a name.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks choosing", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="twelve smaller sets")
    parser.add_argument("--only", default="", metavar="WORDS", help="only sets whose name contains these words")
    options = parser.parse_args(arguments)
    rows, halves, sets = (160, 2, QUICK) if options.quick else (400, 3, labelled_sets())
    names = [name for name in sets if options.only.lower() in name]
    if not names:
        raise DataError(f"choosing: --only must be part of a labelled set's name; got {options.only!r}. Try 'iris'.")
    choices: list[Choice] = []
    for name in names:
        data = load_dataset(name)
        if data.n > rows and not data.row_kind.square:
            data = data.stratified_sample(rows, seed=0)
        if min(data.class_counts.values()) < 2 * FOLDS:  # half of the rows cannot be cross-validated
            continue
        for half in range(halves):
            choices += halved(data, half)
        shown = ", ".join(
            f"{chooser[:25]} {np.mean([c.regret for c in choices if (c.dataset, c.chooser) == (name, chooser)]):.1f}"
            for chooser in (CROSS_VALIDATION, RACE, QUICK_ERRORS)
        )
        print(f"{name}: {data.n} rows; regret in points: {shown}", flush=True)
    print("\n" + markdown(choices))


def labelled_sets() -> tuple[str, ...]:
    """Return the names of the catalogue's sets with classes, except nodes: half of a graph is another graph."""
    loaded = ((name, load_dataset(name)) for name in CATALOGUE)
    return tuple(n for n, data in loaded if data.task == "classification" and data.row_kind.independent)


def halved(data: Dataset, half: int) -> Iterator[Choice]:
    """Yield the choice of every chooser on the first half of a random halving, judged by the other half."""
    assert data.y is not None
    protocol = RepeatedSplits(repeats=half + 1, seed=1)
    train = [rows for _, rows, _ in protocol.splits(data.y)][half]
    training = data.take(train)
    spent, states, begun = {QUICK_ERRORS: 0.0}, [], time.process_time()
    for state in search(training, rows=data.n):
        states.append(state)
        if state.stage == "settings":
            spent[QUICK_ERRORS] = time.process_time() - begun
    spent[RACE] = time.process_time() - begun
    last = states[-1]
    kernels = [a.kernel for a in last.settings if not a.problem and np.isfinite(a.error)]
    tested = _scores(data, kernels, protocol, set(range(half)))
    begun = time.process_time()
    validated = _scores(training, kernels, RepeatedKFold(folds=FOLDS, repeats=1))
    spent[CROSS_VALIDATION] = time.process_time() - begun
    matrices = _gram_seconds(training, kernels)
    seconds = defaultdict(float, {chooser: max(0.0, whole - matrices) for chooser, whole in spent.items()})
    usable = np.isfinite(np.hstack([tested, validated])).all(axis=1)
    best_cost = np.where(np.isfinite(validated), validated, np.inf).argmin(axis=1)
    errors = np.where(usable, tested[np.arange(len(kernels)), best_cost], np.nan)
    least = float(np.nanmin(errors))
    choosers = _criteria(training, kernels, last.settings) | {
        CROSS_VALIDATION: np.where(usable, validated.min(axis=1), np.nan),
    }
    places = {kernel: place for place, kernel in enumerate(kernels)}
    for chooser, values in choosers.items():
        chosen = int(np.nanargmin(np.where(usable, values, np.nan)))
        fits = validated.size * FOLDS if chooser == CROSS_VALIDATION else 0
        regret = 100 * (errors[chosen] - least)
        yield Choice(data.name, chooser, regret, seconds[chooser], fits)
    yield Choice(data.name, "a random setting", 100 * float(np.nanmean(errors) - least))
    default = places.get(default_kernel(training))
    if default is not None and usable[default]:
        yield Choice(data.name, "the default kernel", 100 * (errors[default] - least))
    rounds = {f"{RACE}, stopped after round {number}": state for number, state in enumerate(_rounds(states), 1)}
    for chooser, state in (rounds | {RACE: last}).items():
        first = state.best[0]
        cost = COSTS.index(getattr(first.machine, "C", COSTS[0]))
        regret = 100 * float(tested[places[first.kernel], cost] - least)
        yield Choice(data.name, chooser, regret, seconds[chooser], state.race.fits if state.race else 0)


def _gram_seconds(data: Dataset, kernels: Sequence[Kernel]) -> float:
    """Return the processor time of all Gram matrices, with shared parts computed once."""
    memo: Memo = {}
    begun = time.process_time()
    with one_blas_thread():
        for kernel in kernels:
            folded(normal_form(kernel).bind(data.inputs, memo), np.arange(data.n), None, data.y)
    return time.process_time() - begun


def _rounds(states: Sequence[Comparison]) -> list[Comparison]:
    """Return the states of a race after its first three rounds; one that ended early stays as it was."""
    raced = [state for state in states if state.stage == "race" and state.race]
    return [raced[min(number, len(raced)) - 1] for number in (1, 2, 3)]


def _scores(data: Dataset, kernels: Sequence[Kernel], protocol: Protocol, skipped: set[int] | None = None) -> Array:
    """Return the mean test errors of every kernel at every C, (kernels, costs); nan where a fold failed."""
    spec = RunSpec(
        data.name,
        kernels[0],
        default_machine(data),
        protocol,
        axis=Axis("kernel", tuple(map(repr, kernels))),
        second=Axis("machine.C", COSTS),
    )
    done = {(value, split) for value in spec.values for split in skipped or ()}
    sums: dict[object, list[float]] = defaultdict(list)
    for result in sweep(spec, data, done=done):
        sums[result.value].append(result.score)
    return np.array([[np.mean(sums[repr(kernel), C]) for C in COSTS] for kernel in kernels])


def _criteria(data: Dataset, kernels: Sequence[Kernel], settings: Sequence[Advice]) -> dict[str, Array]:
    """Return the value of every setting by every quick criterion, small for good."""
    known = {a.kernel: a.errors for a in settings}
    quick = [known[kernel] for kernel in kernels]
    criteria = {
        QUICK_ERRORS: np.array([q.squared if q else np.nan for q in quick]),
        "0–1 leave-one-out ridge": np.array([q.ridge if q else np.nan for q in quick]),
    }
    labels = read_labels(data.y if data.y is not None else [], "classification")
    table = np.full((2, len(kernels)), np.nan)
    with one_blas_thread():
        for place, kernel in enumerate(kernels):
            with suppress(KernlibError):
                K = kernel(data.inputs)
                pairs = decompose(K)
                relevant = relevant_dimension(K, data.y, task="classification", decomposition=pairs)  # type: ignore[arg-type]
                table[:, place] = -centred_alignment(K, labels.targets), relevant.minimum
    return criteria | {"alignment": table[0], "−log ℓ at the relevant dimension": table[1]}


def markdown(choices: Sequence[Choice]) -> str:
    """Return the table: regret with its standard error over sets, median and worst set; time and fits as shares."""
    table = pd.DataFrame(choices)
    of_sets = table.groupby(["chooser", "dataset"])["regret"].mean().groupby("chooser")
    regrets = of_sets.agg(["mean", "sem", "median", "max"]).fillna(0.0).sort_values("mean")
    spent = table.groupby("chooser")[["seconds", "fits"]].sum()
    spent /= spent.loc[CROSS_VALIDATION]
    rows = [
        [
            str(chooser),
            f"{mean:.1f} ± {error:.1f}",
            f"{median:.1f}",
            f"{worst:.1f}",
            *(f"{share:.2f}" if share > 0 else "" for share in spent.loc[chooser]),
        ]
        for chooser, mean, error, median, worst in regrets.itertuples()
    ]
    about = f"{table['dataset'].nunique()} sets, regret in points of error; time without the Gram matrices.\n"
    header = ("chooser", "mean regret ± SE", "median", "worst", "time, CV = 1", "fits, CV = 1")
    return "\n".join([about, *table_lines(header, rows)])
