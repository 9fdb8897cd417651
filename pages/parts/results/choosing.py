"""The comparison of kernels for the data in view: what it was asked, its job behind the page, and its cached parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from kernlib import Kernel, KernlibError, parse
from kernlib.advice import (
    Comparison,
    Setting,
    can_nest,
    candidates,
    looked_at,
    search,
)
from kernlib.data import Dataset
from kernlib.machines import Machine
from pages.parts.server.caching import known
from pages.parts.server.jobs import Task, own_tasks, start_stream
from pages.parts.session.state import current, machine_of, proposed_machine

#: The control that holds the kernels that were kept, the separator of two of them, and how many are kept.
KEPT, _BETWEEN, _MOST_KEPT = "choose.kept", " | ", 6
#: Seconds after which a comparison ends with what is known by then.
SECONDS = 120.0


@dataclass(frozen=True)
class Asked:
    """The key of a comparison: digest and fill of the data, machine, kernels asked for."""

    digest: str
    fill: str
    machine: str
    own: tuple[str, ...]


def kept() -> tuple[Kernel, ...]:
    """Return the kernels that were kept for comparison, each once; a text that cannot be read is left out."""
    kernels = []
    for text in current().controls.get(KEPT, "").split(_BETWEEN):
        with suppress(KernlibError):
            kernels.append(parse(text))
    return tuple(dict.fromkeys(kernels))


def kept_text(kernels: Sequence[Kernel]) -> str | None:
    """Return kernels as the control has them; None without any."""
    return _BETWEEN.join(map(repr, kernels[-_MOST_KEPT:])) or None


def fitting(data: Dataset) -> tuple[Kernel, ...]:
    """Return the kept kernels that read these rows."""
    return tuple(kernel for kernel in kept() if kernel.can_read(data.domain))


def asked(data: Dataset, own: Sequence[Kernel] = ()) -> Asked:
    """Return the key of a comparison of these rows."""
    return Asked(data.digest, data.fill, repr(machine(data)), tuple(map(repr, own)))


def machine(data: Dataset) -> Machine | None:
    """Return the machine that a person chose in place of the suggested one; None where only its C, which is tuned."""
    proposed, chosen = proposed_machine(data), machine_of(data)
    if type(chosen) is type(proposed) and hasattr(chosen, "C"):
        chosen = replace(chosen, C=proposed.C)  # type: ignore[attr-defined,call-arg]
    return None if chosen == proposed else chosen


def job_of(data: Dataset) -> Task | None:
    """Return this session's comparison of these rows with the kept kernels, or else the one without them."""
    own, tasks = fitting(data), own_tasks("streams")
    keys = (asked(data, own[:count]) for count in reversed(range(len(own) + 1)))
    return next((tasks[key] for key in keys if key in tasks), None)


def start(data: Dataset) -> None:
    """Compare kernels behind the page, or go on with what a comparison lacks: kernels, rounds, nested splits."""
    own = fitting(data)
    key = asked(data, own)
    others = (task for one, task in reversed(own_tasks("streams").items()) if replace(one, own=key.own) == key)
    earlier = job_of(data) or next(others, None)
    known: Comparison | None = None if earlier is None else earlier.latest
    seconds = math.inf if is_untested(earlier, data) else SECONDS
    work = partial(search, data, seconds=seconds, own=own, machine=machine(data), known=known, nested=True)
    start_stream(key, work, known)


def is_complete(job: Task | None, data: Dataset) -> bool:
    """Return whether nothing is left to compute: the race is over, and every kept kernel is in it."""
    found: Comparison | None = None if job is None else job.latest
    if found is None or found.stage != "done" or (found.race is not None and not found.race.over):
        return False
    return len(found.settings) == found.total and all(found.named(kernel) for kernel in fitting(data))


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
