"""How long a page takes to answer a slider, against an app of one slider and one 400×400 heatmap.

    python -m tests.benchmarks page_speed [case …]

One app is measured at a time, with nothing else running of ours: the floor app before and after every page, and each
page on a server and in a tab of its own. A machine that grows slower or faster meanwhile does so for both: a page's
ratio is to the floor's median in the two turns beside its own. All clocks run in the browser, from the key's own
event: to the first change of what is drawn; to the picture, the last change of the page's main picture, or pictures,
after which the eye sees nothing move there; and to rest, the last change anywhere on the page with the script at rest.
Depth shows a large matrix first, and rests when the numbers and test errors of all levels stand beside it. A click is
over after half a second of quiet, which is not counted. Printed are the median and the middle half of nine clicks, and
the ratio.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.browser.conftest import FLAGS
from tests.conftest import running_app

ROOT = Path(__file__).parents[2]
FLOOR = """
import numpy as np, plotly.graph_objects as go, streamlit as st
value = st.slider("value", 1, 1000, 50)
z = np.random.default_rng(value).random((400, 400)).astype(np.float32)
st.plotly_chart(go.Figure(go.Heatmap(z=z)), key="chart")
"""
#: Keys of the charts that are a page's main pictures, by its address.
MAIN = {
    "": ("see-gram", "see-map", "see-curve"),
    "spectrum": ("spectrum-coefficients", "spectrum-rebuilt"),
    "depth": ("depth-gram",),
    "use": ("use-border",),
}
NAMES = {"": "See", "spectrum": "Spectrum", "depth": "Depth", "use": "Use"}
#: Data, kernel, the link's numbers, by rows.
ROWS = {
    500: ("digits-3-8", "RBF(sigma=10.0)", {"g.n": "500"}),
    2000: ("twonorm", "RBF(sigma=4.0)", {"g.n": "2000"}),
}
#: Page and rows. The slider in the kernel menu is moved on Spectrum and Depth, on others the page's own.
CASES = {f"{name}, n = {n}": (page, n) for n in ROWS for page, name in NAMES.items()}
#: Watches what is drawn (some values of every trace, every image), whether the script runs, and whatever changes
#: within a main picture for the eye: not in the nodes of the last one, which the browser takes apart later, nor in the
#: style of the node around it where that leaves it as visible as it was.
WATCH = """(main) => {
  const shown = new WeakMap();
  const isMain = plot => {
    if (!plot.isConnected) return false;
    const named = plot.closest('[class*="st-key-"]')?.className ?? '';
    return !main.length || main.some(key => named.includes('st-key-' + key));
  };
  const seenIn = changes => {
    const drawn = new Set(), styled = new Set();
    for (const {target: node, type} of changes) {
      const plot = (node.nodeType === 1 ? node : node.parentElement)?.closest('.js-plotly-plot, .stPlotlyChart');
      if (plot) (node === plot && type === 'attributes' ? styled : drawn).add(plot);
    }
    let seen = false;
    for (const plot of new Set([...drawn, ...styled])) {
      if (!isMain(plot)) continue;
      const now = getComputedStyle(plot).visibility;
      seen ||= drawn.has(plot) || now !== shown.get(plot);
      shown.set(plot, now);
    }
    return seen;
  };
  const values = t => {
    const v = t.z ? t.z[Math.floor(t.z.length / 2)] : t.y;
    return v ? Array.from(v.slice(0, 40)).join() : '';
  };
  new MutationObserver(changes => {
    if (!seenIn(changes)) return;
    if (!window.seen.pressed) return;
    requestAnimationFrame(() => setTimeout(() => {
      window.seen.picture = performance.now();
    }));
  }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
  const read = () => {
    const plots = [...document.querySelectorAll('.js-plotly-plot')];
    const drawn = plots.map(p => (p._fullData ?? []).map(values).join('|')).join('#');
    const images = [...document.querySelectorAll('[data-testid=stMain] img')].map(i => i.src).join();
    return drawn + images;
  };
  const resting = () =>
    document.querySelector('[data-testid=stApp]')?.getAttribute('data-test-script-state') === 'notRunning';
  const seen = window.seen = {pressed: 0, first: 0, picture: 0, last: 0};
  let before = read(), rested = resting();
  document.addEventListener('keydown', () => {
    Object.assign(seen, {pressed: performance.now(), first: 0, picture: 0, last: 0, quiet: false}); }, true);
  setInterval(() => {
    const now = read(), rests = resting(), at = performance.now();
    if (now !== before) { seen.first ||= at; seen.last = at; }
    if (rests !== rested) seen.last = at;
    before = now; rested = rests;
    seen.quiet = seen.first > 0 && rests && at - Math.max(seen.last, seen.picture) > 500;
  }, 8);
}"""


#: Clicks in a turn, after two that load what is loaded once, in the server and in the browser, or was put to sleep.
PRESSES = 9
#: Milliseconds from each click to the "first" change, to the main "picture" as it stays and to "rest".
Answers = dict[str, list[float]]


def together(*answers: Answers) -> Answers:
    """Return the answers of several turns as one."""
    return {kind: [taken for one in answers for taken in one[kind]] for kind in answers[0]}


@contextmanager
def opened(
    browser: Any, script: Path, path: str, where: str, main: Sequence[str] = ()
) -> Iterator[Callable[[], Answers]]:
    """A page on a server and in a tab of its own: a function that clicks → on its slider."""
    with tempfile.TemporaryDirectory() as folder, running_app(Path(folder), str(script)) as server:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{server.url}/{path}")
        page.wait_for_selector(".js-plotly-plot", timeout=120_000)
        page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=120_000)
        page.wait_for_timeout(4000)
        if "menu-kernel" in where:
            page.locator(".st-key-line-kernel button:visible").first.click()
            page.wait_for_selector(where, timeout=120_000)
        page.evaluate(WATCH, list(main))
        control = page.locator(where).first

        def move(key: str) -> dict[str, float]:
            page.keyboard.press(key)
            page.wait_for_function("() => window.seen.quiet", polling=50, timeout=120_000)
            return page.evaluate("() => window.seen")  # type: ignore[no-any-return]

        def press() -> Answers:
            page.bring_to_front()
            control.focus()
            if control.evaluate("one => (one.max - one.value) / (one.step || 1)") < PRESSES + 2:
                move("Home")  # a slider at its last stop does not move
            seen = [move("ArrowRight") for _ in range(PRESSES + 2)][2:]
            return {
                "first": [one["first"] - one["pressed"] for one in seen],
                "picture": [one["picture"] - one["pressed"] for one in seen],
                "rest": [max(one["last"], one["picture"]) - one["pressed"] for one in seen],
            }

        yield press
        page.close()


def told(values: list[float], floor: list[float]) -> str:
    """Return the median, the middle half, and the median's ratio to the floor's."""
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:6.0f} ms ({low:.0f} to {high:.0f}) {middle / statistics.median(floor):5.2f} ×"


def main(arguments: Sequence[str]) -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", help=f"some of: {'; '.join(CASES)}")
    asked = parser.parse_args(arguments)
    slider = "input[type=range]"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        floor_script = Path(folder) / "floor.py"
        floor_script.write_text(FLOOR)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        with opened(browser, floor_script, "", slider) as press_floor:
            floors = [press_floor()]
            results = {}
            for name in asked.cases or CASES:
                view, n = CASES[name]
                data, kernel, more = ROWS[n]
                query = urlencode({"data": data, "kernel": kernel, **more})
                own = f".st-key-hand-slider {slider}"
                menu = f".st-key-menu-kernel {slider}[aria-label*=sigma]"
                where = menu if view in ("spectrum", "depth") else own
                with opened(browser, ROOT / "app.py", f"{view}?{query}", where, MAIN[view]) as press:
                    results[name] = press()
                floors.append(press_floor())
        browser.close()
    every = together(*floors)
    told_of = {"floor": (every, every)}
    told_of |= {
        name: (found, together(before, after))
        for (name, found), before, after in zip(results.items(), floors, floors[1:], strict=False)
    }
    kinds = {"first": "first change", "picture": "main picture", "rest": "rest"}
    print(f"{'click to':26} {' '.join(f'{words:34}' for words in kinds.values())}")
    for name, (found, floor) in told_of.items():
        print(f"{name:26} {' '.join(f'{told(found[kind], floor[kind]):34}' for kind in kinds)}")
    middles = [statistics.median(floor["picture"]) for floor in floors]
    print(f"The floor's main picture stood after {min(middles):.0f} to {max(middles):.0f} ms from turn to turn.")
