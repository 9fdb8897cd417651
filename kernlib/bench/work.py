"""All rows of the benchmark."""

from __future__ import annotations

from . import analysis, kernels
from .case import Work

WORKS: tuple[Work, ...] = kernels.WORKS + analysis.WORKS
