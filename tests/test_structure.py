"""The house as it is drawn: what a wheel carries, and who may import whom."""

from __future__ import annotations

import ast
import doctest
import graphlib
import itertools
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.testing import assert_array_equal

from kernlib.data.catalogue import CATALOGUE
from kernlib.kinds import KINDS
from kernlib.registry import KERNELS
from pages import MOVED, PAGES

PROJECT = Path(__file__).resolve().parent.parent
FILES = [PROJECT / "app.py", *(PROJECT / "kernlib").rglob("*.py"), *(PROJECT / "pages").rglob("*.py")]


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def test_a_wheel_carries_every_package_and_the_sample_data():
    declared = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    made = declared["tool"]["setuptools"]
    folders = {".".join(f.parent.relative_to(PROJECT).parts) for f in (PROJECT / "kernlib").rglob("__init__.py")}
    folders |= {"kernlib.dashboard"} | {
        ".".join(("kernlib.dashboard", *f.parent.relative_to(PROJECT).parts)) for f in (PROJECT / "pages").rglob("*.py")
    }
    named = {*made["packages"]} - {"kernlib.sample_data"}
    assert folders == named, f"tool.setuptools.packages: add {sorted(folders - named)}, drop {sorted(named - folders)}"
    carried = {
        f for pattern in made["package-data"]["kernlib.sample_data"] for f in (PROJECT / "sample_data").glob(pattern)
    }
    assert {f for f in (PROJECT / "sample_data").rglob("*") if f.is_file()} <= carried
    assert declared["project"]["license-files"] == ["LICENSE", "sample_data/README.md", "sample_data/GPL-2.0.txt"]
    excluded = made["exclude-package-data"]["kernlib.sample_data"]
    folder = PROJECT / "sample_data"
    left_out = {str(f.relative_to(folder)) for pattern in excluded for f in folder.glob(pattern)}
    assert left_out == {f for e in CATALOGUE.values() if "not in the wheel" in e.licence for f in e.files}
    # Each licence that an entry names is in the expression, and no file is of a licence that is not.
    words = {"CC-BY-4.0": "CC BY 4.0", "CC-BY-SA-4.0": "CC BY-SA 4.0", "BSD-3-Clause": "BSD-3"}
    named = {words.get(one, one) for one in declared["project"]["license"].split(" AND ")}
    licences = {e.licence for e in CATALOGUE.values() if e.files and not {*e.files} <= left_out}
    used = {name: [licence for licence in licences if name in licence] for name in named}
    assert all(used.values()), used
    assert {licence for one in used.values() for licence in one} == licences - {"six rows of numbers"}
    beside = {
        PROJECT.joinpath(*package.split(".")[2:], pattern)
        for package, patterns in made["package-data"].items()
        if package.startswith("kernlib.dashboard")
        for pattern in patterns
    }
    found = {f for pattern in beside for f in pattern.parent.glob(pattern.name)}
    others = {f for f in (PROJECT / "pages").rglob("*") if f.is_file() and f.suffix not in (".py", ".pyc")}
    assert others | {PROJECT / ".streamlit" / "config.toml"} == found
    assert (PROJECT / "kernlib" / "py.typed").is_file()
    assert made["package-data"]["kernlib"] == ["py.typed"]


def test_every_package_that_is_imported_is_declared():
    declared = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    asked = lambda needs: {re.match(r"[\w-]+", need)[0].lower() for need in needs}  # noqa: E731
    always = asked(declared["dependencies"])
    sometimes = always.union(*map(asked, declared["optional-dependencies"].values()))
    ours = {"kernlib", "pages", *sys.stdlib_module_names}
    names = {"sklearn": "scikit-learn"}  # where the package has another
    for file in FILES:
        tree = tree_of(file)
        for node in ast.walk(tree):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                modules = [node.module or ""]
            for package in {module.split(".")[0] for module in modules} - ours:
                needed = names.get(package, package)
                assert needed in (always if node in tree.body else sometimes), f"{file.name} imports {package}"


@cache
def imports() -> dict[str, set[str]]:
    """Every module of the project and those of them that it imports, at its top or within a function."""
    modules = {module_of(file): file for file in FILES}
    return {name: {m for m in imported_by(name, file, modules) if m != name} for name, file in modules.items()}


def module_of(file: Path) -> str:
    parts = file.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_by(name: str, file: Path, modules: dict[str, Path]) -> Iterator[str]:
    tree = tree_of(file)
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                yield from [m for m in (f"{source}.{alias.name}", source) if m in modules][:1]


def picture() -> tuple[dict[str, str], set[tuple[str, str]]]:
    """CONTRIBUTING's picture: the room of each part of the project, and the arrows between rooms."""
    text = (PROJECT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    drawn = text.split("```mermaid\n")[1].split("```")[0]
    rooms: dict[str, str] = {}
    for room, parts in re.findall(r'^ *(\w+)\["(.+)"\]$', drawn, re.M):
        for part in parts.split("<br/>")[-1].split(" · "):
            assert part not in rooms, f"{part} is drawn twice"
            rooms[part] = room
    arrows = {
        (above, below)
        for source, targets in re.findall(r"^ *(\w+) --> (.+)$", drawn, re.M)
        for above, below in itertools.product([source], targets.split(" & "))
    }
    return rooms, arrows


def test_no_module_imports_itself_by_way_of_others():
    tuple(graphlib.TopologicalSorter(imports()).static_order())  # raises CycleError, which names the circle


def test_the_picture_is_that_of_the_imports():
    rooms, arrows = picture()
    reached = {room: {room} for room in {*rooms.values()}}
    below: dict[str, set[str]] = {room: set() for room in reached}
    for upper, lower in arrows:
        below[upper].add(lower)
    for room in graphlib.TopologicalSorter(below).static_order():  # lowest first; a circle raises CycleError
        reached[room].update(*(reached[lower] for lower in below[room]))

    def part(module: str) -> str:
        first, second, third, *_ = [*module.split("."), "", ""]
        if first == "kernlib":
            return second or first
        return f"{second}.{third}" if second == "parts" and third else first

    used = set()
    for module, targets in imports().items():
        assert part(module) in rooms, f"CONTRIBUTING's picture lacks {part(module)}"
        for target in targets:
            here, there = rooms[part(module)], rooms[part(target)]
            used.add((here, there))
            pair = [name.split(".")[2] for name in (module, target) if name.startswith("pages.views.")]
            assert len({*pair}) < 2, f"{module} imports {target}: what two pages share stands in pages.parts"
            assert there in reached[here], f"{module} imports {target}: no arrow leads from '{here}' to '{there}'"
    assert arrows <= used, f"nothing is imported along {sorted(arrows - used)}"
    assert {*rooms} <= {part(module) for module in imports()}, "a part is drawn that does not exist"


#: Where the name of a kind of row may stand in a test: its declaration, and readers of files, which make such rows.
_OF_A_KIND = (
    "kernlib/kinds/",
    "kernlib/figures/kinds.py",
    "kernlib/data/containers/",
    "kernlib/data/rows.py",
    "kernlib/data/table.py",
    "kernlib/data/readings.py",
    "kernlib/data/meanings.py",
    "kernlib/serving/inputs.py",
)


def test_nothing_else_asks_which_kind_of_row_it_has():
    """A question about a kind of row is answered by its declaration: a new kind then touches no other file."""
    found = []
    for file in FILES:
        place = str(file.relative_to(PROJECT))
        if place.startswith(_OF_A_KIND):
            continue
        for node in ast.walk(tree_of(file)):
            by_kind = isinstance(node, ast.Dict) and len(node.keys) > 1 and all(map(_names_a_kind, node.keys))
            named = isinstance(node, ast.Compare) and any(map(_names_a_kind, ast.walk(node)))
            named = named and re.search(r"\b(domains?|reads|kinds?)\b", ast.unparse(node))
            if by_kind or named:
                found.append(f"{place}:{node.lineno}: {ast.unparse(node)[:80]}")
    assert found == []


def _names_a_kind(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value in (*KINDS,)


def test_the_kernel_of_the_recipe_is_one(monkeypatch):
    code = (PROJECT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    module = ModuleType("kernlib.kernels.cauchy")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec("from __future__ import annotations\n" + IMPORTS + code, vars(module))
    tried = doctest.DocTestRunner().run(doctest.DocTestFinder().find(module.Cauchy, globs=vars(module))[0])
    assert tried == (0, 1)
    kernel, X = module.Cauchy(gamma=0.5), np.random.default_rng(0).normal(size=(5, 2))
    assert_array_equal(kernel(X).diagonal(), kernel.diag(X))
    assert np.linalg.eigvalsh(kernel(X)).min() > 0
    assert (0.5 * kernel).explain(X[0], X[1]).value == 0.5 * kernel(X)[0, 1]
    assert [p.name for p in kernel.parameters()] == ["gamma"]


IMPORTS = """
from dataclasses import dataclass
from typing import Any, ClassVar
import numpy as np
from scipy.spatial.distance import cdist
from kernlib.core.base import Kernel
from kernlib.explain import Scene, explanation
from kernlib.values.arrays import Array
from kernlib.values.declare import positive
from kernlib.values.domains import Domain
from kernlib.values.words import number
"""


def test_no_code_asks_which_kernel_it_has():
    """What differs between kernels they declare: outside them, no concrete class is asked for."""
    concrete = {cls.__name__ for cls in KERNELS} | {"BestColumns"}
    asking = set()
    for file in FILES:
        name = str(file.relative_to(PROJECT))
        if name.startswith(("kernlib/kernels/", "kernlib/wrappers/")):
            continue
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
                named = {part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name)}
                asking |= {name} if named & concrete else set()
    assert asking == set()


def test_every_page_has_a_view():
    assert [page.view for page in PAGES if not page.address] == ["see"]
    views = {file.parent.name for file in (PROJECT / "pages" / "views").glob("*/page.py")}
    assert {page.view for page in PAGES} == views
    assert {*MOVED.values()} <= views
    assert {*MOVED}.isdisjoint(page.address for page in PAGES)


def test_readme_s_two_commands_are_commands_and_ci_runs_the_second():
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    start, check = re.findall(r"^\$ (python3 -m venv .*)$", text, flags=re.MULTILINE)
    assert start.endswith(".venv/bin/streamlit run app.py")
    for command in (start, check, (PROJECT / ".ci" / "run").read_text(encoding="utf-8")):
        assert subprocess.run(["bash", "-n", "-c", command], check=False).returncode == 0
        for tool in re.findall(r"\.venv/bin/(\w+)", command):
            assert tool in {"pip", "streamlit", "ruff", "mypy", "pytest"}
    picked = subprocess.run(
        ["sed", "-n", r"s/^\$ \(python3 .*pytest.*\)$/\1/p", "README.md"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert picked.stdout.strip() == check


def test_browser_tests_stand_in_one_folder():
    """README's command runs the folder on its own, after all tests without the mark."""
    marked = {path for path in (PROJECT / "tests").rglob("test_*.py") if "pytest.mark.browser\n" in path.read_text()}
    assert marked == {*(PROJECT / "tests" / "browser").glob("test_*.py")}


#: What the dashboard may import of Streamlit and Plotly: what their documentation names.
PUBLIC = {"streamlit", "streamlit.delta_generator"}
#: Underscores that are no private names: standard library and named tuples.
_KNOWN = {"_asdict", "_replace", "_fields"}


def test_no_private_name_of_streamlit_or_plotly():
    """A private name can go with any release, and the first command of README then ends in an error."""
    wrong = []
    for file in FILES:
        tree, folders = tree_of(file), set(file.relative_to(PROJECT).parts)
        own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        own |= {
            node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        }
        for node in ast.walk(tree):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or "", *(f"{node.module}.{a.name}" for a in node.names if a.name.startswith("_"))]
            for name in names:
                if name.split(".")[0] in ("streamlit", "plotly"):
                    private = any(part.startswith("_") for part in name.split("."))
                    if private or (name.startswith("streamlit") and name not in PUBLIC):
                        wrong.append(f"{file.name}: {name}")
            if isinstance(node, ast.keyword) and (node.arg or "").startswith("_") and "figures" in folders:
                wrong.append(f"{file.name}: {node.arg}=")
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
                ours = node.attr in own | _KNOWN or (
                    isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
                )
                if not ours and {"figures", "pages"} & folders:
                    wrong.append(f"{file.name}: .{node.attr}")
    for file in [*(PROJECT / "pages").rglob("*.js"), PROJECT / "kernlib" / "figures" / "theme.py"]:
        named = re.findall(r"(?<=[\w)])\._[a-zA-Z]\w*", file.read_text())
        wrong += [f"{file.name}: {name}" for name in named if name != "._plain"]  # our own
    assert wrong == []
