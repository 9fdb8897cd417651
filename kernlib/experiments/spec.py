"""The RunSpec: everything a run depends on, in one frozen value with a JSON codec."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..core.base import Kernel
from ..data import CATALOGUE, Dataset, load_dataset, why_left_out
from ..errors import DataError, ParameterError
from ..machines import MACHINES, SVM, Machine
from ..measures import MEASURES
from ..parse import parse, parse_declared
from ..protocols import PROTOCOLS, FixedSplits, Protocol, RepeatedKFold, RepeatedSplits
from ..values.declare import Declared
from ..values.words import value_in_words
from .axis import Axis, whole_kernel, with_value

_VERSION = 2
#: The first letters of an upload's data name; the SHA-256 digest of its rows and labels follows.
UPLOAD = "upload:"

_AGAIN = "Download the run again."
_EXPECTED = "Expected run.json of 'Downloads' on Choose, or spec.json of `python -m kernlib run`."


def _data(name: str) -> str:
    if why_left_out(name):
        raise DataError(f"The spec: {why_left_out(name)}")
    if name not in CATALOGUE and not re.fullmatch(UPLOAD + "[0-9a-f]{64}", name):
        raise DataError(
            f"The spec: data is {_shown(name)}; expected a name of the catalogue, or '{UPLOAD}' and 64 hex digits. "
            "`python -m kernlib datasets` lists the names."
        )
    return name


def _parameters(given: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    for name, value in given.items():
        if type(value) not in (str, int, float, bool) or value in (math.inf, -math.inf) or value != value:
            raise DataError(f"The spec: parameters: {name:.60} is {_shown(value)}; expected a number or text. {_AGAIN}")
    return tuple(given.items())


def _axis(document: dict[str, Any]) -> Axis:
    if [type(document[key]) for key in ("path", "values")] != [str, list] or len(document["path"]) > 300:
        raise TypeError
    return Axis(**document)


def _protocol(text: str) -> Any:
    return parse_declared(text, PROTOCOLS)


#: What JSON calls the types of a key's value.
_KINDS = {str: "text", bool: "true or false", int: "a whole number", list: "a list", dict: "an object"}
#: The keys of the file in its order, the type of each value, and what reads it. A file may leave out all but version,
#: data and kernel.
_KEYS: dict[str, tuple[type, Callable[[Any], Any]]] = {
    "data": (str, _data),
    "parameters": (dict, _parameters),
    "kernel": (str, parse),
    "machine": (str, lambda text: parse_declared(text, MACHINES)),
    "protocol": (str, _protocol),
    "measure": (str, str),
    "axis": (dict, _axis),
    "second": (dict, _axis),
    "tuning": (list, lambda axes: tuple(map(_axis, axes))),
    "inner": (str, _protocol),
    "leaky": (bool, bool),
    "selection": (str, str),
    "draws": (int, int),
    "also": (list, lambda names: tuple(map(str, names))),
    "reference": (str, parse),
}


def _arguments(text: str | bytes) -> dict[str, Any]:
    """Return the arguments of the RunSpec that a JSON text describes."""
    try:
        document = json.loads(text, object_pairs_hook=_unique)
    except DataError:
        raise
    except (ValueError, RecursionError):
        raise DataError(f"The spec is not JSON text. {_EXPECTED}") from None
    if not isinstance(document, dict):
        raise DataError(f"The spec is {_shown(document)}; expected an object with version, data and kernel. {_AGAIN}")
    version = document.pop("version", None)
    if version != _VERSION:
        raise DataError(f"The spec has version {_shown(version)}; expected {_VERSION}. {_AGAIN}")
    unknown = [_shown(key) for key in document if key not in _KEYS]
    if unknown:
        raise DataError(f"The spec has the unknown key {', '.join(unknown)}; expected {', '.join(_KEYS)}. {_AGAIN}")
    arguments: dict[str, Any] = {}
    for key in dict.fromkeys(("data", "kernel", *document)):
        value, (kind, read) = document.get(key), _KEYS[key]
        if value is None and key in ("axis", "second", "reference"):
            continue
        try:
            if type(value) is not kind:
                raise TypeError
            arguments[key] = read(value)
        except (TypeError, KeyError):
            like = " of path and values" if read is _axis else ""
            raise DataError(f"The spec: {key} is {_shown(value)}; expected {_KINDS[kind]}{like}. {_AGAIN}") from None
    return arguments


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if twice := [name for name in names if names.count(name) > 1]:
        raise DataError(f"The spec has the key {_shown(twice[0])} twice; expected each key once. Delete one of them.")
    return dict(pairs)


def _shown(value: Any) -> str:
    """Return a value as the file writes it, at most forty letters of it."""
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _written(value: Any) -> Any:
    """Return a field of a spec as JSON holds it."""
    if isinstance(value, Axis):
        # JSON has no infinity: a hard margin's C is written as the word.
        return {"path": value.path, "values": ["inf" if v == math.inf else v for v in value.values]}
    if isinstance(value, tuple):
        return [_written(one) for one in value]
    if isinstance(value, np.generic):
        return value.item()
    return repr(value) if isinstance(value, Declared) else value


#: A run of more fits is almost certainly a mistake.
MOST_FITS = 100_000_000

#: The axis value of the reference kernel's folds.
REFERENCE = "reference"

#: The criteria by which tuning can choose.
SELECTIONS = ("splits", "likelihood")

#: The choice inside a training part: (path, value) pairs.
Tuned = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class RunSpec:
    """One run: data, kernel, machine, protocol, measure, and the one or two parameters that vary.

    Parameters
    ----------
    data : a name of the catalogue, with its `parameters` as (name, value) pairs: those of a
        generator, or `n` and `seed` of a stratified sample. Or "upload:" and a data set's digest:
        the data set must then be passed to the run (`reread_upload`).
    kernel, machine : specifications, not fitted.
    protocol : how rows are split, with its seed.
    measure : a name of `MEASURES`.
    axis : the parameter that varies, or None for a single point.
    second : a second axis; the values are then pairs, the first axis outermost.
    reference : another kernel measured on the same splits, drawn as a line; or None. The machine's
        tuning applies to it too.
    tuning : parameters chosen by the smallest mean measure over `inner` splits of each training
        part, separately for every value; all combinations are tried, ties go to the first.
    inner : the protocol inside the training part. Validation rows of `protocol`
        (`FixedSplits`) are used instead. Groups of the data stay together inside only if this is a `GroupedSplits`.
    selection : the criterion of the tuning: "splits", by `inner`; or "likelihood", the smallest −log ℓ(d̂) of the
        relevant dimension of the training part.
    draws : how many data sets are drawn, with consecutive seeds from the data's own, each with the protocol's splits
        (whose seed increases too); all splits count equally.
    also : names of further measures of every fold, of the same machine, which is tuned by `measure` alone; `seen_by`
        reads them.
    leaky : also compute the score of each fold with the combination that is best on its test rows, the mistake that
        `tuning` avoids.

    Raises ParameterError for an unknown measure, an axis without a parameter, two axes for one parameter, or more than
    a hundred million fits.

    >>> from kernlib import Deep, RBF
    >>> spec = RunSpec("breast-cancer-10", Deep(RBF(sigma="median")), axis=Axis("kernel.level", (0, 1, 2)))
    >>> RunSpec.from_json(spec.to_json()) == spec
    True
    >>> RunSpec("colon", RBF(), tuning=(Axis("machine.C", (0.1, 1.0, 10.0)),)).fits
    400
    """

    data: str
    kernel: Kernel
    machine: Machine = field(default_factory=SVM)
    protocol: Protocol = field(default_factory=RepeatedSplits)
    measure: str = "error"
    axis: Axis | None = None
    reference: Kernel | None = None
    parameters: tuple[tuple[str, Any], ...] = ()
    second: Axis | None = None
    tuning: tuple[Axis, ...] = ()
    inner: Protocol = field(default_factory=lambda: RepeatedKFold(folds=5, repeats=1, seed=0))
    leaky: bool = False
    selection: str = "splits"
    draws: int = 1
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, kernel in (("kernel", self.kernel), ("reference", self.reference)):
            if kernel is not None and kernel != kernel.specification:
                raise ParameterError(
                    f"RunSpec: {name} must not be fitted, because every training part fits it; got "
                    f"{kernel!r}. Pass {name}.specification."
                )
        for name in (self.measure, *self.also):
            if name not in MEASURES:
                raise ParameterError(f"RunSpec: measure must be one of {', '.join(MEASURES)}; got {name!r:.60}.")
        if len({self.measure, *self.also}) <= len(self.also):
            raise ParameterError(
                f"RunSpec: also must name other measures, each once; got {self.also!r:.60} beside {self.measure!r}. "
                "Remove the duplicate."
            )
        if self.second is not None and self.axis is None:
            raise ParameterError("RunSpec: second needs a first axis; got none. Pass it as axis.")
        paths = [axis.path for axis in (*self.axes, *self.tuning)]
        twice = {path for path in paths if paths.count(path) > 1}
        if twice:
            raise ParameterError(
                f"RunSpec: every axis must have another parameter; got {', '.join(sorted(twice))} more than once. "
                "Vary it or tune it, not both."
            )
        if self.leaky and not self.tuning:
            raise ParameterError("RunSpec: leaky compares two ways of tuning; got no tuning. Add an axis to tuning.")
        if self.fits > MOST_FITS:
            raise ParameterError(
                f"RunSpec: the run has {self.fits:,} fits; expected at most {MOST_FITS:,}. "
                "Choose coarser grids, fewer repeats, or fewer tuned parameters."
            )
        if self.selection not in SELECTIONS:
            raise ParameterError(
                f"RunSpec: selection must be one of {', '.join(SELECTIONS)}; got {self.selection!r:.60}. Try 'splits'."
            )
        # Each axis by itself: the product of the grids is checked by its factors.
        for axis in (*self.axes, *self.tuning):
            for value in axis.values:
                if axis.outside:
                    self._check_outside(axis, value)
                else:
                    put(self.kernel, self.machine, ((axis.path, value),))
        self._check_draws()

    def _check_outside(self, axis: Axis, value: Any) -> None:
        if axis in self.tuning or self.reference is not None:
            raise ParameterError(
                f"RunSpec: {axis.path} changes the splits; expected it as an axis without a reference kernel. "
                "Tune a parameter of the kernel or the machine, and leave the reference out."
            )
        with_value(self.protocol, axis.path.split(".")[1:], value)

    def _check_draws(self) -> None:
        if type(self.draws) is not int or not 1 <= self.draws <= 1000:
            raise ParameterError(f"RunSpec: draws must be an integer from 1 to 1000; got {self.draws!r}. Try draws=1.")
        if self.draws == 1:
            return
        seeded = self.data in CATALOGUE and "seed" in {p.name for p in CATALOGUE[self.data].parameters()}
        if not seeded or not hasattr(self.protocol, "seed"):
            raise ParameterError(
                f"RunSpec: draws={self.draws} needs data and splits that are drawn by a seed; got {self.data:.40} and "
                f"{self.protocol!r}. Take a generator or a sample of rows, and a protocol with a seed."
            )

    @property
    def upload(self) -> str:
        """Return the digest of an uploaded data set; "" for data of the catalogue."""
        return self.data.removeprefix(UPLOAD) if self.data.startswith(UPLOAD) else ""

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Return the axes: none, one or two."""
        return tuple(axis for axis in (self.axis, self.second) if axis is not None)

    @property
    def values(self) -> tuple[Any, ...]:
        """Return the axis' values, the pairs of two axes' values, or a single None."""
        if self.axis is None:
            return (None,)
        if self.second is None:
            return self.axis.values
        return tuple(itertools.product(self.axis.values, self.second.values))

    @property
    def splits(self) -> int:
        """Return the number of splits per value, over all draws."""
        return self.protocol.count * self.draws

    @property
    def fits(self) -> int:
        """Return the number of machines that a complete run trains at most, with the reference and the tuning."""
        points = math.prod(len(axis.values) for axis in self.axes) * self._fits_of(self.tuning)
        return self.splits * (points + (self._fits_of(self._machine_tuning) if self.reference is not None else 0))

    def _fits_of(self, tuning: tuple[Axis, ...]) -> int:
        combinations = math.prod(len(axis.values) for axis in tuning)
        if combinations == 1:
            return 1
        inner = 1 if self.selection != "splits" or self.uses_validation else self.inner.count
        return combinations * inner + (combinations if self.leaky else 1)

    @property
    def _machine_tuning(self) -> tuple[Axis, ...]:
        """Return what is tuned with the reference kernel: the machine alone."""
        return tuple(axis for axis in self.tuning if axis.path.startswith("machine."))

    @property
    def uses_validation(self) -> bool:
        """Return whether the protocol has validation rows for the tuning."""
        return isinstance(self.protocol, FixedSplits) and self.protocol.validation > 0

    def in_words(self, value: Any) -> str:
        """Return one of `values` as text; whole kernels as their steps. Anything else as it prints.

        >>> from kernlib import Linear
        >>> spec = RunSpec("iris", Linear(), axis=Axis("kernel", ("Power(Linear(), p=0.5)",)))
        >>> spec.in_words(spec.values[0])
        'Linear → power 0.5'
        """
        if self.axis is None or value not in self.values:
            return value_in_words(value)
        return ", ".join(axis.in_words(one) for axis, one in zip(self.axes, self.by_axis(value), strict=True))

    def by_axis(self, value: Any) -> tuple[Any, ...]:
        """Return the value of each axis at one of `values`."""
        return () if self.axis is None else (value,) if self.second is None else tuple(value)

    def over(self, axes: Sequence[Axis]) -> RunSpec:
        """Return the run over these axes, none to two."""
        axis, second = (*axes, None, None)[:2]
        return replace(self, axis=axis, second=second)

    def at(self, value: Any) -> tuple[Kernel, Machine]:
        """Return the kernel and machine with `value` (a pair for two axes) on the axis, before any tuning."""
        chosen = zip((axis.path for axis in self.axes), self.by_axis(value), strict=True)
        return put(self.kernel, self.machine, tuple(chosen))

    def only(self, value: Any) -> RunSpec:
        """Return the run of one of `values`, or of the reference kernel with the machine's tuning, alone.

        >>> from kernlib import Deep, RBF
        >>> spec = RunSpec("iris", Deep(RBF()), axis=Axis("kernel.level", (0, 1)), reference=RBF(sigma=2.0))
        >>> spec.only(1).values, spec.only(REFERENCE).kernel
        ((1,), RBF(sigma=2.0))
        """
        if value == REFERENCE and self.reference is not None:
            tuning = self._machine_tuning
            alone = replace(self.over(()), leaky=self.leaky and bool(tuning), tuning=tuning)
            return replace(alone, kernel=self.reference, reference=None)
        axes = [Axis(axis.path, (one,)) for axis, one in zip(self.axes, self.by_axis(value), strict=True)]
        return replace(self, reference=None).over(axes)

    def tuned(self, value: Any, tuned: Tuned) -> tuple[Kernel, Machine]:
        """Return the kernel and machine at `value` with a fold's choice (`FoldResult.tuned`)."""
        return put(*self.at(value), tuned)

    def candidates(self, value: Any) -> tuple[tuple[Kernel, Machine, Tuned], ...]:
        """Return the candidates of the tuning at `value`, or of the reference kernel at REFERENCE.

        Each is a kernel, a machine and the combination, the first axis outermost.
        """
        tuning = self.tuning
        if value == REFERENCE and self.reference is not None:
            kernel, machine, tuning = self.reference, self.machine, self._machine_tuning
        else:
            kernel, machine = self.at(value)
        combinations = itertools.product(*(axis.values for axis in tuning))
        all_tuned = (tuple((a.path, v) for a, v in zip(tuning, values, strict=True)) for values in combinations)
        return tuple((*put(kernel, machine, tuned), tuned) for tuned in all_tuned)

    def load(self) -> Dataset:
        """Return the data set from the catalogue; raise DataError for an upload, which is not stored."""
        if self.upload:
            raise DataError(
                f"RunSpec: the data is an upload, digest {self.upload[:12]}…; expected its data set. "
                "Pass it: sweep(spec, data), or --data file on the command line."
            )
        return load_dataset(self.data, **dict(self.parameters))

    def to_json(self) -> str:
        """Return the spec as one JSON object; kernels, machine and protocols are written as Python expressions."""
        document = {"version": _VERSION} | {key: _written(getattr(self, key)) for key in _KEYS}
        document["parameters"] = {name: _written(value) for name, value in self.parameters}
        return json.dumps(document, indent=2, allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> RunSpec:
        """Return the RunSpec that `to_json` wrote, from text or UTF-8 bytes.

        Raises DataError for other text, unknown or ill-typed keys and unknown data, and ParameterError for values
        outside their range.
        """
        return cls(**_arguments(text))


def put(kernel: Kernel, machine: Machine, chosen: Tuned) -> tuple[Kernel, Machine]:
    """Return kernel and machine with the chosen values at their paths."""
    # A whole kernel first, whatever the order of the axes: its own parameters come on top.
    for path, value in sorted(chosen, key=lambda pair: pair[0] != "kernel"):
        part, *names = path.split(".")
        try:
            if part == "protocol":
                continue  # `single_runs` handles it
            if part == "kernel" and not names:
                if not isinstance(value, str):
                    raise ParameterError(
                        "RunSpec: the axis 'kernel' takes kernels as Python expressions; got "
                        f"{value!r:.60}. Try repr(kernel)."
                    )
                kernel = whole_kernel(value)
            elif part == "kernel":
                kernel = with_value(kernel, names, value)
            elif part == "machine" and names:
                machine = with_value(machine, names, value)
            else:
                raise TypeError
        except TypeError:
            raise ParameterError(
                f"RunSpec: an axis leads from 'kernel.', 'machine.' or 'protocol.' to a parameter; got {path!r}. "
                "available_axes(kernel, machine) lists them."
            ) from None
    return kernel, machine
