"""User-defined kernels: from functions, from scikit-learn, from estimators, from files and from plug-ins."""

from .adapters import from_estimator, from_sklearn
from .base import OwnKernel
from .functions import kernel_from
from .registered import load_kernels, own_kernels, register

__all__ = [
    "OwnKernel",
    "from_estimator",
    "from_sklearn",
    "kernel_from",
    "load_kernels",
    "own_kernels",
    "register",
]
