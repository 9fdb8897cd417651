"""kernlib: see what a kernel does to your data.

>>> from kernlib import Deep, RBF
>>> Deep(RBF(sigma=1.5), level=2).chain()
('RBF(1.5)', 'level 2')
"""

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
from .kernels.alignment import Alignment
from .kernels.anova import ANOVA
from .kernels.categorical import GeneralOverlap, Overlap, ProbabilityOverlap
from .kernels.diffusion import Diffusion
from .kernels.encodings import Encoded, naive_encoding, one_hot_encoding
from .kernels.fisher import Fisher
from .kernels.graphs import LabelPairs, LabelSequences
from .kernels.images import LocalityImprovedImage
from .kernels.matrices import Precomputed
from .kernels.mismatch import Mismatch
from .kernels.pairs import MetricPairs, TensorPairs
from .kernels.positions import CodonImproved, LocalityImprovedSequence, WeightedDegree
from .kernels.spectrum import Spectrum
from .kernels.subsequence import Subsequence
from .kernels.text import LatentSemantic, VectorSpace
from .kernels.vectors import RBF, Linear, Polynomial
from .parse import parse
from .registry import KERNELS, LEAVES, WRAPPERS, leaves_for
from .steps import MatrixStep, RowStep, Shorthand, WholeStep, Wrapper, normal_form
from .values.graph import Graph
from .values.pairs import Pairs
from .wrappers.centered import Centered
from .wrappers.columns import On
from .wrappers.conformal import Conformal
from .wrappers.convolution import Convolution
from .wrappers.deep import Deep
from .wrappers.elementwise import Log, Power
from .wrappers.empirical import Empirical
from .wrappers.exponential import Exponential
from .wrappers.imputed import Imputed
from .wrappers.normalized import Normalized
from .wrappers.polynomial import polynomial
from .wrappers.repaired import Repaired
from .wrappers.softmargin import SoftMarginDiagonal
from .wrappers.squareroot import SquareRoot
from .wrappers.standardized import Standardized

__all__ = [
    "ANOVA",
    "KERNELS",
    "LEAVES",
    "RBF",
    "WRAPPERS",
    "Alignment",
    "Centered",
    "CodonImproved",
    "Conformal",
    "Constant",
    "Convolution",
    "DataError",
    "Deep",
    "DegenerateError",
    "Diffusion",
    "DomainError",
    "Empirical",
    "Encoded",
    "Exponential",
    "Fisher",
    "Fold",
    "GeneralOverlap",
    "Graph",
    "Imputed",
    "Kernel",
    "KernlibError",
    "LabelPairs",
    "LabelSequences",
    "LatentSemantic",
    "Linear",
    "LocalityImprovedImage",
    "LocalityImprovedSequence",
    "Log",
    "MatrixStep",
    "MetricPairs",
    "Mismatch",
    "Monomial",
    "Normalized",
    "NotFittedError",
    "On",
    "Overlap",
    "Pairs",
    "ParameterError",
    "Polynomial",
    "Power",
    "Precomputed",
    "ProbabilityOverlap",
    "Product",
    "Repaired",
    "RowStep",
    "Scaled",
    "Shorthand",
    "SoftMarginDiagonal",
    "Spectrum",
    "SquareRoot",
    "Standardized",
    "Subsequence",
    "Sum",
    "TensorPairs",
    "TransductiveError",
    "VectorSpace",
    "WeightedDegree",
    "WholeStep",
    "Wrapper",
    "leaves_for",
    "naive_encoding",
    "normal_form",
    "one_hot_encoding",
    "parse",
    "polynomial",
]
