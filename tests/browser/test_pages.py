"""Every page in a real browser, on a desk and on a telephone, by day and by night."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import TimeoutError, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.conftest import running_app

from .drive import (
    PAGES,
    button,
    choose,
    compute_if_asked,
    heat,
    link,
    run_if_slow,
    settle,
    slider,
    turn_to,
    unfold,
    visit,
    wait_for_link,
    wait_for_other_heat,
)

pytestmark = pytest.mark.browser

#: What stands on a page when it has been drawn; on the others it is a figure.
DRAWN = {"Data": "stDataFrame", "Error curves": "stBaseButton-primary", "Kernels": "stExpander"}


def complaints(page) -> list[str]:
    """What a page must never show: a traceback, a dialogue over it, a word in red."""
    kinds = ("stException", "stAlertContentError", "stDialog")
    return [kind for kind in kinds if page.get_by_test_id(kind).count()]


def assert_drawn(page, title: str) -> None:
    """What the page is about is in sight, and no figure stays without its drawing."""
    expect(page.get_by_test_id("stMain").get_by_test_id(DRAWN.get(title, "stPlotlyChart")).first).to_be_visible()
    assert complaints(page) == []
    # A figure may give way to another while the page looks: in the end none is without its drawing.
    expect(page.locator("[data-testid=stPlotlyChart]:not(:has(.js-plotly-plot .main-svg))")).to_have_count(0)


#: Plotly's own button for a picture.
_CAMERA = "[data-title='Download plot as a PNG']"
#: Pages that are words and tables rather than one figure.
WORDS = ("Papers", "Kernels")
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


def test_the_figure_is_the_page(new_page, app_server):
    """On a laptop with the sidebar open: the main figure is above the fold, half of the screen, the largest thing."""
    page = new_page()
    first, *more = [title for title in PAGES if title not in WORDS]
    for title in [first, *more]:
        if title == first:
            visit(page, app_server.url, title, data="banana")
        else:
            turn_to(page, title)
        expect(page.locator("[class*=st-key-fill-] .js-plotly-plot").first).to_be_visible()
        settle(page)
        page.wait_for_function(f"() => ({_FIGURE})().share >= 0.5", timeout=20_000)
        told = page.evaluate(_FIGURE)
        assert told["bar"] <= told["top"], (title, told)
        assert told["bottom"] <= 900, (title, told)
        assert told["largest"], (title, told)
        assert told["hidden"] == 0, "every page stands on the bar"
    # The last of them is taken along, for print and for slides.
    plot = page.locator("[class*=st-key-fill-] .js-plotly-plot").first
    for press, kind, begins in ((".kernlib-svg", "svg", b"<svg"), (_CAMERA, "png", b"\x89PNG")):
        plot.hover(position={"x": 200, "y": 300})
        with page.expect_download() as download:
            plot.locator(press).click()
        assert download.value.suggested_filename == f"decision-field.{kind}"
        assert download.value.path().read_bytes().startswith(begins)


def test_a_figure_is_sent_as_high_as_this_window_lets_it_be(new_page, app_server):
    """Else the browser draws it twice. The first is sent before the window is known."""
    page, sent = new_page(viewport={"width": 1600, "height": 1000}), []

    def received(frame: bytes) -> None:
        message = ForwardMsg()
        message.ParseFromString(frame)
        chart = message.delta.new_element.plotly_chart
        if chart.spec and "gram.heatmap" in chart.id:
            sent.append(json.loads(chart.spec)["layout"]["height"])

    page.on("websocket", lambda socket: socket.on("framereceived", received))
    visit(page, app_server.url, data="banana", **{"g.n": "60"})
    high = page.locator("[class*=st-key-fill-page]:has(.js-plotly-plot)").evaluate("box => box.offsetHeight")
    assert high != sent[0], "another height than the one that is taken first"
    slider(page, "sigma").focus()
    for _ in range(20):
        page.wait_for_timeout(250)
        page.keyboard.press("ArrowRight")
        settle(page)
        if sent[-1] == high:
            break
    assert sent[-1] == high


SIZES = ((420, 900), (1440, 900), (1920, 1080))


def test_no_size_and_no_theme_scrolls_sideways(new_page, app_server, keep_picture):
    """Every page by its link, on a telephone, a desk and a large screen, by day and by night."""
    page = new_page(viewport={"width": 420, "height": 900})
    for title in PAGES:
        page.set_viewport_size({"width": 420, "height": 900})
        page.emulate_media(color_scheme="light")
        visit(page, app_server.url, title, data="banana")
        assert_drawn(page, title)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function(f"({_IS_LIGHT})() === {str(scheme == 'light').lower()}")
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                assert complaints(page) == []
                try:  # tables fit themselves to a new width
                    page.wait_for_function(f"() => Math.max(...({_OVERFLOW})()) <= 0", timeout=10_000)
                except TimeoutError:
                    pytest.fail(f"{title}, {width} px, {scheme}: wider than the screen: {page.evaluate(_OVERFLOW)} px")
                keep_picture(page, f"{title}-{width}-{scheme}")


def test_the_projector_enlarges_every_page_and_folds_the_sidebar(new_page, app_server, keep_picture):
    """All pages on strings, one after the other by the navigation, large."""
    page = new_page()
    visit(page, app_server.url, "Overview", data="promoters")
    assert_drawn(page, "Overview")
    formula = page.get_by_test_id("stSidebar").locator(".katex-display").first
    expect(formula).to_be_visible()
    assert formula.evaluate("it => it.scrollWidth - it.clientWidth") <= 2, "the formula goes on on a second line"
    letters = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    usual = page.evaluate(letters)
    page.get_by_test_id("stSidebar").get_by_text("Projector").click()
    page.wait_for_function(f"usual => ({letters})() > 1.2 * usual", arg=usual)
    expect(page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "true")
    for title in PAGES:
        if title != "Overview":
            turn_to(page, title)
        assert_drawn(page, title)
        assert page.evaluate(letters) > 1.2 * usual
        assert max(page.evaluate(_OVERFLOW)) <= 0, title
        keep_picture(page, f"{title}-projector")


_OVERFLOW = """() => { const m = document.querySelector('[data-testid=stMain]');
  return [document.documentElement.scrollWidth - innerWidth, m.scrollWidth - m.clientWidth]; }"""


#: Whether the page's background is bright.
_IS_LIGHT = """() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor
  .match(/\\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) > 384"""


def test_a_slider_a_step_and_other_data_change_the_matrix(new_page, app_server):
    page = new_page()
    visit(page, app_server.url, data="banana", kernel="RBF(sigma=1.0)")
    before = heat(page)
    rows, columns = before["shape"].split(", ")
    assert int(rows) == int(columns) > 100
    # By keyboard there and back: the same matrix.
    slider(page, "sigma").focus()
    page.keyboard.press("ArrowRight")
    wait_for_link(page, "kernel", "RBF(sigma=1.2)")
    after = wait_for_other_heat(page, before)
    settle(page)
    page.keyboard.press("ArrowLeft")
    wait_for_link(page, "kernel", "RBF(sigma=1.0)")
    assert wait_for_other_heat(page, after) == before
    settle(page)
    # A step is added and taken away.
    page.get_by_role("button", name="Add a step").click()
    page.get_by_role("menuitem", name="Power draws").click()
    wait_for_link(page, "kernel", "Power(RBF(sigma=1.0), p=0.5)")
    powered = wait_for_other_heat(page, before)
    settle(page)
    # The menu closes behind the press.
    expect(page.get_by_role("menuitem")).to_have_count(0)
    page.locator("[class*=st-key-away]").get_by_role("button").click()
    wait_for_link(page, "kernel", "RBF(sigma=1.0)")
    assert wait_for_other_heat(page, powered) == before
    settle(page)
    # Other data bring a kernel of their own.
    choose(page, "Data", "Markov strings")
    wait_for_link(page, "data", "markov-strings")
    wait_for_other_heat(page, before)
    settle(page)
    assert "RBF" not in link(page)["kernel"]
    assert complaints(page) == []


def test_the_kernel_is_kept_over_page_switches_and_tabs_open(new_page, app_server):
    page = new_page()
    visit(page, app_server.url, data="banana", kernel="Power(RBF(sigma=1.0), p=0.5)")
    slider(page, "sigma").focus()
    page.keyboard.press("ArrowRight")
    wait_for_link(page, "kernel", "Power(RBF(sigma=1.2), p=0.5)")
    settle(page)
    shown = heat(page)
    for title in ("Depth", "Spectrum", "Error curves", "Kernels", "Data"):
        turn_to(page, title)
        wait_for_link(page, "kernel", "Power(RBF(sigma=1.2), p=0.5)")
        if title == "Spectrum":
            page.get_by_role("tab", name="Eigenvalues").click()
            expect(page.locator(".st-key-spectrum-eigenvalues .js-plotly-plot")).to_be_visible()
        assert complaints(page) == []
    turn_to(page, "Gram matrix")
    wait_for_link(page, "kernel", "Power(RBF(sigma=1.2), p=0.5)")
    assert heat(page) == shown


def test_the_address_is_a_link_to_the_view(new_page, app_server):
    first = new_page()
    visit(first, app_server.url, data="markov-strings")
    unfold(first, "Generator")
    slider(first, "seed").focus()
    first.keyboard.press("ArrowRight")
    wait_for_link(first, "g.seed", "1")
    settle(first)
    second = new_page()
    second.goto(first.url)
    settle(second)
    assert link(second) == link(first)
    assert heat(second) == heat(first)
    visit(first, app_server.url, data="markov-strings")
    assert heat(first) != heat(second), "the seed in the link counts"


def test_a_hostile_link_is_a_sentence(new_page, app_server):
    page = new_page()
    visit(page, app_server.url, "Spectrum", data="<img src=x onerror=alert(1)>", kernel="__import__('os').system('x')")
    expect(page.get_by_test_id("stAlert").filter(has_text="does not exist here")).to_be_visible()
    expect(page.get_by_test_id("stAlert").filter(has_text="kernel could not be used")).to_be_visible()
    assert page.locator("img[src='x']").count() == 0
    wait_for_link(page, "data", "breast-cancer-10")
    assert complaints(page) == []


def test_a_level_and_a_cell_of_the_sheet_are_pressed_and_become_the_kernel(new_page, app_server):
    page = new_page()
    visit(page, app_server.url, "Depth", data="banana", kernel="Power(RBF(sigma=1.0), p=0.5)")
    for level in range(6):
        expect(page.locator(f".st-key-depth-picture-{level} .js-plotly-plot")).to_be_visible()
    page.locator(".st-key-depth-use-2").get_by_role("button").click()
    wait_for_link(page, "kernel", "Deep(Power(RBF(sigma=1.0), p=0.5), level=2, bandwidths=None)")
    settle(page)
    expect(page.locator(".st-key-depth-use-2").get_by_role("button")).to_be_disabled()
    page.get_by_role("tab", name="Sheet over two numbers").click()
    sheet = page.locator(".st-key-sheet-picture .js-plotly-plot").last  # one may still give way to another
    compute_if_asked(page, sheet)
    expect(page.get_by_text("cells to come")).to_have_count(0)
    settle(page)
    sheet.scroll_into_view_if_needed()
    # Plotly hears the pointer above its points: the mouse goes to the place and not to the element.
    cell = sheet.locator(".points path").nth(8)
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_for_link(page, "kernel", "Deep(Power(RBF(sigma=1.0), p=0.3), level=2, bandwidths=None)")
    assert complaints(page) == []
    # A point of the model selection is pressed: its value is the kernel's.
    turn_to(page, "Spectrum")
    page.get_by_role("tab", name="Which value?").click()
    curve = page.locator(".st-key-spectrum-selection .js-plotly-plot").last
    expect(curve).to_be_visible()
    expect(page.get_by_text("values to come")).to_have_count(0)
    settle(page)
    point = curve.locator(".scatterlayer path.point").first
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_for_link(page, "kernel", "Deep(Power(RBF(sigma=1.0), p=0.1), level=2, bandwidths=None)")
    assert complaints(page) == []


#: How many measured points are drawn; the quick look before them is another figure.
_POINTS = "() => document.querySelectorAll('.st-key-curves-chart .scatterlayer path.point').length"


def test_an_error_curve_arrives_and_outlives_a_page_switch_and_a_reload(new_page, app_server):
    page = new_page()
    # Estimated at a second, it starts by itself; a quick look stands in its place until it arrives.
    visit(page, app_server.url, "Error curves", data="markov-strings")
    run_if_slow(page)
    page.wait_for_function(f"() => ({_POINTS})() >= 5")
    best = page.get_by_text("Best:")
    expect(best).to_be_visible()
    expect(button(page, "Stop")).to_be_disabled()
    assert complaints(page) == []
    told = best.inner_text()
    # It is still there after a look at another page.
    turn_to(page, "Depth")
    turn_to(page, "Error curves")
    expect(best).to_have_text(told, use_inner_text=True)
    assert page.evaluate(_POINTS) >= 5
    # And after a reload, in a session that is new: the same controls find the same numbers, without another fit.
    page.reload()
    settle(page)
    expect(best).to_have_text(told, use_inner_text=True)


def test_the_first_visitor_of_a_server_may_come_by_a_deep_link(new_page, tmp_path):
    with running_app(tmp_path) as server:
        page = new_page()
        visit(page, server.url, "Spectrum", data="banana")
        expect(page.get_by_test_id("stMain").get_by_test_id("stPlotlyChart").first).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)
