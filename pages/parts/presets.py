"""Kernels to begin with, as `kernlib.experiments.proposals` finds them, kept by data and kernel."""

from __future__ import annotations

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.experiments import proposals

from .caching import cached

__all__ = ["default_kernel", "settled"]


def default_kernel(data: Dataset) -> Kernel:
    """What is proposed when a data set is chosen."""
    return settled(proposals.presets_for(data)[0].kernel, data)


def settled(kernel: Kernel, data: Dataset) -> Kernel:
    """The kernel made ready for this data."""
    return _settled(data, kernel, data.fill)


@cached(64)
def _settled(data: Dataset, kernel: Kernel, fill: str) -> Kernel:
    return proposals.settled(kernel, data)
