"""Texts on a page: foreign words shown literally, and the meaning of a term where it stands first.

Streamlit reads most texts as Markdown, in which a word from outside can fetch a picture from anywhere, be a link that
looks like ours, or vanish. Every page shows such words through `plain` or `code`, errors included, since they quote
what was wrong; figures have `kernlib.figures.theme.escape`, and tables to download `inert_cells`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

import pandas as pd

from kernlib.values.words import GLOSSARY, inert_cell, terms_in
from pages.parts.server.holder import keep, kept

#: WORD JOINER: invisible, breaks no line, and stops an address from becoming a link.
_APART = "\u2060"
_MARKS = re.compile(r"([\\`*_\[\]$~<>#|&])")
#: Addresses, icons and emoji are found in the finished text, where a backslash no longer helps.
_SPELT = re.compile(r"(?<=:)(?=[\w+/-])|(?<=www)(?=\.)|(?<=@)(?=\w)|(?<=-)(?=-)", re.IGNORECASE)
_ARROWS = re.compile(r"(?<=-)(?=\\>)|(?<=<)(?=-)")


def plain(text: object) -> str:
    """Return text that Markdown shows literally: no emphasis, link, image, formula, icon, list or HTML.

    Signs of control or direction are left out, and all white space is one blank.

    >>> plain("<b>*a*</b> [x](//y) \\u202e$z$")
    '\\\\<b\\\\>\\\\*a\\\\*\\\\</b\\\\> \\\\[x\\\\](//y) \\\\$z\\\\$'
    """
    shown = _visible(text)
    shown = _ARROWS.sub(_APART, _SPELT.sub(_APART, _MARKS.sub(r"\\\1", shown)))
    # A first sign that would begin a list or a line across the page.
    return _APART + shown if re.match(r"[-+=]|\d+[.)]", shown) else shown


def code(text: object) -> str:
    """Return text between backticks, more of them than the text contains.

    >>> code("a`b")
    '``a`b``'
    """
    shown = _visible(text) or " "
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _visible(text: object) -> str:
    words = " ".join(str(text).split())
    return "".join(c for c in words if unicodedata.category(c)[0] != "C")


def inert_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table for a CSV export: words that a spreadsheet would run as a formula begin with an apostrophe.

    The download that a table on the page brings with it gives the cells as they were read: they are the person's own.

    >>> inert_cells(pd.DataFrame({"=a": ["=cmd()", "-1.5", "b"]})).to_csv(index=False).split()
    ["'=a", "'=cmd()", '-1.5', 'b']
    """

    def inert(value: Any) -> Any:
        return inert_cell(value) if isinstance(value, str) else value

    safe = frame.rename(columns=inert)
    for j in range(safe.shape[1]):
        if safe.dtypes.iloc[j].kind not in "ifbc":
            safe.isetitem(j, safe.iloc[:, j].map(inert))
    return safe


#: The meanings, for `picture.js`, which shows them: a link names its term by the term's slug.
SCRIPT = f"const MEANINGS = {json.dumps({t.slug: [t.name, t.meaning] for t in GLOSSARY}, ensure_ascii=False)};\n"
#: Where the session keeps at which place of the page each term stands first: a fragment's run agrees with the page's.
_FIRST = "terms.first"
#: Markdown in which no link can stand: code, formulas, links, directives. Bounded: a link may begin at each bracket.
_CLOSED = re.compile(r"`[^`]*`|\$[^$]*\$|!?\[[^\]]{0,500}\]\([^)]{0,500}\)|:[\w/]+:|:[\w-]+\[")


def begin_page() -> None:
    """Forget which terms the page has explained: a run of the whole page begins."""
    keep(_FIRST, {})


def explained(markdown: str, place: str | None) -> str:
    """Return Markdown in which each term's first use on the page links to its meaning.

    Parameters: `place` the text's own name on the page; None explains every term, for a text that is folded away.
    """
    first: dict[str, str | None] = {} if place is None else kept(_FIRST, dict)
    closed = [match.span() for match in _CLOSED.finditer(markdown)]
    linked: set[str] = set()
    pieces, end = [], 0
    for start, stop, term in terms_in(markdown):
        apart = all(stop <= a or b <= start for a, b in closed)
        if apart and term.slug not in linked and first.setdefault(term.slug, place) == place:
            linked.add(term.slug)
            pieces += [markdown[end:start], f"[{markdown[start:stop]}](#term-{term.slug})"]
            end = stop
    return "".join([*pieces, markdown[end:]])


def meanings(label: str, place: str) -> str:
    """Return the meanings of the terms that a label uses first on the page, as Markdown below its help."""
    first = kept(_FIRST, dict[str, str | None])
    terms = {term for _, _, term in terms_in(label) if first.setdefault(term.slug, place) == place}
    return "".join(f"\n\n**{term.name}**: {term.meaning}" for term in sorted(terms, key=lambda term: term.name))
