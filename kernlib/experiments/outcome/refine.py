"""Further values of an axis, where the curve bends."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...statistics import confidence_band
from ..spec import RunSpec
from .curve import Curve


def bend_values(drawn: Curve, count: int = 4) -> tuple[Any, ...]:
    r"""Return at most `count` values between those of a curve over numbers, where a straight line misses it most.

    Between neighbours at a distance h a line misses a curve by up to :math:`h^2 |f''| / 8`. f'' comes from the second
    divided differences at both ends, on the axis' own scale. A bend counts whose 95% t-interval over the splits leaves
    out 0. The new value is the middle of the two, the geometric one on a logarithmic scale.
    Empty for two axes, for words, for fewer than three values, and for a curve that is straight.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import Axis, FoldResult, curve
    >>> from kernlib.protocols import RepeatedSplits
    >>> axis = Axis("kernel.sigma", (0.1, 1.0, 10.0, 100.0))
    >>> spec = RunSpec("iris", RBF(), protocol=RepeatedSplits(repeats=2), axis=axis)
    >>> scores = dict(zip(axis.values, (0.5, 0.5, 0.1, 0.1)))
    >>> drawn = curve(spec, [FoldResult(v, i, s + i / 99, 9, 9, 0.0) for v, s in scores.items() for i in (0, 1)])
    >>> bend_values(drawn, count=1)
    (3.16,)
    """
    complete = np.isfinite(drawn.scores).all(axis=0)
    known = sorted((v, i) for i, v in enumerate(drawn.values) if type(v) in (int, float) and math.isfinite(v))
    if drawn.second_values or len(known) < max(3, len(drawn.values)) or not complete.any():
        return ()
    values = [v for v, _ in known]
    rows = drawn.scores[[i for _, i in known]][:, complete]
    log = drawn.scale == "log" and values[0] > 0
    x = np.log(values) if log else np.asarray(values, dtype=np.float64)
    h = np.diff(x)
    slopes = np.diff(rows, axis=0) / h[:, None]
    bends = 2 * np.diff(slopes, axis=0) / (h[:-1] + h[1:])[:, None]
    size = np.abs(bends.mean(axis=1))
    if rows.shape[1] > 1:
        bands = [confidence_band(row, 0.0) for row in bends]
        size[[band.low <= 0 <= band.high for band in bands]] = 0.0
    missed = h**2 * np.maximum(np.r_[size[0], size], np.r_[size, size[-1]]) / 8
    added: list[int | float] = []
    for place in np.argsort(-missed, kind="stable"):
        low, high = values[place], values[place + 1]
        middle = math.sqrt(low * high) if log else (low + high) / 2
        new = round(middle) if type(low) is int and type(high) is int else float(f"{middle:.3g}")
        # Rounding leaves a straight curve a bend of the last digits.
        if missed[place] > 1e-9 and low < new < high and len(added) < count:
            added.append(new)
    return tuple(sorted(added))


def refined(spec: RunSpec, drawn: Curve, count: int = 4) -> RunSpec | None:
    """Return the run with `bend_values` added to its axis; None where the curve has none."""
    more = bend_values(drawn, count)
    if spec.axis is None or not more:
        return None
    return replace(spec, axis=replace(spec.axis, values=tuple(sorted((*spec.axis.values, *more)))))
