"""What a page computes itself, and long work behind it: one table of seconds, the rows of a view, one registry.

What a page computes at once, behind the page, or only after a click depends on estimates measured on this machine.
Tests must not depend on these: the environment variable KERNLIB_COMPUTE replaces the table, by "always" (compute
without a click), "stepwise" (the same, one value a tick), or "ask" (offer a button first).

Helper processes at low priority do the work, so that pages stay quick. A worker thread here collects their results,
never calls Streamlit, and stops when no page has looked at the job for two minutes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import logging
import os
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, TypeVar

import numpy as np
import streamlit as st

from kernlib import Kernel, KernlibError
from kernlib.analysis.spectrum import decompose
from kernlib.data import Dataset
from kernlib.experiments import (
    FoldResult,
    RunSpec,
    gram_in_subprocess,
    in_subprocess,
    memory_budget,
    short_rows,
    value_in_subprocess,
    warm,
)
from kernlib.experiments import sweep_in_subprocess as sweep
from kernlib.values.words import seconds_in_words
from kernlib.wrappers.landmarks import landmarks_of
from pages.parts.server.caching import NO_MEMORY, UNWATCHED, is_upload
from pages.parts.server.runs import computed, kept

#: Seconds in which a browser draws a main picture.
DRAW = 0.12
#: Seconds after which the reading of a file ends, and the computation of an answer of a lesson.
READING = 60.0


@dataclass(frozen=True)
class Limits:
    """Estimated seconds up to which work is done in one of these ways."""

    #: The page itself computes the Gram matrix, and a newer click waits for it.
    page: float = 1.0
    #: A view evaluates a kernel again, such as the criteria at each value.
    view: float = 20.0
    #: A Gram matrix is computed behind the page without a button.
    matrix: float = 30.0
    #: The matrix of one of a slider's values: those that take longer are drawn where all take no longer than `matrix`.
    value: float = 5.0
    #: A run on the Error curves page starts without a button.
    run: float = 2.0
    #: A tick computes further values: Streamlit fades a part that is late by half a second.
    slice: float = 0.3


def late_reading(name: str) -> str:
    """Return what a page says of a file whose reading was stopped."""
    return f"{name[:100]}: reading took longer than {READING:.0f} seconds and was stopped. Use a part of the file."


_TABLE = {
    "": Limits(),
    "always": Limits(page=600.0, view=600.0, matrix=inf, run=inf),
    "stepwise": Limits(page=600.0, view=600.0, matrix=inf, run=inf, slice=1e-3),
    "ask": Limits(page=600.0, view=600.0, matrix=0.0, run=0.0),
}


def limits() -> Limits:
    """Return the time limits of this server."""
    return _TABLE[os.environ.get("KERNLIB_COMPUTE", "")]


#: Rows in one view without landmarks: a Gram matrix of this size takes 72 MB and a second to decompose.
MAX_ROWS = 3000
#: Arrays with a number for each row and landmark: factors and eigenvectors of two kernels, and temporary ones.
_ARRAYS = 10
#: Rows in the pictures of a larger view.
SAMPLE = 1000
#: Landmarks of the kernel that a page offers for large data.
LANDMARKS = 300


@dataclass(frozen=True, eq=False)
class Sample(Dataset):
    """The rows of a large data set that its pictures show: `places` are their numbers in `whole`.

    The sample is stratified and drawn once for a data set. Its digest differs from that of the same rows as a data set
    of their own: here a kernel with landmarks has learnt from all rows of `whole`.
    """

    whole: Dataset | None = None
    places: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.whole is not None:
            mark = f"{self.whole.digest} shown by {len(self.places)}"
            object.__setattr__(self, "digest", hashlib.sha256(mark.encode()).hexdigest())


def most_rows(kernel: Kernel | None = None) -> int:
    """Return the largest number of rows in one view with this kernel.

    A kernel whose last step is landmarks is limited by the memory of its factor. Without a kernel the limit is that of
    a kernel with `LANDMARKS` landmarks.
    """
    landmarks = LANDMARKS if kernel is None else landmarks_of(kernel) if kernel.has_factor else 0
    if not landmarks:
        return MAX_ROWS
    numbers = memory_budget() // 8 - 4 * landmarks**2  # four matrices of the landmarks
    rows = max(MAX_ROWS, numbers // (_ARRAYS * landmarks))
    digits = 10 ** (len(str(rows)) - 2)  # no more precise than the estimate
    return int(rows // digits * digits)


def is_large(data: Dataset) -> bool:
    """Return whether a page shows only a sample of these rows."""
    return data.n > MAX_ROWS


def shown(data: Dataset) -> Dataset:
    """Return the rows that pictures show: all of them, or a stratified `Sample`."""
    return sampled(data, SAMPLE) if is_large(data) else data


def sampled(data: Dataset, rows: int) -> Sample:
    """Return a stratified `Sample` with this number of rows."""
    places = data.stratified_rows(rows)
    part = data.take(places)
    given = {f.name: getattr(part, f.name) for f in dataclasses.fields(Dataset) if f.init}
    return Sample(**given, whole=data, places=places)


def whole_of(data: Dataset) -> Dataset:
    """Return the data set of all rows."""
    return data.whole if isinstance(data, Sample) and data.whole is not None else data


_log = logging.getLogger(__name__)

#: Runs of sample data that any session may see when they are finished.
_FINISHED = 64
#: Tasks of each name that a session keeps: a matrix may take 72 MB.
_MOST = {"runs": 16, "streams": 6, "matrices": 2, "spectra": 1}


@dataclass(eq=False)
class Task:
    """Work of a session behind its pages: its state, its result so far, and when a page last looked at it."""

    #: The result so far, None before the first.
    latest: Any = None
    #: Finished parts and all of them; None where only the time is known.
    parts: tuple[int, int] | None = None
    #: What begins the work where a page looks at it for the second time: a slider that moves has replaced it by then.
    rest: Callable[[], object] | None = None
    words: str = ""
    #: The estimated seconds; 0 where they are not known.
    estimate: float = 0.0
    state: Literal["waiting", "running", "done", "stopped", "failed"] = "waiting"
    problem: str = ""
    started: float = 0.0
    seconds: float = 0.0
    looks: int = 0
    seen: float = field(default_factory=time.monotonic)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def active(self) -> bool:
        return self.state in ("waiting", "running")

    def cancelled(self) -> bool:
        return self.stop.is_set() or time.monotonic() - self.seen > UNWATCHED

    def passed(self) -> float:
        """Return the seconds since the work started."""
        return time.monotonic() - self.started if self.state == "running" else self.seconds

    def count(self, done: int, total: int) -> None:
        """Record the number of finished parts, and of all."""
        self.parts = done, total

    def value(self) -> Any:
        return self.latest

    def done(self) -> bool:
        return not self.active

    def failure(self) -> KernlibError | None:
        return KernlibError(self.problem) if self.state == "failed" else None

    def work(self, seconds: float = 0.0) -> None:
        self.seen = time.monotonic()
        self.looks += 1
        if self.looks > 1 and self.rest is not None:
            begin, self.rest = self.rest, None
            begin()

    def progress(self) -> tuple[float, str]:
        """Return the share that is done, and that in words."""
        if self.state == "waiting" and self.rest is None:
            return 0.0, "Waiting for the server: others compute"
        done, total = self.parts or (min(self.passed(), 0.97 * self.estimate), self.estimate)
        expected = f" of {seconds_in_words(self.estimate)}" if self.estimate else ""
        words = f"{done:,} of {total:,}" if self.parts else f"{self.passed():.0f} s{expected}"
        return done / max(1, total), f"{self.words}: {words}" if self.words else words


@dataclass(eq=False)
class Job(Task):
    """One run: its spec, and the fold results so far."""

    spec: RunSpec = field(kw_only=True)
    latest: list[FoldResult] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Return the number of fold results of a complete run."""
        return (len(self.spec.values) + (self.spec.reference is not None)) * self.spec.splits

    @property
    def results(self) -> list[FoldResult]:
        return self.latest

    def cancelled(self) -> bool:
        return len(self.latest) < self.total and super().cancelled()

    def progress(self) -> tuple[float, str]:
        self.count(len(self.latest), self.total)
        share, words = super().progress()
        return share, words if self.state == "waiting" else f"{words} points"


_T = TypeVar("_T", bound=Task)
#: Yields the results of a task, each better than the one before.
States = Callable[[], Iterator[Any]]


class Registry:
    """The places of the server for work, the tasks that were begun there, and the finished runs of sample data."""

    def __init__(self, workers: int = 2) -> None:
        self._workers = threading.Semaphore(workers)
        # One at a time: the other cores serve pages.
        self.solver = threading.Semaphore(1)
        self._lock = threading.Lock()
        self.tasks: list[Task] = []
        self.finished: OrderedDict[Hashable, Job] = OrderedDict()

    def submit(self, task: Task, states: States) -> None:
        """Begin a task, after those that wait."""
        with self._lock:
            self.tasks = [*(other for other in self.tasks if other.active), task]
        _begin(self._workers, task, states)


def start_run(spec: RunSpec, data: Dataset) -> Job:
    """Return the job of a run: a finished one, the session's active one, or a new one that goes on from its last."""
    found, key = find_run(spec, data), (data.digest, spec.to_json())
    if found is not None and (found.state == "done" or (found.active and not found.stop.is_set())):
        for other in own_tasks("runs").values():
            if other is not found:
                other.stop.set()
        found.work()
        return found
    job = Job(latest=[] if found is None else list(found.latest), spec=spec)
    _replace("runs", key, job)
    registry().submit(job, lambda: _results_so_far(job, data))
    return job


def find_run(spec: RunSpec, data: Dataset) -> Job | None:
    """Return the session's job of a run, or a finished one of any session for the same sample."""
    key = data.digest, spec.to_json()
    job: Any = own_tasks("runs").get(key)
    return job or (None if is_upload(data) else registry().finished.get(key))


def _results_so_far(job: Job, data: Dataset) -> Iterator[list[FoldResult]]:
    done = {(r.value, r.split) for r in job.results}
    for result in sweep(job.spec, data, done=done, cancelled=job.cancelled, jobs=1 if data.n < 300 else 2):
        job.results.append(result)
        yield job.results
    if not is_upload(data) and not job.cancelled():
        _put(registry().finished, (data.digest, job.spec.to_json()), job, _FINISHED)


def start_matrix(data: Dataset, kernel: Kernel, words: str = "", seconds: float = 0.0) -> Task:
    """Start the task of this session's Gram matrix, or of the factor of a large one with its error."""
    task = _replace("matrices", _key(data, kernel), Task(words=words, estimate=seconds))

    def states() -> Iterator[Any]:
        if is_large(data):
            yield value_in_subprocess(short_rows, kernel, data, cancelled=task.cancelled)
        else:
            yield gram_in_subprocess(kernel, data, cancelled=task.cancelled, progress=task.count)

    registry().submit(task, states)
    return task


def start_stream(asked: Hashable, function: States, latest: Any = None) -> Task:
    """Start this session's stream, in place of the one that runs; `latest` is what it goes on from."""
    task = _replace("streams", asked, Task(latest=latest))
    registry().submit(task, lambda: in_subprocess(function, (), task.cancelled))
    return task


def decompose_at_rest(data: Dataset, kernel: Kernel, K: np.ndarray) -> Task:
    """Return the task of a large matrix's eigenpairs, in the place of the one before it.

    It begins when no slider moves: the computation cannot be interrupted and occupies one core.
    """
    task = _replace("spectra", _key(data, kernel), Task(words=f"Computing {len(K):,} eigenvalues"))
    solver = registry().solver
    task.rest = lambda: _begin(solver, task, lambda: iter([decompose(K)]))
    return task


def _begin(workers: threading.Semaphore, task: Task, states: States) -> None:
    """Carry out a task in a thread of its own that ends with the process, when one of the workers is free."""

    def work() -> None:
        with workers:
            _carry_out(task, states)

    threading.Thread(target=work, name="work behind a page", daemon=True).start()


def _carry_out(task: Task, states: States) -> None:
    """Do a task that is not cancelled, and record its outcome."""
    try:
        if task.cancelled():
            return
        task.state, task.started = "running", time.monotonic()
        for task.latest in states():
            task.seconds = task.passed()
        if task.latest is not None and not task.cancelled():  # a page may look again while a helper is being stopped
            task.state = "done"
    except KernlibError as error:
        task.problem, task.state = str(error), "failed"
    except MemoryError:
        task.problem, task.state = NO_MEMORY, "failed"
    except BaseException:  # the server goes on
        task.problem, task.state = "The run ended unexpectedly. The server's log has the reason.", "failed"
        _log.exception("a run ended unexpectedly")
    finally:
        if task.active:
            task.state = "stopped"


def own_tasks(name: str) -> OrderedDict[Any, Task]:
    """Return this session's tasks of a name by what was asked, the newest last; those with arrays go in an absence."""
    return (computed if name in ("matrices", "spectra") else kept)(name, OrderedDict[Any, Task])


def _replace(name: str, asked: Hashable, task: _T) -> _T:
    """Put a task in the place of this session's others of a name: they are stopped, and the last ones kept."""
    own = own_tasks(name)
    for other in own.values():
        other.stop.set()
    _put(own, asked, task, _MOST[name])
    return task


def _put(tasks: OrderedDict[Any, Any], asked: Hashable, task: Task, most: int) -> None:
    """Keep a task, and of the others the newest."""
    tasks[asked] = task
    tasks.move_to_end(asked)
    while len(tasks) > most:
        tasks.popitem(last=False)


def _key(data: Dataset, kernel: Kernel) -> Hashable:
    return data.digest, repr(kernel)


def own_task(name: str, data: Dataset, kernel: Kernel) -> Task | None:
    """Return this session's task of a name for data and kernel, if there is one."""
    return own_tasks(name).get(_key(data, kernel))


def session_id() -> str:
    """Return a name for this session."""
    return kept("session", lambda: uuid.uuid4().hex)


@st.cache_resource
def registry() -> Registry:
    """Return the one registry of this server."""
    warm()
    return Registry()
