"""Strings of letters and texts of words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.base import Kernel
from ..errors import DataError
from ..kernels import (
    RBF,
    Convolution,
    Encoded,
    LatentSemantic,
    LocalityImprovedSequence,
    Mismatch,
    Spectrum,
    Subsequence,
    VectorSpace,
    WeightedDegree,
)
from ..values.arrays import Array
from ..values.domains import string_rows
from ..wrappers import Empirical, Normalized, Power
from .kind import LEVELS, POWERS, WIDTHS, Family, Kind, Preset, deep, powers, rounded_width

if TYPE_CHECKING:
    from ..data.dataset import Dataset

#: Strings with a larger share of letters that no training string has are of another alphabet.
_FOREIGN = 0.1
#: With more pairs of letters, subsequences take too long.
_TOO_MANY = 2e9

_BY_WORDS = (
    Preset(
        "Tamed",
        Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5)),
        "A power below one lowers the diagonal ratio; small values become visible.",
    ),
    Preset(
        "Large diagonal",
        Subsequence(order=3, decay=0.25),
        "k(x, x) counts all subsequences of a string; two strings share few of them.",
    ),
)
_BY_POSITION = (
    Preset(
        "By position",
        Normalized(WeightedDegree(degree=3)),
        "Letters and short words count if they are at the same position.",
    ),
    Preset("Spectrum", Normalized(Spectrum(length=3)), "Counts of three-letter words, at any position."),
    Preset(
        "Large diagonal",
        Subsequence(order=6, decay=0.5),
        "Long subsequences: two strings share few of them. Add a power step and drag p.",
    ),
)


class _Strings(Kind):
    expected = "a list of n strings"
    layout = "objects"
    column = "one"
    strings = True

    def check(self, X: Any, owner: str) -> Array:
        return string_rows(self, X, owner)

    def cells(self, data: Dataset, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        return [("content", [str(data.rows[i])[: 500 if full else 200] for i in rows])]

    def snippet(self, row: Any) -> str:
        return str(row)[:24]


#: Of more pieces than these it is not looked which rows share one.
_PIECES = 10_000_000
_BASE = np.uint64(0x9E3779B97F4A7C15)


def _hashed(row: str, length: int) -> NDArray[Any]:
    """Return a number for each piece of a row, equal for equal pieces: a polynomial of its letters modulo 2⁶⁴."""
    codes = np.frombuffer(row.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    sums = np.zeros(len(codes) + 1, dtype=np.uint64)
    powers = np.cumprod(np.full(len(codes), _BASE, dtype=np.uint64))
    np.cumsum(codes * powers, out=sums[1:])
    # The inverse of the base's powers moves each piece to the same place.
    back = np.cumprod(np.full(len(codes), pow(int(_BASE), -1, 2**64), dtype=np.uint64))
    count = max(0, len(codes) - length + 1)
    return (sums[length : length + count] - sums[:count]) * back[:count]


class Sequences(_Strings):
    """Strings, each letter at a place: an object array of str (n,)."""

    name = "sequence"
    title = "Sequences"
    called = "sequences"
    one, many = "string", "strings"
    search = "strings letters dna rna protein words"
    starts = MappingProxyType(
        {
            Convolution: lambda data: Convolution("two-substrings", (Spectrum(length=2), Spectrum(length=2))),
            Encoded: lambda data: Encoded() if data is None else _encoded(data),
        }
    )
    needs = True

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        strings = super().read_rows(rows, who)
        if "" in strings:
            row = strings.tolist().index("")
            raise DataError(f"{who}: sequences must have at least one letter; row {row} is empty. Remove the row.")
        return strings

    def is_cell(self, cell: Any) -> bool:
        return isinstance(cell, str) and cell != ""

    def unknown(self, data: Dataset, new: Dataset, who: str) -> Iterator[str]:
        known, rows = set("".join(data.rows.tolist())), new.rows.tolist()
        others = [sum(letter not in known for letter in row) for row in rows]
        if not any(others):
            return
        names = ", ".join(sorted(set("".join(rows)) - known)[:20])
        if sum(others) > _FOREIGN * sum(map(len, rows)):
            raise DataError(
                f"{who}: its strings are of another alphabet, as letters {names} stand in no training string, most "
                f"often in data row {int(np.argmax(others)) + 1}; expected {', '.join(sorted(known)[:40])}. Choose "
                "another file, or write it in the same letters."
            )
        yield f"Letters that no training string has, in {sum(map(bool, others))} rows: {names}."

    def presets(self, data: Dataset) -> tuple[Preset, ...]:
        """Return presets by position for aligned strings, by words alone if subsequences take too long."""
        rows = data.rows.tolist()
        if are_aligned(rows):
            return _BY_POSITION
        words = word_length(rows)
        spectrum = Preset("Spectrum", Normalized(Spectrum(length=words)), f"Counts of words of {words} letters.")
        presets = (*_BY_WORDS, spectrum)
        return presets if _quick_subsequences(rows) else presets[::-1]

    def sizes(self, data: Dataset) -> Array | None:
        return np.array([len(row) for row in data.rows], dtype=np.float64)

    def overlapping(self, data: Dataset) -> int:
        strings = data.rows.tolist()
        half = int(np.median([len(row) for row in strings])) // 2
        total = sum(max(0, len(row) - half + 1) for row in strings)
        letters = len(set().union(*strings))
        # Random strings of few letters share short pieces by chance.
        if letters < 2 or total > _PIECES or half < 2 * np.log(max(total, 1)) / np.log(letters) + 3:
            return 0
        pieces = [np.unique(_hashed(row, half)) for row in strings]
        found, counts = np.unique(np.concatenate(pieces), return_counts=True)
        return sum(bool(np.isin(mine, found[counts > 1]).any()) for mine in pieces)

    def settings(self, data: Dataset) -> Iterator[Family]:
        for length in (1, 2, 3, 4, 5, 6):
            yield "Words", Normalized(Spectrum(length=length))
        for length in (1, 3):
            yield from deep("Deep words", Normalized(Spectrum(length=length)), LEVELS[:2])
        for length in (2, 3):
            yield from powers("Words, power", Normalized(Spectrum(length=length)))
        # With the letters given, the kernel learns nothing, and its matrix is computed once for all folds.
        letters = "".join(sorted(set().union(*data.rows.tolist())))
        for length in (3, 4, 5):
            yield "Words with mismatches", Normalized(Mismatch(length, mismatches=1, alphabet=letters))
        if one_length(data.rows.tolist()):
            yield from self._by_position(data)
        if _quick_subsequences(data.rows.tolist()):
            for order, decay in ((2, 0.25), (2, 0.75), (3, 0.25), (3, 0.75), (4, 0.5)):
                yield "Subsequences", Normalized(Subsequence(order=order, decay=decay))
            third = Subsequence(order=3, decay=0.25)
            yield from powers("Subsequences, power", third, (0.1, *POWERS))
            yield from deep("Deep subsequences", Normalized(third))
            yield from deep("Deep subsequences, lengths kept", third, LEVELS[:2])

    def _by_position(self, data: Dataset) -> Iterator[Family]:
        for degree in (1, 2, 3, 5, 8):
            yield "By position", Normalized(WeightedDegree(degree=degree))
        for degree in (1, 3):
            yield from deep("Deep, by position", Normalized(WeightedDegree(degree=degree)), LEVELS[:2])
        for degree in (2, 3):
            yield "By position, to a power", Normalized(WeightedDegree(degree=degree)) ** 3
        for window, d1 in ((2, 2), (3, 3), (4, 4)):
            yield "Near positions", Normalized(LocalityImprovedSequence(window=window, d1=d1))
        start = self.starting(Encoded, data)
        if start is not None:
            sigma = start.kernel.sigma  # type: ignore[attr-defined]
            for times in WIDTHS[1:4]:
                yield "Gaussian on letters", Encoded(RBF(sigma=rounded_width(times * sigma)))


def one_length(strings: Sequence[str]) -> bool:
    """Return whether strings are of one length, so that positions correspond."""
    return len(set(map(len, strings))) == 1


def for_sequences(strings: Sequence[str]) -> Kernel:
    """Return a kernel by position for aligned strings, by short words for others."""
    return Normalized(WeightedDegree(degree=3) if are_aligned(strings) else Spectrum(length=word_length(strings)))


def _quick_subsequences(strings: Sequence[str]) -> bool:
    """Return whether there are few enough pairs of letters for subsequences in a first kernel."""
    return sum(map(len, strings)) ** 2 < _TOO_MANY


def _encoded(data: Dataset) -> Encoded | None:
    """Return a Gaussian of one-hot letters; None for strings of several lengths."""
    if not one_length(data.rows.tolist()):
        return None
    width = Encoded(RBF(sigma="median")).heuristics(data.inputs)["sigma"]
    return Encoded(RBF(sigma=rounded_width(width))) if width > 0 else None


#: p-value below which positions differ. Markov strings of one length have p ≥ 0.1, 100 promoters or splice sites 1e-17.
_SURE = 1e-4


def are_aligned(strings: Sequence[str]) -> bool:
    """Return whether strings are aligned: of one length, with letters that depend on the position.

        χ² = Σ (O_{a,i} − E_{a,i})² / E_{a,i},   E_{a,i} = n_a / L

    over letters a and positions i, with (|A| − 1)(L − 1) degrees of freedom: strings cut around a site have letters
    that depend on the position. Only rows are used, never labels.

    Reference: Pearson's test of homogeneity, with p < 10⁻⁴; by SciPy.

    >>> from kernlib.data import load_dataset
    >>> are_aligned(load_dataset("promoters").rows), are_aligned(load_dataset("markov-strings").rows)
    (True, False)
    """
    lengths = {len(s) for s in strings}
    if len(lengths) != 1 or len(strings) < 10 or min(lengths) < 4:
        return False
    letters = np.array([list(s) for s in strings])
    counts = np.array([(letters == a).sum(axis=0) for a in np.unique(letters)], dtype=np.float64)
    if len(counts) < 2:
        return False
    from scipy.special import chdtrc  # without scipy.stats, which takes a second to load

    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    freedom = (len(counts) - 1) * (counts.shape[1] - 1)
    return bool(chdtrc(freedom, ((counts - expected) ** 2 / expected).sum()) < _SURE)


def word_length(strings: Sequence[str]) -> int:
    """Return the word length, 3 to 6, at which a string of mean length holds about as many words as exist.

        |A|^k ≈ mean length

    >>> word_length(["acgt" * 300] * 5), word_length(["abcdefghij" * 5] * 5)
    (5, 3)
    """
    alphabet = len(set().union(*strings))
    mean = sum(map(len, strings)) / len(strings)
    return max(3, min(6, round(math.log(max(mean, 2)) / math.log(max(alphabet, 2)))))


_PRESETS = (
    Preset("Latent semantic", LatentSemantic(concepts=100), "Documents by their leading concepts."),
    Preset("Bag of words", VectorSpace(), "Counts of words; long documents dominate."),
    Preset("Angles", Normalized(VectorSpace(weighting="tf-idf")), "Angles between documents, of any length."),
)


class Texts(_Strings):
    """Texts of words: an object array of str (n,); a text may be empty."""

    name = "text"
    title = "Text"
    called = "texts"
    one, many = "text", "texts"
    search = "texts documents words mails"

    def from_cell(self, cell: str) -> str:
        return cell

    def warnings(self, data: Dataset) -> Iterator[str]:
        empty = sum(not text.strip() for text in data.rows)
        if empty:
            yield f"{empty} of {data.n} texts are empty."

    def presets(self, data: Dataset) -> tuple[Preset, ...]:
        return _PRESETS

    def sizes(self, data: Dataset) -> Array | None:
        return np.array([len(str(row).split()) for row in data.rows], dtype=np.float64)

    def settings(self, data: Dataset) -> Iterator[Family]:
        yield "Words", VectorSpace()
        for weighting in ("tf", "tf-idf"):
            for stop in (None, "english"):
                words = VectorSpace(weighting=weighting, stop_words=stop)
                yield "Angles between documents", Normalized(words)
                yield "Angles, to a power", Normalized(words) ** 2
            for concepts in (5, 10, 25, 50, 100, 200):
                semantic = LatentSemantic(concepts=concepts, weighting=weighting)
                yield "Latent semantic", semantic
                yield "Latent semantic, angles", Normalized(semantic)
            yield from deep("Deep angles", Normalized(VectorSpace(weighting=weighting)))
            yield from powers("Power", Normalized(VectorSpace(weighting=weighting)))
