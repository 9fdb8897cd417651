"""A run as Python: a file that repeats it with kernlib alone, and a scikit-learn pipeline with a search."""

from __future__ import annotations

import ast
import itertools
import math
import shlex
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

from ..core.base import Kernel
from ..machines import MACHINES, SVM, KernelLogisticRegression, KernelRidge
from ..measures import MEASURES
from ..own import own_kernels
from ..protocols import PROTOCOLS, PublishedSplits, RepeatedKFold
from ..registry import KERNELS
from ..values.domains import form
from ..wrappers.best import BestColumns
from .axis import Axis, whole_kernel, with_value
from .spec import RunSpec


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


def predict_script(spec: RunSpec, file: str = "") -> str:
    """Return Python that trains the run's kernel and machine on all rows again, and predicts the rows of another file.

    A fitted machine leaves the dashboard in this form: the file holds no learnt state, and runs on later versions.

    Parameters: `spec`, whose axes and protocol are not used; `file`, as in `script`.

    >>> from kernlib import RBF
    >>> print(*predict_script(RunSpec("iris", RBF(sigma=2.0))).splitlines()[-4:], sep="\\n")
    data = load_dataset('iris')
    file = Path(sys.argv[-1])
    new = new_rows(file.name, file.read_bytes(), data)
    print(predict_rows(RBF(sigma=2.0), SVM(C=1.0), data, new).to_csv(), end="")
    """
    trained = f"{spec.machine.describe()} trained on {file or ANY_FILE if spec.upload else spec.data}"
    given = f" {shlex.quote(file) if file else 'FILE'}" if spec.upload else ""
    title = literal(f"Predictions of new rows by a {trained}. Run: python this_script.py{given} NEW_FILE; prints CSV.")
    if spec.upload:
        load = [
            f"spec = RunSpec({spec.data!r}, {spec.kernel!r}, parameters={spec.parameters!r})",
            *reading(spec, file, "spec", new=True),
        ]
    else:
        parameters = "".join(f", {name}={value!r}" for name, value in spec.parameters)
        load = [
            "if len(sys.argv) < 2:",
            '    sys.exit("Give the path of a file of new rows.")',
            f"data = load_dataset({spec.data!r}{parameters})",
        ]
    body = "\n".join(
        [
            *load,
            "file = Path(sys.argv[-1])",
            "new = new_rows(file.name, file.read_bytes(), data)",
            f'print(predict_rows({spec.kernel!r}, {spec.machine!r}, data, new).to_csv(), end="")',
            "",
        ]
    )
    names = names_in(body)
    return "\n".join([title, "", *standard_imports(names), *imports(names, MODULES), *own_code(names), "", body])


ANY_FILE = "the uploaded file"


def run_line(file: str) -> str:
    """Return how to run the script of an upload."""
    return f"Run: python this_script.py {shlex.quote(file) if file else 'FILE'}"


def reading(spec: RunSpec, file: str, variable: str, new: bool = False) -> list[str]:
    """Return the lines that read an uploaded file as the data set of the RunSpec in `variable`.

    With `new` the last argument is a file of new rows.
    """
    other = ", then that of a file of new rows" if new else ""
    asked = literal(f"Give the path of {file or ANY_FILE}, digest {spec.upload[:12]}…{other}", '"')
    return [
        f"if len(sys.argv) < {2 + new}:",
        f"    sys.exit({asked})",
        f"data = reread_upload(sys.argv[1:{-1 if new else ''}], {variable})  # checks that rows and labels agree",
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
    "kernlib.data": ["load_dataset", "new_rows"],
    "kernlib.estimators": ["FactorTransformer", "GramTransformer"],
    "kernlib.experiments": ["Axis", "RunSpec", "curve", "predict_rows", "reread_upload", "sweep"],
    "kernlib.machines": [machine.__name__ for machine in MACHINES],
    "kernlib.measures": ["MEASURES"],
    "kernlib.protocols": [protocol.__name__ for protocol in PROTOCOLS],
    "kernlib.wrappers.best": [BestColumns.__name__],
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
    known = (("sys", "import sys"), ("inf", "from math import inf"), ("Path", "from pathlib import Path"))
    lines = [line for name, line in known if name in names]
    return [*lines, ""] if lines else []


def imports(names: set[str], modules: Mapping[str, list[str]]) -> list[str]:
    """Return an import line for each module that has some of the names."""
    used = {module: sorted(names.intersection(known), key=_isort) for module, known in modules.items()}
    return [f"from {module} import {', '.join(known)}" for module, known in used.items() if known]


def _isort(name: str) -> tuple[bool, str]:
    return not name.isupper(), name


#: scikit-learn's name of a measure, if it means the same for two classes and for many.
_SCORING = {
    "error": "accuracy",
    "accuracy": "accuracy",
    "balanced error": "balanced_accuracy",
    "squared error": "neg_mean_squared_error",
    "unexplained variance": "r2",
}

#: The names that a script may import from scikit-learn, by module.
_SKLEARN = {
    "sklearn": ["model_selection"],
    "sklearn.compose": ["TransformedTargetRegressor"],
    "sklearn.decomposition": ["KernelPCA"],
    "sklearn.kernel_ridge": ["KernelRidge"],
    "sklearn.linear_model": ["LogisticRegression", "Ridge"],
    "sklearn.model_selection": ["GridSearchCV"],
    "sklearn.pipeline": ["Pipeline"],
    "sklearn.preprocessing": ["StandardScaler"],
    "sklearn.svm": ["SVC"],
}


def scikit_script(spec: RunSpec, file: str = "") -> str:
    """Return Python that builds a pipeline of the run's kernel and machine, and searches the run's axes on its splits.

    It uses `GramTransformer`, `SVC` or `KernelRidge`, and `GridSearchCV`; for a kernel with landmarks as its last step
    `FactorTransformer` and a linear machine, without an (n, n) matrix. Kernel logistic regression is
    `LogisticRegression` on the features of `KernelPCA`, which refuses an indefinite kernel. Means agree with the run's
    up to the solver's tolerance. A comment names what scikit-learn does not have and the pipeline leaves out: axes that
    change the rows, tuning other than k-fold cross-validation of each training part, measures of training rows,
    further measures, the reference kernel. A support vector machine, or ridge regression, stands for other machines.

    Parameters: `file`, as in `script`.

    >>> from kernlib import RBF
    >>> text = scikit_script(RunSpec("colon", RBF(), axis=Axis("kernel.sigma", (1.0, 2.0))))
    >>> print(*text.splitlines()[15:], sep="\\n")  # doctest: +ELLIPSIS
    model = Pipeline([
        ("gram", GramTransformer(RBF(sigma=1.0))),
        ("machine", SVC(kernel="precomputed", C=1.0)),
    ])
    search = GridSearchCV(
        model,
        {"gram__kernel__sigma": [1.0, 2.0]},
        scoring="accuracy", cv=splits, error_score="raise",
    )
    ...
    """
    spec, left_out = _supported(spec)
    bound, transductive = _bound(spec)
    scaled, hard = bool(spec.machine.unit_of("C")), _hard(spec)
    logistic = isinstance(spec.machine, KernelLogisticRegression)
    by_factor = all(kernel.has_factor for kernel in _kernels(spec)) and (scaled or not hard)
    lines = _data(spec, file)
    if bound:
        why = "The kernel exists only for all rows at once, so its test rows have been seen; a" if transductive else "A"
        lines += [f"# {why} row is its number.", f"kernel = {spec.kernel!r}"]
    if scaled or hard:
        lines += _own_machine(spec, by_factor or logistic)
    published = ", published=data.splits" if isinstance(spec.protocol, PublishedSplits) else ""
    transformer = "FactorTransformer" if by_factor else "GramTransformer"
    lines += [
        f"rows, y = {'np.arange(data.n)' if bound else 'data.inputs'}, data.y",
        f"protocol = {spec.protocol!r}",
        "splits = [(train, test) for _, train, test in protocol.splits(y, task=data.task, groups=data.groups"
        f"{published})]",
        *([f"# Left out of the run: {', '.join(left_out)}."] if left_out else []),
        "model = Pipeline([",
        f'    ("gram", {transformer}({"kernel.bind(data.inputs)" if bound else repr(spec.kernel)})),',
        *(['    ("features", KernelPCA(kernel="precomputed")),'] if logistic and not by_factor else []),
        f'    ("machine", {_machine(spec, by_factor)}),',
        "])",
    ]
    scoring = f'"{_SCORING[spec.measure]}"' if spec.measure in _SCORING else "score"
    if scoring == "score":
        lines += _scorer(spec.measure)
    if spec.tuning:
        inner = spec.inner
        assert isinstance(inner, RepeatedKFold)
        kind = "RepeatedKFold" if MEASURES[spec.measure].task == "regression" else "RepeatedStratifiedKFold"
        counts = f"n_splits={inner.folds}, n_repeats={inner.repeats}, random_state={inner.seed}"
        lines += [f"inner = model_selection.{kind}({counts})"]
        lines += _search("model", _grid(spec, spec.tuning, "", bound), scoring, "inner")
    lines += _search("search", _grid(spec, spec.axes, "estimator__" if spec.tuning else "", bound), scoring, "splits")
    lines += [
        "search.fit(rows, y)",
        "results = search.cv_results_",
        'for chosen, mean in zip(results["params"], results["mean_test_score"], strict=True):',
        "    print(chosen, mean)",
        "",
    ]
    body = "\n".join(lines)
    names = names_in(body)
    numpy = ["import numpy as np"] if "np" in names else []
    own = [*imports(names - {machine.__name__ for machine in MACHINES}, MODULES), *own_code(names)]
    on = f"{file or ANY_FILE}. {run_line(file)}." if spec.upload else f"{spec.data}, by its own pipeline and search."
    title = f"A kernel in scikit-learn: {_SCORING.get(spec.measure, spec.measure)} on {on}"
    return "\n".join(
        [literal(title), "", *standard_imports(names), *numpy, *imports(names, _SKLEARN), "", *own, "", body]
    )


def _kernels(spec: RunSpec) -> list[Kernel]:
    """Return the run's kernel and those that its axes put in its place."""
    axes = (axis for axis in (*spec.axes, *spec.tuning) if axis.path == "kernel")
    return [spec.kernel, *(whole_kernel(value) for axis in axes for value in axis.values)]


def _bound(spec: RunSpec) -> tuple[bool, bool]:
    """Return whether the kernel is a table of all rows, and whether that is because it has no values for new rows."""
    transductive = any(kernel.transductive for kernel in _kernels(spec))
    return transductive or form(spec.kernel.reads).square, transductive


def _supported(spec: RunSpec) -> tuple[RunSpec, list[str]]:
    """Return the run without the parts that scikit-learn's search does not have, and these parts in words."""
    measure, left_out = MEASURES[spec.measure], []
    regression = measure.task == "regression"
    if measure.on_training or measure.of_training:
        left_out.append(f"the measure of training rows ({spec.measure})")
        regression = regression or getattr(spec.machine, "centred", False)
        plain = spec.measure.removeprefix("training ")
        measure = MEASURES[plain if measure.on_training else "squared error" if regression else "error"]
    machine = spec.machine
    kept = isinstance(machine, KernelRidge if regression else SVM | KernelLogisticRegression)
    if not kept:
        machine = KernelRidge("leave-one-out", centred=True) if regression else SVM()
        left_out.append(f"its machine ({spec.machine.describe()}; here {machine.label})")
    if getattr(machine, "ridge", 0) == "leave-one-out":
        left_out.append("leave-one-out of λ (here by 5 folds)")
    axes = [axis for axis in spec.axes if not axis.outside and (kept or not axis.path.startswith("machine."))]
    left_out += [f"the axis {axis.path}" for axis in spec.axes if axis not in axes]
    tuning = tuple(axis for axis in spec.tuning if kept or not axis.path.startswith("machine."))
    by_folds = spec.selection == "splits" and not spec.uses_validation and isinstance(spec.inner, RepeatedKFold)
    if not by_folds or spec.settled or (_bound(spec)[0] and any(a.path.startswith("kernel") for a in tuning)):
        tuning = ()
    if tuning != spec.tuning:
        left_out.append(f"tuning of {', '.join(axis.path for axis in spec.tuning if axis not in tuning)}")
    for present, words in (
        (spec.draws > 1, f"{spec.draws} fresh draws of the data"),
        (spec.also, f"further measures ({', '.join(spec.also)})"),
        (spec.reference is not None, "the reference kernel"),
        (spec.leaky, "the leaky comparison"),
    ):
        left_out += [words] if present else []
    return replace(
        spec,
        measure=measure.name,
        machine=machine,
        axis=axes[0] if axes else None,
        second=axes[1] if axes[1:] else None,
        tuning=tuning,
        draws=1,
        also=(),
        reference=None,
        leaky=False,
        settled=0,
    ), left_out


def _search(variable: str, grid: str, scoring: str, cv: str) -> list[str]:
    return [
        f"{variable} = GridSearchCV(",
        "    model,",
        f"    {grid},",
        f'    scoring={scoring}, cv={cv}, error_score="raise",',
        ")",
    ]


def _machine(spec: RunSpec, by_factor: bool) -> str:
    """Return the scikit-learn code of the machine, fitted on the rows of a factor instead of on K if `by_factor`."""
    kernel = "linear" if by_factor else "precomputed"
    balanced = ', class_weight="balanced"' if getattr(spec.machine, "class_weight", "") == "balanced" else ""
    match spec.machine:
        case SVM(C=C, scale="spread"):
            return f'SpreadSVC(kernel="{kernel}", C={C!r}{balanced}, max_iter=1_000_000)'
        case SVM(C=C) if _hard(spec):
            return f'HardMarginSVC(kernel="precomputed", C={C!r}{balanced}, max_iter=1_000_000)'
        case SVM(C=C):
            return f'SVC(kernel="{kernel}", C={C!r}{balanced})'
        case KernelLogisticRegression(C=C, scale=scale):
            return f"{'Spread' if scale == 'spread' else ''}LogisticRegression(C={C!r}, tol=1e-7, max_iter=10_000)"
        case KernelRidge(ridge=ridge, centred=centred):
            chosen = isinstance(ridge, str)
            alpha = "" if chosen else f", alpha={ridge!r}"
            name, how = ("Ridge", "fit_intercept=False") if by_factor else ("KernelRidge", 'kernel="precomputed"')
            made = f"{name}({how}{alpha})"
            if chosen:
                alphas = '{"alpha": [10.0**power for power in range(-6, 4)]}'
                made = f'GridSearchCV({made}, {alphas}, scoring="neg_mean_squared_error")'
            if centred:
                made = f"TransformedTargetRegressor({made}, transformer=StandardScaler(with_std=False))"
            return made
    raise AssertionError(spec.machine)


def _hard(spec: RunSpec) -> bool:
    """Return whether C = ∞ occurs, which scikit-learn does not accept."""
    costs = [c for axis in (*spec.axes, *spec.tuning) if axis.path == "machine.C" for c in axis.values]
    return isinstance(spec.machine, SVM) and math.inf in (spec.machine.C, *costs)


def _own_machine(spec: RunSpec, by_features: bool) -> list[str]:
    """Return the lines of a machine that reads C on the scale of the training rows, or C = inf, as SVC does not."""
    base = "LogisticRegression" if isinstance(spec.machine, KernelLogisticRegression) else "SVC"
    scaled, hard = spec.machine.unit_of("C"), _hard(spec)
    cost = "(1e6 if self.C == inf else self.C) / spread" if hard else "self.C / spread"
    if not scaled:
        cost = "1e6 / spread if self.C == inf else self.C"
    title = "C in units of one over the spread of the training rows in feature space"
    spread = "np.var(rows, axis=0).sum()" if by_features else "np.trace(rows) / len(rows) - np.mean(rows)"
    title += "." if base != "SVC" else "; C = inf is 10⁶ of them."
    return [
        "",
        "",
        f"class {'Spread' if scaled else 'HardMargin'}{base}({base}):",
        f'    """{title if scaled else "C = inf, which SVC refuses, is 10⁶ over the spread of the training rows."}"""',
        "",
        "    def fit(self, rows, y):",
        f"        spread = {spread}",
        f"        given, self.C = self.C, {cost}",
        "        try:",
        "            return super().fit(rows, y)",
        "        finally:",
        "            self.C = given",
        "",
        "",
    ]


def _grid(spec: RunSpec, axes: tuple[Axis, ...], prefix: str, bound: bool) -> str:
    """Return a parameter grid as Python; a bound kernel is a look-up table and is varied as whole kernels."""
    whole = [axis for axis in axes if axis.path == "kernel" or (bound and axis.path.startswith("kernel."))]
    entries = []
    if whole:
        kernels = [_kernel_at(spec.kernel, whole, v) for v in itertools.product(*(axis.values for axis in whole))]
        listed = ", ".join(map(repr, kernels))
        made = f"[k.bind(data.inputs) for k in ({listed},)]" if bound else f"[{listed}]"
        entries.append(f'"{prefix}gram__kernel": {made}')
    for axis in axes:
        if axis not in whole:
            inside = "regressor__" if getattr(spec.machine, "centred", False) else ""
            place = axis.path.replace(".", "__").replace("machine__ridge", f"machine__{inside}alpha")
            step = "" if place.startswith("machine") else "gram__"
            entries.append(f'"{prefix}{step}{place}": {list(axis.values)!r}')
    return "{" + ", ".join(entries) + "}"


def _kernel_at(kernel: Kernel, axes: list[Axis], values: tuple[Any, ...]) -> Kernel:
    for axis, value in zip(axes, values, strict=True):
        names = axis.path.split(".")[1:]
        kernel = with_value(kernel, names, value) if names else whole_kernel(value)
    return kernel


def _scorer(measure: str) -> list[str]:
    sign = "-" if MEASURES[measure].lower_is_better else ""
    decision = "model.decision_function(rows)" if MEASURES[measure].needs_decision else "None"
    return [
        "",
        "",
        "def score(model, rows, y):  # larger is better",
        f"    return {sign}MEASURES[{measure!r}](y, model.predict(rows), {decision}, model.classes_)",
        "",
        "",
    ]


def _data(spec: RunSpec, file: str) -> list[str]:
    if not spec.upload:
        given = "".join(f", {name}={value!r}" for name, value in spec.parameters)
        return [f"data = load_dataset({spec.data!r}{given})"]
    return [
        f"upload = RunSpec({spec.data!r}, {spec.kernel!r}, parameters={spec.parameters!r})",
        *reading(spec, file, "upload"),
    ]
