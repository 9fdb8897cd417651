"""Texts, read from the source: foreign text is made plain, sentences are short, docstrings begin with a verb."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

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
#: What Streamlit reads as Markdown.
MARKDOWN = {
    "badge",
    "button",
    "caption",
    "checkbox",
    "error",
    "expander",
    "file_uploader",
    "header",
    "info",
    "link_button",
    "markdown",
    "metric",
    "multiselect",
    "number_input",
    "pills",
    "popover",
    "progress",
    "radio",
    "segmented_control",
    "select_slider",
    "selectbox",
    "slider",
    "spinner",
    "subheader",
    "success",
    "tabs",
    "text_input",
    "title",
    "toast",
    "toggle",
    "warning",
    "write",
}
#: The texts among their arguments; a menu's options are shown as they are.
TEXTS = {"label", "body", "help", "text", "value"}
NAMES = {"error", "problem", "note", "file", "text"}
PARTS = NAMES | {"title", "ids", "classes", "columns", "recipe"}
MADE = {"chain", "chip", "str", "repr"}
SAFE = {"plain", "code", "chips", "lesson_markdown", "len", "range", "enumerate"}


def outside(node: ast.AST) -> list[str]:
    """The words in an expression that may come from outside and pass through nothing that makes them plain."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in SAFE:
            return []
        found = [name] if name in MADE else []
        children = [*node.args, *(k.value for k in node.keywords)]
        children += [node.func.value] if isinstance(node.func, ast.Attribute) else []
    elif isinstance(node, ast.Attribute) and ast.unparse(node).startswith("CATALOGUE["):
        return []  # the project's own samples
    elif isinstance(node, ast.Attribute):
        found, children = [node.attr] if node.attr in PARTS else [], [node.value]
    elif isinstance(node, ast.Name):
        found, children = [node.id] if node.id in NAMES else [], []
    elif isinstance(node, ast.Compare) or (isinstance(node, ast.FormattedValue) and node.format_spec is not None):
        return []  # a question, or a number
    elif isinstance(node, ast.IfExp):
        found, children = [], [node.body, node.orelse]
    else:
        found, children = [], list(ast.iter_child_nodes(node))
    return found + [word for child in children for word in outside(child)]


def leaks(source: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MARKDOWN):
            continue
        texts = [*node.args[:1], *(k.value for k in node.keywords if k.arg in TEXTS)]
        found += [f"line {node.lineno}: {word} in {ast.unparse(node)[:80]}" for t in texts for word in outside(t)]
    return found


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
    sentences = []
    for line, text in texts(ast.parse(source)):
        for sentence in re.split(r"(?<=[.!?])\s+|\n| · ", text):
            count = sum(bool(re.search(r"\w", word)) for word in sentence.split())
            if count > MOST_WORDS:
                sentences.append(f"line {line}, {count} words: {sentence}")
    return sentences


def test_foreign_text_is_made_plain():
    by_file = {str(f.relative_to(PAGES)): leaks(f.read_text(encoding="utf-8")) for f in sorted(PAGES.rglob("*.py"))}
    assert len(by_file) > 20
    assert {file: lines for file, lines in by_file.items() if lines} == {}


def test_a_leak_is_reported():
    assert leaks("st.error(str(error))")
    assert leaks('st.info(f"no: {error}")')
    assert leaks("place.caption(job.problem)")
    assert leaks('st.toggle("a", help=" → ".join(kernel.chain()))')
    assert not leaks('st.error(plain(error), icon="x")')
    assert not leaks('st.caption(f"{len(data.classes)} classes, {plain(data.title)}")')


def test_sentences_on_a_page_have_at_most_20_words():
    files = [f for room in (PAGES, *SHOWN) for f in sorted(room.rglob("*.py"))]
    assert len(files) > 60
    sentences = {str(f.relative_to(ROOT)): long_sentences(f.read_text(encoding="utf-8")) for f in files}
    assert {file: lines for file, lines in sentences.items() if lines} == {}


def test_a_long_sentence_is_reported():
    words = " ".join(["word"] * 12)
    assert long_sentences(f'st.caption(f"{words} {{n}} {words}")')
    assert not long_sentences(f'st.caption("{words}. {words}")')


def test_docstrings_of_functions_begin_with_a_verb():
    wrong = []
    for file in [*sorted((ROOT / "kernlib").rglob("*.py")), *sorted(PAGES.rglob("*.py"))]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            doc = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
            if doc and (not re.match(r"[A-Z][a-z]+\b", doc) or doc.split()[0].rstrip(",") in NOT_IMPERATIVE):
                wrong.append(f"{file.relative_to(ROOT)}:{node.lineno} {doc.splitlines()[0]}")
    assert wrong == []
