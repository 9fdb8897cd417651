"""The controls of an error curve: what they say is one RunSpec."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.experiments import UPLOAD, Axis, RunSpec
from kernlib.experiments.proposals import default_machine
from kernlib.machines import MACHINES, Machine
from kernlib.measures import MEASURES
from kernlib.protocols import PROTOCOLS, GroupedSplits, Protocol, PublishedSplits, RepeatedKFold, RepeatedSplits
from kernlib.wrappers.nystrom import with_landmarks

from . import compute
from .axes import Choice, choices, path_below
from .chain import base_of
from .inert import plain
from .state import View
from .widgets import parameter_widget, plain_symbol

__all__ = ["run_controls"]

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
    first = _pick("Vary", menu, f"curves.axis.{data.domain}")
    kernel, axis = first.kernel, Axis(first.place.path, _range(first, "first"))
    second = None
    with st.expander("More: second axis, tuning, protocol"):
        # The second axis runs over what is there once the first one's step has been put on top.
        others = [c for c in choices(kernel, machine) if c.place.path != axis.path]
        label = st.selectbox(
            "Vary as well",
            [_NOTHING, *(c.label for c in others)],
            key=f"curves.second.{data.domain}.{first.label}",
            help="Two numbers at once give a map, for example of p and depth.",
        )
        if label != _NOTHING:
            other = next(c for c in others if c.label == label)
            second = Axis(other.place.path, _range(other, "second", points=6))
            kernel, axis = other.kernel, Axis(path_below(axis.path, kernel, other.kernel), axis.values)
        tuning, leaky = _tuning(machine, axis, second)
        protocol = _protocol(data)
    measure = _measure(task, len(data.classes))
    reference = _reference(view, kernel)
    return RunSpec(
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
        # Whoever tests on other patients also tunes on other patients.
        **({"inner": GroupedSplits(repeats=5, train=0.8, seed=0)} if isinstance(protocol, GroupedSplits) else {}),
    )


def _pick(title: str, menu: Sequence[Choice], key: str) -> Choice:
    labels = [c.label for c in menu]
    chosen = st.selectbox(title, labels, key=key, persist_state="session")
    return menu[labels.index(chosen)] if chosen in labels else menu[0]


def _range(choice: Choice, name: str, points: int = 11) -> tuple[Any, ...]:
    grid = choice.grid(points)
    if len(grid) < 3:
        return grid
    low, high = st.select_slider(
        f"from … to, {plain_symbol(choice.place.parameter) or choice.place.parameter.name}",
        grid,
        (grid[0], grid[-1]),
        key=f"curves.range.{name}.{choice.label}.{grid[0]}.{len(grid)}",
        persist_state="session",
        format_func=_number,
    )
    return tuple(v for v in grid if low <= v <= high)


def _machine(view: View, task: str) -> Machine:
    machines = [m for m in MACHINES if task in m.task]
    by_name = {m.__name__: m for m in machines}
    proposed = default_machine(view.data, compute.gram(view.data, view.kernel))
    start = type(proposed).__name__ if type(proposed).__name__ in by_name else next(iter(by_name))
    name = st.selectbox(
        "Machine",
        list(by_name),
        index=list(by_name).index(start),
        key=f"curves.machine.{task}.{view.data.domain}",
        persist_state="session",
        format_func=lambda n: by_name[n].label,
    )
    cls = by_name[name]
    # Real targets may lie far from 0, where a machine without an intercept would have to climb first.
    centred = dict.fromkeys(cls.regression_only, True) if task == "regression" else {}
    origin = proposed if cls is type(proposed) else cls(**centred)
    # Another proposal begins anew: what was chosen for one data set's scale is not carried to another's.
    start = f"curves.{view.data.domain}.{name}" + ("" if origin == cls() else f".{origin!r}")
    drawn = [p for p in cls.parameters() if task == "regression" or p.name not in cls.regression_only]
    return cls(**{p.name: parameter_widget(p, getattr(origin, p.name), f"{start}.{p.name}") for p in drawn})


def _measure(task: str, classes: int) -> str:
    offered = [m for m in MEASURES.values() if m.task == task and not (m.two_classes_only and classes > 2)]
    return st.selectbox(
        "Measure",
        [m.name for m in offered],
        key=f"curves.measure.{task}.{classes > 2}",
        persist_state="session",
        format_func=lambda name: MEASURES[name].label,
        help="\n\n".join(f"**{m.label}**: {m.help}" for m in offered),
    )


def _tuning(machine: Machine, *taken: Axis | None) -> tuple[tuple[Axis, ...], bool]:
    paths = {axis.path for axis in taken if axis}
    names = [p.name for p in machine.parameters() if p.name in _TUNED and f"machine.{p.name}" not in paths]
    chosen = st.multiselect(
        "Tune inside the training part",
        names,
        key=f"curves.tune.{type(machine).__name__}",
        persist_state="session",
        help="Chosen by five splits of each training part alone, so that no test row has a say. Tried: "
        + "; ".join(f"{name} = {', '.join(map(_number, _TUNED[name]))}" for name in names),
    )
    leaky = bool(chosen) and st.toggle(
        "Show what tuning on the test rows would claim",
        key="curves.leaky",
        persist_state="session",
        help="The most common mistake: the same folds, with the value that suits the test rows best.",
    )
    return tuple(Axis(f"machine.{name}", _TUNED[name]) for name in chosen), leaky


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
    name = st.selectbox(
        "How rows are split",
        list(preset),
        key=f"curves.protocol{'.grouped' if grouped else ''}",
        persist_state="session",
        help="Rows of one group, e.g. of one patient, stand on one side: otherwise the test rows are half known."
        if grouped
        else None,
    )
    chosen = preset[name]
    if chosen is not None:
        return chosen
    kind = st.selectbox(
        "Kind",
        list(offered),
        key=f"curves.protocol.kind{'.grouped' if grouped else ''}",
        persist_state="session",
        format_func=lambda n: offered[n].label,
    )
    cls = offered[kind]
    return cls(**{p.name: parameter_widget(p, p.default, f"curves.{kind}.{p.name}") for p in cls.parameters()})


def _reference(view: View, swept: Kernel) -> Kernel | None:
    # The kernel on its rows, units included: everything else is a step that the curve may judge.
    reference = base_of(view.kernel)
    if view.kernel.has_factor:  # so many rows are compared by way of landmarks, or not at all
        reference = with_landmarks(reference, like=view.kernel)
    wanted = st.toggle(
        "Base kernel as reference",
        reference != swept,
        key=f"curves.reference.{view.data.domain}",
        persist_state="session",
        help=f"{plain(' → '.join(reference.chain()))} on the same splits, without any step.",
    )
    return reference if wanted else None


def _number(value: Any) -> str:
    return "∞" if value == math.inf else f"{value:g}"
