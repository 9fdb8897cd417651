"""The overview and its film in a real browser: frames move without the server, a frame comes back, undo goes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kernlib import Empirical, Power, Subsequence

from .drive import (
    heat,
    link,
    menu,
    next_run,
    press_point,
    slider,
    still_pictures,
    visit,
    wait_for_link,
    wait_for_other_heat,
    wait_for_run,
)

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


def tamed(p: float, decay: float = 0.25) -> str:
    """Return the kernel that is proposed for Markov strings, at another power, as the address has it."""
    return repr(Empirical(Power(Subsequence(order=3, decay=decay), p=p)))


def other_frame(page, before, *parts: str):
    """Wait until the frame and these parts have changed; return what the film shows then."""
    page.wait_for_function(
        f"([before, parts]) => {{ const now = ({SHOWN})(); return parts.every(p => now[p] !== before[p]); }}",
        arg=[before, ["frame", *parts]],
    )
    return page.evaluate(SHOWN)


def press_quickly(page, thumb, key: str, times: int) -> None:
    thumb.focus()
    for _ in range(times):
        page.keyboard.press(key)


def test_one_slider_and_one_press_move_all_four_pictures_and_the_sentence(new_page, app_server):
    page = new_page()
    page.add_init_script("delete window.requestIdleCallback; delete window.cancelIdleCallback;")  # as in Safari
    visit(page, app_server.url, "Overview", data="markov-strings")
    main = page.get_by_test_id("stMain")
    expect(main.get_by_test_id("stPlotlyChart")).to_have_count(4)
    for chart in main.get_by_test_id("stPlotlyChart").all():
        box = chart.bounding_box()
        assert box["y"] + box["height"] <= 900, "all four stand above the fold"
    sentence = main.get_by_test_id("stHeading").first
    words, before = sentence.inner_text(), heat(page)
    assert "of the labels lie within the" in words
    thumb = slider(main, "p")
    with still_pictures(page), next_run(page):
        thumb.press("ArrowRight")
    assert link(page)["kernel"] == tamed(0.55)
    after = wait_for_other_heat(page, before)
    assert sentence.inner_text() != words
    expect(page.locator(".st-key-line-of-kernel")).to_contain_text("0.55")
    with next_run(page):
        main.get_by_role("button", name="Undo").click()
    assert link(page)["kernel"] == tamed(0.5)
    assert wait_for_other_heat(page, after) == before
    with next_run(page):
        main.get_by_role("button", name="Redo").click()
    assert link(page)["kernel"] == tamed(0.55)
    # No quick click is lost, neither here nor, right after, in the menu.
    press_quickly(page, thumb, "ArrowRight", 7)
    steps = menu(page, "kernel")
    press_quickly(page, slider(steps, "decay"), "ArrowRight", 5)
    wait_for_link(page, "kernel", tamed(0.9, decay=0.5))
    press_quickly(page, slider(steps, "decay"), "ArrowLeft", 5)
    page.keyboard.press("Escape")
    press_quickly(page, thumb, "ArrowLeft", 7)
    wait_for_link(page, "kernel", tamed(0.55))
    expect(thumb).to_have_attribute("aria-valuetext", "0.55")
    # A point of the what-if curve is clicked.
    wait_for_run(page)
    expect(page.locator("[class*=st-key-overview-what-if] .scatterlayer path.point")).to_have_count(2 * 19 + 1)
    press_point(page, "[class*=st-key-overview-what-if]", 4)
    assert link(page)["kernel"] == tamed(0.3)
    assert slider(main, "p").count() == 1


def test_the_film_moves_without_the_server_and_a_frame_becomes_the_kernel(new_page, app_server):
    page = new_page()
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda data: sent.append(len(data))))
    visit(page, app_server.url, "Overview", data="markov-strings")
    with next_run(page):
        # In one turn of the browser: no new drawing comes between the mouse's going down and its coming up.
        page.get_by_role("radio", name="Film").evaluate("button => button.click()")
    last, known = wait_for_run(page), len(sent)
    first = page.evaluate(SHOWN)
    assert "p = 0.5:" in first["title"], "the film opens at the value in view"
    assert first["frame"] > 0
    # Dragged, stepped with keys, and played: figures change, and nothing is sent to the server.
    rail = page.locator(f"{FILM} .slider-rail-touch-rect")
    box = rail.bounding_box()
    rail.click(position={"x": 0.9 * box["width"], "y": box["height"] / 2})
    dragged = other_frame(page, first, "matrix", "point", "bar", "ring", "title")
    page.keyboard.press("ArrowLeft")
    stepped = other_frame(page, dragged)
    assert stepped["frame"] == dragged["frame"] - 1
    # Both keys in one turn of the browser: Plotly moves to a frame of its slider only when it paints next.
    at_home = page.evaluate(f"""() => {{ for (const key of ['Home', 'p']) {{
      document.body.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true}}));
    }} return ({SHOWN})().frame; }}""")
    assert at_home == 0
    page.wait_for_function(f"() => ({SHOWN})().frame >= 2")
    page.keyboard.press("s")
    page.keyboard.press("End")
    page.wait_for_function(f"() => ({SHOWN})().frame === 18")
    assert len(sent) == known, "the film is in the browser"
    with next_run(page):
        page.get_by_role("button", name="Use this frame").click()
    assert link(page)["kernel"] == tamed(0.1)
    assert wait_for_run(page) == last + 1, "no other run came between"
    with next_run(page):
        page.get_by_role("button", name="Undo").click()
    assert link(page)["kernel"] == tamed(0.5)
