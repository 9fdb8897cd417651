"""The kernels of this process that are not kernlib's own, by name.

Only this process adds to them: its own code, a file that it was started with, and installed plug-ins. A link, a saved
run and an upload name kernels and never define them.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from ..core.base import Kernel
from ..errors import KernlibError, ParameterError
from ..values.above import above

K = TypeVar("K", bound=type[Kernel])

#: The group of entry points by which an installed package registers kernels.
GROUP = "kernlib.kernels"
_OWN: dict[str, type[Kernel]] = {}


def register(cls: K) -> K:
    """Register a kernel class by its name, in place of an earlier one of this name; usable as a decorator.

    A registered kernel is parsed from its repr and offered in menus like kernlib's own. Raises ParameterError for a
    name that kernlib uses itself.

    >>> from kernlib import RBF
    >>> register(RBF)
    Traceback (most recent call last):
    kernlib.errors.ParameterError: RBF: kernlib has a kernel of this name; expected another name. Rename yours.
    """
    name = cls.__name__
    if any(ours.__name__ == name for ours in above("registry").KERNELS):
        raise ParameterError(f"{name}: kernlib has a kernel of this name; expected another name. Rename yours.")
    _OWN[name] = cls
    return cls


def own_kernels() -> tuple[type[Kernel], ...]:
    """Return the registered kernels, those of plug-ins first."""
    _load_plugins()
    return tuple(_OWN.values())


def known_by_name(name: str) -> type[Kernel] | None:
    """Return the registered kernel of a name without loading plug-ins; None if there is none."""
    return _OWN.get(name)


def register_parts(kernel: Kernel) -> None:
    """Register the classes of a kernel and of the kernels inside it that are not kernlib's."""
    for part in kernel.walk():
        if not _is_ours(type(part)) and _OWN.get(type(part).__name__) is not type(part):
            register(type(part))


def classes_of(namespace: dict[str, object], module: str) -> Iterator[type[Kernel]]:
    """Yield the kernel classes that a module defines itself."""
    for value in tuple(namespace.values()):
        if isinstance(value, type) and issubclass(value, Kernel) and value.__module__ == module:
            yield value


def _is_ours(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == "kernlib"


@functools.cache
def _load_plugins() -> None:
    """Register the kernels of installed packages; a package that fails is named in a warning and left out."""
    from importlib.metadata import entry_points

    from .errors import naming_the_line

    for entry in entry_points(group=GROUP):
        try:
            with naming_the_line(f"plug-in {entry.name}"):
                loaded = entry.load()
            if isinstance(loaded, type) and issubclass(loaded, Kernel):
                register(loaded)
            else:
                for cls in classes_of(vars(loaded), loaded.__name__):
                    register(cls)
        except KernlibError as error:
            warnings.warn(f"{error} Its kernels are left out.", stacklevel=2)


def own_parts(kernel: Kernel) -> tuple[Kernel, ...]:
    """Return the user-defined kernels in a kernel."""
    return tuple(part for part in kernel.walk() if not _is_ours(type(part)))


def definitions_of(kernel: Kernel) -> dict[str, type[Kernel]]:
    """Return the classes of the user-defined kernels in a kernel by name; a class that is defined again is another."""
    return {type(part).__name__: type(part) for part in own_parts(kernel)}


def file_of(cls: type[Kernel]) -> str:
    """Return the name of the file that defines a kernel, for `--load`; "" for one without a file, as in a notebook."""
    file = Path(getattr(cls, "file", "") or getattr(sys.modules.get(cls.__module__), "__file__", None) or "")
    return file.name if file.suffix == ".py" and "ipykernel" not in str(file) else ""
