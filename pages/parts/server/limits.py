"""Time limits of the pages, in one table.

What a page computes at once, behind the page, or only after a click depends on estimates measured on this machine.
Tests must not depend on these: the environment variable KERNLIB_COMPUTE replaces the table, by "always" (compute
without a click), "stepwise" (the same, one value a tick), or "ask" (offer a button first).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import inf

#: Seconds between two drawings of a part whose work goes on.
TICK = 0.4
#: Seconds in which a browser draws a main picture.
DRAW = 0.12
#: Seconds after which a job is stopped that no page looks at.
UNWATCHED = 120.0
#: Seconds after which the reading of a file ends, and the computation of a figure or an answer of a lesson.
READING, LESSON = 60.0, 30.0
#: What a page says where a computation finds no memory.
NO_MEMORY = "The server has too little memory for this. Take fewer rows, or add landmarks as the kernel's last step."


@dataclass(frozen=True)
class Limits:
    """Estimated seconds up to which work is done in one of these ways."""

    #: The page itself computes the Gram matrix, and a newer click waits for it.
    page: float = 1.0
    #: A view evaluates a kernel again, such as the criteria at each value.
    view: float = 20.0
    #: A Gram matrix is computed behind the page without a button.
    matrix: float = 30.0
    #: All values of a what-if curve or all cells of a sheet are computed without a button.
    values: float = 30.0
    #: A run on the Error curves page starts without a button.
    run: float = 2.0
    #: A tick computes further values: Streamlit fades a part that is late by half a second.
    slice: float = 0.3


def late_reading(name: str) -> str:
    """Return what a page says of a file whose reading was stopped."""
    return f"{name[:100]}: reading took longer than {READING:.0f} seconds and was stopped. Use a part of the file."


_TABLE = {
    "": Limits(),
    "always": Limits(page=600.0, view=600.0, matrix=inf, values=inf, run=inf),
    "stepwise": Limits(page=600.0, view=600.0, matrix=inf, values=inf, run=inf, slice=1e-3),
    "ask": Limits(page=600.0, view=600.0, matrix=0.0, values=0.0, run=0.0),
}


def limits() -> Limits:
    """Return the time limits of this server."""
    return _TABLE[os.environ.get("KERNLIB_COMPUTE", "")]
