"""Run a study: ``python -m tests.benchmarks STUDY [options]``, with ``--help`` for its options."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from kernlib.errors import KernlibError

#: Each is a module of this package with a function `main`.
STUDIES = (
    "speed",
    "criteria",
    "choosing",
    "dimension_coverage",
    "lesson_truths",
    "page_speed",
)


def main(arguments: Sequence[str]) -> int:
    """Run the study that the first argument names with the others; list all studies where there is none."""
    if not arguments or arguments[0] not in STUDIES:
        for study in STUDIES:
            first = (import_module(f"{__package__}.{study}").__doc__ or "").splitlines()[0]
            print(f"{study:<20} {first}")
        return 2 if arguments else 0
    try:
        return import_module(f"{__package__}.{arguments[0]}").main(arguments[1:]) or 0
    except KernlibError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
