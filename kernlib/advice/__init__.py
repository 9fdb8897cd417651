"""Which kernel suits a data set: a declared grid of settings, quick errors for all of them, a race of the best."""

from .candidates import Setting, candidates
from .find import (
    FEW,
    ROWS,
    SCORES,
    SECONDS,
    Advice,
    Found,
    advise,
    alike,
    described,
    outer_error,
    proposed_measure,
    search,
)
from .measuring import RUN_ROWS, follow_up
from .report import described_best, verdict

__all__ = [
    "FEW",
    "ROWS",
    "RUN_ROWS",
    "SCORES",
    "SECONDS",
    "Advice",
    "Found",
    "Setting",
    "advise",
    "alike",
    "candidates",
    "described",
    "described_best",
    "follow_up",
    "outer_error",
    "proposed_measure",
    "search",
    "verdict",
]
