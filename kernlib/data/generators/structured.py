"""Time series of three shapes, and pairs of rows of another data set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..dataset import Dataset
from ..entries import Entry, Generator, count_param, generated, real_param, rows_param, seed_param
from ..samples import SAMPLES

_CLASSES = ("cylinder", "bell", "funnel")


@dataclass(frozen=True, repr=False)
class CylinderBellFunnel(Generator):
    """Noisy series with one plateau, one rise or one fall, anywhere and of any duration.

    On the interval [a, b] the value is (6 + η) times 1 (cylinder), (t − a)/(b − a) (bell) or (b − t)/(b − a) (funnel),
    elsewhere 0; η and the noise ε(t) added at every t are normal, ε of standard deviation `noise`.

    Parameters: n rows, the three shapes in turn and in random order; length ℓ of the series; unequal u: each series is
    cut at its end by up to the share u; noise; seed. a is uniform in [ℓ/8, ℓ/4], b − a in [ℓ/4, 3ℓ/4]: [16, 32] and
    [32, 96] for ℓ = 128, as in the source.

    Raises ParameterError outside the declared ranges.

    Reference: Saito, Local feature extraction and its applications, PhD thesis, Yale 1994, section 4.4.

    >>> data = CylinderBellFunnel(n=6).generate()
    >>> data, data.rows[0].length
    (Dataset('cylinder-bell-funnel', series, n=6, classes={'cylinder': 2, 'bell': 2, 'funnel': 2}), 123)
    """

    about: ClassVar[Entry] = generated(
        "cylinder-bell-funnel",
        "Cylinder, bell, funnel",
        "series",
        120,
        "series of up to 128",
        look_for="The shapes begin and end at random times: align them, and three blocks appear.",
        source="Generator of Saito 1994, section 4.4",
        citation="Saito 1994",
    )
    formula: ClassVar[str] = r"x(t) = (6+\eta)\,1[a \le t \le b]\,s(t) + \varepsilon(t)"

    n: int = rows_param(120, high=600, maximum=5000)
    length: int = count_param(128, r"\ell", "times of a series", slider=(16, 512, 8), bounds=(8, 5000))
    unequal: float = real_param(
        0.25, "u", "share by which a series is cut at its end at most", slider=(0.0, 0.5, 0.05), maximum=0.9
    )
    noise: float = real_param(1.0, r"\sigma", "standard deviation of the noise", slider=(0.0, 4.0, 0.1), maximum=100.0)
    seed: int = seed_param()

    def generate(self) -> Dataset:
        """Return the series with the classes cylinder, bell and funnel."""
        self._refuse_too_large(self.n, self.length, "n and length")
        rng = np.random.default_rng(self.seed)
        y = rng.permutation(np.arange(self.n) % 3)
        t = np.arange(1, self.length + 1.0)
        start = rng.uniform(self.length / 8, self.length / 4, self.n)[:, None]
        stop = start + rng.uniform(self.length / 4, 3 * self.length / 4, self.n)[:, None]
        share = (t - start) / (stop - start)
        shape = np.choose(y[:, None], [np.ones_like(share), share, 1.0 - share])
        height = 6.0 + rng.normal(size=(self.n, 1))
        noise = self.noise * rng.normal(size=share.shape)
        values = height * shape * ((t >= start) & (t <= stop)) + noise
        ends = np.maximum(2, np.ceil(self.length * (1 - self.unequal * rng.random(self.n)))).astype(int)
        return self._dataset([row[:end] for row, end in zip(values, ends, strict=True)], y, classes=_CLASSES)


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

    about: ClassVar[Entry] = generated(
        "digit-pairs",
        "Pairs of digits, same or not",
        "pair",
        200,
        "pairs of 60",
        base="digits-3-8",
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
        )
