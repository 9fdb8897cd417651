"""The kernel builder in the sidebar, drawn from the kernels' own declarations."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from kernlib import WRAPPERS, Kernel, KernlibError, leaves_for
from kernlib.data import Dataset
from kernlib.registry import ALGEBRA

from . import compute, state
from .chain import ROW_STEPS, Step, assemble, can_wrap, take_apart
from .inert import code, plain
from .presets import presets_for, settled, starting
from .widgets import parameter_widget

__all__ = ["chips", "kernel_builder"]

#: What a menu calls a step; its first docstring line says the rest.
_STEP_NAMES = {
    "Power": "Power",
    "Log": "Logarithm",
    "Empirical": "Empirical map",
    "Normalized": "Normalise",
    "Centered": "Centre",
    "Deep": "Deep levels",
    "Standardized": "Standardise columns",
    "Imputed": "Fill gaps",
    "Scaled": "Times a number",
    "Monomial": "Integer power",
    "Sum": "Plus a second kernel",
    "Product": "Times a second kernel",
    "SquareRoot": "Square root of the matrix",
    "Repaired": "Repair negative eigenvalues",
    "Exponential": "Exponential",
    "Conformal": "Conformal factor",
    "SoftMarginDiagonal": "Asymmetric soft margin",
}


def chips(kernel: Kernel) -> str:
    """The chain as Markdown badges, from the rows to the kernel."""
    return " → ".join(f":blue-badge[{plain(chip)}]" for chip in kernel.chain())


def kernel_builder(data: Dataset) -> None:
    """Draw the builder and leave the kernel that it describes in the state."""
    shown = presets_for(data)
    if shown:
        with st.container(horizontal=True, gap="small"):
            for preset in shown:
                st.button(
                    preset.name,
                    key=f"preset.{data.domain}.{preset.name}",
                    help=preset.shows,
                    on_click=state.adopt,
                    args=(settled(preset.kernel, data),),
                )
    steps = state.steps()
    values: dict[int, dict[str, Any]] = {}
    # Gaps are filled and columns standardised before the kernel reads them: those steps stand above it.
    first = [s for s in steps[1:] if s.name in ROW_STEPS]
    for step in reversed(first):
        _step(data, step, steps.index(step), values)
    _base(data, steps[0], values)
    for place, step in enumerate(steps[1:], start=1):
        if step not in first:
            _step(data, step, place, values)
    _add(data)
    try:
        st.session_state["kernel"] = assemble(steps, values)
    except KernlibError as error:
        st.error(plain(error))


def _base(data: Dataset, step: Step, values: dict[int, dict[str, Any]]) -> None:
    names = _menu(data)
    if step.name not in names:
        names.insert(0, step.name)
    key = f"base.{step.uid}"
    st.selectbox(
        "Kernel",
        names,
        index=names.index(step.name),
        key=key,
        on_change=_change_base,
        args=(key, data),
        help="Kernels that read this kind of data. The reference page has all of them with their formulas.",
    )
    # A long formula would be cut off by the sidebar's edge.
    size = r"\tiny " if len(step.cls.formula) > 90 else r"\scriptsize " if len(step.cls.formula) > 36 else ""
    st.latex(size + step.cls.formula)
    values[step.uid] = _parameters(data, step)
    if step.fixed:
        st.caption("with " + ", ".join(code(repr(v)) for v in step.fixed.values()))


def _change_base(key: str, data: Dataset) -> None:
    chosen = st.session_state[key]
    cls = next(k for k in leaves_for(data.domain) if k.__name__ == chosen)
    kernel = starting(cls, data)
    if kernel is not None:
        st.session_state["steps"] = take_apart(kernel) + state.steps()[1:]


def _step(data: Dataset, step: Step, place: int, values: dict[int, dict[str, Any]]) -> None:
    with st.container(border=True, gap="small"):
        name, up, away = st.columns([7, 1, 1], gap=None, vertical_alignment="center")
        on = name.toggle(
            _STEP_NAMES.get(step.name, step.name),
            value=step.on,
            key=f"on.{step.uid}",
            persist_state="session",
            help=(step.cls.__doc__ or "").split("\n")[0],
        )
        up.button(
            ":material/arrow_upward:",
            key=f"up.{step.uid}",
            help="Do this step earlier",
            disabled=place < 2,
            on_click=_earlier,
            args=(step.uid,),
            type="tertiary",
        )
        away.button(
            ":material/close:",
            key=f"away.{step.uid}",
            help="Remove this step",
            on_click=_remove,
            args=(step.uid,),
            type="tertiary",
        )
        if on != step.on:
            state.change_step(step.uid, on=on)
            st.rerun()
        if not on:
            return
        values[step.uid] = _parameters(data, step)
        if step.is_join:
            values[step.uid]["right"] = _second(data, step)


def _menu(data: Dataset) -> list[str]:
    """The base kernels that can be made for this data without a further decision."""
    return [k.__name__ for k in leaves_for(data.domain) if starting(k, data) is not None]


def _second(data: Dataset, step: Step) -> Kernel:
    """The other kernel of a sum or product: a base kernel with its parameters."""
    right: Kernel = step.fixed["right"]
    names = _menu(data)
    current = type(right).__name__
    if current not in names:
        st.caption(code(repr(right)))
        return right
    chosen = st.selectbox(
        "Second kernel", names, index=names.index(current), key=f"second.{step.uid}", persist_state="session"
    )
    cls = next(k for k in leaves_for(data.domain) if k.__name__ == chosen)
    start = right if chosen == current else starting(cls, data)
    if start is None:
        return right
    found = {}
    for p in cls.parameters():
        found[p.name] = parameter_widget(p, getattr(start, p.name), f"second.{step.uid}.{chosen}.{p.name}")
    return dataclasses.replace(start, **found)


def _parameters(data: Dataset, step: Step) -> dict[str, Any]:
    suggested: dict[str, float] = {}
    if any(p.heuristic and p.choices for p in step.cls.parameters()):
        suggested = compute.heuristics(data, st.session_state["kernel"])
    return {
        p.name: parameter_widget(
            p, step.values.get(p.name, p.default), f"{step.uid}.{step.name}.{p.name}", suggested=suggested.get(p.name)
        )
        for p in step.cls.parameters()
    }


def _add(data: Dataset) -> None:
    offered = [k for k in (*WRAPPERS, *ALGEBRA) if can_wrap(k) and _fits(k, data)]
    names = [k.__name__ for k in offered]
    if _menu(data):
        names += ["Sum", "Product"]
    st.selectbox(
        "Add a step",
        names,
        index=None,
        placeholder="Add a step…",
        key="add",
        label_visibility="collapsed",
        format_func=lambda n: _STEP_NAMES.get(n, n),
        on_change=_append,
        args=(data,),
    )


def _fits(cls: type[Kernel], data: Dataset) -> bool:
    return cls.domain in ("any", data.domain)


def _append(data: Dataset) -> None:
    name = st.session_state["add"]
    if name is None:
        return
    if name in ("Sum", "Product"):
        second = next(k for k in leaves_for(data.domain) if k.__name__ == _menu(data)[0])
        step = Step(name, fixed={"right": starting(second, data)})
    else:
        cls = next(k for k in (*WRAPPERS, *ALGEBRA) if k.__name__ == name)
        start = {p.name: p.default for p in cls.parameters()}
        if name == "Power":
            start["p"] = 0.5  # at p = 1 nothing would be seen to happen
        step = Step(name, start)
    steps = state.steps()
    # What changes rows comes before all that changes the matrix: gaps outermost, then the columns' scale.
    row_steps = sum(s.name in ROW_STEPS for s in steps)
    place = 1 if name == "Standardized" else 1 + row_steps if name in ROW_STEPS else len(steps)
    st.session_state["steps"] = [*steps[:place], step, *steps[place:]]
    st.session_state["add"] = None


def _earlier(uid: int) -> None:
    steps = state.steps()
    i = next(i for i, s in enumerate(steps) if s.uid == uid)
    if i > 1:
        steps = [*steps[: i - 1], steps[i], steps[i - 1], *steps[i + 1 :]]
    st.session_state["steps"] = steps


def _remove(uid: int) -> None:
    st.session_state["steps"] = [s for s in state.steps() if s.uid != uid]
