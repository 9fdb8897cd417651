"""The script that Streamlit runs for every page; what a run spawns imports it as well, and must do nothing."""

from __future__ import annotations

from pages.parts.server.starting import warmed_up

if __name__ == "__main__":
    warmed_up()
    from pages.run import draw

    draw()
