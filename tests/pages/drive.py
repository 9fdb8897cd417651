"""The app without a browser: open it with a link, find its widgets and figures by their keys."""

from __future__ import annotations

import base64
import io
import json
import re
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
from pages.parts.server.jobs import registry
from pages.parts.server.runs import Holder
from pages.parts.session import state as change
from pages.parts.session.chain import take_apart
from pages.parts.session.state import DataChoice, Session

# No browser draws these pages: no run waits until it has. Each app that is opened would search all installed packages
# for components, which takes longer than most pages.
layout.DRAW = 0.0
# The menus of the line are open in these pages, but for the pictures of all data sets.
draw_gallery, line.gallery = line.gallery, lambda: None
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

#: Whether a page may say something in red: a test asks for it by the fixture `in_red`.
RED = False


def _run(app: AppTest, *given: Any, run: Any = AppTest._run, **options: Any) -> AppTest:
    """Run the page, and check that it comes to its end and says nothing in red that its test does not expect."""
    run(app, *given, **options)
    assert not app.exception, [(e.message, e.stack_trace) for e in app.exception]
    assert RED or [e.value for e in app.error] == []
    return app


AppTest._run = _run

APP = Path(__file__).resolve().parents[2] / "pages" / "start.py"
VIEWS = tuple(page.view for page in PAGES)
#: One data set of every kind that the first presets are made for.
DATA = ("breast-cancer-10", "digits-3-8", "banana", "promoters", "promoters-categorical", "markov-strings")
#: Sets that would open with 400 rows and more. What pages do with more rows than a figure has cells, the breast
#: cancers show, all 683.
SMALLER = {"banana": "40", "digits-3-8": "40", "promoters-categorical": "40", "mutag": "40"}


def open_app(view: str = "see", **link: str) -> AppTest:
    """The page that a link leads to, after its first run; of large data as many rows as show the same.

    A point in a name of the link is written `__`.
    """
    link = {name.replace("__", "."): text for name, text in link.items()}
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
        holder(app).state = change.controlled(session(app), dict([change.WHICH_VALUE]))
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


def holder(app: AppTest) -> Holder:
    """Return what the server has of the session."""
    return app.session_state["holder"]


def session(app: AppTest) -> Session:
    """Return the session's state."""
    return holder(app).state


def own(app: AppTest, what: str = "kept") -> dict[str, Any]:
    """Return what the session keeps beside its state, or what it has "computed"."""
    return getattr(holder(app), what)


def undo(app: AppTest, name: str = "undo") -> AppTest:
    """Click undo, or redo."""
    return press(app, f"line.{name}")


def component(app: AppTest, name: str) -> Any:
    """Return a component of ours, as its message to the browser; "scrub" is the slider in hand."""
    (own,) = [e.proto for e in app.get("bidi_component") if e.proto.component_name.endswith(f"kernlib_{name}")]
    return own


def sent(app: AppTest, name: str) -> dict[str, Any]:
    """Return what a component of ours sends to the browser."""
    return json.loads(component(app, name).json)


def can(app: AppTest, name: str) -> bool:
    """Whether undo, or redo, can be clicked."""
    return not buttons(app)[f"line.{name}"].disabled


def rows(app: AppTest) -> Dataset:
    """Return the data set of the session."""
    return session(app).load(session(app).data)


def kernel(app: AppTest) -> Kernel:
    """Return the kernel of the session."""
    return session(app).kernel


def choose(app: AppTest, control: str, text: str | None) -> AppTest:
    """Choose what a control has, as its callback does: AppTest cannot click tabs and folds."""
    now = session(app)
    others = {name: kept for name, kept in now.controls.items() if name != control}
    holder(app).state = replace(now, controls=others if text is None else {**others, control: text})
    return app.run()


def upload(app: AppTest, data: Dataset) -> AppTest:
    """Show an uploaded data set under its proposed kernel."""
    name = f"upload:{data.digest[:12]}{data.fill}"
    choice, own = DataChoice(name), replace(data, name=name)
    steps = take_apart(prepared(presets_for(own)[0].kernel, own))
    holder(app).state = Session(choice, steps, uploads={name: (choice, own)})
    return app.run()


def link(app: AppTest) -> dict[str, str]:
    """Return what the address says once the browser has written it."""
    return dict(parse_qsl(sent(app, "address")["query"][1:], keep_blank_values=True))


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


def heat(app: AppTest, key: str = "see.gram") -> Any:
    """What a heatmap shows, in the form in which it is sent."""
    return next(t["z"] for t in figures(app)[key]["data"] if t["type"] == "heatmap")


def buttons(app: AppTest) -> dict[str, Any]:
    """Return the page's buttons by key, in order."""
    return {button.key: button for button in app.button if button.key}


def ending(widgets: Any, end: str) -> Any:
    """Return the one widget of this label, or whose key ends so: keys of steps begin with a number of the session."""
    found = [w for w in widgets if w.label == end or (w.key and w.key.endswith(end))]
    assert len(found) == 1, f"{end}: {[w.key for w in widgets]}"
    return found[0]


#: The kinds of widget that have a value of their own.
GIVEN = (
    "slider",
    "select_slider",
    "number_input",
    "text_input",
    "toggle",
    "selectbox",
    "multiselect",
    "segmented_control",
)


def press(app: AppTest, name: str) -> AppTest:
    """Click the button of this label, or whose key ends so."""
    return ending(app.button, name).click().run()


def give(app: AppTest, name: str, value: Any) -> AppTest:
    """Give a value to the widget of this label, or whose key ends so."""
    return ending([w for kind in GIVEN for w in getattr(app, kind)], name).set_value(value).run()


def drop(app: AppTest, name: str, content: bytes, key: str = "upload.files") -> AppTest:
    """Choose a file."""
    return app.file_uploader(key=key).set_value((name, content, "text/plain")).run()


def starting(widgets: Any, start: str) -> Any:
    """Return the one widget whose name begins so; a number stands before it where another change renewed it."""
    (found,) = [w for w in widgets if w.key and w.key.split("~")[-1].startswith(start)]
    return found


def headings(app: AppTest) -> list[str]:
    """The page's headings of the second order."""
    return [heading.value for heading in app.subheader]


def headline(app: AppTest) -> str:
    """What the page says of its pictures, a line each, without the links of terms."""
    place = app.get_by_key("sentence")
    lines = [element.value for kind in (place.subheader, place.markdown) for element in kind]
    return re.sub(r"\[([^]]*)\]\(#term-[^)]*\)", r"\1", "\n".join(lines))


def sentences(app: AppTest) -> str:
    """All that the page says beside its figures."""
    kinds = (app.error, app.warning, app.info, app.success, app.caption, app.markdown)
    return "\n".join(element.value for kind in kinds for element in kind)


def link_words(app: AppTest) -> list[str]:
    """What the page says about the link that led to it."""
    return [warning.value for warning in app.warning if warning.icon == ":material/link_off:"]


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


def until(condition: Callable[[], object]) -> None:
    """Wait for a condition; what is waited for is named by the test that fails."""
    end = time.monotonic() + 600
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)


def ended(*jobs: Any) -> list[str]:
    """Wait until none of the jobs is active; return how each of them ended."""
    until(lambda: not any(job.active for job in jobs))
    return [job.state for job in jobs]


def until_runs_end() -> None:
    """Wait until no run of the server waits or goes on."""
    until(lambda: not any(job.state in ("waiting", "running") for job in registry().tasks))
