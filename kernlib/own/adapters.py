"""Thin adapters: kernels of scikit-learn, and estimators that return Gram matrices."""

from __future__ import annotations

import copy
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from ..core.base import Kernel
from ..errors import ParameterError
from ..values.arrays import Array
from ..values.declare import Parameter, ordinary
from ..values.domains import Domain
from .base import OwnKernel, own_class, parameters_of
from .functions import declared_field, of_float, plain_field

#: The word for scikit-learn's own default of gamma, 1 / the number of columns.
_PER_COLUMN = "1/d"


def from_sklearn(kernel: Any) -> Kernel:
    """Return a kernel with the values of one of scikit-learn's.

    Parameters
    ----------
    kernel : an expression of `sklearn.gaussian_process.kernels`, such as Matern(nu=1.5) + WhiteKernel(), whose
        hyperparameters, each one number, and their bounds become the sliders; or a name of
        `sklearn.metrics.pairwise.kernel_metrics`, such as "laplacian". A WhiteKernel adds its noise to rows with
        themselves only.

    The class is called "Sklearn" and the names in the expression, an operator before what it joins.
    Raises ParameterError for anything else.

    >>> from sklearn.gaussian_process.kernels import Matern, WhiteKernel
    >>> from_sklearn(Matern(nu=1.5) + WhiteKernel(0.5))
    SklearnSumMaternWhiteKernel(k1__length_scale=1.0, k1__nu=1.5, k2__noise_level=0.5)
    >>> from_sklearn("laplacian")([[0.0], [2.0]]).round(3)[0].tolist()
    [1.0, 0.135]
    """
    if isinstance(kernel, str):
        return _metric_class(kernel)()
    from sklearn.gaussian_process.kernels import CompoundKernel
    from sklearn.gaussian_process.kernels import Kernel as Theirs

    if not isinstance(kernel, Theirs) or isinstance(kernel, CompoundKernel):
        raise ParameterError(
            "from_sklearn: expected a kernel of sklearn.gaussian_process.kernels or a name such as 'laplacian'; got "
            f"{kernel!r:.60}. A function: kernel_from(f); an object with fit_transform: from_estimator(object)."
        )
    cls = _process_class(kernel)
    return cls(**dict(_numbers(kernel)[0]))


def _metric_class(metric: str) -> type[OwnKernel]:
    import inspect

    from sklearn.metrics.pairwise import kernel_metrics, pairwise_kernels

    if metric not in kernel_metrics():
        raise ParameterError(
            f"from_sklearn: expected one of {', '.join(kernel_metrics())}; got {metric!r}. Choose one of these."
        )
    signature = inspect.signature(kernel_metrics()[metric]).parameters
    fields = []
    for own in ("gamma", "degree", "coef0"):
        if own in signature:
            default = signature[own].default
            declared = of_float(1.0 if default is None else float(default))
            if default is None:
                declared = Parameter(
                    "",
                    "float",
                    _PER_COLUMN,
                    r"\gamma",
                    "1 / width; scikit-learn's own is 1 / columns",
                    1e-3,
                    1e3,
                    scale="log",
                    minimum=0,
                    open_minimum=True,
                    choices=(_PER_COLUMN,),
                )
            fields.append((own, float, declared_field(declared, own)))

    def values(own: Any, X: Array, Y: Array | None = None) -> Any:
        named = {field: value for field, value in parameters_of(own).items() if value != _PER_COLUMN}
        return pairwise_kernels(X, Y, metric=metric, **named)

    words = "".join(word.capitalize() for word in metric.split("_"))
    return own_class(
        f"Sklearn{words}",
        fields,
        values,
        recipe=(_metric_class, (metric,), {}),
        content=("metric", metric),
        domain="vector",
        source="scikit-learn, pairwise_kernels",
        doc=f"Return scikit-learn's {metric!r} kernel.",
        code=_line(f"from_sklearn({metric!r})"),
        cost="O(n² d)",
    )


def _process_class(kernel: Any) -> type[OwnKernel]:
    from sklearn.base import clone
    from sklearn.gaussian_process.kernels import Kernel as Theirs

    numbers, bounds = _numbers(kernel)
    fields = [(f, float, declared_field(_hyperparameter(v, bounds[f]), f)) for f, v in numbers]

    def expression(own: Any) -> Any:
        return clone(kernel).set_params(**parameters_of(own))

    def values(own: Any, X: Array, Y: Array | None = None) -> Any:
        return expression(own)(X, Y)

    leaves = {type(part).__name__ for part in (kernel, *kernel.get_params().values()) if isinstance(part, Theirs)}
    imports = f"from sklearn.gaussian_process.kernels import {', '.join(sorted(leaves))}"
    return own_class(
        f"Sklearn{_polish(kernel)}",
        fields,
        values,
        recipe=(_process_class, (kernel,), {}),
        content=("process", repr(clone(kernel).set_params(**dict.fromkeys(bounds, 1.0))), bounds),
        domain="vector",
        source="scikit-learn, gaussian_process.kernels",
        diagonal_of=lambda own, X: expression(own).diag(X),
        doc=f"Return the values of scikit-learn's {kernel!r}.",
        code=f"{imports}\n{_line(f'from_sklearn({kernel!r})')}",
        cost="that of scikit-learn",
    )


def _numbers(kernel: Any) -> tuple[list[tuple[str, float]], dict[str, Any]]:
    """Return the numbers of an expression by field, and their bounds; None for a number that scikit-learn fixes."""
    numbers: list[tuple[str, float]] = []
    for path, value in sorted(kernel.get_params().items()):
        if isinstance(value, Real) and not isinstance(value, bool):
            numbers.append((path, float(value)))
        elif np.ndim(value) and not path.endswith("_bounds"):
            raise ParameterError(
                f"from_sklearn: expected hyperparameters of one number; got {path}={value!r:.60}. Divide each column "
                "by its length scale, or take a kernel with a width for each column, RBF(sigma=(1.0, 2.0))."
            )
    bounds = {h.name: None if h.fixed else h.bounds[0] for h in kernel.hyperparameters}
    return numbers, {path: bounds.get(path) for path, _ in numbers}


def _line(call: str) -> str:
    return f"{call}  # scikit-learn's kernel, registered by its name"


def _hyperparameter(value: float, ends: Any) -> Parameter:
    if not ordinary(value):  # ν = ∞ of a Matérn kernel
        return Parameter("", "float", value, "", "", 0.1, 10.0, scale="log", minimum=0, choices=(value,))
    declared = of_float(value) if ends is None else of_float(value, float(ends[0]), float(ends[1]))
    return Parameter(**vars(declared) | {"minimum": 0 if value > 0 else None})


def _polish(kernel: Any) -> str:
    """Return the names of an expression, each operator before its parts, which no brackets can change."""
    parts = [getattr(kernel, part) for part in ("k1", "k2", "kernel") if hasattr(kernel, part)]
    return type(kernel).__name__ + "".join(map(_polish, parts))


def from_estimator(estimator: Any, *, domain: Domain = "vector", rows: Callable[[Array], Any] | None = None) -> Kernel:
    """Return a kernel with the values of an object that has `fit_transform(rows)` and `transform(rows)`.

        k(X) = fit_transform(X), (n, n)        k(X, Y) = fit(Y).transform(X), (m, n)

    The value of two rows must depend on these two rows alone, as in GraKeL; the doctor checks it on the rows in view.
    Numbers among the object's `get_params()` become sliders. The object itself is never fitted: each call copies it.

    Parameters
    ----------
    estimator : the object. domain : the rows that it reads.
    rows : a function that turns an array of rows into what the object takes, by default a list of texts or graphs, and
        the array itself for numbers.

    Raises ParameterError for an object without these methods.

    >>> from sklearn.kernel_approximation import Nystroem
    >>> class Straight:
    ...     def fit(self, X): self.X = X; return self
    ...     def transform(self, X): return X @ self.X.T
    ...     def fit_transform(self, X): return self.fit(X).transform(X)
    >>> k = from_estimator(Straight())
    >>> k, k([[1.0], [2.0]], [[3.0]]).ravel()
    (Straight(), array([3., 6.]))
    """
    missing = [method for method in ("fit", "fit_transform", "transform") if not hasattr(estimator, method)]
    if missing or isinstance(estimator, type):
        lacks = "a class" if isinstance(estimator, type) else f"{estimator!r:.60} without {', '.join(missing)}"
        raise ParameterError(
            f"from_estimator: expected an object with fit, fit_transform and transform; got {lacks}. Give the object."
        )
    cls = _estimator_class(estimator, domain, rows)
    given = estimator.get_params() if hasattr(estimator, "get_params") else {}
    return cls(**{p.name: given[p.name] for p in cls.parameters()})


def _estimator_class(estimator: Any, domain: Domain, rows: Callable[[Array], Any] | None) -> type[OwnKernel]:
    given = estimator.get_params() if hasattr(estimator, "get_params") else {}
    fields = [(field, *plain) for field, value in given.items() if (plain := plain_field(value, field))]
    read = rows or (lambda X: list(X) if X.dtype == object and X.ndim == 1 else X)

    def fresh(own: Any) -> Any:
        made = copy.deepcopy(estimator)
        if fields:
            made.set_params(**parameters_of(own))
        return made

    def values(own: Any, X: Array, Y: Array | None = None) -> Any:
        made = fresh(own)
        if Y is None:
            return made.fit_transform(read(X))
        made.fit(read(Y))
        return made.transform(read(X))

    cls = type(estimator)
    moved = {field for field, _, _ in fields}
    rest = {key: value for key, value in vars(estimator).items() if key not in moved}
    content = ("estimator", cls, cls.fit, cls.transform, cls.fit_transform, rest, domain, rows)
    return own_class(
        cls.__name__,
        fields,
        values,
        content=content,
        domain=domain,
        recipe=(_estimator_class, (estimator, domain, rows), {}),
        doc=f"Return the Gram matrix of {cls.__name__}.",
        source=f"{cls.__module__}.{cls.__qualname__}",
        cost="that of the object",
    )
