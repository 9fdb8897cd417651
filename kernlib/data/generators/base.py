"""The base of all generators: a frozen value with declared parameters, whose data follow from its seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ...errors import ParameterError
from ...values.arrays import Array
from ...values.declare import Declared, param
from ..dataset import About, Dataset

GENERATED = "generated, no rights reserved"
# 512 MB of float64: what a laptop holds beside its Gram matrix.
MOST_CELLS = 2**26


def count_param(default: int, symbol: str, help: str, *, slider: tuple[int, int, int], bounds: tuple[int, int]) -> Any:
    """Return a declared whole number: the slider's lowest value, highest value and step, and the hard bounds."""
    (low, high, step), (minimum, maximum) = slider, bounds
    return param(
        default, symbol=symbol, kind="int", help=help, low=low, high=high, step=step, minimum=minimum, maximum=maximum
    )


def real_param(
    default: float,
    symbol: str,
    help: str,
    *,
    slider: tuple[float, float, float],
    maximum: float,
    positive: bool = False,
) -> Any:
    """Return a declared number from 0 to `maximum`, above 0 if `positive`; `slider` is as for `count_param`."""
    low, high, step = slider
    return param(
        default,
        symbol=symbol,
        help=help,
        low=low,
        high=high,
        step=step,
        minimum=0.0,
        open_minimum=positive,
        maximum=maximum,
    )


def rows_param(default: int, *, high: int = 2000, maximum: int = 500_000) -> Any:
    """Return the declared number of rows of a generator."""
    return count_param(default, "n", "number of rows", slider=(10, high, 10), bounds=(4, maximum))


def seed_param(help: str = "the same seed gives the same data") -> Any:
    """Return the declared seed of a generator or a sample."""
    return count_param(0, r"\mathrm{seed}", help, slider=(0, 99, 1), bounds=(0, 2**32 - 1))


@dataclass(frozen=True, repr=False)
class Generator(Declared):
    """Base of the generators: text for the page, declared parameters, and `generate`.

    Each class declares `about` and `formula` (LaTeX).
    """

    about: ClassVar[About]
    formula: ClassVar[str] = ""

    def generate(self) -> Dataset:
        """Return the data set of these parameters; the same value always gives the same data."""
        raise NotImplementedError

    def target(self, rows: Array) -> Array | None:
        """Return the noise-free target G(x) = E[y | x] of rows, with classes as ±1; None where it is not known.

        Reference: Braun, Buhmann, Müller 2006, the model Y = G + ε.
        """
        return None

    def _refuse_too_large(self, rows: int, columns: int, names: str) -> None:
        if rows * columns > MOST_CELLS:
            raise ParameterError(
                f"{type(self).__name__}: {names} would make {rows} × {columns} numbers; expected at most "
                f"{MOST_CELLS} in all. With {columns} columns choose at most {MOST_CELLS // columns} rows."
            )

    def _dataset(self, rows: Any, y: Any, **more: Any) -> Dataset:
        changed = [
            f"{p.name}={getattr(self, p.name)!r}" for p in self.parameters() if getattr(self, p.name) != p.default
        ]
        recipe = f"load_dataset({', '.join([repr(self.about.name), *changed])})"
        return Dataset(**self.about.record | {"licence": GENERATED, "rows": rows, "y": y, "recipe": recipe} | more)


def halves(n: int) -> npt.NDArray[np.int64]:
    """Return class codes 0 and 1 in equal numbers (one more 0 for an odd n)."""
    return (np.arange(n) >= n - n // 2).astype(np.int64)
