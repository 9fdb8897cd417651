"""Protocols: splits of rows into training and test parts, reproducible by their seed.

To add a protocol, add a module and one line below; menus, links and runs find it.
"""
# ruff: noqa: I001 (the order of the menus)

from ..values.declare import listed as _listed
from .protocol import ClassTooSmall as ClassTooSmall
from .protocol import Protocol as Protocol
from .protocol import Split as Split
from .splits import RepeatedSplits as RepeatedSplits
from .splits import RepeatedKFold as RepeatedKFold
from .splits import FixedSplits as FixedSplits
from .splits import GroupedSplits as GroupedSplits
from .splits import PublishedSplits as PublishedSplits
from .halves import HALVES as HALVES
from ..values.labels import HalvesErrors as HalvesErrors
from .halves import SharedHalves as SharedHalves
from .halves import errors_of_matrix as errors_of_matrix
from .halves import errors_on_halves as errors_on_halves
from .halves import halves_machine as halves_machine
from .halves import halves_of as halves_of
from .halves import halves_protocol as halves_protocol
from .halves import held_out_decisions as held_out_decisions
from .halves import suitable_measure as suitable_measure

PROTOCOLS: tuple[type[Protocol], ...] = _listed(globals(), Protocol)
