"""A kernel from its text: the inverse of repr, and never `eval`.

The link, a saved RunSpec and an exported script all carry a kernel as the Python that makes it.
Reading it back admits calls of registered kernels, numbers, words, tuples, and the operators
+, * and **; everything else is refused.
"""

from __future__ import annotations

import ast
from typing import Any

from .base import Kernel
from .errors import KernlibError, ParameterError
from .registry import KERNELS

__all__ = ["parse"]

_MAX_LENGTH = 4_000
_MAX_DEPTH = 40


def parse(text: str) -> Kernel:
    """The kernel that `text`, a kernel's repr, describes.

    Raises ParameterError, naming the place, for anything that is not a kernel's repr, and
    whatever the kernel itself raises for its parameters.

    >>> parse("Deep(RBF(sigma=1.5), level=3) + 0.5 * Normalized(Linear())")
    Deep(RBF(sigma=1.5), level=3, bandwidths=None) + 0.5 * Normalized(Linear())
    """
    if len(text) > _MAX_LENGTH:
        raise ParameterError(
            f"The kernel's text is {len(text)} characters long; expected at most {_MAX_LENGTH}. "
            "Start from a kernel of the menu."
        )
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ParameterError(f"Not a kernel: {_shown(text)}. Expected Python such as Power(Linear(), p=0.5).") from None
    value = _value(tree, 0)
    if not isinstance(value, Kernel):
        raise ParameterError(f"Not a kernel: {_shown(text)}. Expected Python such as Power(Linear(), p=0.5).")
    return value


def _value(node: ast.expr, depth: int) -> Any:
    if depth > _MAX_DEPTH:
        raise ParameterError(f"The kernel is nested more than {_MAX_DEPTH} deep. Take some steps away.")
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return tuple(_value(item, depth + 1) for item in items)
        case ast.BinOp(left=left, op=op, right=right):
            return _combined(_value(left, depth + 1), op, _value(right, depth + 1), node)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            return _called(name, args, keywords, depth)
    raise ParameterError(f"Not part of a kernel: {_shown(ast.unparse(node))}. Expected calls, numbers or + * **.")


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
    raise ParameterError(f"Not part of a kernel: {_shown(ast.unparse(node))}. Expected kernels joined by + * **.")


def _called(name: str, args: list[ast.expr], keywords: list[ast.keyword], depth: int) -> Kernel:
    known = {k.__name__: k for k in KERNELS}
    if name not in known:
        raise ParameterError(f"No kernel is called {_shown(name)}. Known: {', '.join(sorted(known))}.")
    if any(isinstance(a, ast.Starred) for a in args) or any(k.arg is None for k in keywords):
        raise ParameterError(f"{name}: * and ** are not read here. Write the arguments out.")
    positional = [_value(a, depth + 1) for a in args]
    named = {str(k.arg): _value(k.value, depth + 1) for k in keywords}
    try:
        return known[name](*positional, **named)
    except KernlibError:
        raise
    except (TypeError, AttributeError) as error:
        raise ParameterError(f"{name}: {error}. See its parameters in the reference.") from None


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "…")
