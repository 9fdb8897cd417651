"""Elements of a page: heading, figures with caption and data, rows of numbers, and errors as sentences.

Figures have the page's theme written out, so that the browser draws them once. Streamlit applies its theme in the
browser, as a template, and then hands the figure to Plotly a second time. Plotly takes any template for a new one and
draws everything again, which is half of a figure's time. Without a template, with a fixed data revision and with
vectors as lists, Plotly sees no change. The values are those of Streamlit's theme, over the figure's own template.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import wraps
from mimetypes import guess_type
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import streamlit as st
from plotly.basedatatypes import BaseFigure
from plotly.io.json import to_json_plotly

from kernlib import Kernel, KernlibError
from kernlib.data import Dataset
from kernlib.figures.gram import ValueRange, gram_heatmap
from kernlib.figures.theme import alt, caption, enlarged, offline_page, table
from kernlib.values.words import number
from pages.parts.frame import waiting
from pages.parts.inputs.controls import (
    SCRIPT,
    begin_page,
    button,
    expander,
    explained,
    in_row,
    inert_cells,
    meanings,
    plain,
    switch,
)
from pages.parts.results import compute
from pages.parts.server.caching import NO_MEMORY
from pages.parts.server.jobs import DRAW
from pages.parts.server.runs import count_figure, deferred, part, pause, session_holder, using
from pages.parts.session import state, uploaded
from pages.parts.session.state import current

_LETTERS = '"Source Sans", sans-serif'
#: Pixels of small, middle and large letters.
_SIZES = (12, 14, 16)
#: The light theme's own #808495 has a contrast of 3.8 on white.
_QUIET = "#5f6472"
#: Colours of secondary text, text, lines, page, headings and the hover frame, in the light and the dark theme.
_DAY = (_QUIET, "#262730", "#e6eaf1", "#ffffff", "#2f2d2b", "rgba(47, 45, 43, 0.2)")
_NIGHT = ("#e6eaf1", "#fafafa", "#31333f", "#171614", "#edebe8", "rgba(237, 235, 232, 0.2)")
_AXIS = re.compile(r"[xy]axis\d*")


class ThemedFigure(BaseFigure):  # type: ignore[misc]  # Plotly has no types
    """A figure as it is sent to the browser."""

    def __init__(self, drawn: dict[str, Any]) -> None:
        self._drawn = drawn

    def to_dict(self) -> dict[str, Any]:
        return self._drawn


def themed(drawn: dict[str, Any], dark: bool, letters: float = 1.0, settled: bool = True) -> ThemedFigure:
    """Return a figure's dict with its template and the page's theme written out, its letters enlarged by a factor.

    A `settled` figure does not change in the browser; any other goes by Plotly's own comparisons.
    """
    layout = drawn["layout"]
    template = layout.pop("template", {}).get("layout", {})
    layout.pop("meta", None)  # alt text and caption stand beside the figure
    look = _over(_look(dark, letters), template)
    across, down = look.pop("xaxis"), look.pop("yaxis")
    for name in _axes(drawn):
        axis = layout.get(name, {})
        below = across if name[0] == "x" else down
        if not axis.get("showline"):  # Plotly would draw a line that has a colour
            below = {part: value for part, value in below.items() if part != "linecolor"}
        layout[name] = _over(axis, below)
    words = layout.get("title", {}).get("text")
    drawn["layout"] = layout = _over(layout, look)
    if words:
        layout["title"]["text"] = f"<b>{words}</b>"
    if settled:
        layout["datarevision"] = 0  # other data are another figure to Streamlit, which begins it anew
        drawn["data"] = [_lists(trace) for trace in drawn["data"]]
    return ThemedFigure(drawn)


def _look(dark: bool, letters: float) -> dict[str, Any]:
    small, middle, large = (round(letters * size) for size in _SIZES)
    quiet, plain, line, page, heading, frame = _NIGHT if dark else _DAY
    words = dict(color=quiet, size=small)
    axis = dict(gridcolor=line, tickcolor=line, zerolinecolor=line, tickfont=words, automargin=True)
    return dict(
        font=dict(color=quiet, size=small, family=_LETTERS),
        title=dict(font=dict(size=large, family=_LETTERS, color=heading), x=0, xanchor="left", pad=dict(l=4)),
        legend=dict(title=dict(font=words, side="top"), font=dict(color=plain, size=small)),
        paper_bgcolor=page,
        plot_bgcolor=page,
        hoverlabel=dict(bgcolor=page, bordercolor=frame, font=dict(color=quiet, family=_LETTERS, size=small)),
        margin=dict(pad=8, r=0, l=0),
        xaxis=dict(axis, showgrid=False, zeroline=False, title=dict(font=dict(color=quiet, size=middle), standoff=20)),
        yaxis=dict(axis, ticklabelposition="outside", title=dict(font=dict(color=quiet, size=middle), standoff=24)),
    )


def _over(given: dict[str, Any], below: dict[str, Any]) -> dict[str, Any]:
    """Return `given` merged over `below`, at every depth."""
    merged = {**below, **given}
    for name, value in given.items():
        under = below.get(name)
        if isinstance(value, dict) and isinstance(under, dict):
            merged[name] = _over(value, under)
    return merged


def _axes(drawn: dict[str, Any]) -> set[str]:
    """Return the axes of the layout, and those that traces lie on by default."""
    axes = {name for name in drawn["layout"] if _AXIS.fullmatch(name)}
    for trace in drawn["data"]:
        if trace.get("type", "scatter") in ("scatter", "heatmap", "bar", "histogram", "box", "violin", "contour"):
            axes |= {"xaxis" + trace.get("xaxis", "x")[1:], "yaxis" + trace.get("yaxis", "y")[1:]}
    return axes


def _lists(node: Any) -> Any:
    """Return the node with vectors as lists: Plotly treats every typed array as changed."""
    if isinstance(node, dict):
        if "bdata" in node and "shape" not in node:
            return np.frombuffer(base64.b64decode(node["bdata"]), node["dtype"]).tolist()
        return {
            name: _lists(value) if isinstance(value, dict) else value for name, value in node.items() if name != "meta"
        }
    return node


T = TypeVar("T")
_HERE = Path(__file__).parent
#: The page's icon travels inside the page: Streamlit fetches a named icon from a foreign font server.
ICON = _HERE / "icon.svg"

#: How much of the window a figure fills: all that a page's heading leaves, all below a row of controls, one of two
#: pictures above each other there, one of two rows of small pictures. The style sheet has the heights.
Fill = Literal["page", "controls", "half"]
#: The page's main figure and what stands beside it: as wide, on every page.
MAIN = (3, 1)
#: Pixels of a number there: two stand side by side.
BESIDE = 125
#: Pixels of these heights at 1440 × 900, used until the browser has measured its own window.
_FIRST = {
    "page": 628,
    "controls": 552,
    "half": 238,
    "page-stories": 652,
    "controls-choose": 532,
    "controls-see": 512,
    "controls-spectrum": 512,
    "controls-value": 492,
    "half-see": 222,
    "controls-depth": 512,
    "half-depth": 222,
    "controls-use": 512,
    "controls-labs": 588,
}
#: The component that measures them.
_BROWSER = "picture"
#: How much larger letters of figures are for a bright room.
_ENLARGED = 1.35


_svg_button = st.components.v2.component("kernlib_picture", js=SCRIPT + (_HERE / "picture.js").read_text())


#: Two buttons that save the figure of a panel as PNG and SVG.
_save = st.components.v2.component(
    "kernlib_save",
    html="<button>PNG</button><button>SVG</button>",
    css="""
        div { display: flex; gap: 1rem; }
        button {
          font: inherit; font-size: 0.875rem; color: inherit; background: none; border: none; padding: 0;
          min-height: 2rem; cursor: pointer;
        }
        button:hover { color: var(--st-primary-color); }
        button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
    """,
    js=(_HERE / "save.js").read_text(),
)


_cells = st.components.v2.component("kernlib_cells", js=(_HERE / "cells.js").read_text())


def heading(question: str, text: str) -> None:
    """Draw the page's question, and a sentence that says what the page shows."""
    st.header(question, anchor=False)
    lead(text)


def sentence(words: str, place: Any = None) -> None:
    """Draw what the page says of its pictures: the finding, and on lines of their own, smaller, what it rests on."""
    with place or st.container(key="sentence"):
        first, *more = map(plain, words.split("\n"))
        st.subheader(first, anchor=False)
        for line in more:
            st.markdown(explained(line, "sentence"))


def main_and_beside() -> list[Any]:
    """Return the place of the large picture, and the one beside it."""
    return st.columns([9, 7], gap="medium")


def lead(words: str) -> None:
    """Draw the sentence that says what the page shows; the projector leaves it out."""
    with st.container(key="lead"):
        st.caption(explained(words, "lead"))


#: Cards side by side on a desk.
_CARDS = 5


def grid(items: Iterable[T]) -> Iterator[tuple[Any, T]]:
    """Yield items, each with the place of its card, in rows of five."""
    for i, item in enumerate(items):
        if not i % _CARDS:
            columns = st.columns(_CARDS, gap="small")
        yield columns[i % _CARDS], item


def add_styles() -> bool:
    """Add the style sheet, and for the projector its own; return whether the projector is on."""
    begin_page()
    large = projector()
    st.html(_HERE / "style.css")
    if large:
        st.html(_HERE / "projector.css")
    return large


def pictures() -> None:
    """Draw figures again under another theme, and measure their heights.

    Heights are for the next figures: the browser itself stretches those that are there.
    """
    drawn, known = st.context.theme.type, _measured("theme")

    def measure() -> None:
        # The theme is part of the component's state and not an event: a newer request may end the run of an event.
        measured = _svg_button(
            key=_BROWSER,
            data={"heights": _FIRST | (_measured("heights") or {}), "theme": known or drawn},
            on_theme_change=lambda: None,
            on_heights_change=lambda: None,
        )
        if measured.get("theme") != known:
            st.rerun()

    part(measure)


def cells_open_pairs(key: str) -> None:
    """Let a click on a cell of a Gram matrix drawn with `pairs` open *Why alike* with its two rows."""

    def clicked(state_of: Any) -> None:
        rows = state_of.get("rows")
        if isinstance(rows, list) and [type(row) for row in rows] == [int, int]:
            state.compare(*rows)

    _cells(key=key, on_rows_change=deferred(clicked, reads=key))


def _measured(what: str) -> Any:
    """Return the browser's last answer, None before the first."""
    return (st.session_state.get(_BROWSER) or {}).get(what)


def alone() -> bool:
    """Return whether the page shows one question of a class, without bar and line."""
    return "stories.class" in current().controls


def projector() -> bool:
    """Return whether everything is larger, for a lecture room."""
    return current().controls.get("all.projector") == "True"


def projector_switch() -> None:
    """Draw the switch of the projector."""
    switch(
        "Projector",
        False,
        "all.projector",
        help="Larger letters, thicker lines, full contrast: for a lecture in a bright room.",
    )


def figure(fig: Any, key: str, *, name: str = "", fill: Fill | None = None, **options: Any) -> Any:
    """Draw a figure, and below it its caption and its menu; returns what is selected in the figure.

    `fill` is for the page's main figure, which is as high as the window allows. Its files have the `name`, by default
    the last part of the key.
    """
    name = name or key.rpartition(".")[2]
    with st.container(key=f"panel-{key}", gap="xsmall"):
        chosen = chart(fig, key, fill, name=name, **options)
        words = plain(caption(fig))
        _with_menu(f":small[{explained(words, key)}]", words.partition(".")[0], fig, key, None, name)
    return chosen


def chart(
    fig: Any,
    key: str,
    fill: Fill | None = None,
    on_press: Callable[[Any], None] | None = None,
    *,
    name: str = "figure",
    **options: Any,
) -> Any:
    """Draw the figure alone, larger for a bright room, in its own height or filling the window.

    `on_press` receives what is selected. A click may come from an earlier drawing than the one that stands there by
    now: each drawing that can be clicked has a key of its own.
    """
    dark, letters = st.context.theme.type == "dark", _ENLARGED if projector() else 1.0
    if letters > 1.0:
        fig = enlarged(fig, letters, ink="#ffffff" if dark else "#000000")
        if fig.layout.height:  # the same picture between larger words
            fig.layout.height = round(letters * fig.layout.height)
    drawn = fig.to_dict()
    settled = "frames" not in drawn and on_press is None and "on_select" not in options
    # Plotly's camera alone, which the style sheet hides: the menu's PNG and SVG go by it (save.js).
    camera = {"modeBarButtons": [["toImage"]], "toImageButtonOptions": {"scale": 2, "filename": name}}
    options |= {"key": key, "theme": None, "alt": alt(fig), "config": camera}
    if fill is not None:
        drawn["layout"]["height"] = _height(fill, key.partition(".")[0])
        options["height"] = "stretch"
    sent = themed(drawn, dark, letters, settled)
    if on_press is not None:
        own = options["key"] = f"{key}~{zlib.crc32(to_json_plotly(sent).encode()):x}"
        options |= {"on_select": deferred(lambda: on_press(st.session_state.get(own))), "selection_mode": "points"}
    with nullcontext() if fill is None else st.container(key=f"fill-{fill}-{key}", gap=None):
        count_figure()
        return st.plotly_chart(sent, **options)


def _height(fill: Fill, page: str) -> int:
    """Return the height of a figure in pixels: at its final height from the start, it is drawn once."""
    kind = f"{fill}-{page}" if f"{fill}-{page}" in _FIRST else fill
    height = (_measured("heights") or {}).get(kind)
    return round(height) if isinstance(height, int | float) and 100 <= height <= 5000 else _FIRST[kind]


def after_the_picture() -> None:
    """Let the browser draw the page's main picture before it is sent what stands beside and below it.

    Else it draws all of it in one go, and shows nothing until the last small figure is done. A slider that moves on
    interrupts the page here, so that only the picture follows the slider.
    """
    pause(DRAW)


def download(file: str, make: Callable[[], str], key: str, label: str = "", **options: Any) -> None:
    """Draw a button that downloads a text as a file; it is made when the button is clicked, outside of a run."""
    own = session_holder()

    def made() -> bytes:
        with using(own):  # the thread that makes it knows no session
            return make().encode()

    st.download_button(
        label or file,
        data=made,
        file_name=file,
        mime=guess_type(file)[0],
        key=key,
        on_click="ignore",
        **{"icon": ":material/download:"} | options,
    )


def csv(make: Callable[[], pd.DataFrame], key: str, name: str, help: str = "The figure's data") -> None:
    """Draw a button that downloads a table."""
    download(
        f"{name}.csv",
        lambda: inert_cells(make()).to_csv(index=False),
        f"{key}.csv",
        "CSV",
        type="tertiary",
        icon=None,
        help=help,
    )


def query() -> dict[str, str]:
    """Return the query of the address: data, kernel, and the controls of this page and of all pages."""
    now = current()
    query = {"data": now.data.name, "kernel": repr(now.kernel)}
    if modules := uploaded.modules(now.kernel):
        query["load"] = modules
    if not now.data.uploaded:
        query |= {f"g.{name}": str(value) for name, value in now.data.parameters}
    page = now.page or "see"
    shown = (f"{page}.", "all.")
    return query | {name: text for name, text in now.controls.items() if name.startswith(shown)}


def address() -> str:
    """Return the page's whole address with what is in view; a download's thread does not know it."""
    return f"{st.context.url or ''}?{urlencode(query())}"


def report(page: Callable[[], str], text: Callable[[], str], key: str) -> None:
    """Draw the buttons that download a report as an HTML page and as a Markdown text."""
    download("report.html", page, f"{key}.report.html")
    download("report.md", text, f"{key}.report.md")


def panel(
    title: str, fig: Any, key: str, *, data: Any = None, name: str = "", fill: Fill | None = None, **options: Any
) -> Any:
    """Draw a figure below a line with its title and its menu; returns what is selected in the figure.

    `data` is a function that makes the table when it is asked for; without it, it is what is drawn. `name` as in
    `figure`.
    """
    name = name or key.rpartition(".")[2]
    with st.container(key=f"panel-{key}", gap="xsmall"):
        _with_menu(f"**{explained(title, key)}**", title, fig, key, data, name, caption(fig))
        return chart(fig, key, fill, name=name, **options)


def _with_menu(words: str, title: str, fig: Any, key: str, data: Any, name: str, help: str = "") -> None:
    """Draw words beside the figure's one menu: how to read it, its data, and itself as PNG, SVG and HTML."""
    here = address()
    with in_row(key=f"titled-{key}", wrap=False, gap="small"):
        st.markdown(words, width="stretch")
        with st.popover(f"Menu of the figure: {title}", icon=":material/more_horiz:", type="tertiary"):
            if help:
                st.markdown(explained(plain(help), None))
            with in_row():
                csv(data or (lambda: table(fig)), key, name)
                panel = re.sub(r"[^\w-]", "-", f"st-key-panel-{key}")
                _save(key=f"{key}.save", data={"panel": panel, "name": name}, width="content")
                download(
                    f"{name}.html",
                    lambda: offline_page(fig, name, here),
                    f"{key}.html",
                    "HTML",
                    type="tertiary",
                    icon=None,
                    help="The figure as one file of 5 MB that opens in any browser, offline",
                )


def numbers(*shown: tuple[str, Any, str], width: int = 150) -> None:
    """Draw a row of numbers, each with its label and help; the row wraps at the page's width."""
    with st.container(horizontal=True):
        wide = round(1.25 * width) if projector() else width
        for label, value, help in shown:
            words = value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else number(value, 3)
            st.metric(label, words, help=help + meanings(label, label), width=wide)


def offer_changed_files() -> None:
    """Offer to read files again that have changed on disk since this session has read them."""
    names = uploaded.changed_files()
    if names:
        with in_row():
            st.info(f"{plain(', '.join(names)[:200])}: changed on disk.", icon=":material/sync:")
            button("Read again", "opened.again", state.change, uploaded.read_again, type="primary")


@contextmanager
def guarded() -> Iterator[None]:
    """Draw an error of kernlib, or a lack of memory, as one sentence on the page."""
    try:
        yield
    except compute.TooLongError as long:
        waiting.panel(long)
    except KernlibError as error:
        st.info(plain(error), icon=":material/info:")
    except MemoryError:
        st.info(NO_MEMORY, icon=":material/info:")


P = ParamSpec("P")


def drawer(control: str, label: str = "Evidence") -> Callable[[Callable[P, object]], Callable[P, None]]:
    """Return a decorator that puts what a function draws into a fold, which costs nothing while it is closed."""

    def folded(draw: Callable[P, object]) -> Callable[P, None]:
        @wraps(draw)
        def drawn(*given: P.args, **named: P.kwargs) -> None:
            box = expander(label, control)
            if box is not None:
                with box, guarded():
                    draw(*given, **named)

        return drawn

    return folded


def adopt_pressed(kernels: Sequence[Kernel], chosen: Any) -> None:
    """Make the kernel of the clicked point the current one; points have the places of their kernels."""
    place = pressed_value(chosen, "customdata")
    if place is not None and int(place) < len(kernels):
        state.adopt(kernels[int(place)])


def pressed_value(chosen: Any, otherwise: str = "x") -> Any:
    """Return the customdata, or else another part, of the first selected point; None without points.

    A row of a typed array comes back from the browser as {"0": value}.
    """
    for point in getattr(getattr(chosen, "selection", None), "points", None) or []:
        value = point.get("customdata", point.get(otherwise))
        if isinstance(value, dict):
            value = value.get("0")
        return next(iter(value), None) if isinstance(value, list | tuple) else value
    return None


def row_table(
    data: Dataset, rows: list[int], added: Mapping[str, Any] | None = None, label: bool = True, full: bool = False
) -> pd.DataFrame:
    """Return a table of rows: number, id unless ids are numbers, columns `added` by the caller, label, content.

    A column of the data that is named as one before it is shown as "name (column)". With `full` there is room for more
    columns and letters, and for the first values of a matrix.
    """
    table: dict[str, Any] = {"row": rows}
    if any(name != str(i) for i, name in enumerate(data.ids)):
        table["id"] = [data.ids[i] for i in rows]
    table |= added or {}
    if label and data.y is not None:
        table["label"] = [data.classes[int(data.y[i])] if data.classes else data.y[i] for i in rows]
    for name, cells in data.row_kind.cells(data, rows, full):
        while name in table:
            name = f"{name} (column)"
        table[name] = cells
    return pd.DataFrame(table)


def gram_panel(
    K: np.ndarray,
    order: np.ndarray,
    data: Dataset,
    title: str,
    key: str,
    name: str,
    colours: ValueRange = None,
    pair: tuple[int, int] | None = None,
) -> None:
    """Draw a Gram matrix of the rows in an order; a click on a cell opens its two rows on *See*."""
    panel(
        title,
        gram_heatmap(K, order, data.y, data.classes, data.ids, colours, pair),
        f"{key}.gram",
        fill="controls",
        name=name,
        data=lambda: pd.DataFrame(K, index=list(data.ids), columns=list(data.ids)).reset_index(names="row"),
    )
    cells_open_pairs(f"{key}.cells")
