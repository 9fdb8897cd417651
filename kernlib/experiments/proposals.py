"""Suggested kernels, prepared for the data by its kind of row, and the suggested machine."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import replace

from ..core.base import Kernel
from ..core.steps import Wrapper
from ..data import Dataset
from ..kinds import KINDS, Preset
from ..kinds.kind import prepared
from ..machines import Machine, starting_machine
from ..own import own_kernels
from ..protocols import halves_machine
from ..values.domains import Domain
from ..wrappers import Empirical, Power, Repaired, SquareRoot
from .axis import Axis
from .spec import RunSpec

__all__ = [
    "default_kernel",
    "default_machine",
    "own_presets",
    "prepared",
    "presets_for",
    "starting",
    "starting_machine",
    "transduction_run",
    "ways_compared",
]

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


#: The ways to make a kernel of a power of a matrix, as the lines of a figure: what the map uses.
WAYS = ("training rows as landmarks", "all rows as landmarks", "√K of all rows")


def transduction_run(spec: RunSpec) -> RunSpec | None:
    """Return the run of the same powers by the three ways of `WAYS`, on the same splits.

    None where the run does not vary the p of `Empirical(Power(k))` alone. [O] section 3 and footnote 13.

    >>> from kernlib import Empirical, Linear, Power
    >>> spec = RunSpec("hidden-variables", Empirical(Power(Linear())), axis=Axis("kernel.kernel.p", (0.5, 1.0)))
    >>> transduction_run(spec).second.values[2]
    "Repaired(Power(SquareRoot(Linear()), p=1.0), method='square')"
    """
    kernel, axis = spec.kernel, spec.axis
    if not (isinstance(kernel, Empirical) and isinstance(kernel.kernel, Power) and spec.second is None):
        return None
    if axis is None or axis.path != "kernel.kernel.p" or kernel.kernel.kernel.transductive:
        return None
    power = kernel.kernel
    ways = (
        replace(kernel, landmarks="train"),
        replace(kernel, landmarks="all"),
        Repaired(replace(power, kernel=SquareRoot(power.kernel)), method="square"),
    )
    return replace(spec, second=Axis("kernel", tuple(map(repr, ways))), also=(), leaky=False)


def ways_compared(spec: RunSpec) -> tuple[str, ...]:
    """Return `WAYS` for a run that compares them, otherwise ()."""
    if spec.second is None or spec.second.path != "kernel":
        return ()
    alone = transduction_run(replace(spec, second=None))
    return WAYS if alone is not None and alone.second == spec.second else ()
