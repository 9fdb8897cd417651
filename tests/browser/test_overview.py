"""The overview and its film in a real browser: frames move without the server, a frame comes back, undo goes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kernlib import Empirical, Power, Subsequence

from .drive import heat, settle, slider, visit, wait_for_link, wait_for_other_heat

pytestmark = pytest.mark.browser

FILM = ".st-key-film .js-plotly-plot"
#: What the film shows: its frame, a digest of the matrix, one point of the feature map, the ring of the what-if curve.
SHOWN = """() => {
  const plot = document.querySelector('.st-key-film .js-plotly-plot');
  const traces = plot._fullData, z = traces[0].z;
  let sum = 0;
  for (const row of z) for (const v of row) sum = (sum * 31 + v) | 0;
  const ring = traces[traces.length - 1];
  return {frame: plot.layout.sliders[0].active, matrix: sum, point: Array.from(traces[1].x)[0],
          bar: Array.from(traces.find(t => t.type === 'bar').y)[0], ring: Array.from(ring.x)[0],
          title: plot.layout.title.text};
}"""


def tamed(p: float) -> str:
    """What the address says of the kernel that Markov strings open with, at another power."""
    return repr(Empirical(Power(Subsequence(order=3, decay=0.25), p=p)))


def other_frame(page, before, *parts: str):
    """What is shown once the frame, and these parts with it, are others."""
    page.wait_for_function(
        f"([before, parts]) => {{ const now = ({SHOWN})(); return parts.every(p => now[p] !== before[p]); }}",
        arg=[before, ["frame", *parts]],
    )
    return page.evaluate(SHOWN)


def press_quickly(page, thumb, key: str, times: int) -> None:
    thumb.focus()
    for _ in range(times):
        page.keyboard.press(key)
        page.wait_for_timeout(70)


def quiet(page, sent: list[int]) -> int:
    """How much was sent once nothing more is for a second."""
    known = -1
    while known < len(sent):
        known = len(sent)
        page.wait_for_timeout(1000)
    return known


def test_one_slider_and_one_press_move_all_four_pictures_and_the_sentence(new_page, app_server):
    page = new_page()
    visit(page, app_server.url, "Overview", data="markov-strings")
    main = page.get_by_test_id("stMain")
    expect(main.get_by_test_id("stPlotlyChart")).to_have_count(4)
    for chart in main.get_by_test_id("stPlotlyChart").all():
        box = chart.bounding_box()
        assert box["y"] + box["height"] <= 900, "all four stand above the fold"
    sentence = main.get_by_test_id("stHeading").first
    said, before = sentence.inner_text(), heat(page)
    assert "directions carry the labels" in said
    thumb = main.locator("input[type=range][aria-label*='p']").first
    thumb.focus()
    page.keyboard.press("ArrowRight")
    wait_for_link(page, "kernel", tamed(0.55))
    after = wait_for_other_heat(page, before)
    expect(sentence).not_to_have_text(said)
    # The sidebar's slider of the same number has moved with it.
    expect(page.get_by_test_id("stSidebar").get_by_text("0.55").first).to_be_visible()
    settle(page)
    page.get_by_test_id("stSidebar").get_by_role("button", name="Undo").click()
    wait_for_link(page, "kernel", tamed(0.5))
    assert wait_for_other_heat(page, after) == before
    settle(page)
    page.get_by_test_id("stSidebar").get_by_role("button", name="Redo").click()
    wait_for_link(page, "kernel", tamed(0.55))
    settle(page)
    # No quick press is lost, neither here nor, right after, beside the pictures.
    press_quickly(page, thumb, "ArrowRight", 7)
    wait_for_link(page, "kernel", tamed(0.9))
    press_quickly(page, page.get_by_test_id("stSidebar").locator("input[type=range][aria-label=p]"), "ArrowLeft", 7)
    wait_for_link(page, "kernel", tamed(0.55))
    expect(thumb).to_have_attribute("aria-valuetext", "0.55")
    settle(page)
    # A point of the what-if curve is pressed.
    points = page.locator(".st-key-overview-what-if .scatterlayer path.point")
    expect(points).to_have_count(2 * 19 + 2)
    box = points.nth(4).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_for_link(page, "kernel", tamed(0.3))
    assert slider(page, "p").count() == 1


def test_the_film_moves_without_the_server_and_a_frame_is_taken_over(new_page, app_server):
    page = new_page()
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(len(data))))
    visit(page, app_server.url, "Overview", data="markov-strings")
    page.get_by_role("radio", name="Film").click()
    page.wait_for_selector(FILM)
    settle(page)
    known = quiet(page, sent)
    first = page.evaluate(SHOWN)
    # Dragged, stepped with keys, and played: figures change, and not a word goes to the server.
    rail = page.locator(f"{FILM} .slider-rail-touch-rect").bounding_box()
    page.mouse.click(rail["x"] + 0.9 * rail["width"], rail["y"] + rail["height"] / 2)
    dragged = other_frame(page, first, "matrix", "point", "bar", "ring", "title")
    page.keyboard.press("ArrowLeft")
    stepped = other_frame(page, dragged)
    assert stepped["frame"] == dragged["frame"] - 1
    page.keyboard.press("Home")
    assert other_frame(page, stepped)["frame"] == 0
    page.keyboard.press("p")
    page.wait_for_function(f"() => ({SHOWN})().frame >= 2")
    page.keyboard.press("s")
    assert quiet(page, sent) == known, "the film is in the browser"
    page.keyboard.press("End")
    page.wait_for_function(f"() => ({SHOWN})().frame === 18")
    page.get_by_role("button", name="Use this frame").click()
    wait_for_link(page, "kernel", tamed(1.0))
    settle(page)
    page.get_by_test_id("stSidebar").get_by_role("button", name="Undo").click()
    wait_for_link(page, "kernel", tamed(0.5))
