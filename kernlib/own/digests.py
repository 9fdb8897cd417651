"""A digest of what a function does: its code, its constants, and the values and functions that it uses."""

from __future__ import annotations

import dataclasses
import hashlib
import sys
from collections.abc import Callable
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np


def digest_of(*parts: Any) -> str:
    """Return 32 hex digits that change with the code of functions and with values; the same in every process.

    Functions are followed into the functions and values that they name, except into other installed packages; modules
    count by name and version, other objects by their type and their attributes.

    >>> one, two, again = lambda x: x + 1, lambda x: x + 2, lambda x: x + 1
    >>> digest_of(one) == digest_of(again), digest_of(one) == digest_of(two)
    (True, False)
    """
    h = hashlib.blake2b(digest_size=16)
    seen: set[Any] = set()  # the ids of functions and objects, and the name of the package that counts
    for part in parts:
        _feed(h.update, part, seen)
    return h.hexdigest()


def _feed(put: Callable[[bytes], None], value: Any, seen: set[Any]) -> None:
    if isinstance(value, FunctionType):
        _function(put, value, seen)
    elif isinstance(value, CodeType):
        put(b"code" + value.co_code + repr((value.co_names, value.co_varnames, value.co_argcount)).encode())
        for constant in value.co_consts:
            _feed(put, constant, seen)
    elif isinstance(value, np.ndarray) and value.dtype != object:
        put(f"array{value.dtype.str}{value.shape}".encode() + np.ascontiguousarray(value).tobytes())
    elif isinstance(value, (set, frozenset)):
        put(b"set" + repr(sorted(map(repr, value))).encode())
    elif isinstance(value, (tuple, list)):
        put(f"{type(value).__name__}{len(value)}".encode())
        for one in value:
            _feed(put, one, seen)
    elif isinstance(value, dict):
        put(f"dict{len(value)}".encode())
        for key, one in value.items():
            _feed(put, (key, one), seen)
    elif isinstance(value, dataclasses.Field):
        _feed(put, (value.default, dict(value.metadata)), seen)
    elif isinstance(value, ModuleType):
        put(f"module {value.__name__} {getattr(value, '__version__', '')}".encode())
    elif value is None or isinstance(value, (bool, int, float, complex, str, bytes, range, slice)) or value is ...:
        put(f"{type(value).__name__} {value!r}".encode())
    elif isinstance(value, type) or callable(value):
        put(f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}".encode())
        call = vars(type(value)).get("__call__")
        if not isinstance(value, type) and isinstance(call, FunctionType) and id(value) not in seen:
            seen.add(id(value))
            _function(put, call, seen)
            _feed(put, vars(value) if hasattr(value, "__dict__") else {}, seen)
    elif id(value) not in seen:
        seen.add(id(value))
        put(f"object {type(value).__module__}.{type(value).__qualname__}".encode())
        _feed(put, vars(value) if hasattr(value, "__dict__") else repr(value), seen)


def _function(put: Callable[[bytes], None], function: FunctionType, seen: set[Any]) -> None:
    module = function.__module__ or ""
    put(f"function {function.__qualname__}".encode())
    # Outside any function the first one is met: its own package counts, however it is installed.
    inside = any(isinstance(one, str) for one in seen)
    if id(function) in seen or (inside and module.partition(".")[0] not in seen and _installed(function)):
        put(module.encode())
        return
    seen |= {id(function), module.partition(".")[0]} if not inside else {id(function)}
    _feed(put, (function.__code__, function.__defaults__, function.__kwdefaults__), seen)
    for cell in function.__closure__ or ():
        _feed(put, cell.cell_contents, seen)
    for name in _names(function.__code__):
        if name in function.__globals__:
            put(name.encode())
            _feed(put, function.__globals__[name], seen)


def _names(code: CodeType) -> list[str]:
    """Return the names that a function and the functions inside it use, in their order."""
    names = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= dict.fromkeys(_names(constant))
    return list(names)


def _installed(function: FunctionType) -> bool:
    """Return whether a function is of the standard library or an installed package, which its version names."""
    module = function.__module__ or ""
    top = module.partition(".")[0]
    file = function.__code__.co_filename
    return top in sys.stdlib_module_names or top == "kernlib" or "site-packages" in file or "dist-packages" in file
