"""Two promoters chosen in a real browser, their common words read, p dragged; a press in the map."""

from __future__ import annotations

from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError

from .drive import choose, settle, slider, visit

pytestmark = pytest.mark.browser

#: The bars of the first figure: label by label, their lengths.
_BARS = """() => {
  const plot = [...document.querySelectorAll('.js-plotly-plot')].find(p => p.data && p.data[0].orientation === 'h');
  const axis = plot.layout.yaxis, x = [...plot._fullData[0].x];
  return Object.fromEntries(x.map((v, i) => [axis.ticktext[i], v]));
}"""


def test_words_of_two_promoters_and_their_shares(app_server, new_page):
    page = new_page()
    link = {"data": "promoters", "kernel": "Power(Spectrum(length=3), p=1.0)"}
    visit(page, app_server.url, "Why alike", **link)
    page.wait_for_function(f"() => {{ try {{ return ({_BARS})(); }} catch {{ return false; }} }}")
    choose(page, "Second row", "25 ·")
    settle(page)
    words = page.evaluate(_BARS)
    assert all(label.startswith("‘") for label in words if "more" not in label)
    slider(page, "p").press("PageDown")
    page.wait_for_function(
        f"before => {{ const now = ({_BARS})();"
        " return Object.keys(before).every(w => !(w in now) || now[w] < before[w]); }",
        arg=words,
    )


def test_a_press_in_the_map_chooses_a_row(app_server, new_page):
    page = new_page()
    visit(page, app_server.url, "Why alike", data="promoters")
    plot = page.get_by_test_id("stPlotlyChart").last
    point = plot.locator(".scatterlayer .point").nth(10)
    point.wait_for()
    second = page.get_by_role("combobox", name="Second row", exact=True)
    before = second.input_value()
    taken = (
        "before => [...document.querySelectorAll('input[role=combobox]')].some("
        "e => e.getAttribute('aria-label')?.includes('First row') && e.value === before)"
    )
    for _ in range(4):  # a figure that is drawn anew under the pointer hears nothing of a press
        box = point.bounding_box()
        page.mouse.move(box["x"] - 20, box["y"] - 20)
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=8)
        plot.locator(".hovertext").first.wait_for()
        page.mouse.down()
        page.mouse.up()
        with suppress(TimeoutError):
            page.wait_for_function(taken, arg=before, timeout=20_000)
            break
    else:
        raise AssertionError("no press in the map was heard")
    assert second.input_value() != before
