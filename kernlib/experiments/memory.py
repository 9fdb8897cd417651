"""Memory of a run, checked before allocating."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.base import Kernel
from ..core.steps import normal_form
from ..errors import DataError
from ..numerics.budget import memory_budget
from .running.folds import Group


def bytes_needed(groups: Iterable[Group], n: int, train: int, test: int, jobs: int = 1) -> int:
    """Return the bytes of an (n, n) matrix for every kernel that learns nothing, and of the folds in progress.

    For a kernel that `has_factor`, a fold holds its factor alone, with one column per landmark.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import RunSpec
    >>> from kernlib.experiments.running.folds import groups
    >>> bytes_needed(groups(RunSpec("colon", RBF())), n=62, train=31, test=31) // 8
    11532
    """
    matrices: set[Kernel] = set()
    fold = 0
    for group in groups:
        for kernel in map(normal_form, group.kernels):
            _looked_up(kernel, matrices)
            if kernel.has_factor:
                columns = min(train, landmarks_of(kernel))
                # The values against the landmarks, the factor, the machine's copies; its (m, m) matrices.
                fold = max(fold, 6 * (train + test) * columns + 4 * columns**2)
            else:
                # The slice, its transform, the machine's copy and a temporary; (m, n) twice.
                fold = max(fold, 4 * train * train + 4 * test * train)
    return 8 * (len(matrices) * n * n + jobs * fold)


def landmarks_of(kernel: Kernel) -> int:
    """Return the number of landmarks of all approximations in a kernel, 0 without any.

    >>> from kernlib import RBF, Nystrom
    >>> landmarks_of(2.0 * Nystrom(RBF(), landmarks=300) + Nystrom(RBF(), landmarks=50))
    350
    """
    return kernel.landmark_count or sum(landmarks_of(child) for child in kernel.children)


def _looked_up(kernel: Kernel, kernels: set[Kernel]) -> None:
    if kernel.fitted:
        kernels.add(kernel)
        kernels.update(leaves_of(kernel))
        return
    for below in kernel.needs:
        _looked_up(below, kernels)


def leaves_of(kernel: Kernel) -> set[Kernel]:
    """Return the kernels at the ends of a kernel's tree."""
    return {part for part in kernel.walk() if not part.children}


def check_memory(needed: int, n: int, budget: int | None = None) -> None:
    """Raise DataError, with a sample size that fits, if a run needs more than the budget."""
    budget = memory_budget() if budget is None else budget
    if needed <= budget:
        return
    fits = max(2, int(n * (budget / needed) ** 0.5))
    raise DataError(
        f"The run needs {needed / 2**30:.3g} GiB for its Gram matrices over {n} rows; expected at most "
        f"{budget / 2**30:.3g} GiB. Take a sample of at most {fits} rows, vary fewer values of the kernel, or "
        "use landmarks: Nystrom(kernel, landmarks=300)."
    )
