"""A figure as one HTML file that works offline: for a lecture, a colleague, an archive."""

from __future__ import annotations

import html
from typing import Any

import plotly.graph_objects as go

from .theme import alt, caption, enlarged

# Keyboard control of films: Plotly's own slider and buttons have none.
_KEYS = """
const gd = document.getElementById('{plot_id}');
const names = ((gd.layout.sliders || [{}])[0].steps || []).map(step => step.args[0][0]);
if (names.length) {
  let playing = false;
  const still = {mode: 'immediate', frame: {duration: 0, redraw: true}, transition: {duration: 0}};
  const at = () => (gd.layout.sliders && gd.layout.sliders[0].active) || 0;
  const inside = i => Math.max(0, Math.min(names.length - 1, i));
  const show = i => { playing = false; Plotly.animate(gd, [names[inside(i)]], still); };
  document.addEventListener('keydown', event => {
    if (event.key === 'ArrowRight') show(at() + 1);
    else if (event.key === 'ArrowLeft') show(at() - 1);
    else if (event.key === 'Home') show(0);
    else if (event.key === 'End') show(names.length - 1);
    else if (event.key === ' ') {
      if (playing) show(at());
      else { playing = true; Plotly.animate(gd, null, {mode: 'immediate', fromcurrent: at() < names.length - 1,
        frame: {duration: 500, redraw: true}, transition: {duration: 0}}); }
    } else return;
    event.preventDefault();
  });
}
"""


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
        post_script=_KEYS if drawn.frames else None,
        auto_play=False,
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
