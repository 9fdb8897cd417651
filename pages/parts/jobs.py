"""Long work behind the pages: one bounded executor and one registry for the whole server.

The work itself is done by helper processes at low priority, so that pages stay quick. A worker here
passes on what they find, never calls Streamlit, and gives up when nobody has looked for two minutes.
"""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import streamlit as st

from kernlib import Kernel, KernlibError
from kernlib.analysis.spectrum import Decomposition, decompose
from kernlib.data import Dataset
from kernlib.experiments import FoldResult, RunSpec, gram_apart, short_rows_apart, warm
from kernlib.experiments import sweep_apart as sweep
from kernlib.wrappers.landmarks import LandmarkError

from .caching import is_upload
from .large import is_large

__all__ = ["Job", "MatrixJob", "Registry", "SpectrumJob", "matrix_job", "registry", "session_id", "spectrum_job"]

_log = logging.getLogger(__name__)

_UNWATCHED = 120.0
_KEPT = 64
#: Matrices that a session keeps: each may take 72 MB.
_MATRICES = 2


@dataclass(eq=False)
class _Work:
    """Something that goes on behind a page: how it stands, and whether anybody wants it."""

    session: str
    state: Literal["waiting", "running", "done", "stopped", "failed"] = "waiting"
    problem: str = ""
    started: float = 0.0
    seconds: float = 0.0
    seen: float = field(default_factory=time.monotonic)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def active(self) -> bool:
        return self.state in ("waiting", "running")

    def watch(self) -> None:
        """Say that somebody is looking."""
        self.seen = time.monotonic()

    def cancelled(self) -> bool:
        return self.stop.is_set() or time.monotonic() - self.seen > _UNWATCHED

    def passed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.started if self.state == "running" else self.seconds


@dataclass(eq=False)
class Job(_Work):
    """One run: its spec, what has come so far, and whether it goes on."""

    spec: RunSpec = field(kw_only=True)
    results: list[FoldResult] = field(default_factory=list)

    @property
    def total(self) -> int:
        """How many fold results a complete run has."""
        return (len(self.spec.values) + (self.spec.reference is not None)) * self.spec.splits


@dataclass(eq=False)
class MatrixJob(_Work):
    """One Gram matrix, `K`, or the short rows of a large one with their error, `short`, once they are there.

    It belongs to the session that asked for it.
    """

    K: np.ndarray | None = None
    short: tuple[np.ndarray, LandmarkError | None] | None = None


@dataclass(eq=False)
class SpectrumJob(_Work):
    """The eigenpairs of one large matrix K, `found` once they are there, for the session that looks at it."""

    K: np.ndarray = field(kw_only=True)
    found: Decomposition | None = None
    begun: bool = False


def _shared(job: Job, data: Dataset, session: str) -> bool:
    """Whether a session may see a job's results: what comes of an upload is its own session's alone."""
    return job.session == session or not is_upload(data)


class Registry:
    """All jobs of the server; results are kept by (data, spec), so that nothing is computed twice."""

    def __init__(self, workers: int = 2) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="sweep")
        # One at a time, so that a core is left to the pages.
        self._solver = ThreadPoolExecutor(1, thread_name_prefix="spectrum")
        self._lock = threading.Lock()
        self._jobs: OrderedDict[tuple[str, str, str], Job] = OrderedDict()
        self._matrices: list[MatrixJob] = []

    def start(self, spec: RunSpec, data: Dataset, session: str) -> Job:
        """The job for this spec: a finished one, the session's running one, or one that goes on from what is there."""
        digest, text = data.digest, spec.to_json()
        with self._lock:
            for other in self._jobs.values():
                if other.session == session and other.active and other.spec != spec:
                    other.stop.set()
            same = [job for key, job in self._jobs.items() if key[:2] == (digest, text) and _shared(job, data, session)]
            for job in same:
                own = job.session == session and job.active and not job.stop.is_set()
                if job.state == "done" or own:
                    job.watch()
                    return job
            # What was computed before a stop, by whomever, is kept: the new job goes on from there.
            known = max((job.results for job in same), key=len, default=[])
            job = Job(session, spec=spec, results=list(known))
            self._jobs[digest, text, session] = job
            self._jobs.move_to_end((digest, text, session))
            while len(self._jobs) > _KEPT:
                self._jobs.popitem(last=False)[1].stop.set()
        self._pool.submit(self._run, job, data)
        return job

    def find(self, spec: RunSpec, data: Dataset, session: str) -> Job | None:
        """The session's job for this spec and data, or a finished one of anybody's who looks at the same sample."""
        text = spec.to_json()
        with self._lock:
            own = self._jobs.get((data.digest, text, session))
            same = (j for key, j in self._jobs.items() if key[:2] == (data.digest, text) and j.state == "done")
            return own or next((j for j in same if _shared(j, data, session)), None)

    def start_matrix(self, data: Dataset, kernel: Kernel) -> MatrixJob:
        """A job for this session's matrix; the one that it was waiting for gives way."""
        own = _matrix_jobs()
        job = MatrixJob(session_id())
        for other in own.values():
            other.stop.set()
        own[_key(data, kernel)] = job
        own.move_to_end(_key(data, kernel))
        while len(own) > _MATRICES:
            own.popitem(last=False)
        with self._lock:
            self._matrices = [m for m in self._matrices if m.active]
            self._matrices.append(job)
        self._pool.submit(self._evaluate, job, data, kernel)
        return job

    def wait_with_spectrum(self, data: Dataset, kernel: Kernel, K: np.ndarray) -> SpectrumJob:
        """A job for the eigenpairs of K, not begun yet; the one of the kernel that stood here before gives way."""
        own: dict[Hashable, SpectrumJob] = st.session_state.setdefault("spectra", {})
        job = SpectrumJob(session_id(), K=K)
        for other in own.values():
            other.stop.set()
        own.clear()
        own[_key(data, kernel)] = job
        return job

    def begin_spectrum(self, job: SpectrumJob) -> None:
        """Find the eigenpairs now: it cannot be interrupted, and takes a core for as long as it takes."""
        if not job.begun:
            job.begun = True
            self._solver.submit(self._decompose, job)

    def waiting_before(self, job: _Work) -> int:
        """How many jobs stand before this one in the queue."""
        with self._lock:
            everything: list[_Work] = [*self._jobs.values(), *self._matrices]
        waiting = [j for j in everything if j.state == "waiting" and not j.stop.is_set()]
        return waiting.index(job) if job in waiting else 0

    def _run(self, job: Job, data: Dataset) -> None:
        with _told(job):
            if job.cancelled():
                return
            done = {(r.value, r.split) for r in job.results}
            for result in sweep(job.spec, data, done=done, cancelled=job.cancelled, jobs=1 if data.n < 300 else 2):
                job.results.append(result)
                job.seconds = time.monotonic() - job.started
            if len(job.results) >= job.total or not job.cancelled():
                job.state = "done"

    def _evaluate(self, job: MatrixJob, data: Dataset, kernel: Kernel) -> None:
        with _told(job):
            if job.cancelled():
                return
            if is_large(data):
                job.short = short_rows_apart(kernel, data, cancelled=job.cancelled)
            else:
                job.K = gram_apart(kernel, data, cancelled=job.cancelled)
            if job.K is not None or job.short is not None:
                job.state = "done"

    def _decompose(self, job: SpectrumJob) -> None:
        with _told(job):
            if not job.cancelled():
                job.found = decompose(job.K)
                job.state = "done"


@contextmanager
def _told(job: _Work) -> Iterator[None]:
    """What becomes of a job is written on it: done where the block says so, else stopped or failed."""
    if not job.cancelled():
        job.state, job.started = "running", time.monotonic()
    try:
        yield
    except KernlibError as error:
        job.problem, job.state = str(error), "failed"
    except BaseException:
        job.problem, job.state = "The run ended unexpectedly; the server's log says why.", "failed"
        _log.exception("a run ended unexpectedly")
        raise
    finally:
        job.seconds = time.monotonic() - job.started if job.started else 0.0
        if job.active:
            job.state = "stopped"


def _matrix_jobs() -> OrderedDict[Hashable, MatrixJob]:
    return st.session_state.setdefault("matrices", OrderedDict())


def _key(data: Dataset, kernel: Kernel) -> Hashable:
    return data.digest, repr(kernel)


def matrix_job(data: Dataset, kernel: Kernel) -> MatrixJob | None:
    """This session's job for a Gram matrix, if it has asked for one."""
    return _matrix_jobs().get(_key(data, kernel))


def spectrum_job(data: Dataset, kernel: Kernel) -> SpectrumJob | None:
    """This session's job for the eigenpairs of a large matrix, if it has begun one."""
    return st.session_state.get("spectra", {}).get(_key(data, kernel))


def session_id() -> str:
    """A name for this session."""
    return st.session_state.setdefault("session", uuid.uuid4().hex)


@st.cache_resource
def registry() -> Registry:
    """The one registry of this server."""
    warm()
    return Registry()
