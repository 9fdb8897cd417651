"""What a run keeps in memory, added up before anything is allocated."""

from __future__ import annotations

from collections.abc import Iterable

from ..base import Kernel
from ..budget import memory_budget
from ..errors import DataError
from ..steps import normal_form
from .folds import Group

__all__ = ["bytes_needed", "check_memory"]


def bytes_needed(groups: Iterable[Group], n: int, train: int, test: int, jobs: int = 1) -> int:
    """An (n, n) matrix for every kernel that learns nothing, and what the folds at work hold.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import RunSpec
    >>> from kernlib.experiments.folds import groups
    >>> bytes_needed(groups(RunSpec("colon", RBF())), n=62, train=31, test=31) // 8
    11532
    """
    matrices: set[Kernel] = set()
    for group in groups:
        for kernel in group.kernels:
            _looked_up(normal_form(kernel), matrices)
    # A fold: the slice, its image, the machine's copy and a temporary; (m, n) twice.
    return 8 * (len(matrices) * n * n + jobs * (4 * train * train + 4 * test * train))


def _looked_up(kernel: Kernel, found: set[Kernel]) -> None:
    if kernel.fitted:
        found.add(kernel)
        found.update(_leaves(kernel))
        return
    for below in kernel._needs:
        _looked_up(below, found)


def _leaves(kernel: Kernel) -> set[Kernel]:
    if not kernel.children:
        return {kernel}
    return {leaf for child in kernel.children for leaf in _leaves(child)}


def check_memory(needed: int, n: int, budget: int | None = None) -> None:
    """DataError, with the sample size that would fit, where a run needs more than the budget."""
    budget = memory_budget() if budget is None else budget
    if needed <= budget:
        return
    fits = max(2, int(n * (budget / needed) ** 0.5))
    raise DataError(
        f"The run needs {needed / 2**30:.3g} GiB for its Gram matrices over {n} rows; expected at most "
        f"{budget / 2**30:.3g} GiB. Take a sample of at most {fits} rows, or vary fewer values of the kernel."
    )
