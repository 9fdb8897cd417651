"""The kinds of row: one file declares all that the project knows of one kind, and everything else asks it.

`KINDS` lists them in the order of menus. A kind's pictures stand in the file of its name in `kernlib.figures.kinds`.
"""

from __future__ import annotations

from ..values.domains import Domain
from .categorical import Categorical
from .graph import Graphs
from .kind import Kind, Preset, Setting, rounded_width
from .matrix import Matrix
from .mixed import Mixed
from .node import Nodes
from .pair import PairsOfRows
from .sequence import Sequences
from .series import TimeSeries
from .text import Texts
from .vector import Vectors

KINDS: dict[Domain, Kind] = {
    kind.name: kind
    for kind in (
        Vectors(),
        Categorical(),
        Mixed(),
        Sequences(),
        Texts(),
        TimeSeries(),
        Graphs(),
        Nodes(),
        PairsOfRows(),
        Matrix(),
    )
}

__all__ = ["KINDS", "Kind", "Preset", "Setting", "rounded_width"]
