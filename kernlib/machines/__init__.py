"""Machines over Gram matrices: ``fit(K, y)``, ``predict(K_star, k_diag)``, ``decision(K_star, k_diag)``."""

from .centroid import NearestCentroid
from .density import KernelDensity
from .machine import Machine
from .neighbour import NearestNeighbour
from .regression import KernelPCARegression, KernelRidge
from .svm import SVM, KernelPCASVM

MACHINES: tuple[type[Machine], ...] = (
    SVM,
    NearestCentroid,
    KernelDensity,
    NearestNeighbour,
    KernelPCARegression,
    KernelRidge,
    KernelPCASVM,
)

__all__ = [
    "MACHINES",
    "SVM",
    "KernelDensity",
    "KernelPCARegression",
    "KernelPCASVM",
    "KernelRidge",
    "Machine",
    "NearestCentroid",
    "NearestNeighbour",
]
