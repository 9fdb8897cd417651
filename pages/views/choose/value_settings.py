"""What *Which value?* varies, tunes and measures: one RunSpec."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.experiments import Axis, RunSpec, protocol_axes
from kernlib.machines import Machine
from kernlib.measures import MEASURES
from kernlib.protocols import (
    PROTOCOLS,
    GroupedSplits,
    Protocol,
    PublishedSplits,
    RepeatedKFold,
    RepeatedSplits,
    suitable_measure,
)
from kernlib.wrappers.landmarks import with_landmarks
from pages.parts.frame.slider import hand_of
from pages.parts.frame.waiting import View
from pages.parts.inputs.controls import (
    binding,
    number,
    number_box,
    option,
    options,
    parameter_control,
    value_of,
)
from pages.parts.results import compute
from pages.parts.session import state
from pages.parts.session.chain import TunableParameter, axis_label, choices, kernel_below, path_below
from pages.parts.session.state import machine_of

_SHARES = (0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875)
#: Values of a range at most.
_MOST = 60
#: The control that shows tuning on the test rows; it stands in the drawer.
LEAKY = "choose.leaky"
#: Grids of what is tuned inside the training part, by the machine's parameter.
_TUNED: dict[str, tuple[Any, ...]] = {
    "C": (0.1, 1.0, 10.0, 100.0),
    "ridge": (0.001, 0.01, 0.1, 1.0, 10.0),
    "dimension": (1, 2, 5, 10, 20),
    "k": (1, 3, 5, 9),
}
_NOTHING = "nothing"
#: Folds of the training part in which its values are tuned.
_INNER = 5


def outside(kernel: Kernel, protocol: Protocol) -> list[TunableParameter]:
    """Return what a run can vary beside kernel and machine: parameters of the splits."""
    numbers = []
    for place in protocol_axes(protocol):
        shares = place.path == "protocol.train" and place.parameter.kind == "float"
        numbers.append(TunableParameter(kernel, place, place.label, _SHARES if shares else ()))
    return numbers


def grid_control(choice: TunableParameter, name: str, data: Dataset, points: int = 11) -> tuple[Any, ...]:
    """Draw the values of a parameter, and return those that the state chooses.

    A menu takes other ends within the declared bounds, and their count. The values of a width are placed around the
    median distance of the rows. Of words a menu chooses some.
    """
    p = choice.place.parameter
    letter = p.letter or p.name.replace("_", " ")
    if p.kind == "choice":
        return tuple(options(f"Values of {letter}", p.choices, name, p.choices)) or p.choices
    anchor = compute.heuristics(data, choice.kernel).get(p.name) if p.scale == "log" and p.heuristic else None
    grid = choice.values(anchor, points) if anchor and not choice.preferred else choice.grid(points)
    read: Callable[[str], Any] = int if p.kind == "int" else float

    def ends(words: str) -> tuple[Any, Any]:
        low, high = sorted(p.clean(read(word), p.name) for word in words.split("|"))
        return low, high

    low, high = value_of(name, (grid[0], grid[-1]), ends)
    with st.popover(f"Values of {letter}", type="tertiary"):
        number_box(p, "From", low, **binding(f"{name}.from", low, lambda end: state.choose(name, f"{end}|{high}")))
        number_box(p, "To", high, **binding(f"{name}.to", high, lambda end: state.choose(name, f"{low}|{end}")))
        help = "Spaced evenly, on a logarithmic scale where the parameter has one. 0 takes the usual values."
        count = number("Number of values", 0, _MOST, 0, f"{name}.count", draw=st.number_input, help=help)
    if count:
        between = replace(p, low=low, high=high, scale=p.scale if low > 0 else "linear")
        grid = replace(choice.place, parameter=between).grid(count, digits=4)[1:-1]
    return tuple(v for v in sorted({*grid, low, high}) if low <= v <= high)


def run_settings(view: View, opening: Callable[[], None]) -> RunSpec:
    """Draw what is varied and its values, and in a menu all else; return the run that they describe.

    `opening` draws the box for the file of a run.
    """
    data, kernel, axes = view.whole, view.kernel, list[Axis]()
    vary, values = st.container(width=260), st.container()
    more = st.popover("Settings", icon=":material/tune:", type="tertiary")
    with more:
        protocol = _protocol(data)
        second_place, tuning_place = st.container(), st.container()
        measure = _measure(data)
        opening()
    machine = machine_of(data, measure)

    def menu() -> dict[str, TunableParameter]:
        return {c.label: c for c in (*choices(kernel, machine), *outside(kernel, protocol))}

    in_hand = hand_of(view)
    label = None if in_hand is None else axis_label(kernel, in_hand.number.path)
    with vary:
        first = menu().get(option(st.selectbox, "Vary", [*menu(), _NOTHING], "choose.axis", label))
    if first is not None:
        with values:
            kernel, axes = _with_axis(kernel, axes, first, grid_control(first, "choose.range", data))
        with second_place:
            # The second axis runs over what is there once the first one's step has been put on top.
            others = {label: c for label, c in menu().items() if c.path != axes[0].path}
            help = "Two parameters at once give a map, for example of p and depth."
            second = others.get(option(st.selectbox, "Vary as well", [_NOTHING, *others], "choose.second", help=help))
            if second is not None:
                grid = grid_control(second, "choose.second-range", data, points=6)
                kernel, axes = _with_axis(kernel, axes, second, grid)
    offered = tunable(machine, axes)
    with tuning_place:
        tuning = options(
            "Tune inside the training part",
            list(offered),
            "choose.tune",
            help="Chosen inside each training part by 5-fold cross-validation, so that test rows never influence the "
            "choice. All combinations of several values are tried.",
        )
    leaky = value_of(LEAKY, False, {"True": True}.__getitem__)
    # The leak is shown on what a person would tune: without another choice on all that the machine has.
    if leaky and not tuning:
        tuning = list(offered)
    training = f"training {measure}"
    inner: Protocol = RepeatedKFold(folds=_INNER, repeats=1)
    if isinstance(protocol, GroupedSplits):  # tests on other groups require tuning on other groups
        inner = GroupedSplits(repeats=_INNER, train=1 - 1 / _INNER)
    run = RunSpec(
        view.choice.run_name(data),
        kernel,
        machine,
        protocol,
        measure,
        parameters=view.choice.parameters,
        inner=inner,
        also=(training,) if len(axes) < 2 and training in MEASURES else (),
    )
    reference = None if any(one.outside for one in axes) else _reference(view, kernel, axes)
    return replace(
        run.over(axes),
        reference=reference,
        tuning=tuple(map(offered.__getitem__, tuning)),
        leaky=leaky and bool(tuning),
    )


def _with_axis(
    kernel: Kernel, axes: list[Axis], chosen: TunableParameter, values: tuple[Any, ...]
) -> tuple[Kernel, list[Axis]]:
    """Return the kernel and its axes with one more.

    Where the parameter's step is put on top of the kernel, the paths of the other axes lead through that step.
    """
    through = (replace(one, path=path_below(one.path, kernel, chosen.kernel)) for one in axes)
    return chosen.kernel, [*through, Axis(chosen.path, values)]


def _measure(data: Dataset) -> str:
    """Draw the menu of measures; it begins with the one of all pages, which is balanced where a class is rare."""
    task = data.task or "classification"
    suits = "error" if data.y is None else suitable_measure(data.y, task)
    offered = [
        m
        for m in MEASURES.values()
        if m.task == task and not m.on_training and not (m.two_classes_only and len(data.classes) > 2)
    ]
    offered.sort(key=lambda m: m.name != suits)
    return option(
        st.selectbox,
        "Measure",
        [m.name for m in offered],
        "choose.measure",
        format_func=lambda name: MEASURES[name].label,
        help="\n\n".join(f"**{m.label}**: {m.help}" for m in offered),
    )


def tunable(machine: Machine, taken: Sequence[Axis]) -> dict[str, Axis]:
    """Return the machine's parameters that can be tuned inside the training part, by name."""
    axes = {p.name: Axis(f"machine.{p.name}", _TUNED[p.name]) for p in machine.parameters() if p.name in _TUNED}
    paths = {axis.path for axis in taken}
    return {name: axis for name, axis in axes.items() if axis.path not in paths}


def _protocol(data: Dataset) -> Protocol:
    grouped, own = data.groups is not None, len(data.splits)
    lacks = {GroupedSplits: not grouped, PublishedSplits: not own}
    # Every fold needs a row of every class: where a class has too few, fewer folds are offered.
    folds = max(2, min([10, *data.class_counts.values()])) if data.class_counts else 10
    every: dict[str, Protocol | None] = {
        "groups stay together": GroupedSplits(),
        "25 random halves": RepeatedSplits(repeats=25),
        "40 × two thirds to train": RepeatedSplits(repeats=40, train=2 / 3),
        f"10 × {folds}-fold": RepeatedKFold(folds=folds, repeats=10),
        "the published split" if own == 1 else f"the {own} published splits": PublishedSplits(most=max(own, 1)),
        "by hand": None,
    }
    preset = {words: protocol for words, protocol in every.items() if not lacks.get(type(protocol))}
    name = option(
        st.selectbox,
        "How rows are split",
        list(preset),
        "choose.protocol",
        help="Rows of one group, e.g. of one patient, stay together. Otherwise test rows resemble training rows."
        if grouped
        else None,
    )
    chosen = preset[name]
    if chosen is not None:
        return chosen
    offered = {p.__name__: p for p in PROTOCOLS if not lacks.get(p)}
    kind = option(st.selectbox, "Kind", list(offered), "choose.protocol.kind", format_func=lambda n: offered[n].label)
    cls = offered[kind]
    return cls(**{p.name: parameter_control(p, p.default, f"choose.{kind}.{p.name}") for p in cls.parameters()})


def _reference(view: View, swept: Kernel, axes: Sequence[Axis]) -> Kernel | None:
    """Return the kernel without the step whose parameter is varied and without what stands on it, if there is one."""
    paths = (one.path for one in axes if one.path.startswith("kernel."))
    reference = kernel_below(swept, max(paths, key=lambda path: path.count("."), default=""))
    if view.kernel.has_factor:  # data of this size is approximated by landmarks (Nyström)
        reference = with_landmarks(reference, like=view.kernel)
    return None if reference == swept else reference
