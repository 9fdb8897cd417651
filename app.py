"""The dashboard: `streamlit run app.py`."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from pages import PAGES, script_of
from pages.parts.frame import layout, sidebar
from pages.parts.frame.view import PageEnd
from pages.parts.inputs import controls
from pages.parts.inputs.plain import plain
from pages.parts.server import away, run_queue, shared
from pages.parts.server.holder import session_holder, using
from pages.parts.session import link, opened, polling, state
from pages.parts.session.value import current


def main() -> None:
    """Draw the page that the address names, and the sidebar beside it."""
    with using(session_holder()), run_queue.run():
        link.read()
        controls.begin()
        st.set_page_config(
            page_title="kernlib",
            page_icon=layout.ICON,
            layout="wide",
            initial_sidebar_state="collapsed" if layout.projector() else 340,
        )
        layout.add_styles()
        shared.prepare()
        away.arrive()
        polling.begin_run()

        page = st.navigation(
            [
                st.Page(
                    script_of(entry.view),
                    title=entry.title,
                    url_path=entry.address or None,
                    default=not entry.address,
                )
                for entry in PAGES
            ],
            position="hidden" if layout.alone() else "top",
        )

        entry = next(entry for entry in PAGES if entry.address == page.url_path)
        state.enter(entry.view)
        if current().goes is not None:
            st.switch_page(script_of(str(current().goes)))
        link.write()
        layout.offer_changed_files()
        for sentence in current().notices:
            st.warning(plain(sentence), icon=":material/link_off:")
        try:
            with layout.guarded(), suppress(PageEnd):
                page.run()
        except Exception:
            sidebar.draw()  # the way out of a page that fails
            raise
        if entry.sidebar:
            sidebar.draw()
        else:
            layout.pictures()
        opened.report()
        shared.collect_garbage()
        polling.end_run()


# A process that a run starts imports this file under another name, and must not draw.
if __name__ == "__main__":
    main()
