"""A run as a short Python file that needs kernlib alone."""

from __future__ import annotations

import ast
import shlex
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path

from ...machines import MACHINES
from ...measures import MEASURES
from ...own import own_kernels
from ...protocols import PROTOCOLS
from ...registry import KERNELS
from ..spec import RunSpec


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
    given = {f.name: getattr(spec, f.name) for f in fields(spec)}
    plain = {f.name for f in fields(spec) if f.default is not MISSING and given[f.name] == f.default}
    # The measure is always written, other fields if they differ from their defaults.
    arguments = [f"    {name}={value!r}," for name, value in given.items() if name == "measure" or name not in plain]
    measure = MEASURES[spec.measure].label
    if spec.upload:
        title = literal(f"{measure} on {file or ANY_FILE}. {run_line(file)}; needs kernlib, prints CSV.")
        load = [*reading(spec, file, "spec"), "results = list(sweep(spec, data))"]
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
    body = "\n".join(["spec = RunSpec(", *arguments, ")", *load, *shown, ""])
    names = names_in(body)
    return "\n".join([title, "", *standard_imports(names), *imports(names, MODULES), *own_code(names), "", body])


ANY_FILE = "the uploaded file"


def run_line(file: str) -> str:
    """Return how to run the script of an upload."""
    return f"Run: python this_script.py {shlex.quote(file) if file else 'FILE'}"


def reading(spec: RunSpec, file: str, variable: str) -> list[str]:
    """Return the lines that read an uploaded file as the data set of the RunSpec in `variable`."""
    asked = literal(f"Give the path of {file or ANY_FILE}, digest {spec.upload[:12]}…", '"')
    return [
        "if len(sys.argv) < 2:",
        f"    sys.exit({asked})",
        f"data = reread_upload(sys.argv[1:], {variable})  # checks that rows and labels are the same",
    ]


def literal(text: str, quotes: str = '"""') -> str:
    """Return a Python string literal for any text, quotes, backslashes and line ends included."""
    plain = text.isprintable() and not set(text) & {'"', "\\"}
    return f"{quotes}{text}{quotes}" if plain else repr(text)


def names_in(text: str) -> set[str]:
    """Return the names that a piece of Python uses."""
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


#: The names that a script may import from kernlib, by module.
MODULES = {
    "kernlib": [kernel.__name__ for kernel in KERNELS],
    "kernlib.data": ["load_dataset"],
    "kernlib.estimators": ["FactorTransformer", "GramTransformer"],
    "kernlib.experiments": ["Axis", "RunSpec", "curve", "reread_upload", "sweep"],
    "kernlib.machines": [machine.__name__ for machine in MACHINES],
    "kernlib.measures": ["MEASURES"],
    "kernlib.protocols": [protocol.__name__ for protocol in PROTOCOLS],
}


def own_code(names: set[str]) -> list[str]:
    """Return the lines that make the user-defined kernels among the names: an import, or the kernel's source."""
    lines: list[str] = []
    for name in sorted(names):
        cls = next((kernel for kernel in own_kernels() if kernel.__name__ == name), None)
        if cls is None:
            continue
        code: str = getattr(cls, "code", "")
        module = sys.modules.get(cls.__module__)
        if cls.__module__ != "__main__" and getattr(module, name, None) is cls:
            file = Path(getattr(module, "__file__", None) or f"{cls.__module__}.py").name
            lines.append(f"from {cls.__module__} import {name}  # user-defined, in {file}")
        elif code:
            used = sorted(names_in(code) & {"from_estimator", "from_sklearn", "kernel_from", "param"})
            lines += [
                f"from kernlib import {', '.join(used)}",
                "",
                f"# User-defined kernel: add the imports that {name} needs.",
                *code.splitlines(),
                "",
            ]
            made = names_in(code) & {"from_sklearn", "from_estimator"}
            lines += [f"{name} = type({code.splitlines()[-1].partition('  #')[0]})"] if made else []
        else:
            lines.append(f"# {name} is user-defined, and its source is not available: define it here.")
    return lines


def standard_imports(names: set[str]) -> list[str]:
    """Return the import lines of the standard library and an empty line, or none."""
    lines = [line for name, line in (("sys", "import sys"), ("inf", "from math import inf")) if name in names]
    return [*lines, ""] if lines else []


def imports(names: set[str], modules: Mapping[str, list[str]]) -> list[str]:
    """Return an import line for each module that has some of the names."""
    used = {module: sorted(names.intersection(known), key=_isort) for module, known in modules.items()}
    return [f"from {module} import {', '.join(known)}" for module, known in used.items() if known]


def _isort(name: str) -> tuple[bool, str]:
    return not name.isupper(), name
