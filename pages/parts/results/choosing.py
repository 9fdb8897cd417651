"""The comparison of kernels for the data in view: what it was asked, its job behind the page, and its cached parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from kernlib import Kernel, KernlibError, parse
from kernlib.advice import (
    ROWS,
    Comparison,
    Setting,
    candidates,
    looked_at,
    nested_losses,
    raceable,
    search,
)
from kernlib.data import Dataset
from kernlib.machines import Machine
from pages.parts.server.caching import cached
from pages.parts.server.jobs import Task, last_stream, registry, stream_job
from pages.parts.session.machine import machine_of, proposed_machine
from pages.parts.session.value import current

T = TypeVar("T")
#: The control that holds the kernels that were kept, and the separator of two of them.
KEPT, _BETWEEN = "choose.kept", " | "
#: The controls that hold what was taken out of the grid and added to it, and the separator of family and kernel.
WITHOUT, ADDED, _NAMED = "choose.without", "choose.added", ": "
_MOST_KEPT, _MOST_ADDED = 6, 12
#: Seconds of each budget.
BUDGETS: dict[str, float | None] = {"30 s": 30.0, "2 min": 120.0, "No limit": None}
BUDGET = "2 min"


@dataclass(frozen=True)
class Asked:
    """The key of a comparison: digest and fill of the data, rows, machine, kernels asked for, edited grid."""

    digest: str
    fill: str
    rows: int
    machine: str
    own: tuple[str, ...]
    grid: tuple[str, ...] = ()


def _listed(control: str, read: Callable[[str], T]) -> tuple[T, ...]:
    """Return what a control lists, each once; a text that cannot be read is left out."""
    values = []
    for text in current().controls.get(control, "").split(_BETWEEN):
        with suppress(KernlibError):
            values.append(read(text))
    return tuple(dict.fromkeys(values))


def kept() -> tuple[Kernel, ...]:
    """Return the kernels that were kept for comparison."""
    return _listed(KEPT, parse)


def kept_text(kernels: Sequence[Kernel]) -> str | None:
    """Return kernels as the control has them; None without any."""
    return _BETWEEN.join(map(repr, kernels[-_MOST_KEPT:])) or None


def fitting(data: Dataset) -> tuple[Kernel, ...]:
    """Return the kept kernels that read these rows."""
    return tuple(kernel for kernel in kept() if kernel.can_read(data.domain))


def asked(data: Dataset, rows: int = ROWS, own: Sequence[Kernel] = ()) -> Asked:
    """Return the key of a comparison of these rows; a number beyond theirs asks for all of them."""
    grid = tuple(f"{one.family}{_NAMED}{one.kernel!r}" for one in edited(data, rows))
    return Asked(data.digest, data.fill, min(rows, data.n), repr(machine(data)), tuple(map(repr, own)), grid)


def machine(data: Dataset) -> Machine | None:
    """Return the machine that a person chose in place of the suggested one; None where only its C, which is tuned."""
    proposed, chosen = proposed_machine(data), machine_of(data)
    if type(chosen) is type(proposed) and hasattr(chosen, "C"):
        chosen = replace(chosen, C=proposed.C)  # type: ignore[attr-defined,call-arg]
    return None if chosen == proposed else chosen


def removed() -> set[str]:
    """Return the kernels that were taken out of the grid, as texts."""
    return {text for text in current().controls.get(WITHOUT, "").split(_BETWEEN) if text}


def removed_text(kernels: Iterable[str]) -> str | None:
    """Return kernels taken out as the control has them; None without any."""
    return _BETWEEN.join(sorted(kernels)) or None


def added() -> tuple[Setting, ...]:
    """Return the settings that were added to the grid."""

    def read(text: str) -> Setting:
        family, _, words = text.partition(_NAMED)
        return Setting(family, parse(words))

    return _listed(ADDED, read)


def added_text(settings: Sequence[Setting]) -> str | None:
    """Return added settings as the control has them; None without any."""
    return _BETWEEN.join(f"{one.family}{_NAMED}{one.kernel!r}" for one in settings[-_MOST_ADDED:]) or None


def edited(data: Dataset, rows: int = ROWS) -> tuple[Setting, ...]:
    """Return the grid as it was edited, empty where it is the declared one."""
    without, more = removed(), [one for one in added() if one.kernel.can_read(data.domain)]
    if not without and not more:
        return ()
    declared = settings(data, rows)
    every = dict.fromkeys((*declared, *(one for one in more if one.kernel not in {d.kernel for d in declared})))
    left = tuple(one for one in every if repr(one.kernel) not in without)
    return () if left == declared else left


def grid(data: Dataset, rows: int = ROWS) -> tuple[Setting, ...]:
    """Return the settings that are compared for these rows."""
    return edited(data, rows) or settings(data, rows)


def job_of(data: Dataset, rows: int = ROWS) -> Task | None:
    """Return this session's comparison of these rows with the kept kernels, or else the one without them."""
    own = fitting(data)
    return stream_job("find", asked(data, rows, own)) or next(
        (job for count in reversed(range(len(own))) if (job := stream_job("find", asked(data, rows, own[:count])))),
        None,
    )


def start(data: Dataset, rows: int = ROWS, seconds: float | None = None) -> None:
    """Compare kernels behind the page, or go on with one that was stopped or that lacks some of the kernels."""
    own = fitting(data)
    key = asked(data, rows, own)
    same = replace(key, own=(), grid=())
    earlier = job_of(data, rows) or last_stream("find", lambda one: replace(one, own=(), grid=()) == same)
    known: Comparison | None = None if earlier is None else earlier.latest
    compared = {*own, *(one.kernel for one in grid(data, rows))}
    if known is not None and not {one.kernel for one in known.settings} <= compared:
        known = None  # a setting was taken out
    asked_for = partial(search, settings=edited(data, rows), own=own, machine=machine(data))
    work = partial(asked_for, data, rows, seconds=seconds, known=known, nested=True)
    registry().start_stream("find", key, work, known)


def is_complete(job: Task | None, data: Dataset, rows: int = ROWS) -> bool:
    """Return whether nothing is left to compute: the race is over, and every kept kernel is in it."""
    found: Comparison | None = None if job is None else job.latest
    if found is None or found.stage != "done" or (found.race is not None and not found.race.over):
        return False
    return len(found.settings) == found.total and all(found.named(kernel) for kernel in fitting(data))


def outer_job(data: Dataset, rows: int = ROWS) -> Task | None:
    """Return this session's nested cross-validation of the whole comparison, asked for by its button."""
    return stream_job("outer", asked(data, rows, fitting(data)))


def start_outer(data: Dataset, rows: int) -> None:
    """Repeat the whole comparison behind the page on parts of the rows, each choice tested on the others."""
    own, chosen = fitting(data), sample(data, rows)
    compared = raceable(chosen)[0] or chosen
    work = partial(nested_losses, compared, edited(data, rows), own, machine=machine(data))
    registry().start_stream("outer", asked(data, rows, own), work)


@cached(12)
def _sample(data: Dataset, rows: int, fill: str) -> Dataset:
    return looked_at(data, rows)


def sample(data: Dataset, rows: int = ROWS) -> Dataset:
    """Return the rows that are compared."""
    return _sample(data, rows, data.fill)


@cached(12, "Listing the settings…")
def _settings(data: Dataset, fill: str) -> tuple[Setting, ...]:
    return candidates(data)


def settings(data: Dataset, rows: int = ROWS) -> tuple[Setting, ...]:
    """Return the declared settings for these rows."""
    return _settings(sample(data, rows), data.fill)
