"""Work spread over threads, processes or a Dask cluster; the BLAS threads and the memory that it may use."""

from __future__ import annotations

import importlib
import logging
import os
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from typing import Any, Literal, get_args

from ..errors import KernlibError, ParameterError

Backend = Literal["auto", "threading", "loky", "dask"]
BACKENDS: tuple[Backend, ...] = get_args(Backend)

#: The most attempts at work whose workers died.
_ATTEMPTS = 3
#: Bytes of an argument that a cluster's workers are sent once, and results that are received at a time.
_LARGE, _RECEIVERS = 1 << 16, 4

_log = logging.getLogger(__name__)


def chosen_backend(backend: Backend, jobs: int, otherwise: Backend, owner: str) -> Backend:
    """Return the kind of worker: for "auto" a configured cluster for several workers, else `otherwise`.

    Raises ParameterError for an unknown kind.
    """
    if backend not in BACKENDS:
        raise ParameterError(f"{owner}: backend must be one of {', '.join(BACKENDS)}; got {backend!r}. Try 'auto'.")
    if backend != "auto":
        return backend
    return "dask" if jobs > 1 and cluster_address() else otherwise


def spread(
    function: Callable[..., Any],
    tasks: Callable[[], Iterable[tuple[Any, ...]]],
    jobs: int,
    backend: Backend,
    *,
    owner: str,
    one_by_one: bool = False,
) -> Generator[Any, None, None]:
    """Yield `function(*task)` for every task, in their order, with one BLAS thread: the digits are the same anywhere.

    One worker is this thread. `tasks` returns the tasks that remain, and is called again after workers died: the
    consumer has recorded the results by then. What no attempt has finished, this thread does. `one_by_one` sends no two
    tasks together, for large results, as a cluster always does; a large argument that the tasks of a cluster share is
    sent to its workers once. Closing the generator ends running work.
    Raises KernlibError and MemoryError of a task, and ParameterError if there is no cluster.
    """
    with one_blas_thread():
        for attempt in range(_ATTEMPTS if jobs != 1 or backend == "dask" else 0):
            calls: Iterator[Any] = (
                (_apart, (backend == "loky", function, *task), {}) for task in tasks()
            )  # as joblib.delayed
            try:
                if backend == "dask":
                    yield from _on_cluster(calls, owner)
                    return
                with _workers(backend, jobs, 1 if one_by_one else "auto") as parallel:
                    stream = parallel(calls)
                    try:
                        # Not `yield from`, which would close the stream outside the `finally` below.
                        for result in stream:  # noqa: UP028
                            yield result
                    finally:
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore", UserWarning)  # joblib warns that cancelled work is lost
                            stream.close()  # kills or cancels running work
                return
            except (KernlibError, MemoryError):
                raise
            except Exception as error:  # whatever a broken pool or a lost scheduler raises
                _log.warning("workers failed, attempt %d of %d: %r", attempt + 1, _ATTEMPTS, error)
        for task in tasks():
            yield function(*task)


def _apart(own: bool, function: Callable[..., Any], *task: Any) -> Any:
    if own:
        end_with_parent()
    with one_blas_thread():
        return function(*task)


@cache
def end_with_parent() -> None:
    """Exit with the parent process, which cannot stop its workers when it is killed."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, name="end with parent", daemon=True).start()


def cluster_address() -> str:
    """Return where the Dask scheduler listens: KERNLIB_DASK, or Dask's own configuration; "" for none."""
    address = os.environ.get("KERNLIB_DASK", "")
    if address:
        return address
    try:
        dask: Any = importlib.import_module("dask")
    except ImportError:
        return os.environ.get("DASK_SCHEDULER_ADDRESS", "")
    return str(dask.config.get("scheduler-address", None) or "")


@contextmanager
def _workers(backend: Backend, jobs: int, together: int | str) -> Iterator[Any]:
    """Yield joblib's Parallel on the backend."""
    from joblib import Parallel, parallel_config

    how: Any = dict(return_as="generator", pre_dispatch="3*n_jobs", batch_size=together)

    # The configuration belongs to the thread: it must end before the caller's code continues.
    if backend == "loky":
        with parallel_config(backend="loky", inner_max_num_threads=1):
            parallel = Parallel(n_jobs=jobs, **how)
        yield parallel
    else:
        yield Parallel(n_jobs=jobs, backend="threading", **how)


def _on_cluster(calls: Iterable[Any], owner: str) -> Iterator[Any]:
    """Return the calls' results by Dask's own client, with enough calls under way to keep every worker busy.

    joblib polls for results every hundredth of a second, sends each array separately, and runs calls in this process
    if there is a single worker.
    """
    from concurrent.futures import Future, ThreadPoolExecutor

    with _cluster(owner) as client, ThreadPoolExecutor(_RECEIVERS) as receivers:
        window = 3 * max(1, sum(client.nthreads().values()))
        sent: dict[int, tuple[Any, Any]] = {}  # the argument too, so that no other object gets its id
        under_way: deque[tuple[Any, Future[Any]]] = deque()

        def argument(value: Any) -> Any:
            if (getattr(value, "nbytes", 0) or sys.getsizeof(value)) < _LARGE:
                return value
            if id(value) not in sent:
                sent[id(value)] = value, client.scatter(value, hash=False, broadcast=True)
            return sent[id(value)][1]

        try:
            for function, arguments, named in calls:
                while len(under_way) >= window:
                    yield under_way.popleft()[1].result()
                task = client.submit(function, *map(argument, arguments), **named, pure=False)
                under_way.append((task, receivers.submit(task.result)))
            while under_way:
                yield under_way.popleft()[1].result()
        finally:
            client.cancel([task for task, _ in under_way])


def require_distributed(owner: str) -> Any:
    """Return Dask's package; ParameterError where it is not installed."""
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise ParameterError(
            f"{owner}: backend='dask' needs the extra; expected `pip install 'kernlib[cluster]'`, got no package "
            "'distributed'. Install it, or use 'threading' or 'loky'."
        ) from None


@contextmanager
def _cluster(owner: str) -> Iterator[Any]:
    """Yield the current client, or one of the configured scheduler that ends with this run."""
    distributed = require_distributed(owner)
    try:
        client = distributed.default_client()
    except ValueError:
        pass
    else:
        yield client
        return
    address = cluster_address()
    if not address:
        raise ParameterError(
            f"{owner}: backend='dask' needs a scheduler; got no address. "
            "Set KERNLIB_DASK=tcp://host:8786 in the environment, or scheduler-address in Dask's configuration."
        )
    try:
        client = distributed.Client(address, timeout="10s", set_as_default=False)
    except OSError as error:
        raise ParameterError(
            f"{owner}: no Dask scheduler answers at {address} ({error}). Start it, or correct the address."
        ) from None
    with closing(client):
        yield client


_lock = threading.Lock()
_users = 0
_limit: Any = None


@cache
def _controller() -> Any:
    import scipy.linalg  # noqa: F401  (brings a BLAS of its own, which threadpoolctl sees only after the import)

    try:
        threadpoolctl: Any = importlib.import_module("threadpoolctl")  # comes with scikit-learn
    except ImportError:
        return None
    return threadpoolctl.ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Set one BLAS thread for the whole process until the last user leaves.

    Workers that each start as many BLAS threads as there are cores slow each other down, and a
    product that is split differently may round differently: with one thread, results do not
    depend on how many folds run at once. Users are counted, since two runs may overlap.

    >>> with one_blas_thread():
    ...     pass
    """
    global _users, _limit
    with _lock:
        _users += 1
        if _users == 1 and _controller() is not None:
            _limit = _controller().limit(limits=1, user_api="blas")
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0 and _limit is not None:
                _limit.restore_original_limits()
                _limit = None


def one_thread_for_good() -> None:
    """Set one BLAS thread for the rest of the process: for a server whose sessions share the cores.

    Threads of one product wait for each other by spinning. Where a core is busy with something else, decomposing 500
    rows takes ten times as long with two threads as with one, and ten times the processor time; on an idle machine
    the second thread saves 10%. Large matrices still use all cores, by tiles (`blocks`).
    """
    if _controller() is not None:
        _controller().limit(limits=1, user_api="blas")


def memory_budget() -> int:
    """Return the bytes that a run may use: KERNLIB_MEMORY_MB where it is set, else half of the machine's memory."""
    setting = os.environ.get("KERNLIB_MEMORY_MB", "").strip()
    if setting:
        # A misspelt value must not become another bound.
        if not (setting.isascii() and setting.isdigit() and int(setting[:10]) >= 1 and len(setting) <= 9):
            raise ParameterError(
                f"KERNLIB_MEMORY_MB must be a whole number of megabytes, at least 1; got {setting[:40]!r}. "
                "Set it to 4096 for 4 GB, or unset it for half of the machine's memory."
            )
        return int(setting) * 2**20
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):
        return 4 * 2**30
