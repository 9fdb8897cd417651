"""What stands above the kernel and is asked for by name, so that the kernel imports nothing that imports it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["above", "made", "makes"]

T = TypeVar("T")

_MADE: dict[str, Callable[..., Any]] = {}


def makes(operation: str) -> Callable[[type[T]], type[T]]:
    """A class decorator: what an operation on kernels gives, so that this module need not import it."""

    def note(cls: type[T]) -> type[T]:
        _MADE[operation] = cls
        return cls

    return note


def made(operation: str) -> Callable[..., Any]:
    """The class that said that it is what `operation` makes."""
    return _MADE[operation]


def above(name: str) -> Any:
    """A module that stands above this one, loaded when somebody asks a kernel for what only that one knows."""
    return importlib.import_module(f"{__package__}.{name}")
