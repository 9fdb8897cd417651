"""Long computations in helper processes: low priority, a memory limit, and an immediate end when cancelled.

Threads of a server share its interpreter lock with every session. A helper process receives its task through a pipe, as
a pickle of the project's own values that this server wrote, and sends its results back.
"""

from __future__ import annotations

import atexit
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import IO, Any, TypeVar

from ..core.base import Kernel
from ..core.folding import factored
from ..data import Dataset
from ..errors import DataError, KernlibError
from ..numerics.workers import end_with_parent, memory_budget
from ..own import own_kernels
from ..own.base import define_like, definitions
from ..own.functions import add_matrices, kept_matrices, progress_of_pairs
from ..own.registered import load_like, loaded_files
from ..values.arrays import Array
from ..wrappers.landmarks import LandmarkAccuracy, landmark_error
from .folds import FoldResult
from .spec import RunSpec
from .sweep import sweep

T = TypeVar("T")
#: Seconds between two checks for cancellation.
_LOOK = 0.1
#: Seconds after which an idle helper ends, and how many idle helpers are kept.
_IDLE, _SPARE = 600.0, 2
#: The exit code of a helper that found no memory.
_NO_MEMORY = 77
#: Calls of `result_in_subprocess` at once: each takes a process.
_calls = threading.BoundedSemaphore(4)


def sweep_in_subprocess(
    spec: RunSpec,
    data: Dataset,
    *,
    done: Collection[tuple[Any, int]] = (),
    cancelled: Callable[[], bool] = lambda: False,
    jobs: int = 1,
) -> Iterator[FoldResult]:
    """Run `sweep` in a helper process and yield the same results; none after `cancelled` returns True.

    Raises as `sweep`, and DataError if the run exceeds `memory_budget`.
    """
    return in_subprocess(partial(sweep, done=tuple(done), jobs=jobs), (spec, data), cancelled)


def gram_in_subprocess(
    kernel: Kernel,
    data: Dataset,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Array | None:
    """Return the Gram matrix of all rows, (n, n), from a helper process; None after a cancellation.

    `progress` receives the number of finished pairs of a user-defined kernel of two rows, and their total.

    Raises what the kernel raises, and DataError if the matrix exceeds `memory_budget`.

    >>> from kernlib import Linear
    >>> from kernlib.data import load_dataset
    >>> gram_in_subprocess(Linear(), load_dataset("iris")).shape
    (150, 150)
    """
    K: Array | None = value_in_subprocess(_evaluated, kernel, data, cancelled=cancelled, progress=progress)
    return K


def short_rows(kernel: Kernel, data: Dataset) -> tuple[Array, LandmarkAccuracy | None]:
    """Return the factor F, (n, r), of all rows by a kernel that `has_factor`, and the error of its landmarks.

    Raises what the kernel raises.
    """
    fold = factored(kernel, kernel.checked_rows(data.inputs), None, data.y)
    return fold.K.rows, landmark_error(fold.kernel, data.inputs, data.y)


def value_in_subprocess(
    function: Callable[..., Any],
    *arguments: Any,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Any:
    """Return the value of a function of a module from a helper process; None after a cancellation.

    Raises as `in_subprocess`.
    """
    # To the end, so that the helper can be reused.
    values = list(in_subprocess(_only, (function, *arguments), cancelled, progress))
    return values[0] if values else None


def result_in_subprocess(function: Callable[..., T], arguments: tuple[Any, ...], seconds: float, late: str) -> T:
    """Return the result of a function of a module from a helper process, which ends after some seconds.

    Text from outside is read so, and kernels from outside are computed so: whatever they hold, the server goes on.

    Raises as `in_subprocess`, and DataError with the sentence `late` where the time is over.

    >>> result_in_subprocess(pow, (2, 3), 60.0, "It took too long.")
    8
    """
    with _calls:
        end = time.monotonic() + seconds
        values: list[T] = list(in_subprocess(_only, (function, *arguments), lambda: time.monotonic() > end))
    if not values:
        raise DataError(late)
    return values[0]


def warm() -> None:
    """Start a helper in advance."""
    with _lock:
        if not idle:
            idle.append(_Helper())


def _only(function: Callable[..., Any], *arguments: Any) -> Iterator[Any]:
    yield function(*arguments)


def _evaluated(kernel: Kernel, data: Dataset) -> Array:
    return kernel.fold(data.inputs, y=data.y).K


# -- server -----------------------------------------------------------------


class _Helper:
    """A helper process, and a thread that receives its answers."""

    def __init__(self) -> None:
        # One BLAS thread each; the project's own folder is first on the path, as in this process.
        own = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import _serve; _serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | own | {"PYTHONPATH": path},
        )
        self.answers: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="helper's answers", daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        try:
            while True:
                self.answers.put(pickle.load(self.process.stdout))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self.answers.put(("died", self.process.wait()))
        except Exception:
            traceback.print_exc()  # an answer that cannot be restored from its pickle
            self.answers.put(("died", 1))

    def ask(self, function: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> bool:
        """Send a task; return whether the helper received it."""
        try:
            assert self.process.stdin is not None
            _send(self.process.stdin, (loaded_files(), definitions()))
            _send(self.process.stdin, (function, arguments, memory_budget()))
        except OSError:
            return False
        return True

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):  # unwritten bytes have no reader
                    pipe.close()


_lock = threading.Lock()
idle: list[_Helper] = []


def in_subprocess(
    function: Callable[..., Iterator[Any]],
    arguments: tuple[Any, ...],
    cancelled: Callable[[], bool],
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Iterator[Any]:
    """Run a generator function of a module in a helper process and yield its results; none after a cancellation.

    Raises the function's errors that are kernlib's own, and DataError if it exceeds `memory_budget`.
    """
    helper = _asked(function, arguments)
    free = False
    try:
        while not cancelled():
            try:
                what, value = helper.answers.get(timeout=_LOOK)
            except queue.Empty:
                continue
            if what == "result":
                yield value
            elif what == "progress":
                progress(*value)
            elif what == "end":
                free = True
                add_matrices(value)
                return
            elif what == "refused":
                free = True
                raise value
            elif value == _NO_MEMORY:
                raise DataError(
                    f"The computation exceeds its memory budget of {memory_budget() / 2**30:.2g} GB, or the memory "
                    "that the system leaves it, and was stopped. Use fewer or shorter rows, or a cheaper kernel."
                )
            elif value in (-signal.SIGKILL, -signal.SIGTERM):
                raise DataError(
                    "The computation was killed from outside, as a system does that has no memory left. Close other "
                    "programs, or use fewer or shorter rows, or a cheaper kernel."
                )
            else:
                raise RuntimeError(f"a helper process ended with code {value}; see its messages above")
    finally:
        with _lock:
            keep = free and len(idle) < _SPARE
            if keep:
                idle.append(helper)
        if not keep:
            helper.end()


def _asked(function: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> _Helper:
    while True:
        with _lock:
            helper = idle.pop() if idle else None
        fresh = helper is None
        helper = helper or _Helper()
        if helper.ask(function, arguments):
            return helper
        helper.end()
        if fresh:
            raise RuntimeError("a helper process could not start; see its messages above")


@atexit.register
def _end_all() -> None:
    with _lock:
        while idle:
            idle.pop().end()


# -- helper -----------------------------------------------------------------


def _serve() -> None:
    """Process one task after another until the server closes the pipe."""
    answers, asked = os.fdopen(os.dup(1), "wb"), sys.stdin.buffer
    os.dup2(2, 1)  # printed text goes to the log, not among the answers
    if hasattr(os, "nice"):
        os.nice(10)
    end_with_parent()
    sent = set[tuple[str, str, str]]()  # keys alone: the matrices of a helper at rest may go
    while True:
        timer = threading.Timer(_IDLE, os._exit, (0,))
        timer.daemon = True
        timer.start()
        try:
            files, kernels = pickle.load(asked)
            load_like(files)
            define_like(kernels)
            function, arguments, budget = pickle.load(asked)
        except EOFError:
            return
        timer.cancel()
        try:
            _bound_memory(budget)
            with progress_of_pairs(lambda done, total: _send(answers, ("progress", (done, total)))):
                for result in function(*arguments):
                    _send(answers, ("result", result))
        except KernlibError as error:
            _send(answers, ("refused", error))
        except MemoryError:
            os._exit(_NO_MEMORY)  # an answer would need memory too, and the state after a MemoryError is unreliable
        else:
            matrices = kept_matrices()
            _send(answers, ("end", {key: K for key, K in matrices.items() if key not in sent}))
            sent = set(matrices)


def _bound_memory(budget: int) -> None:
    """Limit this process to the budget, on systems that can, or to the system's own limit if that is lower."""
    with suppress(ImportError):
        import resource

        used = 0
        with suppress(OSError), open("/proc/self/statm") as status:
            used = int(status.read().split()[5]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        soft = used + budget if hard == resource.RLIM_INFINITY else min(hard, used + budget)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _send(pipe: IO[bytes], value: Any) -> None:
    # Classes of user-defined kernels may be unknown to the other process.
    pickling: Any = import_module("cloudpickle") if own_kernels() else pickle
    pipe.write(pickling.dumps(value, protocol=5))  # whole, or an error: never half a pickle in the pipe
    pipe.flush()
