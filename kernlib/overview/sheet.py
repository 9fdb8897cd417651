"""A sheet over two numbers: how good every pair of values is, which is best, and which cannot be told from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ParameterError
from ..values.arrays import Array
from .film import Frame

__all__ = ["CRITERIA", "Criterion", "Sheet", "sheet_of_frames"]


@dataclass(frozen=True)
class Criterion:
    """What cells are judged by: `words`, whether small is good, its value in a frame, and whether it is a share of
    wrong rows for classes (`is_share`)."""

    words: str
    lower_is_better: bool
    of: Callable[[Frame], float]
    is_share: bool = False


def _error(name: str) -> Callable[[Frame], float]:
    return lambda frame: math.nan if frame.errors is None else float(getattr(frame.errors, name))


#: Closed form, or nearly so: each needs one eigendecomposition and no run.
CRITERIA: dict[str, Criterion] = {
    "ridge": Criterion("leave-one-out error of ridge regression", True, _error("ridge"), True),
    "centroid": Criterion("error of the nearest centroid, five halvings", True, _error("centroid"), True),
    "likelihood": Criterion("−log ℓ at the relevant dimension", True, lambda frame: frame.likelihood),
    "alignment": Criterion("alignment with the labels", False, lambda frame: frame.alignment),
}


@dataclass(frozen=True, eq=False)
class Sheet:
    """Pairs of values of two numbers, the first down, the second across.

    `first`, `second` their names, `first_values`, `second_values`; `frames` the pictures by (first, second), as far
    as they have come; `scores` (first, second) of the criterion, nan where it has not come; `words` for it;
    `lower_is_better`; `best` the place of the best cell; `alike` the places of those that may be as good, which
    `rule` says in words, both empty where the criterion has no spread to tell by.
    """

    first: str
    first_values: tuple[Any, ...]
    second: str
    second_values: tuple[Any, ...]
    frames: Mapping[tuple[Any, Any], Frame]
    scores: Array
    words: str
    lower_is_better: bool
    best: tuple[int, int] | None
    alike: tuple[tuple[int, int], ...] = ()
    rule: str = ""
    is_share: bool = False

    @property
    def missing(self) -> int:
        """How many cells have no picture yet."""
        return len(self.first_values) * len(self.second_values) - len(self.frames)

    def scored(self, scores: Array, words: str, lower_is_better: bool, best: int | None, alike: Sequence[int]) -> Sheet:
        """The same pictures, judged by a run over both numbers: `best` and `alike` are places in the run's order,
        the first number outermost; they are told apart by a corrected paired t-test."""
        table = np.asarray(scores, dtype=np.float64).reshape(len(self.first_values), len(self.second_values))
        across = len(self.second_values)
        return Sheet(
            self.first, self.first_values, self.second, self.second_values, self.frames, table, words,
            lower_is_better, None if best is None else divmod(best, across),
            tuple(divmod(i, across) for i in alike if i != best),
            "cannot be told from it (corrected paired t-test, 5%)", True,
        )  # fmt: skip


def sheet_of_frames(
    first: str,
    first_values: Sequence[Any],
    second: str,
    second_values: Sequence[Any],
    frames: Mapping[tuple[Any, Any], Frame],
    criterion: str = "ridge",
) -> Sheet:
    r"""The sheet of what has come, judged by one of `CRITERIA`.

    Of errors that are shares of the n rows, those within one standard error of the best, √(e(1−e)/n), cannot be told
    from it. Raises ParameterError for another criterion.
    Reference: Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984, section 3.4.3.

    >>> sheet_of_frames("p", (0.5, 1.0), "level", (0, 1), {}).best is None
    True
    """
    if criterion not in CRITERIA:
        raise ParameterError(
            f"sheet_of_frames: criterion must be one of {', '.join(map(repr, CRITERIA))}; got {criterion!r}. "
            "Try 'ridge'."
        )
    chosen = CRITERIA[criterion]
    scores = np.full((len(first_values), len(second_values)), np.nan)
    share, n = chosen.is_share, 0
    for i, a in enumerate(first_values):
        for j, b in enumerate(second_values):
            frame = frames.get((a, b))
            if frame is None or frame.problem:
                continue
            scores[i, j] = chosen.of(frame)
            n = len(frame.plane)
            share = chosen.is_share and frame.errors is not None and frame.errors.task == "classification"
    best: tuple[int, int] | None = None
    alike: tuple[tuple[int, int], ...] = ()
    if np.isfinite(scores).any():
        turned = scores if chosen.lower_is_better else -scores
        best = divmod(int(np.nanargmin(turned)), len(second_values))
        if share:
            error = float(scores[best])
            near = turned <= error + math.sqrt(error * (1 - error) / n)
            alike = tuple((int(i), int(j)) for i, j in np.argwhere(near) if (i, j) != best)
    return Sheet(
        first, tuple(first_values), second, tuple(second_values), frames, scores, chosen.words,
        chosen.lower_is_better, best, alike, "lie within one standard error of it" if share else "", share,
    )  # fmt: skip
