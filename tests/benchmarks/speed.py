"""Speed and memory beside other software, as a Markdown table that grows row by row.

    python -m tests.benchmarks speed [--only WORDS] [--quick | --toy] [--seconds 12]

Machines are shared, so only ratios within one run count: ours and the peers alternate, and the table prints medians.
Every row first checks that both compute the same values.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import analysis, kernels
from .case import Work, named, options
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
    """Read the options and print the table; return 1 if values differ."""
    parser = options(__doc__)
    parser.add_argument("--seconds", type=float, default=12.0, help="seconds per row, approximately (default 12)")
    asked = parser.parse_args(arguments)
    return run(asked.only, quick=asked.quick, toy=asked.toy, seconds=asked.seconds)


def run(only: str = "", *, quick: bool = False, toy: bool = False, seconds: float = 12.0) -> int:
    """Print the table; return 1 if values differ from a peer's or from the definition, else 0.

    Parameters: `only` a part of a row's name; `quick` smaller sizes; `toy` the smallest sizes, for tests; `seconds`
    budget of a row. Raises ParameterError if no row's name matches.
    """
    names = named([work.name for work in WORKS], only)
    place = 2 if toy else 1 if quick else 0
    print(HEADING, flush=True)
    different = []
    for work in (work for work in WORKS if work.name in names):
        row = measure(work, work.sizes[place], 0.0 if toy else seconds)
        print(line(row), flush=True)
        if not row.same:
            different.append(work.name)
    if different:
        print(f"\nValues differ: {'; '.join(different)}.")
    return 1 if different else 0
