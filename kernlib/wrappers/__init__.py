"""Steps: kernels made from other kernels.

A new step is a class in a module here and one line below; menus, links, documentation and the tests' contract follow.
"""
# ruff: noqa: I001 (the order of the menus)

from typing import TYPE_CHECKING

from ..core.base import Kernel as _Kernel
from ..values.declare import listed as _listed
from .elementwise import Power as Power
from .elementwise import Log as Log
from .elementwise import Entrywise as Entrywise
from .landmarks import Empirical as Empirical
from .landmarks import Nystrom as Nystrom
from .feature_space import Normalized as Normalized
from .feature_space import Centered as Centered
from .deep import Deep as Deep
from .deep import ArcCosine as ArcCosine
from .deep import InfiniteWidth as InfiniteWidth
from .rows import Standardized as Standardized
from .rows import Imputed as Imputed
from .rows import LogRows as LogRows
from .rows import StandardizedRows as StandardizedRows
from .rows import UnitRows as UnitRows
from .rows import Ranged as Ranged
from .spectral import SquareRoot as SquareRoot
from .elementwise import Eigenwise as Eigenwise
from .spectral import Repaired as Repaired
from .spectral import PrincipalComponents as PrincipalComponents
from .elementwise import Exponential as Exponential
from .feature_space import Conformal as Conformal
from .feature_space import SoftMarginDiagonal as SoftMarginDiagonal

if not TYPE_CHECKING:  # type checkers read the lines above
    __all__ = [step.__name__ for step in _listed(globals(), _Kernel)]
