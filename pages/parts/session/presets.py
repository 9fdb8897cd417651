"""Kernels to begin with, as `kernlib.experiments.proposals` finds them, kept by data and kernel."""

from __future__ import annotations

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.experiments import proposals
from pages.parts.server.caching import known

#: The kernel made ready for a data set.
prepared = known()(proposals.prepared)


def default_kernel(data: Dataset) -> Kernel:
    """Return the suggested kernel when a data set is chosen."""
    return prepared(proposals.presets_for(data)[0].kernel, data)
