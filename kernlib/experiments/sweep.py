"""The sweep: one fold result after another, for every value of an axis and every split.

The base Gram matrix is computed once for the whole run; what learns is fitted on each training
part alone. Splits come in the outer loop, so that the whole curve is there early.
"""

from __future__ import annotations

import importlib
import logging
import os
import threading
import time
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, Literal

from joblib import Parallel, delayed, parallel_config

from ..base import Kernel, Memo
from ..blas import one_blas_thread
from ..data import Dataset
from ..errors import DataError, KernlibError, ParameterError
from ..values.arrays import Array
from ..values.labels import AskedTask
from .folds import REFERENCE, FoldResult, Group, Part, Setting, groups, parts, run
from .memory import bytes_needed, check_memory
from .runs import SingleRun, single_runs, taking_turns
from .spec import UPLOAD, RunSpec

__all__ = ["BACKENDS", "REFERENCE", "Backend", "FoldResult", "cluster_address", "natural_backend", "sweep"]

Backend = Literal["auto", "threading", "loky", "dask"]
BACKENDS: tuple[Backend, ...] = ("auto", "threading", "loky", "dask")

#: How often a run whose workers died is taken up again before the server's own threads finish it.
_ATTEMPTS = 3

_log = logging.getLogger(__name__)


def sweep(
    spec: RunSpec,
    data: Dataset | None = None,
    *,
    done: Collection[tuple[Any, int]] = (),
    cancelled: Callable[[], bool] = lambda: False,
    jobs: int = 1,
    backend: Backend = "auto",
    memory: int | None = None,
) -> Iterator[FoldResult]:
    """Fold results of a run, as they come; the same numbers for any `jobs` and `backend`.

    Parameters
    ----------
    data : the data set where it is loaded already; needed for an upload.
    done : (value, split) pairs that are not to be computed again.
    cancelled : asked before every fit; what is complete by then still comes.
    jobs : workers, 1 computes in the caller's own thread.
    backend : "threading" (matrices are shared; libsvm and BLAS release the interpreter lock), "loky"
        (processes, for kernels that learn in pure Python), "dask" (the cluster that
        `cluster_address` names), or "auto": with one worker the caller's thread, else the cluster if
        one is configured, else threads or processes by the kernel's nature.
    memory : bytes that may be taken, by default `memory_budget()`.

    A fold that raises does not end the run: its result names the problem. A worker that dies costs
    no result: its folds are computed again.
    Memory: one (n, n) matrix for the base kernel and one for every value of a kernel axis.
    Raises DataError for data without labels, another data set than the spec's upload, too little
    memory, and what the protocol raises; ParameterError for a backend that is not there.

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> spec = RunSpec("breast-cancer-10", RBF(sigma="median"), protocol=RepeatedSplits(repeats=2))
    >>> [result.score < 0.2 for result in sweep(spec)]
    [True, True]
    """
    runs = single_runs(spec)
    if len(runs) > 1:
        return _one_by_one(runs, spec, data, set(done), cancelled, jobs, backend, memory)
    data = matching(spec, data)
    y, task = labels_of(data)
    made = groups(spec)
    first = next(parts(spec, y, task, data))
    check_memory(bytes_needed(made, data.n, len(first.train), len(first.test), max(1, jobs)), data.n, memory)
    if backend not in BACKENDS:
        raise ParameterError(f"sweep: backend must be one of {', '.join(BACKENDS)}; got {backend!r}. Try 'auto'.")
    if backend == "auto":
        backend = "dask" if jobs > 1 and cluster_address() else natural_backend(spec)
    work = _Work(spec, data, y, task, made, set(done), cancelled)
    if backend == "threading" or (backend == "loky" and jobs == 1):
        return _here(work, jobs)
    return _elsewhere(work, jobs, backend)


def _one_by_one(
    runs: Sequence[SingleRun], spec: RunSpec, data: Dataset | None, done: set[tuple[Any, int]],
    cancelled: Callable[[], bool], jobs: int, backend: Backend, memory: int | None,
) -> Iterator[FoldResult]:  # fmt: skip
    """Several data sets or protocols: each is a sweep of its own, and they take turns."""

    def stream(one: SingleRun) -> Iterator[FoldResult]:
        # Made when its turn comes, so that not all data sets are in memory before the first result.
        known = data if one.spec.parameters == spec.parameters else None
        asked = dict(done=one.inward(done), cancelled=cancelled, jobs=jobs, backend=backend, memory=memory)
        for result in sweep(one.spec, known, **asked):  # type: ignore[arg-type]
            yield one.outward(result)

    # Draws one after the other, as each holds its data; the values of an axis side by side.
    draws = sorted({one.first_split for one in runs})
    for first in draws:
        yield from taking_turns([stream(one) for one in runs if one.first_split == first])


def matching(spec: RunSpec, data: Dataset | None) -> Dataset:
    """The spec's data: loaded, or the one that was given if it is the upload that the spec means."""
    if data is None:
        return spec.load()
    if spec.data.startswith(UPLOAD) and data.digest != spec.data[len(UPLOAD) :]:
        raise DataError(
            f"{data.name}: the run was specified for other data; expected digest {spec.data[len(UPLOAD) :][:12]}…, "
            f"got {data.digest[:12]}…. Choose the file, the roles of its columns and the sample as they were."
        )
    return data


def labels_of(data: Dataset) -> tuple[Array, AskedTask]:
    """Labels and task; DataError for data without labels."""
    if data.y is None:
        raise DataError(f"{data.name}: error curves need labels; expected one per row, got none. Name a label column.")
    return data.y, data.task or "auto"


def natural_backend(spec: RunSpec) -> Backend:
    """Processes where folds hold the interpreter lock, i.e. a kernel over strings or graphs that learns.

    A kernel class may say so itself by an attribute `pure_python`.

    >>> from kernlib import Empirical, Power, Subsequence
    >>> natural_backend(RunSpec("promoters", Empirical(Power(Subsequence()))))
    'threading'
    """
    return "loky" if _pure_python(spec.kernel) else "threading"


def _pure_python(kernel: Kernel) -> bool:
    if kernel.children:
        return any(_pure_python(child) for child in kernel.children)
    told = getattr(kernel, "pure_python", None)
    return kernel.learns and (kernel.reads in ("sequence", "text", "graph") if told is None else bool(told))


def cluster_address() -> str:
    """Where the Dask scheduler listens: KERNLIB_DASK, or Dask's own configuration; "" for none."""
    told = os.environ.get("KERNLIB_DASK", "")
    if told:
        return told
    try:
        dask: Any = importlib.import_module("dask")
    except ImportError:
        return os.environ.get("DASK_SCHEDULER_ADDRESS", "")
    return str(dask.config.get("scheduler-address", None) or "")


class _Work:
    """What is left to do; groups are bound when their first fold is sent out, and only once."""

    def __init__(
        self,
        spec: RunSpec,
        data: Dataset,
        y: Array,
        task: AskedTask,
        made: list[Group],
        done: set[tuple[Any, int]],
        cancelled: Callable[[], bool],
    ) -> None:
        self.spec, self.data, self.y, self.task = spec, data, y, task
        self.setting = Setting.of(spec, task, data.groups)
        self._cancelled = cancelled
        self._abandoned = False
        self._done = done
        self._unbound = made
        self._bound: dict[int, Group] = {}
        self._memo: Memo = {}

    def __iter__(self) -> Iterator[tuple[Group, tuple[int, ...], Part]]:
        """Group, points and split of every task."""
        for part in parts(self.spec, self.y, self.task, self.data):
            for number, group in enumerate(self._unbound):
                todo = tuple(i for i, p in enumerate(group.points) if (p.value, part.number) not in self._done)
                if not todo:
                    continue
                if self.cancelled():
                    return
                yield self._bind(number), todo, part

    def _bind(self, number: int) -> Group:
        if number not in self._bound:
            # The same thread count as in the folds: a base matrix has the same last digits everywhere.
            with one_blas_thread():
                self._bound[number] = self._unbound[number].bind(self.data.inputs, self._memo)
        return self._bound[number]

    def cancelled(self) -> bool:
        return self._abandoned or self._cancelled()

    def abandon(self, stream: Any) -> None:
        """Let the threads come to their next fit and stop there; what they had to give is dropped."""
        self._abandoned = True
        with suppress(Exception):
            for _ in stream:
                pass
        stream.close()
        self._abandoned = False

    def finished(self, results: list[FoldResult]) -> list[FoldResult]:
        self._done |= {(r.value, r.split) for r in results}
        return results


def _here(work: _Work, jobs: int) -> Iterator[FoldResult]:
    """In this process: in this thread alone, or on threads that share the matrices."""
    with one_blas_thread():
        if jobs == 1:
            for task in work:
                yield from run(*task, work.setting, work.y, work.cancelled)
                if work.cancelled():
                    return
            return
        calls = (delayed(run)(*task, work.setting, work.y, work.cancelled) for task in work)
        stream = Parallel(n_jobs=jobs, backend="threading", return_as="generator", pre_dispatch="2*n_jobs")(calls)
        try:
            for results in stream:
                yield from results
                if work.cancelled():
                    return
        finally:
            work.abandon(stream)


def _elsewhere(work: _Work, jobs: int, backend: Backend) -> Iterator[FoldResult]:
    """On processes or on a cluster; folds of a worker that died are sent out again."""
    for attempt in range(_ATTEMPTS):
        try:
            with _workers(backend, jobs) as parallel:
                calls = (delayed(_remote)(*task, work.setting, work.y, backend == "loky") for task in work)
                stream = parallel(calls)
                try:
                    for results in stream:
                        yield from work.finished(results)
                        if work.cancelled():
                            return
                finally:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore", UserWarning)  # joblib's word that what was cancelled is lost
                        stream.close()  # kills or cancels what is under way
            return
        except (KernlibError, MemoryError):
            raise
        except Exception as error:
            # What came is marked as done; only the rest is computed again.
            _log.warning("workers failed, attempt %d of %d: %r", attempt + 1, _ATTEMPTS, error)
    yield from _here(work, jobs)


def _remote(group: Group, todo: tuple[int, ...], part: Part, setting: Setting, y: Array, own: bool) -> list[FoldResult]:
    if own:
        end_with_parent()
    with one_blas_thread():
        return run(group, todo, part, setting, y, _never)


@cache
def end_with_parent() -> None:
    """Let this worker end when the process that started it has: a killed one can send nobody home."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, name="end with parent", daemon=True).start()


def _never() -> bool:
    return False


@contextmanager
def _workers(backend: Backend, jobs: int) -> Iterator[Parallel]:
    """joblib's Parallel on the wanted backend, and the cluster that it may need."""
    # The configuration is the thread's: it must be gone before the caller's own code goes on.
    if backend == "dask":
        with _cluster():
            with parallel_config(backend="dask"):
                parallel = Parallel(return_as="generator", pre_dispatch="3*n_jobs")
            yield parallel
    else:
        with parallel_config(backend="loky", inner_max_num_threads=1):
            parallel = Parallel(n_jobs=jobs, return_as="generator", pre_dispatch="3*n_jobs")
        yield parallel


_cluster_lock = threading.Lock()
_cluster_users = 0
_own_client: Any = None


@contextmanager
def _cluster() -> Iterator[None]:
    """A client of the cluster, one for all runs of this process, closed when the last of them ends."""
    global _cluster_users, _own_client
    with _cluster_lock:
        if _cluster_users == 0:
            _own_client = _client()
        _cluster_users += 1
    try:
        yield
    finally:
        with _cluster_lock:
            _cluster_users -= 1
            if _cluster_users == 0 and _own_client is not None:
                _own_client.close()
                _own_client = None


def _client() -> Any:
    """A client of the configured scheduler to be closed after use, or None where one is current."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise ParameterError(
            "sweep: backend='dask' needs the extra; expected `pip install 'kernlib[cluster]'`, got no package "
            "'distributed'. Install it, or use 'threading' or 'loky'."
        ) from None
    try:
        distributed.default_client()
        return None
    except ValueError:
        pass
    address = cluster_address()
    if not address:
        raise ParameterError(
            "sweep: backend='dask' needs a scheduler; got no address. "
            "Set KERNLIB_DASK=tcp://host:8786 in the environment, or scheduler-address in Dask's configuration."
        )
    try:
        return distributed.Client(address, timeout="10s")
    except OSError as error:
        raise ParameterError(
            f"sweep: no Dask scheduler answers at {address} ({error}). Start it, or correct the address."
        ) from None
