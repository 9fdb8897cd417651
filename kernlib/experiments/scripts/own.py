"""A run as a short Python file that needs kernlib alone."""

from __future__ import annotations

import ast
import shlex
from dataclasses import MISSING, fields

from ...core.base import Kernel
from ...machines import MACHINES
from ...measures import MEASURES
from ...protocols import PROTOCOLS
from ...registry import KERNELS
from ...values.declare import Declared
from ..spec import RunSpec
from ..spec_json import UPLOAD


def script(spec: RunSpec, file: str = "") -> str:
    """Return Python that repeats every number of the run, to the last digit, and prints it as CSV.

    Parameters: `file`, the name of the uploaded file; the script of an upload takes the path as its argument and checks
    the digest.

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> text = script(RunSpec("colon", RBF(sigma=2.0), protocol=RepeatedSplits(repeats=2)))
    >>> print(text.split("spec = ")[0].strip())
    \"\"\"error rate on colon. Needs kernlib and nothing else; prints CSV.\"\"\"
    <BLANKLINE>
    from kernlib import RBF
    from kernlib.experiments import RunSpec, curve, sweep
    from kernlib.machines import SVM
    from kernlib.protocols import RepeatedKFold, RepeatedSplits
    """
    upload = spec.data.startswith(UPLOAD)
    given = {f.name: getattr(spec, f.name) for f in fields(spec)}
    plain = {f.name for f in fields(spec) if f.default is not MISSING and given[f.name] == f.default}
    # The measure is always written, other fields if they differ from their defaults.
    lines = [f"    {name}={value!r}," for name, value in given.items() if name == "measure" or name not in plain]
    made = "spec = RunSpec(\n" + "\n".join(lines) + "\n)"
    names = names_in(made)
    imports = []
    if "inf" in names:
        imports.append("from math import inf")
    if upload:
        imports.append("import sys")
    imports = sorted(imports, key=lambda line: line.startswith("from")) + ([""] if imports else [])
    imports += class_imports(KERNELS, names, "kernlib")
    experiments = ["RunSpec", "curve", "sweep", *(["Axis"] if "Axis" in names else [])]
    experiments += ["reread_upload"] if upload else []
    imports.append(f"from kernlib.experiments import {', '.join(sorted(experiments, key=_isort))}")
    imports += class_imports(MACHINES, names, "kernlib.machines") + class_imports(PROTOCOLS, names, "kernlib.protocols")
    measure = MEASURES[spec.measure].label
    if upload:
        which = file or "the uploaded file"
        run = f"python this_script.py {shlex.quote(file) if file else 'FILE'}"
        title = literal(f"{measure} on {which}. Run: {run}; needs kernlib, prints CSV.")
        asked = literal(f"Give the path of {which}, digest {spec.data[len(UPLOAD) :][:12]}…", '"')
        load = [
            "if len(sys.argv) < 2:",
            f"    sys.exit({asked})",
            "data = reread_upload(sys.argv[1:], spec)  # checks that rows and labels are the same",
            "results = list(sweep(spec, data))",
        ]
    else:
        title = literal(f"{measure} on {spec.data}. Needs kernlib and nothing else; prints CSV.")
        load = ["results = list(sweep(spec))"]
    further = "".join(f",{name}" for name in spec.also)
    shown = [
        f'print("value,split,score{further}")',
        "for r in results:",
        "    print(f'\"{r.value!r}\",{r.split},{r.score!r}'"
        + (" + ''.join(f',{score!r}' for score in r.also))" if further else ")"),
        "drawn = curve(spec, results)",
        'print("value,mean,spread")',
        "for value, mean, spread in zip(drawn.values, drawn.mean.tolist(), drawn.spread.tolist(), strict=True):",
        "    print(f'\"{value!r}\",{mean!r},{spread!r}')",
    ]
    return "\n".join([title, "", *imports, "", made, *load, *shown, ""])


def literal(text: str, quotes: str = '"""') -> str:
    """Return a Python string literal for any text, quotes, backslashes and line ends included."""
    plain = text.isprintable() and not set(text) & {'"', "\\"}
    return f"{quotes}{text}{quotes}" if plain else repr(text)


def names_in(text: str) -> set[str]:
    """Return the names that a piece of Python uses."""
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def class_imports(classes: tuple[type[Declared] | type[Kernel], ...], names: set[str], module: str) -> list[str]:
    """Return one import line for the classes of `module` among the names, or none."""
    used = sorted((c.__name__ for c in classes if c.__name__ in names), key=_isort)
    return [f"from {module} import {', '.join(used)}"] if used else []


def _isort(name: str) -> tuple[bool, str]:
    return not name.isupper(), name
