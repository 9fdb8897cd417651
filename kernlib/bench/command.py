"""``python -m kernlib bench``: the table, a row at a time as it is measured."""

from __future__ import annotations

from ..errors import ParameterError
from .limits import measure_machine
from .table import heading, line
from .timing import measure
from .work import WORKS

__all__ = ["run"]


def run(only: str = "", *, quick: bool = False, toy: bool = False, seconds: float = 12.0) -> int:
    """Print the table; 1 where values differ from a peer's or from the definition, else 0.

    Parameters: `only` words that a row's name holds; `quick` smaller sizes; `toy` sizes that show no more than
    that it works; `seconds` about so long for each row. Raises ParameterError where no row is named so.
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
