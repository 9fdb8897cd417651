"""Several kernels mixed by their alignment with the training labels, beside the best single one on the same splits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis import centred_alignment
from ..core.base import Kernel, Memo
from ..core.steps import normal_form
from ..data import Dataset
from ..errors import ParameterError
from ..experiments.running.sweep import labels_of
from ..kernels.mixture import Mixture
from ..numerics.blas import one_blas_thread
from ..statistics import Difference, paired_difference
from ..values.arrays import Array
from ..values.labels import read_labels
from ..values.words import number, short_chains
from .compared import HALVES, Compared, compare_kernels, imputed
from .find import ROWS, halves, looked_at, raceable

#: A kernel with at least this share of the mixture is all of it.
_ALL = 0.99


@dataclass(frozen=True, eq=False)
class Mixing:
    """Kernels and their mixture, which is the last of `names`, on the same splits.

    `mixture` with weights learnt from each training part; `shares` (splits, m) of each kernel in it: weight times mean
    k(x, x), summing to one; `alignments` (splits, m + 1) with the labels of the test rows; `errors` of all m + 1.
    """

    mixture: Mixture
    names: tuple[str, ...]
    shares: Array
    alignments: Array
    errors: Compared

    @property
    def missing(self) -> int:
        """Return the number of splits that are not computed yet."""
        return int((~np.isfinite(self.errors.errors)).any(axis=0).sum())

    @property
    def best(self) -> int:
        """Return the place of the single kernel with the smallest error."""
        return int(self.errors.errors[:-1].mean(axis=1).argmin())

    @property
    def difference(self) -> Difference:
        """Return the error of the mixture less that of the best single kernel, over the splits."""
        *single, mixed = self.errors.errors
        return paired_difference(mixed, single[self.best], self.errors.test_over_train)

    def in_words(self) -> str:
        """Return in sentences whether mixing helps."""
        best, mean = self.best, self.errors.errors.mean(axis=1)
        given = f"the mixture {self.errors.in_words(float(mean[-1]))}, {self.names[best]} alone "
        given += self.errors.in_words(float(mean[best]))
        difference, whole = self.difference, self.shares.mean(axis=0)
        if not difference.separable:
            verdict = f"Mixing does not help here. Errors: {given}; the difference is not significant"
        else:
            helps = "helps" if difference.mean < 0 else "does harm"
            verdict = f"Mixing {helps} here. Errors: {given}; the difference is significant"
        verdict += f" (p = {number(difference.p_value, 2)})."
        if whole.max() >= _ALL:
            return f"{verdict} Nearly all of the mixture is {self.names[int(whole.argmax())]}."
        return verdict if difference.separable else f"{verdict} This is usual: kernels that agree share their weight."


def mix_kernels(
    data: Dataset,
    kernels: Sequence[Kernel],
    *,
    rows: int = ROWS,
    splits: int = HALVES,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Mixing]:
    """Yield the kernels and their mixture after every random half, the complete comparison last.

    Weights are learnt from the training half alone (ALIGNF). Alignments are those of the test half's Gram matrix.
    Errors are as in `compare_kernels`: C is tuned by cross-validation inside the training half.

    Parameters: `kernels`, two or more that read these rows; `rows` of a larger set that are drawn; `splits` halves.
    Raises ParameterError for fewer kernels, DataError where the rows cannot be compared.
    Reference: Cortes, Mohri, Rostamizadeh, JMLR 13, 2012.

    >>> from kernlib import RBF, Linear
    >>> from kernlib.data import load_dataset
    >>> *_, found = mix_kernels(load_dataset("banana"), (Linear(), RBF(sigma=0.5)), rows=80, splits=3)
    >>> found.names, found.shares.mean(axis=0).round(1).tolist()
    (('Linear', 'RBF(0.5)', 'mixture'), [0.0, 1.0])
    """
    chosen = tuple(dict.fromkeys(kernels))
    if len(chosen) < 2:
        raise ParameterError(f"mix_kernels: expected two kernels or more; got {len(chosen)}. Add another kernel.")
    sample = looked_at(data, rows)
    sample = raceable(sample)[0] or sample
    mixture = Mixture(tuple(imputed(kernel, sample) for kernel in chosen), weights="alignment")
    shares, alignments = _on_halves(sample, mixture, splits)
    names = (*short_chains([" → ".join(kernel.chain()) for kernel in chosen]), "mixture")
    every = (*mixture.kernels, mixture)
    for compared in compare_kernels(sample, every, rows=sample.n, splits=splits, cancelled=cancelled):
        yield Mixing(mixture, names, shares, alignments, compared)


def _on_halves(data: Dataset, mixture: Mixture, splits: int) -> tuple[Array, Array]:
    """Return the share of each kernel, (splits, m), and the alignments on test rows, (splits, m + 1)."""
    y, task = labels_of(data)
    targets = read_labels(y, task).targets
    memo: Memo = {}
    shares, alignments = [], []
    with one_blas_thread():
        bound = Mixture(tuple(normal_form(kernel) for kernel in mixture.kernels), "alignment").bind(data.inputs, memo)
        for _, train, test in halves(data, splits).splits(y, task=task, groups=data.groups):
            fitted: Any = bound.fold(train, None, y[train]).kernel
            weights = np.array(fitted.used_weights())
            sizes = weights * [np.abs(kernel.diag(train)).mean() for kernel in fitted.kernels]
            matrices = [kernel.gram(test, None) for kernel in fitted.kernels]
            mixed = fitted.gram(test, None)
            shares.append(sizes / sizes.sum())
            alignments.append([centred_alignment(K, targets[test]) for K in (*matrices, mixed)])
    return np.array(shares), np.array(alignments)
