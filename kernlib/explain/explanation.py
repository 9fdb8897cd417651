"""Explanations of a value: from a kernel and two rows down to the base kernel, and back up the chain."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np

from ..core.algebra import Constant, Product, Sum
from ..core.base import Kernel
from ..core.steps import MatrixStep, RowStep, Shorthand, Side, WholeStep
from ..errors import DomainError, ExplainError
from ..kernels.combined import Mixture
from ..values.arrays import Array
from ..values.domains import Pairs, concatenated, form
from ..values.words import number, percent, value_in_words
from ..wrappers.landmarks import LandmarkMap, Nystrom, Squared


class Part(NamedTuple):
    """One term of a sum: what it is as text, and its value."""

    text: str
    value: float


@dataclass(frozen=True)
class Explanation:
    """A kernel value k(x, x') as a sum of parts.

    `value` is k(x, x'). `parts` are (text, value), summing to it. `steps` are (text, value): the value after each
    step of the chain, the base kernel first. `how` says in a sentence how the parts are computed. `apart` has the
    exact terms of a distance from which the value follows: a large one makes the rows less similar. `below` explains
    the kernel below all steps: its parts are of the two rows alone, and their texts are their values.
    """

    value: float
    parts: tuple[Part, ...]
    steps: tuple[Part, ...]
    how: str = ""
    apart: tuple[Part, ...] = ()
    below: Explanation | None = None


@dataclass(frozen=True)
class Words:
    """Names of columns and of training rows; without names, numbers are shown.

    Of two columns with the same name the second has its number appended, since features are identified by name.

    >>> Words(("size", "colour", "size")).columns
    ('size', 'colour', 'size (3)')
    """

    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        first: dict[str, int] = {}
        for c, name in enumerate(self.columns):
            first.setdefault(name, c)
        distinct = (name if first[name] == c else f"{name} ({c + 1})" for c, name in enumerate(self.columns))
        object.__setattr__(self, "columns", tuple(distinct))

    def column(self, j: int, d: int) -> str:
        return str(self.columns[j]) if len(self.columns) == d else f"x{j + 1}"

    def row(self, i: int, n: int) -> str:
        return str(self.rows[i]) if len(self.rows) == n else f"training row {i}"


@dataclass(frozen=True, eq=False)
class Scene:
    """Two rows as the kernel reads them: numbers `i` and `j` of `rows`; `x` and `y` hold one of them each.

    For a kernel that exists for all rows at once (on nodes of a graph, √K), `rows` are all of them, which `whole` says.
    """

    rows: Any
    i: int = 0
    j: int = 1
    words: Words = Words()
    whole: bool = False
    _matrices: dict[int, tuple[Kernel, Array]] = field(default_factory=dict)

    @property
    def x(self) -> Any:
        return self.rows[[self.i]]

    @property
    def y(self) -> Any:
        return self.rows[[self.j]]

    def matrix(self, kernel: Kernel) -> Array:
        """Return the kernel's matrix on all rows."""
        if id(kernel) not in self._matrices:
            self._matrices[id(kernel)] = (kernel, kernel.gram(self.rows, None))
        return self._matrices[id(kernel)][1]

    def value(self, kernel: Kernel) -> float:
        """Return k(x, x')."""
        if self.whole:
            return float(self.matrix(kernel)[self.i, self.j])
        return float(kernel.gram(self.x, self.y)[0, 0])


def explain(kernel: Kernel, x: Any, y: Any, words: Words = Words()) -> Explanation:
    """Return k(x, y) as a sum of parts; see `Kernel.explain`."""
    if kernel.transductive or form(kernel.reads).square or kernel.reads == "row":
        raise ExplainError(
            f"explain: {kernel!r:.200} needs all rows at once; expected a kernel that can be evaluated on two rows. "
            "Next: kernlib.explain.explain_rows(kernel, X, i, j), unbound."
        )
    kernel.require_fitted("explain")
    a, b = (kernel.checked_rows(_alone(kernel, row)) for row in (x, y))
    for rows in (a, b):
        if len(rows) != 1:
            raise DomainError(f"explain: expected one row on each side; got {len(rows)}. Explain them one by one.")
    kernel.require_same_columns(a, b)
    return _checked(kernel, Scene(concatenated(a, b), words=words))


def explain_rows(kernel: Kernel, X: Any, i: int, j: int, y: Any = None, words: Words = Words()) -> Explanation:
    """Return the explanation of k for rows i and j of X; also for kernels that need all rows at once.

    A kernel that learns is fitted on X (and the labels y). Raises DomainError for a row that does not exist.

    >>> from kernlib import Diffusion
    >>> explanation = explain_rows(Diffusion(beta=0.5), [[0, 1], [1, 0]], 0, 1)
    >>> round(explanation.value, 4), explanation.parts[0].text
    (0.3161, 'direction 1 of the graph, s = 0')
    """
    rows = kernel.checked_rows(X)
    for row in (i, j):
        if not 0 <= row < len(rows):
            raise DomainError(f"explain_rows: row {row} does not exist; expected 0 to {len(rows) - 1}.")
    fitted = kernel if kernel.fitted else kernel.fit(X, y)
    if fitted.transductive or form(fitted.reads).square:
        return _checked(fitted, Scene(rows, i, j, words, whole=True))
    return _checked(fitted, Scene(rows[[i, j]], words=words))


def explained(kernel: Kernel, scene: Scene) -> Explanation:
    """Return the explanation of one kernel of the tree, by the function registered for its class with `explanation`."""
    if scene.whole and not kernel.transductive and not form(kernel.reads).square:
        scene = Scene(scene.rows[[scene.i, scene.j]], words=scene.words)
    parts = explanation(kernel, scene)
    return parts if isinstance(parts, Explanation) else leaf(kernel, scene, parts)


@singledispatch
def explanation(kernel: Any, scene: Scene) -> Explanation | Iterable[tuple[str, float]]:
    """Return the explanation of a kernel's value, or its parts (text, value) summing to it.

    A kernel with an explicit feature map needs no function of its own: its value is the sum of Φ(x) ∘ Φ(x'). For
    another, one function is registered for its class: ``@explanation.register`` above a function whose first argument
    is annotated with the class. Without one, the value is a single part.
    """
    raise NotImplementedError  # `features` registers Kernel


def leaf(
    kernel: Kernel, scene: Scene, parts: Iterable[tuple[str, float]], how: str = "", apart: Iterable[Part] = ()
) -> Explanation:
    """Return the explanation of a kernel that reads rows itself."""
    value = scene.value(kernel)
    return Explanation(value, tuple(Part(*part) for part in parts), (Part(kernel.chip(), value),), how, tuple(apart))


def parts_of(values: Array, text: Callable[[int], str]) -> list[Part]:
    """Return one part for each value that is not 0; `text` names the part at a place."""
    return [Part(text(i), float(values[i])) for i in np.flatnonzero(values).tolist()]


def _checked(kernel: Kernel, scene: Scene) -> Explanation:
    explanation = explained(kernel, scene)
    total = math.fsum(p.value for p in explanation.parts)
    scale = max(abs(explanation.value), 1e-3 * math.fsum(abs(p.value) for p in explanation.parts))
    if not abs(total - explanation.value) <= 1e-9 * scale:
        raise ExplainError(
            f"explain: the parts of {kernel!r:.200} sum to {total!r}, and its value is {explanation.value!r}; expected "
            "the same to nine digits. The terms cancel, or the function registered for this kernel is wrong."
        )
    return explanation


def _alone(kernel: Kernel, row: Any) -> Any:
    """Return one row as the one-row list that the kernel reads."""
    if isinstance(row, Pairs):
        return row
    rows = form(kernel.reads)
    if rows.layout == "pairs":
        return np.atleast_2d(np.asarray(row))
    if rows.objects:
        return rows.one_row(row)
    # Of categories an object array: np.asarray would turn 1 beside "a" into "1".
    as_they_are = rows.nominal and not isinstance(row, np.ndarray)
    return np.atleast_2d(np.asarray(row, dtype=object if as_they_are else None))


#: Added to `how` by a step that changes the value, not by a product.
_PROPORTION = "Through the steps every part keeps its proportion."
#: A product of two sums is expanded into at most this many terms; beyond, the right-hand sum is one term.
_PRODUCTS = 2500


def through(inner: Explanation, value: float, at_zero: float, chip: str) -> Explanation:
    """Return the explanation of a function f of the value: f(0), and the difference from it in the parts' proportions.

    f(v) = f(0) + Σ_i p_i (f(v) − f(0)) / v is exact. Where f(v) is so far below f(0) that the sum would cancel, the
    value is a single part.
    """
    zero = Part(f"nothing in common, {chip}", at_zero)
    slope = (value - at_zero) / inner.value if inner.value else 0.0
    parts: tuple[Part, ...] = tuple(Part(text, v * slope) for text, v in inner.parts)
    if at_zero:
        parts = (zero, *parts)
    how = inner.how if _PROPORTION in inner.how else f"{inner.how} {_PROPORTION}".strip()
    if not slope:
        parts = (zero._replace(value=value),) if value else ()
    elif 1e-15 * math.fsum(abs(part.value) for part in parts) > 1e-11 * abs(value):
        parts, how = (Part("all together: the terms cancel", value),), inner.how
    steps = (*inner.steps, Part(chip, value))
    return replace(inner, value=value, parts=parts, steps=steps, how=how, below=inner.below or inner)


def _after(inner: Explanation, kernel: Kernel, scene: Scene, parts: Iterable[Part], how: str) -> Explanation:
    """Return the explanation of a step that has parts of its own."""
    value = scene.value(kernel)
    steps = (*inner.steps, Part(kernel.chip(), value))
    return Explanation(value, tuple(parts), steps, how, inner.apart, inner.below or inner)


@explanation.register
def _matrix_step(kernel: MatrixStep, scene: Scene) -> Explanation:
    """Return the inner parts in proportion, after what the step makes of two rows whose value is 0."""
    side = kernel.side_of(scene.rows)
    if scene.whole:
        K = scene.matrix(kernel.kernel)
        side = Side(scene.rows, K.diagonal().copy, lambda: K)
    facts = kernel.row_facts(side)
    fx, fy = (None if facts is None else facts[[row]] for row in (scene.i, scene.j))
    at_zero = float(kernel.new_matrix(np.zeros((1, 1)), fx, fy)[0, 0])
    return through(explained(kernel.kernel, scene), scene.value(kernel), at_zero, kernel.chip())


@explanation.register(WholeStep)
@explanation.register(Nystrom)
def _corrected(kernel: WholeStep | Nystrom, scene: Scene) -> Explanation:
    """Return the inner parts and what the step adds to them."""
    inner = explained(kernel.kernel, scene)
    change = scene.value(kernel) - math.fsum(part.value for part in inner.parts)
    parts = (*inner.parts, *parts_of(np.array([change]), lambda _: f"what changes by {kernel.chip()}"))
    return _after(inner, kernel, scene, parts, inner.how)


@explanation.register(LandmarkMap)
@explanation.register(Squared)
def _landmarks(kernel: LandmarkMap | Squared, scene: Scene) -> Explanation:
    # With `whole`, all rows are landmarks.
    K = scene.matrix(kernel.kernel) if scene.whole else kernel.kernel.gram(scene.rows, kernel.kept_rows)
    kx, ky = K[scene.i], K[scene.j]
    parts = parts_of(kx * ky, lambda i: f"through {scene.words.row(i, len(kx))}: {number(kx[i])} × {number(ky[i])}")
    how = "One product for every landmark row: how similar both rows are to it."
    return _after(explained(kernel.kernel, scene), kernel, scene, parts, how)


@explanation.register
def _shorthand(kernel: Shorthand, scene: Scene) -> Explanation:
    exact = explained(kernel.stands_for, scene)
    below, above = kernel.stands_for, 0
    while below is not kernel.kernel:
        below, above = below.kernel, above + 1  # type: ignore[attr-defined]
    steps = exact.steps[: len(exact.steps) - above]
    return replace(exact, steps=(*steps, Part(kernel.chip(), exact.value)))


@explanation.register
def _row_step(kernel: RowStep, scene: Scene) -> Explanation:
    words = Words(kernel.columns_after(scene.words.columns, scene.x), scene.words.rows)
    inner = explained(kernel.kernel, replace(scene, rows=kernel.map_rows(scene.rows), words=words, _matrices={}))
    first = Part(f"{kernel.chip()} → {inner.steps[0].text}", inner.steps[0].value)
    return replace(inner, steps=(first, *inner.steps[1:]))


# -- several kernels ----------------------------------------------------------------------------


@explanation.register
def _constant(kernel: Constant, scene: Scene) -> list[tuple[str, float]]:
    return [(f"the constant {number(kernel.value)}", kernel.value)] if kernel.value else []


@explanation.register
def _sum(kernel: Sum, scene: Scene) -> Explanation:
    return _weighted(kernel, scene, (1.0, 1.0))


@explanation.register
def _mixture(kernel: Mixture, scene: Scene) -> Explanation:
    return _weighted(kernel, scene, kernel.used_weights())


def _weighted(kernel: Kernel, scene: Scene, weights: Sequence[float]) -> Explanation:
    terms = [(w, explained(one, scene)) for w, one in zip(weights, kernel.children, strict=True) if w]
    parts = [Part(text, w * v) for w, one in terms for text, v in one.parts]
    return leaf(kernel, scene, parts, " Plus: ".join(dict.fromkeys(one.how for _, one in terms if one.how)))


@explanation.register
def _product(kernel: Product, scene: Scene) -> Explanation:
    a, b = explained(kernel.left, scene), explained(kernel.right, scene)
    if len(a.parts) * len(b.parts) <= _PRODUCTS and len(b.parts) > 1:
        parts = [Part(f"{p.text} · {q.text}", p.value * q.value) for p in a.parts for q in b.parts]
        return leaf(kernel, scene, parts, "Every part of the first times every part of the second.")
    how = f"{a.how} Times the second kernel's value {number(b.value)}."
    return leaf(kernel, scene, [Part(text, v * b.value) for text, v in a.parts], how)


# -- two rows of a table -------------------------------------------------------------------------

#: Columns that are named on each side.
_NAMED = 3
#: Numbers with a smaller gap, in standard deviations of their column, are alike.
_NEAR = 0.5


def contrast_in_words(
    rows: Array, columns: Sequence[str], nominal: Sequence[bool], i: int, j: int, terms: Sequence[float] = ()
) -> str:
    """Return the columns in which two rows are most alike, and most unlike, with their cells; "" without any.

    Numbers are compared by their gap over the column's standard deviation; categories are equal or not, rare equal
    ones first. A constant column counts for neither side. Parameters: `rows` (n, d); `nominal` (d,) whether a column
    holds categories; `terms` (d,) of a distance order the columns in place of the gaps.

    >>> rows = np.array([[0.0, 5.0], [0.1, 9.0], [9.0, 1.0], [4.0, 2.0]])
    >>> contrast_in_words(rows, ["a", "b"], [False, False], 0, 1)
    'Alike in a (0 and 0.1); unlike in b (5 and 9).'
    """
    gaps = np.full(len(nominal), np.nan)
    for column, categories in enumerate(nominal):
        cells = rows[:, column]
        if not categories:
            values = cells.astype(np.float64)
            spread = float(np.nanstd(values))
            gaps[column] = abs(values[i] - values[j]) / spread if spread > 0 else np.nan
        elif len(set(cells.tolist())) > 1:
            gaps[column] = _NEAR * float(np.mean(cells == cells[i])) if cells[i] == cells[j] else 1.0
    order = np.argsort(terms if len(terms) == len(gaps) else gaps, kind="stable")
    sides = []
    for words, chosen in (("alike in", order[gaps[order] < _NEAR]), ("unlike in", order[gaps[order] >= _NEAR][::-1])):
        named = [
            f"{columns[c]} ({value_in_words(rows[i, c])} and {value_in_words(rows[j, c])})" for c in chosen[:_NAMED]
        ]
        more = f" and {len(chosen) - _NAMED} more" if len(chosen) > _NAMED else ""
        sides += [f"{words} {', '.join(named)}{more}"] if named else []
    text = "; ".join(sides)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def similarity_rank_in_words(K: Array, i: int, j: int) -> str:
    """Return how two different rows compare with all pairs of different rows, by K (n, n).

    >>> similarity_rank_in_words(np.array([[1.0, 0.9, 0.2], [0.9, 1.0, 0.1], [0.2, 0.1, 1.0]]), 0, 2)
    '33% of all pairs are less similar'
    >>> similarity_rank_in_words(np.ones((3, 3)), 0, 2)
    'as all pairs have'
    """
    pairs = K[~np.eye(len(K), dtype=bool)]
    if np.ptp(pairs) == 0:
        return "as all pairs have"
    return f"{percent(float((pairs < K[i, j]).mean()))} of all pairs are less similar"
