"""What the server does before its first visitor comes: it imports the libraries, which takes seconds."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

#: The app with all that it imports, and the largest of what its first page imports when it computes.
_NAMES = ("pages.parts.frame.run", "sklearn.svm", "sklearn.datasets", "scipy.stats")


@asynccontextmanager
async def warm_up(app: Any) -> AsyncIterator[None]:
    """Start the imports beside the server's own start."""
    _WARMING.start()
    yield


def warmed_up() -> None:
    """Wait until the imports that have begun have ended: two threads must not import the same package at once."""
    if _WARMING.is_alive():
        _WARMING.join()


def _import_all() -> None:
    for name in _NAMES:
        import_module(name)


_WARMING = threading.Thread(target=_import_all, name="imports", daemon=True)
