"""One run of the app: the line, and below it the page that the address names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

import streamlit as st

from pages.parts.inputs import controls
from pages.parts.inputs.plain import plain
from pages.parts.server import away, run_queue, shared
from pages.parts.server.holder import session_holder, using
from pages.parts.session import link, opened, polling, state
from pages.parts.session.machine import exchanged
from pages.parts.session.value import current

from . import layout, line, reading
from .view import PageEnd


class Entry(Protocol):
    """A page in the navigation."""

    @property
    def title(self) -> str: ...
    @property
    def view(self) -> str: ...
    @property
    def address(self) -> str: ...
    @property
    def menu(self) -> str: ...
    @property
    def line(self) -> bool: ...


def draw(pages: Sequence[Entry], moved: Mapping[str, str], script_of: Callable[[str], str]) -> None:
    """Draw the line and that one of the pages which the address names; `script_of` a view is its file.

    `moved` has earlier addresses and the views that have taken their places.
    """
    with using(session_holder()), run_queue.run():
        link.read()
        controls.begin()
        st.set_page_config(page_icon=layout.ICON, layout="wide")
        layout.add_styles()
        shared.prepare()
        away.arrive()
        reading.apply_choices(state.take_upload)
        polling.begin_run()

        shown = {
            entry: st.Page(
                script_of(entry.view), title=entry.title, url_path=entry.address or None, default=not entry.address
            )
            for entry in pages
        }
        menus = {entry.menu: [page for other, page in shown.items() if other.menu == entry.menu] for entry in pages}
        old = [st.Page(lambda: None, title=name, url_path=name, visibility="hidden") for name in moved]
        menus[""] += old
        page = st.navigation(menus, position="hidden" if layout.alone() else "top")
        if page in old:
            if page.url_path == "curves":
                state.choose(*state.WHICH_VALUE)
            st.switch_page(shown[next(entry for entry in pages if entry.view == moved[page.url_path])])
        entry = next(entry for entry, own in shown.items() if own is page)
        state.enter(entry.view)
        if current().goes is not None:
            controls.leave()
            st.switch_page(script_of(str(current().goes)))
        address = link.write()
        layout.offer_changed_files()
        for sentence in current().notices:
            st.warning(plain(sentence), icon=":material/link_off:")
        if not entry.line and exchanged():
            st.caption("Errors here are of the page's own machines, not of the machine chosen on *Use*.")
        fill = line.draw() if entry.line else None
        try:
            with layout.guarded(), suppress(PageEnd):
                page.run()
        finally:
            if fill is not None:  # also on a page that fails: the way out of it
                fill()
        layout.pictures()
        opened.report()
        shared.collect_garbage()
        polling.end_run(address)
        controls.end()
