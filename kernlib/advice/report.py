"""A comparison of kernels as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from ..data import Dataset
from ..measures import MEASURES
from ..statistics import Band, Difference, band_of_best, paired_difference, rows_to_separate
from ..values.words import number, percent, score_in_words
from .find import FEW, Advice, Comparison, alike, described, looked_at, proposed_measure

#: Up to this multiple of the compared rows, further rows are practical.
_TIMES = 20


def described_best(state: Comparison, data: Dataset, rows: int) -> tuple[Advice, ...]:
    """Return the kernels that raced with what their Gram matrices show; all kernels where none raced."""
    sample = looked_at(data, rows)
    return tuple(described(advice, sample) for advice in state.best) or state.settings


def guessing(data: Dataset) -> float:
    """Return the error of guessing by the measure that suits the data.

    >>> from kernlib.data import load_dataset
    >>> round(guessing(load_dataset("iris")), 3)
    0.667
    """
    if data.task == "regression":
        return 1.0
    y = np.array([]) if data.y is None else data.y
    values, counts = np.unique(y, return_counts=True)
    # A class of a single row takes part in no race.
    return MEASURES[proposed_measure(data)[0]].chance(y[np.isin(y, values[counts > 1])])


def expected(state: Comparison) -> Band | None:
    """Return the error to expect of the first kernel on new data, corrected for the choice; None without a race."""
    if state.race is None or not state.race.losses:
        return None
    band = band_of_best({repr(kernel): row for kernel, row in state.race.losses.items()}, 0.0)
    return Band(band.mean, max(0.0, band.low), band.high, band.standard_error, band.count, band.level)


def expected_in_words(state: Comparison, data: Dataset) -> list[str]:
    """Return the error to expect of the first kernel and that of guessing, in sentences; none without."""
    band = expected(state)
    if band is None:
        return []
    shown = partial(score_in_words, share=data.task == "classification")
    return [
        f"Expected error of the first kernel on new data: {shown(band.mean)} (95% interval {shown(band.low)} to "
        f"{shown(band.high)}), corrected for the choice among the kernels of the last round.",
        f"Guessing has error {shown(guessing(data))}.",
    ]


def beats_guessing(state: Comparison, data: Dataset) -> bool:
    """Return whether the first kernel predicts significantly better than guessing.

    Its error on new data must be significantly smaller, and no more than 5% of shuffled labels may suit some setting
    as well: the settings and the race have seen the same rows.
    """
    band = expected(state)
    return band is not None and band.high < guessing(data) and state.p_value <= 0.05


def first_two(state: Comparison) -> Difference | None:
    """Return the second kernel's error less the first one's, over rows or groups; None where one is left."""
    if state.race is None or len(state.race.losses) < 2:
        return None
    first, second = [state.race.losses[one.kernel] for one in state.best if one.kernel in state.race.losses][:2]
    return paired_difference(second, first, 0.0)


def headline(state: Comparison, data: Dataset) -> str:
    """Return the verdict so far in one to three sentences, no stronger than its evidence; preliminary before the race.

    >>> from kernlib.advice import search
    >>> from kernlib.data import load_dataset
    >>> iris = load_dataset("iris")
    >>> print(headline(next(state for state in search(iris) if len(state.settings) == 2), iris))
    Preliminary, by quick errors alone: ...
    """
    band = expected(state)
    raced = [one for one in state.best if one.measured is not None]
    if band is None or state.race is None or not raced:
        return _preliminary(state)
    first, tied = raced[0], alike(raced)
    sizes = _errs(first.error, data)
    if not beats_guessing(state, data):
        why = "" if state.p_value <= 0.05 else (
            f" With shuffled labels some setting does as well in {percent(state.p_value)} of trials."
        )  # fmt: skip
        return (
            f"No kernel is significantly better than guessing: the best, {first.chain}, {sizes}; guessing "
            f"{_errs(guessing(data), data)}.{why}"
        )
    if state.n < FEW:
        return (
            f"{state.n} rows are too few to distinguish kernels: expected {FEW} or more. {first.chain} is first: it "
            f"{sizes}."
        )
    worse = len(raced) - tied
    others = "the other one is" if worse == 1 else f"the other {worse} are"
    if tied == 1:
        return f"{first.chain} is best: it {sizes}; {others} significantly worse."
    second = raced[1]
    errors = "their errors are" if data.task == "regression" else "they misclassify"
    lines = [
        f"{first.chain} and {second.chain} cannot be distinguished: {errors} {_share(first.error, data)} and "
        f"{_share(second.error, data)}."
    ]
    if tied > 2 or worse:
        more = [f"{tied - 2} more {'are' if tied > 3 else 'is'} not significantly worse"] if tied > 2 else []
        more += [f"{others} significantly worse"] if worse else []
        lines.append(f"{', '.join(more)[0].upper()}{', '.join(more)[1:]}.")
    return " ".join([*lines, _further_rows(state, data)])


def _preliminary(state: Comparison) -> str:
    """Return the preliminary verdict of the quick errors, "" without any."""
    known = [(one, one.errors) for one in state.settings if one.errors is not None and not one.problem]
    known = [(one, errors) for one, errors in known if math.isfinite(errors.squared)]
    if not known:
        return ""
    (first, errors), *others = known
    head = (
        f"Preliminary, by quick errors alone: {first.chain} is first, with {number(errors.squared, 3)} ± "
        f"{number(errors.squared_se, 2)} of the variance as squared leave-one-out error."
    )
    if errors.squared >= 1 or state.p_value > 0.05:
        return f"{head} That is no better than guessing, so far."
    near = sum(other.squared <= errors.squared + errors.squared_se for _, other in others)
    close = f" {near} of {len(others)} other settings {'lies' if near == 1 else 'lie'} within this standard error."
    return head + (close if others else "") + " No kernel is cross-validated yet."


def _further_rows(state: Comparison, data: Dataset) -> str:
    """Return how many more rows would separate the first two kernels, if they differ as measured."""
    difference = first_two(state)
    if difference is None:
        return ""
    unit = "rows" if data.groups is None else "groups"
    needed = rows_to_separate(difference)
    if not needed <= (1 + _TIMES) * difference.count:
        return f"They differ too little for any practical number of {unit} to separate the first two."
    further = max(1.0, needed - difference.count)
    round_to = 10.0 ** max(0, math.floor(math.log10(further)) - 1)
    return (
        f"If they differ as measured, about {math.ceil(further / round_to) * round_to:,.0f} more {unit} would separate "
        "the first two."
    )


def _share(error: float, data: Dataset) -> str:
    return score_in_words(error, data.task != "regression", 2)


def _errs(error: float, data: Dataset) -> str:
    """Return an error as a verb: the share of rows, or of the variance."""
    if data.task == "regression":
        return f"has {number(error, 3)} of the variance as error"
    return f"misclassifies {percent(error)}" + (" (balanced)" if proposed_measure(data)[0] != "error" else "")


def verdict(state: Comparison, advice: Sequence[Advice], data: Dataset) -> str:
    """Return the result of the comparison in a few sentences.

    >>> from kernlib.advice import search
    >>> from kernlib.data import load_dataset
    >>> iris = load_dataset("iris")
    >>> *_, found = search(iris)
    >>> "is for choosing: the best of several looks better than it is" in verdict(found, found.best, iris)
    True
    """
    if data.y is None:
        where = "--role COLUMN=label names the column that holds them"
        if data.row_kind.square:
            where = "numpy.savez(FILE, K=matrix, y=labels) writes both into one file"
        return f"Without labels no kernel is better than another: {where}."
    lines = [headline(state, data), *stages(state, data)]
    expectation = expected_in_words(state, data)
    if expectation:
        lines.append(" ".join([*expectation, "This is for choosing: the best of several looks better than it is."]))
    left_out = [one for one in state.settings if one.problem]
    if left_out:
        lines.append(f"Not compared: {left_out[0].kernel!r}, {left_out[0].problem[:160]}"
                     + (f" And {len(left_out) - 1} more." if len(left_out) > 1 else ""))  # fmt: skip
    _, why = proposed_measure(data)
    return "\n".join([line for line in (*lines, *state.notes, why) if line])


def stages(state: Comparison, data: Dataset) -> list[str]:
    """Return what was compared and what was dropped, a sentence for each stage so far."""
    of = f"{state.n} of the {data.n} rows" if state.n < data.n else f"all {data.n} rows"
    usable = sum(not one.problem for one in state.settings)
    lines = [f"{usable} settings compared on {of} by squared leave-one-out error."]
    if state.best:
        families = len({one.name for one in state.best})
        lines.append(f"{len(state.best)} of them raced: the best of each of {families} families, then the next best.")
    if state.race is not None:
        race, dropped = state.race, sum(runner.dropped for runner in state.race.runners)
        out = "no kernel" if not dropped else "1 kernel" if dropped == 1 else f"{dropped} kernels"
        line = (
            f"{race.rounds} {'round' if race.rounds == 1 else 'rounds'} of cross-validation: {out} dropped out as "
            f"significantly worse than the first (5%, corrected). {race.fits:,} machines trained"
        )
        if race.fits < race.all_fits:
            every = "every kernel and every C" if data.task != "regression" else "every kernel"
            line += f"; {every} on every split would have taken {race.all_fits:,}"
        lines.append(f"{line}.")
    return lines
