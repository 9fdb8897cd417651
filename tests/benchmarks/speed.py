"""Speed and memory beside other software, as a Markdown table that grows row by row.

    python -m tests.benchmarks speed [--only WORDS] [--quick | --toy] [--seconds 12]

Machines are shared, so only ratios within one run count: ours and the peers alternate, and the table prints medians.
Every row first checks that both compute the same values.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import analysis, kernels
from .case import Work, named, options
from .limits import measure_machine
from .table import heading, line
from .timing import measure

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
    machine = measure_machine(200 if toy else 1500)
    print(heading(machine), flush=True)
    different = []
    for work in (work for work in WORKS if work.name in names):
        row = measure(work, work.sizes[place], machine, 0.0 if toy else seconds)
        print(line(row), flush=True)
        if not row.same:
            different.append(work.name)
    if different:
        print(f"\nValues differ: {'; '.join(different)}.")
    return 1 if different else 0
