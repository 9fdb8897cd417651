"""Steps: kernels made from other kernels.

A new step is a module here and one line below; exports, menus, links, documentation and the tests' contract follow.
"""
# ruff: noqa: I001 (the order of the menus)

from typing import TYPE_CHECKING

from ..core.base import Kernel as _Kernel
from ..values.declare import listed as _listed
from .elementwise import Power as Power
from .elementwise import Log as Log
from .drawn import Entrywise as Entrywise
from .empirical import Empirical as Empirical
from .nystrom import Nystrom as Nystrom
from .normalized import Normalized as Normalized
from .centered import Centered as Centered
from .deep import Deep as Deep
from .infinite import ArcCosine as ArcCosine
from .infinite import InfiniteWidth as InfiniteWidth
from .standardized import Standardized as Standardized
from .imputed import Imputed as Imputed
from .rows import LogRows as LogRows
from .rows import StandardizedRows as StandardizedRows
from .rows import UnitRows as UnitRows
from .rows import Ranged as Ranged
from .spectral import SquareRoot as SquareRoot
from .drawn import Eigenwise as Eigenwise
from .repaired import Repaired as Repaired
from .spectral import PrincipalComponents as PrincipalComponents
from .elementwise import Exponential as Exponential
from .conformal import Conformal as Conformal
from .softmargin import SoftMarginDiagonal as SoftMarginDiagonal

if not TYPE_CHECKING:  # type checkers read the lines above
    __all__ = [step.__name__ for step in _listed(globals(), _Kernel)]
