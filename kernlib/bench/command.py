"""``python -m kernlib bench``: print the table row by row as it is measured."""

from __future__ import annotations

from . import analysis, kernels
from .case import Work, named
from .limits import measure_machine
from .table import heading, line
from .timing import measure

#: All rows of the table.
WORKS: tuple[Work, ...] = kernels.WORKS + analysis.WORKS


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
