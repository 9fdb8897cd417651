"""BLAS on one thread: while folds run side by side, or for good where people share the cores."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

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
