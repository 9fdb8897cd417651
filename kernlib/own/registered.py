"""The kernels of this process that are not kernlib's own, by name, and the errors of their code.

Only this process adds to them: its own code, a file that it was started with, and installed plug-ins. A link, a saved
run and an upload name kernels and never define them.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from ..core.base import Kernel
from ..errors import DataError, KernlibError, OwnCodeError, ParameterError
from ..values.declare import above

_LONGEST = 200


@contextmanager
def naming_the_line(owner: str, file: str = "", step: str = "Correct it there, then load it again.") -> Iterator[None]:
    """Turn whatever user code raises into an OwnCodeError that names its line; kernlib's errors pass.

    User code may raise anything: `sys.exit` would end this thread or process without a word. An interruption ends the
    call. `file` is its file, if known: the innermost line in it is named, else the innermost line of all.

    >>> with naming_the_line("Cauchy"):
    ...     1 / 0
    Traceback (most recent call last):
    kernlib.errors.OwnCodeError: Cauchy: ZeroDivisionError, division by zero, in line 2 of ...
    """
    try:
        yield
    except (KernlibError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        words = " ".join(said.split())[:_LONGEST]
        named = f"{type(error).__name__}, {words}" if words else type(error).__name__
        raise OwnCodeError(f"{owner}: {named}, in {_place(error, file)}. {step}") from error


def _place(error: BaseException, file: str) -> str:
    """Return the line and the file of an error as text."""
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"line {error.lineno} of {_name(error.filename or file)}"
    # Without the frames of this module and of the one that called it.
    _, *frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    readable = [frame for frame in frames[1:] if Path(frame[0]).is_file() or "ipykernel" in frame[0]]
    own = [frame for frame in frames if frame[0] == file] or readable or frames
    name, line = own[-1]
    return f"line {line} of {_name(name)}"


def _name(file: str) -> str:
    """Return the name of a file; that of a notebook's cell is a temporary one, which says nothing."""
    return "the notebook's cell" if "ipykernel" in file else Path(file).name


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


_FILES: dict[str, None] = {}


def load_kernels(path: str | Path) -> tuple[type[Kernel], ...]:
    """Run a Python file and return the kernels that it registers: by `kernel_from`, an adapter, or as classes.

    The file is a module of its stem's name, whose folder is on the path; a later call runs a changed file again.
    Raises DataError for a file that cannot be read, OwnCodeError with its line for one that cannot be run.
    """
    file = Path(path).resolve()
    try:
        content = file.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: the file cannot be read, {error.strerror or error}. Check the path.") from None
    before = set(own_kernels())
    name = _free_name(file)
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise DataError(f"{path}: expected a Python file, whose name ends in .py. Rename it.")
    module = importlib.util.module_from_spec(spec)
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    with naming_the_line(str(path), str(file), "Correct it, then start again."):
        code = compile(content, str(file), "exec")
        sys.modules[name] = module
        exec(code, vars(module))
    for cls in classes_of(vars(module), name):
        if cls not in own_kernels():
            register(cls)
    added = tuple(cls for cls in own_kernels() if cls not in before)
    if not added:
        raise DataError(
            f"{path}: expected at least one kernel; got none. Put @kernel_from above a function f(X, Y), or call "
            "from_sklearn or from_estimator."
        )
    _FILES[str(file)] = None  # helper processes load what is of use here
    return added


def loaded_files() -> tuple[str, ...]:
    """Return the files that this process has loaded, for its helper processes."""
    return tuple(_FILES)


def load_like(files: tuple[str, ...]) -> None:
    """Load the files of the process that started this one, each once."""
    for path in files:
        if path not in _FILES:
            load_kernels(path)


def _free_name(file: Path) -> str:
    """Return the name of the file's module: its stem, unless another module has it."""
    known: ModuleType | None = sys.modules.get(file.stem)
    ours = known is None or getattr(known, "__file__", None) == str(file)
    return file.stem if ours and file.stem.isidentifier() else f"loaded_{abs(hash(str(file)))}"
