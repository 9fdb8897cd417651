"""The machine behind every error on the working pages, which the page Use exchanges for all of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernlib import KernlibError
from kernlib.analysis.gram import class_means
from kernlib.data import Dataset
from kernlib.experiments.decisions import default_kernel, default_machine, starting_machine
from kernlib.machines import MACHINES, Machine
from kernlib.protocols import suitable_measure
from kernlib.values.declare import Parameter
from pages.parts.server.caching import known
from pages.parts.session import state
from pages.parts.session.state import current, has_begun

#: The controls with the class of the machine, and with the two classes of its border; `control_of` names those with its
#: parameters.
MACHINE, PAIR = "all.machine", "use.pair"


#: Rows by which the closest classes are found.
_SOME = 200


def control_of(parameter: Parameter) -> str:
    """Return the control with a parameter of the machine; machines share parameters of one name."""
    return f"all.{parameter.name}"


def pairs_of(data: Dataset) -> list[tuple[int, int]]:
    """Return the pairs of classes: a support vector machine separates two at a time."""
    return list(itertools.combinations(range(len(data.classes)), 2))


def pair_of(data: Dataset) -> tuple[int, int]:
    """Return the two classes whose border is drawn: the closest two, or those that a person chose on the page Use."""
    chosen = {str(pair): pair for pair in pairs_of(data)}.get(current().controls.get(PAIR, ""))
    return chosen or closest_pair(data)


@known()
def closest_pair(data: Dataset) -> tuple[int, int]:
    """Return the two classes whose means lie closest in the feature space of the data's first kernel."""
    pairs = pairs_of(data)
    if len(pairs) == 1:
        return pairs[0]
    some = data.stratified_sample(_SOME) if data.n > _SOME else data
    try:
        means = np.nan_to_num(class_means(default_kernel(some)(some.inputs), np.asarray(some.y)))
    except KernlibError:
        return pairs[0]
    return min(pairs, key=lambda pair: means[pair[0], pair[0]] + means[pair[1], pair[1]] - 2 * means[pair])


def offered(data: Dataset) -> dict[str, type[Machine]]:
    """Return the machines for these labels, by the names of their classes."""
    return {machine.__name__: machine for machine in MACHINES if (data.task or "classification") in machine.task}


def proposed_machine(data: Dataset, cls: type[Machine] | None = None, measure: str = "") -> Machine:
    """Return the machine of the protocol that all pages share, or one of another class with its suggested values.

    `measure` of its errors, by default the one that suits the labels.
    """
    if not measure and data.y is not None:
        measure = suitable_measure(data.y, data.task or "auto")
    proposed = default_machine(data, measure)
    return proposed if cls in (None, type(proposed)) else starting_machine(cls, data.task, measure)  # type: ignore[arg-type]


def machine_of(data: Dataset, measure: str = "") -> Machine:
    """Return the machine of all pages: the proposed one, or the one that a person chose on the page Use.

    `measure` of its errors, by default the one that suits the labels.
    """
    controls = current().controls if has_begun() else {}
    machine = proposed_machine(data, offered(data).get(controls.get(MACHINE, "")), measure)
    chosen = {}
    for p in machine.parameters():
        if (name := control_of(p)) in controls:
            try:
                chosen[p.name] = read_parameter(p, controls[name])
            except (ValueError, LookupError):  # a link with another value
                continue
    return replace(machine, **chosen)


def take_machine(machine: Machine, data: Dataset, names: Sequence[str]) -> None:
    """Make a machine that of all pages, with these of its parameters."""
    if type(machine) is not type(machine_of(data)):
        state.choose(MACHINE, type(machine).__name__)
    for p in machine.parameters():
        if p.name in names:
            state.choose(control_of(p), str(getattr(machine, p.name)))


def exchanged() -> bool:
    """Return whether a person has chosen a machine, or a parameter of one."""
    return not {MACHINE, *(control_of(p) for cls in MACHINES for p in cls.parameters())}.isdisjoint(current().controls)


def read_parameter(p: Parameter, text: str) -> Any:
    """Return the value that a control's text has for a parameter; ValueError where it has none."""
    known = {str(choice): choice for choice in (*p.choices, *([True, False] if p.kind == "bool" else []))}
    return p.clean(known[text] if text in known else int(text) if p.kind == "int" else float(text), p.name)
