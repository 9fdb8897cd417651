"""Switch the data set again and again in a real browser, also inside runs, and check where each series ends.

Run by hand: `python -m tests.browser.switches URL SERIES`. A series has one to four switches with pauses of 0 to 2 s.
After it the address, the sidebar and the page show the last data set under its proposed kernel, and no error.
"""

from __future__ import annotations

import sys
from random import Random
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Page, TimeoutError, sync_playwright

from kernlib import normal_form
from kernlib.data import CATALOGUE
from kernlib.experiments import proposals
from pages.parts.session.value import first_choice

from .conftest import FLAGS
from .drive import choose

NAMES = ("banana", "iris", "promoters", "karate", "monks-1", "markov-strings", "digits-3-8", "heart-mixed", "mutag")


def proposed(name: str) -> str:
    """Return the proposed kernel of a data set as the address has it."""
    rows = first_choice(name).load()
    return repr(normal_form(proposals.prepared(proposals.presets_for(rows)[0].kernel, rows)))


_SHOWN = """([data, kernel]) => {
  const query = new URLSearchParams(location.search);
  return query.get('data') === data && query.get('kernel') === kernel;
}"""


def ends_at(page: Page, name: str, kernel: str) -> str:
    """Wait for the address; return what is wrong, or nothing."""
    try:
        page.wait_for_function(_SHOWN, arg=[name, kernel])
        page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    except TimeoutError:
        return f"address {parse_qs(urlparse(page.url).query)}"
    errors = [*page.get_by_test_id("stAlertContentError").all(), *page.get_by_test_id("stException").all()]
    box = page.get_by_test_id("stSidebar").get_by_role("combobox", name="Data", exact=True).first
    shown = box.input_value() or box.inner_text()
    words = [error.inner_text() for error in errors]
    return "; ".join(words if shown == CATALOGUE[name].title[:60] else [f"the menu has {shown}", *words])


def main(url: str, series: int) -> None:
    """Run the series and print what is wrong."""
    kernels, random, count, wrong = {name: proposed(name) for name in NAMES}, Random(series), 0, []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(90_000)
        page.goto(f"{url}/{random.choice(('gram', '', 'depth'))}?data=banana")
        page.wait_for_selector('[data-testid="stSidebar"]')
        last = "banana"
        for number in range(series):
            for _ in range(random.randint(1, 4)):
                last = random.choice([name for name in NAMES if name != last])
                choose(page, "Data", CATALOGUE[last].title[:60])
                count += 1
                page.wait_for_timeout(random.choice((0, 0, 100, 400, 1000, 2000)))
            found = ends_at(page, last, kernels[last])
            if found:
                wrong.append((number, last, found))
            print(f"{number + 1} series, {count} switches, {len(wrong)} wrong {found}", flush=True)
        browser.close()
    print(wrong)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
