"""Kernels by kind of row.

A new kernel is a class in a module here and one line below; menus, links, documentation and the tests' contract follow.
"""
# ruff: noqa: I001 (the order of the menus)

from typing import TYPE_CHECKING

from ..core.base import Kernel as _Kernel
from ..values.declare import listed as _listed
from .vectors import Linear as Linear
from .vectors import Polynomial as Polynomial
from .vectors import RBF as RBF
from .vectors import Laplacian as Laplacian
from .vectors import Matern as Matern
from .vectors import RationalQuadratic as RationalQuadratic
from .vectors import Periodic as Periodic
from .vectors import Cosine as Cosine
from .vectors import Sigmoid as Sigmoid
from .vectors import ChiSquared as ChiSquared
from .vectors import Intersection as Intersection
from .vectors import ANOVA as ANOVA
from .images import LocalityImprovedImage as LocalityImprovedImage
from .categorical import Overlap as Overlap
from .categorical import ProbabilityOverlap as ProbabilityOverlap
from .categorical import DrawnOverlap as DrawnOverlap
from .categorical import GeneralOverlap as GeneralOverlap
from .encodings import Coded as Coded
from .subsequence import Subsequence as Subsequence
from .spectrum import Spectrum as Spectrum
from .spectrum import PriorSpectrum as PriorSpectrum
from .spectrum import Mismatch as Mismatch
from .spectrum import GappyPair as GappyPair
from .spectrum import SpectrumMixture as SpectrumMixture
from .spectrum import Motif as Motif
from .alignment import EditDistance as EditDistance
from .graphs import LabelPairs as LabelPairs
from .graphs import LabelSequences as LabelSequences
from .subgraphs import WeisfeilerLehman as WeisfeilerLehman
from .subgraphs import ShortestPath as ShortestPath
from .subgraphs import Graphlets as Graphlets
from .subgraphs import VertexHistogram as VertexHistogram
from .subgraphs import EdgeHistogram as EdgeHistogram
from .nodes import Diffusion as Diffusion
from .nodes import RegularisedLaplacian as RegularisedLaplacian
from .nodes import CommuteTime as CommuteTime
from .nodes import RandomWalkSteps as RandomWalkSteps
from .matrices import Precomputed as Precomputed
from .matrices import PrecomputedDistances as PrecomputedDistances
from .text import VectorSpace as VectorSpace
from .text import LatentSemantic as LatentSemantic
from .pairs import TensorPairs as TensorPairs
from .pairs import MetricPairs as MetricPairs
from .positions import WeightedDegree as WeightedDegree
from .positions import LocalityImprovedSequence as LocalityImprovedSequence
from .positions import CodonImproved as CodonImproved
from .fisher import Fisher as Fisher
from .combined import Convolution as Convolution
from .combined import On as On
from .combined import Mixture as Mixture
from .alignment import Alignment as Alignment
from .series import GlobalAlignment as GlobalAlignment
from .series import DynamicTimeWarping as DynamicTimeWarping
from .series import Autocorrelation as Autocorrelation
from .encodings import Encoded as Encoded
from .series import Sampled as Sampled

if not TYPE_CHECKING:  # type checkers read the lines above
    __all__ = [kernel.__name__ for kernel in _listed(globals(), _Kernel)]
