"""The comparison of kernels for the data in view: what it was asked, its job behind the page, and its cached parts."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

from kernlib.advice import (
    Comparison,
    Setting,
    can_nest,
    candidates,
    joined,
    looked_at,
    search,
)
from kernlib.data import Dataset
from kernlib.machines import Machine
from pages.parts.server.caching import known
from pages.parts.server.jobs import Task, own_tasks, start_stream
from pages.parts.session.state import current, is_current, machine_of, proposed_machine

#: Seconds after which a comparison ends with what is known by then.
SECONDS = 120.0


def machine(data: Dataset) -> Machine | None:
    """Return the machine that a person chose in place of the suggested one; None where only its C, which is tuned."""
    proposed, chosen = proposed_machine(data), machine_of(data)
    if type(chosen) is type(proposed) and hasattr(chosen, "C"):
        chosen = replace(chosen, C=proposed.C)  # type: ignore[attr-defined,call-arg]
    return None if chosen == proposed else chosen


def _asked(data: Dataset) -> tuple[str, str, str]:
    return data.digest, data.fill, repr(machine(data))


def job_of(data: Dataset) -> Task | None:
    """Return this session's comparison of these rows."""
    return own_tasks("streams").get(_asked(data))


def start(data: Dataset) -> None:
    """Compare kernels, the one in use among them, or go on with what a comparison lacks: kernels, rounds, splits."""
    earlier = job_of(data)
    known: Comparison | None = None if earlier is None else earlier.latest
    seconds = math.inf if is_untested(earlier, data) else SECONDS
    own = (*(() if known is None else joined(known)), current().kernel.specification)
    work = partial(search, data, seconds=seconds, own=own, machine=machine(data), known=known, nested=True)
    start_stream(_asked(data), work, known)


def is_complete(job: Task | None, data: Dataset) -> bool:
    """Return whether nothing is left to compute: the race is over, and the kernel in use takes part where it can."""
    found: Comparison | None = None if job is None else job.latest
    if found is None or found.stage != "done" or (found.race is not None and not found.race.over):
        return False
    unusable = [one for one in found.settings if found.race is None or not math.isfinite(one.squared)]
    return len(found.settings) == found.total and any(is_current(one.kernel) for one in (*found.best, *unusable))


def is_untested(job: Task | None, data: Dataset) -> bool:
    """Return whether nested cross-validation of a complete comparison is left to compute."""
    found: Comparison | None = None if job is None else job.latest
    done = found is None or (found.nested is not None and found.nested.complete)
    return not done and is_complete(job, data) and can_nest(sample(data))


#: The rows that are compared.
sample = known()(looked_at)


@known("Listing the settings…")
def settings(data: Dataset) -> tuple[Setting, ...]:
    """Return the settings that are compared for these rows."""
    return candidates(sample(data))
