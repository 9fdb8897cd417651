"""kernlib: see what a kernel does to your data.

>>> from kernlib import Deep, RBF
>>> Deep(RBF(sigma=1.5), level=2).chain()
('RBF(1.5)', 'level 2')
"""

from typing import TYPE_CHECKING

from . import kernels, wrappers
from .algebra import Constant, Monomial, Product, Scaled, Sum
from .base import Fold, Kernel
from .errors import (
    DataError,
    DegenerateError,
    DomainError,
    KernlibError,
    NotFittedError,
    ParameterError,
    TransductiveError,
)
from .kernels import *  # noqa: F403 (the one list of kernels is there)
from .kernels.encodings import naive_encoding, one_hot_encoding
from .parse import parse
from .registry import KERNELS, LEAVES, WRAPPERS, leaves_for
from .steps import MatrixStep, RowStep, Shorthand, WholeStep, Wrapper, normal_form
from .values.graph import Graph
from .values.pairs import Pairs
from .wrappers import *  # noqa: F403 (the one list of steps is there)
from .wrappers.polynomial import polynomial

__all__ = [
    "KERNELS",
    "LEAVES",
    "WRAPPERS",
    "Constant",
    "DataError",
    "DegenerateError",
    "DomainError",
    "Fold",
    "Graph",
    "Kernel",
    "KernlibError",
    "MatrixStep",
    "Monomial",
    "NotFittedError",
    "Pairs",
    "ParameterError",
    "Product",
    "RowStep",
    "Scaled",
    "Shorthand",
    "Sum",
    "TransductiveError",
    "WholeStep",
    "Wrapper",
    "leaves_for",
    "naive_encoding",
    "normal_form",
    "one_hot_encoding",
    "parse",
    "polynomial",
]
if not TYPE_CHECKING:  # type checkers follow the imports
    __all__ += [*kernels.__all__, *wrappers.__all__]
