"""Several people at once, and one who reloads: runs belong to sessions, results to everybody."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .drive import button, choose, heat, settle, slider, unfold, visit, wait_for_other_heat

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


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


def test_a_third_person_browses_while_two_sweep(new_page, app_server):
    first, second, third = new_page(), new_page(), new_page()
    start_a_long_run(first, app_server.url, "1200")
    start_a_long_run(second, app_server.url, "1190")
    visit(third, app_server.url, data="banana")
    before = heat(third)
    slider(third, "sigma").focus()
    third.keyboard.press("ArrowRight")
    assert wait_for_other_heat(third, before) != before
    # One session's stop is no other's.
    button(first, "Stop").click()
    expect(first.get_by_text("Stopped after")).to_be_visible()
    expect(second.get_by_text("Stopped after")).to_have_count(0)
    button(second, "Stop").click()
    expect(second.get_by_text("Stopped after")).to_be_visible()


def test_a_reload_loses_no_finished_run(new_page, app_server):
    page = new_page()
    visit(page, app_server.url, "Error curves", data="markov-strings", **{"g.seed": "7"})
    button(page, "Run").click()
    expect(page.get_by_text("Best:")).to_be_visible()
    told = page.get_by_text("Best:").inner_text()
    page.reload()
    settle(page)
    # The same controls find the same numbers, without another fit.
    expect(page.get_by_text("Best:")).to_be_visible()
    assert page.get_by_text("Best:").inner_text() == told
