"""What a level is: anything that makes a kernel from a kernel, one level after the other."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.base import Kernel
from ..core.steps import Side
from ..kernels.subgraphs import WeisfeilerLehman
from ..values.arrays import Array
from ..values.domains import Domain
from ..wrappers.deep import Deep
from ..wrappers.infinite import ArcCosine, InfiniteWidth
from .levels import DeepLevel, levels_of


@dataclass(frozen=True)
class Recipe:
    """A way to make levels: its `name`, and its `kernel`, of which only the parameter `level` varies."""

    name: str
    kernel: Deep | ArcCosine | InfiniteWidth | WeisfeilerLehman

    @property
    def base(self) -> Kernel:
        """Return the kernel below the levels; level 0 where the levels have no other kernel inside."""
        return self.kernel.children[0] if self.kernel.children else self.at(0)

    def at(self, level: int) -> Kernel:
        """Return the kernel of a level."""
        if level == 0 and self.kernel.level_step == "distances":
            return self.kernel.children[0]
        return dataclasses.replace(self.kernel, level=level)

    def levels(self, K: Array, X: Any, count: int, bandwidths: Sequence[float | None] = ()) -> tuple[DeepLevel, ...]:
        """Return levels 0 to `count` on rows X, whose Gram matrix of `base` is K; each is computed from the one before.

        Parameters: `bandwidths` of the levels of `Deep`, None for the heuristic.

        >>> from kernlib import Linear
        >>> network = recipes_for(Linear(), "vector")[1]
        >>> X = np.array([[1.0, 0.0], [0.0, 2.0]])
        >>> [round(float(one.K[0, 1]), 3) for one in network.levels(X @ X.T, X, 2)]
        [0.0, 0.637, 0.987]
        """
        if self.kernel.level_step == "distances":
            return levels_of(K, count, bandwidths)
        return tuple(itertools.starmap(_level, enumerate(self._matrices(K, X, count))))

    def _matrices(self, K: Array, X: Any, count: int) -> Iterator[Array]:
        kernel: Any = dataclasses.replace(self.kernel, level=count)
        if not kernel.children:
            return kernel.level_matrices(list(X))  # type: ignore[no-any-return]
        facts = kernel.row_facts(Side(kernel.checked_rows(X), lambda: np.diagonal(K), lambda: K))
        return kernel.level_matrices(K, facts)  # type: ignore[no-any-return]


def _level(level: int, K: Array) -> DeepLevel:
    K.flags.writeable = False
    return DeepLevel(level, None, K)


def deep_recipe(kernel: Kernel) -> Recipe:
    """Return the levels of a deep kernel machine over a kernel."""
    return Recipe("Distances of distances (deep kernel)", Deep(kernel, level=0))


def recipes_for(kernel: Kernel, domain: Domain) -> tuple[Recipe, ...]:
    """Return the ways to make levels over a kernel, those first that fit rows of every kind.

    >>> from kernlib import Spectrum
    >>> [recipe.name for recipe in recipes_for(Spectrum(), "graph")][-1]
    'Wider neighbourhoods (Weisfeiler–Lehman)'
    """
    known = [
        deep_recipe(kernel),
        Recipe("Layer of rectified linear units (arc-cosine 1)", ArcCosine(kernel, order=1, level=0)),
        Recipe("Layer of threshold units (arc-cosine 0)", ArcCosine(kernel, order=0, level=0)),
        Recipe("Network of infinite width (NNGP)", InfiniteWidth(kernel, level=0)),
        Recipe("Trained network of infinite width (NTK)", InfiniteWidth(kernel, level=0, of="ntk")),
    ]
    if domain == WeisfeilerLehman.domain:
        known.append(Recipe("Wider neighbourhoods (Weisfeiler–Lehman)", WeisfeilerLehman(level=0)))
    return tuple(known)


def without_levels(kernel: Kernel) -> tuple[Kernel, Kernel | None]:
    """Return the kernel below its outermost levels, and the outermost of these; None if there are none.

    >>> from kernlib import RBF
    >>> without_levels(Deep(Deep(RBF(), level=1), level=2))
    (RBF(sigma=1.0), Deep(Deep(RBF(sigma=1.0), level=1, bandwidths=None), level=2, bandwidths=None))
    """
    outer = kernel if kernel.level_step else None
    while kernel.level_step and kernel.children:
        kernel = kernel.children[0]
    return (dataclasses.replace(kernel, level=0) if kernel.level_step else kernel), outer  # type: ignore[call-arg]
