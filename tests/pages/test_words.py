"""Texts, read from the source: foreign text is made plain, sentences are short, docstrings begin with a verb."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path

import streamlit

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "pages"
#: The rooms of the library whose texts stand on pages.
SHOWN = [ROOT / "kernlib" / room for room in ("figures", "labs", "stories", "explain")]
MOST_WORDS = 20
#: A function's docstring says in the imperative what it returns or does.
NOT_IMPERATIVE = {
    "What",
    "Whether",
    "How",
    "Why",
    "If",
    "Nothing",
    "Where",
    "When",
    "Who",
    "A",
    "An",
    "The",
    "This",
    "That",
    "It",
    "As",
    "All",
    "One",
    "Number",
    "Mean",
}
#: The arguments of Streamlit's functions that are read as Markdown; a menu's options are shown as they are.
TEXTS = {"label", "body", "help", "text", "value"}
#: These show their text as it is, or only texts of our own.
AS_IT_IS = {"Page", "code", "download_button", "html", "json", "latex", "mermaid_chart", "set_option", "text"}
FUNCTIONS = {name: one for name, one in vars(streamlit).items() if callable(one) and name not in AS_IT_IS}
MARKDOWN = {"tabs", "write", *(name for name, one in FUNCTIONS.items() if TEXTS & signature(one).parameters.keys())}
NAMES = {"error", "problem", "note", "file", "text"}
PARTS = NAMES | {"title", "ids", "classes", "columns", "recipe"}
MADE = {"chain", "chip", "str", "repr"}
SAFE = {"plain", "code", "chips", "len", "range", "enumerate"}


def outside(node: ast.AST) -> list[str]:
    """The words in an expression that may come from outside and pass through nothing that makes them plain."""
    found, children = [], list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in SAFE:
            return []
        found = [name] if name in MADE else []
        children = [*node.args, *(k.value for k in node.keywords), *ast.iter_child_nodes(node.func)]
    elif isinstance(node, ast.Attribute) and ast.unparse(node).startswith(("CATALOGUE[", "step.text")):
        return []  # the project's own samples, and lessons: `read_lesson` refuses HTML and pictures
    elif isinstance(node, ast.Attribute | ast.Name):
        name, names = (node.attr, PARTS) if isinstance(node, ast.Attribute) else (node.id, NAMES)
        found = [name] if name in names else []
    elif isinstance(node, ast.Compare) or (isinstance(node, ast.FormattedValue) and node.format_spec is not None):
        return []  # a question, or a number
    elif isinstance(node, ast.IfExp):
        children = [node.body, node.orelse]
    return found + [word for child in children for word in outside(child)]


def leaks(source: str) -> list[str]:
    return [
        f"line {node.lineno}: {word} in {ast.unparse(node)[:80]}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MARKDOWN
        for text in (*node.args[:1], *(k.value for k in node.keywords if k.arg in TEXTS))
        for word in outside(text)
    ]


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the literals that can reach the screen: no docstring, error or style sheet; a value counts as a word."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise):
            skipped |= {id(below) for below in ast.walk(node)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            words = "".join(str(v.value) if isinstance(v, ast.Constant) else "0" for v in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value
        else:
            continue
        if not words.startswith("\n"):  # a script or a style sheet
            yield node.lineno, words


def long_sentences(source: str) -> list[str]:
    return [
        f"line {line}, {count} words: {sentence}"
        for line, text in texts(ast.parse(source))
        for sentence in re.split(r"(?<=[.!?])\s+|\n| · ", text)
        if (count := sum(bool(re.search(r"\w", word)) for word in sentence.split())) > MOST_WORDS
    ]


def complaints(check: Callable[[str], list[str]], *rooms: Path) -> list[str]:
    """Return what a check finds in the modules of some rooms, each with its file."""
    files = [file for room in rooms for file in sorted(room.rglob("*.py"))]
    assert len(files) > 20
    return [f"{file.relative_to(ROOT)}: {one}" for file in files for one in check(file.read_text(encoding="utf-8"))]


def test_foreign_text_is_made_plain():
    assert complaints(leaks, PAGES) == []


def test_a_leak_is_reported():
    assert leaks("st.error(str(error))")
    assert leaks('st.info(f"no: {error}")')
    assert leaks("place.caption(job.problem)")
    assert leaks('st.toggle("a", help=" → ".join(kernel.chain()))')
    assert not leaks('st.error(plain(error), icon="x")')
    assert not leaks('st.caption(f"{len(data.classes)} classes, {plain(data.title)}")')


def test_sentences_on_a_page_have_at_most_20_words():
    assert complaints(long_sentences, PAGES, *SHOWN) == []


def test_a_long_sentence_is_reported():
    words = " ".join(["word"] * 12)
    assert long_sentences(f'st.caption(f"{words} {{n}} {words}")')
    assert not long_sentences(f'st.caption("{words}. {words}")')


def weak_docstrings(source: str) -> list[str]:
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    docs = [(node.lineno, doc.split()[0]) for node in functions if (doc := ast.get_docstring(node))]
    return [
        f"line {line}: {word}"
        for line, word in docs
        if not re.match(r"[A-Z][a-z]+\b", word) or word.rstrip(",") in NOT_IMPERATIVE
    ]


def test_docstrings_of_functions_begin_with_a_verb():
    assert complaints(weak_docstrings, ROOT / "kernlib", PAGES) == []
