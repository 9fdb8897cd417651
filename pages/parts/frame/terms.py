"""The glossary on the page: a term's meaning, shown where the term stands first."""

from __future__ import annotations

import json
import re

from kernlib.values.glossary import GLOSSARY, terms_in
from pages.parts.server.holder import keep, kept

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
