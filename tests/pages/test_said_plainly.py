"""Words that are not ours reach a page through `plain` or `code` alone: read from the pages' own source."""

from __future__ import annotations

import ast
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "pages"
#: What Streamlit reads as Markdown.
MARKDOWN = {
    "badge", "button", "caption", "checkbox", "error", "expander", "file_uploader", "header", "info", "link_button",
    "markdown", "metric", "multiselect", "number_input", "pills", "popover", "progress", "radio", "segmented_control",
    "select_slider", "selectbox", "slider", "spinner", "subheader", "success", "tabs", "text_input", "title", "toast",
    "toggle", "warning", "write",
}  # fmt: skip
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


def test_what_is_not_ours_is_said_plainly():
    told = {str(f.relative_to(PAGES)): leaks(f.read_text(encoding="utf-8")) for f in sorted(PAGES.rglob("*.py"))}
    assert len(told) > 20
    assert {file: found for file, found in told.items() if found} == {}


def test_it_would_be_seen():
    assert leaks("st.error(str(error))")
    assert leaks('st.info(f"no: {error}")')
    assert leaks("place.caption(job.problem)")
    assert leaks('st.toggle("a", help=" → ".join(kernel.chain()))')
    assert not leaks('st.error(plain(error), icon="x")')
    assert not leaks('st.caption(f"{len(data.classes)} classes, {plain(data.title)}")')
