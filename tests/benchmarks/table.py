"""Format measurements as a Markdown table."""

from __future__ import annotations

import math

from .limits import Machine
from .timing import Compared, Measured

_COLUMNS = "| work | ours | peer | ratio | goal | values | memory | growth | limit |"


def heading(machine: Machine) -> str:
    """Return the machine's rates and the names of the columns."""
    return (
        f"This machine: matrix product {machine.flops / 1e9:.3g} GFLOP/s, {machine.written / 1e9:.1f} GB/s into fresh "
        f"memory, {machine.exponentials / 1e9:.2f}·10⁹ exponentials a second. Ratio: our time over the peer's, medians "
        "within one run. Values: the largest difference. Memory: the peak, and as a multiple of the result. Growth: "
        "a in time ~ n^a. Limit: our time over the minimum at the machine's rates.\n\n"
        f"{_COLUMNS}\n|{'---|' * (_COLUMNS.count('|') - 1)}"
    )


def line(row: Measured) -> str:
    """Return one row for every peer."""
    return "\n".join(_cells(row, peer, i == 0) for i, peer in enumerate(row.peers))


def _cells(row: Measured, peer: Compared, first: bool) -> str:
    difference = peer.difference
    if difference is None and first:
        difference = row.difference
    wrong = difference is not None and difference > row.work.tolerance
    values = "other work" if difference is None else ("DIFFERENT, " if wrong else "") + f"{difference:.0e}"
    if peer.absent:
        shown = [peer.absent, "", "", values]
    else:
        goal = f"≤ {row.work.goal:g}" if first else ""
        shown = [f"{peer.name}, {_time(peer.seconds)}", f"{peer.ratio:.3g} ×", goal, values]
    memory = f"{row.peak / 1e6:.1f} MB" + (f", {row.peak / row.result:.1f} ×" if row.result > 1 << 20 else "")
    growth = "" if math.isnan(row.growth) else f"{row.growth:.1f}"
    limit = f"{row.seconds / row.limit:.1f} ×" if row.limit else ""
    own = [f"{row.work.name}, n = {row.n}", _time(row.seconds)] if first else ["", ""]
    tail = [memory, growth, limit] if first else ["", "", ""]
    return "| " + " | ".join([*own, *shown, *tail]) + " |"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"
