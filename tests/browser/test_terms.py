"""A term's meaning shows under the pointer, at the keyboard's focus and on a tap."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kernlib.values.words import GLOSSARY

from .drive import menu, visit

pytestmark = pytest.mark.browser

MEANING = next(term.meaning for term in GLOSSARY if term.name == "relevant dimension")


def test_a_meaning_shows_by_mouse_and_by_keyboard(new_page, app_server):
    page = new_page()
    visit(page, app_server.url, "Spectrum", data="banana")
    term, note = page.locator("a[href='#term-relevant-dimension']"), page.get_by_role("tooltip")
    expect(term).to_have_count(1)
    expect(page.locator("#kernlib-meaning")).to_be_attached()
    term.hover()
    expect(note).to_contain_text(MEANING)
    page.get_by_test_id("stHeading").first.hover()
    expect(note).to_be_hidden()
    term.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(note).to_contain_text(MEANING)
    expect(term).to_have_attribute("aria-describedby", note.get_attribute("id"))
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    assert "#" not in page.url


def test_on_a_narrow_screen_a_tap_shows_a_meaning(new_page, app_server):
    page = new_page(viewport={"width": 420, "height": 900}, has_touch=True)
    visit(page, app_server.url, "Spectrum", data="banana")
    expect(page.locator("#kernlib-meaning")).to_be_attached()  # the page's script is there
    page.locator("a[href='#term-relevant-dimension']").tap()
    note = page.get_by_role("tooltip")
    expect(note).to_contain_text(MEANING)
    box = note.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 420
    page.get_by_test_id("stHeading").first.tap()
    expect(note).to_be_hidden()
    assert "#" not in page.url
    menu(page, "data")
    expect(page.get_by_test_id("stFileUploader").first).to_be_visible()
