"""A report: titled parts with sentences, a table, or code, written as Markdown or as a page of HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .words import table_lines

_PAGE = """\
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title>
<style>
body{font:16px sans-serif;color:#202020;margin:1rem auto;max-width:1100px;padding:0 1rem}
table{border-collapse:collapse;font-size:14px}
td,th{border-bottom:1px solid #ccc;padding:.3rem .6rem;text-align:left;vertical-align:top}
pre{background:#f4f4f4;padding:.8rem;overflow-x:auto}
</style></head><body><h1>{{ title }}</h1>
{% for part in parts -%}
<h2>{{ part.title }}</h2>
{%- for text in part.text if text %}<p>{{ text }}</p>{% endfor %}
{%- if part.header %}
<table>
<tr>{% for cell in part.header %}<th>{{ cell }}</th>{% endfor %}</tr>
{%- for row in part.rows %}
<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{%- endfor %}
</table>
{%- endif %}
{%- if part.code %}<pre>{{ part.code }}</pre>{% endif %}
{%- if loop.first %}{{ figure | safe }}{% endif %}
{% endfor -%}
</body></html>
"""


@dataclass(frozen=True)
class Section:
    """A part of a report: its `title`, sentences in `text`, a table as `rows` under `header`, or `code`."""

    title: str
    text: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    code: str = ""


def markdown(title: str, parts: Sequence[Section]) -> str:
    """Return a report as Markdown, for a repository or a notebook.

    >>> print(markdown("T", (Section("Verdict", ("A|B is best.",)), Section("Table", (), ("a",), (("x|y",),)))))
    # T
    <BLANKLINE>
    ## Verdict
    <BLANKLINE>
    A\\|B is best.
    <BLANKLINE>
    ## Table
    <BLANKLINE>
    | a |
    |---|
    | x\\|y |
    <BLANKLINE>
    """
    lines = [f"# {_inert(title)}", ""]
    for part in parts:
        lines += [f"## {part.title}", ""]
        lines += [line for text in part.text if text for line in (_inert(text), "")]
        if part.header:
            first, *others = (list(map(_inert, row)) for row in (part.header, *part.rows))
            lines += [*table_lines(first, others), ""]
        if part.code:
            lines += ["```sh" if part.code.startswith("python ") else "```python", part.code.rstrip(), "```", ""]
    return "\n".join(lines)


def page(title: str, parts: Sequence[Section], figure: str = "") -> str:
    """Return a report as one HTML page; `figure` is the HTML of a figure for the place below the verdict.

    >>> "<h2>Verdict</h2><p>A &lt; B</p>" in page("T", (Section("Verdict", ("A < B",)),))
    True
    """
    from jinja2 import Environment

    return Environment(autoescape=True).from_string(_PAGE).render(title=title, parts=parts, figure=figure)


def _inert(text: str) -> str:
    """Escape a line, so that Markdown shows it as it is: no table, emphasis, link or HTML."""
    words = " ".join(text.split())
    return "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in words)
