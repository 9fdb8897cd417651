"""The kernel builder, drawn from the kernels' own declarations, kernels within kernels alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from kernlib import WRAPPERS, Kernel, KernlibError, Wrapper, leaves_for
from kernlib.data import Dataset
from kernlib.experiments.axis import Place
from kernlib.experiments.decisions import presets_for, starting
from kernlib.explain.leaves import responses
from kernlib.labs.entries import POINTS, named_heights
from kernlib.labs.weights import named_weights
from kernlib.registry import ALGEBRA
from kernlib.values.declare import Parameter
from kernlib.values.domains import Domain, form
from kernlib.wrappers.elementwise import ends, interpolated, knots
from pages.parts.inputs import surfaces
from pages.parts.inputs.controls import binding, button, formula, parameter_widget
from pages.parts.results import compute
from pages.parts.server.jobs import is_large
from pages.parts.server.runs import deferred
from pages.parts.session import state
from pages.parts.session.chain import Chain, Step, assemble, can_wrap, continues, take_apart
from pages.parts.session.state import current, prepared

#: What the menu of steps offers, in this order: its name there and one sentence.
_STEPS: dict[str, tuple[str, str]] = {
    # Change the rows first
    "Standardized": ("Standardise columns", "every column in units of its own spread"),
    "Imputed": ("Fill gaps", "missing cells take their column's mean"),
    "LogRows": ("Logarithm of cells", "factors become differences"),
    "StandardizedRows": ("Standardise rows", "every row with mean 0 and spread 1"),
    "UnitRows": ("Rows to length 1", "only directions count"),
    "Ranged": ("Columns to one range", "by their smallest and largest value"),
    # Change every value
    "Power": ("Power", "brings large and small values together"),
    "Log": ("Logarithm", "shrinks values far above 1"),
    "Entrywise": ("Function drawn by hand", "of every value: draw it with the mouse"),
    "Exponential": ("Exponential", "increases large values"),
    "Monomial": ("Integer power", "products of a kernel with itself"),
    "Scaled": ("Times a number", "the same picture on another scale"),
    # Change the geometry
    "Normalized": ("Normalise", "every row has length 1: only angles count"),
    "Centered": ("Centre", "the rows' mean becomes the origin"),
    "Empirical": ("Empirical map", "a row becomes its kernel values with the training rows"),
    "Nystrom": ("Nyström landmarks", "a few rows approximate all rows"),
    "Deep": ("Deep levels", "distances become the next kernel"),
    "ArcCosine": ("Arc-cosine layers", "random units, layer by layer: angles count"),
    "InfiniteWidth": ("Network of infinite width", "before training (NNGP) or trained (NTK)"),
    "Conformal": ("Conformal factor", "rows rescaled by a factor of each"),
    "SoftMarginDiagonal": ("Asymmetric soft margin", "errors in the common class cost less"),
    # Change the whole matrix
    "SquareRoot": ("Square root of the matrix", "the first half of the √K scheme"),
    "Eigenwise": ("Function of the eigenvalues", "drawn with the mouse"),
    "Repaired": ("Repair negative eigenvalues", "any similarity becomes a kernel"),
    "PrincipalComponents": ("Leading directions", "kernel PCA of all rows; the other directions are dropped"),
    # A second kernel
    "Sum": ("Plus a second kernel", "similar in one way or the other"),
    "Product": ("Times a second kernel", "similar in both ways"),
}

#: What the kernels inside another are, by the field that holds them.
_INNER = {"right": "Second kernel", "kernel": "Kernel inside"}


@dataclass(frozen=True)
class Scope:
    """The rows that a chain reads: the data's own, or what the kernel around it makes of them."""

    data: Dataset
    domain: Domain
    #: The kernel on the data's rows with one from here inside; None where there is no such thing.
    around: Callable[[Kernel], Kernel] | None

    def inside(self, step: Step, key: str, made: Callable[[], Kernel]) -> Scope:
        """Return the rows that the chain at `key` of a step reads; `made` is the step's kernel as it stands."""
        if step.is_join:
            return self
        reads = assemble(step.chains[key]).reads
        if step.cls.edited_as == "parts" or self.around is None:
            return Scope(self.data, reads, None)
        outer = self.around
        pairs = form(self.domain).layout == "pairs"
        domain = self.data.base.domain if pairs and self.data.base is not None else reads
        return Scope(self.data, domain, lambda kernel: outer(made().with_kernel(kernel)))

    def menu(self) -> dict[str, Kernel]:
        """Return the base kernels that can be made for these rows without a further decision, by the class's name."""
        made = {cls.__name__: self._starting(cls) for cls in leaves_for(self.domain)}
        return {name: kernel for name, kernel in made.items() if kernel is not None}

    def _starting(self, cls: type[Kernel]) -> Kernel | None:
        """Return the kernel that the menu makes from a class, at home on these rows; None where it needs a decision."""
        kernel = starting(cls, self.data, self.domain)
        if kernel is None or self.around is None:
            return kernel
        learnt = [p.name for p in cls.parameters() if p.heuristic and p.choices]
        suggested = self.heuristics(lambda: kernel) if learnt else {}
        values: dict[str, Any] = {
            name: float(f"{suggested[name]:.2g}") for name in learnt if suggested.get(name, 0) > 0
        }
        return replace(kernel, **values) if values else kernel

    def heuristics(self, kernel: Callable[[], Kernel]) -> dict[str, float]:
        """Return the values that the rows suggest for a kernel's parameters."""
        try:
            return {} if self.around is None else compute.heuristics(self.data, self.around(kernel()))
        except KernlibError:
            return {}


def _editor(step: Step, title: str, at_first: bool, framed: bool = True) -> Any:
    """Return the container of a step's widgets: a fold of the chain, a frame within a kernel inside another."""
    if all(step.uid != own.uid for own in current().steps):
        return st.container(border=framed, gap="small")
    return st.expander(title, expanded=at_first, key=f"step.{step.uid}")


def kernel_builder(data: Dataset) -> None:
    """Draw the kernel's steps with their widgets."""
    now = current()
    shown = presets_for(data)
    if shown:
        # A click makes other steps, and a fold of another key is closed.
        with st.expander("Suggested kernels", icon=":material/lightbulb:", key=f"presets.{now.steps[0].uid}"):
            for preset in shown:
                button(
                    preset.name,
                    f"preset.{data.domain}.{preset.name}",
                    state.adopt,
                    prepared(preset.kernel, data),
                    width="stretch",
                )
                st.caption(preset.shows)
    _chain(Scope(data, data.domain, lambda kernel: kernel), now.steps)


def _chain(scope: Scope, chain: Chain) -> None:
    """Draw the widgets of a chain: row steps, the base kernel, matrix steps."""
    first = [s for s in chain[1:] if s.changes_rows]
    for step in reversed(first):
        _step(scope, chain, step)
    _base(scope, chain)
    for step in chain[1:]:
        if step not in first:
            _step(scope, chain, step)
    _add(scope, chain)


def _base(scope: Scope, chain: Chain) -> None:
    step = chain[0]
    names = list(scope.menu())
    if step.name not in names:
        names.insert(0, step.name)
    with _editor(step, f"Kernel: {step.name}", True, framed=False):
        st.selectbox(
            "Kernel",
            names,
            index=names.index(step.name),
            help="Kernels that read this kind of data. The page *Kernels* has all of them with their formulas.",
            **binding(f"base.{step.uid}", step.name, partial(_change_base, step.uid, scope)),
        )
        formula(step.cls, small=36)
        _parameters(scope, step, lambda: assemble((step, *(s for s in chain[1:] if s.changes_rows))))
        if step.cls.edited_as == "response":
            _response(scope, step)
        if step.cls.edited_as == "matches":
            _draw_weights(step)
        if step.cls.edited_as == "columns":
            _columns(scope.data, step)
        _inner_chains(scope, step)


def _change_base(uid: int, scope: Scope, name: str) -> None:
    """Put the chosen kernel in the place of a base; a name that these rows do not offer changes nothing."""
    kernel = scope.menu().get(name)
    if kernel is not None:
        state.change_chain(uid, lambda chain, _: (*take_apart(kernel), *chain[1:]))


def _inner_chains(scope: Scope, step: Step) -> None:
    """Draw every kernel inside this one, each in a builder of its own."""
    for number, (key, chain) in enumerate(step.chains.items(), start=1):
        with st.container(border=True, gap="small"):
            part = "Kernel on part" if step.cls.edited_as == "parts" else "Kernel"
            st.caption(_INNER.get(key, f"{part} {number}"))
            _chain(scope.inside(step, key, lambda: assemble((step,))), chain)


def _step(scope: Scope, chain: Chain, step: Step) -> None:
    place = chain.index(step)
    title = _words(step.name) + ("" if step.on else " (off)")
    with _editor(step, title, step is chain[-1]):
        name, up, away = st.columns([7, 1, 1], gap=None, vertical_alignment="center")
        name.toggle(
            _words(step.name),
            step.on,
            help=(step.cls.__doc__ or "").split("\n")[0],
            **binding(f"on.{step.uid}", step.on, partial(state.switch, step.uid)),
        )
        button(
            ":material/arrow_upward:",
            f"up.{step.uid}",
            state.change_chain,
            step.uid,
            # A second click may come before the button is drawn anew: the base stays first.
            lambda chain, at: chain if at < 2 else (*chain[: at - 1], chain[at], chain[at - 1], *chain[at + 1 :]),
            draw=up.button,
            help="Move this step one place earlier",
            # Row steps come before all matrix steps.
            disabled=place < 2 or chain[place - 1].changes_rows != step.changes_rows,
            type="tertiary",
        )
        button(
            ":material/close:",
            f"away.{step.uid}",
            state.change_chain,
            step.uid,
            lambda chain, at: (*chain[:at], *chain[at + 1 :]),
            draw=away.button,
            help="Remove this step",
            type="tertiary",
        )
        if not step.on:
            return
        if step.cls.edited_as in ("entries", "eigenvalues"):
            _drawn(scope, chain[:place], step)
            return
        _parameters(scope, step, lambda: assemble((*chain[:place], step)))
        if step.is_join:
            _inner_chains(scope, step)


def _words(name: str) -> str:
    """Return the menu's name of a step."""
    return _STEPS.get(name, (name, ""))[0]


def _parameters(scope: Scope, step: Step, kernel: Callable[[], Kernel]) -> None:
    suggested: dict[str, float] = {}
    if any(p.heuristic and (p.choices or p.span) for p in step.cls.parameters()):
        suggested = scope.heuristics(kernel)
    idle = frozenset() if step.chains or issubclass(step.cls, Wrapper) else step.cls(**step.values).idle
    for p in step.cls.parameters():
        if p.name in idle:  # a slider that moves nothing
            continue
        here = suggested.get(p.name)
        value = step.values.get(p.name, p.default)
        parameter_widget(
            p.around(here),
            value,
            f"{step.uid}.{step.name}.{p.name}",
            partial(_take, step, p.name),
            suggested=here,
            entries=_entries(scope, step, p) if p.each else 0,
        )


def _entries(scope: Scope, step: Step, p: Parameter) -> int:
    """Return how many can have a number each; 0 where the columns are not known here."""
    if p.each == "column":
        here = scope.around is not None and scope.domain == scope.data.domain
        return len(scope.data.columns) if here else 0
    return len(step.chains) if p.each == "kernel" else int(step.values[p.each])


def _take(step: Step, name: str, value: Any) -> None:
    """Set a parameter, with as many numbers in a tuple that has one for each of 1…value."""
    changes = {name: value}
    for p in step.cls.parameters():
        if p.each == name and isinstance(numbers := step.values.get(p.name), tuple):
            fitting = (numbers + numbers[-1:] * value)[:value]
            changes[p.name] = fitting if any(fitting) else None
    state.set_values(step.uid, changes)


def _response(scope: Scope, step: Step) -> None:
    """Draw the function of the Laplacian's eigenvalues that makes a node kernel; pulling it sets the parameter."""
    if scope.around is None or scope.domain != scope.data.domain:
        return
    try:
        kernel: Any = step.cls(**step.values)
        eigenvalues = compute.graph_frequencies(scope.data, kernel)
    except KernlibError:
        return  # the page says what is wrong with the graph
    first = next(iter(kernel.parameters()), None)
    stops: Sequence[Any] = ()
    if first is not None:
        suited = scope.heuristics(lambda: kernel).get(first.name)
        stops = Place("", first.around(suited), step.name, None).grid(31)
    found = responses(kernel, eigenvalues, stops)
    surfaces.bend(found, kernel.parameters(), f"{step.uid}.response", lambda value: _take(step, found.name, value))


def _drawn(scope: Scope, below: Chain, step: Step) -> None:
    """Draw the function of the values, or of the eigenvalues, over their own logarithmic axis."""
    entries = step.cls.edited_as == "entries"
    top, bottom = float(step.values.get("top", 1.0)), float(step.values.get("bottom", 0.0))
    heights = step.values["heights"]
    low, high = bottom, top
    if scope.around is not None:
        with suppress(KernlibError):  # the page says what is wrong
            kernel = assemble(below)
            low, high = ends(
                compute.gram(scope.data, kernel)
                if entries
                else np.maximum(compute.spectrum(scope.data, kernel).eigenvalues, 0.0)
            )
    unit = 1.0 if entries else high
    words = ("value of |k|", "φ of the value") if entries else ("eigenvalue over the largest", "f of the eigenvalue")
    places = knots(high, low, POINTS)
    present = interpolated(places / unit, heights, top, bottom) * (unit / high)

    def take(drawn: tuple[float, ...]) -> None:
        here = {"heights": drawn, "bottom": float(f"{low / unit:.3g}")}
        state.set_values(step.uid, here | ({"top": high} if entries else {}))

    shown, starts = np.clip(present, 0.0, 1.0), named_heights(low, high)
    surfaces.draw_function(shown, high / unit, words, f"{step.uid}.drawn", take, starts, bottom=low / unit)
    if entries:
        st.caption("Not positive semi-definite in general: *Empirical map* as the next step makes it a kernel.")


def _draw_weights(step: Step) -> None:
    """Draw the weight of a match over the probability of its category."""
    places, heights = np.linspace(0.0, 1.0, POINTS), step.values["heights"]
    surfaces.draw_function(
        np.interp(places, np.linspace(0.0, 1.0, len(heights)), heights),
        1.0,
        ("probability of the category", "weight h of a match"),
        f"{step.uid}.drawn",
        partial(_take, step, "heights"),
        named_weights(),
        rising=False,
    )


def _columns(data: Dataset, step: Step) -> None:
    """Draw the menu of the columns that the kernel inside reads: those of one kind in a mixed table."""
    now: tuple[int, ...] = step.values["columns"]
    reads = assemble(step.chains["kernel"]).reads
    options = list(data.of_kind(reads))
    if not set(now) <= set(options):
        return  # a link or a script may name more columns than this menu
    several = form(reads).column == "several"

    def take(chosen: Any) -> None:
        columns = tuple(chosen) if several else (chosen,)
        state.set_values(step.uid, {"columns": columns or now})  # a kernel needs a column to read

    bound = binding(f"columns.{step.uid}", list(now) if several else now[0], take)
    if several:
        st.multiselect("Columns", options, list(now), format_func=data.columns.__getitem__, **bound)
    else:
        st.selectbox("Column", options, options.index(now[0]), format_func=data.columns.__getitem__, **bound)


def _add(scope: Scope, chain: Chain) -> None:
    offered = {k.__name__ for k in (*WRAPPERS, *ALGEBRA) if can_wrap(k) and k.domain in ("any", scope.domain)}
    if scope.menu():
        offered |= {"Sum", "Product"}
    menu = {name: f"**{words}** :gray[{sentence}]" for name, (words, sentence) in _STEPS.items() if name in offered}
    menu |= {name: f"**{name}**" for name in sorted(offered - set(_STEPS))}  # a step of somebody else's is offered too
    uid = chain[0].uid
    key = f"adding.{uid}"
    st.menu_button(
        "Add a step",
        list(menu),
        key=key,
        icon=":material/add:",
        width="stretch",
        # One element: as many buttons in a popover would be sent at every click on a slider, closed as it is.
        format_func=menu.__getitem__,
        on_click=deferred(_append, uid, scope, reads=key),
    )


def _append(name: str, uid: int, scope: Scope) -> None:
    cls = next(k for k in (*WRAPPERS, *ALGEBRA) if k.__name__ == name)
    if continues(cls) == "left":
        # At first the second kernel is that of the menu, in a mixed table that of the last kind of column.
        parts = scope.data.row_kind.parts(scope.data) if scope.domain == scope.data.domain else []
        second = parts[-1] if parts else next(iter(scope.menu().values()))
        step = Step(name, chains={"right": take_apart(second)})
    else:
        step = Step(name, {p.name: p.default for p in cls.parameters()} | dict(cls.shown_with))

    def appended(chain: Chain, _: int) -> Sequence[Step]:
        # What changes rows comes before all that changes the matrix: gaps outermost, then the columns' scale.
        rows_first = 1 + sum(s.changes_rows for s in chain)
        last = len(chain)
        if is_large(scope.data) and chain[-1].cls.stands == "last" and chain[-1].on:
            last -= 1  # many rows are compared through what stands last
        place = 1 if cls.stands == "first" else rows_first if step.changes_rows else last
        return (*chain[:place], step, *chain[place:])

    state.change_chain(uid, appended)
