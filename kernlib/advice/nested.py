"""The whole search for a kernel, and its error on new data by nested cross-validation."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.base import Kernel, Memo
from ..core.binding import Lookup
from ..core.folding import folded
from ..core.steps import normal_form
from ..data import Dataset
from ..errors import DataError
from ..experiments.decisions import default_machine, prepared, presets_for
from ..experiments.folds import labels_of
from ..kinds import Setting
from ..machines import Machine
from ..numerics.workers import one_blas_thread
from ..protocols import RepeatedKFold
from ..statistics import Band, mean_share, unexplained_share
from ..values.arrays import Array, RowNumbers
from .find import (
    OUTER,
    ROWS,
    Advice,
    Comparison,
    compared,
    looked_at,
    proposed_measure,
    raceable,
    recommended,
)

#: The variance of an error of classes over that of independent rows.
_WIDENED = 1.44
#: Without a budget, nested cross-validation follows if it takes about this many seconds; a part of the rows takes
#: about this share of the time of all.
NESTED_SECONDS, _PART = 60.0, 0.8
_NO_PARTS = "No nested cross-validation: parts of these rows cannot be compared alone."
_WITHOUT_NESTED = "Nested cross-validation did not fit into the time: the expected error is still somewhat too low."


@dataclass(frozen=True, eq=False)
class NestedLosses:
    """The losses of the rows that were held out from every choice: nan for a row that is not tested yet.

    `losses` (n,) are 0 or 1 for classes, squared differences for real targets; `folds` of `total` are done; each
    trained on `trained` rows, on average. `band` is the error with its interval, None before the last fold.
    """

    losses: Array
    folds: int
    total: int
    trained: int
    band: Band | None = None

    @property
    def complete(self) -> bool:
        """Return whether every fold is done."""
        return self.folds == self.total


def advise(data: Dataset, rows: int = ROWS) -> tuple[Advice, ...]:
    """Return the kernels that suit the data best, the smallest cross-validated error first.

    All settings of `candidates` are compared by the squared leave-one-out error of ridge regression with an intercept;
    the best of each family and the next best, ten together, then race (`kernlib.experiments.race`). The errors
    are for choosing: that of the first is too low, and `search` with `nested` gives an honest one. It also takes other
    settings and a budget.

    Parameters: `rows`, the number that is drawn from a larger set class by class; nodes of a graph and
    up to 3000 rows of a score matrix are all compared.
    Without labels they are the kernels that are proposed for the data.
    Raises DataError for fewer than two rows.

    >>> from kernlib.data import load_dataset
    >>> first = advise(load_dataset("iris"))[0]
    >>> first.error < 0.05
    True
    """
    *_, last = search(data, rows)
    return last.best or last.settings


def search(
    data: Dataset,
    rows: int = ROWS,
    *,
    seconds: float | None = None,
    settings: Sequence[Setting] = (),
    own: Sequence[Kernel] = (),
    machine: Machine | None = None,
    known: Comparison | None = None,
    nested: bool = False,
    shuffles: bool = True,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Comparison]:
    """Yield the state of `advise` after every setting and every round, the complete one last; `rows` as there.

    `seconds` a budget, None for no limit; `settings` compared in place of `candidates` (`read_settings` reads them).
    `nested` repeats the comparison on parts of the rows as soon as the race is over (`nested_losses`), if that fits
    into the budget; without a budget, if it takes about `NESTED_SECONDS` of processor time at most. Where it is left
    out or ends early, a note says so. `shuffles` whether labels are shuffled to see what chance reaches. `cancelled`
    ends the comparison.

    `own` kernels are compared in addition to the settings, and race whatever their quick error. `machine` of the race,
    by default the suggested one; where it has a C, the race chooses it. `known` is an earlier
    state for the same rows, whose results are not computed again. A state with settings that are no longer compared is
    not used, because its shuffled labels were tried with these settings, too.
    """
    if rows < 2:
        raise DataError(f"advise: expected at least two rows to compare kernels on; got {rows}.")
    start, processor = time.perf_counter(), time.process_time()
    sample = looked_at(data, rows)
    if sample.y is None:
        proposed = [Advice(p.name, prepared(p.kernel, sample), p.shows, sample.n) for p in presets_for(sample)]
        yield Comparison("done", tuple(proposed), len(proposed), sample.n, time.perf_counter() - start)
        return
    grid = [setting for setting in settings if setting.kernel.can_read(sample.domain)]
    if settings and not grid:
        raise DataError(f"advise: none of the {len(settings)} settings reads {sample.domain} rows. Add a kernel.")
    own = [kernel for kernel in own if kernel.can_read(sample.domain)]
    memo: Memo = {}
    how: dict[str, Any] = {"grid": grid, "own": own, "machine": machine, "cancelled": cancelled}
    with one_blas_thread():  # to limit the threads for each step alone takes a twentieth of the time
        for state in compared(sample, **how, known=known, seconds=seconds, memo=memo, shuffles=shuffles):
            yield state
    if known is not None and not {one.kernel for one in known.settings} <= {one.kernel for one in state.settings}:
        known = None
    before = 0.0 if known is None else known.seconds
    rows_of_race, _ = raceable(sample)
    if nested and rows_of_race is not None and state.race is not None and state.race.over:
        end = math.inf if seconds is None else start + seconds
        # A busy machine takes longer; whether there is an honest number must not depend on it.
        spent = time.process_time() - processor + before
        left = NESTED_SECONDS if seconds is None else end - time.perf_counter()
        note = "" if can_nest(rows_of_race) else _NO_PARTS
        if not note and OUTER * _PART * spent <= left:
            state = replace(state, stage="nested")
            yield state
            whole = known.nested if known is not None and len(known.settings) == len(state.settings) else None
            again = nested_losses(
                rows_of_race,
                grid,
                own,
                machine=machine,
                known=state,
                memo=memo if rows_of_race is sample else {},
                cancelled=lambda: cancelled() or time.perf_counter() > end,
            )
            with one_blas_thread():
                for losses in again if whole is None or not whole.complete else [whole]:
                    state = replace(state, nested=losses, seconds=time.perf_counter() - start + before)
                    yield state
        if state.nested is None or not state.nested.complete:
            state = replace(state, notes=(*state.notes, note or _WITHOUT_NESTED))
    yield replace(state, stage="done", seconds=time.perf_counter() - start + before)


def can_nest(data: Dataset) -> bool:
    """Return whether parts of the rows are data of the same kind: part of a graph's nodes is another graph."""
    return data.row_kind.independent and (data.groups is None or len(set(data.groups)) > 1)


def nested_losses(
    data: Dataset,
    settings: Sequence[Setting] = (),
    own: Sequence[Kernel] = (),
    *,
    machine: Machine | None = None,
    known: Comparison | None = None,
    memo: Memo | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[NestedLosses]:
    """Yield the losses of nested cross-validation after every outer fold.

    Settings, race and C are chosen anew on four fifths of the rows, and the choice is tested on the others: nothing
    that is chosen sees a test row. Parameters: `known` the comparison of all rows, whose families are not timed again;
    `memo` evaluations of kernels bound to all rows: what learns nothing has the same values on a part. The others as in
    `search`.
    """
    folds, memo = outer_folds(data), {} if memo is None else memo
    losses = np.full(data.n, np.nan)
    trained = round(float(np.mean([len(train) for train, _ in folds])))
    settings_of_all = () if known is None else known.settings
    usable = {one.name for one in settings_of_all if not one.problem}
    costly = {one.name: "" if one.name in usable else one.problem for one in settings_of_all}
    measure = proposed_measure(data)[0]
    for place, (train, test) in enumerate(folds, 1):
        *_, last = compared(
            data.take(train),
            grid=settings,
            own=own,
            machine=machine,
            memo=_sliced(memo, train),
            costly=costly,
            shuffles=False,
            cancelled=cancelled,
        )
        if cancelled():
            return
        first = recommended(last.best) or last.settings[0]
        chosen = first.machine or machine or default_machine(data, measure)
        losses = losses.copy()
        losses[test] = held_out_losses(data, first.kernel, chosen, train, test, memo)
        band = nested_band(losses, data, measure, place) if place == len(folds) else None
        yield NestedLosses(losses, place, len(folds), trained, band)


def _sliced(memo: Memo, rows: RowNumbers) -> Memo:
    """Return the look-ups of all rows as those of a part of them; a transductive kernel has other values there."""
    return {
        kernel: Lookup(kernel, bound.matrix.take(rows, axis=0).take(rows, axis=1))
        for kernel, bound in memo.items()
        if isinstance(bound, Lookup) and not kernel.transductive
    }


def outer_folds(data: Dataset) -> list[tuple[RowNumbers, RowNumbers]]:
    """Return training and test rows of each outer fold; groups stay whole, and classes are spread over the folds."""
    y, task = labels_of(data)
    classes = data.task == "classification"
    if data.groups is not None:
        from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

        kind = StratifiedGroupKFold if classes else GroupKFold
        splitter = kind(n_splits=min(OUTER, len(set(data.groups))), shuffle=True, random_state=1)
        return [(train, test) for train, test in splitter.split(np.zeros(data.n), y, np.asarray(data.groups))]
    smallest = int(np.unique(y, return_counts=True)[1].min()) if classes else data.n
    protocol = RepeatedKFold(folds=max(2, min(OUTER, smallest)), repeats=1, seed=1)
    return [(train, test) for _, train, test in protocol.splits(y, task=task)]


def held_out_losses(
    data: Dataset, kernel: Kernel, machine: Machine, train: RowNumbers, test: RowNumbers, memo: Memo
) -> Array:
    """Return the loss of every test row by a machine that has seen the training rows alone.

    0 or 1 for classes, the squared difference for real targets.
    """
    y, task = labels_of(data)
    with one_blas_thread():
        fold = folded(normal_form(kernel).bind(data.inputs, memo), train, test, y[train])
        assert fold.K_star is not None
        predicted = machine.fit(fold.K, y[train], task=task).predict(fold.K_star, fold.k_diag)
    if data.task == "classification":
        return np.asarray(predicted != y[test], dtype=np.float64)
    return np.asarray((predicted - y[test]) ** 2, dtype=np.float64)


def nested_band(losses: Array, data: Dataset, measure: str, folds: int) -> Band:
    """Return the error by `measure` with a 95% interval, over the rows, or the groups, of all folds.

    Folds share training rows. The variance of an error of classes is that of independent rows times 1.44, with which
    intervals covered 95% on 66 data sets; for real targets times 1 + J n_test/n_train for J folds, the factor of the
    corrected resampled t-test. A share has Wilson's interval, a mean of class shares the combination of theirs,
    unexplained variance one on a logarithmic scale: none leaves its range, and none has width 0.
    Reference: Nadeau and Bengio, Machine Learning 52, 2003; Zou and Donner, Statistics in Medicine 27, 2008.
    """
    y = labels_of(data)[0]
    owners = np.arange(len(y)) if data.groups is None else np.asarray(data.groups)
    if data.task == "regression":
        widened = 1 + folds / (folds - 1)
        targets = y.astype(np.float64)
        squares = (targets - targets.mean()) ** 2
        return unexplained_share(losses, squares, owners, widened)
    if measure != "balanced error":
        return mean_share(losses, owners, _WIDENED)
    parts = [mean_share(losses[y == one], owners[y == one], _WIDENED) for one in np.unique(y)]
    mean = float(np.mean([part.mean for part in parts]))
    below = math.sqrt(sum((part.mean - part.low) ** 2 for part in parts)) / len(parts)
    above = math.sqrt(sum((part.high - part.mean) ** 2 for part in parts)) / len(parts)
    error = math.sqrt(sum(part.standard_error**2 for part in parts)) / len(parts)
    return Band(mean, mean - below, mean + above, error, len(losses), 0.95)
