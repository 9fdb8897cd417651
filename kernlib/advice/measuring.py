"""The run that compares the two best kernels of a comparison on held-out rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..data import Dataset
from ..errors import DataError
from ..experiments import UPLOAD
from ..experiments.axis import Axis
from ..experiments.proposals import default_machine
from ..experiments.race import COSTS, FOLDS
from ..experiments.spec import RunSpec
from ..protocols import GroupedSplits, RepeatedKFold, halves_protocol
from .find import Advice, proposed_measure, single_classes

#: Rows of a larger file that the run measures, and halves of them: it takes about a minute.
RUN_ROWS, SPLITS = 2000, 25


def follow_up(
    data: Dataset, advice: Sequence[Advice], parameters: tuple[tuple[str, object], ...] = (), *, uploaded: bool = False
) -> RunSpec:
    """Return the run that measures the first kernel of `advise` and its second, with C tuned inside each training part.

    Parameters: `data`, all of it, and the `parameters` that made it, or if it was `uploaded` how its file was read; of
    more than `RUN_ROWS` uploaded rows a stratified sample is measured, given in the spec by `n` and `seed`. Classes of
    a single row, which cannot be split, are left out of an upload, given in the spec by `without:<class>`.
    Raises DataError for data without labels or without two classes to split, or if no kernel could be compared.

    >>> from kernlib.advice import advise
    >>> from kernlib.data import load_dataset
    >>> iris = load_dataset("iris")
    >>> spec = follow_up(iris, advise(iris))
    >>> spec.machine, spec.tuning
    (SVM(C=10.0, scale='spread'), (Axis(path='machine.C', values=(0.1, 1.0, 10.0, 100.0)),))
    """
    usable = [one.kernel for one in advice if not one.problem]
    if data.y is None:
        raise DataError(f"{data.name}: a run needs labels, and there are none. Name the column that holds them.")
    if not usable:
        why = advice[0].problem if advice else "none."
        raise DataError(f"{data.name}: no kernel could be compared: {why}")
    single = single_classes(data)
    if single and not (uploaded and len(data.classes) - len(single) > 1):
        raise DataError(
            f"{data.name}: a run needs two rows of every class, one to train on and one to test; class "
            f"{single[0]!s:.40} has one. Remove its row, or join the class with another."
        )
    if single:
        data, parameters = data.without_classes(*single), (*parameters, *((f"without:{name}", True) for name in single))
    if uploaded and data.n > RUN_ROWS and not data.row_kind.square:
        data, parameters = data.stratified_sample(RUN_ROWS, seed=0), (*parameters, ("n", RUN_ROWS), ("seed", 0))
    spec = RunSpec(
        UPLOAD + data.digest if uploaded else data.name,
        usable[0],
        default_machine(data, proposed_measure(data)[0]),
        halves_protocol(data.groups is not None, SPLITS),
        proposed_measure(data)[0],
        reference=usable[1] if len(usable) > 1 else None,
        parameters=parameters,
    )
    return with_tuned_cost(spec, data)


def with_tuned_cost(spec: RunSpec, data: Dataset) -> RunSpec:
    """Return the run over halves of labelled data with C tuned inside each; real targets have nothing to tune."""
    # Half of a class trains, and every inner fold needs one of its rows.
    folds = min([FOLDS, *(count // 2 for count in data.class_counts.values())])
    if data.task == "classification" and folds >= 2:
        inner = RepeatedKFold(folds=folds, repeats=1, seed=0)
        spec = replace(spec, tuning=(Axis("machine.C", COSTS),), inner=inner)
    # Tuning keeps groups whole as testing does.
    return spec if data.groups is None else replace(spec, inner=GroupedSplits(repeats=5, train=0.8, seed=0))
