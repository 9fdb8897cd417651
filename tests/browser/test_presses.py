"""Clicks in a real browser: sliders, steps and data in the line; levels, cells and points of figures."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from kernlib import Diffusion, Subsequence, parse
from kernlib.data import load_dataset
from kernlib.wrappers.elementwise import ends

from .drive import (
    choose,
    click,
    complaints,
    heat,
    link,
    menu,
    next_run,
    press,
    press_point,
    resize,
    slider,
    turn_to,
    visit,
    wait_for_link,
    wait_for_run,
)

pytestmark = pytest.mark.browser

#: Where a cell of a Gram matrix is, and the numbers of its rows.
_CELL = """(plot, [row, column]) => {
  const box = plot.getBoundingClientRect(), {xaxis: x, yaxis: y} = plot._fullLayout, rows = plot.data[0].customdata;
  return [box.left + x._offset + x.l2p(column), box.top + y._offset + y.l2p(row), rows[row], rows[column]];
}"""


def test_a_slider_a_step_and_other_data_change_the_matrix(new_page, app_server):
    page = new_page()
    visit(page, app_server.url, data="banana", kernel="RBF(sigma=1.0)")
    before = heat(page)
    rows, columns = before["shape"].split(", ")
    assert int(rows) == int(columns) > 100
    menu(page, "kernel")
    # By keyboard there and back: the same matrix.
    press(slider(page, "sigma"), "ArrowRight")
    expect(slider(page, "sigma")).to_be_focused()
    assert link(page)["kernel"] == "RBF(sigma=1.2)"
    after = heat(page, before)
    press(slider(page, "sigma"), "ArrowLeft")
    assert link(page)["kernel"] == "RBF(sigma=1.0)"
    assert heat(page, after) == before
    # A step is added and removed.
    page.get_by_role("button", name="Add a step").click()
    click(page.get_by_role("menuitem", name="Power brings"))
    assert link(page)["kernel"] == "Power(RBF(sigma=1.0), p=0.5)"
    powered = heat(page, before)
    expect(page.get_by_role("menuitem")).to_have_count(0)  # the menu closes behind the click
    click(page.locator("[class*=st-key-away]").get_by_role("button"))
    assert link(page)["kernel"] == "RBF(sigma=1.0)"
    assert heat(page, powered) == before
    # Other data bring a kernel of their own.
    with next_run(page):  # the menu closes
        page.keyboard.press("Escape")
    menu(page, "data")
    with next_run(page):
        choose(page, "Data", "Markov strings")
    wait_for_link(page, "data", "markov-strings")
    heat(page, before)
    assert "RBF" not in link(page)["kernel"]
    # A cell opens its two rows.
    page.keyboard.press("Escape")
    matrix = page.locator("[class*=st-key-fill-controls-see-gram] .js-plotly-plot")
    matrix.hover()
    x, y, first, second = matrix.evaluate(_CELL, [3, 5])
    with next_run(page):
        page.mouse.click(x, y)
    assert link(page)["see.pair"] == f"{first}|{second}"
    expect(page.get_by_role("button", name="Back to the map")).to_be_visible()
    assert complaints(page) == []


def test_a_page_without_the_line_and_another_window_change_nothing(new_page, app_server):
    """After such a page Streamlit takes the line's widgets, as the browser still sends them, for changed."""
    page = new_page()
    visit(page, app_server.url, "See")
    before, wide = link(page), page.viewport_size
    for title in ("Lessons", "Data"):
        turn_to(page, title)
        resize(page, {"width": wide["width"] - 200, "height": wide["height"] - 100})
        resize(page, wide)
    after = link(page)
    assert (after["data"], after["kernel"]) == (before["data"], before["kernel"])
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


#: The thumb of the level, and whether a frame is drawn over the border.
_THUMB = ".st-key-hand-slider input[type=range]"
_OVER = "() => document.querySelectorAll('[class*=fill-controls-depth-border] > .kernlib-frame').length === 1"


def test_a_level_a_picture_and_a_cell_become_the_kernel(new_page, app_server):
    page = new_page()
    visit(page, app_server.url, "Depth", data="banana", kernel="Power(RBF(sigma=1.0), p=0.5)", **{"g.n": "60"})
    thumb = page.locator(_THUMB)
    box = thumb.bounding_box()
    page.mouse.move(box["x"] + 12, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + box["height"] / 2, steps=4)
    page.wait_for_function(_OVER)
    level = int(thumb.input_value())
    assert level > 1
    assert link(page)["kernel"] == "Power(RBF(sigma=1.0), p=0.5)", "nothing is sent while the finger moves"
    with next_run(page):
        page.mouse.up()
    assert link(page)["kernel"] == f"Deep(Power(RBF(sigma=1.0), p=0.5), level={level}, bandwidths=None)"
    press(thumb, "ArrowLeft")
    assert link(page)["kernel"] == f"Deep(Power(RBF(sigma=1.0), p=0.5), level={level - 1}, bandwidths=None)"
    press_point(page, "[class*=st-key-fill-half-depth-levels]", 2)
    wait_for_link(page, "kernel", "Deep(Power(RBF(sigma=1.0), p=0.5), level=2, bandwidths=None)")
    click(page.get_by_role("radio", name="Map"))
    wait_for_run(page)
    press_point(page, "[class*=st-key-panel-depth-map]", 0)
    page.wait_for_function("() => !location.search.includes('level%3D2')")
    assert complaints(page) == []


def test_the_response_of_a_node_kernel_is_pulled(new_page, app_server):
    """By mouse to where exp(−βλ) is a half at the largest eigenvalue, then a step by key; the slider follows."""
    page = new_page()
    visit(page, app_server.url, data="karate", kernel="Diffusion(beta=0.1)")
    menu(page, "kernel")
    curve = page.get_by_role("application", name="Response r of the eigenvalues")
    curve.scroll_into_view_if_needed()
    box = curve.bounding_box()
    ends = curve.locator("polyline").evaluate("""line => {
      const points = line.getAttribute('points').split(' ').map(p => p.split(',').map(Number));
      return [points.at(-1)[0], points[0][1], line.ownerSVGElement.viewBox.baseVal.width];
    }""")
    last, top, _ = (end * box["width"] / ends[2] for end in ends)
    bottom = float(curve.locator("line.tick").first.get_attribute("y1")) * box["width"] / ends[2]
    with next_run(page):
        page.mouse.move(box["x"] + last, box["y"] + top + 0.75 * (bottom - top))
        page.mouse.down()
        page.mouse.move(box["x"] + last, box["y"] + (top + bottom) / 2, steps=3)
        page.mouse.up()
    beta = parse(link(page)["kernel"]).beta
    largest = Diffusion().eigenvalues(load_dataset("karate").inputs)[0][-1]
    assert abs(float(np.exp(-beta * largest)) - 0.5) < 0.06
    press(curve, "ArrowUp")
    assert parse(link(page)["kernel"]).beta < beta, "the curve goes up"
    expect(curve).to_be_focused()


def test_a_curve_in_a_menu_on_a_phone_has_its_width(new_page, app_server):
    """A curve drawn in a few pixels would be stretched from them: one letter would fill it."""
    page = new_page(viewport={"width": 420, "height": 900})
    visit(page, app_server.url, data="iris", kernel="Entrywise(RBF(sigma=2.0), heights=(0.0, 0.8, 1.0))")
    menu(page, "kernel")
    curve = page.get_by_role("application", name="φ of the value")
    expect(curve).to_have_attribute("viewBox", re.compile(r"^0 0 (1[5-9]|[2-4]\d)\d "))


def test_a_function_is_drawn_over_the_values_of_the_kernel_on_logarithmic_axes(new_page, app_server):
    page = new_page()
    step = "Entrywise(Subsequence(order=3, decay=0.25), heights=(0.0, 1.0), top=0.1)"
    visit(page, app_server.url, data="markov-strings", kernel=step)
    menu(page, "kernel")
    curve = page.get_by_role("application", name="φ of the value")
    press(curve, "ArrowUp")
    drawn = parse(link(page)["kernel"])
    low, high = ends(Subsequence()(load_dataset("markov-strings").rows))
    assert (drawn.bottom, drawn.top) == pytest.approx((low, high))
    places = np.geomspace(low, high, 9) / high
    # One step up is 2 % of the axis, which has as many powers of ten as the values; the other points are the identity.
    assert drawn.heights[0] == pytest.approx(places[0] * (high / low) ** 0.02, rel=1e-3)
    assert drawn.heights[1:] == pytest.approx(places[1:], rel=1e-3)
