"""The script that Streamlit runs for every page; what a run spawns imports it as well, and must do nothing."""

from __future__ import annotations

from pages.parts.server.runs import imported

if __name__ == "__main__":
    with imported():
        from pages.run import draw

        draw()
