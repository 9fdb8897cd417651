"""The pages: one file each in `views`, what they share in `parts`, and doors for links (`parts/door.py`)."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PAGES", "Page"]


class Page(NamedTuple):
    """A page in the navigation: its word and icon, its file in `views`, the end of its address."""

    title: str
    icon: str
    view: str
    address: str


#: In the order of the navigation; the first, with no address of its own, is where one arrives.
PAGES = (
    Page("Overview", "dashboard", "overview", ""),
    Page("Data", "table_view", "data", "data"),
    Page("Gram matrix", "grid_on", "gram", "gram"),
    Page("Depth", "layers", "depth", "depth"),
    Page("Spectrum", "equalizer", "spectrum", "spectrum"),
    Page("Error curves", "show_chart", "curves", "curves"),
    Page("Why alike", "compare_arrows", "alike", "alike"),
    Page("Machine", "conversion_path", "machine", "machine"),
    Page("Papers", "fact_check", "papers", "papers"),
    Page("Kernels", "menu_book", "reference", "kernels"),
)
