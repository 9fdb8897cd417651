"""Lists of all kernels, for menus, documentation, the parser and the tests.

They are the import lines of `kernels/__init__.py` and `wrappers/__init__.py`; a public kernel that is not there fails a
test.
"""

from __future__ import annotations

from . import kernels, wrappers
from .core.algebra import Constant, Monomial, Product, Scaled, Sum
from .core.base import Kernel
from .core.binding import Lookup, OverRows
from .core.steps import Wrapper
from .own import own_kernels
from .values.declare import listed
from .values.domains import Domain

#: Kernels that read rows themselves, in the order of the menus.
LEAVES: tuple[type[Kernel], ...] = listed(vars(kernels), Kernel)

#: Steps: kernels made from one kernel, in the order of the menus.
WRAPPERS: tuple[type[Wrapper], ...] = listed(vars(wrappers), Wrapper)

#: What the operators +, * and ** make.
ALGEBRA: tuple[type[Kernel], ...] = (Constant, Scaled, Sum, Product, Monomial)

#: What `bind` makes; over row numbers, so that no menu offers them and no text writes them.
BOUND: tuple[type[Kernel], ...] = (Lookup, OverRows)

KERNELS: tuple[type[Kernel], ...] = LEAVES + WRAPPERS + ALGEBRA


def all_kernels() -> tuple[type[Kernel], ...]:
    """Return kernlib's kernels, then those of plug-ins and that are user-defined that this process has registered."""
    return KERNELS + own_kernels()


def leaves_for(domain: Domain) -> tuple[type[Kernel], ...]:
    """Return the kernels that read rows of a domain, those that are user-defined last.

    >>> [k.__name__ for k in leaves_for("vector")][:2]
    ['Linear', 'Polynomial']
    """
    own = (k for k in own_kernels() if not issubclass(k, Wrapper))
    return tuple(k for k in LEAVES if k.domain == domain) + tuple(k for k in own if k.domain == domain)
