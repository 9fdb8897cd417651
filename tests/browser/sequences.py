"""Click at random in a real browser, also inside runs, and compare where each series ends with a plain model.

Run by hand: `python -m tests.browser.sequences URL SERIES [data]`. A series has one to six clicks with pauses of 0 to
2 s: another data set, page, suggested kernel, step, value of a slider, undo, redo, reload, a page without the line;
with `data` only other data sets. After it the address, the line and the page show what the model has, and no error.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Locator, Page, TimeoutError, sync_playwright

from kernlib import RowStep
from kernlib.data import CATALOGUE
from kernlib.experiments import proposals
from pages.parts.inputs.plain import plain
from pages.parts.session.value import first_choice

from ..pages import model as presses
from .conftest import FLAGS
from .drive import _PAGE, PAGES, choose, complaints, menu, resize, turn_to, wait_for_run

#: Data sets whose suggested kernels are single chains, as the model has them.
NAMES = ("banana", "iris", "promoters", "karate", "monks-1", "markov-strings", "digits-3-8", "mutag")
VIEWS = ("See", "Data", "Depth", "Spectrum")
#: One after the other what is done, each as often as another.
KINDS = ("data", "page", "preset", "add", "switch", "remove", "slide", "undo", "redo", "reload", "away")


class Series:
    """A page, and the model that follows its clicks."""

    def __init__(self, page: Page, random: Random, only_data: bool) -> None:
        self.page, self.random, self.only_data = page, random, only_data
        self.model = presses.Model("banana", dict(first_choice("banana").parameters))
        self.model.propose()
        self.history: list[tuple[Any, ...]] = []

    def possible(self) -> list[str]:
        """Return the kinds of clicks that are possible now."""
        steps, last = self.model.steps, self.model.steps[-1]
        on_top = len(steps) > 1 and not issubclass(
            presses.CLASSES[last.name], RowStep
        )  # the lowest fold, which is open
        can = {
            "add": len(steps) < 5,
            "switch": on_top,
            "remove": on_top,
            "slide": last.name == "Power" and last.on,
            "undo": bool(self.model.past),
            "redo": bool(self.model.future),
        }
        return ["data"] if self.only_data else [kind for kind in KINDS if can.get(kind, True)]

    def press(self) -> None:
        """Click once, without waiting for what it causes."""
        page, model = self.page, self.model
        kind = self.random.choice(self.possible())
        if kind in ("preset", "add", "slide", "switch", "remove"):
            steps = menu(page, "kernel")
        elif kind == "data":
            menu(page, "data")
        else:
            page.keyboard.press("Escape")
        action: tuple[Any, ...] = (kind,)
        if kind == "data":
            action = (kind, self.random.choice([name for name in NAMES if name != model.data]))
            presses.DATA[action[1]] = dict(first_choice(action[1]).parameters)
            choose(page, "Data", CATALOGUE[action[1]].title[:60])
        elif kind == "page":
            page.get_by_test_id("stTopNavLink").filter(has_text=self.random.choice(VIEWS)).click()
        elif kind == "away":  # a page without the line, and another window
            turn_to(page, "Lessons")
            for width in (1240, 1440):
                resize(page, {"width": width, "height": 900})
            turn_to(page, "Data")
        elif kind == "preset":
            name = plain(proposals.presets_for(model.rows())[1].name)
            page.wait_for_function("name => new URLSearchParams(location.search).get('data') === name", arg=model.data)
            wanted = page.get_by_role("button", name=name, exact=True)
            self.take(steps.get_by_text("Suggested kernels"), wanted)
        elif kind == "add":
            action = (kind, self.random.choice(("Power", "Normalized", "Centered", "Scaled")))
            self.shows_steps()
            wanted = page.locator(f"[role=menuitem]:has(strong:text-is('{_NAMES[action[1]]}'))")
            self.take(steps.get_by_role("button", name="Add a step").last, wanted)
        elif kind == "slide":
            self.open_last_step()
            thumb = steps.locator("input[type=range][aria-label*='p']").last
            for _ in range(self.random.randint(1, 4)):
                thumb.press(self.random.choice(("ArrowLeft", "ArrowRight")))
            action = (kind, len(model.steps) - 1, "p", float(thumb.get_attribute("aria-valuetext") or "nan"))
        elif kind in ("switch", "remove"):
            action = (kind, len(model.steps) - 1)
            self.open_last_step()
            if kind == "remove":
                steps.locator("[class*='st-key-away-'] button:visible").last.click()
            else:
                steps.locator("[class*='st-key-'][class*='-on-'] label:visible").last.click()
        elif kind == "reload":
            page.wait_for_function(_SHOWN, arg=[model.data, repr(model.kernel())])  # all clicks are in the address
            page.reload()
        else:
            page.get_by_role("button", name=kind.title(), exact=True).click()
        presses.press(model, action)
        self.history.append(action)

    def take(self, opener: Locator, wanted: Locator) -> None:
        """Take what is wanted from a menu; one that another kernel or other data replace closes and is opened again.

        The click before may have left it open until its run arrives and closes it.
        """
        wanted.wait_for(state="hidden")
        while not wanted.is_visible():
            opener.click()
            with suppress(TimeoutError):
                wanted.wait_for(timeout=5000)
        wanted.click()

    def shows_steps(self) -> None:
        """Wait until the menu has the steps of the model: a person clicks what is there.

        Where another chain took the place of the last one, its steps are there when its run has ended.
        """
        if self.history and self.history[-1][0] in ("data", "preset", "undo", "redo"):
            wait_for_run(self.page)
        self.page.wait_for_function(
            "count => document.querySelectorAll(\"[class*='st-key-away-']\").length === count",
            arg=len(self.model.steps) - 1,
        )

    def open_last_step(self) -> None:
        """Open the fold of the last step, where it is closed."""
        self.shows_steps()
        fold = self.page.locator(".st-key-menu-kernel [data-testid=stExpander]:has([class*='st-key-away-'])").last
        if fold.locator("details").get_attribute("open") is None:
            fold.locator("summary").click()

    def stands(self, error: Exception) -> str:
        """Return an error with what the page and the model have."""
        address, model = parse_qs(urlparse(self.page.url).query), self.model
        return (
            f"{str(error)[:300]}; address {address}, model {model.data} {model.kernel()!r}, {self.page.evaluate(_PAGE)}"
        )

    def wrong(self) -> str:
        """Wait for the model's data and kernel in the address; return what is wrong, or nothing."""
        page, model = self.page, self.model
        try:
            page.wait_for_function(_SHOWN, arg=[model.data, repr(model.kernel())])
            wait_for_run(page)
        except (TimeoutError, AssertionError) as error:
            return self.stands(error)
        page.keyboard.press("Escape")
        shown = page.locator(".st-key-line-of-data p").first.inner_text()
        chips = page.locator(".st-key-line-of-kernel p").first.inner_text().split(" → ")
        faults = complaints(page)
        faults += [] if shown == CATALOGUE[model.data].title else [f"the line has {shown}"]
        faults += [] if len(chips) == len(model.kernel().chain()) else [f"the kernel is {chips}"]
        return "; ".join(faults)


_NAMES = {"Power": "Power", "Normalized": "Normalise", "Centered": "Centre", "Scaled": "Times a number"}
_SHOWN = """([data, kernel]) => {
  const query = new URLSearchParams(location.search);
  return query.get('data') === data && query.get('kernel') === kernel;
}"""


def main(url: str, series: int, only: str = "") -> None:
    """Run the series and print what is wrong."""
    random, count, faults = Random(f"{series}{only}"), 0, []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for number in range(series):
            if number % 10 == 0 or (faults and faults[-1][0] == number - 1):
                page = browser.new_page(viewport={"width": 1440, "height": 1400})
                page.set_default_timeout(120_000)
                page.goto(f"{url}/{random.choice([PAGES[view] for view in VIEWS])}?data=banana")
                wait_for_run(page)
                driver = Series(page, random, only == "data")
            wrong = ""
            try:
                for _ in range(random.randint(1, 6)):
                    driver.press()
                    count += 1
                    page.wait_for_timeout(random.choice((0, 0, 100, 400, 1000, 2000)))
                wrong = driver.wrong()
            except Exception as error:
                wrong = driver.stands(error)
            if wrong:
                faults.append((number, wrong))
            if wrong or number % 10 == 9:
                page.close()
            print(
                f"{number + 1} series, {count} clicks, {len(faults)} wrong {driver.history if wrong else ''} {wrong}",
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
