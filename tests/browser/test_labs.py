"""Labs in a real browser: opened from the shelf, the slider moved by a key, sentence and pictures."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pages.views.labs.contents import LABS

from .drive import button, complaints, press, visit

pytestmark = pytest.mark.browser

#: Labs with different pictures; `tests/pages/test_labs.py` opens every lab.
_OPENED = ("phi", "theorem", "pixels", "h")
#: The thumb of a lab's slider: its component has a tree of its own.
_THUMB = "[class*=st-key-labs-slider] input[type=range]"


def test_a_lab_opens_from_the_shelf_and_its_slider_moves_by_a_key(new_page, app_server, keep_picture):
    page = new_page()
    visit(page, app_server.url, "Labs")
    for lab in map(LABS.__getitem__, _OPENED):
        press(page.locator(f".st-key-labs-open-{lab.name} button:visible").first, "Enter")
        main = page.get_by_test_id("stMain")
        expect(main.get_by_text(lab.question)).to_be_visible()
        assert main.get_by_test_id("stHeading").first.inner_text().strip(), lab.name
        assert main.get_by_test_id("stPlotlyChart").count() or main.locator("svg[role=application]").count(), lab.name
        thumb = page.locator(_THUMB).first
        if thumb.count():
            before = thumb.input_value()
            press(thumb, "ArrowLeft" if before == thumb.get_attribute("max") else "ArrowRight")
            assert page.locator(_THUMB).first.input_value() != before, lab.name
        assert complaints(page) == [], lab.name
        keep_picture(page, f"lab-{lab.name}")
        press(button(page, "All labs"), "Enter")
