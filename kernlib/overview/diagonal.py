"""A large diagonal: whether it harms is decided by the errors on test rows, never by its size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..analysis.doctor import LARGE_DIAGONAL, Finding
from ..protocols import HalvesErrors
from .sentence import errors_in_words


def with_diagonal(findings: Sequence[Finding], errors: HalvesErrors | None) -> tuple[Finding, ...]:
    """Return the doctor's findings with what the errors on halves mean for a large diagonal.

    In d dimensions two clouds have a ratio of diagonal and off-diagonal entries that grows with d, while the classes
    may stay far apart: a large diagonal is sound where a machine learns. Whether a power helps is not stated, because
    it is not measured here. Reference: Schölkopf and others 2002, sections 2 and 3.
    """
    if errors is None:
        return tuple(findings)
    words = errors_in_words(errors, large_diagonal=True)
    meaning = f"Trained on {errors.trained} rows, {words}."
    sound = errors.verdict == "learns"
    return tuple(
        replace(f, meaning=meaning, sound=sound, remedies=() if sound else f.remedies)
        if f.name == LARGE_DIAGONAL
        else f
        for f in findings
    )
