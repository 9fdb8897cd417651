"""A kernel from a function: `kernel_from`; values of a function of two rows, whose last matrices are kept in memory."""

from __future__ import annotations

import dataclasses
import inspect
import threading
import time
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, Literal, get_args, get_origin

import numpy as np

from ..core.steps import RowStep
from ..errors import OwnCodeError, ParameterError
from ..values.arrays import Array
from ..values.declare import Parameter, above, ordinary, param
from ..values.domains import Domain
from .base import Diagonal, own_class, parameters_of

Function = Callable[..., Any]

#: The rows that a function reads unless it says otherwise.
_ROWS: Domain = "vector"


def kernel_from(
    function: Function | None = None,
    /,
    *,
    domain: Domain = _ROWS,
    pairwise: bool = False,
    diag: Function | None = None,
    name: str = "",
    formula: str = "",
    source: str = "your own",
    cache: bool = True,
) -> Any:
    r"""Return a kernel class made from a function of rows; usable as a decorator.

        K[i, j] = f(X, Y)[i, j]        pairwise:  K[i, j] = f(x_i, y_j)

    Calling the class gives a kernel value like any other: it prints as the Python that makes it, is parsed, bound,
    combined with steps, and offered in the menus of the dashboard. What a kernel learns from training rows is not a
    function of two rows: write it as a class, as CONTRIBUTING shows.

    Parameters
    ----------
    function : f(X, Y, *, parameters), X (m, …) and Y (n, …) read-only rows, returns (m, n). Every other argument has a
        default, which makes it a parameter: `param(…)` declares range, scale, symbol and help; a plain float gets a
        slider from a tenth to ten times its value, an int and a bool a widget of their own, a `Literal` a menu.
    domain : the rows that it reads: "vector" (float64 (n, d)), "sequence", "text", "graph" (arrays of str or `Graph`)
    pairwise : whether it is f(x, y, *, parameters) of two single rows. Each pair is computed once, x before y in no
        particular order, with progress; the last matrices are kept in memory, unless `cache` is False.
        A function that is defined again starts without any. Run its definition again after changing what it calls.
    diag : f(X, *, parameters) returns k(x, x) of each row, (n,); by default small blocks of rows are evaluated.
    name : of the class, by default the function's. formula, source : for the reference page, LaTeX and words.

    Raises ParameterError for a function that cannot be a kernel. Calling it may raise OwnCodeError: what the function
    raised, with its line, or a result that is not (m, n) real numbers.

    >>> from scipy.spatial.distance import cdist
    >>> @kernel_from
    ... def Cauchy(X, Y, *, gamma: float = param(1.0, symbol=r"\gamma", low=0.01, high=100, scale="log", minimum=0)):
    ...     "Return 1 / (1 + ‖x − x'‖² / γ²)."
    ...     return 1 / (1 + cdist(X, Y, "sqeuclidean") / gamma**2)
    >>> Cauchy(gamma=2.0), Cauchy(gamma=2.0)([[0.0], [2.0]])[0].tolist()
    (Cauchy(gamma=2.0), [1.0, 0.5])
    """
    if function is None:
        return lambda f: kernel_from(
            f, domain=domain, pairwise=pairwise, diag=diag, name=name, formula=formula, source=source, cache=cache
        )
    if isinstance(function, type) or not callable(function):
        raise ParameterError(
            f"kernel_from: expected a function of X and Y; got {function!r:.60}. A kernel of scikit-learn: "
            "from_sklearn(kernel); an object with fit_transform: from_estimator(object)."
        )
    if domain not in (kinds := above("kinds").KINDS):
        raise ParameterError(f"kernel_from: domain must be one of {', '.join(kinds)}; got {domain!r}.")
    called = name or getattr(function, "__name__", type(function).__name__)
    options = {"domain": domain, "pairwise": pairwise, "diag": diag, "name": called, "formula": formula}
    options |= {"source": source, "cache": cache}
    fields = _parameters(function, called)

    def whole(kernel: Any, X: Array, Y: Array | None = None) -> Any:
        return function(X, X if Y is None else Y, **parameters_of(kernel))

    values = pair_values(function, cache) if pairwise else whole
    diagonal: Diagonal | None = partial(_pair_diagonal, function) if pairwise else None
    if diag is not None:
        diagonal = lambda kernel, X: diag(X, **parameters_of(kernel))  # noqa: E731
    place = inspect.unwrap(function)
    return own_class(
        called,
        fields,
        values,
        recipe=(kernel_from, (function,), options),
        content=(function, *options.values()),
        domain=domain,
        diagonal_of=diagonal,
        module=function.__module__,
        doc=inspect.getdoc(function) or "",
        formula=formula,
        source=source,
        code=_code(function, pairwise, domain),
        file=getattr(getattr(place, "__code__", None), "co_filename", ""),
    )


def _code(function: Function, pairwise: bool, domain: Domain) -> str:
    """Return the source of the function as a script carries it; "" where Python does not have it."""
    try:
        source = inspect.cleandoc(inspect.getsource(function))
    except (OSError, TypeError):
        return ""
    if source.startswith("@"):
        return source
    options = [f"domain={domain!r}"] * (domain != _ROWS) + ["pairwise=True"] * pairwise
    return f"@kernel_from({', '.join(options)})\n{source}" if source.startswith("def ") else ""


def _parameters(function: Function, name: str) -> list[tuple[str, Any, Any]]:
    """Return the dataclass fields of the function's parameters after its two rows."""
    signature = inspect.signature(function)
    rows, *others = signature.parameters.values()
    kinds = {one.kind for one in (rows, *others)}
    if inspect.Parameter.VAR_KEYWORD in kinds or inspect.Parameter.VAR_POSITIONAL in kinds:
        raise ParameterError(f"{name}: expected named parameters; got * or **. Write them out, each with a default.")
    if not others:
        raise ParameterError(f"{name}: expected a function of two rows, f(X, Y, *, …); got {name}{signature}.")
    try:
        hints = typing.get_type_hints(function)
    except (NameError, TypeError):  # hints of names that exist for type checkers alone
        hints = {}
    return [(one.name, *_field(one, hints.get(one.name), name)) for one in others[1:]]


def _field(given: inspect.Parameter, hint: Any, owner: str) -> tuple[Any, Any]:
    """Return type and declared field of one parameter."""
    default = given.default
    if default is inspect.Parameter.empty:
        raise ParameterError(
            f"{owner}: the parameter {given.name!r} has no default; expected one, from which its slider is made. "
            f"Write {given.name}=1.0 or {given.name}=param(1.0, low=…, high=…)."
        )
    if isinstance(default, dataclasses.Field):
        declared: Parameter = default.metadata["parameter"]
        if declared.kind == "float" and (hint is int or (hint is None and type(declared.default) is int)):
            return int, declared_field(dataclasses.replace(declared, kind="int"), given.name)
        return hint or float, declared_field(declared, given.name)
    if get_origin(hint) is Literal:
        return hint, declared_field(Parameter("", "choice", default, "", "", choices=get_args(hint)), given.name)
    if plain := plain_field(float(default) if hint is float and ordinary(default) else default, given.name):
        return plain
    raise ParameterError(
        f"{owner}: the parameter {given.name!r} is {default!r:.40}; expected a number, True or False, or a Literal. "
        f'Write {given.name}: Literal["a", "b"] = "a".'
    )


def plain_field(value: Any, name: str) -> tuple[Any, Any] | None:
    """Return type and declared field of a parameter without a declaration, from its value; None for other values."""
    if isinstance(value, bool):
        return bool, declared_field(Parameter("", "bool", value, "", ""), name)
    if isinstance(value, int):
        low, high = min(value, 0 if value <= 0 else 1), max(4 * abs(value), 10)
        return int, declared_field(Parameter("", "int", value, "", "", low=low, high=high), name)
    return (float, declared_field(of_float(float(value)), name)) if ordinary(value) else None


def of_float(value: float, low: float | None = None, high: float | None = None) -> Parameter:
    """Return the parameter of a plain number: its slider reaches a decade below and a decade above.

    >>> of_float(2.0).low, of_float(2.0).high, of_float(0.0).low
    (0.2, 20.0, -1.0)
    """
    if value > 0:
        return Parameter("", "float", value, "", "", low=low or value / 10, high=high or value * 10, scale="log")
    edge = 10 * abs(value) or 1.0
    return Parameter("", "float", value, "", "", low=-edge if low is None else low, high=high or edge)


def declared_field(given: Parameter, name: str) -> Any:
    """Return the field of a parameter; a slider needs a range, a symbol and help."""
    if given.kind in ("float", "int") and (given.low is None or given.high is None) and ordinary(given.default):
        usual = of_float(float(given.default))
        low, high = (usual.low if given.low is None else given.low), (usual.high if given.high is None else given.high)
        scale = usual.scale if given.low is None else given.scale
        given = dataclasses.replace(given, low=low, high=high, scale=scale)
    words = name.replace("_", " ")
    given = dataclasses.replace(given, symbol=given.symbol or rf"\mathrm{{{words}}}", help=given.help or words)
    named = {f.name: getattr(given, f.name) for f in dataclasses.fields(Parameter) if f.name not in ("name", "default")}
    return param(given.default, **named)


#: Called with the number of pairs that are computed and their total; at most every `_OFTEN` seconds.
Progress = Callable[[int, int], object]
#: A definition, the kernel's repr, and the digest of the rows.
Key = tuple[str, str, str]

_OFTEN = 0.5
#: Matrices of all pairs that are kept, such as those of a slider's last places, and the bytes of the largest.
_MATRICES, _LARGEST = 8, 72_000_000
#: Pairs that are computed in both orders, so that an asymmetric function does not go unnoticed.
_BOTH = 10

_progress: ContextVar[Progress | None] = ContextVar("progress", default=None)
_anew: ContextVar[bool] = ContextVar("anew", default=False)


@contextmanager
def progress_of_pairs(report: Progress) -> Iterator[None]:
    """Report the progress of all pairs that this thread computes inside the block."""
    token = _progress.set(report)
    try:
        yield
    finally:
        _progress.reset(token)


@contextmanager
def computed_anew() -> Iterator[None]:
    """Compute every pair inside the block, as if no matrix were kept: for timing."""
    token = _anew.set(True)
    try:
        yield
    finally:
        _anew.reset(token)


def pair_values(function: Callable[..., Any], cache: bool) -> Callable[..., Array]:
    """Return the Gram matrix of a function of two rows, as `OwnKernel` takes it."""

    def values(kernel: Any, X: Array, Y: Array | None = None) -> Array:
        named, owner = parameters_of(kernel), type(kernel).__name__

        def value(x: Any, y: Any) -> float:
            return _number(function(x, y, **named), owner)

        if Y is not None or not cache or _anew.get():
            return _computed(X, Y, value, owner)
        key = _key(kernel, X)
        with _lock:
            K = _kept.get(key)
        if K is None:
            K = _computed(X, None, value, owner)
        _keep(key, K)
        return K

    return values


def _pair_diagonal(function: Callable[..., Any], kernel: Any, X: Array) -> Array:
    """Return k(x, x) of a function of two rows."""
    return np.array([_number(function(x, x, **parameters_of(kernel)), type(kernel).__name__) for x in X])


def _computed(X: Array, Y: Array | None, value: Callable[[Any, Any], float], owner: str) -> Array:
    """Return the values of X against Y, or of all pairs of X, each pair evaluated once; report the progress."""
    others = X if Y is None else Y
    K = np.empty((len(X), len(others)))
    todo = np.argwhere(np.tri(len(X), dtype=bool).T if Y is None else np.ones(K.shape, dtype=bool))
    report, last = _progress.get(), time.monotonic()
    for done, (i, j) in enumerate(todo, 1):
        K[i, j] = value(X[i], others[j])
        if done <= _BOTH and (Y is not None or i != j):
            _require_symmetric(K[i, j], value(others[j], X[i]), owner)
        if Y is None:
            K[j, i] = K[i, j]
        if report is not None and time.monotonic() - last > _OFTEN:
            last = time.monotonic()
            report(done, len(todo))
    return K


def _number(value: Any, owner: str) -> float:
    try:
        number = np.asarray(value)
    except ValueError:  # lists of different lengths
        number = np.empty(0)
    if number.size != 1 or number.dtype.kind not in "fiub":
        shown = f"shape {number.shape}" if number.size > 1 else f"a {type(value).__name__}"
        raise OwnCodeError(f"{owner}: it returned {shown} for two rows; expected one real number. Return a float.")
    return float(number.reshape(()))


_lock = threading.Lock()
#: The last matrices, the one used last at the end.
_kept: dict[Key, Array] = {}


def _keep(key: Key, K: Array) -> None:
    with _lock:
        _kept.pop(key, None)
        if K.nbytes <= _LARGEST:
            _kept[key] = K
        for oldest in [*_kept][:-_MATRICES]:
            del _kept[oldest]


def kept_matrices() -> dict[Key, Array]:
    """Return the matrices that this process keeps."""
    with _lock:
        return dict(_kept)


def add_matrices(matrices: dict[Key, Array]) -> None:
    """Keep the matrices that a helper process has computed."""
    for key, K in matrices.items():
        _keep(key, K)


def of_pairs(kernel: Any) -> dict[str, Any] | None:
    """Return the options of a kernel that is made from a function of two single rows; None for any other."""
    options: dict[str, Any] = getattr(type(kernel), "recipe", (None, (), {}))[2]
    return options if options.get("pairwise") else None


def is_kept(kernel: Any, X: Any) -> bool:
    """Return whether the matrices of rows X by all functions of two rows in a kernel are kept, and it has no others."""
    parts = tuple(kernel.walk())
    leaves = [part for part in parts if not part.children]
    if any(isinstance(part, RowStep) for part in parts) or not all(map(of_pairs, leaves)):
        return False
    return all(_key(leaf, leaf.checked_rows(X)) in _kept for leaf in leaves)


def _key(kernel: Any, X: Array) -> Key:
    from joblib import hash as digest

    return type(kernel).definition, repr(kernel), str(digest(np.ascontiguousarray(X)))


def _require_symmetric(one: float, other: float, owner: str) -> None:
    if not abs(one - other) <= 1e-6 * max(abs(one), abs(other)) and one == one:
        raise OwnCodeError(
            f"{owner}: it is not symmetric, f(x, y) = {one:.6g} and f(y, x) = {other:.6g}; expected the same value. "
            "Return (f(x, y) + f(y, x)) / 2, or write a function of all rows with @kernel_from."
        )
