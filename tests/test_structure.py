"""The house as it is drawn: what a wheel carries, and who may import whom."""

from __future__ import annotations

import tomllib
from pathlib import Path

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
