"""BLAS on one thread while folds run side by side."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

__all__ = ["one_blas_thread"]

_lock = threading.Lock()
_users = 0
_limit: Any = None


@cache
def _controller() -> Any:
    try:
        threadpoolctl: Any = importlib.import_module("threadpoolctl")  # comes with scikit-learn
    except ImportError:
        return None
    return threadpoolctl.ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """One BLAS thread for the whole process until the last user leaves.

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
