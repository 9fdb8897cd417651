"""Values in a notebook: a kernel as its chain with formulas, a result as its figure.

Plotly is imported at the first figure; without Plotly a result prints as its repr.
"""

from __future__ import annotations

import dataclasses
import html
import math
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast

if TYPE_CHECKING:
    from ..core.base import Kernel

#: Entries that are written out in a repr, and characters of one value there.
_FEW, _LONG = 6, 100


class Pictured:
    """A result with a figure: `figure()` makes it, and a notebook shows it; its repr says how large its arrays are.

    A class names the function of `kernlib.figures` that draws it, as "module.function".
    """

    _drawn_by: ClassVar[str]

    def __repr__(self) -> str:
        shown = (f for f in dataclasses.fields(cast(Any, self)) if f.repr)
        return f"{type(self).__name__}({', '.join(f'{f.name}={_shown(getattr(self, f.name))}' for f in shown)})"

    def figure(self, **options: Any) -> Any:
        """Return the Plotly figure of this result; `options` as the function that draws it takes them."""
        module, name = self._drawn_by.split(".")
        return getattr(import_module(f"kernlib.figures.{module}"), name)(self, **options)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        words = {"text/plain": repr(self)}
        try:
            figure = self.figure()
        except ImportError:
            return words
        return words | dict(figure._repr_mimebundle_(include, exclude) or {})


def _shown(value: Any) -> str:
    """Return a value in a line: of an array with more than a few entries its shape."""
    shape: tuple[int, ...] = getattr(value, "shape", ())
    if math.prod(shape) > _FEW or (isinstance(value, tuple) and len(value) > _FEW):
        return f"<{' × '.join(map(str, shape or (len(value),)))}>"
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    text = f"{value:.6g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"


def kernel_html(kernel: Kernel) -> str:
    """Return a kernel as inert HTML: its chain from the rows on, and the formula of every kernel in it.

    >>> from kernlib import RBF
    >>> kernel_html(2 * RBF(sigma=1.5)).count("<tr>")
    2
    """
    by_chip: dict[str, Kernel] = {}
    for step in kernel.walk():
        by_chip.setdefault(step.chip() if len(step.children) < 2 else type(step).__name__.lower(), step)
    chain = " → ".join(html.escape(chip) for chip in kernel.chain())
    cell = "<td style='text-align:left'>"
    rows = "".join(
        f"<tr>{cell}{html.escape(chip)}</td>{cell}${html.escape(step.formula, quote=False)}$</td></tr>"
        for chip, step in reversed(by_chip.items())
        if step.formula
    )
    return f"<div><b>{chain}</b><table>{rows}</table><code>{html.escape(repr(kernel))}</code></div>"
