"""One run of the app: its address is read and written, and the line and the page that it names are drawn.

The address is a link to the view: data, kernel, and every control that differs from its default. It is written in the
browser by `address.js`, which replaces the present entry of the history: one entry a page, and *Back* is one click.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from kernlib import Kernel, KernlibError, parse
from kernlib.data import CATALOGUE, why_left_out
from kernlib.machines import MACHINES
from pages import MOVED, PAGES
from pages.parts.frame import layout, line, slider
from pages.parts.frame.waiting import PageEnd
from pages.parts.inputs import controls
from pages.parts.inputs.controls import plain
from pages.parts.server import caching, runs
from pages.parts.server.jobs import session_id
from pages.parts.server.runs import session_holder, using
from pages.parts.session import state, uploaded
from pages.parts.session.state import (
    MACHINE,
    DataChoice,
    Named,
    Session,
    current,
    exchanged,
    first_choice,
    has_begun,
    store,
)


def draw() -> None:
    """Draw the line and the page that the address names."""
    with using(session_holder()), runs.run():
        read_address()
        controls.begin()
        st.set_page_config(page_icon=layout.ICON, layout="wide")
        layout.add_styles()
        runs.prepare()
        caching.arrive()

        shown = {
            entry: st.Page(
                f"views/{entry.view}/page.py",
                title=entry.title,
                url_path=entry.address or None,
                default=not entry.address,
            )
            for entry in PAGES
        }
        menus = {entry.menu: [page for other, page in shown.items() if other.menu == entry.menu] for entry in PAGES}
        old = [st.Page(lambda: None, title=name, url_path=name, visibility="hidden") for name in MOVED]
        menus[""] += old
        page = st.navigation(menus, position="hidden" if layout.alone() else "top")
        if page in old:
            if page.url_path == "curves":
                state.choose(*state.WHICH_VALUE)
            st.switch_page(shown[next(entry for entry in PAGES if entry.view == MOVED[page.url_path])])
        entry = next(entry for entry, own in shown.items() if own is page)
        state.enter(entry.view)
        if current().goes is not None:
            controls.leave()
            st.switch_page(f"views/{current().goes}/page.py")
        address = write_address()
        layout.offer_changed_files()
        for sentence in current().notices:
            st.warning(plain(sentence), icon=":material/link_off:")
        if not entry.line and exchanged():
            st.caption("Errors here are of the page's own machines, not of the machine chosen on *Use*.")
        fill = line.draw() if entry.line else None
        try:
            with layout.guarded():
                page.run()
        except PageEnd as end:
            if end.view is not None:
                with suppress(KernlibError):
                    slider.draw(slider.hand_of(end.view), end.view)
        finally:
            if fill is not None:  # also on a page that fails: the way out of it
                fill()
        layout.pictures()
        uploaded.report()
        runs.end_run(address)
        controls.end()


#: What a newcomer sees first: one drag of p shows a kernel that memorises, and one that learns.
FIRST_DATA = "markov-strings"
#: Characters of one control in a link, and controls in a link.
_LENGTH, _MOST = 2000, 60
#: Kernels that a link's kernel may join.
_JOINED = 20

_component = st.components.v2.component("kernlib_address", js=(Path(layout.__file__).parent / "address.js").read_text())


def read_address() -> None:
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


def _parameters(name: str, notices: list[str]) -> Named:
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


def write_address() -> str:
    """Put the link into the address bar, and return its query."""
    # The page is part of the data, so that the address is written after every change of page.
    # The document knows its session by it, and opens its address again where the server has begun another.
    query = f"?{urlencode(layout.query())}"
    place = {"page": current().page, "query": query, "session": session_id()}
    _component(key="address", data=place, on_connected_change=lambda: None)  # hidden by the style
    return query
