"""The projector on the film: controls stay in view, and it goes without a trace (pages: test_pages.py)."""

from __future__ import annotations

import pytest

from .drive import menu, next_run, visit

pytestmark = pytest.mark.browser

_SIZES = """() => [...document.querySelectorAll('.st-key-film .js-plotly-plot text')]
  .map(text => parseFloat(getComputedStyle(text).fontSize)).sort()"""
#: How far the film's controls stand from the edge of the window.
_BELOW = """() => Math.min(...['.slider-container', '.updatemenu-container']
  .map(part => innerHeight - document.querySelector(`.st-key-film ${part}`).getBoundingClientRect().bottom))"""


def switch(page) -> None:
    """Click the switch in the line's last menu."""
    box = menu(page, "more")
    with next_run(page):
        box.get_by_text("Projector").click()
    page.keyboard.press("Escape")


def test_the_film_fits_the_window_and_its_letters_return(new_page, app_server, keep_picture):
    page = new_page()
    visit(page, app_server.url, "Overview", data="banana", **{"g.n": "60"})
    with next_run(page):
        page.get_by_text("Film", exact=True).click()
    usual = page.evaluate(_SIZES)
    assert page.evaluate(_BELOW) >= 0
    switch(page)
    assert min(page.evaluate(_SIZES)) > 1.3 * usual[0]
    keep_picture(page, "film-projector")
    assert page.evaluate(_BELOW) >= 0
    switch(page)
    assert page.evaluate(_SIZES) == usual
