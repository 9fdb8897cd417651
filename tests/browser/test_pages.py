"""Every page in a real browser, on a desk and on a telephone, by day and by night."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

import pages

from .axe import pale_letters, violations
from .drive import click, complaints, foreign, menu, next_run, press, resize, slider, visit, visit_at_rest, wait_for_run

pytestmark = pytest.mark.browser

PROJECT = Path(__file__).resolve().parents[2]

#: What stands on a page when it has been drawn; on the others it is a figure.
DRAWN = {
    "Data": "stDataFrame",
    "Kernels": "stExpander",
    "Labs": "stButton",
    "Lessons": "stImage",
}


def assert_drawn(page, title: str) -> None:
    """Check that the page's subject is in sight, and no error."""
    expect(page.get_by_test_id("stMain").get_by_test_id(DRAWN.get(title, "stPlotlyChart")).first).to_be_visible()
    assert complaints(page) == []


#: Pages whose figure shares the screen with rows as a table.
BESIDE_A_TABLE = ("Data", "Use")
#: Pages that are words and tables rather than one figure.
WORDS = ("Papers", "Kernels", "Lessons", "Labs")
#: The box around the page's main figure, all its pictures together, and the main column below the bar; whether another
#: figure is larger; and which pages stand in no sight on the bar.
_FIGURE = """() => {
  const box = e => e.getBoundingClientRect(), main = document.querySelector('[data-testid=stMain]');
  const bar = box(document.querySelector('[data-testid=stHeader]')).bottom;
  // A figure that gives way to another is for a moment nowhere.
  const drawn = what => [...main.querySelectorAll(what)].filter(e => box(e).width > 0);
  const own = drawn('[class*=st-key-fill-] .js-plotly-plot'), all = own.map(box);
  const seen = e => box(e).width * Math.max(0, Math.min(innerHeight, box(e).bottom) - box(e).top);
  const others = drawn('.js-plotly-plot, [data-testid=stDataFrame]').filter(e => !own.includes(e));
  const [left, top] = [Math.min(...all.map(b => b.left)), Math.min(...all.map(b => b.top))];
  const [right, bottom] = [Math.max(...all.map(b => b.right)), Math.max(...all.map(b => b.bottom))];
  return {top, bottom, bar, share: (right - left) * (bottom - top) / (box(main).width * (innerHeight - bar)),
          largest: Math.max(0, ...others.map(seen)) < own.map(seen).reduce((a, b) => a + b, 0),
          hidden: document.querySelectorAll('[inert] [data-testid=stTopNavLink]').length};
}"""


#: The size of the page's letters, and the height of the first matrix: its panel is square, its axes end where it ends.
_LETTERS = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
_MATRIX = "() => document.querySelector('.js-plotly-plot .heatmaplayer image')?.getBoundingClientRect().height ?? 0"


def assert_the_projector_enlarges(page, url: str, title: str) -> None:
    """Letters grow, the matrix keeps its size; all fits."""
    wait_for_run(page)
    usual, matrix = page.evaluate(_LETTERS), page.evaluate(_MATRIX)
    if title in ("Lessons", "Labs"):  # no line: the switch stands in a lesson, and on other pages
        visit(page, url, title, data="banana", **{"all.projector": "True"})
    else:
        box = menu(page, "more")
        click(box.get_by_text("Projector"))
        page.keyboard.press("Escape")
    assert page.evaluate(_LETTERS) > 1.2 * usual
    if title in ("See", "Depth"):
        assert matrix > 0
        # Plotly adds the image of a matrix after the figure's frame, which is all that a page at rest must have.
        page.wait_for_function(f"least => ({_MATRIX})() > least", arg=0.9 * matrix)
    page.wait_for_function(f"() => Math.max(...({_OVERFLOW})()) <= 0")
    assert_drawn(page, title)


def test_a_figure_is_sent_at_the_height_of_this_window(new_page, app_server):
    """Else the browser draws it twice. The first figure is sent before the browser has measured its window."""
    page, sent = new_page(viewport={"width": 1600, "height": 1000}), []

    def received(frame: bytes) -> None:
        message = ForwardMsg()
        message.ParseFromString(frame)
        chart = message.delta.new_element.plotly_chart
        if chart.spec and "see.gram" in chart.id:
            sent.append(json.loads(chart.spec)["layout"]["height"])

    visit_at_rest(page, app_server.url, "See", received, data="banana", **{"g.n": "60"})
    menu(page, "kernel")
    figure = page.locator("[class*=st-key-fill-controls-see-gram]:has(.js-plotly-plot)")
    high = figure.evaluate("box => box.offsetHeight")
    assert high != sent[0], "another height than the assumed one"
    press(slider(page, "sigma"), "ArrowRight")
    assert sent[-1] == high


LAPTOP = {"width": 1440, "height": 900}
SIZES = ({"width": 420, "height": 900}, LAPTOP)


@pytest.mark.parametrize("title", [page.title for page in pages.PAGES])
def test_a_page_by_its_link_at_all_sizes_in_both_themes(title, new_page, app_server, keep_picture):
    """It fits, axe finds nothing serious, the console is silent, and no other host is asked for anything.

    Colours move nothing: by night it is looked at in one size.
    """
    page, requests = new_page(viewport=SIZES[0], color_scheme="light"), []
    page.context.on("request", lambda request: requests.append(request.url))
    visit(page, app_server.url, title, data="banana")
    assert_drawn(page, title)
    page.wait_for_function("() => document.querySelector('link[rel~=icon]')?.href.startsWith('data:')")
    for scheme in ("light", "dark"):
        if scheme == "dark":
            with next_run(page):
                page.emulate_media(color_scheme=scheme)
        assert page.evaluate(_IS_LIGHT) == (scheme == "light")
        for size in SIZES if scheme == "light" else (LAPTOP,):
            resize(page, size)
            page.wait_for_function(f"() => Math.max(...({_OVERFLOW})()) <= 0")  # tables fit themselves to the width
            assert complaints(page) == []
            if size == LAPTOP:
                # Streamlit moves its list of pages from the side to the bar some time after the window has grown.
                page.wait_for_function("() => !document.querySelector('[data-testid=stSidebarNavItems]')")
                assert_the_main_figure_fills_the_screen(page, title)
                assert violations(page, *(["color-contrast"] if scheme == "dark" else [])) == [], scheme
                assert pale_letters(page) == [], scheme
            keep_picture(page, f"{title}-{size['width']}-{scheme}")
    assert_the_projector_enlarges(page, app_server.url, title)
    keep_picture(page, f"{title}-projector")
    assert foreign(requests, app_server.url) == []


def assert_the_main_figure_fills_the_screen(page, title: str) -> None:
    """On a laptop it is above the fold, half of the screen or beside a table, and the largest thing."""
    wait_for_run(page)
    assert page.evaluate(_FIGURE)["hidden"] == 0, "every page stands on the bar"
    if title not in WORDS:
        page.wait_for_function(f"() => ({_FIGURE})().share >= {0.3 if title in BESIDE_A_TABLE else 0.5}")
        seen = page.evaluate(_FIGURE)
        assert seen["bar"] <= seen["top"], seen
        assert seen["bottom"] <= LAPTOP["height"], seen
        assert seen["largest"], seen


def test_axe_sees_what_is_wrong(new_page):
    page = new_page()
    page.set_content("<main><p style='color: #aaa; background: #fff'>pale</p><button></button></main>")
    found = violations(page)
    assert {line.partition(":")[0] for line in found} >= {"color-contrast", "button-name"}


_OVERFLOW = """() => { const m = document.querySelector('[data-testid=stMain]');
  return [document.documentElement.scrollWidth - innerWidth, m.scrollWidth - m.clientWidth]; }"""


#: Whether the page's background is bright.
_IS_LIGHT = """() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor
  .match(/\\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) > 384"""


#: Names of Streamlit's elements that style sheets and scripts rely on, by the file that does.
_NAMES = {
    (file.name, name)
    for kind in ("*.css", "*.js")
    for file in (PROJECT / "pages").rglob(kind)
    for name in re.findall(r"data-testid[~^*|]?=[\"']?(\w+)|\.(st[A-Z]\w+)", file.read_text(encoding="utf-8"))
    for name in [name[0] or name[1]]
}


def test_names_of_elements_that_styles_rely_on_are_there(new_page, app_server):
    """Another release of Streamlit may call them something else: the name that is missing stands in the failure."""
    missing = _NAMES - {("style.css", "stSkeleton")}  # at rest there is none: `wait_for_run` waits until it is gone
    for title, size in (("See", (1440, 900)), ("Use", (1440, 900)), ("Kernels", (1440, 900)), ("Data", (420, 860))):
        page = new_page(viewport={"width": size[0], "height": size[1]})
        visit(page, app_server.url, title)
        menu(page, "kernel")
        found = page.evaluate(
            "names => names.filter(one => document.querySelector(`[data-testid^='${one}'], .${one}`))",
            sorted({name for _, name in missing}),
        )
        missing = {(file, name) for file, name in missing if name not in found}
    assert missing == set()
