"""Long work in a process of its own: at low priority, bounded in memory, ended at once when it is not wanted.

A server that computes in its own threads keeps people waiting: they share its interpreter lock and its cores. A helper
process is told what to do through a pipe, by pickles of the project's own values, and sends back what it finds.
"""

from __future__ import annotations

import atexit
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from ..base import Kernel
from ..budget import memory_budget
from ..data import Dataset
from ..errors import DataError, KernlibError
from ..folding import factored
from ..values.arrays import Array
from ..workers import end_with_parent
from ..wrappers.landmarks import LandmarkError
from .approximation import landmark_error
from .folds import FoldResult
from .spec import RunSpec
from .sweep import sweep

__all__ = ["gram_apart", "short_rows", "short_rows_apart", "sweep_apart", "warm"]

#: Seconds between two looks at whether the work is still wanted.
_LOOK = 0.1
#: Seconds after which a helper without work ends, and how many may wait for it.
_IDLE, _SPARE = 600.0, 2
_SIZE = struct.Struct(">Q")


def sweep_apart(
    spec: RunSpec,
    data: Dataset,
    *,
    done: Collection[tuple[Any, int]] = (),
    cancelled: Callable[[], bool] = lambda: False,
    jobs: int = 1,
) -> Iterator[FoldResult]:
    """`sweep` in a helper process: the same results, none after `cancelled` has said so.

    Raises as `sweep`, and DataError where the run outgrows `memory_budget`.
    """
    return _apart(_swept, (spec, data, tuple(done), jobs), cancelled)


def gram_apart(kernel: Kernel, data: Dataset, *, cancelled: Callable[[], bool] = lambda: False) -> Array | None:
    """The Gram matrix of all rows, (n, n), from a helper process; None where it was no longer wanted.

    Raises what the kernel raises, and DataError where it outgrows `memory_budget`.

    >>> from kernlib import Linear
    >>> from kernlib.data import load_dataset
    >>> gram_apart(Linear(), load_dataset("iris")).shape
    (150, 150)
    """
    found = list(_apart(_evaluated, (kernel, data), cancelled))  # to its end, so that the helper can be used again
    return found[0] if found else None


def short_rows(kernel: Kernel, data: Dataset) -> tuple[Array, LandmarkError | None]:
    """F, (n, r), of all rows by a kernel that `has_factor`, and how far its landmarks are from what they stand for.

    Raises what the kernel raises.
    """
    fold = factored(kernel, kernel._rows(data.inputs), None, data.y)
    return fold.K.rows, landmark_error(fold.kernel, data.inputs, data.y)


def short_rows_apart(
    kernel: Kernel, data: Dataset, *, cancelled: Callable[[], bool] = lambda: False
) -> tuple[Array, LandmarkError | None] | None:
    """`short_rows` from a helper process; None where they were no longer wanted. Raises as `gram_apart`."""
    found = list(_apart(_shortened, (kernel, data), cancelled))
    return found[0] if found else None


def warm() -> None:
    """Start a helper, so that the first work need not wait for one."""
    with _lock:
        if not _idle:
            _idle.append(_Helper())


def _swept(spec: RunSpec, data: Dataset, done: tuple[tuple[Any, int], ...], jobs: int) -> Iterator[FoldResult]:
    return sweep(spec, data, done=done, jobs=jobs)


def _evaluated(kernel: Kernel, data: Dataset) -> Iterator[Array]:
    yield kernel.fold(data.inputs, y=data.y).K


def _shortened(kernel: Kernel, data: Dataset) -> Iterator[tuple[Array, LandmarkError | None]]:
    yield short_rows(kernel, data)


# -- the side of the server -----------------------------------------------------------------


class _Helper:
    """A helper process, and a thread that takes up what it says."""

    def __init__(self) -> None:
        # One thread for BLAS each; the project's own folder first, as it is for this process.
        own = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import _serve; _serve()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | own | {"PYTHONPATH": path},
        )  # fmt: skip
        self.said: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="helper's answers", daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        try:
            while True:
                self.said.put(_receive(self.process.stdout))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self.said.put(("gone", self.process.wait()))

    def ask(self, function: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> bool:
        """Whether the task reached the helper."""
        try:
            assert self.process.stdin is not None
            _send(self.process.stdin, (function, arguments, memory_budget()))
        except OSError:
            return False
        return True

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was still to be written has no reader
                    pipe.close()


_lock = threading.Lock()
_idle: list[_Helper] = []


def _apart(
    function: Callable[..., Iterator[Any]], arguments: tuple[Any, ...], cancelled: Callable[[], bool]
) -> Iterator[Any]:
    helper = _asked(function, arguments)
    free = False
    try:
        while not cancelled():
            try:
                what, value = helper.said.get(timeout=_LOOK)
            except queue.Empty:
                continue
            if what == "result":
                yield value
            elif what == "end":
                free = True
                return
            elif what == "refused":
                free = True
                raise value
            elif what == "memory" or value == -signal.SIGKILL:
                raise DataError(
                    f"The computation needs more memory than the {memory_budget() / 2**30:.2g} GB that it may take; "
                    "it was ended. Take fewer or shorter rows, or a cheaper kernel."
                )
            else:
                raise RuntimeError(f"a helper process ended with code {value}; its words stand above")
    finally:
        with _lock:
            keep = free and len(_idle) < _SPARE
            if keep:
                _idle.append(helper)
        if not keep:
            helper.end()


def _asked(function: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> _Helper:
    while True:
        with _lock:
            helper = _idle.pop() if _idle else None
        fresh = helper is None
        helper = helper or _Helper()
        if helper.ask(function, arguments):
            return helper
        helper.end()
        if fresh:
            raise RuntimeError("a helper process could not be started; its words stand above")


@atexit.register
def _end_all() -> None:
    with _lock:
        while _idle:
            _idle.pop().end()


# -- the side of the helper -----------------------------------------------------------------


def _serve() -> None:
    """One task after the other until nobody asks any more."""
    answers, asked = os.fdopen(os.dup(1), "wb"), sys.stdin.buffer
    os.dup2(2, 1)  # what anybody prints goes to the log, not among the answers
    if hasattr(os, "nice"):
        os.nice(10)
    end_with_parent()
    while True:
        idle = threading.Timer(_IDLE, os._exit, (0,))
        idle.daemon = True
        idle.start()
        try:
            function, arguments, budget = _receive(asked)
        except EOFError:
            return
        idle.cancel()
        try:
            _bound_memory(budget)
            for result in function(*arguments):
                _send(answers, ("result", result))
        except KernlibError as error:
            _send(answers, ("refused", error))
        except MemoryError:
            _send(answers, ("memory", None))
            return  # what is left of this process is not worth keeping
        else:
            _send(answers, ("end", None))


def _bound_memory(budget: int) -> None:
    """Let allocations beyond the budget fail, where the system can."""
    try:
        import resource
    except ImportError:
        return
    with open("/proc/self/statm") if Path("/proc/self/statm").exists() else open(os.devnull) as told:
        words = told.read().split()
    held = int(words[5]) * resource.getpagesize() if words else 0
    resource.setrlimit(resource.RLIMIT_DATA, (held + budget, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def _send(pipe: IO[bytes], value: Any) -> None:
    content = pickle.dumps(value, protocol=5)
    pipe.write(_SIZE.pack(len(content)))
    pipe.write(content)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> Any:
    head = pipe.read(_SIZE.size)
    if len(head) < _SIZE.size:
        raise EOFError
    (size,) = _SIZE.unpack(head)
    content = pipe.read(size)
    if len(content) < size:
        raise EOFError
    return pickle.loads(content)
