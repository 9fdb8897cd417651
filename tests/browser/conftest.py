"""One Chromium for all browser tests; every test gets pages of its own, in which no traceback may stand."""

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
    # Tabs of one browser share a process, which has compiled the app's scripts: a page opens in half the time.
    "--process-per-site",
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


@pytest.fixture(scope="session")
def known(browser):
    """The context of a browser that knows the app's scripts: to load and compile them takes 2.6 s of CPU.

    An empty tab of the servers' site, whatever their ports, keeps its process while no test has a tab open.
    """
    context = browser.new_context()
    keeper = context.new_page()
    keeper.route("http://127.0.0.1/", lambda route: route.fulfill(body=""))
    keeper.goto("http://127.0.0.1/")
    yield context
    context.close()


class Contexts:
    """Opens pages and collects the errors of their consoles in `complaints`.

    A message that the browser cannot read stops all later ones, without a word on the page.

    A page is a new tab, and a session of its own, of the browser that knows the app. Another browser, and a telephone,
    have a context of their own, which loads and compiles everything again.
    """

    def __init__(self, browser, known) -> None:
        self.browser = browser
        self.known = known
        self.complaints: list[str] = []
        self.opened: list = []
        self.origins: set[str] = set()

    def __call__(self, other_browser: bool = False, **options):
        options = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"} | options
        if other_browser or options.keys() != {"viewport", "color_scheme"}:
            context = self.browser.new_context(**options)
            page = context.new_page()
        else:
            context = self.known
            page = context.new_page()
            page.set_viewport_size(options["viewport"])
            page.emulate_media(color_scheme=options["color_scheme"])
            page.on("framenavigated", lambda frame: self.origins.add("/".join(frame.url.split("/")[:3])))
        self.opened.append(context)
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

    def close(self) -> None:
        """Close all pages; of what they stored, the browser that knows the app keeps its scripts alone."""
        for context in self.opened:
            if context is not self.known:
                context.close()
        for page in self.known.pages[1:]:  # the first keeps the process
            storage = self.known.new_cdp_session(page)
            for origin in self.origins:
                everything = {"origin": origin, "storageTypes": "cookies,local_storage,indexeddb"}
                storage.send("Storage.clearDataForOrigin", everything)
            page.close()
        self.known.set_offline(False)


@pytest.fixture
def new_page(browser, known):
    """Return a function that opens a page without a past; afterwards no page may show a traceback or complain."""
    contexts = Contexts(browser, known)
    yield contexts
    broken = [page.url for c in contexts.opened for page in c.pages if page.get_by_test_id("stException").count()]
    contexts.close()
    assert (broken, contexts.complaints) == ([], [])
