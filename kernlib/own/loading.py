"""Kernels of a user's file, run in this process because its command line names it."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from ..core.base import Kernel
from ..errors import DataError
from .errors import naming_the_line
from .registered import classes_of, own_kernels, register

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
