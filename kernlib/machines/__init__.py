"""Machines over Gram matrices: ``fit(K, y)``, ``predict(K_star, k_diag)``, ``decision(K_star, k_diag)``.

To add a machine, add a module and one line below; menus, links, runs and the contract tests find it.
"""
# ruff: noqa: I001 (the order of the menus)

from ..values.declare import listed
from .machine import Machine as Machine
from .machine import starting_machine as starting_machine
from .svm import SVM as SVM
from .nearest import NearestCentroid as NearestCentroid
from .nearest import KernelDensity as KernelDensity
from .nearest import NearestNeighbour as NearestNeighbour
from .regression import KernelPCARegression as KernelPCARegression
from .regression import KernelRidge as KernelRidge
from .svm import KernelPCASVM as KernelPCASVM

MACHINES: tuple[type[Machine], ...] = listed(globals(), Machine)
