"""Speed and memory side by side with other software: ``python -m kernlib bench``.

Only ratios within one run count, since machines are shared: ours and the peers take turns, and medians are
printed. Every row first checks that both computed the same values.
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
