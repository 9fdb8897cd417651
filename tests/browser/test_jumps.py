"""What a jump to another page shows stays under the next clicks, and a slider keeps its place and focus meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kernlib.data import CATALOGUE

from .drive import click, complaints, link, menu, next_run, press, visit

pytestmark = pytest.mark.browser


def test_what_a_jump_shows_stays_and_a_slider_keeps_the_focus(new_page, app_server):
    """Of all jumps (`tests/pages/test_jumps.py`), that from a kernel's card to a sample."""
    page = new_page()
    visit(page, app_server.url, "Kernels", data="banana")
    card = page.get_by_test_id("stExpander").filter(has_text="RBF ·").first
    click(card.locator("summary"))
    to_click = card.get_by_role("button", name="Iris")
    to_click.evaluate("button => button.scrollIntoView({block: 'center'})")
    menu(page, "data")
    with next_run(page):
        to_click.dispatch_event("click")  # as assistive technology does it: no pointer closes the menu before
    there = link(page)
    assert there["data"] == "iris"
    box = menu(page, "data").get_by_role("combobox", name="Data", exact=True)
    assert (box.input_value() or box.inner_text()) == CATALOGUE["iris"].title
    press(page, "Escape")
    thumb = menu(page, "kernel").locator("input[type=range]").first
    thumb.focus()
    for key in ("ArrowRight", "ArrowLeft"):
        press(page, key)
        expect(thumb).to_be_focused()
    assert (link(page)["data"], link(page)["kernel"]) == (there["data"], there["kernel"])
    assert complaints(page) == []
