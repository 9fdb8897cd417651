"""Speed and memory beside other software, as a Markdown table that grows row by row.

    python -m tests.benchmarks speed [--only WORDS] [--quick | --toy] [--seconds 12]

Machines are shared, so only ratios within one run count: ours and the peers alternate, and the table prints medians.
Every row first checks that both compute the same values.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from kernlib.errors import ParameterError

from . import analysis, kernels
from .case import Work
from .timing import Compared, Measured, measure

HEADING = """\
Ratio: our time over the peer's, medians within one run. Values: the largest difference. Memory: the peak, and as a
multiple of the result.

| work | ours | peer | ratio | goal | values | memory |
|---|---|---|---|---|---|---|"""


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
    own = [f"{row.work.name}, n = {row.n}", _time(row.seconds)] if first else ["", ""]
    return "| " + " | ".join([*own, *shown, memory if first else ""]) + " |"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


#: All rows of the table.
WORKS: tuple[Work, ...] = kernels.WORKS + analysis.WORKS


def main(arguments: Sequence[str]) -> int:
    """Read the options and print the table; return 1 if values differ from a peer's or from the definition, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="WORDS", help="only rows whose name contains these words")
    parser.add_argument("--quick", action="store_true", help="smaller sizes: a minute or two")
    parser.add_argument("--toy", action="store_true", help="tiny sizes that only test the command")
    parser.add_argument("--seconds", type=float, default=12.0, help="seconds per row, approximately (default 12)")
    asked = parser.parse_args(arguments)
    chosen = [work for work in WORKS if asked.only.lower() in work.name.lower()]
    if not chosen:
        names = "; ".join(work.name for work in WORKS)
        raise ParameterError(f"--only must be part of a row's name; got {asked.only!r}. Try one of: {names}.")
    print(HEADING, flush=True)
    different = []
    for work in chosen:
        row = measure(
            work, work.sizes[2 if asked.toy else 1 if asked.quick else 0], 0.0 if asked.toy else asked.seconds
        )
        print(line(row), flush=True)
        if not row.same:
            different.append(work.name)
    if different:
        print(f"\nValues differ: {'; '.join(different)}.")
    return 1 if different else 0
