"""``python -m kernlib bench``: print the table row by row as it is measured."""

from __future__ import annotations

from ..errors import ParameterError
from .limits import measure_machine
from .table import heading, line
from .timing import measure
from .work import WORKS


def run(only: str = "", *, quick: bool = False, toy: bool = False, seconds: float = 12.0) -> int:
    """Print the table; return 1 if values differ from a peer's or from the definition, else 0.

    Parameters: `only` a part of a row's name; `quick` smaller sizes; `toy` the smallest sizes, for tests; `seconds`
    budget of a row. Raises ParameterError if no row's name matches.
    """
    chosen = [work for work in WORKS if only.lower() in work.name.lower()]
    if not chosen:
        raise ParameterError(
            f"bench: --only must be part of a row's name; got {only!r}. Try one of: "
            f"{'; '.join(work.name for work in WORKS)}."
        )
    place = 2 if toy else 1 if quick else 0
    machine = measure_machine(200 if toy else 1500)
    print(heading(machine), flush=True)
    different = []
    for work in chosen:
        row = measure(work, work.sizes[place], machine, 0.0 if toy else seconds)
        print(line(row), flush=True)
        if not row.same:
            different.append(work.name)
    if different:
        print(f"\nValues differ: {'; '.join(different)}.")
    return 1 if different else 0
