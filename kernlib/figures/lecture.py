"""A figure as one HTML file that works offline: for a lecture, a colleague, an archive."""

from __future__ import annotations

import html
from typing import Any

import plotly.graph_objects as go

from .theme import alt, caption, enlarged


def figure_html(fig: go.Figure, title: str = "kernlib", factor: float = 1.0, library: bool = True) -> str:
    """Return the figure as HTML with Plotly inside, about 5 MB, for a page on white that needs no network.

    Parameters: `title` names the pictures that are saved from it; `factor` enlarges letters and lines; `library` False
    for further figures of a page, which holds Plotly once. Films are played with the space bar and stepped with the
    arrow keys.
    """
    drawn = enlarged(fig, factor).update_layout(
        paper_bgcolor="white", plot_bgcolor="white", font_color="#202020", autosize=True
    )
    config: dict[str, Any] = {
        "displaylogo": False,
        "responsive": True,
        "toImageButtonOptions": {"format": "png", "scale": 2, "filename": _file_name(title)},
    }
    body = drawn.to_html(
        config=config,
        include_plotlyjs=library,
        full_html=False,
        default_height=f"{drawn.layout.height or 600}px",
    )
    return (
        f'<figure role="img" aria-label="{html.escape(alt(fig), quote=True)}" style="margin:0">{body}</figure>'
        f"<p>{html.escape(caption(fig))}{' Space plays, ← and → step.' if fig.frames else ''}</p>"
    )


def offline_page(fig: go.Figure, title: str = "kernlib", link: str = "", factor: float = 1.25) -> str:
    """Return the figure as a complete HTML page with Plotly inside, about 5 MB; it works offline.

    Parameters: `fig`; `title` of the page; `link` an address to return to, written under the figure as
    text; `factor` enlarges letters and lines relative to the dashboard. Films are played with
    the space bar and stepped with the arrow keys.

    >>> from kernlib.figures.gram import gram_heatmap
    >>> page = offline_page(gram_heatmap([[1.0, 0.5], [0.5, 1.0]]), "Two <rows>")
    >>> "<title>Two &lt;rows&gt;</title>" in page, "src=" in page.split("<script")[0]
    (True, False)
    """
    name = _file_name(title)
    pictures = " ".join(
        f'<button type="button" onclick="Plotly.downloadImage(document.querySelector(\'.plotly-graph-div\'), '
        f"{{format: '{kind}', scale: 2, filename: '{name}'}})\">{kind.upper()}</button>"
        for kind in ("png", "svg")
    )
    back = f"<p>{html.escape(link)}</p>" if link else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        "<style>body{font:18px sans-serif;color:#202020;margin:1rem auto;max-width:1500px;padding:0 1rem}</style>"
        f"</head><body>{figure_html(fig, title, factor)}<p>{pictures}</p>{back}</body></html>"
    )


def _file_name(title: str) -> str:
    kept = "".join(c if c.isalnum() else "-" for c in title.lower()).strip("-")
    return "-".join(part for part in kept.split("-") if part)[:60] or "figure"
