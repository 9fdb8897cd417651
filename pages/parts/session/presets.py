"""Kernels to begin with, as `kernlib.experiments.proposals` finds them, kept by data and kernel."""

from __future__ import annotations

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.experiments import proposals
from pages.parts.server.caching import known


def default_kernel(data: Dataset) -> Kernel:
    """Return the suggested kernel when a data set is chosen."""
    return prepared(proposals.presets_for(data)[0].kernel, data)


def prepared(kernel: Kernel, data: Dataset) -> Kernel:
    """Return the kernel made ready for this data."""
    return _prepared(data, kernel, data.fill)


@known()
def _prepared(data: Dataset, kernel: Kernel, fill: str) -> Kernel:
    return proposals.prepared(kernel, data)
