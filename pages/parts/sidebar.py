"""What every page has beside it: the data, the kernel as a chain of chips, the builder."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kernlib.data import CATALOGUE
from kernlib.declare import Parameter
from kernlib.experiments.proposals import PRESETS

from . import builder, layout, state
from .inert import plain
from .widgets import parameter_ahead, parameter_widget

__all__ = ["begin", "draw"]

#: Whether this run of the page has the sidebar still to draw.
_WAITS = "sidebar.waits"

_DOMAIN_WORDS = {
    "vector": "numbers",
    "categorical": "categories",
    "mixed": "columns of several kinds",
    "sequence": "sequences",
    "text": "texts",
    "graph": "graphs",
    "node": "nodes of a graph",
    "pair": "pairs",
    "matrix": "a matrix of scores or distances",
}


def begin() -> None:
    """Draw the sidebar, or put it off: the browser draws in the order in which things come, the picture first.

    Either way the state then holds the data and kernel that the sidebar shows.
    """
    seen = _WAITS in st.session_state
    st.session_state[_WAITS] = True
    if seen and not st.session_state.pop("sidebar.first", False) and _data_ahead() and builder.kernel_ahead():
        state.record()
        return
    st.session_state[_WAITS] = False
    with st.sidebar:
        _draw()


def draw() -> None:
    """Draw the sidebar if it was put off; pages whose numbers take long do so once their picture is sent."""
    if not st.session_state[_WAITS]:
        return
    st.session_state[_WAITS] = False
    shown = repr(st.session_state["kernel"])
    with st.sidebar:
        _draw()
    if repr(st.session_state["kernel"]) != shown:  # a widget says another value than it held: the page is of that
        st.session_state["sidebar.first"] = True
        st.rerun()


def _draw() -> None:
    history = st.container(horizontal=True, gap="small")
    _data()
    data = state.data_choice().load()
    st.divider()
    chain = st.container()
    builder.kernel_builder(data)
    state.record()
    with history:
        _history()  # now that it is known what has changed
    with chain:
        builder.chain_of_chips()
    st.caption("The address bar is a link to this data and kernel.")
    st.toggle(
        "Projector",
        key="projector",
        persist_state="session",
        help="Larger letters, thicker lines, full contrast, this sidebar folded away: for a lecture in a bright room.",
    )
    layout.pictures()


def _history() -> None:
    """Undo and redo of changes to data and kernel."""
    for name, icon, does, possible in (
        ("Undo", "undo", state.undo, state.can_undo()),
        ("Redo", "redo", state.redo, state.can_redo()),
    ):
        st.button(
            name,
            icon=f":material/{icon}:",
            type="tertiary",
            key=f"history.{name.lower()}",
            help=f"{name} the last change of data or kernel",
            on_click=does,
            disabled=not possible,
        )


def _data() -> None:
    choice = state.data_choice()
    own = state.uploads()
    names = [*own, *(n for n, entry in CATALOGUE.items() if entry.domain in PRESETS or entry.domain == "mixed")]
    key = f"data.{choice.name}.{len(own)}"
    st.selectbox(
        "Data",
        names,
        index=names.index(choice.name),
        key=key,
        on_change=_change_data,
        args=(key,),
        format_func={name: _title(name) for name in names}.__getitem__,
        help="Samples, generators, and your own files: upload them on the Data page.",
    )
    data = choice.load()
    classes = " · ".join(
        f"{count:,} of class\N{NO-BREAK SPACE}{_quoted(name)}" for name, count in list(data.class_counts.items())[:4]
    )
    if not own:
        st.page_link("pages/views/data.py", label="Bring your own data", icon=":material/upload_file:")
    st.caption(plain(f"{_DOMAIN_WORDS[data.domain]} · n = {data.n:,}" + (f" · {classes}" if classes else "")))
    if not choice.uploaded:
        _parameters(choice)


def _quoted(name: str) -> str:
    """A class that is called by a sign alone, such as + and -, is set apart from the words around it."""
    return name if any(c.isalnum() for c in name) else f"‘{name.replace('-', '−')}’"


def _data_ahead() -> bool:
    """Whether the data set's own numbers are those that its widgets hold."""
    choice = state.data_choice()
    if choice.uploaded:
        return True
    given = dict(choice.parameters)
    parameters = CATALOGUE[choice.name].parameters()
    try:
        held = {p.name: parameter_ahead(p, given.get(p.name, p.default), _key(choice, p)) for p in parameters}
    except KeyError:
        return False
    return tuple((p.name, held[p.name]) for p in parameters if held[p.name] != p.default) == choice.parameters


def _key(choice: state.DataChoice, p: Parameter) -> str:
    return f"g.{choice.name}.{p.name}"


def _title(name: str) -> str:
    own = state.uploads().get(name)
    title = own.title if own else CATALOGUE[name].title
    return title[:60]


def _parameters(choice: state.DataChoice) -> None:
    """The generator's parameters, or the size and seed of a sample."""
    entry = CATALOGUE[choice.name]
    with st.expander("Sample and seed" if entry.kind == "sample" else "Generator"):
        given = dict(choice.parameters)
        chosen: list[tuple[str, Any]] = []
        for p in entry.parameters():
            start = given.get(p.name, p.default)
            value = parameter_widget(p, start, _key(choice, p))
            if value != p.default:
                chosen.append((p.name, value))
        if tuple(chosen) != choice.parameters:
            state.choose_data(state.DataChoice(choice.name, tuple(chosen)))
            st.rerun()


def _change_data(key: str) -> None:
    state.choose_data(state.choice_of(st.session_state[key]))
