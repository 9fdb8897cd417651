"""The state of one person's session: one immutable value, the pure functions that change it, and the machine in it.

The session's `Holder` has the value. `current` reads it; `change` alone replaces it, by one assignment: Streamlit may
end a run at every access to `st.session_state`, so that a change in two assignments can stop halfway. Undo is recorded
with the change. A run draws all widgets from the state.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec

import numpy as np

from kernlib import DataError, Kernel, KernlibError, normal_form
from kernlib.analysis.gram import class_means
from kernlib.data import CATALOGUE, Dataset, load_dataset
from kernlib.experiments import UPLOAD, RunSpec
from kernlib.experiments.decisions import default_kernel as first_kernel
from kernlib.experiments.decisions import default_machine, presets_for, starting_machine
from kernlib.experiments.decisions import prepared as made_ready
from kernlib.machines import MACHINES, Machine
from kernlib.protocols import suitable_measure
from kernlib.values.declare import Parameter
from kernlib.wrappers.landmarks import with_landmarks
from pages.parts.server.caching import known
from pages.parts.server.jobs import Job, is_large
from pages.parts.server.runs import session_holder
from pages.parts.session.chain import Chain, Step, assemble, difference, edited, place_of, replaced, take_apart

#: Values by name.
Named = tuple[tuple[str, Any], ...]
#: Two classes, or two rows, by their numbers.
Pair = tuple[int, int]
#: The kernel made ready for a data set.
prepared = known()(made_ready)


def default_kernel(data: Dataset) -> Kernel:
    """Return the suggested kernel when a data set is chosen."""
    return prepared(presets_for(data)[0].kernel, data)


#: A sample with more than LARGE rows is first shown with FIRST_ROWS of them.
LARGE, FIRST_ROWS = 800, 500


@known("Reading the rows…")
def data_set(name: str, parameters: Named) -> Dataset:
    """Return a data set of the catalogue with its parameters."""
    return load_dataset(name, **dict(parameters))


@dataclass(frozen=True)
class DataChoice:
    """A data set by its name in the catalogue, or that of an upload, with parameters as (name, value) pairs."""

    name: str
    parameters: Named = ()

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


#: What undo returns to: data and kernel, with the steps that are switched off.
Snapshot = tuple[DataChoice, Chain]


@dataclass(frozen=True, eq=False)
class Session:
    """All that a person chose.

    `steps` make the kernel, and have those that are switched off. `controls` holds the text of each page control that
    differs from its default, as the link has it. `touched` is the path of the parameter that was moved last, `goes` the
    page that a click leads to. `job` is the run on *Error curves* that was started last, `unasked` whether it started
    alone.
    """

    data: DataChoice
    steps: Chain
    uploads: Mapping[str, tuple[DataChoice, Dataset]] = field(default_factory=dict)
    controls: Mapping[str, str] = field(default_factory=dict)
    touched: str | None = None
    run: GivenRun | None = None
    job: Job | None = None
    unasked: bool = False
    notices: tuple[str, ...] = ()
    page: str | None = None
    goes: str | None = None
    past: tuple[Snapshot, ...] = ()
    future: tuple[Snapshot, ...] = ()

    @cached_property
    def kernel(self) -> Kernel:
        """Return the kernel of the steps that are on."""
        return assemble(self.steps)

    @property
    def moment(self) -> Snapshot:
        """Return the present data and steps."""
        return self.data, self.steps

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


P = ParamSpec("P")
#: The control of *Choose* that asks for error curves, and its text.
WHICH_VALUE = ("choose.question", "Which value?")
#: What the page says of a change to a step that is gone.
_GONE = "A change to a step of the kernel before this one was not made. Make it again."
#: Changes that undo goes back over.
_MOMENTS = 60


def change(function: Callable[Concatenate[Session, P], Session], *args: P.args, **named: P.kwargs) -> None:
    """Replace the state by `function(state, …)`; a change of data or kernel can be undone.

    Notices and the given run of the earlier data and kernel are removed.
    """
    before = current()
    after = function(before, *args, **named)
    if (after.data, after.kernel) != (before.data, before.kernel):
        if (after.past, after.future) == (before.past, before.future):
            after = replace(after, past=(*before.past, before.moment)[-_MOMENTS:], future=())
        if after.data == before.data and after.page != "see":  # its slider must stay while it is dragged
            after = replace(after, touched=difference(before.kernel, after.kernel) or after.touched)
        if after.notices is before.notices:
            after = replace(after, notices=())
        if after.run is before.run:
            after = replace(after, run=None)
    store(after)


def action(function: Callable[Concatenate[Session, P], Session]) -> Callable[P, None]:
    """Return the callback that replaces the state by `function(state, …)`."""

    @wraps(function)
    def act(*args: P.args, **named: P.kwargs) -> None:
        change(function, *args, **named)

    return act


def begin(choice: DataChoice, default: DataChoice) -> Session:
    """Return the state of a new session: a data set under its proposed kernel, or `default` where it fails to load."""
    notices: tuple[str, ...] = ()
    try:
        kernel = default_kernel(choice.load())
    except KernlibError as error:
        choice, notices = default, (str(error),)
        kernel = default_kernel(default.load())
    return Session(choice, take_apart(kernel), notices=notices)


# -- data -----------------------------------------------------------------------------------------


def with_data(state: Session, choice: DataChoice) -> Session:
    """Switch to a data set under the proposed kernel; other parameters of the same data keep the kernel."""
    try:
        proposed = default_kernel(state.load(choice))
    except KernlibError as error:
        return notify(state, str(error))
    same = choice.name == state.data.name
    state = replace(state, data=choice)
    return state if same else adopted(state, proposed)


@action
def choose_data(state: Session, name: str) -> Session:
    """Switch to an entry of the menu: an upload as it was read, a sample as it is first shown."""
    own = state.uploads.get(name)
    return with_data(state, first_choice(name) if own is None else own[0])


@action
def take_parameters(state: Session, parameters: Named) -> Session:
    """Load the present data set with these parameters."""
    return with_data(state, DataChoice(state.data.name, parameters))


@action
def show(state: Session, page: str, choice: DataChoice, kernel: Kernel, run: GivenRun | None = None) -> Session:
    """Show a data set under a kernel on a page; on *Choose* also a given run."""
    after = with_data(state, choice)
    goes = page if page != state.page else None
    if run is not None and page == "choose":
        after = replace(after, controls={**after.controls, **dict([WHICH_VALUE])})
    return replace(adopted(after, kernel), run=run, goes=goes) if after.data == choice else after


def uploaded(state: Session, data: Dataset, by_hand: Named = ()) -> Session:
    """Show an uploaded data set, which belongs to this session alone, under its proposed kernel.

    `by_hand` lists how it is read otherwise than guessed, so that a run can read the file again.
    """
    name = f"upload:{data.digest[:12]}{data.fill}"
    own = data if data.name == name else replace(data, name=name)
    choice = DataChoice(name, by_hand)
    return with_data(replace(state, uploads={**state.uploads, name: (choice, own)}), choice)


take_upload = action(uploaded)


@action
def take_rows(state: Session, n: int) -> Session:
    """Show `n` rows of the current data under the same kernel, drawn or generated again."""
    parameters = (*(pair for pair in state.data.parameters if pair[0] != "n"), ("n", n))
    if not state.data.uploaded:
        return with_data(state, DataChoice(state.data.name, parameters))
    sample = state.load(state.data).stratified_sample(n)
    after = uploaded(state, sample, (*parameters, ("seed", 0)))
    return replace(after, steps=state.steps)


# -- kernel ---------------------------------------------------------------------------------------


def adopted(state: Session, kernel: Kernel) -> Session:
    """Make `kernel` the current one, with new steps.

    Large data keep the landmarks of the present kernel, since all pairs of their rows would be refused.
    """
    present = state.kernel
    if present.has_factor and not kernel.has_factor and is_large(state.load(state.data)):
        with suppress(KernlibError):  # a kernel that exists for all rows at once
            kernel = with_landmarks(kernel, like=present)
    return replace(state, steps=take_apart(kernel))


adopt = action(adopted)


@action
def move(state: Session, path: str, value: Any, of: tuple[DataChoice, Kernel] | None = None) -> Session:
    """Set the parameter at `path` of the present kernel; steps that are switched off stay.

    `of` are the data and the kernel that the click was made on: a click on other data or other steps changes nothing.
    """
    now = (state.data, *map(type, state.kernel.walk()))
    place = place_of(state.steps, path.removeprefix("kernel."))
    if place is None or (of is not None and now != (of[0], *map(type, of[1].walk()))):
        return notify(state, _GONE)
    uid, name = place
    return replace(_edited(state, uid, _with_values({name: value})), touched=path)


def _edited(state: Session, uid: int, change: Callable[[Chain, int], Sequence[Step]]) -> Session:
    """Return the state with other steps, or with a sentence where the step is gone or no kernel results."""
    steps = edited(state.steps, uid, change)
    if steps is None:
        return notify(state, _GONE)
    try:
        kernel = assemble(steps)
    except KernlibError as error:
        return notify(state, str(error))
    normal = normal_form(kernel)
    return replace(state, steps=steps if kernel == normal else take_apart(normal))


#: Replace the chain that holds a step, at any depth, by `change(chain, the step's place)`. A click in a menu that still
#: shows another chain changes nothing, and the page says so.
change_chain = action(_edited)


def set_values(uid: int, changes: Mapping[str, Any]) -> None:
    """Set parameters of a step."""
    change_chain(uid, _with_values(changes))


def _with_values(changes: Mapping[str, Any]) -> Callable[[Chain, int], Chain]:
    return lambda chain, place: replaced(chain, place, values={**chain[place].values, **changes})


def switch(uid: int, on: bool) -> None:
    """Switch a step on or off."""
    change_chain(uid, lambda chain, place: replaced(chain, place, on=on))


# -- undo -----------------------------------------------------------------------------------------


@action
def undo(state: Session) -> Session:
    """Return to the data and kernel before the last change."""
    if not state.past:
        return state
    *past, (data, steps) = state.past
    return replace(state, data=data, steps=steps, past=tuple(past), future=(*state.future, state.moment))


@action
def redo(state: Session) -> Session:
    """Repeat the change that was undone last."""
    if not state.future:
        return state
    *future, (data, steps) = state.future
    return replace(state, data=data, steps=steps, past=(*state.past, state.moment), future=tuple(future))


# -- pages ----------------------------------------------------------------------------------------


@action
def choose(state: Session, control: str, text: str | None) -> Session:
    """Keep what a page control chooses, as the link has it; None for its default."""
    others = {name: kept for name, kept in state.controls.items() if name != control}
    return replace(state, controls=others if text is None else {**others, control: text})


@action
def compare(state: Session, first: int, second: int) -> Session:
    """Open *See* with two rows of the data."""
    controls = {**state.controls, "see.pair": f"{first}|{second}"}
    return replace(state, controls=controls, goes=None if state.page == "see" else "see")


@action
def vary(state: Session, label: str) -> Session:
    """Open *Which value?* of *Choose* with the parameter of this name varied; its other controls stay."""
    ranges = ("choose.range", "choose.second")
    kept = {name: text for name, text in state.controls.items() if not name.startswith(ranges)}
    return replace(
        state,
        controls=kept | {"choose.axis": label} | dict([WHICH_VALUE]),
        run=None,
        goes=None if state.page == "choose" else "choose",
    )


@action
def put(state: Session, /, **fields: Any) -> Session:
    """Replace single fields of the state, such as `goes`, the page that a click leads to."""
    return replace(state, **fields)


def enter(page: str) -> None:
    """Note the page that is shown; notices of another page end."""
    state = current()
    if state.page != page or state.goes == page:
        first = state.page is None  # a link, or what the server was started with, may lead to another page
        kept = state.notices if first or state.goes == page else ()
        store(replace(state, page=page, goes=state.goes if first and state.goes != page else None, notices=kept))


def notify(state: Session, sentence: str) -> Session:
    """Return the state with one more notice above the page."""
    return replace(state, notices=(*state.notices, sentence))


def controlled(state: Session, controls: dict[str, str]) -> Session:
    """Return the state with these page controls, and the others as they are."""
    return replace(state, controls={**state.controls, **controls})


#: The controls with the class of the machine, and with the two classes of its border; `control_of` names those with its
#: parameters.
MACHINE, PAIR = "all.machine", "use.pair"


#: Rows by which the closest classes are found.
_SOME = 200


def control_of(parameter: Parameter) -> str:
    """Return the control with a parameter of the machine; machines share parameters of one name."""
    return f"all.{parameter.name}"


def pairs_of(data: Dataset) -> list[Pair]:
    """Return the pairs of classes: a support vector machine separates two at a time."""
    return list(itertools.combinations(range(len(data.classes)), 2))


def pair_of(data: Dataset) -> Pair:
    """Return the two classes whose border is drawn: the closest two, or those that a person chose on the page Use."""
    chosen = {str(pair): pair for pair in pairs_of(data)}.get(current().controls.get(PAIR, ""))
    return chosen or closest_pair(data)


@known()
def closest_pair(data: Dataset) -> Pair:
    """Return the two classes whose means lie closest in the feature space of the data's first kernel."""
    pairs = pairs_of(data)
    if len(pairs) == 1:
        return pairs[0]
    some = data.stratified_sample(_SOME) if data.n > _SOME else data
    try:
        means = np.nan_to_num(class_means(first_kernel(some)(some.inputs), np.asarray(some.y)))
    except KernlibError:
        return pairs[0]
    return min(pairs, key=lambda pair: means[pair[0], pair[0]] + means[pair[1], pair[1]] - 2 * means[pair])


def offered(data: Dataset) -> dict[str, type[Machine]]:
    """Return the machines for these labels, by the names of their classes."""
    return {machine.__name__: machine for machine in MACHINES if (data.task or "classification") in machine.task}


@known()
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
        choose(MACHINE, type(machine).__name__)
    for p in machine.parameters():
        if p.name in names:
            choose(control_of(p), str(getattr(machine, p.name)))


def exchanged() -> bool:
    """Return whether a person has chosen a machine, or a parameter of one."""
    return not {MACHINE, *(control_of(p) for cls in MACHINES for p in cls.parameters())}.isdisjoint(current().controls)


def read_parameter(p: Parameter, text: str) -> Any:
    """Return the value that a control's text has for a parameter; ValueError where it has none."""
    known = {str(choice): choice for choice in (*p.choices, *([True, False] if p.kind == "bool" else []))}
    return p.clean(known[text] if text in known else int(text) if p.kind == "int" else float(text), p.name)
