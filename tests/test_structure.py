"""The house as it is drawn: what a wheel carries, and who may import whom."""

from __future__ import annotations

import ast
import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from pages import PAGES

PROJECT = Path(__file__).resolve().parent.parent


def test_a_wheel_carries_every_package_and_the_sample_data():
    made = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = {".".join(f.parent.relative_to(PROJECT).parts) for f in (PROJECT / "kernlib").rglob("__init__.py")}
    named = {*made["packages"]} - {"kernlib.sample_data"}
    assert folders == named, f"tool.setuptools.packages: add {sorted(folders - named)}, drop {sorted(named - folders)}"
    carried = {
        f for pattern in made["package-data"]["kernlib.sample_data"] for f in (PROJECT / "sample_data").glob(pattern)
    }
    assert {f for f in (PROJECT / "sample_data").rglob("*") if f.is_file()} <= carried
    assert (PROJECT / "kernlib" / "py.typed").is_file()
    assert made["package-data"]["kernlib"] == ["py.typed"]


def test_every_page_has_a_view_and_a_door():
    doors = {(PROJECT / "pages" / f"{page.address}.py").read_text() for page in PAGES[1:]}
    assert len(doors) == 1, "each door is the same script; see pages/parts/door.py"
    assert PAGES[0].address == ""
    views = {file.stem for file in (PROJECT / "pages" / "views").glob("*.py")}
    assert {page.view for page in PAGES} == views


def test_every_name_that_is_imported_exists():
    """Also on pages, which run only in the browser: two changes that fit the tests of each may not fit each other."""
    lost = []
    files = [PROJECT / "app.py", *(PROJECT / "kernlib").rglob("*.py"), *(PROJECT / "pages").rglob("*.py")]
    for file in files:
        package = ".".join(file.relative_to(PROJECT).parts[:-1])
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom):
                continue
            if not node.level and str(node.module).split(".")[0] not in ("kernlib", "pages"):
                continue
            source = import_module("." * node.level + (node.module or ""), package or None)
            for alias in node.names:
                module = hasattr(source, "__path__") and find_spec(f"{source.__name__}.{alias.name}")
                if alias.name != "*" and not hasattr(source, alias.name) and not module:
                    lost.append(f"{file.relative_to(PROJECT)}:{node.lineno}: {source.__name__}.{alias.name}")
    assert lost == []
