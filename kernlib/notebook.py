"""How values show themselves in a notebook: a kernel as its chain with formulas, a result as its figure.

Nothing here is imported before a notebook asks, and Plotly only then; without Plotly a result prints as its repr.
"""

from __future__ import annotations

import html
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from .base import Kernel

__all__ = ["Pictured", "kernel_html"]


class Pictured:
    """A result with a figure: `figure()` makes it, and a notebook shows it.

    A class names the function of `kernlib.figures` that draws it, as "module.function".
    """

    _drawn_by: ClassVar[str]

    def figure(self, **options: Any) -> Any:
        """The Plotly figure of this result; `options` as the function that draws it takes them."""
        module, name = self._drawn_by.split(".")
        return getattr(import_module(f"kernlib.figures.{module}"), name)(self, **options)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        words = {"text/plain": repr(self)}
        try:
            figure = self.figure()
        except ImportError:
            return words
        return words | dict(figure._repr_mimebundle_(include, exclude) or {})


def kernel_html(kernel: Kernel) -> str:
    """A kernel as inert HTML: its chain from the rows on, and the formula of every kernel in it.

    >>> from kernlib import RBF
    >>> kernel_html(2 * RBF(sigma=1.5)).count("<tr>")
    2
    """
    seen: dict[str, Kernel] = {}
    waiting = [kernel]
    while waiting:
        step = waiting.pop()
        waiting.extend(reversed(step.children))
        seen.setdefault(step.chip() if len(step.children) < 2 else type(step).__name__.lower(), step)
    chain = " → ".join(html.escape(chip) for chip in kernel.chain())
    cell = "<td style='text-align:left'>"
    rows = "".join(
        f"<tr>{cell}{html.escape(chip)}</td>{cell}${html.escape(step.formula, quote=False)}$</td></tr>"
        for chip, step in reversed(seen.items())
        if step.formula
    )
    return f"<div><b>{chain}</b><table>{rows}</table><code>{html.escape(repr(kernel))}</code></div>"
