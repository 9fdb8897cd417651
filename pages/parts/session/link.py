"""The address of the page as a link to its view: data, kernel, and every control that differs from its default.

The address is written in the browser by `address.js`, which replaces the present entry of the history: one entry a
page, and *Back* is one click.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from kernlib import Kernel, KernlibError, parse
from kernlib.data import CATALOGUE, why_left_out
from kernlib.machines import MACHINES
from pages.parts.server.jobs import session_id
from pages.parts.session import state, uploaded
from pages.parts.session.machine import MACHINE
from pages.parts.session.state import DataChoice, Session, current, first_choice, has_begun, store

#: What a newcomer sees first: one drag of p shows a kernel that memorises, and one that learns.
FIRST_DATA = "markov-strings"
#: Characters of one control in a link, and controls in a link.
_LENGTH, _MOST = 2000, 60
#: Kernels that a link's kernel may join.
_JOINED = 20

_component = st.components.v2.component("kernlib_address", js=(Path(__file__).parent / "address.js").read_text())


def read() -> None:
    """Begin the session's state from the query of its first address.

    A wrong data set, parameter or kernel becomes a notice; a control with a wrong value has its default.
    """
    if has_begun():
        uploaded.refresh()
        return
    query = st.query_params
    name = query.get("data", FIRST_DATA)
    begun, notices = _data(FIRST_DATA if uploaded.holds(name) else name)
    begun = uploaded.begin(begun, query)
    kernel = query["kernel"] if "kernel" in query else uploaded.first_kernel()
    if kernel is not None:
        try:
            begun = _with_kernel(begun, parse(kernel))
        except KernlibError as error:
            here = f" The link says that {query['load'][:80]} defines it." if "load" in query else ""
            notices.append(
                f"The link's kernel could not be used: {error}{here} Showing the one proposed for this data."
            )
    # A link of before: the controls of *Which value?* were those of a page of their own.
    names = {_now(name): name for name in query}
    controls = [
        (name, query[old][:_LENGTH]) for name, old in names.items() if "." in name and not name.startswith("g.")
    ]
    if "lab" in query:  # short, for a lecturer's slides
        controls.append(("labs.lab", query["lab"][:_LENGTH]))
    for sentence in notices:
        begun = state.notify(begun, sentence)
    if "alike.first" in query and "alike.second" in query:  # a link of before: the two rows were two controls
        controls.append(("see.pair", f"{query['alike.first']}|{query['alike.second']}"[:_LENGTH]))
    store(state.controlled(begun, dict(controls[:_MOST])))


def _data(name: str) -> tuple[Session, list[str]]:
    """Return a state with the link's data, and the problems with the link."""
    default, notices = first_choice(FIRST_DATA), list[str]()
    if name.startswith("upload:"):
        return state.begin(DataChoice(name), default), notices
    if name in CATALOGUE:
        return state.begin(DataChoice(name, _parameters(name, notices)), default), notices
    why = why_left_out(name) or f"The link names a data set {name!r} that does not exist here."
    notices.append(f"{why} Showing {CATALOGUE[FIRST_DATA].title}.")
    return state.begin(default, default), notices


def _parameters(name: str, notices: list[str]) -> tuple[tuple[str, Any], ...]:
    given = dict(first_choice(name).parameters)
    for p in CATALOGUE[name].parameters():
        text = st.query_params.get(f"g.{p.name}")
        if text is None:
            continue
        try:
            number: Any = int(text) if p.kind == "int" else float(text) if p.kind == "float" else text
            given[p.name] = p.clean(number, name)
        except ValueError:
            notices.append(f"The link's {p.name}={text[:20]!r} was left out: expected {p.bounds()}.")
    return tuple(given.items())


def _with_kernel(begun: Session, kernel: Kernel) -> Session:
    data = begun.load(begun.data)
    if not kernel.can_read(data.domain):
        raise KernlibError(f"it reads {kernel.reads} rows, and {data.title} has {data.domain} rows.")
    joined = sum(not part.children for part in kernel.walk())
    if joined > _JOINED:  # every run evaluates and draws each of them
        raise KernlibError(f"it joins {joined} kernels; expected at most {_JOINED}. Join fewer, or use Python.")
    return state.adopted(begun, kernel)


def _now(name: str) -> str:
    """Return the control that the name in a link of before stands for: a run had a page and a machine of its own."""
    machine, _, parameter = name.removeprefix("curves.").partition(".")
    if name.startswith("curves.") and machine in {cls.__name__ for cls in MACHINES}:
        return f"all.{parameter}"
    return MACHINE if name == "curves.machine" else re.sub(r"^curves\.", "choose.", name)


def link() -> dict[str, str]:
    """Return the query of the address: data, kernel, and the controls of this page and of all pages."""
    now = current()
    query = {"data": now.data.name, "kernel": repr(now.kernel)}
    if modules := uploaded.modules(now.kernel):
        query["load"] = modules
    if not now.data.uploaded:
        query |= {f"g.{name}": str(value) for name, value in now.data.parameters}
    page = now.page or "see"
    shown = (f"{page}.", "all.")
    return query | {name: text for name, text in now.controls.items() if name.startswith(shown)}


def write() -> str:
    """Put the link into the address bar, and return its query."""
    # The page is part of the data, so that the address is written after every change of page.
    # The document knows its session by it, and opens its address again where the server has begun another.
    query = f"?{urlencode(link())}"
    place = {"page": current().page, "query": query, "session": session_id()}
    _component(key="address", data=place, on_connected_change=lambda: None)  # hidden by the style
    return query
