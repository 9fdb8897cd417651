"""Contents of arrays: vectors with labels, a square matrix of scores or edges, or pairs of its rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ...numerics.distances import as_distances, looks_like_distances
from ...values.domains import Domain
from ...values.labels import Task, are_classes
from ...values.split import Split
from ..dataset import Dataset
from ..guesses import Choice, Guess
from ..names import patterns_for
from ..reading import Content, How, Upload
from ..uploads import Limits, sanitize_name, stem, tamed


@dataclass(frozen=True, eq=False)
class Vectors(Content):
    """Numbers in rows and columns, with labels, names and published splits if the file has them."""

    name: str
    X: npt.NDArray[Any]
    y: npt.NDArray[Any] | None = None
    splits: tuple[Split, ...] = ()
    columns: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()

    def missing(self) -> int | None:
        """Return the number of missing values."""
        return int(np.isnan(self.X).sum()) if self.X.dtype.kind == "f" else 0

    def dataset(self, how: How) -> Dataset:
        """Complete rows, or with the gaps that the kernel fills.

        Raises DataError for missing values without a chosen treatment, and for labels that do not fit.
        """
        X = self.X.astype(np.float64)
        gaps = np.isnan(X)
        note = ""
        keep: npt.NDArray[np.bool_] = np.ones(len(X), dtype=bool)
        filled = bool(gaps.any()) and how.missing in ("mean", "most_frequent")
        if gaps.any() and not filled:
            if how.missing != "drop":
                i, j = np.argwhere(gaps)[0]
                raise DataError(
                    f"{self.name}: {int(gaps.sum())} missing values, the first in row {i}, column {j}. Drop those rows "
                    "(missing='drop') or have them filled (missing='mean')."
                )
            keep = np.asarray(~gaps.any(axis=1))
            note = f"{int((~keep).sum())} of {len(X)} rows dropped for missing values."
        y, task = array_labels(self.y, len(X), how.task, self.name)
        groups = None
        if how.table is not None and any(c.role in ("label", "group") for c in how.table.columns):
            labelled, labels, task = how.table.label_part(how.missing, how.task)
            if not labelled.all():
                note = f"{note} {int((~labelled).sum())} of {len(X)} rows without a label dropped.".strip()
            keep &= labelled
            if labels is not None:
                y = np.empty(len(X), dtype=labels.dtype)
                y[labelled] = labels
            groups = how.table.groups(keep)
        return Dataset(
            stem(self.name), self.name, "vector", X[keep], y=None if y is None else y[keep], task=task, groups=groups,
            source=f"upload {self.name}", note=note, splits=self.splits if keep.all() else (), columns=self.columns,
            fill=how.missing if filled else "",  # type: ignore[arg-type]
            ids=tuple(name for name, kept in zip(self.ids, keep, strict=True) if kept) if self.ids else (),
            new=how.limits.least < 2,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Square(Content):
    """A square matrix of scores or edges, with names and labels of its rows if the file has them.

    `holds` is "distances" or "scores" where the format says so, "" where `kind_of_square` guesses.
    """

    name: str
    A: npt.NDArray[Any]
    ids: tuple[str, ...] = ()
    y: npt.NDArray[Any] | None = None
    holds: str = ""

    def row_names(self) -> tuple[str, ...]:
        return self.ids

    def asymmetric(self, domain: Domain) -> bool:
        return domain != "node" and not is_symmetric(self.A)

    def dataset(self, how: How) -> Dataset:
        """Return the rows of the matrix, with labels from the file or from the table beside it.

        Raises DataError for a matrix that is not square, not finite, or asymmetric without a chosen treatment.
        """
        A = self.A
        if A.ndim != 2 or A.shape[0] != A.shape[1] or A.dtype.kind not in "iufb":
            raise DataError(
                f"{self.name}: the matrix must be square, of real numbers; got {A.dtype} {A.shape}. Save such a matrix."
            )
        A = A.astype(np.float64)
        note = []
        if how.domain == "node" and not is_symmetric(A):
            A = np.maximum(A, A.T)
            note.append("Edges are read as undirected.")
        elif not is_symmetric(A):
            A = self._symmetric(A, how)
            note.append(f"Made symmetric by the {'mean' if how.symmetrise == 'mean' else 'maximum'}.")
        holds = how.square or self.holds or kind_of_square(A)
        if how.domain == "matrix" and holds == "distances":
            distances = as_distances(A)
            if distances is None:
                raise DataError(
                    f"{self.name}: distances must have a zero diagonal and no negative entry; got a diagonal of up to "
                    f"{np.abs(A.diagonal()).max():g} and a least entry of {A.min():g}. Read them as scores."
                )
            changed = int((distances != A).sum())
            note += [f"{changed} entries near 0 are set to 0, as of distances."] if changed else []
            A = distances
        ids = self.ids or tuple(str(i) for i in range(len(A)))
        names = [] if how.table is None else [c.name for c in how.table.columns if c.role == "id"]
        if how.table is not None and names and not self.ids:
            ids = tuple(how.table.column(names[0]))
        data = labelled_square(self.name, A, ids, how, note, self.y)
        return data if how.domain == "node" else replace(data, distances=holds == "distances")

    def _symmetric(self, A: npt.NDArray[np.float64], how: How) -> npt.NDArray[np.float64]:
        if not np.isfinite(A).all():
            i, j = np.argwhere(~np.isfinite(A))[0]
            raise DataError(
                f"{self.name}: entry ({i}, {j}) is {A[i, j]}; expected finite numbers. Fill it, or leave the row out."
            )
        if not how.symmetrise:
            i, j = np.unravel_index(int(np.abs(A - A.T).argmax()), A.shape)
            raise DataError(
                f"{self.name}: entry ({i}, {j}) is {A[i, j]:g} and ({j}, {i}) is {A[j, i]:g}; expected a symmetric "
                "matrix. Choose their mean or the larger of the two."
            )
        return (A + A.T) / 2 if how.symmetrise == "mean" else np.maximum(A, A.T)


@dataclass(frozen=True, eq=False)
class Pairs(Content):
    """Pairs of rows of a matrix, one line of the table each; `numbers` (n, 2) are row numbers into the base."""

    name: str
    base: Square
    numbers: npt.NDArray[np.int64]

    def asymmetric(self, domain: Domain) -> bool:
        return self.base.asymmetric(domain)

    def dataset(self, how: How) -> Dataset:
        """Return the pairs, with the matrix as their base and labels from the table."""
        assert how.table is not None
        base = self.base.dataset(replace(how, domain="matrix", table=None, task=None))
        keep, y, task = how.table.label_part(how.missing, how.task)
        return Dataset(
            stem(self.name), self.name, "pair", self.numbers[keep], y=y, task=task if y is not None else None,
            base=base, source=f"upload {self.name}", note=f"Pairs of rows of {self.base.name}.",
            ids=tuple(sanitize_name(f"{base.ids[i]} – {base.ids[j]}") for i, j in self.numbers[keep]),
            groups=how.table.groups(keep),
        )  # fmt: skip


def labelled_square(
    name: str, A: npt.NDArray[np.float64], ids: Sequence[str], how: How, note: list[str],
    y: npt.NDArray[Any] | None = None,
) -> Dataset:  # fmt: skip
    """Return the rows of a symmetric matrix with labels from the table beside it, without a table with those of `y`."""
    keep, groups = np.ones(len(A), dtype=bool), None
    if how.table is None:
        labels, task = array_labels(y, len(A), how.task, name)
    else:
        keep, labels, task = how.table.label_part(how.missing, how.task)
        groups = how.table.groups(keep)
    if not keep.all():
        what = "nodes" if how.domain == "node" else "rows"
        note = [*note, f"{int((~keep).sum())} of {len(A)} {what} without a label dropped."]
    chosen = np.flatnonzero(keep)
    return Dataset(
        stem(name), name, how.domain, A[np.ix_(chosen, chosen)], y=labels, task=task if labels is not None else None,
        ids=tuple(sanitize_name(ids[i]) for i in chosen.tolist()),
        source=f"upload {name}", note=" ".join(note), groups=groups,
    )  # fmt: skip


def of_square(
    square: Square, format: str, domain: Domain | None, limits: Limits, guesses: Sequence[Guess] = ()
) -> Upload:
    """Return an upload of a square matrix: edges, if `kind_of_square` says so, else scores or distances."""
    kind = square.holds or kind_of_square(square.A)
    chosen: Domain = domain if domain in ("matrix", "node") else ("node" if kind == "edges" else "matrix")
    same = "" if is_symmetric(square.A) else ", not symmetric"
    reason = f"{len(square.A)} rows and as many columns of {_SIGNS[kind]}{same}."
    others: tuple[Domain, ...] = ("matrix", "node", "vector")
    guesses = (*guesses, *_distances_or_scores(square, kind, chosen, domain))
    if square.y is None and square.ids:
        rules = [Choice(f"Label: {words}", name_label=pattern) for pattern, words in patterns_for(square.ids)]
        guesses += (Guess("The rows have names and no labels.", tuple(rules)),) if rules else ()
    return Upload(
        square.name, format, reason, chosen, others, None, limits, content=square, file_guesses=tuple(guesses)
    )


_SIGNS = {
    "edges": "zeros and ones with a zero diagonal: edges",
    "distances": "non-negative numbers with a zero diagonal: probably distances",
    "scores": "numbers: scores",
}


def _distances_or_scores(square: Square, kind: str, chosen: Domain, asked: Domain | None) -> tuple[Guess, ...]:
    """Return the question what the numbers of a matrix with a zero diagonal are; () where nothing is in doubt."""
    A = square.A
    if square.holds or A.dtype.kind not in "iuf" or A.ndim != 2 or A.shape[0] != A.shape[1] or not np.isfinite(A).all():
        return ()
    distances = Choice("They are distances", domain="matrix", square="distances")
    scores = Choice("They are scores", domain="matrix", square="scores")
    edges = Choice("They weigh the edges of a graph", domain="node")
    if chosen == "node":
        complete = asked is None and np.count_nonzero(A) == A.size - len(A) and len(A) > 2
        sentence = "All entries are 1 beside a diagonal of 0: read as a graph with all edges."
        return (Guess(sentence, (distances,), question=True),) if complete else ()
    if as_distances(A) is None:
        return ()
    nearly = "" if not A.diagonal().any() and A.min() >= 0 else "nearly "
    sentence = f"The diagonal is {nearly}0 and no entry is {nearly and 'clearly '}negative: read as {kind}."
    return (Guess(sentence, (scores if kind == "distances" else distances, edges), question=True),)


def kind_of_square(A: npt.NDArray[Any]) -> str:
    """Return what a square matrix probably holds: "edges", "distances" or "scores"."""
    if A.dtype.kind in "iufb" and is_adjacency(A):
        return "edges"
    numbers = A.dtype.kind in "iuf" and A.ndim == 2 and A.shape[0] == A.shape[1] and bool(np.isfinite(A).all())
    distances = as_distances(A.astype(np.float64)) if numbers else None
    return "distances" if distances is not None and looks_like_distances(distances) else "scores"


def is_adjacency(A: npt.NDArray[Any]) -> bool:
    """Return whether a matrix holds zeros and ones only, not all zero, with a zero diagonal."""
    return bool(np.isin(A, (0, 1)).all() and not np.diagonal(A).any() and A.any())


def is_symmetric(A: npt.NDArray[Any]) -> bool:
    """Return whether a square matrix of numbers is symmetric; True for other arrays, which raise another error."""
    if A.ndim != 2 or A.shape[0] != A.shape[1] or A.dtype.kind not in "iufb":
        return True
    values = A.astype(np.float64)
    if not np.isfinite(values).all():
        return bool(np.array_equal(values, values.T, equal_nan=True))
    return bool(np.allclose(values, values.T, rtol=0.0, atol=1e-8 * max(1.0, float(np.abs(values).max(initial=0.0)))))


def array_labels(y: npt.NDArray[Any] | None, n: int, task: Task | None, name: str) -> tuple[Any, Task | None]:
    """Return the labels of an array file: words as classes, numbers by `are_classes`."""
    if y is None:
        return None, None
    if y.ndim != 1 or len(y) != n:
        raise DataError(
            f"{name}: y must hold one label per row, {n} of them; got {' × '.join(map(str, y.shape))}. Save y again."
        )
    if y.dtype.kind in "SU":
        words = y.astype(np.str_) if y.dtype.kind == "U" else np.char.decode(y, "utf-8", "replace")
        return np.array(tamed([str(word) for word in words]), dtype=np.str_), "classification"
    if y.dtype.kind not in "iufb":
        raise DataError(f"{name}: y must hold text or real numbers; got {y.dtype}. Save y again.")
    if y.dtype.kind in "iub":
        return whole_labels(y.astype(object) + 0, task)
    if not np.isfinite(y).all():
        row = int(np.argmin(np.isfinite(y)))
        raise DataError(f"{name}: y has missing or infinite labels, the first in row {row}. Remove those rows.")
    if (y == np.round(y)).all():
        return whole_labels([int(value) for value in y], task)
    if task == "classification":
        return np.array([str(value) for value in y], dtype=np.str_), task
    return y.astype(np.float64), "regression"


def whole_labels(values: Iterable[int], task: Task | None = None) -> tuple[npt.NDArray[Any], Task]:
    """Return whole numbers of any size as classes by their digits, or as targets; see `are_classes`.

    >>> whole_labels([2**60, 2**60 + 1, 2**60])[0].tolist()
    ['1152921504606846976', '1152921504606846977', '1152921504606846976']
    """
    numbers = list(values)
    # Beyond 2⁵³ different numbers are the same float: only which are equal counts.
    exact = max(map(abs, numbers), default=0) < 2**53
    place = {number: k for k, number in enumerate(sorted({*numbers}))}
    alike = numbers if exact else [place[number] for number in numbers]
    if task == "regression" or (task is None and not are_classes(alike)):
        return np.array(numbers, dtype=np.float64), "regression"
    return np.array([str(number) for number in numbers], dtype=np.str_), "classification"
