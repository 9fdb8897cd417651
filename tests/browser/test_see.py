"""The page See in a real browser: frames follow the finger, the exact picture follows, undo goes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kernlib import Empirical, Power, Subsequence

from .drive import (
    click,
    heat,
    link,
    menu,
    next_run,
    press_point,
    slider,
    still_pictures,
    visit,
    visit_at_rest,
    wait_for_link,
    wait_for_run,
)

pytestmark = pytest.mark.browser


def tamed(p: float, decay: float = 0.25) -> str:
    """Return the kernel that is proposed for Markov strings, at another power, as the address has it."""
    return repr(Empirical(Power(Subsequence(order=3, decay=decay), p=p)))


def press_quickly(page, thumb, key: str, times: int) -> None:
    thumb.focus()
    for _ in range(times):
        page.keyboard.press(key)


def dragged(page, url: str, title: str, data: str, *shares: float) -> int:
    """Open a page, and drag its slider to some shares of its way: the frames change, without the server.

    Returns the number of figures that have frames.
    """
    sent = visit_at_rest(page, url, title, data=data)
    thumb, seen = page.locator(THUMB), []
    box, last = thumb.bounding_box(), int(thumb.get_attribute("max"))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    near = "place => Math.abs(document.documentElement.dataset.frame - place) < 2"
    for share in shares:
        page.mouse.move(box["x"] + share * box["width"] + 2, box["y"] + box["height"] / 2)
        page.wait_for_function(near, arg=share * last)
        seen.append(page.evaluate(FRAMES))
    assert all(one != other for one, other in zip(*seen, strict=True))
    assert not sent, "the frames are in the browser"
    return len(seen[0])


#: The thumb of the parameter in hand: its component has a tree of its own.
THUMB = ".st-key-hand-slider input[type=range]"
#: The frames that are drawn over the figures, each by a digest of its pixels.
#: What a frame says in place of the figures' own words, and these: sentence, colour bar, titles of the map's axes.
FRAMED = [".st-key-sentence .kernlib-frame > span", "[data-kind=matrix] > span", "[data-kind=axes] > [style*=rotate]"]
RESTING = [".st-key-sentence", "[class*=fill-controls-see] .colorbar text", "[class*=see-map] :is(.xtitle, .ytitle)"]
#: The middle of the ring on the curve, as a frame draws it and as the figure has it, in pixels.
RING = """() => {
  const canvas = document.querySelector('.kernlib-frame[data-kind=mark] > canvas');
  const {data, width, height} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const drawn = [...Array(width * height).keys()].filter(i => data[4 * i + 3] > 100);
  const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
  const {left, top} = canvas.getBoundingClientRect();
  const old = getComputedStyle([...document.querySelectorAll('[class*=see-curve] .trace')].at(-1)).visibility;
  return [left + mean(drawn.map(i => i % width)), top + mean(drawn.map(i => Math.floor(i / width))), old];
}"""
RESTED = """() => {
  const ring = [...document.querySelectorAll('[class*=see-curve] .js-plotly-plot .trace path')].at(-1);
  const {x, y, width, height} = ring.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""
FRAMES = """() => [...document.querySelectorAll('.kernlib-frame > canvas:first-child')].map(canvas => {
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let hash = 0;
  for (let i = 0; i < data.length; i += 97) hash = (hash * 31 + data[i]) | 0;
  return hash;
})"""


def test_one_slider_and_one_press_move_all_pictures_and_the_sentence(new_page, app_server):
    page = new_page()
    page.add_init_script("delete window.requestIdleCallback; delete window.cancelIdleCallback;")  # as in Safari
    visit(page, app_server.url, "See", data="markov-strings")
    main = page.get_by_test_id("stMain")
    expect(main.get_by_test_id("stPlotlyChart")).to_have_count(3)
    for chart in main.get_by_test_id("stPlotlyChart").all():
        box = chart.bounding_box()
        assert box["y"] + box["height"] <= 900, "all stand above the fold"
    sentence = main.get_by_test_id("stHeading").first
    words, before = sentence.inner_text(), heat(page)
    assert "similar to itself" in words
    thumb = page.locator(THUMB)
    with still_pictures(page), next_run(page):
        thumb.press("ArrowRight")
    assert link(page)["kernel"] == tamed(0.55)
    after = heat(page, before)
    assert sentence.inner_text() != words
    expect(page.locator(".st-key-line-of-kernel")).to_contain_text("0.55")
    click(main.get_by_role("button", name="Undo"))
    assert link(page)["kernel"] == tamed(0.5)
    assert heat(page, after) == before
    click(main.get_by_role("button", name="Redo"))
    assert link(page)["kernel"] == tamed(0.55)
    # No quick click is lost, neither here nor, right after, in the menu.
    press_quickly(page, thumb, "ArrowRight", 7)
    decay = slider(menu(page, "kernel"), "decay")
    for key, kernel in (("ArrowRight", tamed(0.9, decay=0.5)), ("ArrowLeft", tamed(0.9))):
        press_quickly(page, decay, key, 5)
        wait_for_link(page, "kernel", kernel)
    page.keyboard.press("Escape")
    # A point of the curve is clicked.
    wait_for_run(page)
    expect(page.locator("[class*=st-key-see-curve] .scatterlayer path.point")).to_have_count(2 * 19 + 1)
    press_point(page, "[class*=st-key-see-curve]", 4)
    assert link(page)["kernel"] == tamed(0.3)
    expect(thumb).to_have_attribute("aria-valuetext", "0.3")


def test_frames_follow_the_finger_without_the_server_and_give_way_to_the_exact_picture(new_page, app_server):
    page = new_page()
    assert dragged(page, app_server.url, "See", "markov-strings", 0.7, 0.9) == 3, "matrix, map and error"
    ring = page.evaluate(RING)
    assert ring[2] == "hidden", "the ring of the last value is hidden"
    # SVG has no line breaks in its text.
    words = [[text.replace("\n", "") for text in page.locator(part).all_text_contents()] for part in FRAMED]
    assert all(new != page.locator(at_rest).all_text_contents() for new, at_rest in zip(words, RESTING, strict=True))
    old = page.locator(".st-key-sentence > :not(.kernlib-frame) :is(h3, p)")
    assert [line.is_visible() for line in old.all()] == [False, False], "the last value's"
    before = heat(page)
    with next_run(page):
        page.mouse.up()
    assert link(page)["kernel"] == tamed(float(page.locator(THUMB).get_attribute("aria-valuetext")))
    heat(page, before)
    expect(page.locator(".kernlib-frame")).to_have_count(0)
    assert [page.locator(part).all_text_contents() for part in RESTING] == words, "what the frame said"
    assert [line.is_visible() for line in old.all()] == [True, True]
    assert page.evaluate(RESTED) == pytest.approx(ring[:2], abs=1.5)


def test_the_labels_sharpen_in_the_browser_while_d_is_dragged(new_page, app_server):
    page = new_page()
    shown = dragged(page, app_server.url, "Spectrum", "banana-like", 0.3, 0.0)
    assert shown == 2, "coefficients and rebuilt labels"
    with next_run(page):
        page.mouse.up()
    assert link(page)["spectrum.d"] == page.locator(THUMB).get_attribute("aria-valuetext") == "1"
    expect(page.locator(".kernlib-frame")).to_have_count(0)
