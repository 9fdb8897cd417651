"""Benchmark of speed and memory against other software: ``python -m kernlib bench``.

Machines are shared, so only ratios within one run count: ours and the peers alternate, and the table prints medians.
Every row first checks that both compute the same values.
"""

from .case import Case, Peer, Work
from .command import WORKS, run
from .limits import Machine, measure_machine
from .scaling import run_scaling
from .timing import Measured, measure

__all__ = [
    "WORKS", "Case", "Machine", "Measured", "Peer", "Work", "measure", "measure_machine", "run", "run_scaling",
]  # fmt: skip
