"""A run as a Python file with scikit-learn's classes: a pipeline, and a search over its parameters."""

from __future__ import annotations

import itertools
import math
from typing import Any

from ...core.base import Kernel
from ...errors import ParameterError
from ...machines import MACHINES, SVM, KernelLogisticRegression, KernelRidge
from ...measures import MEASURES
from ...parse import parse
from ...protocols import PublishedSplits, RepeatedKFold
from ...values.domains import form
from ..axis import Axis, with_value
from ..spec import RunSpec
from .own import ANY_FILE, MODULES, imports, literal, names_in, own_code, reading, run_line, standard_imports

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
    up to the solver's tolerance. Further measures, the reference kernel and the leaky comparison are left out, as a
    comment says.

    Parameters: `file`, as in `script`.

    Raises ParameterError for a machine or a way of tuning that scikit-learn does not have.

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
    _refuse(spec)
    others = [parse(v) for axis in (*spec.axes, *spec.tuning) if axis.path == "kernel" for v in axis.values]
    transductive = any(kernel.transductive for kernel in (spec.kernel, *others))
    bound = transductive or form(spec.kernel.reads).square
    scaled, hard = bool(spec.machine.unit_of("C")), _hard(spec)
    logistic = isinstance(spec.machine, KernelLogisticRegression)
    by_factor = all(kernel.has_factor for kernel in (spec.kernel, *others)) and (scaled or not hard)
    machine = _machine(spec, by_factor)
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
        *_left_out(spec),
        "model = Pipeline([",
        f'    ("gram", {transformer}({"kernel.bind(data.inputs)" if bound else repr(spec.kernel)})),',
        *(['    ("features", KernelPCA(kernel="precomputed")),'] if logistic and not by_factor else []),
        f'    ("machine", {machine}),',
        "])",
    ]
    scoring = f'"{_SCORING[spec.measure]}"' if spec.measure in _SCORING else "score"
    if scoring == "score":
        lines += _scorer(spec.measure)
    if spec.tuning:
        lines += [f"inner = {_inner(spec, bound)}"]
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
    return "\n".join(
        [_title(spec, file), "", *standard_imports(names), *numpy, *imports(names, _SKLEARN), "", *own, "", body]
    )


def _search(variable: str, grid: str, scoring: str, cv: str) -> list[str]:
    return [
        f"{variable} = GridSearchCV(",
        "    model,",
        f"    {grid},",
        f'    scoring={scoring}, cv={cv}, error_score="raise",',
        ")",
    ]


def _title(spec: RunSpec, file: str) -> str:
    name = _SCORING.get(spec.measure, spec.measure)
    if not spec.upload:
        return literal(f"A kernel in scikit-learn: {name} on {spec.data}, by its own pipeline and search.")
    return literal(f"A kernel in scikit-learn: {name} on {file or ANY_FILE}. {run_line(file)}.")


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
        case KernelRidge(ridge=float(ridge), centred=centred) if MEASURES[spec.measure].task == "regression":
            made = f'KernelRidge(kernel="precomputed", alpha={ridge!r})'
            if by_factor:
                made = f"Ridge(alpha={ridge!r}, fit_intercept=False)"
            if centred:
                made = f"TransformedTargetRegressor({made}, transformer=StandardScaler(with_std=False))"
            return made
    raise ParameterError(
        f"scikit-learn has no {spec.machine.label} on Gram matrices"
        + (" for classes" if isinstance(spec.machine, KernelRidge) else "")
        + "; expected a support vector machine, kernel logistic regression, or kernel ridge regression of numbers. "
        "Take the run's own script."
    )


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


def _inner(spec: RunSpec, bound: bool) -> str:
    inner = spec.inner
    if bound and any(axis.path.split(".")[0] == "kernel" for axis in spec.tuning):
        raise ParameterError(
            f"scikit-learn cannot tune inside {spec.kernel!r}, which is a table of all rows; expected tuning of the "
            "machine alone. Take the run's own script."
        )
    if spec.uses_validation or not isinstance(inner, RepeatedKFold):
        raise ParameterError(
            f"scikit-learn's search does not draw the inner splits of this run, {inner.describe()}; expected k-fold "
            "cross-validation inside each training part. Choose it, or take the run's own script."
        )
    kind = "RepeatedKFold" if MEASURES[spec.measure].task == "regression" else "RepeatedStratifiedKFold"
    return f"model_selection.{kind}(n_splits={inner.folds}, n_repeats={inner.repeats}, random_state={inner.seed})"


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
        kernel = with_value(kernel, names, value) if names else parse(value)
    return kernel


def _refuse(spec: RunSpec) -> None:
    """Raise ParameterError for features without a counterpart in scikit-learn's search."""
    outside = next((axis for axis in spec.axes if axis.outside), None)
    path = outside.path if outside else ""
    for present, feature, expected in (
        (MEASURES[spec.measure].of_training, f"{spec.measure}, measured on training rows", "a measure of test rows"),
        (outside, f"{path}, which changes the rows", "an axis of the kernel or the machine"),
        (spec.settled, f"parameters tuned on the first {spec.settled} splits", "tuning inside every training part"),
        (spec.draws > 1, f"{spec.draws} fresh draws of the data", "one"),
        (spec.tuning and spec.selection != "splits", f"tuning by {spec.selection}", "tuning by splits"),
    ):
        if present:
            raise ParameterError(
                f"scikit-learn's search does not support {feature}; expected {expected}. Take the run's own script."
            )


def _left_out(spec: RunSpec) -> list[str]:
    """Return a comment on what the run has beside its search."""
    parts = [
        *([f"further measures ({', '.join(spec.also)})"] if spec.also else []),
        *(["the reference kernel"] if spec.reference is not None else []),
        *(["the leaky comparison"] if spec.leaky else []),
    ]
    return [f"# Left out of the run: {', '.join(parts)}."] if parts else []


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
