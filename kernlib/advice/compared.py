"""Kernels on the rows of one data set: errors on held-out rows, with C tuned inside each training part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.base import Kernel
from ..core.steps import normal_form
from ..data import Dataset
from ..errors import DataError, DomainError, ParameterError
from ..experiments import Axis, RunSpec, curve, sweep
from ..experiments.proposals import default_machine
from ..experiments.sweep import labels_of
from ..protocols import halves_protocol
from ..values.arrays import Array
from ..wrappers import Imputed
from .find import ROWS, looked_at, proposed_measure, raceable, too_costly
from .measuring import with_tuned_cost

#: Random halves of the rows.
HALVES = 10


@dataclass(frozen=True, eq=False)
class Compared:
    """Kernels on the same halves of `n` rows.

    `kernels` as they are for these rows; `errors` (kernels, splits) by `measure` on held-out rows, for real targets the
    unexplained variance; `test_over_train` of a split.
    """

    n: int
    kernels: tuple[Kernel, ...]
    errors: Array
    measure: str
    test_over_train: float


def compare_kernels(
    data: Dataset,
    kernels: Sequence[Kernel],
    *,
    rows: int = ROWS,
    splits: int = HALVES,
) -> Compared:
    """Return the errors of kernels on random halves of the rows.

    A support vector machine learns one half, with C tuned by 5-fold cross-validation inside it, and is tested on the
    other; real targets have ridge regression with its penalty chosen inside. Kernels are taken as they are; one that
    does not impute missing values imputes them as the data say.

    Parameters: `rows` of larger data that are drawn. Raises ParameterError for a single kernel, fewer than four rows or
    fewer than two splits, DomainError for a kernel of other rows, DataError for rows that cannot be compared.

    >>> from kernlib import RBF, Linear
    >>> from kernlib.data import load_dataset
    >>> found = compare_kernels(load_dataset("iris"), (Linear(), RBF()), rows=60, splits=3)
    >>> found.n, found.errors.shape
    (60, (2, 3))
    """
    kernels = tuple(dict.fromkeys(kernels))
    if len(kernels) < 2 or rows < 4 or splits < 2:
        raise ParameterError(
            f"compare_kernels: expected two kernels, rows >= 4 and splits >= 2; got {len(kernels)}, {rows} and "
            f"{splits}. Add a kernel to compare with."
        )
    labels_of(data)  # raises for a set without labels
    sample = looked_at(data, rows)
    sample = raceable(sample)[0] or sample
    wrong = [kernel for kernel in kernels if not kernel.can_read(sample.domain)]
    if wrong:
        raise DomainError(f"{wrong[0]!r} reads {wrong[0].reads} rows, and these are {sample.domain}.")
    own = tuple(imputed(kernel, sample) for kernel in kernels)
    problem = too_costly(own[0], sample)
    if problem:
        raise DataError(problem)
    measure, protocol = proposed_measure(sample)[0], halves_protocol(sample.groups is not None, splits)
    axis = Axis("kernel", tuple(map(repr, own)))
    spec = RunSpec("rows", own[0], default_machine(sample, measure), protocol, measure, axis)
    drawn = curve(spec, sweep(with_tuned_cost(spec, sample), sample))
    if drawn.problems:
        raise DataError(f"{data.title}: {' '.join(drawn.problems)}")
    errors = drawn.scores[[axis.values.index(repr(kernel)) for kernel in own]]  # two may be one on these rows
    return Compared(sample.n, own, errors, measure, drawn.test_over_train)


def imputed(kernel: Kernel, data: Dataset) -> Kernel:
    """Return the kernel around rows without missing values: as the data say, unless the kernel imputes itself."""
    if not data.fill or any(part.fills_gaps for part in kernel.walk()):
        return kernel
    return normal_form(Imputed(kernel, strategy=data.fill))
