"""Long work behind the pages: one bounded executor and one registry for the whole server.

A worker never calls Streamlit. It appends results, asks before each fold whether it was
cancelled, and gives up when nobody has looked at it for two minutes.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from kernlib import KernlibError
from kernlib.data import Dataset
from kernlib.experiments import FoldResult, RunSpec, sweep

from .caching import is_upload

__all__ = ["Job", "Registry", "registry"]

_UNWATCHED = 120.0
_KEPT = 64


@dataclass(eq=False)
class Job:
    """One run: its spec, what has come so far, and whether it goes on."""

    spec: RunSpec
    session: str
    results: list[FoldResult] = field(default_factory=list)
    state: Literal["waiting", "running", "done", "stopped", "failed"] = "waiting"
    problem: str = ""
    started: float = 0.0
    seconds: float = 0.0
    seen: float = field(default_factory=time.monotonic)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def total(self) -> int:
        """How many fold results a complete run has."""
        return (len(self.spec.values) + (self.spec.reference is not None)) * self.spec.protocol.count

    @property
    def active(self) -> bool:
        return self.state in ("waiting", "running")

    def watch(self) -> None:
        """Say that somebody is looking."""
        self.seen = time.monotonic()

    def cancelled(self) -> bool:
        return self.stop.is_set() or time.monotonic() - self.seen > _UNWATCHED


def _shared(job: Job, data: Dataset, session: str) -> bool:
    """Whether a session may see a job's results: what comes of an upload is its own session's alone."""
    return job.session == session or not is_upload(data)


class Registry:
    """All jobs of the server; results are kept by (data, spec), so that nothing is computed twice."""

    def __init__(self, workers: int = 2) -> None:
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="sweep")
        self._lock = threading.Lock()
        self._jobs: OrderedDict[tuple[str, str, str], Job] = OrderedDict()

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
            job = Job(spec, session, results=list(known))
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

    def waiting_before(self, job: Job) -> int:
        """How many jobs stand before this one in the queue."""
        with self._lock:
            waiting = [j for j in self._jobs.values() if j.state == "waiting" and not j.stop.is_set()]
        return waiting.index(job) if job in waiting else 0

    def _run(self, job: Job, data: Dataset) -> None:
        if job.cancelled():
            job.state = "stopped"
            return
        job.state, job.started = "running", time.monotonic()
        done = {(r.value, r.split) for r in job.results}
        try:
            for result in sweep(job.spec, data, done=done, cancelled=job.cancelled, jobs=1 if data.n < 300 else 2):
                job.results.append(result)
                job.seconds = time.monotonic() - job.started
            job.state = "stopped" if len(job.results) < job.total and job.cancelled() else "done"
        except KernlibError as error:
            job.state, job.problem = "failed", str(error)
        except Exception:
            job.state, job.problem = "failed", "The run ended unexpectedly; the server's log says why."
            raise
        finally:
            job.seconds = time.monotonic() - job.started


@st.cache_resource
def registry() -> Registry:
    """The one registry of this server."""
    return Registry()
