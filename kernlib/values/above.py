"""Classes and modules that import the kernel, looked up by name so that the kernel need not import them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

_MADE: dict[str, Callable[..., Any]] = {}


def makes(operation: str) -> Callable[[type[T]], type[T]]:
    """Return a class decorator that registers the class as the result of an operation on kernels."""

    def register(cls: type[T]) -> type[T]:
        _MADE[operation] = cls
        return cls

    return register


def made(operation: str) -> Callable[..., Any]:
    """Return the class registered for an operation."""
    return _MADE[operation]


def above(name: str) -> Any:
    """Import and return a module above this one at the first use."""
    return importlib.import_module(f"kernlib.{name}")
