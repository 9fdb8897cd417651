"""A data set as a frozen value: rows, labels, source, and a digest of the content."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args

import numpy as np

from ..errors import DataError
from ..kinds import KINDS, Kind, Preset
from ..numerics.distances import looks_like_distances
from ..values.arrays import Array, Split, all_numbers, label_vector
from ..values.domains import Domain
from ..values.labels import Task, are_classes
from .cells import Column


@dataclass(frozen=True)
class About:
    """The name of a data set, the kind of its rows, and the text about it on a page.

    Parameters: `name`, a word like a file's name; `title`; `domain` of the rows; `look_for`, one sentence for a
    newcomer; `source`, `licence`, `citation`; `note`, on substitutes and changes.

    >>> About("toy", "Toy", "vector", note="Made up.").record["note"]
    'Made up.'
    """

    name: str
    title: str
    domain: Domain
    _: KW_ONLY
    look_for: str = ""
    source: str = ""
    licence: str = ""
    citation: str = ""
    note: str = ""

    @property
    def row_kind(self) -> Kind:
        """Return what is declared of rows of this kind.

        >>> About("toy", "Toy", "vector").row_kind.called
        'numbers'
        """
        return KINDS[self.domain]

    @property
    def record(self) -> dict[str, Any]:
        """Return the fields by name, for another record of the same data set."""
        return {f.name: getattr(self, f.name) for f in fields(About)}


@lru_cache(maxsize=8)
def _numbered(count: int) -> tuple[str, ...]:
    """Return the first numbers from 0 on as words, once: for a hundred thousand rows they take 7 MB."""
    return tuple(map(str, range(count)))


Fill = Literal["", "mean", "most_frequent"]


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(About):
    """Rows of one domain with their labels, checked once, read-only, identified by a digest.

    digest = SHA-256 over (domain, rows, y, classes, splits, base, groups), every part tagged with its type and
    shape, so that equal bytes of different types differ. Data sets are equal if their names and digests are equal.

    Parameters
    ----------
    name, title : short name (a file-name-like word) and the text for a page.
    domain : "vector", "categorical", "mixed", "sequence", "text", "graph", "node", "pair" or "matrix".
    rows : vector: float64 (n, d); categorical: int64 or object array of str (n, d); sequence, text: object
        array of str (n,); mixed: object array (n, d) of floats and str, see `kinds`; graph: object array of `Graph`
        (n,); node, matrix: symmetric float64 (n, n);
        pair: int64 (n, 2), row numbers into `base`.
    y : None, labels, or codes 0…c−1 into `classes` (n,), or real targets (n,). For two classes the code 1
        is the positive one (+1 of the sources).
    classes : names of the classes in the order of their codes; made from the labels when left empty.
    task : "classification", "regression" or None; None with a `y` leaves it to `are_classes`: words and a few whole
        numbers are classes, other numbers are real targets.
    columns : names of the columns (d,), "x1"… when left empty (vector, categorical and mixed only).
    ids : names of the rows (n,), "0"… when left empty.
    source, licence, citation, look_for, note : text for the page, see `About`.
    splits : published divisions into training and test rows, if there are any.
    recipe : the Python expression that returns this data set, or "".
    base : for pairs, the data set that the row numbers refer to.
    groups : names of the groups that rows belong to (n,), e.g. the patient of each sample, or None; `GroupedSplits`
        keeps each on one side. Part of the digest when present.
    kinds : what each column of mixed rows holds (d,): "vector" (a number), "categorical", "sequence" or "text"; left
        empty, columns of numbers are numbers and all others categorical.
    distances : whether a matrix holds distances rather than scores; None leaves it to `looks_like_distances`.
    fill : "mean" or "most_frequent" allows missing cells (NaN) in columns of numbers and sets how the kernel fills
        them, by `Imputed(kernel, strategy=fill)`, from training rows alone; "" allows none.
    read_as : how the columns of the file were read, so that `new_rows` reads those of another file in the same way; ()
        for rows that come from no table.
    new : whether these are new rows for a machine, of which one is enough.
    image : height and width (h, w) of a picture whose pixels are the columns, row by row; None for other columns.

    Attributes made at construction: `digest` (64 hex digits), `warnings` (tuple of sentences: one class only, a
    class of one row, constant columns, …). All arrays are copies and read-only.

    Raises
    ------
    DataError : fewer than two rows, missing or infinite values, wrong shape, labels of another length, …

    Example
    -------
    >>> data = Dataset("toy", "Toy", "vector", [[0.0], [1.0], [2.0]], y=["a", "b", "a"])
    >>> data
    Dataset('toy', vector, n=3, d=1, classes={'a': 2, 'b': 1})
    >>> data.y, data.classes, data.labels
    (array([0, 1, 0]), ('a', 'b'), ('a', 'b', 'a'))
    >>> data.take([2, 0]).rows.ravel()
    array([2., 0.])
    """

    rows: Array
    y: Array | None = None
    classes: tuple[str, ...] = ()
    task: Task | None = None
    columns: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    splits: tuple[Split, ...] = ()
    recipe: str = ""
    base: Dataset | None = None
    fill: Fill = ""
    groups: tuple[str, ...] | None = None
    kinds: tuple[Domain, ...] = ()
    image: tuple[int, int] | None = None
    distances: bool | None = None
    read_as: tuple[Column, ...] = ()
    new: bool = False
    digest: str = field(init=False, default="")
    warnings: tuple[str, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        put = object.__setattr__
        allowed = {"domain": tuple(KINDS), "fill": get_args(Fill), "task": (None, *get_args(Task))}
        for what, options in allowed.items():
            if (given := getattr(self, what)) not in options:
                raise DataError(f"{self._who}: {what} must be one of {', '.join(map(str, options))}; got {given!r}.")
        if self.row_kind.nominal and hasattr(self.rows, "isna") and np.ndim(self.rows) == 2:
            put(self, "rows", cells_of_frame(self.rows))
        rows, kinds = self.row_kind.read(self, self._who)
        put(self, "rows", rows)
        put(self, "kinds", kinds)
        if self.image is not None and self.image[0] * self.image[1] != self.d:
            raise DataError(
                f"{self._who}: an image of {self.image[0]} × {self.image[1]} pixels needs as many columns; got "
                f"{self.d}. Leave image out, or give height and width."
            )
        if self.n < (1 if self.new else 2):
            raise DataError(
                f"{self._who}: a Gram matrix needs at least two rows; got {self.n}. Add rows, or choose another file."
            )
        numbered = tuple(f"x{j + 1}" for j in range(self.d or 0))
        put(self, "columns", self._names("columns", self.d or 0, numbered))
        put(self, "ids", self._names("ids", self.n, _numbered(self.n)))
        if self.groups is not None:
            put(self, "groups", self._names("groups", self.n, ()))
        y, classes, task = _checked_labels(self.y, tuple(self.classes), self.task, self.n, self._who)
        put(self, "y", y)
        put(self, "classes", classes)
        put(self, "task", task)
        put(self, "splits", tuple(self.splits))
        for split in self.splits:
            self._check_rows(np.concatenate([split.train, split.test]), f"split {split.name!r}")
        for array in (self.rows, y):
            if array is not None:
                array.setflags(write=False)
        put(self, "warnings", tuple(self._look_for_trouble()))
        put(self, "digest", self._digest())

    @property
    def _who(self) -> str:
        return f"Dataset {self.name!r}"

    def _check_rows(self, rows: Array, what: str) -> None:
        wrong = rows[(rows < 0) | (rows >= self.n)]
        if wrong.size:
            raise DataError(f"{self._who}: {what} must name rows 0…{self.n - 1}; got {wrong[0]}. Count them from 0.")

    @property
    def n(self) -> int:
        """Return the number of rows."""
        return int(self.rows.shape[0])

    @property
    def d(self) -> int | None:
        """Return the number of columns of vector, categorical and mixed rows, None elsewhere."""
        return int(self.rows.shape[1]) if self.row_kind.tabular else None

    @cached_property
    def presets(self) -> tuple[Preset, ...]:
        """Return kernlib's own presets for these rows, for some kinds by their content."""
        return self.row_kind.presets(self)

    def of_kind(self, kind: Domain) -> tuple[int, ...]:
        """Return the places of the columns of mixed rows that are of this kind; none elsewhere.

        >>> Dataset("toy", "Toy", "mixed", [[0.5, "a"], [1.5, "b"]]).of_kind("categorical")
        (1,)
        """
        return tuple(j for j, k in enumerate(self.kinds) if k == kind)

    @property
    def inputs(self) -> Any:
        """Return the input of a kernel: the rows, and for pairs the pairs with the rows that they number.

        >>> Dataset("toy", "Toy", "vector", [[0.0], [1.0]]).inputs.shape
        (2, 1)
        """
        if self.base is None:
            return self.rows
        from ..values.domains import Pairs

        return Pairs(self.base.inputs, self.rows)

    @property
    def missing(self) -> int:
        """Return the number of missing cells, which a kernel fills from training rows; see `fill`."""
        if not (self.fill and self.row_kind.fills):
            return 0
        cells = self.rows[:, self.row_kind.numbers(self)]
        return int((cells != cells).sum())

    def complete(self) -> Dataset:
        """Return the rows with missing cells filled from all rows: for pictures and proposals, never for an error.

        >>> Dataset("toy", "Toy", "vector", [[0.0], [float("nan")], [4.0]], fill="mean").complete().rows.ravel()
        array([0., 2., 4.])
        """
        if not self.missing:
            return self
        from ..wrappers.rows import filled

        rows = self.rows.copy()
        numbers = self.row_kind.numbers(self)
        rows[:, numbers] = filled(rows[:, numbers].astype(np.float64), self.fill)
        return dataclasses.replace(self, rows=rows, fill="")

    @property
    def class_counts(self) -> dict[str, int]:
        """Return the number of rows per class, in the order of the codes; empty without classes."""
        if self.y is None or self.task != "classification":
            return {}
        counts = np.bincount(self.y, minlength=len(self.classes))
        return {name: int(count) for name, count in zip(self.classes, counts, strict=True)}

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the class name of each row; empty without classes."""
        if self.y is None or self.task != "classification":
            return ()
        return tuple(self.classes[code] for code in self.y)

    def take(self, indices: Iterable[int]) -> Dataset:
        """Return the rows `indices` in that order, with their labels; of a node or score matrix, the submatrix.

        Parameters: `indices`, at least two row numbers 0…n−1. Published splits are dropped, and so is the
        recipe.

        Raises DataError for a row number outside the data set.

        >>> Dataset("toy", "Toy", "sequence", ["AB", "BA", "AA"]).take([2, 1]).ids
        ('2', '1')
        """
        chosen = np.asarray(list(indices) if not isinstance(indices, np.ndarray) else indices)
        if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
            raise DataError(
                f"{self._who}: take needs a list of row numbers; got {chosen.dtype} of shape {chosen.shape}. "
                "Turn a mask into numbers with np.flatnonzero."
            )
        chosen = chosen.astype(np.int64)
        self._check_rows(chosen, "take")
        return dataclasses.replace(
            self,
            rows=self.rows[np.ix_(chosen, chosen)] if self.row_kind.square else self.rows[chosen],
            y=None if self.y is None else self.y[chosen],
            ids=tuple(self.ids[i] for i in chosen),
            groups=None if self.groups is None else tuple(self.groups[i] for i in chosen),
            splits=(),
            recipe="",
        )

    def without_classes(self, *names: str) -> Dataset:
        """Return the rows of all other classes, e.g. without one that has too few rows to be split.

        Raises DataError for an unknown class, and where fewer than two rows remain.

        >>> Dataset("toy", "Toy", "vector", [[0.0], [1.0], [2.0]], y=["a", "b", "b"]).without_classes("a").classes
        ('b',)
        """
        unknown = next((name for name in names if name not in self.classes), None)
        if unknown is not None or self.y is None:
            expected = ", ".join(self.classes) or "labels"
            raise DataError(f"{self._who}: there is no class {unknown!r}; expected {expected}.")
        part = self.take([i for i, label in enumerate(self.labels) if label not in names])
        note = f"Left out: class {', '.join(map(repr, names))}, {self.n - part.n} rows."
        return dataclasses.replace(
            part,
            y=np.array(part.labels),
            classes=tuple(name for name in self.classes if name not in names),
            note=f"{self.note} {note}".strip(),
        )

    def stratified_rows(self, n: int, seed: int = 0) -> Array:
        """Return the row numbers of `stratified_sample`, in ascending order; all of them for at most `n` rows."""
        if n < 2:
            raise DataError(f"{self._who}: a sample needs at least two rows; got n={n}. Choose 2 ≤ n ≤ {self.n}.")
        if n >= self.n:
            return np.arange(self.n)
        rng = np.random.default_rng(seed)
        if self.task != "classification" or self.y is None:
            return np.sort(rng.choice(self.n, size=n, replace=False))
        parts = [np.flatnonzero(self.y == code) for code in range(len(self.classes))]
        sizes = _proportional([part.size for part in parts], n)
        drawn = [rng.choice(part, size=size, replace=False) for part, size in zip(parts, sizes, strict=True)]
        return np.sort(np.concatenate(drawn))

    def stratified_sample(self, n: int, seed: int = 0) -> Dataset:
        """Return `n` rows without replacement, classes in proportion (largest remainders), in the old order.

        Parameters: `n` ≥ 2 rows (all rows come back unchanged if there are no more than `n`), `seed` ≥ 0.
        Every class keeps at least one row where `n` allows it. The note of the sample says what was drawn.

        Raises DataError when n < 2.

        >>> data = Dataset("toy", "Toy", "vector", np.arange(10.0)[:, None], y=[0] * 8 + [1] * 2)
        >>> data.stratified_sample(5, seed=1).class_counts
        {'0': 4, '1': 1}
        """
        if n >= self.n >= 2:
            return self
        sample = self.take(self.stratified_rows(n, seed))
        how = "Stratified sample" if self.task == "classification" and self.y is not None else "Random sample"
        note = f"{how} of {n} of {self.n} rows, seed {seed}."
        return dataclasses.replace(
            sample,
            note=f"{self.note} {note}".strip(),
            recipe=f"{self.recipe}.stratified_sample({n}, seed={seed})" if self.recipe else "",
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dataset) and (self.name, self.digest) == (other.name, other.digest)

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    def __repr__(self) -> str:
        size = f"n={self.n}" + ("" if self.d is None else f", d={self.d}")
        target = f", classes={self.class_counts}" if self.classes else f", {self.task}" if self.task else ""
        return f"Dataset({self.name!r}, {self.domain}, {size}{target})"

    def _names(self, what: str, count: int, default: tuple[str, ...]) -> tuple[str, ...]:
        names = tuple(map(str, getattr(self, what))) or default
        if len(names) != count:
            thing = "column" if what == "columns" else "row"
            raise DataError(
                f"{self._who}: {what} must hold one name per {thing}, {count} of them; got {len(names)}. "
                "Check for a missing or a doubled one."
            )
        return names

    def _look_for_trouble(self) -> Iterable[str]:
        counts = self.class_counts
        if len(counts) == 1:
            yield f"All rows belong to one class, {self.classes[0]!r}: nothing can be classified."
        for name, count in counts.items():
            if count == 1 and len(counts) > 1:
                yield f"Class {name!r} has one row: it cannot be in a training and a test part."
            if count == 0:
                yield f"Class {name!r} has no row."
        if self.task == "regression" and self.y is not None and np.ptp(self.y) == 0:
            yield "All targets are equal: nothing can be learnt from them."
        if self.row_kind.tabular:
            constant = np.flatnonzero((self.rows == self.rows[:1]).all(axis=0))
            if constant.size:
                shown = ", ".join(self.columns[j] for j in constant[:3]) + (", …" if constant.size > 3 else "")
                yield f"{constant.size} of {self.d} columns hold one value only: {shown}."
        yield from self.row_kind.warnings(self)

    def _digest(self) -> str:
        h = hashlib.sha256()
        for part in (self.domain, self.rows, self.y, list(self.classes)):
            _feed(h, part)
        for split in self.splits:
            _feed(h, [split.name, split.train, split.test])
        if self.base is not None:
            _feed(h, self.base.digest)
        if self.groups is not None:
            _feed(h, ["groups", *self.groups])
        if self.kinds:
            _feed(h, ["kinds", *self.kinds])
        if self.distances is not None and self.distances != looks_like_distances(self.rows):
            _feed(h, "distances" if self.distances else "scores")
        return h.hexdigest()


def _checked_labels(
    y: Any, classes: tuple[str, ...], task: Task | None, n: int, who: str
) -> tuple[Array | None, tuple[str, ...], Task | None]:
    """Return codes or targets, class names and task, all checked."""
    if y is None:
        if task is not None or classes:
            raise DataError(f"{who}: a task or classes need labels; y is None. Give y, or leave both out.")
        return None, (), None
    raw = label_vector(y, n, who)
    if raw.dtype.kind == "U" and not raw.all():
        raise DataError(f"{who}: every row needs a label; row {int((raw == '').argmax())} has none. Fill it in.")
    task = task or ("classification" if classes or are_classes(raw) else "regression")
    if task == "regression":
        if raw.dtype.kind not in "iufb":
            raise DataError(f"{who}: targets of a regression must be numbers; got {raw[0]!r}. Use classification.")
        return np.array(raw, dtype=np.float64), (), task
    if raw.dtype.kind == "f" and (raw != np.round(raw)).any():
        raise DataError(
            f"{who}: classes must be names or whole numbers; got {raw[raw != np.round(raw)][0]}. Use task='regression'."
        )
    names = tuple(map(str, classes))
    if not names:
        values, codes = np.unique(raw, return_inverse=True)
        words = tuple(str(int(v)) if values.dtype.kind in "iuf" else str(v) for v in values)
        return codes.astype(np.int64), words, task
    if len({*names}) < len(names):
        raise DataError(f"{who}: the names of the classes must differ; got {classes}.")
    known = {label: code for code, label in enumerate(names if raw.dtype.kind == "U" else range(len(names)))}
    unknown = next((label for label in raw.tolist() if label not in known), None)
    if unknown is not None:
        raise DataError(
            f"{who}: label {unknown!r} is not among the classes {names} or their codes 0…{len(names) - 1}. Add it to "
            "classes, or leave classes empty."
        )
    return np.array([known[label] for label in raw.tolist()], dtype=np.int64), names, task


def cells_of_frame(frame: Any) -> Array:
    """Return the cells of a pandas frame: in columns of words true and false are words, and '?' is a missing one."""
    cells, gaps = frame.astype(object).to_numpy(copy=True), np.asarray(frame.isna())
    for column, gap in zip(cells.T, gaps.T, strict=True):
        numbers = all_numbers(column[~gap])
        if not numbers:
            column[:] = [str(cell) if isinstance(cell, (bool, np.bool_)) else cell for cell in column]
        column[gap] = np.nan if numbers else "?"
    return np.asarray(cells)


def _proportional(sizes: Sequence[int], n: int) -> Array:
    """Return whole numbers that sum to n in proportion to sizes; at least one per non-empty class if n allows."""
    there, exact = np.array(sizes) > 0, n * np.array(sizes) / sum(sizes)
    taken = exact.astype(np.int64)
    taken[np.argsort(taken - exact, kind="stable")[: n - taken.sum()]] += 1
    for i in np.flatnonzero(there & (taken == 0)) if n >= there.sum() else ():
        taken[taken.argmax()] -= 1
        taken[i] = 1
    return taken


def _feed(h: Any, value: Any) -> None:
    """Feed a value to a hash, tagged with its type and size so that different values give different streams."""
    if value is None:
        h.update(b"none;")
    elif isinstance(value, str):
        raw = value.encode("utf-8", "surrogatepass")
        h.update(b"str%d;" % len(raw) + raw)
    elif isinstance(value, np.ndarray) and value.dtype == object:
        h.update(f"objects{value.shape};".encode())
        for item in value.ravel():
            _feed(h, item)
    elif isinstance(value, np.ndarray):
        value = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<"))
        h.update(f"array{value.dtype.str}{value.shape};".encode())
        h.update(value.data if value.size else b"")
    elif isinstance(value, (list, tuple)):
        h.update(f"list{len(value)};".encode())
        for item in value:
            _feed(h, item)
    elif hasattr(value, "adjacency"):
        h.update(b"graph;")
        for part in ("adjacency", "labels", "edge_labels"):
            content = getattr(value, part, None)
            _feed(h, content if content is None or isinstance(content, str) else np.asarray(content))
    else:
        # NumPy scalars, ints, bools: the type's name and the repr distinguish them.
        _feed(h, f"{type(value).__name__}:{value!r}")
