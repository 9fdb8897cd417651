"""The session's state: which data, which kernel; read from the link once, written back to it.

What widgets show is the truth. `Step`s say which widgets there are; `adopt` replaces them all,
from a preset, a link, or a click on a level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from kernlib import DataError, Kernel, KernlibError, normal_form, parse
from kernlib.data import CATALOGUE, Dataset
from kernlib.experiments import RunSpec
from kernlib.wrappers.nystrom import with_landmarks

from . import compute, too_large, waiting
from .chain import Chain, Step, edited, take_apart, with_off
from .inert import plain
from .large import is_large
from .numbers import difference
from .presets import default_kernel

__all__ = [
    "DataChoice",
    "PageEnd",
    "View",
    "adopt",
    "can_redo",
    "can_undo",
    "change_chain",
    "change_step",
    "choice_of",
    "choose_data",
    "current_view",
    "data_choice",
    "drop_run",
    "first_choice",
    "give_run",
    "given_run",
    "link",
    "notices",
    "read_link",
    "record",
    "redo",
    "remember",
    "revise",
    "steps",
    "take_rows",
    "take_upload",
    "touched",
    "undo",
    "uploads",
    "write_link",
]

FIRST_DATA = "breast-cancer-10"
#: A sample with more rows than LARGE is first shown with FIRST_ROWS of them.
LARGE, FIRST_ROWS = 800, 500


@dataclass(frozen=True)
class DataChoice:
    """The data part of the link: a catalogue name and its parameters, as (name, value) pairs."""

    name: str
    parameters: tuple[tuple[str, Any], ...] = ()

    @property
    def uploaded(self) -> bool:
        """Whether this is a file of the session's own."""
        return self.name.startswith("upload:")

    def load(self) -> Dataset:
        if not self.uploaded:
            return compute.data_set(self.name, self.parameters)
        try:
            return st.session_state["uploads"][self.name]
        except KeyError:
            raise DataError(
                "This link speaks of an uploaded file, which only the session that uploaded it has; expected the "
                "file here. Upload it again on the Data page."
            ) from None


class PageEnd(Exception):
    """Nothing follows on this page; the sidebar does. `st.stop` would end that as well."""


@dataclass(frozen=True)
class View:
    """What a page shows: a data set and a kernel that works on it.

    `data` are the rows that pictures show, `whole` all of them; they are the same up to `large.MAX_ROWS`.
    """

    data: Dataset
    kernel: Kernel
    choice: DataChoice
    whole: Dataset


def read_link() -> None:
    """Fill the state from the query parameters, once a session; a bad link falls back and says so."""
    st.session_state["waiting.shown"] = set()  # what this run of the page has offered to compute
    if "data_choice" in st.session_state:
        return
    query = st.query_params
    choice = first_choice(FIRST_DATA)
    name = query.get("data", FIRST_DATA)
    if name.startswith("upload:"):
        choice = DataChoice(name)
    elif name in CATALOGUE:
        choice = DataChoice(name, _link_parameters(name))
    else:
        _notice(f"The link names a data set {name!r} that does not exist here; showing {CATALOGUE[FIRST_DATA].title}.")
    choose_data(choice)
    if "kernel" in query:
        try:
            kernel = parse(query["kernel"])
            data = st.session_state["data_choice"].load()
            # A kernel on columns reads any table: one of numbers or of categories is a table of one kind.
            columns = kernel.reads == "mixed" and data.domain in ("vector", "categorical")
            if kernel.reads not in (data.domain, "any") and not columns:
                raise KernlibError(f"it reads {kernel.reads} rows, and {data.title} has {data.domain} rows.")
            adopt(kernel)
        except KernlibError as error:
            _notice(f"The link's kernel could not be used: {error} Showing the one proposed for this data.")


def choose_data(choice: DataChoice) -> None:
    """Switch to a data set; a kernel of another domain gives way to the proposed one."""
    before = st.session_state.get("data_choice")
    try:
        data = choice.load()
        proposed = default_kernel(data)
    except KernlibError as error:
        _notice(str(error))
        if before is not None:
            return
        choice = first_choice(FIRST_DATA)
        proposed = default_kernel(choice.load())
    st.session_state["data_choice"] = choice
    if before is None or before.name != choice.name:
        adopt(proposed)


def take_upload(data: Dataset, by_hand: tuple[tuple[str, Any], ...] = ()) -> None:
    """Make an uploaded data set the current one; it lives in this session alone.

    `by_hand` says what was chosen otherwise than guessed, so that a run can read the file again.
    """
    name = f"upload:{data.digest[:12]}{data.fill}"
    own = data if data.name == name else replace(data, name=name)
    st.session_state.setdefault("uploads", {})[name] = own
    st.session_state.setdefault("upload.choices", {})[name] = DataChoice(name, by_hand)
    choose_data(choice_of(name))


def take_rows(n: int) -> None:
    """So many rows of the present data, drawn again where they are drawn or made, under the same kernel."""
    choice, kernel = data_choice(), st.session_state["kernel"]
    parameters = (*(pair for pair in choice.parameters if pair[0] != "n"), ("n", n))
    if choice.uploaded:
        take_upload(choice.load().stratified_sample(n), (*parameters, ("seed", 0)))
        _adopt(kernel)
    else:
        choose_data(DataChoice(choice.name, parameters))
        _tell_generator(data_choice())


def choice_of(name: str) -> DataChoice:
    """The choice that a name in the menu stands for: an upload as it was taken, a sample as first shown."""
    known: dict[str, DataChoice] = st.session_state.get("upload.choices", {})
    return known[name] if name in known else first_choice(name)


def uploads() -> dict[str, Dataset]:
    """This session's own data sets by name."""
    return st.session_state.get("uploads", {})


def data_choice() -> DataChoice:
    """The current choice."""
    return st.session_state["data_choice"]


def adopt(kernel: Kernel) -> None:
    """Make `kernel` the current one, with fresh widgets for all its steps.

    Whoever looks at many rows by landmarks goes on to: what would be refused otherwise comes with the same landmarks.
    """
    _adopt(_by_the_same_landmarks(kernel))


def _by_the_same_landmarks(kernel: Kernel) -> Kernel:
    present: Kernel | None = st.session_state.get("kernel")
    if present is None or not present.has_factor or kernel.has_factor or not is_large(data_choice().load()):
        return kernel
    try:
        return with_landmarks(kernel, like=present)
    except KernlibError:  # a kernel that exists for all rows at once
        return kernel


def _adopt(kernel: Kernel) -> None:
    st.session_state["steps"] = take_apart(kernel)
    st.session_state["kernel"] = normal_form(kernel)


def revise(kernel: Kernel) -> None:
    """Make `kernel` the current one and keep what it shares with the present chain.

    Steps that are switched off stay where they are, and a step whose numbers stay keeps its widgets; only a
    kernel of another shape replaces the whole chain.
    """
    new = take_apart(kernel)
    on = [s for i, s in enumerate(steps()) if s.on or i == 0]
    if [s.name for s in on] != [s.name for s in new]:
        adopt(kernel)
        return
    present = {s.uid: step for s, step in zip(on, take_apart(st.session_state["kernel"]), strict=True)}
    coming = {s.uid: step for s, step in zip(on, new, strict=True)}
    changed = []
    for s in steps():
        if s.uid not in coming or _same(present[s.uid], coming[s.uid]):
            changed.append(s)
        else:
            # A new uid: its widgets start from the new values, whatever the old ones remember.
            changed.append(replace(coming[s.uid], on=s.on))
    st.session_state["steps"] = changed
    st.session_state["kernel"] = normal_form(kernel)


def _same(one: Step, other: Step) -> bool:
    return one.content == other.content


def steps() -> list[Step]:
    """The builder's steps, base first."""
    return st.session_state["steps"]


def change_chain(uid: int, change: Callable[[Chain, int], Sequence[Step]]) -> None:
    """Replace the chain that holds a step, at whatever depth, by `change(chain, the step's place)`."""
    st.session_state["steps"] = edited(steps(), uid, change)


def change_step(uid: int, **changes: Any) -> None:
    """Replace fields of one step."""
    change_chain(uid, lambda chain, place: (*chain[:place], replace(chain[place], **changes), *chain[place + 1 :]))


def current_view(told: str = "All of this page is of {rows}") -> View:
    """The data and the kernel of the builder; a kernel that fails gives way to the last good one.

    Of a large data set the pages show a sample, and one line says so: `told` says what is of `{rows}` and what of all
    `{n}`.

    The failure is said in one sentence at the top of the page, and the previous view stays.
    """
    choice = data_choice()
    whole = choice.load()
    data = compute.in_view(whole)
    kernel: Kernel = st.session_state["kernel"]
    try:
        compute.gram(data, kernel)
    except KernlibError as error:
        if isinstance(error, compute.TooLarge):
            too_large.panel(error, choice, adopt, take_rows)
        elif isinstance(error, compute.TooLong):
            waiting.panel(error)
        else:
            st.error(plain(error), icon=":material/error:")
        good: View | None = st.session_state.get("good_view")
        if good is None or good.choice != choice:
            good = View(data, default_kernel(data), choice, whole)
            try:
                compute.gram(data, good.kernel)
            except KernlibError as other:
                # Of a kernel that only takes long it has been said how it can be had.
                if isinstance(other, compute.TooLarge) and not isinstance(error, compute.TooLarge | compute.TooLong):
                    too_large.panel(other, choice, adopt, take_rows)
                if isinstance(other, compute.TooLong):
                    waiting.panel(other)
                raise PageEnd from None
        st.caption(f"Still shown: {plain(' → '.join(good.kernel.chain()))}")
        return good
    view = View(data, kernel, choice, whole)
    st.session_state["good_view"] = view
    _say_what_is_shown(view, told)
    return view


def _say_what_is_shown(view: View, told: str) -> None:
    """One line where pictures show some of the rows, or values are approximate."""
    said, more = [], ""
    if view.whole is not view.data:
        rows = f"{view.data.n:,} of {view.whole.n:,} rows, a {'stratified' if view.data.classes else 'random'} sample"
        said.append(told.format(rows=rows, n=f"{view.whole.n:,}"))
    error = compute.landmarks_cost(view.data, view.kernel)
    if error is not None:
        said.append(error.short_words())
        more = error.words()
    if said:
        st.caption(plain(" · ".join(said)), help=plain(more) or None)


@dataclass(frozen=True)
class GivenRun:
    """A run that the Error curves page shows as it is, in the place of one from its controls; `title` says whose."""

    spec: RunSpec
    title: str
    choice: DataChoice
    kernel: Kernel


def give_run(spec: RunSpec, title: str) -> None:
    """Show this run on the Error curves page for as long as data and kernel stay as they are."""
    st.session_state["given_run"] = GivenRun(spec, title, data_choice(), st.session_state["kernel"])


def given_run() -> GivenRun | None:
    """The run that was given, if data and kernel are still those that came with it."""
    given: GivenRun | None = st.session_state.get("given_run")
    if given is not None and (given.choice, given.kernel) != (data_choice(), st.session_state["kernel"]):
        st.session_state["given_run"] = given = None
    return given


def drop_run() -> None:
    """Back to the controls of the Error curves page."""
    st.session_state["given_run"] = None


@dataclass(frozen=True)
class Moment:
    """What undo goes back to: the data and the chain, with steps that are switched off."""

    choice: DataChoice
    kernel: Kernel
    steps: tuple[Step, ...]


_MOMENTS = 60


def record() -> None:
    """Remember the present data and kernel as the latest moment, and which number was moved last."""
    past: list[Moment] = remember("past", [])
    now = Moment(data_choice(), st.session_state["kernel"], tuple(steps()))
    if past and (past[-1].choice, past[-1].kernel) == (now.choice, now.kernel):
        past[-1] = now
        return
    if past and past[-1].choice == now.choice:
        moved = difference(past[-1].kernel, now.kernel)
        if moved is not None:
            st.session_state["touched"] = moved
    past.append(now)
    del past[:-_MOMENTS]
    if not st.session_state.pop("returning", False):
        st.session_state["future"] = []


def touched() -> str | None:
    """The path of the number that was moved last."""
    return st.session_state.get("touched")


def can_undo() -> bool:
    return len(remember("past", [])) > 1


def can_redo() -> bool:
    return bool(remember("future", []))


def undo() -> None:
    """Back to the moment before; data and kernel together."""
    past: list[Moment] = remember("past", [])
    if len(past) > 1:
        remember("future", []).append(past.pop())
        _return_to(past.pop())


def redo() -> None:
    """Forward again."""
    if can_redo():
        _return_to(remember("future", []).pop())


def _return_to(moment: Moment) -> None:
    try:
        moment.choice.load()
    except KernlibError as error:
        _notice(str(error))
        return
    st.session_state["returning"] = True
    st.session_state["data_choice"] = moment.choice
    if not moment.choice.uploaded:
        _tell_generator(moment.choice)
    if [(s.name, s.on) for s in moment.steps] == [(s.name, s.on) for s in steps()]:
        revise(moment.kernel)
        return
    _adopt(moment.kernel)
    st.session_state["steps"] = with_off(steps(), moment.steps)
    for step in steps():
        if not step.on:  # it may have been switched on since
            st.session_state[f"on.{step.uid}"] = False


def _tell_generator(choice: DataChoice) -> None:
    """The widgets of a data set's own numbers show what they showed then."""
    given = dict(choice.parameters)
    for p in CATALOGUE[choice.name].parameters():
        key, value = f"g.{choice.name}.{p.name}", given.get(p.name, p.default)
        if f"{key}.word" in st.session_state:
            st.session_state[f"{key}.word"] = value in p.choices
        if key in st.session_state and value not in p.choices:
            st.session_state[key] = value


def link() -> dict[str, str]:
    """What an address says of the present data and kernel."""
    choice = data_choice()
    said = {"data": choice.name, "kernel": repr(st.session_state["kernel"])}
    if not choice.uploaded:
        said |= {f"g.{name}": str(value) for name, value in choice.parameters}
    return said


def write_link() -> None:
    """Put data and kernel into the address bar, so that it is a link to this view."""
    wanted = link()
    query = st.query_params
    for name in [n for n in query if n.startswith("g.") and n not in wanted]:
        del query[name]
    for name, value in wanted.items():
        if query.get(name) != value:
            query[name] = value


def remember(key: str, default: Any) -> Any:
    """A page's own small piece of state that outlives a page switch."""
    return st.session_state.setdefault(key, default)


def notices(page: str) -> list[str]:
    """Sentences to show until another page, other data or another kernel comes: pages also run anew by themselves."""
    now = page, st.session_state["data_choice"], repr(st.session_state["kernel"])
    if st.session_state.setdefault("notices.of", now) != now:
        st.session_state["notices"] = []
        st.session_state["notices.of"] = now
    return st.session_state.get("notices", [])


def _notice(text: str) -> None:
    if st.session_state.pop("notices.of", None) is not None:  # the others were of what was shown before
        st.session_state["notices"] = []
    st.session_state.setdefault("notices", []).append(text)


def first_choice(name: str) -> DataChoice:
    """A data set as it is first shown: a large one as a stratified sample."""
    entry = CATALOGUE[name]
    if (
        entry.kind == "sample"
        and entry.default_n == "all"
        and entry.n > LARGE
        and entry.domain not in ("node", "matrix")
    ):
        return DataChoice(name, (("n", FIRST_ROWS),))
    return DataChoice(name)


def _link_parameters(name: str) -> tuple[tuple[str, Any], ...]:
    found = list(first_choice(name).parameters)
    for p in CATALOGUE[name].parameters():
        text = st.query_params.get(f"g.{p.name}")
        if text is None:
            continue
        try:
            number: Any = int(text) if p.kind == "int" else float(text) if p.kind == "float" else text
            found = [pair for pair in found if pair[0] != p.name] + [(p.name, p.clean(number, name))]
        except ValueError:
            _notice(f"The link's {p.name}={text[:20]!r} was left out: expected {p.bounds()}.")
    return tuple(found)
