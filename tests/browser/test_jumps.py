"""What a jump to another page shows stays under the next clicks, and a slider keeps its place and focus meanwhile."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page

from kernlib.data import CATALOGUE

from .drive import button, choose, complaints, link, menu, next_run, turn_to, visit

pytestmark = pytest.mark.browser


def _from_a_paper(page: Page) -> Locator:
    turn_to(page, "Papers")
    row = page.get_by_role("combobox", name="Run a row again, or open it", exact=True).first
    if row.input_value() != "p = 0.6":
        with next_run(page):
            choose(page, "Run a row again, or open it", "p = 0.6")
    return button(page, "Choose").first


def _from_a_card(page: Page) -> Locator:
    turn_to(page, "Kernels")
    card = page.get_by_test_id("stExpander").filter(has_text="RBF ·").first
    with next_run(page):
        card.locator("summary").click()
    return card.get_by_role("button", name="Iris")


def _menu_closed(page: Page) -> None:
    with next_run(page):
        page.keyboard.press("Escape")


def test_what_a_jump_shows_stays_and_a_slider_keeps_the_focus(new_page, app_server):
    page = new_page()
    visit(page, app_server.url, data="banana")
    for data, jump in (("markov-strings", _from_a_paper), ("iris", _from_a_card)):
        to_click = jump(page)
        to_click.evaluate("button => button.scrollIntoView({block: 'center'})")
        menu(page, "data")
        with next_run(page):
            to_click.dispatch_event("click")  # as assistive technology does it: no pointer closes the menu before
        there = link(page)
        assert there["data"] == data
        box = menu(page, "data").get_by_role("combobox", name="Data", exact=True)
        assert (box.input_value() or box.inner_text()) == CATALOGUE[data].title
        _menu_closed(page)
        thumb = menu(page, "kernel").locator("input[type=range]").first
        thumb.focus()
        for key in ("ArrowRight", "ArrowLeft"):
            with next_run(page):
                page.keyboard.press(key)
            assert thumb.evaluate("thumb => thumb === document.activeElement")
        assert (link(page)["data"], link(page)["kernel"]) == (there["data"], there["kernel"])
        assert complaints(page) == []
        _menu_closed(page)
