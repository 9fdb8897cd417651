"""Which kernel suits a data set: a declared grid of settings, quick errors for all of them, a race of the best."""

from ..kinds import Setting
from .candidates import candidates, read_settings, settings_text
from .compared import Compared, compare_kernels
from .find import (
    OWN,
    ROWS,
    Advice,
    Comparison,
    advise,
    can_nest,
    described_best,
    looked_at,
    nested_losses,
    proposed_measure,
    raceable,
    recommended,
    search,
)
from .measuring import follow_up
from .report import (
    REGRETS,
    beats_guessing,
    expected,
    expected_in_words,
    guessing,
    headline,
    information_in_words,
    preliminary,
    stages,
    verdict,
)
from .writing import machine_sections, markdown, methods, page, run_sections, sections, title_of

__all__ = [
    "OWN",
    "REGRETS",
    "ROWS",
    "Advice",
    "Compared",
    "Comparison",
    "Setting",
    "advise",
    "beats_guessing",
    "can_nest",
    "candidates",
    "compare_kernels",
    "described_best",
    "expected",
    "expected_in_words",
    "follow_up",
    "guessing",
    "headline",
    "information_in_words",
    "looked_at",
    "machine_sections",
    "markdown",
    "methods",
    "nested_losses",
    "page",
    "preliminary",
    "proposed_measure",
    "raceable",
    "read_settings",
    "recommended",
    "run_sections",
    "search",
    "sections",
    "settings_text",
    "stages",
    "title_of",
    "verdict",
]
