"""The pages: one folder each in `views`, shared code in `parts`, `run.py` draws them."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["MOVED", "PAGES", "Page"]


class Page(NamedTuple):
    """A page in the navigation: title, folder in `views`, end of its address, its menu, whether it has the line.

    `menu` is "" for a page that stands on the bar itself.
    """

    title: str
    view: str
    address: str
    menu: str = ""
    line: bool = True


#: In the order of the navigation.
PAGES = (
    Page("Data", "data", "data"),
    Page("See", "see", ""),
    Page("Depth", "depth", "depth"),
    Page("Spectrum", "spectrum", "spectrum"),
    Page("Choose", "choose", "choose"),
    Page("Use", "use", "use"),
    Page("Lessons", "stories", "lessons", "Learn", line=False),  # a lesson brings its own data and kernel
    Page("Labs", "labs", "labs", "Learn", line=False),  # a lab has its own data, and says where it shows a person's
    Page("Papers", "papers", "papers", "Learn"),
    Page("Kernels", "reference", "kernels", "Learn"),
)

#: Earlier addresses that people have kept, each with the view that has its place; *See* is the address without a name.
MOVED = {"see": "see", "curves": "choose", "gram": "see", "alike": "see", "machine": "use", "stories": "stories"}
