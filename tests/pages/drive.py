"""The app without a browser: open it with a link, find its widgets and figures by their keys."""

from __future__ import annotations

import base64
import io
import json
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.experiments.decisions import prepared, presets_for
from pages import PAGES
from pages.parts.frame import layout, line
from pages.parts.server.holder import using
from pages.parts.server.jobs import registry
from pages.parts.session import state as change
from pages.parts.session.chain import take_apart
from pages.parts.session.state import DataChoice, Session

# No browser draws these pages: no run waits until it has. Each app that is opened would search all installed packages
# for components, which takes longer than most pages.
layout.DRAW = 0.0
# The menus of the line are open in these pages, but for the pictures of all data sets.
draw_gallery, line.gallery = line.gallery, lambda: None
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

APP = Path(__file__).resolve().parents[2] / "pages" / "start.py"
VIEWS = tuple(page.view for page in PAGES)
#: One data set of every kind that the first presets are made for.
DATA = ("breast-cancer-10", "digits-3-8", "banana", "promoters", "promoters-categorical", "markov-strings")
#: Sets that would open with 400 rows and more. What pages do with more rows than a figure has cells, the breast
#: cancers show, all 683.
SMALLER = {"banana": "40", "digits-3-8": "40", "promoters-categorical": "40", "mutag": "40"}


def open_app(view: str = "see", **link: str) -> AppTest:
    """The page that a link leads to, after its first run; of large data as many rows as show the same."""
    if link.get("data") in SMALLER and "g.n" not in link:
        link["g.n"] = SMALLER[link["data"]]
    app = AppTest.from_file(APP, default_timeout=600)
    for name, value in link.items():
        app.query_params[name] = value
    address = next((page.address for page in PAGES if page.view == view), view)  # else an earlier address
    if address:
        app._page_hash = calc_hash(address)  # `switch_page` knows addresses of files alone before the first run
    return _with_menus(app)


def show(app: AppTest, view: str) -> AppTest:
    """Go to another page, as the navigation does."""
    if view == "curves":
        hold(app, change.controlled(session(app), dict([change.WHICH_VALUE])))
    return _with_menus(app.switch_page(f"views/{'choose' if view == 'curves' else view}/page.py"))


def _with_menus(app: AppTest) -> AppTest:
    for name in ("data", "label", "kernel", "more"):
        app.session_state[f"line.{name}"] = True
    return app.run()


def pending(app: AppTest) -> bool:
    """Whether a part of the page has work that goes on."""
    marks = [html.proto.body for html in app.get("html") if "<span data-run" in html.proto.body]
    return 'data-pending="0"' not in marks[-1]


def finish(app: AppTest) -> AppTest:
    """Run the page until no part of it has work that goes on, as the browser's ticks do."""
    while pending(app):
        app.run()
    return app


def places(app: AppTest) -> dict[str, tuple[int, ...]]:
    """Where the page's Plotly figures stand, by key: the numbers of their containers, from the outermost one."""

    def below(block: Any, path: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
        for number, child in block.children.items():
            if child.type == "plotly_chart":
                yield _key(child), (*path, number)
            elif hasattr(child, "children"):
                yield from below(child, (*path, number))

    return dict(below(app.main, ()))


def choose_data(app: AppTest, name: str) -> AppTest:
    """Pick a data set in the line."""
    return starting(app.selectbox, "data.").select(name).run()


def session(app: AppTest) -> Session:
    """Return the session's state."""
    state: Session = app.session_state["holder"].state
    return state


def own(app: AppTest, what: str = "kept") -> dict[str, Any]:
    """Return what the session keeps beside its state, or what it has "computed"."""
    of: dict[str, Any] = getattr(app.session_state["holder"], what)
    return of


def hold(app: AppTest, state: Session) -> None:
    """Give the session another state."""
    app.session_state["holder"].state = state


def undo(app: AppTest, name: str = "undo") -> AppTest:
    """Click undo, or redo, as the browser tells it."""
    own = app.session_state["holder"]
    with using(own):
        getattr(change, name)()
    return app.run()


def can(app: AppTest, name: str) -> bool:
    """Whether undo, or redo, can be clicked."""
    (buttons,) = [e.proto for e in app.get("bidi_component") if e.proto.component_name.endswith("kernlib_history")]
    return bool(json.loads(buttons.json)[name])


def kernel(app: AppTest) -> Kernel:
    """Return the kernel of the session."""
    return session(app).kernel


def choose(app: AppTest, control: str, text: str | None) -> AppTest:
    """Choose what a control has, as its callback does: AppTest cannot click tabs and folds."""
    now = session(app)
    others = {name: kept for name, kept in now.controls.items() if name != control}
    hold(app, replace(now, controls=others if text is None else {**others, control: text}))
    return app.run()


def upload(app: AppTest, data: Dataset) -> AppTest:
    """Show an uploaded data set under its proposed kernel."""
    name = f"upload:{data.digest[:12]}{data.fill}"
    choice, own = DataChoice(name), replace(data, name=name)
    steps = take_apart(prepared(presets_for(own)[0].kernel, own))
    hold(app, Session(choice, steps, uploads={name: (choice, own)}))
    return app.run()


def link(app: AppTest) -> dict[str, str]:
    """Return what the address says once the browser has written it."""
    (address,) = [e.proto for e in app.get("bidi_component") if e.proto.component_name.endswith("kernlib_address")]
    return dict(parse_qsl(json.loads(address.json)["query"][1:], keep_blank_values=True))


def array(values: Any) -> np.ndarray[Any, Any]:
    """Return a figure's numbers from the form in which the browser gets them."""
    if not isinstance(values, dict):
        return np.array(values, dtype=float)
    flat = np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return flat.reshape([int(side) for side in values.get("shape", str(len(flat))).split(",")])


def figures(app: AppTest) -> dict[str, dict[str, Any]]:
    """The page's Plotly figures as JSON, by key."""
    return {_key(chart): json.loads(chart.proto.spec) for chart in app.get("plotly_chart")}


def _key(chart: Any) -> str:
    return str(chart.proto.id.split("-", 2)[2]).partition("~")[0]  # $$ID-digest-key


def slider_of(app: AppTest) -> dict[str, Any]:
    """What the slider in hand sends to the browser."""
    (slider,) = [e.proto for e in app.get("bidi_component") if e.proto.component_name.endswith("kernlib_scrub")]
    return dict(json.loads(slider.json))


def heat(app: AppTest) -> Any:
    """What the page's heatmap shows, in the form in which it is sent."""
    return next(t["z"] for t in figures(app)["see.gram"]["data"] if t["type"] == "heatmap")


def ending(widgets: Any, end: str) -> Any:
    """Return the one widget whose key ends so; keys of steps begin with a number that the session gives out."""
    found = [w for w in widgets if w.key and w.key.endswith(end)]
    assert len(found) == 1, f"{end}: {[w.key for w in widgets]}"
    return found[0]


def starting(widgets: Any, start: str) -> Any:
    """Return the one widget whose name begins so; a number stands before it where another change renewed it."""
    (found,) = [w for w in widgets if w.key and w.key.split("~")[-1].startswith(start)]
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
    return app.menu_button(key=f"adding.{session(app).steps[0].uid}")


def add(app: AppTest, step: str) -> None:
    """Click a step in the builder's menu."""
    menu(app).click(step).run()


def printed_by(script: str) -> list[str]:
    """Run a script that a page gives, and return the lines that it prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(script, "script", "exec"), {"__name__": "__main__"})
    return printed.getvalue().splitlines()


def until(condition: Callable[[], object], seconds: float = 600.0) -> None:
    """Wait for a condition; what is waited for is named by the test that fails."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


def until_runs_end() -> None:
    """Wait until no run of the server waits or goes on."""
    until(lambda: not any(job.state in ("waiting", "running") for job in registry().jobs.values()))
