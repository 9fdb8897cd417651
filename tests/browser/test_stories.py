"""Lessons answered by mouse, keyboard and finger; a class on a telephone; a lesson without a server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .drive import button, click, link, next_run, press, visit

pytestmark = pytest.mark.browser


#: By how much a figure is higher than its place.
_CUT = """() => {
  const place = document.querySelector('[data-testid=stElementContainer]:has(.stPlotlyChart)');
  return place.scrollHeight - place.clientHeight;
}"""


def lesson(page, url: str, name: str, step: int) -> None:
    visit(page, url, "Lessons", **{"stories.lesson": name, "stories.step": str(step)})


def expect_answer(page, words) -> None:
    """Wait for the sentence; the one before it may stand beside it until the run has ended."""
    expect(page.get_by_test_id("stAlert").filter(has_text=words)).to_have_count(1)


def test_a_curve_is_drawn_by_mouse_and_the_answer_lies_over_it(new_page, app_server):
    page = new_page()
    lesson(page, app_server.url, "02-a-diagonal-that-memorises", 3)
    press(page, "ArrowRight")
    box = page.locator("svg[role=application]").bounding_box()
    with next_run(page):
        page.mouse.move(box["x"] + 0.15 * box["width"], box["y"] + 0.2 * box["height"])
        page.mouse.down()
        page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.6 * box["height"], steps=4)
        page.mouse.move(box["x"] + 0.97 * box["width"], box["y"] + 0.3 * box["height"], steps=4)
        page.mouse.up()
    assert page.locator("svg[role=application] .dot").count() >= 9, "a quick stroke skips no place"
    click(button(page, "Show the answer"))
    expect_answer(page, "On average your curve is")
    names = page.evaluate("document.querySelector('.js-plotly-plot').data.map(trace => trace.name)")
    assert names == ["your guess", "measured"]


def test_rows_and_an_order_are_answered_by_keys_alone(new_page, app_server):
    page = new_page()
    lesson(page, app_server.url, "05-support-vectors", 0)
    page.locator("svg[role=application]").focus()
    page.keyboard.press("ArrowRight")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
        press(page, "Enter")
    chosen = page.locator("svg[role=application] .chosen").count()
    assert chosen in (1, 3), "three rows, or one row three times at the edge"
    press(button(page, "Show the answer"), "Enter")
    expect_answer(page, "of your")
    lesson(page, app_server.url, "03-how-deep", 0)
    press(button(page, "Show the answer"), "Enter")
    expect_answer(page, "You have not answered yet")
    press(button(page, "Back"), "Enter")
    press(page.get_by_role("button", name="Keep this order"), "Enter")
    expect(page.get_by_role("button", name="Keep this order")).to_have_count(0)
    first = page.locator("ol li span").first.inner_text()
    page.locator("ol li button.down").first.focus()
    press(page, "Enter")
    assert page.locator("ol li span").nth(1).inner_text() == first
    press(button(page, "Show the answer"), "Enter")
    expect_answer(page, re.compile("in the right order|in its place"))
    lesson(page, app_server.url, "05-support-vectors", 6)
    below = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight - main.clientHeight")
    assert below == 0, "a lesson's step fits the window, the longest caption included"


# One more point and the press of the button, so close together that one run has both.
_DRAW_AND_SEND = """surface => {
  const box = surface.getBoundingClientRect(), at = share => box.left + share * box.width;
  surface.setPointerCapture = () => {};
  for (const share of [0.35, 0.7]) for (const type of ['pointerdown', 'pointerup']) {
    surface.dispatchEvent(new PointerEvent(type, {clientX: at(share), clientY: box.top + box.height / 2}));
  }
  [...document.querySelectorAll('button')].find(button => button.innerText.includes('Send my answer')).click();
}"""


def test_a_phone_answers_a_class_by_finger_and_nothing_scrolls_sideways(new_page, app_server):
    teacher = new_page()
    opened = {"stories.lesson": "02-a-diagonal-that-memorises", "stories.step": "4", "all.projector": "True"}
    visit(teacher, app_server.url, "Lessons", **opened)
    button(teacher, "Ask the class").click()
    code = teacher.get_by_role("heading", level=1)
    expect(code).to_have_text(re.compile("[A-Z]{4}"))
    box = button(teacher, "Reveal").bounding_box()
    assert box["y"] + box["height"] <= 900, "above the fold in the projector"
    phone = new_page(viewport={"width": 420, "height": 900}, has_touch=True)
    phone.goto(f"{app_server.url}/stories?stories.class={code.inner_text()}")
    surface = phone.locator("svg[role=application]")
    expect(surface).to_be_visible()
    assert phone.get_by_test_id("stTopNavLink").count() == 0
    for across, down in ((0.2, 0.3), (0.5, 0.7), (0.9, 0.4)):
        box = surface.bounding_box()
        phone.touchscreen.tap(box["x"] + across * box["width"], box["y"] + down * box["height"])
    expect(phone.locator("svg[role=application] .dot")).to_have_count(3)
    expect(button(phone, "Send my answer")).to_be_enabled()
    surface.evaluate(_DRAW_AND_SEND)
    expect(teacher.get_by_text("1 of 1 answered")).to_be_visible()
    phone.reload()
    expect(phone.get_by_text("Sent.")).to_be_visible()
    expect(phone.locator("svg[role=application] .dot")).to_have_count(5)
    was = code.inner_text()
    teacher.reload()
    expect(code).to_have_text(was)
    expect(teacher.get_by_text("1 of 1 answered")).to_be_visible()
    button(teacher, "Reveal").click()
    expect_answer(phone, "On average your curve is")
    expect(phone.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    assert phone.evaluate(_CUT) <= 0
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_lesson_works_as_a_file_without_a_network(new_page, app_server, tmp_path):
    page = new_page()
    lesson(page, app_server.url, "04-how-many-directions", 0)
    with page.expect_download() as download:
        button(page, "Lesson as one file").click()
    file = tmp_path / "lesson.html"
    download.value.save_as(file)
    page.context.set_offline(True)
    page.goto(file.as_uri())
    page.get_by_role("slider").first.fill("12")
    page.get_by_role("button", name="Show the answer").first.click()
    expect(page.get_by_text("The answer is 9 directions.")).to_be_visible()
    names = page.evaluate("[...document.querySelectorAll('.answer .plot')][0].data.length")
    assert names == 2, "the measured value and the guess"


def test_no_step_scrolls_sideways_on_a_telephone(new_page, app_server, keep_picture):
    page = new_page(viewport={"width": 420, "height": 900})
    lesson(page, app_server.url, "05-support-vectors", 0)
    for step in range(7):
        if step:
            press(page, "ArrowRight")
            assert link(page)["stories.step"] == str(step)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), step
        keep_picture(page, f"lesson-{step}-420")
