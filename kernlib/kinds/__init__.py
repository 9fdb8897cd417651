"""The kinds of row: one class declares all that the project knows of one kind, and everything else asks it.

`KINDS` lists them in the order of menus. A kind's pictures are a class of its name in `kernlib.figures.kinds`.
"""

from __future__ import annotations

from ..values.domains import Domain
from .graphs import Graphs, Nodes
from .kind import Kind, Preset, Setting, rounded_width
from .matrices import Matrix, PairsOfRows
from .series import TimeSeries
from .strings import Sequences, Texts
from .tables import Categorical, Mixed, Vectors

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
