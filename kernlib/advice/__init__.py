"""Which kernel suits a data set: a declared grid of settings, quick errors for all of them, a race of the best."""

from ..kinds import Setting
from .candidates import candidates, read_settings, settings_text
from .find import (
    OWN,
    ROWS,
    Advice,
    Comparison,
    advise,
    alike,
    looked_at,
    outer_error,
    outer_scores,
    proposed_measure,
    search,
)
from .measuring import follow_up
from .record import orders_in_words, regrets_in_words
from .report import beats_guessing, described_best, expected, guessing, headline, stages, verdict
from .sets import (
    HALVES,
    LEVELS,
    ROPE,
    SETS_TITLE,
    MultiComparison,
    OnSet,
    compare_sets,
    sets_in_words,
    sets_sections,
)
from .writing import markdown, methods, page, sections, title_of

__all__ = [
    "HALVES",
    "LEVELS",
    "OWN",
    "ROPE",
    "ROWS",
    "SETS_TITLE",
    "Advice",
    "Comparison",
    "MultiComparison",
    "OnSet",
    "Setting",
    "advise",
    "alike",
    "beats_guessing",
    "candidates",
    "compare_sets",
    "described_best",
    "expected",
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
    "read_settings",
    "regrets_in_words",
    "search",
    "sections",
    "sets_in_words",
    "sets_sections",
    "settings_text",
    "stages",
    "title_of",
    "verdict",
]
