"""Changes of the session's state: each is a pure function of the state, and `change` assigns its result once.

Streamlit may end a run at every access to `st.session_state`, so that a change in two assignments can stop halfway.
Here a change is computed first and assigned whole; undo is recorded with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from kernlib import Kernel, KernlibError, normal_form
from kernlib.data import Dataset
from kernlib.errors import ParameterError
from kernlib.experiments.axis import with_value
from kernlib.wrappers.landmarks import with_landmarks
from pages.parts.server.large import is_large
from pages.parts.session.chain import Chain, Step, assemble, edited, revised, take_apart
from pages.parts.session.numbers import difference
from pages.parts.session.presets import default_kernel
from pages.parts.session.value import DataChoice, GivenRun, Session, Snapshot, current, first_choice, store

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
    return Session(choice, take_apart(kernel), normal_form(kernel), notices=notices)


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


choose_data = action(with_data)


@action
def take_parameters(state: Session, parameters: tuple[tuple[str, Any], ...]) -> Session:
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


def uploaded(state: Session, data: Dataset, by_hand: tuple[tuple[str, Any], ...] = ()) -> Session:
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
    return replace(after, steps=state.steps, kernel=state.kernel, problem=state.problem)


def choice_of(name: str) -> DataChoice:
    """Return the data choice of an entry in the menu: an upload as it was read, a sample as it is first shown."""
    own = current().uploads.get(name)
    return first_choice(name) if own is None else own[0]


# -- kernel ---------------------------------------------------------------------------------------


def adopted(state: Session, kernel: Kernel) -> Session:
    """Make `kernel` the current one, with new steps.

    Large data keep the landmarks of the present kernel, since all pairs of their rows would be refused.
    """
    present = state.kernel
    if present.has_factor and not kernel.has_factor and is_large(state.load(state.data)):
        with suppress(KernlibError):  # a kernel that exists for all rows at once
            kernel = with_landmarks(kernel, like=present)
    return _with_steps(state, take_apart(kernel))


adopt = action(adopted)


@action
def move(state: Session, path: str, value: Any) -> Session:
    """Set the parameter at `path` of the present kernel; steps that are switched off stay."""
    try:
        kernel = with_value(state.kernel, path.split(".")[1:], value)
    except ParameterError as error:  # such as a click in a figure of an earlier kernel
        return notify(state, str(error))
    steps = revised(state.steps, take_apart(kernel))
    after = adopted(state, kernel) if steps is None else _with_steps(state, steps)
    return replace(after, touched=path)


def _with_steps(state: Session, steps: Chain) -> Session:
    try:
        return replace(state, steps=steps, kernel=normal_form(assemble(steps)), problem="")
    except KernlibError as error:
        return replace(state, steps=steps, problem=str(error))


@action
def change_chain(state: Session, uid: int, function: Callable[[Chain, int], Sequence[Step]]) -> Session:
    """Replace the chain that holds a step, at any depth, by `function(chain, the step's place)`.

    A click in a menu that still shows another chain changes nothing, and the page says so.
    """
    places = list[int]()

    def found(chain: Chain, place: int) -> Sequence[Step]:
        places.append(place)
        return function(chain, place)

    steps = edited(state.steps, uid, found)
    return _with_steps(state, steps) if places else notify(state, _GONE)


def set_values(uid: int, changes: Mapping[str, Any]) -> None:
    """Set parameters of a step."""
    change_chain(uid, lambda chain, i: _replaced(chain, i, values={**chain[i].values, **changes}))


def switch(uid: int, on: bool) -> None:
    """Switch a step on or off."""
    change_chain(uid, lambda chain, i: _replaced(chain, i, on=on))


def _replaced(chain: Chain, place: int, **fields: Any) -> Chain:
    return (*chain[:place], replace(chain[place], **fields), *chain[place + 1 :])


@action
def open_step(state: Session, uid: int | None) -> Session:
    """Open the fold of a step and close those of the others."""
    return replace(state, opened=(uid, state.opened[1] + 1))


# -- undo -----------------------------------------------------------------------------------------


@action
def undo(state: Session) -> Session:
    """Return to the data and kernel before the last change."""
    if not state.past:
        return state
    *past, moment = state.past
    return replace(_returned(state, moment), past=tuple(past), future=(*state.future, state.moment))


@action
def redo(state: Session) -> Session:
    """Repeat the change that was undone last."""
    if not state.future:
        return state
    *future, moment = state.future
    return replace(_returned(state, moment), past=(*state.past, state.moment), future=tuple(future))


def _returned(state: Session, moment: Snapshot) -> Session:
    return _with_steps(replace(state, data=moment.data, kernel=moment.kernel), moment.steps)


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
