"""The state of one person's session as one immutable value: data, kernel, undo, and what the page's controls choose.

The session's `Holder` has the value. `current` reads it; `state.change` alone replaces it, by one assignment. A run
draws all widgets from it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kernlib import DataError, Kernel
from kernlib.data import CATALOGUE, Dataset, load_dataset
from kernlib.experiments import UPLOAD, RunSpec
from pages.parts.server.caching import known
from pages.parts.server.holder import session_holder
from pages.parts.server.jobs import Job
from pages.parts.session.chain import Chain

#: A sample with more than LARGE rows is first shown with FIRST_ROWS of them.
LARGE, FIRST_ROWS = 800, 500


@known("Reading the rows…")
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


def has_begun() -> bool:
    """Return whether the session has a state."""
    return session_holder().state is not None


def current() -> Session:
    """Return the current state."""
    state: Session = session_holder().state
    return state


def is_current(kernel: Kernel) -> bool:
    """Return whether this is the kernel of the session; False outside a session."""
    return has_begun() and repr(current().kernel) == repr(kernel)


def store(state: Session) -> None:
    """Replace the state."""
    session_holder().state = state
