"""The pages: one folder each in `views`, shared code in `parts`, entry scripts for links (`parts/frame/entry.py`)."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PAGES", "Page", "script_of"]


class Page(NamedTuple):
    """A page in the navigation: its title, its folder in `views`, the end of its address, whether it has the line."""

    title: str
    view: str
    address: str
    line: bool = True


#: In the order of the navigation; the first one, whose address is empty, opens first.
PAGES = (
    Page("Overview", "overview", ""),
    Page("Stories", "stories", "stories", line=False),  # a lesson brings its own data and kernel
    Page("Data", "data", "data"),
    Page("Gram matrix", "gram", "gram"),
    Page("Depth", "depth", "depth"),
    Page("Spectrum", "spectrum", "spectrum"),
    Page("Choose", "choose", "choose"),
    Page("Error curves", "curves", "curves"),
    Page("Why alike", "alike", "alike"),
    Page("Machine", "machine", "machine"),
    Page("Papers", "papers", "papers"),
    Page("Kernels", "reference", "kernels"),
)


def script_of(view: str) -> str:
    """Return the path of a page's script, as Streamlit's navigation takes it."""
    return f"pages/views/{view}/page.py"
