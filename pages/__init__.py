"""The pages: one file each in `views`, what they share in `parts`, and doors for links (`parts/frame/door.py`)."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PAGES", "Page"]


class Page(NamedTuple):
    """A page in the navigation: its word, its file in `views`, the end of its address, whether it has a sidebar."""

    title: str
    view: str
    address: str
    sidebar: bool = True


#: In the order of the navigation; the first, with no address of its own, is where one arrives.
PAGES = (
    Page("Overview", "overview", ""),
    Page("Stories", "stories", "stories", sidebar=False),  # a lesson brings its own data and kernel
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
