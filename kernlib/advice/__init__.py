"""Which kernel suits a data set: a declared grid of settings, quick errors for all of them, a race of the best."""

from .candidates import Setting, candidates
from .find import (
    FEW,
    OWN,
    ROWS,
    SCORES,
    SECONDS,
    Advice,
    Found,
    advise,
    alike,
    described,
    looked_at,
    outer_error,
    outer_scores,
    proposed_measure,
    search,
)
from .measuring import RUN_ROWS, follow_up
from .record import orders_in_words, record, regrets_in_words
from .report import beats_guessing, described_best, expected, first_two, guessing, headline, stages, verdict
from .writing import markdown, methods, page, sections, title_of

__all__ = [
    "FEW",
    "OWN",
    "ROWS",
    "RUN_ROWS",
    "SCORES",
    "SECONDS",
    "Advice",
    "Found",
    "Setting",
    "advise",
    "alike",
    "beats_guessing",
    "candidates",
    "described",
    "described_best",
    "expected",
    "first_two",
    "follow_up",
    "guessing",
    "headline",
    "looked_at",
    "markdown",
    "methods",
    "orders_in_words",
    "outer_error",
    "outer_scores",
    "page",
    "proposed_measure",
    "record",
    "regrets_in_words",
    "search",
    "sections",
    "stages",
    "title_of",
    "verdict",
]
