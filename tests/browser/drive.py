"""The app in a real browser: open a link, wait for its run to end, use widgets as a person with a keyboard does."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlencode, urlparse

from playwright.sync_api import Locator, Page, expect

import pages

SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"]'
#: In the order of the navigation: its word and the end of its address.
PAGES = {page.title: page.address for page in pages.PAGES}


def settle(page: Page) -> None:
    """Wait until the script has run to its end."""
    page.wait_for_selector('[data-testid="stHeading"]')
    page.wait_for_selector(SETTLED)


def visit(page: Page, url: str, title: str = "Gram matrix", **link: str) -> None:
    page.goto(f"{url}/{PAGES[title]}?{urlencode(link)}")
    settle(page)


def turn_to(page: Page, title: str) -> None:
    """Another page, by the navigation on top."""
    before = page.get_by_test_id("stHeading").first.inner_text()
    link = page.get_by_test_id("stTopNavLink").filter(has_text=title)
    if link.evaluate("link => link.closest('[inert]') !== null"):  # no room for it on the bar: it stands under 'more'
        page.get_by_test_id("stTopNavSection").click()
        link = page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title)
    link.click()
    expect(page.get_by_test_id("stHeading").first).not_to_have_text(before)
    settle(page)


def heat(page: Page) -> Any:
    """The values of the page's first heatmap as the browser holds them."""
    page.wait_for_function(
        "() => [...document.querySelectorAll('.js-plotly-plot')].some(p => p.data && p.data.some(t => t.z))",
    )
    return page.evaluate(_HEAT)


#: A digest of the values and not the values: a matrix of 400 × 400 need not travel. Plotly keeps an array in the
#: form in which it came, mostly as base64 of its bytes.
_HEAT = """() => {
  const plot = [...document.querySelectorAll('.js-plotly-plot')].find(p => p.data && p.data.some(t => t.z));
  const z = plot.data.find(t => t.z).z;
  const shape = z.bdata ? z.shape : `${z.length}, ${z[0].length}`;
  const text = z.bdata ?? JSON.stringify(z);
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0;
  return {shape, length: text.length, hash};
}"""


def wait_for_other_heat(page: Page, before: Any) -> Any:
    page.wait_for_function(
        f"before => {{ const f = {_HEAT}; try {{ return JSON.stringify(f()) !== JSON.stringify(before); }}"
        " catch { return false; } }",
        arg=before,
    )
    return heat(page)


def link(page: Page) -> dict[str, str]:
    """What the address says."""
    return {name: values[0] for name, values in parse_qs(urlparse(page.url).query).items()}


def wait_for_link(page: Page, name: str, value: str) -> None:
    page.wait_for_function(
        "([name, value]) => new URLSearchParams(location.search).get(name) === value",
        arg=[name, value],
    )


def slider(page: Page, label: str) -> Locator:
    """The thumb of a slider, ready for arrow keys."""
    return page.locator(f"input[type=range][aria-label*='{label}']").first


def button(page: Page, name: str) -> Locator:
    """A button of the page itself: Streamlit has a Stop of its own while a script runs."""
    return page.get_by_test_id("stMain").get_by_role("button", name=name, exact=True)


def unfold(page: Page, words: str) -> None:
    """Open an expander."""
    page.get_by_test_id("stExpander").filter(has_text=words).locator("summary").click()


def choose(page: Page, label: str, option: str) -> None:
    """Pick an entry of a select box; a long menu holds only what is in sight, so its first letters are typed."""
    box = page.get_by_role("combobox", name=label, exact=True).first
    # At the edge of the window the menu would turn over while it is typed into.
    box.evaluate("box => box.scrollIntoView({block: 'center'})")
    box.click()
    box.press_sequentially(option)
    page.get_by_role("option", name=option).first.click()


def compute_if_asked(page: Page, wanted: Locator) -> None:
    """Wait for what is computed unasked, or press for it where the machine is so slow that the page asks."""
    asked = page.get_by_test_id("stMain").get_by_role("button", name=re.compile("^Compute"))
    expect(wanted.or_(asked).first).to_be_visible()
    if not wanted.is_visible():
        asked.first.click()
    expect(wanted).to_be_visible()


def run_if_slow(page: Page) -> None:
    """Press Run where the page says that the curve would take too long to begin by itself."""
    words = page.get_by_text(re.compile(r"fits?, (less than|about) "))
    told = re.search(r"about ([\d.e+]+) (s|min|h)", words.first.inner_text())
    if told and (told[2] != "s" or float(told[1]) >= 1.9):
        button(page, "Run").click()
