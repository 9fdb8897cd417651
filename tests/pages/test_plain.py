"""Words from outside, on every page and in every figure: they are read, and do nothing."""

from __future__ import annotations

import json
import re

import pytest

from kernlib.data import readings
from kernlib.values.words import GLOSSARY
from pages.parts.inputs.controls import code, plain

from .drive import VIEWS, link_words, open_app, show, upload

LIVE = (
    "<img src=x onerror=alert(1)> ![i](http://evil.example/p.png) [sign in](http://evil.example) "
    "<a href='http://evil.example'>x</a> https://evil.example www.evil.example me@evil.example "
    ":material/home: :red[x] $x^2$"
)
#: What Streamlit's Markdown would bring to life, in the text as it is sent.
DEADLY = re.compile(
    r"(?<!\\)\]\(|(?<!\\)<(?:a|img)\b|https?://(?!\u2060)\w|\bwww\.\w|@evil|:material/home|:red|(?<!\\)\$x",
    re.IGNORECASE,
)
#: The ends of the app's own links, from a term to its meaning.
MEANING = re.compile(rf"\]\(#term-(?:{'|'.join(re.escape(term.slug) for term in GLOSSARY)})\)")


def texts(app) -> list[str]:
    """Return all Markdown that a page sends in labels, helps and bodies, without links to meanings of terms."""
    found: list[str] = []

    def walk(message) -> None:
        for field, value in message.ListFields():
            if field.name in ("spec", "arrow_data", "config", "data", "id", "options", "raw_values", "columns"):
                continue  # figures and tables are looked at apart; a menu's options are no Markdown
            if field.message_type is not None:
                for part in value if hasattr(value, "add") else [value]:
                    if hasattr(part, "ListFields"):
                        walk(part)
            elif field.name in ("body", "label", "help", "text", "caption") and isinstance(value, str):
                found.append(MEANING.sub("]", value))

    for node in app._tree:
        if hasattr(proto := getattr(node, "proto", None), "ListFields"):
            walk(proto)
    return found


#: Names of columns, ids and labels that are all links.
HOSTILE_CSV = f'"{LIVE} a","{LIVE} b","{LIVE}"\n' + "".join(
    f'{i % 5}.5,{i * i % 7}.25,"{LIVE} {"xy"[i % 2]}"\n' for i in range(40)
)


@pytest.mark.parametrize("link", [{"data": LIVE}, {"kernel": LIVE}, {"kernel": f"Mismatch(alphabet={LIVE!r})"}])
def test_words_of_a_link_are_shown_and_nothing_more(link):
    app = open_app(**link)
    assert len(link_words(app)) == 1
    for text in texts(app):
        assert not DEADLY.search(text), text


def test_words_of_a_kernel_that_is_shown():
    letters = "".join(dict.fromkeys(LIVE + "ACGT`"))
    app = open_app("curves", data="markov-strings", kernel=f"Mismatch(length=2, alphabet={letters!r})", g__n="20")
    for text in texts(app):
        assert not re.search(r"(?<![\\`])\$x|(?<!\\)<img", text), text


def test_an_upload_that_is_all_links():
    reading = readings(f"{LIVE.replace('/', '')}.csv", HOSTILE_CSV.encode())[0]
    data = reading.dataset(label=reading.candidates[0])
    assert any("evil" in str(name) for name in (*data.classes, *data.columns))
    app = upload(open_app("see"), data)
    for view in VIEWS:
        show(app, view)
        for text in texts(app):
            assert not DEADLY.search(text), text
        for chart in app.get("plotly_chart"):
            drawn = json.loads(chart.proto.spec)
            drawn["layout"].pop("meta", None)  # alt text and caption, which Plotly does not draw
            assert not re.search(r"<a |<img|\$x\^2", json.dumps(drawn)), chart.proto.id


@pytest.mark.parametrize("text", [LIVE, "- a", "1. a", "--", "a -> b", "a\u202eb\x07", "``x`", "# a", "=", ""])
def test_text_is_kept(text):
    """What is shown is what was there, but for marks that show nothing."""
    shown = re.sub(r"\\([\\`*_\[\]$~<>#|&])", r"\1", plain(text)).replace("\u2060", "")
    assert shown == " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())
    assert not DEADLY.search(plain(text))
    inside = code(text)
    fence = re.match("`+", inside).group()
    assert fence not in inside[len(fence) : -len(fence)]
