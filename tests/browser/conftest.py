"""One Chromium for all browser tests; every test gets contexts of its own, in which no traceback may stand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# No test asserts a time: on a slow machine what is waited for comes late, and five seconds are not an answer.
WAIT = 180_000  # milliseconds
expect.set_options(timeout=WAIT)


@pytest.fixture(scope="session")
def browser(chromium):
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def keep_picture():
    """Return a function that keeps a picture of a page in the folder KERNLIB_PICTURES, where it is set."""
    folder = os.environ.get("KERNLIB_PICTURES")

    def keep(page, name: str) -> None:
        if folder:
            page.screenshot(path=Path(folder, f"{name.replace(' ', '-')}.png"))

    return keep


class Contexts:
    """Opens pages in contexts of their own and collects the errors of their consoles in `complaints`.

    A message that the browser cannot read stops all later ones, without a word on the page.
    """

    def __init__(self, browser) -> None:
        self.browser = browser
        self.complaints: list[str] = []
        self.opened: list = []

    def __call__(self, **options):
        options = {"viewport": {"width": 1440, "height": 900}} | options
        context = self.browser.new_context(**options)
        self.opened.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("console", self._listen)
        page.on("pageerror", self._fail)
        return page

    def _fail(self, error) -> None:
        # A film that is paused: Plotly rejects the promise of the animation that was replaced, without a reason.
        if str(error) != "undefined":
            self.complaints.append(f"uncaught: {error}")

    def _listen(self, message) -> None:
        # What cannot be fetched (Streamlit's own telemetry, fonts of figures) is the network's matter.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.complaints.append(message.text)


@pytest.fixture
def new_page(browser):
    """Return a function that opens a page in a fresh context; afterwards no page may show a traceback or complain."""
    contexts = Contexts(browser)
    yield contexts
    broken = [page.url for c in contexts.opened for page in c.pages if page.get_by_test_id("stException").count()]
    for context in contexts.opened:
        context.close()
    assert (broken, contexts.complaints) == ([], [])
