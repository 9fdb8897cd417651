"""The state of one person's session as one immutable value: data, kernel, undo, and what the page's controls choose.

The value is held by one plain object, the `Holder`. `current` reads the value; `state.change` alone replaces it, by one
assignment. Streamlit may end a run, also inside a callback, at every access to `st.session_state` and with every
element: a callback only writes down what was clicked, in the holder that it was given when its widget was drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from kernlib import DataError, Kernel
from kernlib.data import CATALOGUE, Dataset, load_dataset
from kernlib.experiments import UPLOAD, RunSpec
from pages.parts.server.jobs import Job
from pages.parts.session.chain import Chain

_KEY = "holder"
#: A sample with more than LARGE rows is first shown with FIRST_ROWS of them.
LARGE, FIRST_ROWS = 800, 500


@st.cache_resource(max_entries=24, show_spinner="Reading the rows…")
def data_set(name: str, parameters: tuple[tuple[str, Any], ...]) -> Dataset:
    """Return a data set of the catalogue with its parameters."""
    return load_dataset(name, **dict(parameters))


@dataclass(frozen=True)
class DataChoice:
    """A data set by its name in the catalogue, or that of an upload, with parameters as (name, value) pairs."""

    name: str
    parameters: tuple[tuple[str, Any], ...] = ()

    @property
    def uploaded(self) -> bool:
        """Return whether the session uploaded this data set itself."""
        return self.name.startswith("upload:")

    def load(self) -> Dataset:
        """Return the data set; DataError where it is an upload of another session."""
        return _load(self, current().uploads if has_begun() else {})

    def run_name(self, data: Dataset) -> str:
        """Return the name that a run gives to this data, an upload by its digest."""
        return UPLOAD + data.digest if self.uploaded else self.name


def first_choice(name: str) -> DataChoice:
    """Return a data set of the catalogue as it is first shown: a large one as a stratified sample."""
    entry = CATALOGUE[name]
    large = entry.kind == "sample" and entry.default_n == "all" and entry.n > LARGE
    return DataChoice(name, (("n", FIRST_ROWS),) if large and not entry.row_kind.square else ())


@dataclass(frozen=True)
class GivenRun:
    """A run that the page *Error curves* shows in place of its controls; `title` names its source."""

    spec: RunSpec
    title: str


@dataclass(frozen=True)
class Snapshot:
    """What undo returns to: data and kernel, with the steps that are switched off."""

    data: DataChoice
    steps: Chain
    kernel: Kernel


@dataclass(frozen=True, eq=False)
class Session:
    """All that a person chose.

    `kernel` is the kernel of `steps`, or the last one that could be made; `problem` then says what is wrong with the
    steps. `controls` holds the text of each page control that differs from its default, as the link has it. `touched`
    is the path of the parameter that was moved last, `opened` the step whose chip was clicked last, `goes` the page
    that a click leads to. `job` is the run on *Error curves* that was started last, `unasked` whether it started alone,
    `asked` the long computation that a click asked for last.
    """

    data: DataChoice
    steps: Chain
    kernel: Kernel
    problem: str = ""
    uploads: Mapping[str, tuple[DataChoice, Dataset]] = field(default_factory=dict)
    controls: Mapping[str, str] = field(default_factory=dict)
    touched: str | None = None
    opened: tuple[int | None, int] = (None, 0)
    run: GivenRun | None = None
    job: Job | None = None
    unasked: bool = False
    asked: Hashable = None
    notices: tuple[str, ...] = ()
    page: str | None = None
    goes: str | None = None
    past: tuple[Snapshot, ...] = ()
    future: tuple[Snapshot, ...] = ()

    @property
    def moment(self) -> Snapshot:
        """Return the present data and kernel."""
        return Snapshot(self.data, self.steps, self.kernel)

    def load(self, choice: DataChoice) -> Dataset:
        """Return a data set; DataError where it is an upload of another session."""
        return _load(choice, self.uploads)


def _load(choice: DataChoice, uploads: Mapping[str, tuple[DataChoice, Dataset]]) -> Dataset:
    if not choice.uploaded:
        return data_set(choice.name, choice.parameters)
    if choice.name not in uploads:
        raise DataError(
            "The link names an uploaded file; only the session that uploaded a file can show it. "
            "Upload the file again on the Data page."
        )
    return uploads[choice.name][1]


@dataclass(eq=False)
class Holder:
    """What Streamlit keeps of a session: its state, the clicks that wait for the next run, and what widgets show.

    `undone` is the number of the last click on undo or redo that was done.
    `shown` has the value of each widget by its key, `counts` how often a widget has been replaced under another key,
    `starts` the value with which a tab or an expander began.
    """

    state: Session | None = None
    clicks: list[Callable[[], object]] = field(default_factory=list)
    undone: int = 0
    shown: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    starts: dict[str, Any] = field(default_factory=dict)


_holder: ContextVar[Holder | None] = ContextVar("holder", default=None)


def session_holder() -> Holder:
    """Return the holder of this session: the one in use, else the one that Streamlit keeps."""
    own = _holder.get()
    if own is None:
        own = st.session_state.setdefault(_KEY, Holder())
    return own


@contextmanager
def using(own: Holder) -> Iterator[None]:
    """Use this holder inside the block, without asking Streamlit for it."""
    token = _holder.set(own)
    try:
        yield
    finally:
        _holder.reset(token)


def has_begun() -> bool:
    """Return whether the session has a state."""
    own = _holder.get() or st.session_state.get(_KEY)
    return own is not None and own.state is not None


def current() -> Session:
    """Return the current state."""
    state = session_holder().state
    assert state is not None, "the session has not begun"
    return state


def is_current(kernel: Kernel) -> bool:
    """Return whether this is the kernel of the session; False outside a session."""
    return has_begun() and repr(current().kernel) == repr(kernel)


def store(state: Session) -> None:
    """Replace the state."""
    session_holder().state = state


def deferred(function: Callable[..., object], *args: Any, reads: str = "", **named: Any) -> Callable[[], None]:
    """Return a callback that leaves `function(*args, **named)` to the beginning of the run that it causes.

    The callback itself only writes down the click. Streamlit may end a run anywhere, and never calls a callback again:
    what is written down stays until it is done. `reads` is the key of a widget whose value lasts for one run, such as
    the entry of a menu that was clicked: the function receives it first.
    """
    clicks = session_holder().clicks

    def clicked() -> None:
        value: tuple[Any, ...] = ()
        try:
            value = (st.session_state[reads],) if reads else ()
        finally:
            if reads and not value:  # a newer request ended the first access, and does not end a second one
                value = (st.session_state[reads],)
            clicks.append(partial(function, *value, *args, **named))

    return clicked


def take_clicks() -> None:
    """Do what the clicks since the last run ask for, in their order, each once."""
    clicks = session_holder().clicks
    while clicks:
        clicks[0]()
        del clicks[0]
