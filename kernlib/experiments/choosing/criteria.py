"""Criteria that need one Gram matrix and no test rows, compared with an error curve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...analysis.gram import centred_alignment
from ...analysis.relevant import relevant_dimension
from ...analysis.spectrum import decompose
from ...core.base import Kernel
from ...core.steps import normal_form
from ...data import Dataset
from ...errors import DegenerateError, KernlibError, ParameterError
from ...statistics import rank_correlation
from ...values.arrays import Array
from ...values.labels import read_labels
from ...values.notebook import Pictured
from ..outcome.curve import Curve
from ..running.folds import Group
from ..running.single import require_single
from ..running.sweep import labels_of, matching
from ..spec import RunSpec
from .selection import leave_one_out


class Agreement(NamedTuple):
    """How far a criterion orders values as a measured score does.

    Spearman's rank correlation `rho` with its 95% interval, nan where it cannot be told; 1 is the same order. `loss` is
    how much worse the score is at the criterion's best value than at the best of all, ≥ 0.
    """

    rho: float
    low: float
    high: float
    loss: float


@dataclass(frozen=True, eq=False, repr=False)
class Criteria(Pictured):
    """Criteria per value of the axis, (values,) each, nan where the kernel could not be evaluated.

    `likelihood` −log ℓ(d̂) of the relevant dimension `dimension` (small is good); `alignment` centred
    alignment with the labels (large is good); `ridge_loo` the leave-one-out squared error of kernel
    ridge regression (small is good), at the machine's ridge or, for other machines, the best ridge.
    All rows and their labels are used: the criteria choose, they do not test.
    """

    _drawn_by: ClassVar[str] = "curves.criteria_lines"

    values: tuple[Any, ...]
    likelihood: Array
    dimension: Array
    alignment: Array
    ridge_loo: Array
    problems: tuple[str, ...] = ()

    #: Name, attribute, and whether small values are good.
    NAMES = (
        ("−log likelihood of the relevant dimension", "likelihood", True),
        ("centred alignment with the labels", "alignment", False),
        ("leave-one-out error of kernel ridge regression", "ridge_loo", True),
    )

    #: The same in a sentence.
    SHORT: ClassVar[dict[str, str]] = dict(
        zip((name for name, _, _ in NAMES), ("−log ℓ", "alignment", "leave-one-out error"), strict=True)
    )

    @property
    def by_name(self) -> dict[str, Array]:
        """Return the criteria by the names in a figure."""
        return {name: getattr(self, attribute) for name, attribute, _ in self.NAMES}

    @property
    def smaller_is_better(self) -> dict[str, bool]:
        """Return whether small values are good, by name."""
        return {name: small for name, _, small in self.NAMES}

    def agreement(self, curve: Curve, draws: int = 1000, seed: int = 0) -> dict[str, Agreement]:
        """Return how far each criterion orders the values as the curve's mean score does, small being good for both.

        The interval is of the correlation over `draws` of the means: normal, with the covariance of the splits, which
        is corrected for the rows that they share (Nadeau and Bengio 2003); it also holds the same interval without the
        bias of the draws. Values without a criterion or a score are left out.
        Raises ParameterError if the curve has other values.
        """
        if curve.values != self.values:
            raise ParameterError(
                f"Criteria.agreement: the curve must have the same values; got {len(curve.values)} values where "
                f"{len(self.values)} were expected. Compute both from one spec."
            )
        return {
            name: _agreement(getattr(self, attribute) * (1 if small else -1), curve, draws, seed)
            for name, attribute, small in self.NAMES
        }


def _agreement(criterion: Array, curve: Curve, draws: int, seed: int) -> Agreement:
    from scipy.stats import rankdata

    scores = curve.scores if curve.lower_is_better else -curve.scores
    mean = curve.mean if curve.lower_is_better else -curve.mean
    known = np.isfinite(criterion) & np.isfinite(mean)
    rho = rank_correlation(criterion[known], mean[known])
    loss = float(mean[known][np.argmin(criterion[known])] - mean[known].min()) if known.any() else np.nan
    whole = scores[known][:, np.isfinite(scores[known]).all(axis=0)]
    splits = whole.shape[1]
    if splits < 2 or not np.isfinite(rho):
        return Agreement(rho, np.nan, np.nan, loss)
    spread = np.sqrt((1 / splits + curve.test_over_train) / (splits - 1))
    noise = np.random.default_rng(seed).normal(size=(draws, splits)) @ (whole - whole.mean(axis=1, keepdims=True)).T
    drawn = rankdata(mean[known] + spread * noise, axis=1)
    drawn -= drawn.mean(axis=1, keepdims=True)
    ranks = rankdata(criterion[known])
    ranks -= ranks.mean()
    size = np.linalg.norm(drawn, axis=1) * np.linalg.norm(ranks)
    low, middle, high = np.quantile((drawn @ ranks)[size > 0] / size[size > 0], [0.025, 0.5, 0.975])
    bias = 2 * (rho - middle)  # noise takes every correlation towards 0
    return Agreement(
        rho, max(-1.0, float(min(low, low + bias, rho))), min(1.0, float(max(high, high + bias, rho))), loss
    )


def cheap_criteria(
    spec: RunSpec, data: Dataset | None = None, *, cancelled: Callable[[], bool] = lambda: False
) -> Criteria:
    """Return −log ℓ(d̂), alignment and leave-one-out ridge error for every value of the axis.

    Each different kernel needs one Gram matrix and one decomposition; kernels that learn are fitted on all rows. The
    machine's parameters change the third criterion alone. Tuning is left out.
    Raises as `sweep`; a kernel that cannot be evaluated has nan and a problem.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import Axis
    >>> spec = RunSpec("breast-cancer-10", RBF(), axis=Axis("kernel.sigma", (0.01, 1.0)))
    >>> criteria = cheap_criteria(spec)
    >>> bool(criteria.likelihood[1] < criteria.likelihood[0]), bool(criteria.alignment[1] > criteria.alignment[0])
    (True, True)
    """
    require_single(spec, "cheap_criteria")
    data = matching(spec, data)
    y, task = labels_of(data)
    labels = read_labels(y, task, owner="cheap_criteria")
    columns: dict[Kernel, list[int]] = {}
    for column, value in enumerate(spec.values):
        columns.setdefault(normal_form(spec.at(value)[0]), []).append(column)
    group = Group((), tuple(columns)).bind(data.inputs, {})
    table = np.full((4, len(spec.values)), np.nan)
    problems: dict[str, None] = {}
    for place, fold in group.folds(list(range(len(columns))), np.arange(data.n), None, y):
        if cancelled():
            break
        try:
            if isinstance(fold, str):
                raise DegenerateError(fold)
            decomposition = decompose(fold.K, owner="cheap_criteria")
            relevant = relevant_dimension(fold.K, y, task=task, decomposition=decomposition, centred=True)
            alignment = centred_alignment(fold.K, labels.targets)
        except KernlibError as error:
            problems[str(error)] = None
            continue
        for column in columns[group.kernels[place]]:
            machine = spec.at(spec.values[column])[1]
            try:
                loo = leave_one_out(decomposition, labels, machine)
            except KernlibError as error:
                problems[str(error)] = None
                continue
            table[:, column] = relevant.minimum, relevant.dimension, alignment, loo
    return Criteria(spec.values, table[0], table[1], table[2], table[3], tuple(problems))
