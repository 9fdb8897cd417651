"""What is proposed before a run, what its machines decide on test rows and new rows, and which value it recommends."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..analysis.outcomes import Confusion, RocCurve, confusion, roc_curves
from ..core.base import Kernel
from ..core.folding import factored
from ..core.steps import Wrapper, normal_form
from ..data import Dataset
from ..errors import DataError, ParameterError, TransductiveError
from ..kinds import KINDS, Preset
from ..kinds.kind import prepared as prepared
from ..machines import Machine
from ..machines import starting_machine as starting_machine
from ..measures import MEASURES
from ..numerics.workers import one_blas_thread
from ..own import own_kernels
from ..protocols import halves_machine
from ..statistics import Difference, detection_power
from ..values.arrays import Array
from ..values.domains import Domain
from ..values.words import inert_cell, number, percent, score_in_words
from .curve import Curve, gap_from_best, settings_compared
from .folds import REFERENCE, FoldResult, Part, labels_of
from .spec import RunSpec
from .sweep import matching, single_runs, sweep


def presets_for(data: Dataset) -> tuple[Preset, ...]:
    """Return the presets for the data: by the kind of its rows, for some kinds by their content, and user-defined ones.

    >>> from kernlib.data import load_dataset
    >>> [preset.name for preset in presets_for(load_dataset("promoters"))]
    ['By position', 'Spectrum', 'Large diagonal']
    """
    return (*data.presets, *own_presets(data))


def own_presets(data: Dataset) -> Iterator[Preset]:
    """Yield the user-defined kernels that read these rows, with their defaults."""
    for cls in own_kernels():
        kernel = None if cls.domain != data.domain or issubclass(cls, Wrapper) else starting(cls, data)
        if kernel is not None:
            first = (inspect.getdoc(cls) or "").partition("\n")[0]
            yield Preset(cls.__name__, kernel, f"User-defined. {first}")


def default_kernel(data: Dataset) -> Kernel:
    """Return the first suggested kernel for a data set.

    >>> from kernlib.data import load_dataset
    >>> default_kernel(load_dataset("wine"))
    Standardized(RBF(sigma=5.0))
    """
    return prepared(presets_for(data)[0].kernel, data)


def starting(cls: type[Kernel], data: Dataset, domain: Domain | None = None) -> Kernel | None:
    """Return the kernel that a menu creates from a class for this data; None if it needs a decision.

    `domain` is that of the rows that the kernel reads inside another kernel.

    >>> from kernlib import LocalityImprovedImage
    >>> from kernlib.data import load_dataset
    >>> starting(LocalityImprovedImage, load_dataset("digits")).shape
    (8, 8)
    """
    return KINDS[cls.domain].starting(cls, data if domain in (None, data.domain) else None)


def default_machine(data: Dataset, measure: str = "") -> Machine:
    """Return the suggested machine: an SVM for classes, ridge regression for real numbers, its penalty tuned inside.

    Where the `measure` is the balanced error, the classes weigh alike in training, too.

    >>> from kernlib.data import load_dataset
    >>> default_machine(load_dataset("promoters")), default_machine(load_dataset("sinc"))
    (SVM(C=10.0, scale='spread'), KernelRidge(ridge='leave-one-out', centred=True))
    """
    return halves_machine("unexplained variance" if data.task == "regression" else measure or "error")


@dataclass(frozen=True, eq=False)
class Decisions:
    """The test rows of all splits, one split after another; a row that several splits test occurs several times.

    Parameters: `value` of the axis; `y` (m,) true codes or real values, `predicted` (m,), `decision`
    (m,) or (m, classes), `row` (m,) row numbers of the data, `split` (m,) numbers of the splits;
    `classes` the names of the codes; `folds` the results of the splits, as the sweep gives them.
    """

    value: Any
    y: Array
    predicted: Array
    decision: Array
    row: Array
    split: Array
    classes: tuple[str, ...]
    folds: tuple[FoldResult, ...]

    @property
    def scores(self) -> Array:
        """Return the decision for the second of two classes, (m,); (m, classes) for more."""
        two = self.decision.ndim == 2 and self.decision.shape[1] == 2
        return self.decision[:, 1] - self.decision[:, 0] if two else self.decision

    def confusion(self, threshold: float | None = None) -> Confusion:
        """Return how often each class was predicted as each; DataError for real targets.

        With a `threshold`, the second of two classes is predicted from this decision on.
        """
        self._need_classes("confusion")
        if threshold is None or len(self.classes) != 2:
            return confusion(self.y, self.predicted, self.classes)
        return confusion(self.y, (self.scores >= threshold).astype(np.int64), self.classes)

    def roc_curves(self) -> tuple[RocCurve, ...]:
        """Return one curve for two classes, otherwise one per class against the rest.

        Raises DataError for real targets, or where the test rows are of one class.

        >>> from kernlib import RBF
        >>> from kernlib.protocols import RepeatedSplits
        >>> values = decisions(RunSpec("breast-cancer-10", RBF(sigma="median"), protocol=RepeatedSplits(repeats=2)))
        >>> [curve.area > 0.9 for curve in values.roc_curves()]
        [True]
        """
        self._need_classes("roc_curves")
        return roc_curves(self.y, self.decision, self.classes)

    def _need_classes(self, owner: str) -> None:
        if not self.classes:
            raise DataError(f"Decisions.{owner}: expected classes; got real targets. Use the squared error.")


def decisions(spec: RunSpec, data: Dataset | None = None, value: Any = None) -> Decisions:
    """Return the test decisions of every split at `value`, computed as the sweep computes them.

    Parameters: `value`, one of the spec's values or REFERENCE; the others as in `sweep`.
    Raises ParameterError for a value that is not on the axis, DataError where every fold failed,
    and what `sweep` raises.
    """
    if len(single_runs(spec)) > 1:
        raise ParameterError(
            "decisions: expected one data set and one protocol; got a run over several. Choose one value of "
            f"{', '.join(axis.path for axis in spec.axes if axis.outside) or 'draws'}."
        )
    if value not in spec.values and (value != REFERENCE or spec.reference is None):
        raise ParameterError(f"decisions: value must be one of {spec.values!r:.200}; got {value!r}.")
    data = matching(spec, data)
    kept: list[tuple[Array, Array, Array, int]] = []

    def keep(_: Any, part: Part, predicted: Array, decision: Array) -> None:
        kept.append((part.test, predicted, decision, part.number))

    folds = [replace(fold, value=value) for fold in sweep(spec.only(value), data, keep=keep)]
    if not kept:
        why = next((f.problem for f in folds if f.problem), "its measure trains no machine")
        raise DataError(f"decisions: no split has a result; {why}")
    tests, predicted, decided, numbers = zip(*kept, strict=True)
    rows = np.concatenate(tests)
    return Decisions(
        value=value,
        y=labels_of(data)[0][rows],
        predicted=np.concatenate(predicted),
        decision=np.concatenate(decided),
        row=rows,
        split=np.repeat(numbers, [len(test) for test in tests]),
        classes=tuple(data.classes) if data.task == "classification" else (),
        folds=tuple(folds),
    )


@dataclass(frozen=True, eq=False)
class Predictions:
    """New rows with what a machine predicts: `ids` (m,) of the rows; `predicted` (m,) class names, or real values."""

    ids: tuple[str, ...]
    predicted: tuple[str, ...] | tuple[float, ...]

    def to_csv(self) -> str:
        """Return one CSV line per row, with all digits."""
        from pandas import DataFrame

        cells = [inert_cell(cell) if isinstance(cell, str) else cell for cell in self.predicted]
        table = DataFrame({"row": map(inert_cell, self.ids), "predicted": cells})
        text: str = table.to_csv(index=False, lineterminator="\n")
        return text


def predict_rows(kernel: Kernel, machine: Machine, data: Dataset, new: Dataset) -> Predictions:
    """Return the predictions of new rows, by the kernel and the machine trained on all rows of `data`.

    Kernel and machine learn from `data` alone: no new row has an influence on another one.

    Parameters: `new`, rows of the same kind, see `kernlib.data.new_rows`; its labels are not read.
    Raises TransductiveError for a kernel that exists only for all rows at once, DataError for rows without labels and
    for rows of another kind, and what kernel and machine raise.

    >>> from kernlib import RBF
    >>> from kernlib.data import load_dataset
    >>> from kernlib.machines import SVM
    >>> data = load_dataset("iris")
    >>> print(predict_rows(RBF(sigma="median"), SVM(), data, data.take([0, 60])).to_csv().strip())
    row,predicted
    0,setosa
    60,versicolor
    """
    if kernel.transductive:
        raise TransductiveError(
            f"predict_rows: {kernel!r:.200} exists only for all rows at once; expected a kernel with values for new "
            "rows. Remove that step."
        )
    if new.domain != data.domain:
        raise DataError(
            f"predict_rows: new rows must be {data.row_kind.called}, as the training rows; got {new.row_kind.called}. "
            "Choose another file."
        )
    y, task = labels_of(data)
    plain = normal_form(kernel.specification)
    with one_blas_thread():
        if plain.has_factor:
            fold: Any = factored(plain, plain.checked_rows(data.inputs), plain.checked_rows(new.inputs), y)
        else:
            fold = plain.fold(data.inputs, new.inputs, y)
        fitted = machine.fit(fold.K, y, task=task)
        predicted = fitted.predict(fold.K_star, fold.k_diag)
    if task == "regression":
        return Predictions(new.ids, tuple(map(float, predicted)))
    return Predictions(new.ids, tuple(data.classes[int(code)] for code in predicted))


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
        value = spec.by_axis(drawn.values[place])
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
    >>> print(recommendation_in_words(spec, curve(spec, results), [0, 0, 0, 1]))
    Take p = 0.5: significantly better than the other value.
    On new rows expect 11% (6–18%), guessing 25%.
    """
    place, score = value_to_take(spec, drawn), partial(score_in_words, share=drawn.is_share, digits=2)
    if place is None:
        return ""
    where = _place_in_words(spec, drawn, place)
    level, others = guess_of(spec, y), len(drawn.values) - 1
    if not drawn.beats_reference:
        reference = score(drawn.reference_mean)
        best = score(float(drawn.mean[place]))
        none = "No value is" if others else "This kernel is not"
        at = f" at {where}" if others else ""
        return f"{none} better than {reference_name(spec)}: {drawn.measure} {best}{at} against {reference}."
    tied, good = len({*drawn.not_worse, place}) - 1, len(_as_good(drawn))
    gap, extreme = gap_from_best(drawn), "lowest" if drawn.lower_is_better else "highest"
    near = ""
    # Level 0 of the reference is the reference itself; another kernel with the same errors is not.
    kernel = spec.at(drawn.values[place if drawn.best is None else drawn.best])[0]
    itself = getattr(kernel, "level", None) == 0 and spec.reference in kernel.children
    alike = reference_name(spec) if gap is not None and not itself and not significant_side(gap) else ""
    if drawn.best is not None and place != drawn.best:
        best = f"{_place_in_words(spec, drawn, drawn.best)} ({score(float(drawn.mean[drawn.best]))})"
        why = f"the simplest of {good} about as good as the best"
        near = f" About as good: within one standard error of {best}."
    elif tied:
        ties = f"{tied} of the other {others} values" if tied < others else "the other values"
        if others == 1:
            ties = "the other value"
        equal = int(np.isclose(drawn.mean, drawn.mean[place], rtol=0, atol=1e-9).sum()) - 1
        shared = f", shared by {equal + 1} values," if equal else ","
        why = f"the {extreme} mean{shared} but not significantly better than {ties}{f' or {alike}' if alike else ''}"
        alike = ""
    else:
        why = f"significantly better than the other {'value' if others == 1 else f'{others} values'}"
    if alike:
        why += f"; {alike} is not significantly worse"
    expected, low, high = drawn.expected(place)
    interval = f" ({score(low)}–{score(high)})".replace("%–", "–") if low < high else ""
    mean = float(drawn.mean[place])
    interval += "" if score(expected) == score(mean) else f", not the {score(mean)} that chose it"
    guess = "" if level is None else f", guessing {score(level)}"
    if level is not None and low < high and low <= level <= high:
        guess = f", not significantly better than guessing {score(level)}"
    take = (
        f"Take {where}: {why}."
        if others
        else f"{drawn.measure[0].upper()}{drawn.measure[1:]} {score(float(drawn.mean[place]))}."
    )
    untold = _untold(drawn) if tied == others > 1 else ""
    return f"{take}\nOn new rows expect {score(expected)}{interval}{guess}.{near}{untold}"


def _place_in_words(spec: RunSpec, drawn: Curve, place: int) -> str:
    axis = drawn.axis.partition(" of ")[0]
    if drawn.second and spec.second is not None:
        first, second = (one.in_words(v) for one, v in zip(spec.axes, drawn.values[place], strict=True))
        return f"{axis} = {first}, {drawn.second.partition(' of ')[0]} = {second}"
    return f"{axis} = {spec.in_words(drawn.values[place])}" if axis else "this kernel"


def _untold(drawn: Curve) -> str:
    """Return that the splits tell no value from the best, where the means differ."""
    if np.ptp(drawn.mean) < 0.0005 if drawn.is_share else np.ptp(drawn.mean) == 0:
        return ""
    splits = f"{drawn.splits.max()} splits of {drawn.rows:,} rows" if drawn.rows else f"{drawn.splits.max()} splits"
    return f" {splits} are too few to rank {len(drawn.values)} values."


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
        ends = drawn.expected(drawn.best)[1:]
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
    power = detection_power(replace(difference, level=level), SIZE)
    found = (
        f"Such a test finds a difference of {size} in {'less than 1%' if power < 0.01 else percent(power)} of cases."
    )
    corrected = f", corrected for {settings} settings" if settings > 2 else ""
    p = f"P-value {number(difference.p_value, 2)}, corrected resampled t-test on {difference.count:,} splits{corrected}"
    side = significant_side(difference)
    if not side:
        return f"The best and {name} cannot be distinguished: they differ by {apart} ({p}). {found}"
    return f"{name[0].upper()}{name[1:]} is significantly {side} than the best, by {apart} ({p}). {found}"


def significant_side(difference: Difference) -> Literal["worse", "better", ""]:
    """Return whether a setting is significantly worse or better than the best value; "" where neither."""
    if not difference.separable:
        return ""
    return "worse" if difference.mean > 0 else "better"
