"""The common part of all kernels that are made from other code: checks, blocks, pickling."""

from __future__ import annotations

import dataclasses
import hashlib
import pickle
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..core.base import Kernel
from ..errors import OwnCodeError, ParameterError
from ..values.arrays import Array
from ..values.domains import Domain, check_rows
from .registered import known_by_name, naming_the_line, own_kernels, register

#: Asymmetry that is rounding, relative to the largest entry, in units of the rounding of the function's own type.
_ROUNDING = 64
#: Rows that are compared with each other where only their own k(x, x) is needed.
_TOGETHER = 16

#: (kernel, X) or (kernel, X, Y) → values (n, n) or (m, n).
Values = Callable[..., Any]
Diagonal = Callable[[Any, Array], Any]
#: A function of this package and its arguments that make the class again, in any process.
Recipe = tuple[Callable[..., type[Kernel]], tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True, repr=False)
class OwnKernel(Kernel):
    """A kernel whose values come from user code, which is called with copies of the rows and checked.

    The values must be real numbers of shape (m, n); a matrix of rows with themselves that is symmetric up to rounding
    is made symmetric to the last bit. Whatever the code raises becomes an OwnCodeError with the line of its file.
    A kernel is pickled as the code that makes its class, so that helper processes need no import.
    """

    psd: ClassVar[bool] = False
    waits: ClassVar[bool] = True
    source: ClassVar[str] = "your own"
    cost: ClassVar[str] = "that of the function"
    #: A word of its own for each definition, the same in every process that has it; caches and restarts depend on it.
    definition: ClassVar[str] = ""
    #: The file of the code, "" if there is none, and Python that makes the class.
    file: ClassVar[str] = ""
    code: ClassVar[str] = ""
    recipe: ClassVar[Recipe]
    _content: ClassVar[Any] = None
    _pickle: ClassVar[bytes] = b""
    values_of: ClassVar[Values]
    diagonal_of: ClassVar[Diagonal | None] = None

    def checked_rows(self, X: Any) -> Array:
        return check_rows(self.domain, X, type(self).__name__)

    def gram(self, X: Array, Y: Array | None) -> Array:
        raw = self._call(type(self).values_of, X, *([] if Y is None else [Y]))
        K, rounding = checked_values(raw, (len(X), len(X if Y is None else Y)), type(self).__name__)
        return _symmetric(K, rounding) if Y is None else K

    def gram_diag(self, X: Array) -> Array:
        own = type(self).diagonal_of
        if own is None:
            blocks = (X[start : start + _TOGETHER] for start in range(0, len(X), _TOGETHER))
            return np.concatenate([self.gram(block, None).diagonal() for block in blocks])
        return checked_values(self._call(own, X), (len(X),), f"{type(self).__name__}, its diagonal")[0]

    def _call(self, function: Callable[..., Any], *rows: Array) -> Any:
        """Call the code with copies: look-ups and other threads use the rows too, and compiled code may refuse
        read-only ones."""
        copies = [part.copy() for part in rows]
        with naming_the_line(type(self).__name__, self.file):
            values = function(self, *copies)
        if not all(_unchanged(copy, part) for copy, part in zip(copies, rows, strict=True)):
            raise OwnCodeError(
                f"{type(self).__name__}: it changes its rows; expected a function that leaves X and Y as they are. "
                "Copy them first: X = X.copy()."
            )
        return values

    def __reduce__(self) -> Any:
        return _again, (type(self).__name__, self.definition, _pickled(type(self)), parameters_of(self))


def parameters_of(kernel: Any) -> dict[str, Any]:
    """Return the parameters of a user-defined kernel."""
    return {f.name: getattr(kernel, f.name) for f in dataclasses.fields(kernel) if f.init}


def _unchanged(copy: Array, rows: Array) -> bool:
    if rows.dtype == object:  # a missing cell differs from itself
        return all(one is other for one, other in zip(copy.flat, rows.flat, strict=True))
    return np.array_equal(copy, rows, equal_nan=rows.dtype.kind == "f")


def checked_values(raw: Any, shape: tuple[int, ...], owner: str) -> tuple[Array, float]:
    """Return fresh float64 values and the rounding of the type that they came in; OwnCodeError for anything else.

    >>> checked_values([[1, 2]], (1, 2), "f")[0]
    array([[1., 2.]])
    >>> checked_values(np.ones(3), (3, 3), "f")
    Traceback (most recent call last):
    kernlib.errors.OwnCodeError: f: it returned shape (3,); expected (3, 3), one value for each pair of rows. ...
    """
    if hasattr(raw, "toarray"):
        raw = raw.toarray()
    what = "one value for each pair of rows" if len(shape) == 2 else "k(x, x) of each row"
    try:
        values = np.asarray(raw)
    except ValueError:
        raise OwnCodeError(f"{owner}: it returned rows of different lengths; expected shape {shape}, {what}.") from None
    if values.dtype.kind not in "fiub":
        kind = "None" if raw is None else f"values of type {values.dtype}"
        raise OwnCodeError(f"{owner}: it returned {kind}; expected real numbers of shape {shape}. Return an array.")
    if values.shape != shape:
        raise OwnCodeError(
            f"{owner}: it returned shape {values.shape}; expected {shape}, {what}. Return len(X) rows and len(Y) "
            "columns."
        )
    rounding = float(np.finfo(values.dtype).eps) if values.dtype.kind == "f" else 0.0
    return np.array(values, dtype=np.float64), max(rounding, float(np.finfo(np.float64).eps))


def _symmetric(K: Array, rounding: float) -> Array:
    """Return K made symmetric where only rounding makes it asymmetric, else K as it is, which the doctor reports."""
    gap = np.abs(K - K.T).max()
    if 0 < gap <= _ROUNDING * rounding * np.abs(K).max():
        K += K.T.copy()
        K /= 2
    return K


def own_class(
    name: str,
    fields: Sequence[tuple[str, Any, Any]],
    values_of: Values,
    *,
    recipe: Recipe,
    content: tuple[Any, ...],
    domain: Domain,
    diagonal_of: Diagonal | None = None,
    module: str = "user_defined",
    **described: str,
) -> type[OwnKernel]:
    """Return the registered class of a kernel; the earlier class if its name and content are the same.

    `fields` are (name, type, declared field) of the parameters, `content` is what the definition consists of,
    `described` are the class attributes `doc`, `formula`, `source`, `cost`, `file` and `code`. Raises ParameterError
    for a name that is no identifier or that kernlib uses.
    """
    if not name.isidentifier():
        raise ParameterError(f"kernel_from: {name!r} is no name; expected an identifier. Give name='MyKernel'.")
    for field_name, _, _ in fields:
        if field_name.startswith("_") or hasattr(OwnKernel, field_name):
            raise ParameterError(
                f"{name}: a parameter cannot be called {field_name!r}, which every kernel has already; expected "
                "another name. Rename it."
            )
    compared, known = _comparable(content), known_by_name(name)
    if known is not None and issubclass(known, OwnKernel) and known._content == compared:
        return known
    about: Mapping[str, Any] = {
        "__doc__": described.pop("doc", "") or f"Return the values of {name}.",
        "__module__": module,
        "domain": domain,
        "recipe": recipe,
        "definition": secrets.token_hex(8),
        "_content": compared,
        "values_of": staticmethod(values_of),
        "diagonal_of": None if diagonal_of is None else staticmethod(diagonal_of),
    } | described
    made = dataclasses.make_dataclass(
        name, fields, bases=(OwnKernel,), namespace=dict(about), frozen=True, repr=False, kw_only=True
    )
    made.__module__ = module  # since Python 3.12 `make_dataclass` sets the module of its caller
    return register(made)


def _comparable(content: tuple[Any, ...]) -> Any:
    """Return a value that is equal for the same functions and classes that use equal values, and only for these.

    A function that is defined again is another one, whatever its source: what it calls may have changed.
    """
    import cloudpickle

    try:
        pickled = cloudpickle.dumps(content)
    except Exception:  # as an open file: never equal
        return object()
    # The functions are kept, so that no other one gets their ids.
    return [(id(part), part) for part in content if callable(part)], hashlib.blake2b(pickled).digest()


def _pickled(cls: type[OwnKernel]) -> bytes:
    if not cls._pickle:
        import cloudpickle

        cls._pickle = cloudpickle.dumps(cls.recipe)
    return cls._pickle


def _again(name: str, definition: str, recipe: bytes, given: dict[str, Any]) -> Kernel:
    """Return a pickled kernel, of the class of this process that has the same definition, or of a new one."""
    known = known_by_name(name)
    if known is None or getattr(known, "definition", "") != definition:
        import cloudpickle

        make, arguments, named = cloudpickle.loads(recipe)
        known = make(*arguments, **named)
        known.definition = definition  # that of the process it came from: the next such kernel is of this class
    return known(**given)


def definitions() -> list[bytes]:
    """Return what other processes need to have this process's kernels: each with its defaults, as a pickle."""
    sent = []
    for cls in own_kernels():
        if issubclass(cls, OwnKernel):
            with suppress(Exception):  # its code cannot be sent: a task with this kernel says why
                sent.append(pickle.dumps(cls()))
    return sent


def define_like(given: Sequence[bytes]) -> None:
    """Register the kernels of the process that started this one."""
    own_kernels()  # plug-ins are loaded first: they must not replace what comes
    for kernel in given:
        with suppress(Exception):  # what it imports is not here: a task with this kernel says so
            pickle.loads(kernel)
