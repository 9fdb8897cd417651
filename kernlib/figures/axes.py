"""Logarithmic axes that people read: their ticks are whole numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..values.words import number


def log_axis(values: Iterable[float], most: int = 6) -> dict[str, Any]:
    """Return a logarithmic axis over positive `values`, with ticks at 1, 2, 5, at 1, 3 or at powers of ten.

    Plotly writes the digit alone between powers of ten: 5 1 2 5 10 2 5 for what is 0.5 to 50. Parameters: `most`
    intervals between powers of ten, fewer for a narrow figure.

    >>> axis = log_axis([0.4, 30.0])
    >>> axis["tickvals"], axis["ticktext"]
    ([0.3, 1.0, 3.0, 10.0, 30.0], ['0.3', '1', '3', '10', '30'])
    >>> log_axis([1e-9, 1e9])["ticktext"][:3]
    ['10<sup>−9</sup>', '10<sup>−6</sup>', '0.001']
    """
    numbers = [float(v) for v in values if v > 0]
    if not numbers:
        return {"type": "log"}
    low, high = math.log10(min(numbers)), math.log10(max(numbers))
    decades = high - low
    if decades < 0.6:  # Plotly divides a short piece as it does a straight axis
        return {"type": "log"}
    digits = (1, 2, 5) if decades < 1.2 else (1, 3) if decades < 2.5 else (1,)
    step = max(1, math.ceil(decades / most))
    first = math.floor(low - 0.2)
    powers = range(first - first % step, math.ceil(high + 0.2) + 1, step)
    ticks = [(m, p) for p in powers for m in digits if low - 0.2 <= math.log10(m) + p <= high + 0.2]
    text = [f"{m * 10.0**p:g}" if -4 < p < 5 else _power(m, p) for m, p in ticks]
    return {"type": "log", "tickmode": "array", "tickvals": [float(f"{m}e{p}") for m, p in ticks], "ticktext": text}


def _power(digit: int, power: int) -> str:
    return ("" if digit == 1 else f"{digit}·") + f"10<sup>{power}</sup>".replace("-", "−")


def even_ticks(low: float, high: float, most: int = 5) -> tuple[list[float], list[str]]:
    """Return at most so many round values between the ends of a straight axis, and each as text.

    >>> even_ticks(0.0, 1.1), even_ticks(8e-8, 6.2e-5, 4)
    (([0.0, 0.5, 1.0], ['0', '0.5', '1']), ([2e-05, 4e-05, 6e-05], ['2·10⁻⁵', '4·10⁻⁵', '6·10⁻⁵']))
    """
    power = math.floor(math.log10((high - low) / most))
    for digit, up in ((1, 0), (2, 0), (5, 0), (1, 1), (2, 1)):
        step = float(f"{digit}e{power + up}")
        places = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
        if len(places) <= most:
            break
    values = [float(f"{place * digit}e{power + up}") for place in places]
    size = max(map(abs, values), default=step)
    digits = max(2, 2 + math.floor(math.log10(max(size / step, 1.0))))
    return values, [number(value, digits) for value in values]
