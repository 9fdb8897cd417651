"""Runs in a real browser: a curve outlives a reload; runs belong to sessions, are stopped and go on."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import TimeoutError, expect

from .drive import (
    PAGES,
    button,
    complaints,
    heat,
    press,
    state_of,
    still_pictures,
    turn_to,
    visit,
    wait_for_run,
)
from .line import Line

pytestmark = pytest.mark.browser

#: Number of measured points in the figure; the quick look before them is another figure.
_POINTS = "() => document.querySelectorAll('.st-key-panel-value-error-curve .scatterlayer path.point').length"
#: Number of results that a run has computed, as its progress says: all values have a point after the first splits.
_COMPUTED = """() => {
  const words = document.querySelector('[data-testid=stProgress]')?.innerText ?? '';
  return +(words.match(/^([\\d,]+) of/)?.[1] ?? '0').replaceAll(',', '');
}"""


def splits(number: int) -> dict[str, str]:
    """Return how many random splits a run has, as a link says it."""
    return {"choose.protocol": "by hand", "choose.RepeatedSplits.repeats": str(number)}


def test_an_error_curve_outlives_another_page_and_a_reload(new_page, own_server):
    page = new_page()
    visit(page, own_server.url, "Error curves", data="markov-strings", **splits(5))
    best = page.get_by_text("Take p =")
    sentence = best.inner_text()
    assert page.evaluate(_POINTS) >= 5
    expect(button(page, "Stop")).to_have_count(0)
    assert complaints(page) == []
    turn_to(page, "Depth")
    turn_to(page, "Choose")
    assert best.inner_text() == sentence
    assert page.evaluate(_POINTS) >= 5
    # A reload is a new session: the same controls have the same numbers, without another fit.
    page.reload()
    wait_for_run(page)
    assert best.inner_text() == sentence


def start_a_long_run(page, url: str, rows: int) -> None:
    """Open a link whose run starts without a click, and wait for its first points.

    Of five thousand splits: the run takes minutes on two cores, longer than any test.
    """
    page.bring_to_front()  # a tab behind another draws once a second
    link = {"data": "digits-3-8", "g.n": str(rows)} | splits(5000)
    page.goto(f"{url}/{PAGES['Error curves']}?{urlencode(link)}")
    page.wait_for_function(f"() => ({_POINTS})() >= 3")


def wait_for_more(page, computed: int) -> int:
    """Wait until the run's progress says more than `computed` results; return how many it says."""
    try:
        return page.wait_for_function(
            f"computed => {{ const now = ({_COMPUTED})(); return now > computed && now; }}", arg=computed
        ).json_value()
    except TimeoutError:
        shown = page.get_by_test_id("stMain").inner_text()
        raise AssertionError(f"no more than {computed} of the run's results: {state_of(page)}, {shown}") from None


def stop(page) -> int:
    """Stop the run; return the number of points that it has computed."""
    page.bring_to_front()
    before = state_of(page)["run"]  # words of an earlier stop may still be there
    button(page, "Stop").click()
    wait_for_run(page, before)
    stopped = page.get_by_text("Stopped after")
    expect(stopped).to_have_count(1)
    expect(button(page, "Stop")).to_have_count(0)
    return int(stopped.inner_text().split("after")[1].split("of")[0].replace(",", ""))


#: Whether the page has its connection to the server.
_CONNECTED = "document.querySelector('[data-testid=stApp]').dataset.testConnectionState === 'CONNECTED'"


def test_a_run_that_a_lost_network_cuts_off_comes_back_with_its_points(new_page, own_server):
    with Line(own_server.url) as line:
        page = new_page()
        start_a_long_run(page, line.url, 200)
        with still_pictures(page):
            wait_for_more(page, wait_for_more(page, 0))
        line.cut()
        page.wait_for_function(f"() => !({_CONNECTED})")
        computed = page.evaluate(_COMPUTED)
        line.mend()
        page.wait_for_function(f"() => {_CONNECTED}")
        wait_for_more(page, computed)
        assert stop(page) > computed
        assert complaints(page) == []
    # What Streamlit says of a tick while there is no network; nothing else.
    assert set(new_page.complaints) <= {"Cannot send rerun backMessage when disconnected from server."}
    new_page.complaints.clear()


def test_one_person_browses_while_another_s_run_and_their_own_go_on(new_page, own_server):
    first, second = new_page(), new_page()
    start_a_long_run(second, own_server.url, 220)
    link = second.get_by_test_id("stTopNavLink")
    link.filter(has_text="See").click()  # the tabs share a process: one curve that is drawn all the time fills it
    wait_for_run(second)
    before = heat(second)
    start_a_long_run(first, own_server.url, 240)
    second.bring_to_front()
    press(second.locator(".st-key-hand-slider input[type=range]"), "ArrowRight")
    assert heat(second, before) != before
    # One session's stop is no other's.
    first.bring_to_front()
    with still_pictures(first):
        more = wait_for_more(first, wait_for_more(first, 0))
    points = stop(first)
    assert points >= more
    second.bring_to_front()
    link.filter(has_text="Choose").click()
    wait_for_more(second, 0)
    expect(second.get_by_text("Stopped after")).to_have_count(0)
    stop(second)
