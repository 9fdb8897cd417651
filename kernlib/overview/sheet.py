"""A sheet over two parameters: the score of every pair of values, the best, and those not distinguishable from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import ParameterError
from ..values.arrays import Array
from .film import Frame


@dataclass(frozen=True)
class Criterion:
    """A number that judges a cell: its name in `words`, whether small is good, its value `of` a frame, its standard
    error `se` over the rows (nan where unknown), and whether it is a share of wrong rows for classes (`is_share`)."""

    words: str
    lower_is_better: bool
    of: Callable[[Frame], float]
    se: Callable[[Frame], float] = lambda frame: math.nan
    is_share: bool = False


def _error(name: str) -> Callable[[Frame], float]:
    return lambda frame: math.nan if frame.quick is None else float(getattr(frame.quick, name))


def _share(words: str, name: str) -> Criterion:
    """Return a quick error: a share e of the n rows for classes, with standard error √(e(1−e)/n)."""

    def se(frame: Frame) -> float:
        if frame.quick is None or frame.quick.task != "classification":
            return math.nan
        error = float(getattr(frame.quick, name))
        return math.sqrt(error * (1 - error) / len(frame.plane)) if 0 <= error <= 1 else math.nan

    return Criterion(words, True, _error(name), se, True)


#: Each needs one eigendecomposition and no run; the first is the default, the best chooser of the four.
CRITERIA: dict[str, Criterion] = {
    "squared": Criterion(
        "squared leave-one-out error of ridge regression", True, _error("squared"), _error("squared_se")
    ),
    "ridge": _share("leave-one-out error of ridge regression", "ridge"),
    "centroid": _share("error of the nearest centroid, five halvings", "centroid"),
    "alignment": Criterion("alignment with the labels", False, lambda frame: frame.alignment),
    "likelihood": Criterion("−log ℓ, sharpness of the cut at d̂", True, lambda frame: frame.likelihood),
}


@dataclass(frozen=True, eq=False)
class Sheet:
    """Pairs of values of two parameters, the first down, the second across.

    `first`, `second` are the parameters' names, `first_values` and `second_values` their values; `frames` the computed
    pictures by (first, second); `scores` (first, second) of the criterion, nan where missing; `words` its name;
    `lower_is_better`; `best` the index of the best cell; `alike` the indices of cells not distinguishable from the
    best by `rule`, both empty where the criterion has no standard error; `is_share` whether scores are shares of rows.
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
        """Return the number of cells without a picture."""
        return len(self.first_values) * len(self.second_values) - len(self.frames)

    def scored(self, scores: Array, words: str, best: int | None, alike: Sequence[int]) -> Sheet:
        """Return the same pictures judged by the errors of a run over both parameters.

        `best` and `alike` index the run's values, the first parameter outermost; the corrected paired t-test decides
        which cells are alike.
        """
        table = np.asarray(scores, dtype=np.float64).reshape(len(self.first_values), len(self.second_values))
        across = len(self.second_values)
        return replace(
            self,
            scores=table,
            words=words,
            lower_is_better=True,
            best=None if best is None else divmod(best, across),
            alike=tuple(divmod(i, across) for i in alike if i != best),
            rule="do not differ significantly from it (corrected paired t-test, 5%)",
            is_share=True,
        )


def sheet_of_frames(
    first: str,
    first_values: Sequence[Any],
    second: str,
    second_values: Sequence[Any],
    frames: Mapping[tuple[Any, Any], Frame],
    criterion: str = "squared",
) -> Sheet:
    r"""Return the sheet of the frames computed so far, judged by one of `CRITERIA`.

    Cells within one standard error of the best are listed as alike, where the criterion has a standard error.
    Raises ParameterError for another criterion.
    Reference: Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984, section 3.4.3.

    >>> sheet_of_frames("p", (0.5, 1.0), "level", (0, 1), {}).best is None
    True
    """
    if criterion not in CRITERIA:
        raise ParameterError(
            f"sheet_of_frames: criterion must be one of {', '.join(map(repr, CRITERIA))}; got {criterion!r}. "
            "Try 'squared'."
        )
    chosen = CRITERIA[criterion]
    scores = np.full((len(first_values), len(second_values)), np.nan)
    share = False
    for i, a in enumerate(first_values):
        for j, b in enumerate(second_values):
            frame = frames.get((a, b))
            if frame is None or frame.problem:
                continue
            scores[i, j] = chosen.of(frame)
            share = chosen.is_share and frame.quick is not None and frame.quick.task == "classification"
    best: tuple[int, int] | None = None
    alike: tuple[tuple[int, int], ...] = ()
    se = math.nan
    if np.isfinite(scores).any():
        losses = scores if chosen.lower_is_better else -scores
        best = divmod(int(np.nanargmin(losses)), len(second_values))
        se = chosen.se(frames[first_values[best[0]], second_values[best[1]]])
        near = losses <= losses[best] + se
        alike = tuple((int(i), int(j)) for i, j in np.argwhere(near) if (i, j) != best)
    return Sheet(
        first, tuple(first_values), second, tuple(second_values), frames, scores, chosen.words,
        chosen.lower_is_better, best, alike, "lie within one standard error of it" if math.isfinite(se) else "", share,
    )  # fmt: skip
