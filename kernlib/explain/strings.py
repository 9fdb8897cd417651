"""Kernels on strings: the words that two strings share, and the value of each."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from functools import partial

import numpy as np

from ..kernels.edits import EditDistance, edit_distances
from ..kernels.gapped import shared_neighbours
from ..kernels.gappy import Motif, OfWords
from ..kernels.letters import read_letters
from ..kernels.mismatch import Mismatch
from ..kernels.spectrum import PriorSpectrum, Spectrum
from ..kernels.subsequence import Subsequence, features
from ..numerics.sizes import block_size
from ..values.arrays import Array
from ..values.words import number, superscript
from .explanation import Explanation, Part, Scene, explanation, leaf, parts_of

#: Most choices of letters that are enumerated, so that the stretches of a word can be listed.
_CHOICES = 20_000
#: Most words of all possible letters that are held at once.
_WORDS = 1 << 22
#: Most pairs of words that are listed; more are summed over the words of the second string.
_PAIRS = 5000
#: Entries of a table of words against words.
_TABLE = 1 << 20


def spans(s: str, order: int) -> dict[str, Counter[int]]:
    """Return for each word of `order` letters how many of its occurrences in s stretch over each number of letters.

    >>> spans("ABBA", 2)["AB"]
    Counter({2: 1, 3: 1})
    """
    pieces: dict[str, Counter[int]] = {}
    for places in itertools.combinations(range(len(s)), order):
        pieces.setdefault("".join(s[p] for p in places), Counter())[places[-1] - places[0] + 1] += 1
    return pieces


def in_powers(stretches: Counter[int]) -> str:
    """Return a sum of powers of λ as text, such as λ² + 2λ³, from the number of stretches of each length."""
    ordered = sorted(stretches.items())
    terms = (f"{count if count > 1 else ''}λ{superscript(length)}" for length, count in ordered)
    product = " + ".join(terms)
    return f"({product})" if len(ordered) > 1 else product


@explanation.register
def _subsequence(kernel: Subsequence, scene: Scene) -> Explanation:
    s, t = str(scene.x[0]), str(scene.y[0])
    value = scene.value(kernel)
    parts: list[Part] = []
    how = "One term for every word that both strings contain, gaps allowed: λ to the length of each stretch."
    for n, c in enumerate(kernel.order_weights(), 1):
        if not c:
            continue
        if math.comb(len(s), n) + math.comb(len(t), n) <= _CHOICES:
            parts += _by_word(s, t, n, kernel.decay, c)
        elif len(set(s) & set(t)) ** n <= _WORDS:
            parts += _by_feature(s, t, n, kernel.decay, c)
        else:
            ends = c * ends_by_place(s, t, n, kernel.decay)
            parts += parts_of(ends, partial(_ending, s, n))
            how = "Too many words to be named: summed by the place of their last letter in the first string."
    return leaf(kernel, scene, parts, how, value=value)


def _ending(s: str, n: int, p: int) -> str:
    return f"words of {n} letters that end at letter {p + 1} ({s[p]}) of the first"


def _by_word(s: str, t: str, n: int, decay: float, c: float) -> list[Part]:
    first, second = spans(s, n), spans(t, n)
    times = "" if c == 1.0 else f"{number(c)} × "
    parts = []
    for word in sorted(first.keys() & second.keys()):
        a, b = (sum(k * decay**length for length, k in weights[word].items()) for weights in (first, second))
        text = f"‘{word}’: {times}{in_powers(first[word])} × {in_powers(second[word])}"
        parts.append(Part(text, c * a * b))
    return parts


def _by_feature(s: str, t: str, n: int, decay: float, c: float) -> list[Part]:
    words, values = subsequence_words((s, t), n, decay)
    return [
        Part(f"‘{word}’: {number(a)} × {number(b)}", c * float(a) * float(b))
        for word, a, b in zip(words, values[0], values[1], strict=True)
        if a and b
    ]


def subsequence_words(strings: tuple[str, ...], n: int, decay: float) -> tuple[list[str], Array]:
    """Return every word of n of the strings' common letters, and Φ of every string, (strings, words).

    >>> words, values = subsequence_words(("ABBA", "BAB"), 2, 0.5)
    >>> words, values[0].tolist()
    (['AA', 'BA', 'AB', 'BB'], [0.0625, 0.375, 0.375, 0.25])
    """
    rows = np.empty(len(strings), dtype=object)
    rows[:] = strings
    common = "".join(sorted(set.intersection(*map(set, strings)))) if strings else ""
    if not common:
        return [], np.zeros((len(strings), 0))
    letters, _ = read_letters(rows, None, common)
    values = features(letters, np.arange(len(strings)), decay, (*(0.0,) * (n - 1), 1.0))
    # The letter read last is the leading digit of a word's number.
    words = ["".join(reversed(word)) for word in itertools.product(common, repeat=n)]
    return words, values


def recursion_tables(s: str, t: str, order: int, decay: float) -> list[Array]:
    """Return W_1 … W_n, each (|s|, |t|): the weight of common words of i letters that end at s_p and t_q.

    W_1 = [s_p = t_q],  W_i = [s_p = t_q] Σ_{p'<p, q'<q} λ^{p−p'+q−q'} W_{i−1}[p', q'],  k_i = λ² Σ W_i

    >>> tables = recursion_tables("CAT", "CART", 2, 0.5)
    >>> float(0.5**2 * tables[1].sum()) == float(Subsequence(order=2, decay=0.5)(["CAT"], ["CART"])[0, 0])
    True
    """
    match = np.array([[a == b for b in t] for a in s], dtype=np.float64).reshape(len(s), len(t))
    tables = [match]
    for _ in range(order - 1):
        tables.append(match * _damped(_damped(tables[-1], decay).T, decay).T)
    return tables


def ends_by_place(s: str, t: str, order: int, decay: float) -> Array:
    """Return the weight of common words of `order` letters by the place of their last letter in s, (|s|,).

    The sums over t of λ² W_n, one letter of s at a time, so that no table is held.

    >>> ends_by_place("CART", "CAT", 2, 0.5).tolist()
    [0.0, 0.0625, 0.0, 0.0390625]
    """
    from scipy.signal import lfilter

    letters = np.array(list(t))
    before = np.zeros((order, len(t)))
    ends = np.zeros(len(s))
    if not len(t):
        return ends
    for p, letter in enumerate(s):
        agree = (letters == letter).astype(np.float64)
        for n in range(order, 0, -1):
            # Σ_{q'<q} λ^{q−q'} of what ended before
            w = agree if n == 1 else agree * lfilter((0.0, decay), (1.0, -decay), before[n - 2])
            if n == order:
                ends[p] = decay**2 * w.sum()
            else:
                before[n - 1] += w
                before[n - 1] *= decay
    return ends


def _damped(W: Array, decay: float) -> Array:
    """Return Σ_{p'<p} λ^{p−p'} W[p'] for every p."""
    out = np.zeros_like(W)
    for p in range(1, len(W)):
        out[p] = decay * (out[p - 1] + W[p - 1])
    return out


def contiguous(s: str, length: int) -> Counter[str]:
    """Return how often each contiguous word occurs.

    >>> contiguous("ATAT", 2)
    Counter({'AT': 2, 'TA': 1})
    """
    return Counter(s[p : p + length] for p in range(len(s) - length + 1))


@explanation.register
def _spectrum(kernel: Spectrum, scene: Scene) -> Explanation:
    first, second = (contiguous(str(rows[0]), kernel.length) for rows in (scene.x, scene.y))
    parts = [
        Part(f"‘{word}’: {first[word]} × {second[word]}", float(first[word] * second[word]))
        for word in first
        if word in second
    ]
    return leaf(kernel, scene, parts, "One term for every word that both strings contain: how often each has it.")


@explanation.register
def _prior_spectrum(kernel: PriorSpectrum, scene: Scene) -> Explanation:
    first, second = (contiguous(str(rows[0]), kernel.length) for rows in (scene.x, scene.y))
    shared = [word for word in first if word in second]
    weights = kernel.gram_diag(np.array(shared, dtype=object)) if shared else np.zeros(0)  # a word alone occurs once
    parts = [
        Part(f"‘{word}’: {first[word]} × {second[word]}, weight {number(w)}", float(w * first[word] * second[word]))
        for word, w in zip(shared, weights, strict=True)
    ]
    return leaf(kernel, scene, parts, "One term for every word that both strings contain, times the word's weight.")


def pattern_words(kernel: OfWords, s: str) -> dict[str, tuple[int, float]]:
    """Return the count and the weight of every word of a string, letters that are not read as dots."""
    found: dict[str, tuple[int, float]] = {}
    for length, places, weight in kernel.patterns():
        read = set(places)
        windows = (s[p : p + length] for p in range(len(s) - length + 1))
        words = Counter("".join(c if i in read else "·" for i, c in enumerate(window)) for window in windows)
        for word, count in words.items():
            found[word if len(read) == length else f"{word} (gap {length - len(read)})"] = (count, weight)
    return found


@explanation.register
def _of_words(kernel: OfWords, scene: Scene) -> Explanation:
    first, second = (pattern_words(kernel, str(rows[0])) for rows in (scene.x, scene.y))
    parts = []
    for word, (count, weight) in first.items():
        if word in second:
            times = f", weight {number(weight)}" if weight != 1.0 else ""
            parts.append(Part(f"‘{word}’: {count} × {second[word][0]}{times}", weight * count * second[word][0]))
    return leaf(kernel, scene, parts, "One term for every word that both strings contain: how often each has it.")


@explanation.register
def _motif(kernel: Motif, scene: Scene) -> Explanation:
    first, second = (kernel.factor_rows(rows)[0] for rows in (scene.x, scene.y))
    parts = parts_of(first * second, lambda m: f"{kernel.patterns[m]}: {first[m]:g} × {second[m]:g}")
    return leaf(kernel, scene, parts, "One term for every pattern that both strings contain.")


@explanation.register
def _edit_distance(kernel: EditDistance, scene: Scene) -> Explanation:
    distance = edit_distances(scene.x, scene.y)[0, 0]
    edits = f"{distance:g} {'letter' if distance == 1 else 'letters'} put in, taken out or replaced"
    return leaf(kernel, scene, [Part(edits, scene.value(kernel))], "A function of the edit distance.")


@explanation.register
def _mismatch(kernel: Mismatch, scene: Scene) -> Explanation:
    letters = kernel.letters()
    known = set(letters)
    first, second = (
        {w: k for w, k in contiguous(str(rows[0]), kernel.length).items() if known.issuperset(w)}
        for rows in (scene.x, scene.y)
    )
    shared = np.array(shared_neighbours(kernel.length, kernel.mismatches, len(letters)), dtype=np.float64)
    a, b = (np.array([list(w) for w in side]).reshape(len(side), kernel.length) for side in (first, second))
    times = np.array(list(second.values()), dtype=np.float64)
    how = f"Pairs of words, one of each string: each counts for all words within {_letters(kernel.mismatches)} of it."
    words, others = list(first), list(second)
    parts: list[Part] = []
    totals = np.zeros(len(words))
    step = max(1, block_size(_TABLE) // max(1, len(others)))
    for start in range(0, len(words), step):
        agreeing = np.zeros((len(words[start : start + step]), len(others)), dtype=np.int16)
        for p in range(kernel.length):
            agreeing += a[start : start + step, p, None] == b[:, p]
        values = shared[agreeing] * times
        for i, j in np.argwhere(values).tolist() if len(parts) <= block_size(_PAIRS) else ():
            word, other, agree = words[start + i], others[j], int(agreeing[i, j])
            count = first[word] * second[other]
            apart = kernel.length - agree
            words_apart = (
                f"‘{word}’ and ‘{other}’, {_letters(apart)} differ{'s' * (apart == 1)}"
                if apart
                else f"‘{word}’ in both"
            )
            often = f"{count} × " if count > 1 else ""
            parts.append(
                Part(f"{words_apart}: {often}{int(shared[agree])} words near both", count * float(shared[agree]))
            )
        counts = np.array([first[word] for word in words[start : start + step]], dtype=np.float64)
        totals[start : start + step] = counts * values.sum(axis=1)
    if len(parts) > block_size(_PAIRS):
        parts = parts_of(totals, lambda i: f"‘{words[i]}’ with all words of the second")
    return leaf(kernel, scene, parts, how)


def _letters(count: int) -> str:
    return f"{count} letter{'s' * (count != 1)}"
