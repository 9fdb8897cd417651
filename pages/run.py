"""One run of the app: the line, and below it the page that the address names."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from pages import MOVED, PAGES
from pages.parts.frame import layout, line, reading
from pages.parts.frame.view import PageEnd
from pages.parts.inputs import controls
from pages.parts.inputs.texts import plain
from pages.parts.server import caching, runs, starting
from pages.parts.server.holder import session_holder, using
from pages.parts.session import link, state, uploaded
from pages.parts.session.machine import exchanged
from pages.parts.session.state import current


def draw() -> None:
    """Draw the line and the page that the address names."""
    with using(session_holder()), runs.run():
        link.read()
        controls.begin()
        st.set_page_config(page_icon=layout.ICON, layout="wide")
        layout.add_styles()
        starting.prepare()
        caching.arrive()
        if (file := uploaded.present()) is not None and file.again:
            reading.apply_choices(file, state.take_upload)
        runs.begin_run()

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
        uploaded.report()
        caching.collect_garbage()
        runs.end_run(address)
        controls.end()
        runs.work_on()
