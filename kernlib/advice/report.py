"""A comparison of kernels in words."""

from __future__ import annotations

from collections.abc import Sequence

from ..data import Dataset
from ..measures import MEASURES
from ..statistics import band_of_best
from .find import FEW, RACING, Advice, Found, alike, described, looked_at, proposed_measure


def described_best(state: Found, data: Dataset, rows: int) -> tuple[Advice, ...]:
    """Return the kernels that raced with what their Gram matrices show; all kernels where none raced."""
    sample = looked_at(data, rows)
    return tuple(described(advice, sample) for advice in state.best) or state.settings


def verdict(state: Found, advice: Sequence[Advice], data: Dataset) -> str:
    """Return what the comparison says, in a few sentences.

    >>> from kernlib.advice import search
    >>> from kernlib.data import load_dataset
    >>> iris = load_dataset("iris")
    >>> *_, found = search(iris)
    >>> "is for choosing: the best of several looks better than it is" in verdict(found, found.best, iris)
    True
    """
    if data.y is None:
        where = "--role COLUMN=label names the column that holds them"
        if data.domain in ("matrix", "node"):
            where = "numpy.savez(FILE, K=matrix, y=labels) writes both into one file"
        return f"Without labels no kernel is better than another: {where}."
    of = f"{state.n} of the {data.n} rows" if state.n < data.n else f"all {data.n} rows"
    lines = [
        f"{sum(not one.problem for one in state.settings)} settings compared on {of} by squared leave-one-out error, "
        f"then {min(RACING, len(state.best))} by cross-validation. This is for choosing: the best of several looks "
        "better than it is."
    ]
    tied = alike(advice)
    if state.n < FEW:
        lines.append(f"{state.n} rows are too few to tell kernels apart: expected {FEW} or more.")
    elif tied > 1:
        lines.append(f"{state.n} rows do not tell the first {tied} apart.")
    if state.race is not None:
        saved = f"{state.race.fits} machines trained instead of {state.race.all_fits}"
        lines.append(f"Kernels significantly worse than the first (5%, corrected) ran no further rounds: {saved}.")
    measure, why = proposed_measure(data)
    if state.race is not None and state.race.losses:
        losses = {repr(kernel): row for kernel, row in state.race.losses.items()}
        band = band_of_best(losses, 0.0)
        lines.append(
            f"Expect {band.mean:.3f} of the first on new data (95% interval {max(0.0, band.low):.3f} to "
            f"{band.high:.3f}), corrected for the choice among the kernels of the last round."
        )
        chance = 1.0 if data.task == "regression" else MEASURES[measure].chance(data.y)
        if band.high >= chance:
            lines.append(
                f"That is not significantly better than guessing ({chance:.3f}): these kernels do not see the labels, "
                "or the rows do not determine them."
            )
    left_out = [one for one in state.settings if one.problem]
    if left_out:
        lines.append(f"Not compared: {left_out[0].kernel!r}, {left_out[0].problem[:160]}"
                     + (f" And {len(left_out) - 1} more." if len(left_out) > 1 else ""))  # fmt: skip
    return "\n".join([*lines, *state.notes, *([why] if why else [])])
