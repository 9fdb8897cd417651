"""A run as Python: a file that repeats it with kernlib alone, predictions of new rows, a scikit-learn pipeline."""

from __future__ import annotations

import ast
import shlex
import sys
from collections.abc import Sequence
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

from ..machines import MACHINES
from ..measures import MEASURES
from ..own import own_kernels
from ..protocols import PROTOCOLS, RepeatedKFold
from ..registry import KERNELS
from ..values.domains import form
from ..wrappers.rows import BestColumns
from .spec import RunSpec

#: The lines that load the data, of all scripts; `program` writes title, imports and user-defined kernels above.
_LOADING = """\
{% macro reading(variable) %}
paths = sys.argv[1:{{ -1 if new }}]{% if files %} or [{{ files | map("quoted") | join(", ") }}]{% endif +%}
if {{ "len(sys.argv) < 2 or " if new else "not paths or " if not files
}}not all(Path(path).exists() for path in paths):
    sys.exit({{ asked | quoted }})
data = reread_upload(paths, {{ variable }})  # checks that rows and labels agree
{% endmacro %}
{% macro loading() %}
{% if spec.upload %}
upload = RunSpec({{ spec.data | repr }}, {{ spec.kernel | repr }}, parameters={{ spec.parameters | repr }})
{{ reading("upload") }}
{%- else %}
data = load_dataset({{ spec.data | repr }}{% for name, value in spec.parameters %}, {{ name }}={{ value | repr }}{%
endfor %})
{% endif %}
{% endmacro %}
"""
_RUN = """\
spec = RunSpec(
{% for name, value in arguments %}
    {{ name }}={{ value | repr }},
{% endfor %}
)
{% if spec.upload %}
{{ reading("spec") }}
{%- endif %}
results = list(sweep(spec{{ ", data" if spec.upload }}))
print(results_csv(spec, results))
print(curve_csv(spec, curve(spec, results)))
"""
_PREDICT = """\
{% if not spec.upload %}
if len(sys.argv) < 2:
    sys.exit("Give the path of a file of new rows.")
{% endif %}
{{ loading() }}
{%- set values %}{{ spec.kernel | repr }}, {{ spec.machine | repr }}{% endset %}
file = Path(sys.argv[-1])
new = new_rows(file.name, file.read_bytes(), data)
print(predict_rows({{ values }}, data, new).to_csv(), end="")
"""
_PIPELINE = """\
{{ loading() }}
{%- if transductive %}
# The kernel exists only for all rows at once, so its test rows have been seen.
{% endif %}
rows, y = {{ "np.arange(data.n)" if bound else "data.inputs" }}, data.y
protocol = {{ spec.protocol | repr }}
splits = [
    (train, test)
    for _, train, test in protocol.splits(y, task=data.task, groups=data.groups, published=data.splits)
]


def score(model, rows, y):  # larger is better
    value = MEASURES[{{ spec.measure | repr }}](y, model.predict(rows), {{ decision }}, model.classes_)
    return {{ sign }}value


{% if left_out %}
# Left out of the run: {{ left_out | join(", ") }}.
{% endif %}
model = {{ machine }}
{% if spec.tuning %}
inner = model_selection.{{ inner }}
model = model_selection.GridSearchCV(
    model,
    {{ tuned }},
    scoring=score, cv=inner, error_score="raise",
)
{% endif %}
scores = model_selection.cross_val_score(model, rows, y, scoring=score, cv=splits, error_score="raise")
print({{ label | repr }}, round({{ sign }}scores.mean(), 12) + 0.0)
{% if not bound %}
model = model.fit(rows, y)  # trained on all rows: model.predict(new_rows)
{% endif %}
"""


def filled(template: str, **values: Any) -> str:
    """Return a template of Python with values as their repr, or as the names in `values`."""
    from jinja2 import Environment

    environment = Environment(trim_blocks=True, keep_trailing_newline=True)
    environment.filters |= {"repr": repr, "quoted": lambda text: literal(text, '"')}
    return environment.from_string(template).render(values)


def _of_run(template: str, title: str, spec: RunSpec, files: Sequence[str], **values: Any) -> str:
    """Return the program of a run from its template and its title, which says where an upload is read from."""
    new = template is _PREDICT
    source = " and ".join(files) or ANY_FILE if spec.upload else spec.data
    run = f"Run: python this_script.py {shlex.join(files) or 'FILE'}" if spec.upload else ""
    asked = f"Give the path of {source}, digest {spec.upload[:12]}…" + (
        ", then that of a file of new rows" if new else ""
    )
    body = filled(_LOADING + template, spec=spec, files=files, new=new, asked=asked, **values)
    return program(title.format(source=source, run=run), body)


def script(spec: RunSpec, *files: str) -> str:
    """Return Python that repeats every number of the run, to the last digit, and prints it as CSV.

    Parameters: `files`, the names of the uploaded files; the script of an upload takes their paths as its arguments and
    checks the digest.

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> text = script(RunSpec("colon", RBF(sigma=2.0), protocol=RepeatedSplits(repeats=2)))
    >>> print(text.split("spec = ")[0].strip())
    \"\"\"error rate on colon. Needs kernlib and nothing else; prints CSV.\"\"\"
    <BLANKLINE>
    from kernlib import RBF
    from kernlib.experiments import RunSpec, curve, curve_csv, results_csv, sweep
    from kernlib.machines import SVM
    from kernlib.protocols import RepeatedKFold, RepeatedSplits
    """
    arguments = [
        (f.name, getattr(spec, f.name))
        for f in fields(spec)  # the measure is always written, other fields if they differ from their defaults
        if f.name == "measure" or f.default is MISSING or getattr(spec, f.name) != f.default
    ]
    needs = (
        "{source}. {run}; needs kernlib, prints CSV."
        if spec.upload
        else "{source}. Needs kernlib and nothing else; prints CSV."
    )
    return _of_run(_RUN, f"{MEASURES[spec.measure].label} on {needs}", spec, files, arguments=arguments)


def predict_script(spec: RunSpec, *files: str) -> str:
    """Return Python that trains the run's kernel and machine on all rows again, and predicts the rows of another file.

    A fitted machine leaves the dashboard in this form: the file holds no learnt state, and runs on later versions.

    Parameters: `spec`, whose axes and protocol are not used; `files`, as in `script`.

    >>> from kernlib import RBF
    >>> print(*predict_script(RunSpec("iris", RBF(sigma=2.0))).splitlines()[-4:], sep="\\n")
    data = load_dataset('iris')
    file = Path(sys.argv[-1])
    new = new_rows(file.name, file.read_bytes(), data)
    print(predict_rows(RBF(sigma=2.0), SVM(C=1.0), data, new).to_csv(), end="")
    """
    run = "{run}" if spec.upload else "Run: python this_script.py"
    title = f"Predictions of new rows by a {spec.machine.describe()} trained on {{source}}. {run} NEW_FILE; prints CSV."
    return _of_run(_PREDICT, title, spec, files)


ANY_FILE = "the uploaded file"


def literal(text: str, quotes: str = '"""') -> str:
    """Return a Python string literal for any text, quotes, backslashes and line ends included."""
    plain = text.isprintable() and not set(text) & {'"', "\\"}
    return f"{quotes}{text}{quotes}" if plain else repr(text)


def _names_in(text: str) -> set[str]:
    """Return the names that a piece of Python uses and does not define."""
    names = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
    made = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return {node.id for node in names} - made


#: The names that a script may import, by module.
_MODULES = {
    "sklearn": ["model_selection"],
    "kernlib": [kernel.__name__ for kernel in KERNELS],
    "kernlib.advice": ["headline", "read_settings", "search"],
    "kernlib.data": ["load_dataset", "new_rows", "read_paths"],
    "kernlib.estimators": ["KernelMachine"],
    "kernlib.experiments": [
        *("Axis", "RunSpec", "curve", "curve_csv"),
        *("predict_rows", "reread_upload", "results_csv", "sweep"),
    ],
    "kernlib.machines": [machine.__name__ for machine in MACHINES],
    "kernlib.measures": ["MEASURES"],
    "kernlib.protocols": [protocol.__name__ for protocol in PROTOCOLS],
    "kernlib.wrappers.rows": [BestColumns.__name__],
}


def program(title: str, body: str) -> str:
    """Return a whole program: its title, the imports of the names in its body, user-defined kernels, the body."""
    names = _names_in(body)
    plain = [
        line
        for line in ("import sys", "from math import inf", "from pathlib import Path", "import numpy as np")
        if line.split()[-1] in names
    ]
    used = {
        module: sorted(names.intersection(known), key=lambda name: (not name.isupper(), name))
        for module, known in _MODULES.items()
    }
    imports = [f"from {module} import {', '.join(known)}" for module, known in used.items() if known]
    return "\n".join([literal(title), "", *plain, *([""] if plain else []), *imports, *_own_code(names), "", body])


def _own_code(names: set[str]) -> list[str]:
    """Return the lines that make the user-defined kernels among the names: an import, or the kernel's source."""
    lines: list[str] = []
    for cls in (kernel for kernel in own_kernels() if kernel.__name__ in names):
        name, code = cls.__name__, str(getattr(cls, "code", ""))
        module = sys.modules.get(cls.__module__)
        if cls.__module__ != "__main__" and getattr(module, name, None) is cls:
            file = Path(getattr(module, "__file__", None) or f"{cls.__module__}.py").name
            lines.append(f"from {cls.__module__} import {name}  # user-defined, in {file}")
        elif code:
            used = _names_in(code) & {"from_estimator", "from_sklearn", "kernel_from", "param"}
            lines += [
                f"from kernlib import {', '.join(sorted(used))}",
                "",
                f"# User-defined kernel: add the imports that {name} needs.",
                *code.splitlines(),
                "",
            ]
            if "kernel_from" not in used:  # the last line makes a kernel, not its class
                lines.append(f"{name} = type({code.splitlines()[-1].partition('  #')[0]})")
        else:
            lines.append(f"# {name} is user-defined, and its source is not available: define it here.")
    return lines


def scikit_script(spec: RunSpec, *files: str) -> str:
    """Return Python that cross-validates the run's kernel and machine on its splits, as one scikit-learn estimator.

    Parameters that the run tunes are chosen by `GridSearchCV`; the mean is the run's. A comment names what is left out:
    axes, tuning other than by k-fold cross-validation of each training part, measures of training rows, further
    measures, the reference kernel.

    Parameters: `files`, as in `script`.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import Axis
    >>> text = scikit_script(RunSpec("colon", RBF(), tuning=(Axis("machine.C", (1.0, 10.0)),)))
    >>> print(*text.splitlines()[24:31], sep="\\n")
    model = KernelMachine(RBF(sigma=1.0), SVM(C=1.0))
    inner = model_selection.RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
    model = model_selection.GridSearchCV(
        model,
        {'machine__C': [1.0, 10.0]},
        scoring=score, cv=inner, error_score="raise",
    )
    """
    transductive = spec.kernel.transductive
    bound = transductive or form(spec.kernel.reads).square
    spec, left_out = _supported(spec, bound)
    measure, inner = MEASURES[spec.measure], ""
    if isinstance(spec.inner, RepeatedKFold):
        kind = "RepeatedKFold" if measure.task == "regression" else "RepeatedStratifiedKFold"
        inner = f"{kind}(n_splits={spec.inner.folds}, n_repeats={spec.inner.repeats}, random_state={spec.inner.seed})"
    where = "{source}. {run}." if spec.upload else "{source}."
    return _of_run(
        _PIPELINE,
        f"A kernel in scikit-learn: {measure.label} on {where}",
        spec,
        files,
        left_out=left_out,
        bound=bound,
        transductive=transductive,
        label=measure.label,
        decision="model.decision_function(rows)" if measure.needs_decision else "None",
        sign="-" if measure.lower_is_better else "",
        inner=inner,
        machine=f"KernelMachine({spec.kernel!r}{'.bind(data.inputs)' if bound else ''}, {spec.machine!r})",
        tuned={axis.path.replace(".", "__"): list(axis.values) for axis in spec.tuning},
    )


def _supported(spec: RunSpec, bound: bool) -> tuple[RunSpec, list[str]]:
    """Return the run of one kernel without the parts that scikit-learn does not have, and these parts in words."""
    plain: dict[str, Any] = {"draws": 1, "also": (), "reference": None, "leaky": False}
    left_out = [name for name, value in plain.items() if getattr(spec, name) != value]
    measure = MEASURES[spec.measure]
    if measure.on_training or measure.of_training:
        left_out.append("the measure of training rows")
        regression = measure.task == "regression" or getattr(spec.machine, "centred", False)
        errors = "squared error" if regression else "error"
        plain["measure"] = spec.measure.removeprefix("training ") if measure.on_training else errors
    left_out += [f"the axis {axis.path}" for axis in spec.axes]
    by_folds = spec.selection == "splits" and not spec.uses_validation and isinstance(spec.inner, RepeatedKFold)
    # A bound kernel is a look-up table, and a whole kernel no parameter.
    least = "machine." if bound else ("machine.", "kernel.")
    if spec.tuning and not (by_folds and all(axis.path.startswith(least) for axis in spec.tuning)):
        left_out.append(f"tuning of {', '.join(axis.path for axis in spec.tuning)}")
        plain["tuning"] = ()
    return replace(spec, **plain).over(()), left_out
