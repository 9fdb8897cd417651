"""The controls of an error curve: what they say is one RunSpec."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.experiments import UPLOAD, Axis, RunSpec
from kernlib.experiments.proposals import default_machine, starting_machine
from kernlib.machines import MACHINES, Machine
from kernlib.measures import MEASURES
from kernlib.protocols import PROTOCOLS, GroupedSplits, Protocol, PublishedSplits, RepeatedKFold, RepeatedSplits
from kernlib.values.words import number
from kernlib.wrappers.nystrom import with_landmarks
from pages.parts.frame.view import View
from pages.parts.inputs.axes import choices, path_below
from pages.parts.inputs.controls import option, options, span, switch
from pages.parts.inputs.plain import plain
from pages.parts.inputs.widgets import parameter_control
from pages.parts.session.chain import kernel_below
from pages.parts.session.numbers import Number
from pages.parts.session.value import current

#: Grids of what is tuned inside the training part, by the machine's parameter.
_TUNED: dict[str, tuple[Any, ...]] = {
    "C": (0.1, 1.0, 10.0, 100.0),
    "ridge": (0.001, 0.01, 0.1, 1.0, 10.0),
    "dimension": (1, 2, 5, 10, 20),
    "k": (1, 3, 5, 9),
}
_NOTHING = "nothing"


def run_controls(view: View) -> RunSpec:
    """Draw the controls and return the run that they describe."""
    data = view.whole
    task = data.task or "classification"
    machine = _machine(view, task)
    menu = choices(view.kernel, machine)
    first = _pick("Vary", menu, "curves.axis")
    kernel, axis = first.kernel, Axis(first.place.path, _range(first, "curves.range"))
    second = None
    with st.expander("More: second axis, tuning, protocol"):
        # The second axis runs over what is there once the first one's step has been put on top.
        others = [c for c in choices(kernel, machine) if c.place.path != axis.path]
        label = option(
            st.selectbox,
            "Vary as well",
            [_NOTHING, *(c.label for c in others)],
            "curves.second",
            help="Two numbers at once give a map, for example of p and depth.",
        )
        if label != _NOTHING:
            other = next(c for c in others if c.label == label)
            second = Axis(other.place.path, _range(other, "curves.second-range", points=6))
            kernel, axis = other.kernel, Axis(path_below(axis.path, kernel, other.kernel), axis.values)
        tuned = _tuned(machine, axis, second)
        protocol = _protocol(data)
    leaky = _leaky(machine, axis, second)
    # The leak is shown on what a person would tune: without another choice on all that the machine has.
    tuning = tuple(
        Axis(f"machine.{name}", _TUNED[name]) for name in tuned or (_tunable(machine, axis, second) if leaky else ())
    )
    measure = _measure(task, len(data.classes))
    reference = _reference(view, kernel, [one.path for one in (axis, second) if one is not None])
    training = f"training {measure}"
    also = (training,) if second is None and training in MEASURES and _training() else ()
    spec = RunSpec(
        UPLOAD + data.digest if view.choice.uploaded else view.choice.name,
        kernel,
        machine,
        protocol,
        measure,
        axis,
        reference,
        view.choice.parameters,
        second=second,
        tuning=tuning,
        leaky=leaky,
        also=also,
    )
    # Tests on other groups require tuning on other groups.
    return (
        replace(spec, inner=GroupedSplits(repeats=5, train=0.8, seed=0))
        if isinstance(protocol, GroupedSplits)
        else spec
    )


def _pick(title: str, menu: Sequence[Number], key: str) -> Number:
    labels = [c.label for c in menu]
    return menu[labels.index(option(st.selectbox, title, labels, key))]


def _range(choice: Number, name: str, points: int = 11) -> tuple[Any, ...]:
    grid = choice.grid(points)
    if len(grid) < 3:
        return grid
    p = choice.place.parameter
    low, high = span(f"Range of {p.letter or p.name}", grid, name, format_func=number)
    return tuple(v for v in grid if low <= v <= high)


def _machine(view: View, task: str) -> Machine:
    machines = [m for m in MACHINES if task in m.task]
    by_name = {m.__name__: m for m in machines}
    proposed = default_machine(view.data)
    start = type(proposed).__name__ if type(proposed).__name__ in by_name else next(iter(by_name))
    name = option(
        st.selectbox, "Machine", list(by_name), "curves.machine", start, format_func=lambda n: by_name[n].label
    )
    cls = by_name[name]
    origin = starting_machine(cls, task)
    drawn = [p for p in cls.parameters() if task == "regression" or p.name not in cls.regression_only]
    # A number that is tuned has no slider: each training part chooses its own.
    chosen = current().controls
    tuned = chosen.get("curves.tune", "").split("|") if chosen.get("curves.tune") else []
    if not tuned and chosen.get("curves.leaky") == "True":
        tuned = [p.name for p in drawn if p.name in _TUNED]
    for p in drawn:
        if p.name in tuned:
            st.caption(f"{p.name} is tuned inside the training part.")
    return cls(
        **{
            p.name: parameter_control(p, getattr(origin, p.name), f"curves.{name}.{p.name}")
            for p in drawn
            if p.name not in tuned
        }
    )


def _measure(task: str, classes: int) -> str:
    offered = [
        m
        for m in MEASURES.values()
        if m.task == task and not m.on_training and not (m.two_classes_only and classes > 2)
    ]
    return option(
        st.selectbox,
        "Measure",
        [m.name for m in offered],
        "curves.measure",
        format_func=lambda name: MEASURES[name].label,
        help="\n\n".join(f"**{m.label}**: {m.help}" for m in offered),
    )


def _tunable(machine: Machine, *taken: Axis | None) -> list[str]:
    paths = {axis.path for axis in taken if axis}
    return [p.name for p in machine.parameters() if p.name in _TUNED and f"machine.{p.name}" not in paths]


def _tuned(machine: Machine, *taken: Axis | None) -> list[str]:
    names = _tunable(machine, *taken)
    return options(
        "Tune inside the training part",
        names,
        "curves.tune",
        help="Chosen by five splits of each training part, so that test rows never influence the choice. Tried: "
        + "; ".join(f"{name} = {', '.join(map(number, _TUNED[name]))} {machine.unit_of(name)}" for name in names),
    )


def _leaky(machine: Machine, *taken: Axis | None) -> bool:
    return bool(_tunable(machine, *taken)) and switch(
        "Show tuning on test rows (a leak)",
        False,
        "curves.leaky",
        help="A common mistake: the same folds, with the value that is best on the test rows. The honest curve "
        "tunes the same numbers inside the training part.",
    )


def _protocol(data: Dataset) -> Protocol:
    grouped, own = data.groups is not None, len(data.splits)
    needs: dict[type[Protocol], bool] = {GroupedSplits: grouped, PublishedSplits: bool(own)}
    offered: dict[str, type[Protocol]] = {p.__name__: p for p in PROTOCOLS if needs.get(p, True)}
    preset: dict[str, Protocol | None] = {"groups stay together": GroupedSplits()} if grouped else {}
    # Every fold needs a row of every class: where a class has too few, fewer folds are offered.
    folds = max(2, min([10, *data.class_counts.values()])) if data.class_counts else 10
    preset |= {
        "25 random halves": RepeatedSplits(repeats=25, train=0.5, seed=0),
        "40 × two thirds to train": RepeatedSplits(repeats=40, train=2 / 3, seed=0),
        f"10 × {folds}-fold": RepeatedKFold(folds=folds, repeats=10, seed=0),
    }
    if own:
        preset["the published split" if own == 1 else f"the {own} published splits"] = PublishedSplits(most=own)
    preset["by hand"] = None
    name = option(
        st.selectbox,
        "How rows are split",
        list(preset),
        "curves.protocol",
        help="Rows of one group, e.g. of one patient, stay together. Otherwise test rows resemble training rows."
        if grouped
        else None,
    )
    chosen = preset[name]
    if chosen is not None:
        return chosen
    kind = option(st.selectbox, "Kind", list(offered), "curves.protocol.kind", format_func=lambda n: offered[n].label)
    cls = offered[kind]
    return cls(**{p.name: parameter_control(p, p.default, f"curves.{kind}.{p.name}") for p in cls.parameters()})


def _training() -> bool:
    return switch(
        "Show the training error",
        True,
        "curves.training",
        help="The error of the same machines on their training rows. Far below the curve, they memorise.",
    )


def _reference(view: View, swept: Kernel, paths: Sequence[str]) -> Kernel | None:
    # Without the step whose number is varied and without what stands on it: all below, normalisation too, is the same.
    reference = kernel_below(swept, max(paths, key=lambda path: path.count(".")))
    if view.kernel.has_factor:  # so many rows are compared by way of landmarks, or not at all
        reference = with_landmarks(reference, like=view.kernel)
    wanted = switch(
        "Kernel without this step as reference",
        reference != swept,
        "curves.reference",
        help=f"{plain(' → '.join(reference.chain()))} on the same splits.",
    )
    return reference if wanted else None
