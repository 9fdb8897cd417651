"""Protocols: splits of rows into training and test parts, reproducible by their seed.

To add a protocol, add a module and one line below; menus, links and runs find it.
"""
# ruff: noqa: I001 (the order of the menus)

from ..values.declare import listed as _listed
from .protocol import ClassTooSmall, Protocol, Split
from .drawn import RepeatedSplits as RepeatedSplits
from .drawn import RepeatedKFold as RepeatedKFold
from .drawn import FixedSplits as FixedSplits
from .grouped import GroupedSplits as GroupedSplits
from .published import PublishedSplits as PublishedSplits

PROTOCOLS: tuple[type[Protocol], ...] = _listed(globals(), Protocol)

__all__ = ["PROTOCOLS", "ClassTooSmall", "Protocol", "Split", *(protocol.__name__ for protocol in PROTOCOLS)]
