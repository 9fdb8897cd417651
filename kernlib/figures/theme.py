"""One look for all figures: template, colours for white and dark pages, inert labels, alt text, data as a table."""

from __future__ import annotations

import functools
import html
import itertools
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
from numpy.typing import ArrayLike, NDArray
from plotly.basedatatypes import convert_to_base64
from plotly.offline import get_plotlyjs

from ..values.words import inert_cell

if TYPE_CHECKING:
    import pandas as pd

#: Okabe and Ito's colours, moved until each has a contrast of at least 3 against white and against #0e1117.
CLASS_COLOURS = ("#1f7fc0", "#d55e00", "#00986f", "#c76ba0", "#b98200", "#4a94c9", "#9a6fd0", "#8a7a68")
BLUE, ORANGE, GREEN, PINK, GOLD, SKY, PURPLE, BROWN = CLASS_COLOURS
CLASS_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "triangle-down", "star")
#: Neutral lines and text: contrast 4.0 on white, 4.8 on #0e1117.
MUTED = "#808080"
FAINT = "rgba(128,128,128,0.25)"

# Viridis at eleven of its 256 steps, and blue to vermillion through a light grey at zero.
_DARK = ("#440154", "#482475", "#414487", "#355f8d", "#2a788e", "#21918c")
_BRIGHT = ("#22a884", "#44bf70", "#7ad151", "#bddf26", "#fde725")
SEQUENTIAL = [(place / 10, colour) for place, colour in enumerate(_DARK + _BRIGHT)]
#: The colours of errors: bright is small.
ERROR_SCALE = [(1 - place, colour) for place, colour in reversed(SEQUENTIAL)]
_COLD, _WARM = ("#08467f", "#1f6fb0", "#8bb7d9"), ("#eaa67c", "#cf5a0e", "#8f3500")
DIVERGING = list(zip((0.0, 0.15, 0.35, 0.5, 0.65, 0.85, 1.0), (*_COLD, "#e4e2de", *_WARM), strict=True))

#: Large and small numbers as digits or powers of ten, never as 100µ.
_POWERS = dict(exponentformat="power", minexponent=4)
_AXIS = _POWERS | dict(
    automargin=True,
    gridcolor=FAINT,
    linecolor=MUTED,
    tickcolor=MUTED,
    zerolinecolor="rgba(128,128,128,0.5)",
    zerolinewidth=1,
    ticks="outside",
    ticklen=4,
    title=dict(standoff=8),
)


pio.templates["kernlib"] = go.layout.Template(
    layout=dict(
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font=dict(color=MUTED, size=13),
        colorway=list(CLASS_COLOURS),
        colorscale=dict(sequential=SEQUENTIAL, diverging=DIVERGING),
        hoverlabel=dict(align="left", namelength=-1),
        title=dict(font=dict(size=15), x=0, xanchor="left", yref="container", y=0.98, yanchor="top"),
        xaxis=_AXIS,
        yaxis=_AXIS,
    ),
)

_INERT = {"<": "&lt;", ">": "&gt;", "&": "&amp;", "$": "&#36;", "{": "&#123;", "}": "&#125;"}


def escape(text: Any, limit: int = 40) -> str:
    """Return `text` as Plotly shows it literally: no markup, formula, template, control or bidi characters.

    At most `limit` characters of the text are kept, the last of them … when something was left out.

    >>> escape("<b>a</b>")
    '&lt;b&gt;a&lt;/b&gt;'
    """
    # Every character can grow no more than it can vanish: read a little beyond the limit, never 10 kB.
    raw = str(text)[: 8 * limit]
    kept = "".join(" " if c.isspace() else c for c in raw if c.isspace() or unicodedata.category(c)[0] != "C").strip()
    if len(kept) > limit or len(str(text)) > 8 * limit:
        kept = kept[: limit - 1] + "…"
    return "".join(_INERT.get(c, c) for c in kept)


def shorten(name: str, limit: int) -> str:
    """Return an escaped name with at most `limit` characters.

    >>> shorten("&lt;b&gt;", 2)
    '&lt;…'
    """
    return escape(html.unescape(name), limit)


def class_colour(code: int) -> str:
    """Return the colour of class number `code`; after eight classes the colours repeat, with other symbols."""
    return CLASS_COLOURS[code % len(CLASS_COLOURS)]


def class_symbol(code: int) -> str:
    """Return the marker of class number `code`."""
    return CLASS_SYMBOLS[code % len(CLASS_SYMBOLS)]


def faint(colour: str, opacity: float = 0.12) -> str:
    """Return a colour "#rrggbb" with an opacity, for areas behind what is drawn in the colour itself.

    >>> faint("#ff0010")
    'rgba(255,0,16,0.12)'
    """
    r, g, b = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({r},{g},{b},{opacity})"


def colour_bar(title: str = "") -> dict[str, Any]:
    """Return a thin colour bar at the right of a figure, with its title above it."""
    short = title if len(title) < 16 or "<br>" in title else title.replace(" ", "<br>")
    named = dict(title=dict(text=short, side="top")) if title else {}
    return dict(thickness=10, outlinewidth=0, **_POWERS, **named)


def class_names(classes: Iterable[Any], limit: int = 40) -> tuple[str, ...]:
    """Return `class_words`, escaped for a figure and at most `limit` characters long."""
    return tuple(escape(word, limit) for word in class_words(classes))


def class_words(classes: Iterable[Any]) -> tuple[str, ...]:
    """Return class names that read as names: a sign as text, a bare number as a class.

    >>> class_words(["-", "+"]), class_words([0, 1]), class_words(["benign", "malignant"])
    (('negative (−)', 'positive (+)'), ('class 0', 'class 1'), ('benign', 'malignant'))
    """
    signs = {"-": "negative (−)", "−": "negative (−)", "+": "positive (+)"}
    words = [signs.get(str(c).strip(), str(c)) for c in classes]
    bare = len(words) <= 4 and not any(c.isalpha() for word in words for c in word)
    return tuple(
        f"class {word.strip().replace('-', '−')}" if bare or not any(c.isalnum() for c in word) else word
        for word in words
    )


def read_classes(y: ArrayLike | None, classes: Sequence[Any] = ()) -> tuple[NDArray[np.intp] | None, tuple[str, ...]]:
    """Return class codes (n,) and escaped names; (None, ()) without labels or for real targets.

    Parameters: `y` codes into `classes`, or the labels themselves when `classes` is empty. Floating-point
    labels of more than two values, or with fractions, are real targets: a data set whose whole numbers are targets
    holds them as floats.

    >>> read_classes(["b", "a"])
    (array([1, 0]), ('a', 'b'))
    """
    if y is None:
        return None, ()
    raw = np.asarray(y)
    if len(classes):
        codes = raw.astype(np.intp)
        return codes, class_names(classes)
    if raw.dtype.kind == "f":
        few = np.unique(raw[np.isfinite(raw)])
        if few.size > 2 or (few != np.round(few)).any() or not np.isfinite(raw).all():
            return None, ()
        raw = raw.astype(np.int64)
    elif raw.dtype == object:
        raw = raw.astype(str)
    values, codes = np.unique(raw, return_inverse=True)
    return codes.astype(np.intp), class_names(values)


def look_up(values: ArrayLike, low: float, high: float, scale: Sequence[Any] = SEQUENTIAL) -> NDArray[np.uint8]:
    """Return RGB (…, 3) of `values` on a colour scale between `low` and `high`; clipped outside, nan is mid-grey."""
    stops, names = zip(*scale, strict=True)
    colours = np.array([[int(name[i : i + 2], 16) for i in (1, 3, 5)] for name in names]).T
    share = (np.asarray(values, dtype=np.float64) - low) / (high - low if high > low else 1.0)
    painted = np.stack([np.interp(share, stops, channel) for channel in colours], axis=-1)
    rounded: NDArray[np.uint8] = np.nan_to_num(painted, nan=128.0).round().astype(np.uint8)
    return rounded


def composed(
    data: Sequence[dict[str, Any]],
    x: str | dict[str, Any] = "",
    y: str | dict[str, Any] = "",
    *,
    alt: str,
    caption: str,
    height: int = 380,
    title: str | None = None,
    legend: bool | None = None,
    margin: dict[str, int] | None = None,
    over: Iterable[dict[str, Any]] = (),
    **layout: Any,
) -> go.Figure:
    """Return the figure of plain traces and a plain layout, with what every figure shares.

    Those are the template, a fixed uirevision, margins, the legend below, alt text and caption. Plotly checks the
    figure only when something reads or changes it, ten times as fast as call by call. Parameters: `x` and `y` axes, or
    their titles; `over` shapes and words over the traces; `margin` l, r, t, b in pixels where they differ from those of
    titles and legend. Where axes need more than the margins, the browser draws the figure twice.
    """
    named = sum(t.get("showlegend") is not False and bool(t.get("name")) for t in data)
    place: dict[str, Any] = dict(orientation="h", x=0, xanchor="left", y=0, yanchor="bottom", yref="container")
    if named > _ENTRIES_BELOW:
        place = dict(orientation="v", x=1.01, xanchor="left", y=1, yanchor="top")
    shown = named > 1 if legend is None else legend
    across, up = (axis(given) if isinstance(given, str) else given for given in (x, y))
    layout |= dict(xaxis=across, yaxis=up, shapes=[one for one in over if "type" in one])
    layout["annotations"] = words = [one for one in over if "type" not in one]
    below = (100 if shown else 74) if "title" in across else 74 if shown else 10
    sides = dict(l=84 if "title" in up else 10, r=10, t=40 if title or words else 14, b=below)
    given = {name: part for name, part in layout.items() if part not in ([], {})} | dict(
        template="kernlib",
        uirevision="kernlib",
        height=height,
        margin=sides | (margin or {}),
        showlegend=shown,
        # In the order of the traces: fills and stacked bars would reverse it.
        legend=dict(place, title=dict(text=""), traceorder="normal"),
        meta=dict(alt=_sentence(alt), caption=_sentence(caption)),
    )
    if title:
        given["title"] = dict(text=escape(title, 80))
    # The browser does not know shorthands of Plotly's Python, such as title_text.
    short = [key for name, part in given.items() if "axis" in name for key in part if "_" in key]
    assert not short, f"write {short} as nested dicts"
    return _Composed(dict(data=list(data), layout=given))


def axis(text: str = "", **more: Any) -> dict[str, Any]:
    """Return an axis with its title."""
    return (dict(title=dict(text=text)) if text else {}) | more


#: A legend with more entries is placed at the right, where it scrolls; below the figure it would cover the axis.
_ENTRIES_BELOW = 8


class _Composed(go.Figure):  # type: ignore[misc]  # Plotly has no types
    """A figure that is sent without a check. Plotly checks it when anything else reads or changes it.

    The check and its copy would take longer than all other work of a page for its figure.
    """

    def __init__(self, plain: dict[str, Any]) -> None:
        self._plain = plain

    def __getattr__(self, name: str) -> Any:
        plain = self.__dict__.pop("_plain", None)
        if plain is None:
            raise AttributeError(name)
        super().__init__(plain)
        return getattr(self, name)

    def to_dict(self) -> dict[str, Any]:
        plain = self.__dict__.get("_plain")
        if plain is None:
            checked: dict[str, Any] = super().to_dict()
            return checked
        drawn: dict[str, Any] = _drawn(plain)
        drawn["layout"]["template"] = _template(plain["layout"]["template"])
        return drawn


@functools.cache
def _template(name: str) -> dict[str, Any]:
    """Return a template as it is sent. All figures share the dict: do not change it."""
    template: dict[str, Any] = pio.templates[name].to_plotly_json()
    return template


def _drawn(node: Any) -> Any:
    """Return a copy of a plain figure, without None, and with arrays as Plotly's own figures send them."""
    if isinstance(node, dict):
        drawn = {k: _drawn(v) for k, v in node.items() if v is not None}
        arrays = {k: _lean(v) for k, v in drawn.items() if isinstance(v, np.ndarray)}
        convert_to_base64(arrays)
        return drawn | arrays
    nested = isinstance(node, list | tuple) and node and isinstance(node[0], dict | list | tuple)
    return [_drawn(v) for v in node] if nested else node


def _lean(values: NDArray[Any]) -> NDArray[Any]:
    """Return `values` in single precision where the picture is the same: half the bytes for the browser.

    Numbers beyond its range, or so far from zero that their differences would be lost, stay as they are.

    >>> [_lean(np.array([0.0, x])).dtype.name for x in (1.0, 1e60, 1e-60)], _lean(np.array([1e9, 1e9 + 1])).dtype.name
    (['float32', 'float64', 'float64'], 'float64')
    """
    if values.dtype != np.float64:
        return values
    known = values[np.isfinite(values)]
    with np.errstate(over="ignore"):
        narrow = values.astype(np.float32)
    same = not known.size or (np.abs(narrow[np.isfinite(values)] - known) <= 1e-4 * np.ptp(known)).all()
    return narrow if same else values


def enlarged(fig: go.Figure, factor: float = 1.35, ink: str = "") -> go.Figure:
    """Return a copy with letters `factor` times as large and thicker lines and markers, for a lecture hall.

    Parameters: `ink` the colour of all letters, "" to leave it to the page.

    >>> fig = go.Figure(go.Scatter(y=[1, 2], line_width=2), layout_font_size=10)
    >>> larger = enlarged(fig, 1.5)
    >>> larger.layout.font.size, larger.data[0].line.width
    (15, 3.0)
    """
    drawn = fig.to_dict()
    layout = drawn.setdefault("layout", {})
    layout["font"] = {"size": 13} | layout.get("font", {})
    drawn = _larger(drawn, factor)
    # Margins that were given for the usual letters grow with the letters.
    margin = drawn["layout"].get("margin", {})
    margin |= {side: round(factor * margin[side]) for side in ("l", "b", "t") if side in margin}
    larger = go.Figure(drawn)
    if ink:
        axes = dict(tickfont_color=ink, title_font_color=ink)
        larger.update_layout(font_color=ink, legend_font_color=ink).update_xaxes(**axes).update_yaxes(**axes)
    return larger


def _larger(node: Any, factor: float, of: str = "") -> Any:
    """Return a part of a figure, the value `of` its parent, with larger letters, lines and markers."""
    if isinstance(node, list | tuple) and node and isinstance(node[0], dict | list | tuple):
        return [_larger(child, factor) for child in node]
    if not isinstance(node, dict) or of == "template":
        return node
    larger = {name: _larger(value, factor, name) for name, value in node.items()}
    letters = of.endswith("font")
    name = "width" if of == "line" else "size" if of == "marker" or letters else ""
    if isinstance(size := larger.get(name), int | float):
        larger[name] = round(size * factor) if letters else size * factor
    return larger


def _sentence(text: str) -> str:
    # Names in it were escaped for Plotly's labels; here they are shown and read aloud as plain text.
    return html.unescape(" ".join(text.split()))


def alt(fig: go.Figure) -> str:
    """Return the figure's alternative text, for readers who cannot see it."""
    return str(plain(fig)["layout"].get("meta", {}).get("alt", ""))


def caption(fig: go.Figure) -> str:
    """Return the caption: how to read the figure, in one or two sentences."""
    return str(plain(fig)["layout"].get("meta", {}).get("caption", ""))


def captioned(fig: go.Figure, words: str, alternative: str = "") -> go.Figure:
    """Return the figure with another text as its caption, and where one is given another alternative text."""
    meta = dict(alt=alternative or alt(fig), caption=words)
    if "_plain" not in fig.__dict__:
        return fig.update_layout(meta=meta)
    fig._plain["layout"]["meta"] = meta
    return fig


def plain(fig: go.Figure) -> dict[str, Any]:
    """Return the traces and the layout of a figure as plain dicts, of `composed` as they were given."""
    drawn: dict[str, Any] = fig.__dict__.get("_plain") or fig.to_plotly_json()
    return drawn


def table(fig: go.Figure) -> pd.DataFrame:
    """Return the plotted data as a DataFrame for a CSV file.

    A single heatmap gives its matrix with row and column labels; anything else one row per point, with
    columns series, x, y and, where the trace has them, z, label and error. Text that a spreadsheet would run
    as a formula starts with an apostrophe.
    """
    import pandas as pd

    if len(fig.data) == 1 and fig.data[0].type == "heatmap":
        z = np.asarray(fig.data[0].z)
        down, across = (_places(fig, fig.data[0], key, n) for key, n in zip("yx", z.shape, strict=True))
        return pd.DataFrame(z, pd.Index(down, name="row"), across)
    series = [_series(fig, trace, f"series {i + 1}") for i, trace in enumerate(fig.data)]
    frames = [pd.DataFrame(columns) for columns in series if len({len(v) for v in columns.values()}) == 1]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame({"series": []})


def _series(fig: go.Figure, trace: Any, name: str) -> dict[str, Any]:
    """Return the columns of a trace; none of one that only helps the eye (guides, key entries without data)."""
    if isinstance(trace.meta, dict) and trace.meta.get("decoration"):
        return {}
    if trace.type == "heatmap":
        z = np.asarray(trace.z)
        x, y = _places(fig, trace, "x", z.shape[1]), _places(fig, trace, "y", len(z))
        columns = {"x": np.tile(x, len(y)), "y": np.repeat(y, len(x)), "z": z.ravel()}
    else:
        columns = {key: _places(fig, trace, key, len(trace[key])) for key in "xy" if trace[key] is not None}
        if not isinstance(trace.hovertext, str | None):
            columns["label"] = _inert(trace.hovertext)
        if "error_y" in trace and trace.error_y.array is not None:
            columns["error"] = np.asarray(trace.error_y.array)
    n = max(map(len, columns.values()), default=0)
    return {"series": _inert([trace.name or name] * n)} | columns


def _places(fig: go.Figure, trace: Any, key: str, n: int) -> NDArray[Any]:
    """Return the x or y of a trace: on an axis of `places_axis` the names of its places, row numbers for none."""
    if trace[key] is None:
        return np.arange(n)
    places, axis = _inert(trace[key]), fig.layout[f"{key}axis{(trace[f'{key}axis'] or key)[1:]}"]
    names = axis.ticktext
    if names is None or list(axis.tickvals) != list(range(len(names))) or places.dtype.kind not in "iu":
        return places
    known = n and places.min() >= 0 and places.max() < len(names)
    return _inert(names)[places] if known else places


def _inert(values: Any) -> NDArray[Any]:
    """Return labels unescaped, and numbers as they are."""
    array = np.asarray(values)
    if array.dtype.kind not in "OUS":
        return array
    return np.array([inert_cell(html.unescape(v)) if isinstance(v, str) else v for v in array.tolist()], dtype=object)


def row_labels(ids: Sequence[Any] | None, n: int) -> NDArray[Any]:
    """Return the hover text of each row, (n,): its number, and its id if that differs."""
    return _row_labels(tuple(map(str, range(n) if ids is None else ids)))


@functools.lru_cache(maxsize=4)  # the same rows for every value of a slider
def _row_labels(ids: tuple[str, ...]) -> NDArray[Any]:
    words = [f"row {i}" if v == str(i) else f"{escape(v)} (row {i})" for i, v in enumerate(ids)]
    labels = np.array(words, dtype=object)
    labels.flags.writeable = False
    return labels


def runs(codes: NDArray[np.intp]) -> list[tuple[int, int, int]]:
    """Return (code, start, stop) of every run of equal neighbours."""
    ends = [0, *(np.flatnonzero(np.diff(codes)) + 1).tolist(), len(codes)]
    return [(int(codes[start]), start, stop) for start, stop in itertools.pairwise(ends) if stop]


# -- a figure as a file ----------------------------------------------------------------------


#: Draws the figures of `plot_html` with Plotly.
PLOT_SCRIPT = """
for (const node of document.querySelectorAll('.plot')) {
  const fig = JSON.parse(node.nextElementSibling.textContent);
  Plotly.newPlot(node, fig.data, fig.layout, {displaylogo: false, responsive: true});
}
"""


def plot_html(fig: go.Figure, factor: float) -> str:
    """Return the enlarged figure for a page on white that has Plotly and `PLOT_SCRIPT`."""
    drawn = enlarged(fig, factor).update_layout(paper_bgcolor="white", plot_bgcolor="white", font_color="#202020")
    return (
        f'<figure role="img" aria-label="{html.escape(alt(fig), quote=True)}" style="margin:0">'
        f'<div class="plot" style="height:{drawn.layout.height or 600}px"></div>{json_block(drawn.to_json(), "data")}'
        f"<figcaption>{html.escape(caption(fig))}</figcaption></figure>"
    )


def json_block(text: str, name: str) -> str:
    """Return JSON as an element of a page that no text inside can end."""
    return f'<script type="application/json" class="{name}">{text.replace("<", chr(92) + "u003c")}</script>'


def figure_html(fig: go.Figure, factor: float = 1.0) -> str:
    """Return the figure as HTML with Plotly inside, about 5 MB, for a page on white that needs no network."""
    return f"<script>{get_plotlyjs()}</script>{plot_html(fig, factor)}<script>{PLOT_SCRIPT}</script>"


def offline_page(fig: go.Figure, title: str = "kernlib", link: str = "") -> str:
    """Return the figure as a complete HTML page with Plotly inside, about 5 MB; it works offline.

    Parameters: `fig`; `title` of the page; `link` an address to return to, written under the figure as
    text. Letters and lines are larger than on the dashboard.

    >>> from kernlib.figures.gram import gram_heatmap
    >>> page = offline_page(gram_heatmap([[1.0, 0.5], [0.5, 1.0]]), "Two <rows>")
    >>> "<title>Two &lt;rows&gt;</title>" in page, "src=" in page.split("<script")[0]
    (True, False)
    """
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        "<style>body{font:18px sans-serif;color:#202020;margin:1rem auto;max-width:1500px;padding:0 1rem}</style>"
        f"</head><body>{figure_html(fig, 1.25)}<p>{html.escape(link)}</p></body></html>"
    )
