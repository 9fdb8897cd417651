"""The app in a real browser: open a link, wait for the run that an act causes, use widgets by mouse and keyboard.

Every run of the app ends with a hidden element (`pages/parts/server/runs.py`): the run's number, its figures, and
the parts whose work goes on. A test reads the number, acts, and waits for a higher number with nothing pending.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlencode, urlparse

from playwright.sync_api import Locator, Page, TimeoutError, ViewportSize
from streamlit.proto.BackMsg_pb2 import BackMsg

import pages

#: In the order of the navigation: title and end of the address.
PAGES = {page.title: page.address for page in pages.PAGES} | {"Error curves": "curves"}  # an earlier address

#: What a page at rest must show: the last run with nothing pending, its link in the address bar, its figures in the
#: size of their places, every widget whose code the browser loads when it first needs it, heights that the server
#: knows, and no place that moves.
_PAGE = """() => {
  const marks = [...document.querySelectorAll('[data-run]')].map(mark => mark.dataset);
  const later = (a, b) => +b.run > +a.run ? b : a;
  const last = marks.reduce(later, {run: 0, pending: 1, figures: 0});
  const whole = marks.filter(mark => 'address' in mark).reduce(later, {run: 0});
  const drawn = document.querySelectorAll('[data-testid=stPlotlyChart]:has(.js-plotly-plot .main-svg)');
  const shown = [...document.querySelectorAll('.js-plotly-plot')].filter(plot => plot.offsetParent !== null);
  const moves = document.getAnimations().filter(one => one instanceof CSSTransition && one.playState === 'running');
  return {
    run: +last.run,
    addressed: location.search === whole.address,
    script: document.querySelector('[data-testid=stApp]')?.dataset.testScriptState,
    connection: document.querySelector('[data-testid=stApp]')?.dataset.testConnectionState,
    pending: +last.pending,
    loading: document.querySelectorAll('[data-testid=stSkeleton]').length,
    measuring: 'measuring' in document.documentElement.dataset,
    missing: last.figures - drawn.length,
    stretching: shown.map(({_fullLayout: own, clientWidth: x, clientHeight: y}) => [own.width - x, own.height - y])
      .filter(([x, y]) => Math.abs(x) + Math.abs(y) >= 2),
    moving: moves.map(one => [one.transitionProperty, one.effect.target.outerHTML.slice(0, 100)]),
  };
}"""
#: The number of the last run, or 0 while the page is not at rest.
_RUN = f"""() => {{
  const page = ({_PAGE})();
  const drawn = page.missing <= 0 && !page.loading && !page.stretching.length;
  const still = drawn && !page.measuring && !page.moving.length;
  const idle = page.connection === 'CONNECTED' && page.script === 'notRunning' && page.pending === 0 && page.addressed;
  return idle && still ? page.run : 0;
}}"""


def wait_for_run(page: Page, after: int = 0) -> int:
    """Wait until a run later than `after` has ended with nothing pending; return its number."""
    try:
        return page.wait_for_function(
            f"after => {{ const run = ({_RUN})(); return run > after && run; }}", arg=after, polling=50
        ).json_value()
    except TimeoutError:
        raise AssertionError(f"no rest after run {after}: {state_of(page)}") from None


def state_of(page: Page) -> dict[str, Any]:
    """Return what a page shows of its runs, whether it is at rest or not."""
    state: dict[str, Any] = page.evaluate(_PAGE)
    return state


def resize(page: Page, size: ViewportSize) -> None:
    """Give the window another size, and wait until the page is at rest in it.

    The browser tells the page of its size later than this call.
    """
    page.set_viewport_size(size)
    page.wait_for_function("width => document.documentElement.clientWidth === width", arg=size["width"])
    wait_for_run(page)


def menu(page: Page, name: str) -> Locator:
    """Return an open menu of the line: data, label, kernel or more."""
    box = page.locator(f".st-key-menu-{name}")
    if not box.count():
        with next_run(page):
            page.locator(f".st-key-line-{name} button:visible").first.click()
    return box


@contextmanager
def next_run(page: Page) -> Iterator[None]:
    """Wait for the run that the acts inside the block cause, from a page at rest to a page at rest."""
    before = wait_for_run(page)
    yield
    wait_for_run(page, before)


#: Looks at the main pictures before each paint of the browser: counts paints without a picture, notes where they begin.
_WATCH = """() => {
  const places = [...document.querySelectorAll('[data-testid=stMain] [class*=st-key-fill-]')];
  const seen = window.kernlibWatched = {paints: 0, gaps: 0, tops: places.map(() => []), taken: [], end: false};
  new MutationObserver(changes => changes.forEach(({removedNodes, addedNodes, target}) => {
    const named = node => node.outerHTML?.slice(0, 150);
    const lost = [...removedNodes].filter(node => places.some(place => node.contains(place)));
    if (lost.length) seen.taken.push([lost.map(named), [...addedNodes].map(named), target.outerHTML.slice(0, 150)]);
  })).observe(document.body, {childList: true, subtree: true});
  const look = () => {
    seen.paints++;
    places.forEach((place, i) => {
      const plots = [...place.querySelectorAll('.js-plotly-plot')].filter(plot => plot.querySelector('.main-svg'));
      const shown = plots.some(plot => plot.checkVisibility()) || place.querySelector('.kernlib-copy');
      if (!place.isConnected || !shown) seen.gaps++;
      const top = Math.round(place.getBoundingClientRect().top);
      if (seen.tops[i].at(-1) !== top) seen.tops[i].push(top);
    });
    if (!seen.end) requestAnimationFrame(look);
  };
  look();
}"""


@contextmanager
def still_pictures(page: Page) -> Iterator[None]:
    """Check that the main pictures, while they are drawn again, neither vanish for a moment nor change their place."""
    # A copy of each is made when the browser has time.
    page.wait_for_function("""() => [...document.querySelectorAll('[data-testid=stMain] [class*=st-key-fill-]')]
      .every(place => place.querySelector('.kernlib-copy'))""")
    page.evaluate(_WATCH)
    yield
    page.wait_for_function("() => window.kernlibWatched.paints > 5")  # a busy machine paints seldom
    seen = page.evaluate("() => { window.kernlibWatched.end = true; return window.kernlibWatched; }")
    assert seen["gaps"] == 0, seen
    assert [len(tops) for tops in seen["tops"]] == [1] * len(seen["tops"]) != [], seen


def visit(page: Page, url: str, title: str = "See", **link: str) -> None:
    """Open a page by its link."""
    page.goto(f"{url}/{PAGES[title]}?{urlencode(link)}")
    wait_for_run(page)


def has_heights(frame: bytes) -> bool:
    """Return whether the browser sends the heights that it has measured."""
    message = BackMsg()
    message.ParseFromString(frame)
    widgets = message.rerun_script.widget_states.widgets
    return any("picture" in widget.id and "heights" in widget.json_value for widget in widgets)


def visit_at_rest(page: Page, url: str, title: str, hear: Any = None, **link: str) -> list[bytes]:
    """Open a page, wait until it is drawn for the window that the browser reports, and return what is sent later.

    `hear` gets what the page receives.
    """
    sent: list[bytes] = []
    with page.expect_websocket() as opened:
        page.goto(f"{url}/{PAGES[title]}?{urlencode(link)}", wait_until="commit")
    if hear is not None:
        opened.value.on("framereceived", hear)
    opened.value.wait_for_event("framesent", has_heights)
    wait_for_run(page)
    opened.value.on("framesent", lambda frame: sent.append(frame))
    return sent


def turn_to(page: Page, title: str) -> None:
    """Go to another page by the navigation on top."""
    link = page.get_by_test_id("stTopNavLink").filter(has_text=title)
    if any(entry.title == title and entry.menu for entry in pages.PAGES):
        page.get_by_test_id("stTopNavSection").filter(visible=True).click()
        link = page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title)
    with next_run(page):
        link.click()


def complaints(page: Page) -> list[str]:
    """Return the kinds of errors that the page shows: a traceback, a dialogue over it, a sentence in red."""
    kinds = ("stException", "stAlertContentError", "stDialog")
    return [kind for kind in kinds if page.get_by_test_id(kind).count()]


def foreign(requests: list[str], url: str) -> list[str]:
    """Return the requests that went to another host than the server's."""
    assert len(requests) > 20
    own = {urlparse(url).netloc, ""}  # "" is data:, blob: and file:
    return [request for request in requests if urlparse(request).netloc not in own]


#: Moves the mouse to a point of a scatter and clicks it, in one turn of the browser: no new drawing comes between.
_PRESS = """([figure, number]) => {
  const plot = [...document.querySelectorAll(figure)].at(-1);
  const point = plot.querySelectorAll('.scatterlayer path.point')[number].getBoundingClientRect();
  const [x, y] = [point.x + point.width / 2, point.y + point.height / 2];
  const layer = [...plot.querySelectorAll('.nsewdrag')].find(one => {
    const all = one.getBoundingClientRect();
    return all.left <= x && x <= all.right && all.top <= y && y <= all.bottom;
  });
  const at = {bubbles: true, clientX: x, clientY: y};
  for (const kind of ['mousemove', 'mousedown']) layer.dispatchEvent(new MouseEvent(kind, at));
  document.dispatchEvent(new MouseEvent('mouseup', at));
}"""


def press_point(page: Page, figure: str, number: int) -> None:
    """Click a point of a figure, and wait for the run that this causes."""
    with next_run(page):
        page.evaluate(_PRESS, [f"{figure} .js-plotly-plot", number])


#: A matrix of 400 × 400 need not travel. Plotly keeps an array as it was sent, mostly as base64 of its bytes.
_HEAT = """() => {
  const plot = [...document.querySelectorAll('.js-plotly-plot')].find(p => p.data && p.data.some(t => t.z));
  if (!plot) return null;
  const z = plot.data.find(t => t.z).z;
  const shape = z.bdata ? z.shape : `${z.length}, ${z[0].length}`;
  const text = z.bdata ?? JSON.stringify(z);
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0;
  return {shape, length: text.length, hash};
}"""


def heat(page: Page, before: Any = None) -> Any:
    """Return a digest of the page's first heatmap as the browser holds it, once it is another than `before`."""
    other = f"before => {{ const now = ({_HEAT})(); return now && JSON.stringify(now) !== JSON.stringify(before); }}"
    page.wait_for_function(other, arg=before)
    return page.evaluate(_HEAT)


def link(page: Page) -> dict[str, str]:
    """Return the parameters of the address."""
    return {name: values[0] for name, values in parse_qs(page.evaluate("location.search.slice(1)")).items()}


def wait_for_link(page: Page, name: str, value: str) -> None:
    """Wait until a parameter of the address has this value."""
    shown = "([name, value]) => new URLSearchParams(location.search).get(name) === value"
    page.wait_for_function(shown, arg=[name, value])


def slider(page: Page, label: str) -> Locator:
    """Return the thumb of a slider, ready for arrow keys."""
    return page.locator(f"input[type=range][aria-label*='{label}']").first


def press(where: Page | Locator, *keys: str) -> None:
    """Press keys one by one, and wait after each for the run that it causes."""
    for key in keys:
        with next_run(where if isinstance(where, Page) else where.page):
            (where.keyboard if isinstance(where, Page) else where).press(key)


def click(where: Locator) -> None:
    """Click, and wait for the run that it causes."""
    with next_run(where.page):
        where.click()


def button(page: Page, name: str) -> Locator:
    """Return a button of the page itself: Streamlit has a Stop of its own while a script runs."""
    return page.get_by_test_id("stMain").get_by_role("button", name=name, exact=True)


def choose(page: Page, label: str, option: str) -> None:
    """Pick an entry of a select box by its first letters: a long menu holds only the entries in sight."""
    box = page.get_by_role("combobox", name=label, exact=True).first
    # At the edge of the window the menu would turn over while it is typed into.
    box.evaluate("box => box.scrollIntoView({block: 'center'})")
    box.click()
    box.press_sequentially(option)
    page.get_by_role("option", name=option).first.click()
