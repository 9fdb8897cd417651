"""How a page shows things: a question, a figure with caption and data, a sentence where it fails."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from kernlib import KernlibError
from kernlib.data import Dataset
from kernlib.figures.lecture import offline_page
from kernlib.figures.theme import alt, caption, enlarged, table

from . import compute, state, waiting
from .inert import inert_cells, plain
from .settled import settled

__all__ = [
    "BESIDE",
    "MAIN",
    "after_the_picture",
    "chart",
    "dress",
    "figure",
    "first_of",
    "guarded",
    "heading",
    "numbers",
    "offline",
    "panel",
    "picture_config",
    "pictures",
    "projector",
    "row_table",
    "selected_rows",
]

_HERE = Path(__file__).parent

#: How much of the window a figure fills: all that a page's heading leaves, all below a row of controls, one of two
#: pictures above each other there, one of two rows of small pictures. The style sheet has the heights.
Fill = Literal["page", "controls", "half", "strip"]
#: The page's main figure and what stands beside it: as wide, on every page.
MAIN = (5, 2)
#: Pixels of a number there: two stand side by side.
BESIDE = 125
#: Pixels that this comes to at 1440 × 900: taken until the browser has told what it comes to here.
_FIRST = {
    "page": 676, "controls": 600, "half": 262, "strip": 226, "controls-overview": 576, "half-overview": 250,
}  # fmt: skip
#: Where the session keeps them.
_HEIGHTS = "layout.heights"
#: How much larger letters of figures are for a bright room.
_ENLARGED = 1.35
#: Seconds in which a browser draws a main picture that has been sent.
_DRAWS = 0.12


_svg_button = st.components.v2.component("kernlib_picture", js=(_HERE / "picture.js").read_text())


def heading(question: str, lead: str) -> None:
    """The page's one question, and a sentence that says what is looked at."""
    st.header(question, anchor=False)
    st.caption(lead)


def dress() -> bool:
    """Put on the style sheet, the projector's where it is wanted; whether it is."""
    large = projector()
    st.html(_HERE / "style.css")
    if large:
        st.html(_HERE / "projector.css")
    return large


@st.fragment
def pictures() -> None:
    """What gives every figure of the page its button for an SVG, and tells the page's theme and how high figures are.

    It shows nothing itself. Heights are for the next figures: as the browser lets those that are there fill the window,
    nothing is drawn anew for them.
    """
    told = _svg_button(
        key="picture",
        data=_FIRST | st.session_state.get(_HEIGHTS, {}),
        on_theme_change=lambda: None,
        on_heights_change=lambda: None,
    )
    if told.get("heights"):
        st.session_state[_HEIGHTS] = told["heights"]
    if told.get("theme"):
        st.rerun()


def projector() -> bool:
    """Whether everything is to be larger, for a bright room."""
    return bool(st.session_state.get("projector"))


def figure(
    fig: Any, key: str, *, data: Any = None, name: str = "figure", fill: Fill | None = None, **options: Any
) -> Any:
    """A figure with its caption, its words for those who do not see it, its data as CSV, itself as one HTML file.

    `data` is a function that makes the table when it is asked for; without it, it is what is drawn. `fill` is for
    the page's main figure, which is as high as the window allows.
    """
    chosen = chart(fig, key, fill, config=picture_config(name), **options)
    with st.container(key=f"told-{key}", horizontal=True, wrap=False, vertical_alignment="top", gap="small"):
        st.caption(plain(caption(fig)), width="stretch")
        _csv(data or (lambda: table(fig)), key, name)
        offline(fig, key, name)
    return chosen


def chart(fig: Any, key: str, fill: Fill | None = None, **options: Any) -> Any:
    """The drawing alone, larger for a bright room, in its own height or filling the window."""
    drawn = _enlarged(fig)
    # What moves or is pressed in the browser goes by Plotly's own comparisons, and keeps Streamlit's theme.
    alive = bool(fig.frames) or "on_select" in options
    options |= {"key": key, "theme": "streamlit" if alive else None, "alt": alt(fig)}
    own = drawn.layout.height  # also that of the file to take away
    try:
        if fill is not None:
            drawn.layout.height = _height(fill, key.partition(".")[0])
            options["height"] = "stretch"
        sent = drawn if alive else settled(drawn, st.context.theme.type == "dark", _ENLARGED if projector() else 1.0)
        with nullcontext() if fill is None else st.container(key=f"fill-{fill}-{key}", gap=None):
            return st.plotly_chart(sent, **options)
    finally:
        drawn.layout.height = own


def _height(fill: Fill, page: str) -> int:
    """Pixels that a figure fills: drawn so from the start, it is drawn once."""
    kind = f"{fill}-{page}" if f"{fill}-{page}" in _FIRST else fill
    told = st.session_state.get(_HEIGHTS, {}).get(kind)
    return round(told) if isinstance(told, int | float) and 100 <= told <= 5000 else _FIRST[kind]


def after_the_picture() -> None:
    """Let the browser draw the page's main picture before it is sent what stands beside and below it.

    Else it draws all of it in one go, and shows nothing until the last small figure is done. Whoever drags on
    interrupts the page here, so that only the picture follows the slider.
    """
    time.sleep(_DRAWS)


def _enlarged(fig: Any) -> Any:
    if not projector():
        return fig
    large = enlarged(fig, _ENLARGED, ink="#ffffff" if st.context.theme.type == "dark" else "#000000")
    if large.layout.height:  # the same picture between larger words
        large.layout.height = round(_ENLARGED * large.layout.height)
    return large


def _csv(make: Callable[[], pd.DataFrame], key: str, name: str) -> None:
    st.download_button(
        "CSV",
        data=lambda: inert_cells(make()).to_csv(index=False).encode(),
        file_name=f"{name}.csv",
        mime="text/csv",
        key=f"{key}.csv",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        help="The figure's data",
    )


def first_of(label: str, ways: tuple[str, str], key: str, help: str | None = None) -> bool:
    """Two ways to see a figure, one of them chosen, the first to begin with: whether it is the first."""
    chosen = st.segmented_control(
        label, list(ways), default=ways[0], required=True, key=key, persist_state="session", help=help
    )
    return bool(chosen == ways[0])


def panel(title: str, fig: Any, key: str, *, name: str = "figure", fill: Fill | None = None, **options: Any) -> Any:
    """A figure among others: a line with its title, behind which caption and data fold away, and the figure."""
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
        st.markdown(f"**{title}**", width="stretch")
        with st.popover("", icon=":material/info:", type="tertiary", help="What to look for; data and file"):
            st.markdown(plain(caption(fig)))
            with st.container(horizontal=True):
                _csv(lambda: table(fig), key, name)
                offline(fig, key, name)
    return chart(fig, key, fill, config=picture_config(name), **options)


def offline(fig: Any, key: str, name: str) -> None:
    """A button that gives the figure as one file that works without a network."""
    link = f"{st.context.url or ''}?{urlencode(state.link())}"
    st.download_button(
        "HTML",
        data=lambda: offline_page(fig, name, link).encode(),
        file_name=f"{name}.html",
        mime="text/html",
        key=f"{key}.html",
        on_click="ignore",
        type="tertiary",
        icon=":material/present_to_all:",
        help="The figure as one file that opens in any browser without a network, 5 MB. "
        "Pictures for slides: PNG and SVG stand above the figure when the pointer is on it.",
    )


def picture_config(name: str) -> dict[str, Any]:
    """Plotly's own tools: the camera gives a PNG of twice the screen's resolution, `picture.js` an SVG beside it."""
    return {
        "displaylogo": False,
        "toImageButtonOptions": {"format": "png", "scale": 2, "filename": name},
    }


def numbers(*told: tuple[str, Any, str], width: int = 150) -> None:
    """A row of numbers, each with its label and its words; as many side by side as the page is wide."""
    with st.container(horizontal=True):
        for label, value, help in told:
            st.metric(label, _shown(value), help=help, width=round(1.25 * width) if projector() else width)


def _shown(value: Any) -> str:
    """A number to three digits; what does not exist is a dash."""
    if value is None or (isinstance(value, float) and value != value):
        return "–"
    if isinstance(value, float):
        return (f"{value:.0f}" if 1000 <= abs(value) < 1e6 else f"{value:.3g}").replace("-", "−")
    return f"{value:,}" if isinstance(value, int) else str(value)


@contextmanager
def guarded() -> Iterator[None]:
    """Turn what kernlib refuses into one sentence on the page."""
    try:
        yield
    except compute.TooLong as long:
        waiting.panel(long)
    except KernlibError as error:
        st.info(plain(error), icon=":material/info:")


def selected_rows(chosen: Any) -> list[int]:
    """Row numbers of the points that were brushed; each point carries its own as customdata."""
    points = getattr(getattr(chosen, "selection", None), "points", None) or []
    rows = []
    for point in points:
        number = point.get("customdata")
        # A row of a typed array comes back from the browser as {"0": number}.
        number = number.get("0") if isinstance(number, dict) else number
        number = number[0] if isinstance(number, (list, tuple)) else number
        if number is not None:
            rows.append(int(number))
    return sorted(set(rows))


def row_table(data: Dataset, rows: list[int]) -> pd.DataFrame:
    """Some rows as a person reads them: id, label, and the row itself where it is short."""
    table: dict[str, Any] = {"row": rows, "id": [data.ids[i] for i in rows]}
    if data.y is not None:
        table["label"] = [data.classes[int(data.y[i])] if data.classes else data.y[i] for i in rows]
    if data.domain in ("sequence", "text"):
        table["content"] = [str(data.rows[i])[:200] for i in rows]
    elif data.domain in ("vector", "categorical", "mixed"):
        for j, name in enumerate(data.columns[:12]):
            table[name] = [data.rows[i, j] for i in rows]
    return pd.DataFrame(table)
