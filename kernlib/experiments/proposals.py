"""Suggested kernels, prepared for the data by its kind of row, and the suggested machine."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from ..core.base import Kernel
from ..core.steps import Wrapper
from ..data import Dataset
from ..kinds import KINDS, Preset
from ..kinds.kind import prepared as prepared
from ..machines import Machine
from ..machines import starting_machine as starting_machine
from ..own import own_kernels
from ..protocols import halves_machine
from ..values.domains import Domain

#: The presets by content, so that no data set is kept in memory.
_PROPOSED: dict[tuple[str, str], tuple[Preset, ...]] = {}


def presets_for(data: Dataset) -> tuple[Preset, ...]:
    """Return the presets for the data: by the kind of its rows, for some kinds by their content, and user-defined ones.

    >>> from kernlib.data import load_dataset
    >>> [preset.name for preset in presets_for(load_dataset("promoters"))]
    ['By position', 'Spectrum', 'Large diagonal']
    """
    key = data.digest, data.fill
    if key not in _PROPOSED:
        if len(_PROPOSED) > 200:
            _PROPOSED.clear()
        _PROPOSED[key] = data.row_kind.presets(data)
    return (*_PROPOSED[key], *own_presets(data))


def own_presets(data: Dataset) -> Iterator[Preset]:
    """Yield the user-defined kernels that read these rows, with their defaults."""
    for cls in own_kernels():
        kernel = None if cls.domain != data.domain or issubclass(cls, Wrapper) else starting(cls, data)
        if kernel is not None:
            first = (inspect.getdoc(cls) or "").partition("\n")[0]
            yield Preset(cls.__name__, kernel, f"User-defined. {first}")


def default_kernel(data: Dataset) -> Kernel:
    """Return the first suggested kernel for a data set.

    >>> from kernlib.data import load_dataset
    >>> default_kernel(load_dataset("wine"))
    Standardized(RBF(sigma=5.0))
    """
    return prepared(presets_for(data)[0].kernel, data)


def starting(cls: type[Kernel], data: Dataset, domain: Domain | None = None) -> Kernel | None:
    """Return the kernel that a menu creates from a class for this data; None if it needs a decision.

    `domain` is that of the rows that the kernel reads inside another kernel.

    >>> from kernlib import LocalityImprovedImage
    >>> from kernlib.data import load_dataset
    >>> starting(LocalityImprovedImage, load_dataset("digits")).shape
    (8, 8)
    """
    return KINDS[cls.domain].starting(cls, data if domain in (None, data.domain) else None)


def default_machine(data: Dataset, measure: str = "") -> Machine:
    """Return the suggested machine: an SVM for classes, ridge regression for real numbers, its penalty tuned inside.

    Where the `measure` is the balanced error, the classes weigh alike in training, too.

    >>> from kernlib.data import load_dataset
    >>> default_machine(load_dataset("promoters")), default_machine(load_dataset("sinc"))
    (SVM(C=10.0, scale='spread'), KernelRidge(ridge='leave-one-out', centred=True))
    """
    return halves_machine("unexplained variance" if data.task == "regression" else measure or "error")
