"""One flat list of all kernels: menus, documentation, the parser and the tests read it.

A kernel class that is public and not listed here fails a test.
"""

from __future__ import annotations

from .algebra import Constant, Monomial, Product, Scaled, Sum
from .base import Kernel
from .binding import Lookup, OverRows
from .kernels.alignment import Alignment
from .kernels.anova import ANOVA
from .kernels.categorical import GeneralOverlap, Overlap, ProbabilityOverlap
from .kernels.diffusion import Diffusion
from .kernels.encodings import Encoded
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
from .steps import Wrapper
from .values.domains import Domain
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
from .wrappers.repaired import Repaired
from .wrappers.softmargin import SoftMarginDiagonal
from .wrappers.squareroot import SquareRoot
from .wrappers.standardized import Standardized

__all__ = ["ALGEBRA", "BOUND", "KERNELS", "LEAVES", "WRAPPERS", "leaves_for"]

#: Kernels that read rows themselves, in the order of the menus.
LEAVES: tuple[type[Kernel], ...] = (
    Linear,
    Polynomial,
    RBF,
    ANOVA,
    LocalityImprovedImage,
    Overlap,
    ProbabilityOverlap,
    GeneralOverlap,
    Subsequence,
    Spectrum,
    Mismatch,
    LabelPairs,
    LabelSequences,
    Diffusion,
    Precomputed,
    VectorSpace,
    LatentSemantic,
    TensorPairs,
    MetricPairs,
    WeightedDegree,
    LocalityImprovedSequence,
    CodonImproved,
    Fisher,
    Convolution,
    On,
    Alignment,
    Encoded,
)

#: Steps: kernels made from one kernel, in the order of the menus.
WRAPPERS: tuple[type[Wrapper], ...] = (
    Power,
    Log,
    Empirical,
    Normalized,
    Centered,
    Deep,
    Standardized,
    Imputed,
    SquareRoot,
    Repaired,
    Exponential,
    Conformal,
    SoftMarginDiagonal,
)

#: What the operators +, * and ** make.
ALGEBRA: tuple[type[Kernel], ...] = (Constant, Scaled, Sum, Product, Monomial)

#: What `bind` makes; over row numbers, so that no menu offers them and no text writes them.
BOUND: tuple[type[Kernel], ...] = (Lookup, OverRows)

KERNELS: tuple[type[Kernel], ...] = LEAVES + WRAPPERS + ALGEBRA


def leaves_for(domain: Domain) -> tuple[type[Kernel], ...]:
    """The kernels that read rows of a domain.

    >>> [k.__name__ for k in leaves_for("vector")][:2]
    ['Linear', 'Polynomial']
    """
    return tuple(k for k in LEAVES if k.domain == domain)
