"""The verdict on a run: the best value, and all that it must be compared with, in sentences."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..measures import MEASURES
from ..statistics import Difference, detection_power
from ..values.words import number, percent, score_in_words
from .curve import Curve, gap_from_best, settings_compared
from .spec import RunSpec


def guess_of(spec: RunSpec, y: ArrayLike | None) -> float | None:
    """Return the score of guessing by the run's measure; None without labels, and for measures of training rows."""
    measure = MEASURES[spec.measure]
    if y is None or measure.of_training is not None or measure.on_training:
        return None
    level = measure.chance(y)
    return level if np.isfinite(level) else None


#: The difference whose chance of being found is stated, as a share of the rows or of the variance.
SIZE = 0.05


def value_to_take(spec: RunSpec, drawn: Curve) -> int | None:
    """Return the place of the recommended value: the smallest whole number as good as the best, else the best.

    Whole numbers are levels, orders and degrees; as good means within one standard error (`Comparison.as_good`).

    >>> from kernlib import Deep, RBF
    >>> from kernlib.experiments import Axis
    >>> spec = RunSpec("iris", Deep(RBF()), axis=Axis("kernel.level", (0, 1, 2)))
    >>> scores = np.array([[0.3, 0.31, 0.32], [0.1, 0.21, 0.1], [0.11, 0.19, 0.1]])
    >>> value_to_take(spec, Curve("level", "l", (0, 1, 2), scores, "error rate", True, best=2, not_worse=(1, 2)))
    1
    """
    good = _as_good(drawn)
    if not drawn.beats_reference or not spec.axes or len(good) < 2:
        return drawn.best
    sign = 1 if drawn.lower_is_better else -1

    def cost(place: int) -> tuple[Any, ...]:
        value = drawn.values[place] if spec.second is not None else (drawn.values[place],)
        steps = (v for axis, v in zip(spec.axes, value, strict=True) if axis.path.startswith("kernel."))
        return *(v for v in steps if isinstance(v, int) and not isinstance(v, bool)), sign * drawn.mean[place]

    return min(good, key=cost)


def _as_good(drawn: Curve) -> set[int]:
    """Return the places of the values within one standard error of the best."""
    if drawn.best is None:
        return set()
    # Without ties nothing was tested: the values are of other rows or other splits.
    found = settings_compared(replace(drawn, reference=None)) if drawn.not_worse else None
    return {drawn.best, *(map(int, found.as_good) if found is not None else ())}


def recommendation_in_words(spec: RunSpec, drawn: Curve, y: ArrayLike | None = None) -> str:
    """Return which value to take, what ties with it, and the error to expect on new rows; "" without a result.

    >>> from kernlib import Power, RBF
    >>> from kernlib.experiments import Axis, FoldResult, curve
    >>> from kernlib.protocols import RepeatedSplits
    >>> spec = RunSpec("iris", Power(RBF()), protocol=RepeatedSplits(repeats=3), axis=Axis("kernel.p", (0.5, 1.0)))
    >>> results = [FoldResult(p, k, p / 5 + k / 100, 9, 9, 0.0) for p in (0.5, 1.0) for k in range(3)]
    >>> recommendation_in_words(spec, curve(spec, results), [0, 0, 0, 1])
    'Take p = 0.5: significantly better than the other value. On new rows expect 11% (6–18%), guessing 25%.'
    """
    place, score = value_to_take(spec, drawn), partial(score_in_words, share=drawn.is_share, digits=2)
    if place is None:
        return ""
    axis = drawn.axis.partition(" of ")[0]
    where = f"{axis} = {spec.in_words(drawn.values[place])}" if axis else "this kernel"
    if drawn.second and spec.second is not None:
        first, second = (one.in_words(v) for one, v in zip(spec.axes, drawn.values[place], strict=True))
        where = f"{axis} = {first}, {drawn.second.partition(' of ')[0]} = {second}"
    level, others = guess_of(spec, y), len(drawn.values) - 1
    if not drawn.beats_reference:
        reference = score(drawn.reference_mean)
        best = score(float(drawn.mean[place]))
        none = "No value is" if others else "This kernel is not"
        at = f" at {where}" if others else ""
        return f"{none} better than {reference_name(spec)}: {drawn.measure} {best}{at} against {reference}."
    tied, good = len({*drawn.not_worse, place}) - 1, len(_as_good(drawn))
    if place != drawn.best:
        why = f"the simplest of {good} within one standard error of the best"
    elif tied:
        extreme = "lowest" if drawn.lower_is_better else "highest"
        ties = "no other value is" if tied == others else f"{tied} of the other {others} values are not"
        why = f"the {extreme} mean; {ties} significantly worse"
    else:
        why = f"significantly better than the other {'value' if others == 1 else f'{others} values'}"
    if (difference := gap_from_best(drawn)) is not None and not significant_side(difference):
        why += f"; {reference_name(spec)} is not significantly worse"
    expected, low, high = _expected(drawn, place)
    interval = f" ({score(low)}–{score(high)})".replace("%–", "–") if low < high else ""
    guess = "" if level is None else f", guessing {score(level)}"
    if level is not None and low < high and low <= level <= high:
        guess = f", not significantly better than guessing {score(level)}"
    take = (
        f"Take {where}: {why}."
        if others
        else f"{drawn.measure[0].upper()}{drawn.measure[1:]} {score(float(drawn.mean[place]))}."
    )
    return f"{take} On new rows expect {score(expected)}{interval}{guess}.".strip()


def _expected(drawn: Curve, place: int) -> tuple[float, float, float]:
    """Return what to expect of a value on new rows, never better than its own mean, and the ends of its interval."""
    mean = float(drawn.mean[place])
    band = (np.nan, np.nan) if drawn.band is None else (float(drawn.band[place, 0]), float(drawn.band[place, 1]))
    low, high = (float(end) for end in np.clip(band, drawn.low, drawn.high))
    if drawn.chosen is None:
        return mean, low, high
    worse = max if drawn.lower_is_better else min
    if place == drawn.best:  # as the figure draws it
        return worse(mean, drawn.chosen.mean), drawn.chosen.low, drawn.chosen.high
    return (
        worse(mean, drawn.chosen.mean),
        float(np.fmin(low, drawn.chosen.low)),
        float(np.fmax(high, drawn.chosen.high)),
    )


def reference_name(spec: RunSpec) -> str:
    """Return what the reference kernel is called: the kernel before the varied step, or the reference kernel."""
    below = [part for part in spec.kernel.walk() if part != spec.kernel]
    without = spec.axis is not None and spec.axis.path.startswith("kernel.") and spec.reference in below
    return "the kernel before this step" if without else "the reference kernel"


def more_in_words(spec: RunSpec, drawn: Curve, y: ArrayLike | None = None) -> list[str]:
    """Return what the headline leaves out: guessing, the values like the best, and what to expect of it on new data.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import FoldResult, curve
    >>> spec = RunSpec("iris", RBF())
    >>> drawn = curve(spec, [FoldResult(None, k, 0.3 + k / 100, 9, 9, 0.0) for k in range(3)])
    >>> more_in_words(spec, drawn, [0, 0, 0, 1])
    ['The best, 31%, is not better than guessing, 25%.']
    """
    if drawn.best is None:
        return []
    lines, level, mean = [], guess_of(spec, y), float(drawn.mean[drawn.best])
    if level is not None:
        ends = _expected(drawn, drawn.best)[1:]
        better = mean < level if drawn.lower_is_better else mean > level
        if not better or (ends[1] >= level if drawn.lower_is_better else ends[0] <= level):
            word = "significantly better" if better else "better"
            lines.append(f"The best, {drawn.in_words(mean)}, is not {word} than guessing, {drawn.in_words(level)}.")
    tied = [spec.in_words(drawn.values[i]) for i in sorted(drawn.not_worse) if i != drawn.best]
    others = len(drawn.values) - 1
    if tied:
        named = ", ".join(tied)
        if len(tied) == others > 1:
            named = f"all {others} other values"
        elif len(tied) > 8:
            named = f"{len(tied)} of the other {others}"
        best = f"{drawn.axis} = {spec.in_words(drawn.values[drawn.best])}"
        lines.append(f"Not significantly worse than {best}: {named} (corrected paired t-tests, 5%).")
    if drawn.chosen is not None:
        rows = f" after training on {drawn.trained:,} of {drawn.rows:,} rows" if drawn.trained else ""
        low, high = drawn.in_words(drawn.chosen.low), drawn.in_words(drawn.chosen.high)
        within = f" (95% interval {low} to {high})" if low != high else ""  # equal splits say nothing of others
        lines.append(
            f"Expected on new data{rows}: {drawn.in_words(drawn.chosen.mean)}{within}, corrected for choosing the best "
            f"of {len(drawn.values)}."
        )
        if 0 < drawn.trained < 0.9 * drawn.rows and drawn.lower_is_better:
            lines.append("A machine that is trained on all rows usually has a smaller error.")
    return lines


def difference_in_words(difference: Difference, drawn: Curve, name: str) -> str:
    """Return whether a setting differs from the best value, and how often such a test finds a difference of `SIZE`.

    Parameters: `difference` of `gap_from_best`; `name` of the setting.
    """
    apart, size = (drawn.in_words(gap).replace("%", " points") for gap in (abs(difference.mean), SIZE))
    settings = len(drawn.values) + (drawn.reference is not None)
    level = 1 - (1 - difference.level) / (settings * (settings - 1) / 2)
    power = percent(detection_power(replace(difference, level=level), SIZE))
    found = f"Such a test finds a difference of {size} in {power} of cases."
    corrected = f", corrected for {settings} settings" if settings > 2 else ""
    p = f"p = {number(difference.p_value, 2)}, corrected resampled t-test on {difference.count:,} splits{corrected}"
    side = significant_side(difference)
    if not side:
        return f"The best and {name} cannot be distinguished: they differ by {apart} ({p}). {found}"
    return f"{name[0].upper()}{name[1:]} is significantly {side} than the best, by {apart} ({p}). {found}"


def significant_side(difference: Difference) -> Literal["worse", "better", ""]:
    """Return whether a setting is significantly worse or better than the best value; "" where neither."""
    if not difference.separable:
        return ""
    return "worse" if difference.mean > 0 else "better"
