"""The kernel builder in the sidebar, drawn from the kernels' own declarations, kernels within kernels alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from kernlib import WRAPPERS, Convolution, Kernel, KernlibError, On, leaves_for, normal_form
from kernlib.data import Dataset
from kernlib.declare import Parameter
from kernlib.experiments.proposals import mixed_parts, presets_for, starting
from kernlib.registry import ALGEBRA
from kernlib.values.domains import Domain

from . import compute, state
from .chain import Chain, Step, assemble, can_wrap, take_apart
from .inert import plain
from .large import is_large
from .presets import settled
from .widgets import formula, parameter_ahead, parameter_widget

__all__ = ["chain_of_chips", "chips", "kernel_ahead", "kernel_builder"]

#: What the menu of steps offers, in this order: its name there and one sentence.
_STEPS: dict[str, tuple[str, str]] = {
    # Change the rows first
    "Standardized": ("Standardise columns", "every column in units of its own spread"),
    "Imputed": ("Fill gaps", "missing cells take their column's mean"),
    "LogRows": ("Logarithm of cells", "factors become differences"),
    "StandardizedRows": ("Standardise rows", "every row on a scale of its own"),
    "UnitRows": ("Rows to length 1", "directions alone count"),
    "Ranged": ("Columns to one range", "by their smallest and largest value"),
    # Change every value
    "Power": ("Power", "draws large values down: p against a large diagonal"),
    "Log": ("Logarithm", "draws large values down most"),
    "Exponential": ("Exponential", "draws large values up"),
    "Monomial": ("Integer power", "products of a kernel with itself"),
    "Scaled": ("Times a number", "the same picture on another scale"),
    # Change the geometry
    "Normalized": ("Normalise", "every row has length 1: angles alone count"),
    "Centered": ("Centre", "the rows' mean becomes the origin"),
    "Empirical": ("Empirical map", "a row is how alike it is to the training rows"),
    "Nystrom": ("Nyström landmarks", "few rows stand for all: an approximation"),
    "Deep": ("Deep levels", "distances become the next kernel"),
    "Conformal": ("Conformal factor", "rows rescaled, angles kept"),
    "SoftMarginDiagonal": ("Asymmetric soft margin", "the common class may err more"),
    # Change the whole matrix
    "SquareRoot": ("Square root of the matrix", "the first half of the √K scheme"),
    "Repaired": ("Repair negative eigenvalues", "any similarity becomes a kernel"),
    "PrincipalComponents": ("Leading components", "kernel PCA over all rows: the rest is left out"),
    # A second kernel
    "Sum": ("Plus a second kernel", "alike in one way or the other"),
    "Product": ("Times a second kernel", "alike in both ways"),
}

#: Letters of a badge, which is one line whatever its length.
_BADGE = 34

#: What the kernels inside another are, by the field that holds them.
_INNER = {"right": "Second kernel", "kernel": "Kernel inside"}


@dataclass(frozen=True)
class Scope:
    """The rows that a chain reads: the data's own, or what the kernel around it makes of them."""

    data: Dataset
    domain: Domain
    #: The kernel on the data's rows with one from here inside; None where there is no such thing.
    around: Callable[[Kernel], Kernel] | None

    @classmethod
    def of(cls, data: Dataset) -> Scope:
        return cls(data, data.domain, lambda kernel: kernel)

    def inside(self, step: Step, key: str, made: Callable[[], Kernel]) -> Scope:
        """The rows that the chain at `key` of a step reads; `made` is the step's kernel as it stands."""
        if step.is_join:
            return self
        inner = assemble(step.chains[key], {})
        if issubclass(step.cls, Convolution) or self.around is None:
            return Scope(self.data, inner.reads, None)
        outer = self.around
        domain = self.data.base.domain if self.domain == "pair" and self.data.base is not None else inner.reads
        return Scope(self.data, domain, lambda kernel: outer(made()._with_kernel(kernel)))  # type: ignore[attr-defined]

    def menu(self) -> list[type[Kernel]]:
        """The base kernels that can be made for these rows without a further decision."""
        return [cls for cls in leaves_for(self.domain) if self.starting(cls) is not None]

    def starting(self, cls: type[Kernel]) -> Kernel | None:
        """The kernel that the menu makes from a class, at home on these rows; None where it needs a decision."""
        kernel = starting(cls, self.data, self.domain)
        if kernel is None or self.around is None:
            return kernel
        learnt = [p.name for p in cls.parameters() if p.heuristic and p.choices]
        found = self.heuristics(kernel) if learnt else {}
        values = {name: float(f"{found[name]:.2g}") for name in learnt if found.get(name, 0) > 0}
        return replace(kernel, **values) if values else kernel  # type: ignore[type-var]

    def heuristics(self, kernel: Kernel) -> dict[str, float]:
        """What the rows suggest for a kernel's parameters."""
        try:
            return {} if self.around is None else compute.heuristics(self.data, self.around(kernel))
        except KernlibError:
            return {}


def chips(kernel: Kernel) -> str:
    """The chain as Markdown badges, from the rows to the kernel; what is too long for a badge as plain words."""
    found = kernel.chain()
    return " → ".join(f":blue-badge[{plain(chip)}]" if len(chip) <= _BADGE else plain(chip) for chip in found)


def chain_of_chips() -> None:
    """The kernel as a row of chips, from the rows outwards; a press on one opens its step and folds the others."""
    kernel: Kernel = st.session_state["kernel"]
    on = [s for i, s in enumerate(state.steps()) if s.on or i == 0]
    rows = [s for s in on[1:] if s.changes_rows]
    order = [*reversed(rows), on[0], *(s for s in on[1:] if not s.changes_rows)]
    words = kernel.chain()
    if len(words) != len(order):  # a kernel inside another has a chain of its own within one step
        st.markdown(f"rows → {chips(kernel)}")
        return
    named = {step.uid: word for step, word in zip(order, words, strict=True)}
    st.pills(
        "The kernel, step by step",
        list(named),
        format_func=lambda uid: plain(named[uid]),
        key="chain",
        on_change=_open,
        help="From the rows to the kernel. Press a chip to open its step.",
    )


def _open() -> None:
    chosen = st.session_state["chain"]
    if chosen is not None:
        for step in state.steps():
            st.session_state[f"step.{step.uid}"] = step.uid == chosen
    st.session_state["chain"] = None  # so that the same chip can be pressed again


def _editor(step: Step, title: str, at_first: bool) -> Any:
    """What holds a step's widgets: a fold of the chain itself, a frame within a kernel inside another."""
    if all(step.uid != own.uid for own in state.steps()):
        return st.container(border=not title.startswith("Kernel:"), gap="small")
    return st.expander(title, expanded=at_first, key=f"step.{step.uid}", on_change="rerun")


def kernel_builder(data: Dataset) -> None:
    """Draw the builder and leave the kernel that it describes in the state."""
    shown = presets_for(data)
    if shown:
        # A press makes other steps, and a menu of another key is closed.
        first = state.steps()[0].uid
        with st.popover(
            "Kernels that show something", icon=":material/lightbulb:", width="stretch", key=f"presets.{first}"
        ):
            for preset in shown:
                st.button(
                    preset.name,
                    key=f"preset.{data.domain}.{preset.name}",
                    on_click=state.adopt,
                    args=(settled(preset.kernel, data),),
                    width="stretch",
                )
                st.caption(preset.shows)
    values: dict[int, dict[str, Any]] = {}
    steps = tuple(state.steps())
    _chain(Scope.of(data), steps, values)
    try:
        st.session_state["kernel"] = normal_form(assemble(steps, values))
    except KernlibError as error:
        st.error(plain(error))


def kernel_ahead() -> bool:
    """Put the kernel that the builder will describe into the state, before it is drawn; whether that can be told.

    A slider that was moved tells it: the same widgets are drawn again, and the session holds their values.
    """
    try:
        kernel = normal_form(assemble(state.steps(), dict(_values_ahead(state.steps()))))
    except (KeyError, KernlibError):
        return False
    st.session_state["kernel"] = kernel
    return True


def _values_ahead(chain: Sequence[Step]) -> Iterator[tuple[int, dict[str, Any]]]:
    for step in chain:
        switched = st.session_state.get(f"on.{step.uid}", step.on) != step.on
        if switched or issubclass(step.cls, On):  # a menu of columns goes by the chain inside
            raise KeyError(step.name)
        if step.on or step is chain[0]:
            yield (
                step.uid,
                {
                    p.name: parameter_ahead(p, step.values.get(p.name, p.default), _key(step, p))
                    for p in step.cls.parameters()
                },
            )
            for inner in step.chains.values():
                yield from _values_ahead(inner)


def _key(step: Step, p: Parameter) -> str:
    return f"{step.uid}.{step.name}.{p.name}"


def _chain(scope: Scope, chain: Chain, values: dict[int, dict[str, Any]]) -> None:
    """The widgets of a chain: what is done to the rows, the base kernel, what is done to the matrix."""
    first = [s for s in chain[1:] if s.changes_rows]
    for step in reversed(first):
        _step(scope, chain, step, values)
    _base(scope, chain, values)
    for step in chain[1:]:
        if step not in first:
            _step(scope, chain, step, values)
    _add(scope, chain)


def _base(scope: Scope, chain: Chain, values: dict[int, dict[str, Any]]) -> None:
    step = chain[0]
    names = [cls.__name__ for cls in scope.menu()]
    if step.name not in names:
        names.insert(0, step.name)
    key = f"base.{step.uid}"
    with _editor(step, f"Kernel: {step.name}", True):
        _base_widgets(scope, chain, names, key, values)


def _base_widgets(scope: Scope, chain: Chain, names: list[str], key: str, values: dict[int, dict[str, Any]]) -> None:
    step = chain[0]
    st.selectbox(
        "Kernel",
        names,
        index=names.index(step.name),
        key=key,
        on_change=_change_base,
        args=(key, step.uid, scope),
        help="Kernels that read this kind of data. The reference page has all of them with their formulas.",
    )
    formula(step.cls, small=36)

    def below() -> Kernel:
        return assemble([step, *(s for s in chain[1:] if s.changes_rows)], values)

    values[step.uid] = _parameters(scope, step, below)
    if issubclass(step.cls, On):
        values[step.uid]["columns"] = _columns(scope.data, step)
    _inner_chains(scope, step, values)


def _change_base(key: str, uid: int, scope: Scope) -> None:
    cls = next(k for k in scope.menu() if k.__name__ == st.session_state[key])
    kernel = scope.starting(cls)
    if kernel is not None:
        state.change_chain(uid, lambda chain, _: (*take_apart(kernel), *chain[1:]))


def _inner_chains(scope: Scope, step: Step, values: dict[int, dict[str, Any]]) -> None:
    """Every kernel inside this one, in a builder of its own."""
    for number, (key, chain) in enumerate(step.chains.items(), start=1):
        with st.container(border=True, gap="small"):
            st.caption(_INNER.get(key, f"Kernel on part {number}"))
            _chain(scope.inside(step, key, lambda: assemble([step], values)), chain, values)


def _step(scope: Scope, chain: Chain, step: Step, values: dict[int, dict[str, Any]]) -> None:
    place = chain.index(step)
    title = _words(step.name) + ("" if step.on else " (off)")
    with _editor(step, title, step is chain[-1]):
        name, up, away = st.columns([7, 1, 1], gap=None, vertical_alignment="center")
        on = name.toggle(
            _words(step.name),
            value=step.on,
            key=f"on.{step.uid}",
            persist_state="session",
            help=(step.cls.__doc__ or "").split("\n")[0],
        )
        up.button(
            ":material/arrow_upward:",
            key=f"up.{step.uid}",
            help="Do this step earlier",
            # What is done to rows comes before all that is done to the matrix.
            disabled=place < 2 or chain[place - 1].changes_rows != step.changes_rows,
            on_click=state.change_chain,
            args=(step.uid, _earlier),
            type="tertiary",
        )
        away.button(
            ":material/close:",
            key=f"away.{step.uid}",
            help="Remove this step",
            on_click=state.change_chain,
            args=(step.uid, _without),
            type="tertiary",
        )
        if on != step.on:
            state.change_step(step.uid, on=on)
            st.rerun()
        if not on:
            return
        values[step.uid] = _parameters(scope, step, lambda: assemble([*chain[:place], step], values))
        if step.is_join:
            _inner_chains(scope, step, values)


def _words(name: str) -> str:
    """What a step is called in the menu."""
    return _STEPS.get(name, (name, ""))[0]


def _earlier(chain: Chain, place: int) -> Sequence[Step]:
    return (*chain[: place - 1], chain[place], chain[place - 1], *chain[place + 1 :]) if place > 1 else chain


def _without(chain: Chain, place: int) -> Sequence[Step]:
    return (*chain[:place], *chain[place + 1 :])


def _parameters(scope: Scope, step: Step, kernel: Callable[[], Kernel]) -> dict[str, Any]:
    suggested: dict[str, float] = {}
    if any(p.heuristic and p.choices for p in step.cls.parameters()):
        suggested = scope.heuristics(kernel())
    return {
        p.name: parameter_widget(p, step.values.get(p.name, p.default), _key(step, p), suggested=suggested.get(p.name))
        for p in step.cls.parameters()
    }


def _columns(data: Dataset, step: Step) -> tuple[int, ...]:
    """Which columns of a mixed table the kernel inside reads: those of one kind."""
    now: tuple[int, ...] = step.values["columns"]
    inner = assemble(step.chains["kernel"], {})
    options = list(data.of_kind(inner.reads)) if data.domain == "mixed" else []
    if not set(now) <= set(options):
        return now  # written by hand: a link or a script may say more than this menu
    if inner.reads not in ("vector", "categorical"):
        chosen = st.selectbox(
            "Column", options, options.index(now[0]), key=f"columns.{step.uid}", persist_state="session",
            format_func=data.columns.__getitem__,  # a menu's options are no Markdown
        )  # fmt: skip
        return (chosen,)
    several = st.multiselect(
        "Columns", options, list(now), key=f"columns.{step.uid}", persist_state="session",
        format_func=data.columns.__getitem__,  # a menu's options are no Markdown
    )  # fmt: skip
    if not several:
        st.caption("A kernel needs a column to read: the last choice stays.")
    return tuple(several) or now


def _add(scope: Scope, chain: Chain) -> None:
    offered = {k.__name__ for k in (*WRAPPERS, *ALGEBRA) if can_wrap(k) and k.domain in ("any", scope.domain)}
    if scope.menu():
        offered |= {"Sum", "Product"}
    menu = {name: told for name, told in _STEPS.items() if name in offered}
    menu |= {name: (name, "") for name in sorted(offered - set(_STEPS))}  # a step of somebody else's is offered too
    uid = chain[0].uid
    key = f"adding.{uid}"
    st.menu_button(
        "Add a step",
        list(menu),
        key=key,
        icon=":material/add:",
        width="stretch",
        # One element: as many buttons in a popover would be sent at every press on a slider, closed as it is.
        format_func=lambda name: _offered(*menu[name]),
        on_click=lambda: _append(st.session_state[key], uid, scope),
    )


def _offered(name: str, sentence: str) -> str:
    return f"**{name}** :gray[{sentence}]" if sentence else f"**{name}**"


def _append(name: str, uid: int, scope: Scope) -> None:
    if name in ("Sum", "Product"):
        step = Step(name, chains={"right": tuple(take_apart(_second(scope)))})
    else:
        cls = next(k for k in (*WRAPPERS, *ALGEBRA) if k.__name__ == name)
        start = {p.name: p.default for p in cls.parameters()}
        if name == "Power":
            start["p"] = 0.5  # at p = 1 nothing would be seen to happen
        step = Step(name, start)

    def appended(chain: Chain, _: int) -> Sequence[Step]:
        # What changes rows comes before all that changes the matrix: gaps outermost, then the columns' scale.
        rows_first = 1 + sum(s.changes_rows for s in chain)
        last = len(chain)
        if is_large(scope.data) and chain[-1].name == "Nystrom" and chain[-1].on:
            last -= 1  # many rows are compared by way of what stands last
        place = 1 if name == "Standardized" else rows_first if step.changes_rows else last
        return (*chain[:place], step, *chain[place:])

    state.change_chain(uid, appended)


def _second(scope: Scope) -> Kernel:
    """What a sum or product begins with as its second kernel: in a mixed table the last kind of column."""
    if scope.domain == "mixed":
        return mixed_parts(scope.data)[-1]
    found = scope.starting(scope.menu()[0])
    assert found is not None
    return found
