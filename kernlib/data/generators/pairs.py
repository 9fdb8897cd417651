"""Pairs of rows of another data set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..dataset import About, Dataset
from ..samples import SAMPLES
from .base import Generator, count_param, seed_param


@dataclass(frozen=True, repr=False)
class DigitPairs(Generator):
    """Pairs of handwritten digits: do both show the same digit?

    Rows (a, b) are row numbers, a < b, into `base` (a stratified sample of the digits 3 and 8); no pair occurs twice.

    Parameters: same and different, the numbers of pairs of each kind; images, the rows of the base; seed.

    Raises ParameterError outside the declared ranges.

    Reference: the shape of 'Protein' in 'deep kernel machines', table 3.1 (40 interacting pairs against 160), whose
    score matrix is not available.

    >>> data = DigitPairs().generate()
    >>> data, data.base.n
    (Dataset('digit-pairs', pair, n=200, classes={'different': 160, 'same': 40}), 60)
    """

    about: ClassVar[About] = About(
        "digit-pairs",
        "Pairs of digits, same or not",
        "pair",
        look_for="Bind a pair kernel to an RBF on `base`: the metric pair kernel sees the difference directly.",
        source="Made from the ZIP-code digits 3 and 8",
        note="A stand-in for the protein pairs of 'deep kernel machines' (40 against 160).",
    )
    formula: ClassVar[str] = r"y(a, b) = 1[\text{digit}(a) = \text{digit}(b)]"

    same: int = count_param(40, "n_1", "pairs of the same digit", slider=(10, 200, 10), bounds=(2, 400))
    different: int = count_param(160, "n_0", "pairs of different digits", slider=(10, 400, 10), bounds=(2, 400))
    images: int = count_param(60, "m", "images that the pairs are drawn from", slider=(60, 400, 10), bounds=(60, 1200))
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return pairs (same + different, 2) in random order, with `base` set."""
        rng = np.random.default_rng(self.seed)
        base = SAMPLES["digits-3-8"].load().stratified_sample(self.images, seed=self.seed)
        assert base.y is not None
        a, b = np.triu_indices(base.n, k=1)
        same = base.y[a] == base.y[b]
        chosen = np.concatenate(
            [
                rng.choice(np.flatnonzero(same), self.same, replace=False),
                rng.choice(np.flatnonzero(~same), self.different, replace=False),
            ]
        )
        chosen = rng.permutation(chosen)
        names = tuple(f"{base.ids[i]}–{base.ids[j]}" for i, j in zip(a[chosen], b[chosen], strict=True))
        return self._dataset(
            np.stack([a[chosen], b[chosen]], axis=1),
            same[chosen].astype(np.int64),
            classes=("different", "same"),
            ids=names,
            base=base,
            licence=base.licence,
            citation=base.citation,
        )
