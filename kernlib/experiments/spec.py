"""The RunSpec: everything a run depends on, in one frozen value with a JSON codec."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

from ..core.base import Kernel
from ..data import CATALOGUE, Dataset, load_dataset
from ..errors import DataError, ParameterError
from ..machines import SVM, Machine
from ..measures import MEASURES
from ..protocols import FixedSplits, Protocol, RepeatedKFold, RepeatedSplits
from ..values.words import value_in_words
from .axis import Axis, whole_kernel, with_value
from .spec_json import UPLOAD, arguments_of, text_of

#: A run of more fits is almost certainly a mistake.
MOST_FITS = 100_000_000

#: The criteria by which tuning can choose.
SELECTIONS = ("splits", "likelihood", "alignment", "leave-one-out")

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
    selection : the criterion of the tuning: "splits", by `inner`; or, from the training part's Gram matrix alone,
        "likelihood", the smallest −log ℓ(d̂) of the relevant dimension, "alignment", the largest centred alignment with
        the labels, or "leave-one-out", the smallest leave-one-out error of ridge regression (the machine's own ridge,
        or the best).
    draws : how many data sets are drawn, with consecutive seeds from the data's own, each with the protocol's splits
        (whose seed increases too); all splits count equally.
    also : names of further measures of every fold, of the same machine, which is tuned by `measure` alone; `seen_by`
        reads them.
    settled : 0, or how many of the first splits are tuned: the median of their choices is used on all splits, a
        protocol of older benchmarks. The rows that one split tests may then influence the choice by another split.
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
    settled: int = 0

    def __post_init__(self) -> None:
        for name, kernel in (("kernel", self.kernel), ("reference", self.reference)):
            if kernel is not None and kernel != kernel.specification:
                raise ParameterError(
                    f"RunSpec: {name} must not be fitted, because every training part fits it; got "
                    f"{kernel!r}. Pass {name}.specification."
                )
        for name in (self.measure, *self.also):
            if name not in MEASURES:
                raise ParameterError(f"RunSpec: measure must be one of {', '.join(MEASURES)}; got {name!r}.")
        if len({self.measure, *self.also}) <= len(self.also):
            raise ParameterError(
                f"RunSpec: also must name other measures, each once; got {self.also!r} beside {self.measure!r}. "
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
        self._check_settled()
        if self.fits > MOST_FITS:
            raise ParameterError(
                f"RunSpec: the run has {self.fits:,} fits; expected at most {MOST_FITS:,}. "
                "Choose coarser grids, fewer repeats, or fewer tuned parameters."
            )
        if self.selection not in SELECTIONS:
            raise ParameterError(
                f"RunSpec: selection must be one of {', '.join(SELECTIONS)}; got {self.selection!r}. Try 'splits'."
            )
        # Each axis by itself: the product of the grids is checked by its factors.
        for axis in (*self.axes, *self.tuning):
            for value in axis.values:
                if axis.outside:
                    self._check_outside(axis, value)
                else:
                    _put(self.kernel, self.machine, ((axis.path, value),))
        self._check_draws()

    def _check_outside(self, axis: Axis, value: Any) -> None:
        if axis in self.tuning or self.reference is not None:
            raise ParameterError(
                f"RunSpec: {axis.path} changes the rows; expected it as an axis without a reference kernel. "
                "Tune a parameter of the kernel or the machine, and leave the reference out."
            )
        part, name = axis.path.split(".", 1)
        if part == "protocol":
            with_value(self.protocol, name.split("."), value)
            return
        known = {p.name: p for p in CATALOGUE[self.data].parameters()} if self.data in CATALOGUE else {}
        if name not in known:
            raise ParameterError(
                f"RunSpec: {self.data:.40} has no parameter {name!r} to vary; expected one of "
                f"{', '.join(known) or 'none, as it is an upload'}."
            )
        known[name].clean(value, self.data)

    def _check_settled(self) -> None:
        if type(self.settled) is not int or not 0 <= self.settled <= self.protocol.count:
            raise ParameterError(
                f"RunSpec: settled must be an integer from 0 to the protocol's {self.protocol.count} splits; got "
                f"{self.settled!r}. Try 5."
            )
        outside = any(axis.outside for axis in self.axes)
        if self.settled and (not self.tuning or self.leaky or self.reference is not None or self.draws > 1 or outside):
            raise ParameterError(
                "RunSpec: settled takes the median of the first splits' choices on one data set; expected tuning, "
                "and neither leaky, reference, draws nor an axis over data or protocol. Leave those out."
            )

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
    def combinations(self) -> int:
        """Return the number of combinations that the tuning tries."""
        return math.prod(len(axis.values) for axis in self.tuning)

    @property
    def fits(self) -> int:
        """Return the number of machines that a complete run trains, including the reference and the tuning."""
        points = math.prod(len(axis.values) for axis in self.axes)
        if self.settled:
            return points * (self.settled * self._fits_of(self.combinations) + self.splits)
        machine_only = math.prod(len(a.values) for a in self.tuning if a.path.startswith("machine."))
        return self.splits * (
            points * self._fits_of(self.combinations)
            + (self._fits_of(machine_only) if self.reference is not None else 0)
        )

    def _fits_of(self, combinations: int) -> int:
        if combinations == 1:
            return 1
        inner = 1 if self.selection != "splits" or self.uses_validation else self.inner.count
        return combinations * inner + (combinations if self.leaky else 1)

    @property
    def uses_validation(self) -> bool:
        """Return whether the protocol has validation rows for the tuning."""
        return isinstance(self.protocol, FixedSplits) and self.protocol.validation > 0

    def in_words(self, value: Any) -> str:
        """Return one of `values` as text; whole kernels as their steps. Anything else as it prints.

        >>> from kernlib import Linear
        >>> spec = RunSpec("iris", Linear(), axis=Axis("kernel", ("Power(Linear(), p=0.5)",)))
        >>> spec.in_words(spec.values[0])
        'Linear → |·|^0.5'
        """
        if self.axis is None or value not in self.values:
            return value_in_words(value)
        pair = value if self.second is not None else (value,)
        return ", ".join(axis.in_words(one) for axis, one in zip(self.axes, pair, strict=True))

    def at(self, value: Any) -> tuple[Kernel, Machine]:
        """Return the kernel and machine with `value` (a pair for two axes) on the axis, before any tuning."""
        if self.axis is None:
            return self.kernel, self.machine
        chosen = (value,) if self.second is None else tuple(value)
        return _put(self.kernel, self.machine, tuple((a.path, v) for a, v in zip(self.axes, chosen, strict=True)))

    def tuned(self, value: Any, tuned: Tuned) -> tuple[Kernel, Machine]:
        """Return the kernel and machine at `value` with a fold's choice (`FoldResult.tuned`)."""
        return _put(*self.at(value), tuned)

    def candidates(self, value: Any) -> tuple[tuple[Kernel, Machine, Tuned], ...]:
        """Return the candidates of the tuning at `value`: kernel, machine and combination, the first axis outermost."""
        kernel, machine = self.at(value)
        return _combined(kernel, machine, self.tuning)

    def reference_candidates(self) -> tuple[tuple[Kernel, Machine, Tuned], ...]:
        """Return the candidates for the reference kernel: the machine's tuning alone."""
        if self.reference is None:
            return ()
        return _combined(self.reference, self.machine, tuple(a for a in self.tuning if a.path.startswith("machine.")))

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
        return text_of(vars(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> RunSpec:
        """Return the RunSpec that `to_json` wrote, from text or UTF-8 bytes.

        Raises DataError for other text, unknown or ill-typed keys and unknown data, and ParameterError for values
        outside their range.
        """
        return cls(**arguments_of(text))


def _put(kernel: Kernel, machine: Machine, chosen: Tuned) -> tuple[Kernel, Machine]:
    # A whole kernel first, whatever the order of the axes: its own parameters come on top.
    for path, value in sorted(chosen, key=lambda pair: pair[0] != "kernel"):
        part, *names = path.split(".")
        try:
            if part in ("data", "protocol"):
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
                f"RunSpec: an axis leads from 'kernel.' or 'machine.' to a parameter; got {path!r}. "
                "available_axes(kernel, machine) lists them."
            ) from None
    return kernel, machine


def _combined(kernel: Kernel, machine: Machine, tuning: tuple[Axis, ...]) -> tuple[tuple[Kernel, Machine, Tuned], ...]:
    paths = [axis.path for axis in tuning]
    combinations = []
    for values in itertools.product(*(axis.values for axis in tuning)):
        tuned = tuple(zip(paths, values, strict=True))
        combinations.append((*_put(kernel, machine, tuned), tuned))
    return tuple(combinations)
