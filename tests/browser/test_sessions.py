"""Several people at once: runs belong to sessions, are stopped and go on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .drive import button, choose, heat, settle, slider, unfold, visit, wait_for_other_heat

pytestmark = pytest.mark.browser


def start_a_long_run(page, url: str, rows: str) -> None:
    """A run that is still going on when the test has done the rest."""
    visit(page, url, "Error curves", data="digits-3-8", **{"g.n": rows})
    unfold(page, "protocol")
    choose(page, "How rows are split", "by hand")
    repeats = slider(page, "repeats")
    repeats.focus()
    page.keyboard.press("End")
    expect(page.get_by_text("100 stratified").first).to_be_visible()
    settle(page)
    button(page, "Run").click()
    expect(button(page, "Stop")).to_be_enabled()


#: How many measured points are drawn; the quick look before them is another figure.
_POINTS = "() => document.querySelectorAll('.st-key-curves-chart .scatterlayer path.point').length"


def came(page) -> int:
    """How many fits a run that was stopped has done."""
    stopped = page.get_by_text("Stopped after")
    expect(stopped).to_be_visible()
    expect(button(page, "Stop")).to_be_disabled()
    settle(page)
    return int(stopped.inner_text().split("after")[1].split("of")[0])


def test_a_third_person_browses_while_two_sweep_stop_and_go_on(new_page, app_server):
    first, second, third = new_page(), new_page(), new_page()
    start_a_long_run(first, app_server.url, "1200")
    start_a_long_run(second, app_server.url, "1190")
    visit(third, app_server.url, data="banana")
    before = heat(third)
    slider(third, "sigma").focus()
    third.keyboard.press("ArrowRight")
    assert wait_for_other_heat(third, before) != before
    # One session's stop is no other's.
    first.wait_for_function(f"() => ({_POINTS})() >= 3")
    button(first, "Stop").click()
    points = came(first)
    assert points >= 3
    expect(second.get_by_text("Stopped after")).to_have_count(0)
    button(second, "Stop").click()
    came(second)
    # What was stopped goes on from there.
    button(first, "Go on").click()
    expect(first.get_by_role("progressbar").or_(first.get_by_test_id("stProgress")).first).to_be_visible()
    button(first, "Stop").click()
    assert came(first) >= points, "nothing that was computed is lost"
