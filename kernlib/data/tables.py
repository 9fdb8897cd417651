"""Uploaded CSV and TSV files as tables of columns, each with the role that it is taken for."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from ..values.domains import Domain
from ..values.labels import Task
from .dataset import Dataset, Fill
from .guesses import Guess
from .uploads import (
    LIMITS,
    Limits,
    Source,
    content,
    decode,
    delimiter_of,
    is_missing,
    listed,
    number_of,
    shortened,
    split_lines,
    tame,
    tamed,
)

__all__ = ["Column", "Missing", "Role", "Table", "read_table", "table_of"]

Role = Literal["numeric", "ordinal", "categorical", "text", "sequence", "label", "group", "id", "ignore"]
#: What is done with missing cells; the mean and the most frequent value are learnt by the kernel, from training rows.
Missing = Literal["refuse", "drop", "mean", "most_frequent", "category"]

NUCLEOTIDES = re.compile(r"[ACGTUNRYSWKMBDHV]+", re.IGNORECASE)
LABEL_NAMES = frozenset({"y", "label", "labels", "class", "target", "outcome", "species", "category"})
#: Words with an order of their own, each scale from low to high.
SCALES = tuple(
    tuple(scale.split())
    for scale in (
        "very_low low medium high very_high", "low mid high", "low moderate high", "small medium large",
        "xs s m l xl xxl", "none mild moderate severe", "poor fair good excellent", "bad fair good", "no yes",
        "false true",
        "never rarely sometimes often always", "mon tue wed thu fri sat sun",
        "jan feb mar apr may jun jul aug sep oct nov dec", "cold cool mild warm hot", "weak strong", "minor major",
    )
)  # fmt: skip
#: Columns that say which rows belong together, when their values repeat.
GROUP_NAMES = frozenset({
    "group", "groups", "subject", "patient", "fold", "batch", "group_id", "subject_id", "patient_id", "batch_id",
})  # fmt: skip
ID_NAMES = frozenset({"id", "ids", "name", "index", "rowid", "row_id", "key", "uuid"})


@dataclass(frozen=True)
class Column:
    """One column and what it is taken for: name, role, the reason in words, missing and distinct cells."""

    name: str
    role: Role
    reason: str
    missing: int
    distinct: int


@dataclass(frozen=True, eq=False)
class Table:
    """A file of columns as it was read, with the role of each column.

    Parameters: `name` of the file, `columns`, `cells` (object array of str (n, columns), read-only; "" is missing),
    `guesses`, what was guessed beside the roles.

    Raises DataError from `to_dataset` and `with_roles`.

    >>> table = read_table(b"size,kind\\n1.5,a\\n2.5,b\\n0.5,a\\n", name="t.csv")
    >>> [(c.name, c.role) for c in table.columns]
    [('size', 'numeric'), ('kind', 'label')]
    >>> table.to_dataset()
    Dataset('t', vector, n=3, d=1, classes={'a': 2, 'b': 1})
    """

    name: str
    columns: tuple[Column, ...]
    cells: npt.NDArray[Any]
    guesses: tuple[Guess, ...] = ()

    @property
    def n(self) -> int:
        """The number of rows."""
        return int(self.cells.shape[0])

    @property
    def roles(self) -> dict[str, Role]:
        """Column name to role, in the order of the file."""
        return {column.name: column.role for column in self.columns}

    @property
    def missing(self) -> int:
        """The number of missing cells in all columns that are not ignored."""
        return sum(column.missing for column in self.columns if column.role != "ignore")

    def column(self, name: str) -> npt.NDArray[Any]:
        """The cells of one column as they were read.

        >>> read_table(b"a,b\\n1,x\\n2,y\\n").column("b").tolist()
        ['x', 'y']
        """
        for j, column in enumerate(self.columns):
            if column.name == name:
                return np.asarray(self.cells[:, j])
        raise DataError(
            f"{self.name}: there is no column {name!r}; expected one of {listed(c.name for c in self.columns)}."
        )

    def with_roles(self, roles: Mapping[str, Role]) -> Table:
        """The same table with some columns taken for something else.

        >>> table = read_table(b"a,b\\n1,x\\n2,y\\n").with_roles({"a": "categorical", "b": "ignore"})
        >>> table.to_dataset().domain
        'categorical'
        """
        known = self.roles
        for name, role in roles.items():
            if name not in known:
                raise DataError(f"{self.name}: there is no column {name!r}; expected one of {listed(known)}.")
            if role not in get_args(Role):
                raise DataError(
                    f"{self.name}: column {name!r} has the role {role!r}; expected one of {listed(get_args(Role))}."
                )
        columns = tuple(
            dataclasses.replace(c, role=roles[c.name], reason="chosen by you") if c.name in roles else c
            for c in self.columns
        )
        for role in ("label", "group"):
            if sum(c.role == role for c in columns) > 1:
                raise DataError(
                    f"{self.name}: at most one column can be the {role}; got "
                    f"{listed(c.name for c in columns if c.role == role)}. Set the others to 'ignore'."
                )
        return dataclasses.replace(self, columns=columns)

    def with_label(self, name: str | None) -> Table:
        """The same table with that column as the label, or none; what was the label takes its own guess again.

        >>> read_table(b"a,b\\n1,x\\n2,y\\n").with_label(None).roles
        {'a': 'numeric', 'b': 'categorical'}
        """
        roles: dict[str, Role] = {}
        for column in self.columns:
            if column.role == "label" and column.name != name:
                guess = _role("", self.column(column.name)).role
                roles[column.name] = "ignore" if guess == "label" else guess
        if name is not None and self.roles.get(name) != "label":
            roles[name] = "label"
        return self.with_roles(roles) if roles else self

    def to_dataset(
        self,
        domain: Domain | None = None,
        *,
        missing: Missing = "refuse",
        task: Literal["classification", "regression"] | None = None,
    ) -> Dataset:
        """The data set of the columns' roles.

        Parameters
        ----------
        domain : "vector", "categorical", "sequence" or "text"; None takes the first of sequence, text, vector and
            categorical that has a column. Under "categorical" numeric columns are nominal too.
        missing : "refuse" a missing cell, "drop" its row (said in the note), or keep it: "mean" and "most_frequent"
            leave the gap in numeric columns for `Imputed` to fill from training rows, "category" makes it the modality
            '?' of categorical columns and the class '?' of labels. Under "categorical" a missing cell is always '?',
            under "text" an empty text.
        task : as for `Dataset`; None has the labels decide: few distinct values are classes.

        Raises
        ------
        DataError : no column for the domain, missing or non-numeric cells, fewer than two rows, …
        """
        has = {role: [j for j, c in enumerate(self.columns) if c.role == role] for role in get_args(Role)}
        if domain is None:
            domain = self.likely_domain()
        used = self._columns_for(domain, has)
        keep = self._kept(used, has["label"], domain, missing)
        cells = self.cells[keep]
        note = [] if keep.all() else [f"{int((~keep).sum())} of {self.n} rows dropped for missing cells."]
        fill: Fill = ""
        rows: Any
        if domain == "vector":
            fill = missing if missing in ("mean", "most_frequent") else ""
            encoded = [self._encoded(cells, keep, j, bool(fill), note) for j in used]
            rows = np.column_stack(encoded)
            fill = fill if np.isnan(rows).any() else ""
            if fill:
                note.append(f"{int(np.isnan(rows).sum())} missing cells, filled by the kernel from training rows.")
            unused = [self.columns[j].name for j in has["categorical"]]
            if unused:
                note.append(f"Left out as not numbers: {listed(unused)}.")
        elif domain == "categorical":
            rows = cells[:, used].copy()
            rows[np.vectorize(is_missing, otypes=[bool])(rows)] = "?"
        else:
            rows = [str(cell).strip() if domain == "sequence" else str(cell) for cell in cells[:, used[0]]]
        y, task = self._labels(cells, has["label"], task, keep)
        ids = tuple(tame(cell) for cell in cells[:, has["id"][0]]) if has["id"] else ()
        stem = Path(self.name).name.split(".")[0] or "table"
        return Dataset(
            stem, self.name, domain, rows, y=y, task=task, ids=ids, source=f"upload {self.name}", note=" ".join(note),
            columns=tuple(tame(self.columns[j].name) for j in used) if domain in ("vector", "categorical") else (),
            fill=fill, groups=self.groups(keep),
        )  # fmt: skip

    def _kept(self, used: list[int], label: list[int], domain: Domain, missing: Missing) -> npt.NDArray[np.bool_]:
        """Which rows remain, or DataError where nothing was chosen for their gaps."""
        if missing not in get_args(Missing):
            raise DataError(f"{self.name}: missing must be one of {listed(get_args(Missing))}; got {missing!r}.")
        keep = np.ones(self.n, dtype=bool)
        for j in (used if domain not in ("categorical", "text") else []) + label:
            gaps = np.array([is_missing(cell) for cell in self.cells[:, j]], dtype=bool)
            filled = domain == "vector" and missing in ("mean", "most_frequent") and j not in label
            if not gaps.any() or filled or (j in label and missing == "category"):
                continue
            # A label is never guessed: whatever fills the columns, a row without one goes.
            if missing in ("refuse", "category"):
                row = int(np.flatnonzero(gaps)[0])
                raise DataError(
                    f"{self.name}: column {shortened(self.columns[j].name)} has {int(gaps.sum())} missing cells, the "
                    f"first in data row {row + 1}. Drop those rows (missing='drop'), set the column to 'ignore', or "
                    "fill them in."
                )
            keep &= ~gaps
        if keep.sum() < 2:
            raise DataError(
                f"{self.name}: at least two rows without missing cells are needed; got {int(keep.sum())}. "
                "Set the columns with many gaps to 'ignore'."
            )
        return keep

    def label_part(self, missing: Missing, task: Task | None) -> tuple[npt.NDArray[np.bool_], Any, Task | None]:
        """Which rows remain, their labels and the task; for tables that stand beside a graph or a matrix.

        >>> read_table(b"id,club\\n1,a\\n2,b\\n").label_part("refuse", None)
        (array([ True,  True]), array(['a', 'b'], dtype='<U1'), 'classification')
        """
        label = [j for j, c in enumerate(self.columns) if c.role == "label"]
        keep = self._kept([], label, "node", missing)
        y, task = self._labels(self.cells[keep], label, task, keep)
        return keep, y, task

    def groups(self, keep: npt.NDArray[np.bool_]) -> tuple[str, ...] | None:
        """The group of each row of `keep`, or None without such a column; a row of no group is one of its own.

        >>> read_table(b"patient,x,y\\nu,1,a\\nu,2,b\\nv,3,a\\n").groups(np.array([True, True, True]))
        ('u', 'u', 'v')
        """
        column = next((c.name for c in self.columns if c.role == "group"), None)
        if column is None:
            return None
        words = [str(cell).strip() for cell in self.column(column)[keep]]
        known = tamed([word for word in words if not is_missing(word)])
        names, taken = iter(known), set(known)
        alone = (f"? ({k})" for k in count(1) if f"? ({k})" not in taken)
        return tuple(next(alone) if is_missing(word) else next(names) for word in words)

    def likely_domain(self) -> Domain:
        """What the roles make of the rows: sequence, text, vector or categorical, the first that has a column."""
        order: tuple[tuple[Domain, Role], ...] = (
            ("sequence", "sequence"), ("text", "text"), ("vector", "numeric"), ("vector", "ordinal"),
            ("categorical", "categorical"),
        )  # fmt: skip
        roles = set(self.roles.values())
        for domain, role in order:
            if role in roles:
                return domain
        return "vector"

    def _columns_for(self, domain: Domain, has: Mapping[str, list[int]]) -> list[int]:
        if domain == "vector":
            used = sorted(has["numeric"] + has["ordinal"])
        elif domain == "categorical":
            used = sorted(has["categorical"] + has["numeric"] + has["ordinal"])
        elif domain == "sequence":
            used = has["sequence"] or has["text"]
        elif domain == "text":
            used = has["text"] or has["sequence"]
        else:
            raise DataError(
                f"{self.name}: a table can become vector, categorical, sequence or text rows; got {domain!r}. "
                "Use read_matrix for node and matrix data."
            )
        if not used:
            raise DataError(
                f"{self.name}: no column is taken for {'numeric' if domain == 'vector' else domain} data; the roles "
                f"are "
                f"{listed(f'{n[:60]}: {r}' for n, r in self.roles.items())}. Give one of them that role."
            )
        if domain in ("sequence", "text") and len(used) > 1:
            raise DataError(
                f"{self.name}: {domain} rows come from one column; got {listed(self.columns[j].name for j in used)}. "
                "Set the others to 'ignore'."
            )
        return used

    def _encoded(
        self, cells: npt.NDArray[Any], keep: npt.NDArray[Any], j: int, gaps: bool, note: list[str]
    ) -> npt.NDArray[np.float64]:
        """One column as numbers; an ordinal one by the order of its words, which the note says."""
        if self.columns[j].role != "ordinal":
            return self._numbers(cells, keep, j, gaps)
        words = [str(cell).strip() for cell in cells[:, j]]
        order, how = ordered({word for word in words if not is_missing(word)})
        if how != "numbers":
            shown = ", ".join(f"{shortened(word)} = {k + 1}" for k, word in enumerate(order[:6]))
            note.append(f"{shortened(self.columns[j].name)} by {how}: {shown}{', …' if len(order) > 6 else ''}.")
        codes = {word: float(word) if how == "numbers" else k + 1.0 for k, word in enumerate(order)}
        return np.array([codes.get(word, np.nan) for word in words])

    def _numbers(
        self, cells: npt.NDArray[Any], keep: npt.NDArray[Any], j: int, gaps: bool = False
    ) -> npt.NDArray[np.float64]:
        values = np.empty(len(cells))
        numbers = np.flatnonzero(keep)
        for i, cell in enumerate(cells[:, j]):
            number = np.nan if gaps and is_missing(cell) else number_of(cell)
            if number is None or not (np.isfinite(number) or (gaps and is_missing(cell))):
                raise DataError(
                    f"{self.name}: column {shortened(self.columns[j].name)} must hold finite numbers; data row "
                    f"{int(numbers[i]) + 1} has {shortened(cell)}. Set the column to 'categorical' or 'ignore', or "
                    "mend the cell."
                )
            values[i] = number
        return values

    def _labels(
        self,
        cells: npt.NDArray[Any],
        label: list[int],
        task: Literal["classification", "regression"] | None,
        keep: npt.NDArray[Any],
    ) -> tuple[Any, Literal["classification", "regression"] | None]:
        if not label:
            return None, None
        words = ["?" if is_missing(cell) else str(cell).strip() for cell in cells[:, label[0]]]
        distinct = set(words)
        if task is None:
            real = all(number_of(w) is not None for w in distinct) and len(distinct) > max(20, len(words) // 10)
            task = "regression" if real else "classification"
        if task == "regression":
            return self._numbers(cells, keep, label[0]), task
        if len(distinct) > max(50, len(words) // 2) and len(distinct) > 2:
            raise DataError(
                f"{self.name}: the label column {shortened(self.columns[label[0]].name)} has {len(distinct)} classes "
                f"in {len(words)} rows; expected at most {max(50, len(words) // 2)}. It looks like an id or a real "
                "target: choose another label column, or task='regression'."
            )
        return np.array(tamed(words), dtype=np.str_), task


def read_table(
    source: Source,
    name: str | None = None,
    *,
    roles: Mapping[str, Role] | None = None,
    header: bool | None = None,
    limits: Limits = LIMITS,
) -> Table:
    """A CSV or TSV file as a `Table`: UTF-8, one row per line, the same number of cells in each.

    Parameters
    ----------
    source : the bytes, an open binary file, or a path.
    name : what errors call the file; the path's own name by default.
    roles : column name → role, over the guessed ones; see `Role`.
    header : whether the first line holds names; None guesses (no number in it, all names different).
    limits : bytes, rows, columns, cells and letters per cell that are allowed.

    Raises
    ------
    DataError : empty, too large, binary or not UTF-8, ragged, a name twice, an unknown role, …

    Example
    -------
    >>> table = read_table(b"x\\ty\\n1\\ta\\n2\\tb\\n3\\ta\\n")
    >>> [column.reason for column in table.columns]
    ['every cell is a number', "named 'y', 2 distinct values"]
    """
    raw, name = content(source, name, limits)
    text = decode(raw, name)
    delimiter = delimiter_of(text)
    lines = split_lines(text, name, delimiter, limits)
    if not lines:
        raise DataError(
            f"{name}: the file holds no rows; expected a line of names and lines of values. Choose another."
        )
    first = [cell.strip() for cell in lines[0]]
    if header is None:
        header = all(first) and len(lines) > 1 and not any(_is_value(cell) for cell in first)
    names = first if header else [f"x{j + 1}" for j in range(len(first))]
    body = lines[1:] if header else lines
    return table_of(name, names, body, roles)


def table_of(
    name: str, names: Sequence[str], body: Sequence[Sequence[Any]], roles: Mapping[str, Role] | None = None
) -> Table:
    """A `Table` of named columns from lines of cells, roles guessed; what every reader of columns ends in.

    Raises DataError for a name twice or empty, and for fewer than two lines.

    >>> table_of("t", ["x", "y"], [["1", "a"], ["2", "b"]]).roles
    {'x': 'numeric', 'y': 'label'}
    """
    if len(set(names)) != len(names):
        seen: set[str] = set()
        twice = next(n for n in names if n in seen or seen.add(n))  # type: ignore[func-returns-value]
        raise DataError(
            f"{name}: line 1 names the column {shortened(twice)} twice; expected different names. Rename one of them."
        )
    if any(not n for n in names):
        raise DataError(
            f"{name}: line 1, column {list(names).index('') + 1} has no name; expected one. Name every column."
        )
    if len(body) < 2:
        raise DataError(
            f"{name}: at least two data rows are needed; got {len(body)}. Add rows, or choose another file."
        )
    cells = np.empty((len(body), len(names)), dtype=object)
    for i, line in enumerate(body):
        cells[i] = line
    columns = _guess(list(names), cells)
    cells.setflags(write=False)
    table = Table(name, columns, cells)
    return table.with_roles(roles) if roles else table


def ordered(words: Iterable[str]) -> tuple[list[str], str]:
    """Words in their order from low to high, and what that order is.

    >>> ordered({"high", "low"})
    (['low', 'high'], 'their usual order')
    >>> ordered({"10-19", "0-9"})
    (['0-9', '10-19'], 'their first number')
    """
    distinct = sorted(set(words))
    if all((number := number_of(word)) is not None and np.isfinite(number) for word in distinct):
        return sorted(distinct, key=float), "numbers"
    plain = {word: re.sub(r"[\s-]+", "_", word.lower()) for word in distinct}
    for scale in SCALES:
        if len(set(plain.values())) == len(plain) and set(plain.values()) <= set(scale):
            return sorted(distinct, key=lambda word: scale.index(plain[word])), "their usual order"
    leading = {word: re.match(r"\D{0,3}?(\d{1,15})", word, re.ASCII) for word in distinct}
    if all(leading.values()):
        return sorted(distinct, key=lambda word: (int(leading[word].group(1)), word)), "their first number"  # type: ignore[union-attr]
    return distinct, "the alphabet"


def _is_value(cell: str) -> bool:
    """Whether a cell of the first line is a value rather than a name: a number or a string of nucleotides."""
    return number_of(cell) is not None or (len(cell) >= 10 and NUCLEOTIDES.fullmatch(cell) is not None)


def _guess(names: list[str], cells: npt.NDArray[Any]) -> tuple[Column, ...]:
    guessed = [_role(name, cells[:, j]) for j, name in enumerate(names)]
    labels = [j for j, column in enumerate(guessed) if column.role == "label"]
    last = guessed[-1]
    # A last column "group" with no label beside it is what the rows are told apart by, e.g. the treatment.
    told_apart = last.role == "categorical" or (last.role == "group" and last.name.strip().lower().startswith("group"))
    if not labels and len(names) > 1 and told_apart and last.distinct > 1:
        guessed[-1] = dataclasses.replace(
            last, role="label", reason=f"the last column, {last.distinct} distinct values, none is named as a label"
        )
    groups = [j for j, column in enumerate(guessed) if column.role == "group"]
    for j in groups[1:]:
        guessed[j] = dataclasses.replace(
            guessed[j], role="ignore", reason=f"{shortened(names[groups[0]])} is taken for the group already"
        )
    for j in labels[1:]:
        guessed[j] = dataclasses.replace(
            guessed[j], role="categorical", reason=f"{shortened(names[labels[0]])} is taken for the label already"
        )
    return tuple(guessed)


def _role(name: str, cells: npt.NDArray[Any]) -> Column:
    words = [str(cell).strip() for cell in cells]
    present = [word for word in words if not is_missing(word)]
    missing, values = len(words) - len(present), set(present)
    n, distinct = len(words), len(set(present))

    def column(role: Role, reason: str) -> Column:
        return Column(name, role, reason, missing, distinct)

    plain = name.strip().lower()
    if not present:
        return column("ignore", "every cell is missing")
    strange = next((word for word in values if number_of(word) is None), None)
    numeric = strange is None
    whole = numeric and all(re.fullmatch(r"[+-]?\d+", word) for word in values)
    if plain in ID_NAMES and distinct == n and (whole or not numeric):
        return column("id", f"named {shortened(name)} and every value is different")
    if plain in LABEL_NAMES and distinct == n and not numeric and n > 2:
        return column("id", f"named {shortened(name)}, but every value is different: an id rather than a label")
    if plain in LABEL_NAMES:
        return column("label", f"named {shortened(name)}, {distinct} distinct values")
    if plain in GROUP_NAMES and 1 < distinct < len(present) and (whole or not numeric):
        return column("group", f"named {shortened(name)}, {distinct} groups of rows that belong together")
    if distinct == 1 and n > 1 and not missing:
        return column("ignore", "one value only")
    if numeric:
        return column("numeric", "every cell is a number" if not missing else "every present cell is a number")
    numbers = sum(number_of(word) is not None for word in present)
    if numbers >= 0.9 * len(present) and distinct > 10:  # a slip of the pen, better said than taken for a category
        return column("numeric", f"nearly every cell is a number, {shortened(strange)} is not")
    longest = max(len(word) for word in present)
    if longest >= 10 and all(NUCLEOTIDES.fullmatch(word) for word in values):
        return column("sequence", "strings of nucleotide letters")
    if longest >= 20 and all(re.fullmatch(r"[A-Za-z*\-]+", word) for word in values) and distinct > n / 2:
        return column("sequence", "long strings of letters without spaces")
    if sum(" " in word for word in present) > len(present) / 2 and distinct > n / 2:
        return column("text", "most cells hold several words")
    if distinct == n and n > 20:
        return column("id", "every value is different")
    return column("categorical", f"{distinct} distinct words")
