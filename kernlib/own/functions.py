"""A kernel from a function: `kernel_from`."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin

from ..errors import ParameterError
from ..values.above import above
from ..values.arrays import Array
from ..values.declare import Parameter, ordinary, param
from ..values.domains import Domain
from .base import OwnKernel, own_class
from .pairwise import pair_diagonal, pair_values

Function = Callable[..., Any]

#: The rows that a function reads unless it says otherwise.
_ROWS: Domain = "vector"


@typing.overload
def kernel_from(
    function: Function,
    /,
    *,
    domain: Domain = ...,
    pairwise: bool = ...,
    diag: Function | None = ...,
    name: str = ...,
    formula: str = ...,
    source: str = ...,
    cache: bool = ...,
) -> type[OwnKernel]: ...
@typing.overload
def kernel_from(
    *,
    domain: Domain = ...,
    pairwise: bool = ...,
    diag: Function | None = ...,
    name: str = ...,
    formula: str = ...,
    source: str = ...,
    cache: bool = ...,
) -> Callable[[Function], type[OwnKernel]]: ...


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
    names = [field for field, _, _ in fields]

    def given(kernel: Any) -> dict[str, Any]:
        return {field: getattr(kernel, field) for field in names}

    def whole(kernel: Any, X: Array, Y: Array | None = None) -> Any:
        return function(X, X if Y is None else Y, **given(kernel))

    values = pair_values(function, given, cache) if pairwise else whole
    diagonal = pair_diagonal(function, given) if pairwise else None
    if diag is not None:
        diagonal = lambda kernel, X: diag(X, **given(kernel))  # noqa: E731
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
