"""The app without a browser: open it with a link, find its widgets and figures by their keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from kernlib import Kernel
from pages import PAGES

APP = Path(__file__).resolve().parents[2] / "app.py"
VIEWS = tuple(page.view for page in PAGES)
#: One data set of every kind that the first presets are made for.
DATA = ("breast-cancer-10", "digits-3-8", "banana", "promoters", "promoters-categorical", "markov-strings")
#: Sets that would open with 400 rows and more. What pages do with more rows than a figure has cells, the breast
#: cancers show, all 683.
SMALLER = {"banana": "120", "digits-3-8": "120"}


def open_app(view: str = "gram", **link: str) -> AppTest:
    """The page that a link leads to, after its first run; of large data as many rows as show the same."""
    if link.get("data") in SMALLER and "g.n" not in link:
        link["g.n"] = SMALLER[link["data"]]
    app = AppTest.from_file(APP, default_timeout=600)
    for name, value in link.items():
        app.query_params[name] = value
    if view == "reference":  # its address is another word than its file, which only a first run makes known
        show(app, "data")
    return show(app, view)


def show(app: AppTest, view: str) -> AppTest:
    """Go to another page, as the navigation does."""
    return app.switch_page(f"pages/views/{view}.py").run()


def choose_data(app: AppTest, name: str) -> AppTest:
    """Pick a data set in the sidebar."""
    menu = next(box for box in app.sidebar.selectbox if box.key.startswith("data."))
    return menu.select(name).run()


def kernel(app: AppTest) -> Kernel:
    return app.session_state["kernel"]


def figures(app: AppTest) -> dict[str, dict[str, Any]]:
    """The page's Plotly figures as JSON, by key."""
    return {chart.proto.id.rsplit("-", 1)[-1]: json.loads(chart.proto.spec) for chart in app.get("plotly_chart")}


def heat(app: AppTest) -> Any:
    """What the page's heatmap shows, in the form in which it is sent."""
    return next(t["z"] for t in figures(app)["gram.heatmap"]["data"] if t["type"] == "heatmap")


def ending(widgets: Any, end: str) -> Any:
    """The one widget whose key ends so; keys of steps begin with a number that the session gives out."""
    found = [w for w in widgets if w.key and w.key.endswith(end)]
    assert len(found) == 1, f"{end}: {[w.key for w in widgets]}"
    return found[0]


def starting(widgets: Any, start: str) -> Any:
    """The one widget whose key begins so; a slider that another widget moved begins anew under a new number."""
    (found,) = [w for w in widgets if w.key and w.key.startswith(start)]
    return found


def sentences(app: AppTest) -> str:
    """All that the page says beside its figures."""
    kinds = (app.error, app.warning, app.info, app.success, app.caption, app.markdown)
    return "\n".join(element.value for kind in kinds for element in kind)


def link_words(app: AppTest) -> list[str]:
    """What the page says about the link that led to it."""
    return [warning.value for warning in app.warning if warning.icon == ":material/link_off:"]


def assert_sound(app: AppTest) -> None:
    """The page ran to its end, and says nothing in red."""
    assert not app.exception, [e.stack_trace for e in app.exception]
    assert [e.value for e in app.error] == []


def menu(app: AppTest) -> Any:
    """The builder's menu of steps."""
    return app.menu_button(key=f"adding.{app.session_state['steps'][0].uid}")


def add(app: AppTest, step: str) -> None:
    """Press a step in the builder's menu."""
    menu(app).click(step).run()
