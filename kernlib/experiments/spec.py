"""The RunSpec: all that a run depends on, in one frozen value with a JSON codec."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..base import Kernel
from ..data import Dataset, load_dataset
from ..errors import DataError, ParameterError
from ..machines import MACHINES, SVM, Machine
from ..measures import MEASURES
from ..parse import parse, parse_declared
from ..protocols import PROTOCOLS, Protocol, RepeatedSplits
from .axis import Axis, with_value

__all__ = ["RunSpec"]

_VERSION = 1


@dataclass(frozen=True)
class RunSpec:
    """One run: data, kernel, machine, protocol, measure, and the number that is varied.

    Parameters
    ----------
    data : a name of the catalogue, with its `parameters` as (name, value) pairs: those of a
        generator, or `n` and `seed` of a stratified sample.
    kernel, machine : unfitted values.
    protocol : how rows are split, with its seed.
    measure : a name of `MEASURES`.
    axis : what is varied, or None for a single point.
    reference : another kernel measured on the same splits, drawn as a line; or None.

    Raises ParameterError for an unknown measure or an axis that leads nowhere.

    >>> from kernlib import Deep, RBF
    >>> spec = RunSpec("breast-cancer-10", Deep(RBF(sigma="median")), axis=Axis("kernel.level", (0, 1, 2)))
    >>> RunSpec.from_json(spec.to_json()) == spec
    True
    """

    data: str
    kernel: Kernel
    machine: Machine = field(default_factory=SVM)
    protocol: Protocol = field(default_factory=RepeatedSplits)
    measure: str = "error"
    axis: Axis | None = None
    reference: Kernel | None = None
    parameters: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise ParameterError(f"RunSpec: measure must be one of {', '.join(MEASURES)}; got {self.measure!r}.")
        for value in self.axis.values if self.axis else ():
            self.at(value)

    @property
    def values(self) -> tuple[Any, ...]:
        """The axis' values, or a single None."""
        return self.axis.values if self.axis else (None,)

    def at(self, value: Any) -> tuple[Kernel, Machine]:
        """The kernel and machine with `value` at the axis' place."""
        if self.axis is None:
            return self.kernel, self.machine
        part, *names = self.axis.path.split(".")
        if part == "kernel" and names:
            return with_value(self.kernel, names, value), self.machine
        if part == "machine" and names:
            return self.kernel, with_value(self.machine, names, value)
        raise ParameterError(
            f"RunSpec: an axis starts with 'kernel.' or 'machine.'; got {self.axis.path!r}. "
            "available_axes(kernel, machine) lists them."
        )

    def load(self) -> Dataset:
        """The data set, from the catalogue."""
        return load_dataset(self.data, **dict(self.parameters))

    def to_json(self) -> str:
        """One JSON object; kernels, machine and protocol stand in it as the Python that makes them."""
        document: dict[str, Any] = {
            "version": _VERSION,
            "data": self.data,
            "parameters": dict(self.parameters),
            "kernel": repr(self.kernel),
            "machine": repr(self.machine),
            "protocol": repr(self.protocol),
            "measure": self.measure,
            "axis": None,
            "reference": None if self.reference is None else repr(self.reference),
        }
        if self.axis:
            # JSON has no infinity; the hard margin's C is written as the word.
            values = ["inf" if v == math.inf else v for v in self.axis.values]
            document["axis"] = {"path": self.axis.path, "values": values}
        return json.dumps(document, indent=2, allow_nan=False, default=_plain)

    @classmethod
    def from_json(cls, text: str) -> RunSpec:
        """The inverse of `to_json`; DataError for text that is not a RunSpec of this version."""
        try:
            document = json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            raise DataError(f"The spec is not JSON: {error}. Expected the file that 'Export' writes.") from None
        if not isinstance(document, dict) or document.get("version") != _VERSION:
            version = document.get("version") if isinstance(document, dict) else None
            raise DataError(f"The spec has version {version!r}; expected {_VERSION}. Export it again.")
        known = {"version", "data", "parameters", "kernel", "machine", "protocol", "measure", "axis", "reference"}
        if set(document) - known:
            raise DataError(f"The spec has unknown keys {sorted(set(document) - known)}; expected {sorted(known)}.")
        missing = {"data", "kernel"} - set(document)
        if missing:
            raise DataError(f"The spec lacks {sorted(missing)}. Export it again.")
        axis = document.get("axis")
        optional: dict[str, Any] = {}
        try:
            if document.get("machine") is not None:
                optional["machine"] = parse_declared(document["machine"], MACHINES)
            if document.get("protocol") is not None:
                optional["protocol"] = parse_declared(document["protocol"], PROTOCOLS)
            if axis:
                values = tuple(math.inf if v == "inf" else v for v in axis["values"])
                optional["axis"] = Axis(str(axis["path"]), values)
            if document.get("reference"):
                optional["reference"] = parse(document["reference"])
            return cls(
                data=str(document["data"]),
                kernel=parse(document["kernel"]),
                measure=document.get("measure", "error"),
                parameters=tuple(dict(document.get("parameters") or {}).items()),
                **optional,
            )
        except (AttributeError, KeyError, TypeError) as error:
            raise DataError(f"The spec cannot be read: {error!r}. Export it again.") from None


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no place in a RunSpec")
