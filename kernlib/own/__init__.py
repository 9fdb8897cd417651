"""User-defined kernels: from functions, from scikit-learn, from estimators, from files and from plug-ins."""

from .adapters import from_estimator as from_estimator
from .adapters import from_sklearn as from_sklearn
from .base import OwnKernel as OwnKernel
from .functions import kernel_from as kernel_from
from .registered import load_kernels as load_kernels
from .registered import own_kernels as own_kernels
from .registered import register as register
