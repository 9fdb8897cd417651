"""kernlib: see what a kernel does to your data.

A kernel is an immutable value that prints as the Python that makes it, and every operation on a kernel gives a kernel:
`+`, `*`, `**`, powers, empirical maps, deep levels, normalisation. `k(X)` is the Gram matrix, (n, n); after
`k = k.fit(train)`, where there is something to learn, `k(test, train)` is (m, n) and `k.diag(test)` is (m,).

>>> from kernlib import Deep, RBF, Standardized
>>> k = Standardized(Deep(RBF(sigma=1.5), level=2)).fit([[1.0, 30.0], [2.0, 10.0], [3.0, 20.0]])
>>> k([[2.5, 15.0]], [[1.0, 30.0], [2.0, 10.0]]).shape, k.chain()
((1, 2), ('standardised', 'RBF(1.5)', 'level 2'))

Here are the kernels (`LEAVES`), the steps around them (`WRAPPERS`) and the errors, which all are `KernlibError`.

- `kernlib.analysis`: what a Gram matrix says: diagnostics, deep levels, kernel PCA, relevant dimension
- `kernlib.machines`, `.protocols`, `.measures`: learners on Gram matrices, splits, and how good they are
- `kernlib.experiments`: `RunSpec` and `sweep`, error curves in which no test row touches a fit
- `kernlib.estimators`: any kernel as a scikit-learn transformer
- `kernlib.data`: `load_dataset(name)`, `read_paths(file)`, `readings(name, content)`
- `kernlib.figures`: Plotly figures from results; `kernlib.large`: Gram matrices beyond memory

Sources by letter, in docstrings: [O] Schölkopf, Weston, Eskin, Leslie, Noble, almost orthogonal patterns, 2002;
[D] Scott, designing kernels, 2006; [K] Wang, deep kernel machines, 2011; [R] Braun, kernels, feature space and model
selection, slides after Braun, Buhmann, Müller 2006; [C] Villegas García, kernels for categorical variables, 2013.
"""

from typing import TYPE_CHECKING

from . import kernels, wrappers
from .core.algebra import Constant, Monomial, Product, Scaled, Sum
from .core.base import Kernel
from .core.folding import Fold
from .core.steps import MatrixStep, RowStep, Shorthand, WholeStep, Wrapper, normal_form
from .entry import show
from .errors import (
    DataError,
    DegenerateError,
    DomainError,
    KernlibError,
    NotFittedError,
    OwnCodeError,
    ParameterError,
    TransductiveError,
)
from .kernels import *  # noqa: F403 (the one list of kernels is there)
from .kernels.encodings import naive_encoding, one_hot_encoding
from .own import OwnKernel, from_estimator, from_sklearn, kernel_from, load_kernels, own_kernels
from .parse import parse
from .registry import KERNELS, LEAVES, WRAPPERS, leaves_for
from .values.declare import param
from .values.domains import Graph, Pairs, Series
from .wrappers import *  # noqa: F403 (the one list of steps is there)
from .wrappers.elementwise import polynomial

__version__ = "0.3.0"

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
    "OwnCodeError",
    "OwnKernel",
    "Pairs",
    "ParameterError",
    "Product",
    "RowStep",
    "Scaled",
    "Series",
    "Shorthand",
    "Sum",
    "TransductiveError",
    "WholeStep",
    "Wrapper",
    "from_estimator",
    "from_sklearn",
    "kernel_from",
    "leaves_for",
    "load_kernels",
    "naive_encoding",
    "normal_form",
    "one_hot_encoding",
    "own_kernels",
    "param",
    "parse",
    "polynomial",
    "show",
]
if not TYPE_CHECKING:  # type checkers follow the imports
    __all__ += [*kernels.__all__, *wrappers.__all__]
