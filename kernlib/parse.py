"""Parse a value from its repr, without `eval`.

The link, a saved RunSpec and an exported script all carry a kernel as the Python that makes it.
The parser accepts calls of known names, numbers, words, tuples, and the operators +, * and **
between kernels; everything else is refused.
"""

from __future__ import annotations

import ast
import difflib
import math
from collections.abc import Iterable
from typing import Any, TypeVar

from .core.base import Kernel
from .errors import KernlibError, ParameterError
from .registry import all_kernels
from .values.declare import Declared, shown

T = TypeVar("T", bound=Declared)

_MAX_LENGTH = 4_000
_MAX_DEPTH = 40
#: The most operators + * ** in one text. A chain of operators makes a tree as deep as it is long, and repr, hash,
#: pickle and evaluation of that tree must stay within Python's recursion limit.
_MAX_JOINS = 100
_EXAMPLE = "Expected Python such as Power(Linear(), p=0.5)."


def parse(text: str, more: Iterable[type[Kernel]] = ()) -> Kernel:
    """Return the kernel that `text`, a kernel's repr, describes; of the registered classes, or of these `more`.

    Raises ParameterError, naming the place, for anything that is not a kernel's repr, and
    whatever the kernel itself raises for its parameters.

    >>> parse("Deep(RBF(sigma=1.5), level=3) + 0.5 * Normalized(Linear())")
    Deep(RBF(sigma=1.5), level=3, bandwidths=None) + 0.5 * Normalized(Linear())
    """
    value = _Reader((*all_kernels(), *more)).read(text)
    if not isinstance(value, Kernel):
        raise ParameterError(f"Not a kernel: {shown(text)}. {_EXAMPLE}")
    return value


def parse_declared(text: str, known: Iterable[type[T]]) -> T:
    """Return a machine, protocol or other declared value from its repr, among the classes that are known.

    Raises ParameterError for anything else.

    >>> from kernlib.machines import SVM
    >>> parse_declared("SVM(C=inf)", [SVM])
    SVM(C=inf)
    """
    classes = tuple(known)
    value = _Reader(classes).read(text)
    if not isinstance(value, classes):
        raise ParameterError(f"Not one of {', '.join(c.__name__ for c in classes)}: {shown(text)}.")
    return value


class _Reader:
    """A walk over a syntax tree; only known classes may be called."""

    def __init__(self, known: Iterable[type[Declared]]) -> None:
        self.known = {k.__name__: k for k in known}
        self.joins = 0

    def read(self, text: str) -> Any:
        if len(text) > _MAX_LENGTH:
            raise ParameterError(
                f"The text is {len(text)} characters long; expected at most {_MAX_LENGTH}. Start from the menu."
            )
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise ParameterError(f"Not Python: {shown(text)}. {_EXAMPLE}") from None
        return self._value(tree, 0)

    def _value(self, node: ast.expr, depth: int) -> Any:
        if depth > _MAX_DEPTH:
            raise ParameterError(f"More than {_MAX_DEPTH} nested kernels; expected fewer. Remove some steps.")
        match node:
            case ast.Constant(value=bool() | str() | None as value):
                return value
            case ast.Constant(value=int() | float() as number):
                return _number(number)
            case ast.Name(id="inf"):
                return math.inf
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return -_number(number)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return tuple(self._value(item, depth + 1) for item in items)
            case ast.BinOp():
                return self._joined(node, depth)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                return self._called(name, args, keywords, depth)
        raise ParameterError(f"Not read here: {shown(ast.unparse(node))}. Expected calls, numbers or + * **.")

    def _joined(self, node: ast.BinOp, depth: int) -> Any:
        """Return a chain of operators from its left end on: a + b + c is as deep as a + b."""
        chain: list[ast.BinOp] = []
        first: ast.expr = node
        while isinstance(first, ast.BinOp):
            chain.append(first)
            first = first.left
        self.joins += len(chain)
        if self.joins > _MAX_JOINS:
            raise ParameterError(f"More than {_MAX_JOINS} of + * **; expected fewer. Join fewer kernels.")
        value = self._value(first, depth + 1)
        for join in reversed(chain):
            value = _combined(value, join.op, self._value(join.right, depth + 1), join)
        return value

    def _called(self, name: str, args: list[ast.expr], keywords: list[ast.keyword], depth: int) -> Declared:
        if name not in self.known:
            near = difflib.get_close_matches(name, self.known, n=3, cutoff=0.3) or sorted(self.known)[:3]
            raise ParameterError(
                f"Unknown name {shown(name)}; expected a name such as {', '.join(near)}. A kernel of your own is "
                "known once its module is imported, on a page with `kernlib show --load FILE`."
            )
        if any(isinstance(a, ast.Starred) for a in args) or any(k.arg is None for k in keywords):
            raise ParameterError(f"{name}: * and ** are not read here. Write the arguments out.")
        positional = [self._value(a, depth + 1) for a in args]
        named = {str(k.arg): self._value(k.value, depth + 1) for k in keywords}
        try:
            return self.known[name](*positional, **named)
        except KernlibError:
            raise
        except (TypeError, AttributeError) as error:
            raise ParameterError(f"{name}: {error}. See its parameters in the reference.") from None


def _number(value: float) -> float:
    """Return the number; raise ParameterError if it is too large for a float."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 1023:
        digits = round(value.bit_length() * math.log10(2))
        raise ParameterError(f"A number of {digits} digits; expected at most 300. Write fewer.")
    return value


def _combined(left: Any, op: ast.operator, right: Any, node: ast.expr) -> Any:
    if isinstance(left, Kernel) or isinstance(right, Kernel):
        try:
            match op:
                case ast.Add():
                    return left + right
                case ast.Mult():
                    return left * right
                case ast.Pow():
                    return left**right
        except TypeError:
            pass
    raise ParameterError(f"Not part of a kernel: {shown(ast.unparse(node))}. Expected kernels joined by + * **.")
