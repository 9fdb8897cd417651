"""Benchmark of speed and memory against other software: ``python -m kernlib bench``.

Machines are shared, so only ratios within one run count: ours and the peers alternate, and the table prints medians.
Every row first checks that both compute the same values.
"""

from .case import Case, Peer, Work
from .command import run
from .limits import Machine, measure_machine
from .scaling import run_scaling
from .table import markdown
from .timing import Measured, measure
from .work import WORKS

__all__ = [
    "WORKS", "Case", "Machine", "Measured", "Peer", "Work", "markdown", "measure", "measure_machine", "run",
    "run_scaling",
]  # fmt: skip
