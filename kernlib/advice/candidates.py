"""The settings that are compared for a data set: families of kernels with a grid of values for each, by kind of row."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from ..core.base import Kernel
from ..data import Dataset
from ..errors import DataError, KernlibError
from ..experiments.axis import Place
from ..experiments.proposals import own_presets, prepared
from ..kinds import Setting
from ..parse import parse
from ..values.declare import Parameter


def candidates(data: Dataset) -> tuple[Setting, ...]:
    """Return the settings for the data's kind of rows, those of one family one after another, each kernel once.

    The grids are the same for every data set of a kind; widths are multiples of the rows' median distance. What is
    proposed for the data (`presets_for`) is among the settings.

    >>> from kernlib.data import load_dataset
    >>> found = candidates(load_dataset("monks-2"))
    >>> len(found), found[1]
    (35, Setting(family='Overlap', kernel=Overlap(composition='mean', before=None, after=None, gamma=1.0) ** 2))
    """
    unique = {setting.kernel: setting for setting in data.row_kind.candidates(data)}
    for setting in _own(data):
        unique.setdefault(setting.kernel, setting)
    return tuple(unique.values())


def _own(data: Dataset) -> Iterator[Setting]:
    """Yield the user-defined kernels for these rows: each parameter at places of its slider, the others as they are."""
    for preset in own_presets(data):
        kernel = preset.kernel
        yield Setting(preset.name, prepared(kernel, data))
        for p in kernel.parameters():
            for value in _places(p):
                yield Setting(preset.name, prepared(dataclasses.replace(kernel, **{p.name: value}), data))


def _places(p: Parameter) -> tuple[Any, ...]:
    """Return values of a parameter along its slider: five numbers, or all choices."""
    if p.kind == "bool":
        return (False, True)
    values = Place(p.name, p, "", None).grid(7)
    return values[1:-1] if len(values) == 7 and p.kind != "choice" else values


def settings_text(settings: Sequence[Setting]) -> str:
    """Return settings as text that `read_settings` reads: a line for each kernel, below its family after a #.

    >>> from kernlib import RBF, Linear
    >>> print(settings_text([Setting("Gaussian", RBF(sigma=2.0)), Setting("Straight", Linear())]))
    # Gaussian
    RBF(sigma=2.0)
    # Straight
    Linear()
    """
    families = dict.fromkeys(one.family for one in settings)
    return "\n".join(
        line
        for family in families
        for line in (f"# {family}", *(repr(one.kernel) for one in settings if one.family == family))
    )


def read_settings(text: str) -> tuple[Setting, ...]:
    """Return the settings of a text as `settings_text` writes it, each kernel once.

    Raises DataError for a line that is no kernel, with its number, and for fewer than two kernels.

    >>> read_settings("# Gaussian\\nRBF(sigma=2.0)\\n\\n# Straight\\nLinear()")[1]
    Setting(family='Straight', kernel=Linear())
    """
    settings: dict[Kernel, Setting] = {}
    family = "Your own grid"
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if line.startswith("#"):
            family = line.lstrip("# ") or family
        elif line:
            try:
                kernel = parse(line)
            except KernlibError as error:
                raise DataError(f"settings, line {number}: expected a kernel such as RBF(sigma=2.0); {error}") from None
            settings.setdefault(kernel, Setting(family, kernel))
    if len(settings) < 2:
        raise DataError(f"settings: expected two kernels or more, one in a line; got {len(settings)}. Add a line.")
    return tuple(settings.values())
