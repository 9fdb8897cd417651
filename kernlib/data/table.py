"""A table of columns with their roles, and the data set that it becomes."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from ..errors import DataError
from ..kinds import KINDS, Kind
from ..values.domains import Domain
from ..values.labels import Task, are_classes
from .dataset import Dataset, Fill
from .guesses import NUMERIC, Guess, Missing, Role
from .guessing import BY_PLACE, guessed, joined, leaks_left_out
from .layout import Layout
from .molecules import is_molecule, molecular_graphs
from .numbers import PLAIN, Writing, plain_numbers
from .ordinal import ordered
from .roles import Column, facts_of, role_of
from .uploads import is_missing, listed, sanitize_name, shortened, stem, tamed

#: What the rows of a table can be.
TABLE_DOMAINS: tuple[Domain, ...] = tuple(k.name for k in KINDS.values() if k.roles and not k.molecules)
_OF_MOLECULES: tuple[Domain, ...] = tuple(k.name for k in KINDS.values() if k.molecules)


def _roles(declared: Sequence[str]) -> tuple[Role, ...]:
    """Return the roles of a kind's declaration, all roles of numbers for "numeric"."""
    roles: list[Any] = [role for one in declared for role in (NUMERIC if one == "numeric" else (one,))]
    return tuple(roles)


#: The kind of a mixed table's column, by its role.
_KINDS: dict[Role, Domain] = {
    role: kind.name for kind in KINDS.values() if kind.as_column for role in _roles(kind.roles[0][:1])
}
#: How the reasons begin of roles that the file gives.
_GIVEN = ("declared", "its header is blank")


@dataclass(frozen=True, eq=False)
class Table:
    """A file of columns as it was read, with the role of each column.

    Parameters: `name` of the file, `columns`, `cells` (array of str (n, columns), read-only; "" is missing),
    `guesses` about the table, `layout` of the text that it was read from.

    Raises DataError from `to_dataset` and `with_roles`.

    >>> from kernlib.data import read_table
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
    layout: Layout | None = None

    @property
    def n(self) -> int:
        """Return the number of rows."""
        return int(self.cells.shape[0])

    @property
    def roles(self) -> dict[str, Role]:
        """Return the role of each column, in the order of the file."""
        return {column.name: column.role for column in self.columns}

    @property
    def missing(self) -> int:
        """Return the number of missing cells in all columns that are not ignored."""
        return sum(column.missing for column in self.columns if column.role != "ignore")

    def column(self, name: str) -> npt.NDArray[Any]:
        """Return the cells of one column as they were read.

        >>> from kernlib.data import read_table
        >>> read_table(b"a,b\\n1,x\\n2,y\\n").column("b").tolist()
        ['x', 'y']
        """
        self._check_name(name)
        return np.asarray(self.cells[:, list(self.roles).index(name)])

    def _check_name(self, name: str) -> None:
        if name not in self.roles:
            raise DataError(f"{self.name}: there is no column {name!r}; expected one of {listed(self.roles)}.")

    def with_roles(self, roles: Mapping[str, Role]) -> Table:
        """Return the table with other roles of some columns.

        >>> from kernlib.data import read_table
        >>> table = read_table(b"a,b\\n1,x\\n2,y\\n").with_roles({"a": "categorical", "b": "ignore"})
        >>> table.to_dataset().domain
        'categorical'
        """
        for name, role in roles.items():
            self._check_name(name)
            if role not in get_args(Role):
                raise DataError(
                    f"{self.name}: column {name!r} has the role {role!r}; expected one of {listed(get_args(Role))}."
                )
        chosen, roles = tuple(roles), self._yielding(roles)
        columns = tuple(self._taken(j, roles[c.name]) if c.name in roles else c for j, c in enumerate(self.columns))
        for role in ("label", "group"):
            if sum(c.role == role for c in columns) > 1:
                raise DataError(
                    f"{self.name}: at most one column can be the {role}; got "
                    f"{listed(c.name for c in columns if c.role == role)}. Set the others to 'ignore'."
                )
        leaks: tuple[Guess, ...] = ()
        if "label" in roles.values():
            columns, leaks = leaks_left_out(columns, self.cells, chosen)
        changed = {c.name for c, before in zip(columns, self.columns, strict=True) if c.role != before.role}
        changed |= set(chosen)
        guesses = tuple(left for g in self.guesses if (left := _without(g, changed)) is not None)
        return dataclasses.replace(self, columns=columns, guesses=guesses + leaks)

    def reread(self, decimal: str = "", absent: str = "", capitals: str = "") -> Table:
        """Return the table with another mark of the decimals, and with further words for missing cells.

        `absent` names words with bars between them, "none" for none. With "alike" as `capitals`, words that differ in
        them only get the most frequent spelling. Roles that the file declares are kept.

        >>> from kernlib.data import read_table
        >>> read_table(b"x,k\\n-9,a\\n2,b\\n3,a\\n").reread(absent="-9").columns[0].missing
        1
        """
        words, cells = {word.strip() for word in absent.split("|")} - {"", "none"}, self.cells
        if words:
            gaps = np.array([[str(cell).strip() in words for cell in line] for line in cells.tolist()])
            cells = np.where(gaps, "", cells.astype(object))
        if capitals == "alike":
            cells = cells.copy()
            for j in self._with("label", "categorical"):
                spelt: dict[str, str] = {}
                for word, _ in Counter(str(cell).strip() for cell in cells[:, j]).most_common():
                    spelt.setdefault(word.casefold(), word)
                cells[:, j] = [spelt[str(cell).strip().casefold()] for cell in cells[:, j]]
        cells.setflags(write=False)
        columns, guesses = guessed([c.name for c in self.columns], cells, decimal=decimal)
        of_columns = [any(c.roles or c.capitals or c.turned for c in g.choices) for g in self.guesses]
        kept = tuple(g for g, again in zip(self.guesses, of_columns, strict=True) if not again)
        table = dataclasses.replace(self, columns=columns, cells=cells, guesses=(*kept, *guesses))
        given = {c.name: (c.role, c.reason) for c in self.columns if c.reason.startswith(_GIVEN)}
        table = table.declared(given) if given else table
        coded = () if not absent else tuple(c.name for c in table.columns if c.code and c.role == "numeric")
        return table.with_roles(dict.fromkeys(coded, "numeric")) if coded and absent == "none" else table

    def declared(self, roles: Mapping[str, tuple[Role, str]]) -> Table:
        """Return the table with the roles that its file declares, column → (role, reason), over the guessed ones."""
        given = self.with_roles({name: role for name, (role, _) in roles.items()})
        reasons = {c.name: roles[c.name][1] if c.name in roles else c.reason for c in given.columns}
        columns = tuple(dataclasses.replace(c, reason=reasons[c.name]) for c in given.columns)
        return dataclasses.replace(given, columns=columns)

    def _yielding(self, roles: Mapping[str, Role]) -> dict[str, Role]:
        """Return the roles, and a role other than label for a column that only its place made the label."""
        asked = dict(roles)
        if "label" in asked.values():
            for c in self.columns:
                if c.role == "label" and c.name not in asked and c.reason.endswith(BY_PLACE):
                    asked[c.name] = role_of(facts_of("", self.column(c.name))).role
        return asked

    def _taken(self, j: int, role: Role) -> Column:
        """Return a column in another role."""
        c = self.columns[j]
        if role == c.role:
            return c
        coded = sum(str(cell).strip() in c.codes for cell in self.cells[:, j]) if c.code else 0
        missing = c.missing + coded * ((role == "code missing") - (c.role == "code missing"))
        writing = c.writing
        if role in ("decimal comma", "decimal point"):
            writing = Writing("," if role == "decimal comma" else ".", True, c.writing.unit)
        return dataclasses.replace(c, role=role, reason="chosen by you", missing=missing, writing=writing)

    def with_label(self, name: str | None) -> Table:
        """Return the table with that column as the label, or none; the previous label gets its guessed role.

        >>> from kernlib.data import read_table
        >>> read_table(b"a,b\\n1,x\\n2,y\\n").with_label(None).roles
        {'a': 'numeric', 'b': 'categorical'}
        """
        roles: dict[str, Role] = {}
        for column in self.columns:
            if column.role == "label" and column.name != name:
                guess = role_of(facts_of("", self.column(column.name))).role
                roles[column.name] = "ignore" if guess == "label" else guess
        if name is not None and self.roles.get(name) != "label":
            roles[name] = "label"
        return self.with_roles(roles) if roles else self

    def to_dataset(
        self,
        domain: Domain | None = None,
        *,
        missing: Missing = "refuse",
        task: Task | None = None,
        new: bool = False,
    ) -> Dataset:
        """Return the data set of the columns' roles.

        Parameters
        ----------
        domain : "vector", "categorical", "mixed", "sequence" or "text"; None takes what the roles make of the rows,
            see `likely_domain`. Under "categorical" numeric columns are nominal too.
        missing : "refuse" a missing cell, "drop" its row (counted in the note), or keep it: "mean" and "most_frequent"
            leave the gap in numeric columns for `Imputed` to fill from training rows, "category" refuses them there.
            A missing category is '?', a missing text an empty one; "drop all" drops their rows as well. A row
            without a label is dropped; "class" makes the class '?' of such rows, and refuses other gaps.
        task : as for `Dataset`; None has the labels decide by `are_classes`.
        new : whether these are new rows for a machine, of which one is enough.

        Raises
        ------
        DataError : no column for the domain, missing or non-numeric cells, fewer than two rows, …
        """
        domain = domain or self.likely_domain()
        used, kind = self._columns_for(domain), KINDS[domain]
        label = self._with("label")
        keep = self._kept(used, label, domain, missing, 1 if new else 2)
        note = [] if keep.all() else [f"{int((~keep).sum())} of {self.n} rows dropped for missing cells."]
        fill: Fill = missing if missing in ("mean", "most_frequent") and kind.fills else ""
        kinds = [_KINDS[self.columns[j].role] if kind.every_table else domain for j in used]
        gaps_stay = bool(fill) or kind.gaps
        columns = [self._cells_of(j, KINDS[one], keep, gaps_stay, note) for j, one in zip(used, kinds, strict=True)]
        rows: Any = kind.from_columns(columns)
        unused = [c.name for c in self.columns if c.role in ("categorical", "text", "sequence")]
        if kind.points and unused:
            note.append(f"Left out as not numbers: {listed(unused)}.")
        elif kind.molecules:
            note.append("A molecule is a graph: atoms are nodes, bonds are edges, hydrogen atoms are left out.")
        gaps = int((rows != rows).sum()) if fill else 0
        fill = fill if gaps else ""
        if gaps:
            note.append(f"{gaps} missing cells, filled by the kernel from training rows.")
        y, task = self._labels(label, task, keep)
        nominal = [j for j, one in zip(used, kinds, strict=True) if KINDS[one].nominal]
        unknown = sum(int(self._is_gap(j)[keep].sum()) for j in nominal)
        if unknown:
            note.append(f"{unknown} missing categories are the category '?'.")
        names = self._with("id")
        ids = tuple(sanitize_name(cell) for cell in self._kept_cells(names[0], keep)) if names else ()
        return Dataset(
            stem(self.name), self.name, domain, rows, y=y, task=task, ids=ids, source=f"upload {self.name}",
            columns=tuple(sanitize_name(self.columns[j].name) for j in used) if kind.tabular else (),
            note=" ".join(note), fill=fill, new=new, groups=self.groups(keep),
            kinds=tuple(kinds) if kind.every_table else (),
            read_as=tuple(dataclasses.replace(self.columns[j], scale=self._scale(j, keep)[0]) for j in used),
        )  # fmt: skip

    def _kept_cells(self, j: int, keep: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
        """Return the cells of a column in the rows of `keep`, without a copy where these are all rows."""
        column = self.cells[:, j]
        return column if keep.all() else column[keep]

    def _with(self, *roles: Role) -> list[int]:
        return [j for j, c in enumerate(self.columns) if c.role in roles]

    def _cells_of(self, j: int, kind: Kind, keep: npt.NDArray[np.bool_], gaps: bool, note: list[str]) -> Any:
        """Return the cells of one column as this kind of rows needs them: numbers, graphs or words."""
        cells = self._kept_cells(j, keep)
        if self.columns[j].role in NUMERIC and not kind.nominal:
            return self._encoded(j, keep, gaps, note)
        if kind.nominal:
            return _nominal(cells)
        words = [kind.from_cell(str(cell)) for cell in cells]
        if kind.molecules:
            return molecular_graphs(words, f"{self.name}, column {shortened(self.columns[j].name)}")
        return np.array(words, dtype=object)

    def gaps(self, domain: Domain | None) -> int:
        """Return the number of missing cells in the label and in the columns that rows of this kind use.

        >>> from kernlib.data import read_table
        >>> read_table(b"x,k,y\\n1,u,a\\n,,b\\n2,v,\\n").gaps("vector")
        2
        """
        return sum(self.columns[j].missing for j in self._need_values(domain) + self._with("label"))

    def left_after_dropping(self, domain: Domain | None) -> tuple[int, int]:
        """Return how many rows and classes remain when rows with missing cells are dropped.

        >>> from kernlib.data import read_table
        >>> read_table(b"x,y\\n1,a\\n2,a\\n,b\\n").left_after_dropping("vector")
        (2, 1)
        """
        label = self._with("label")
        keep = np.ones(self.n, dtype=bool)
        for j in self._need_values(domain) + label:
            keep &= ~self._is_gap(j)
        classes = len({str(cell).strip() for cell in self._kept_cells(label[0], keep)}) if label else 0
        return int(keep.sum()), classes

    def _need_values(self, domain: Domain | None) -> list[int]:
        """Return the columns whose missing cells need a choice: missing categories and texts need none."""
        return [] if domain is None else self._with(*_roles(KINDS[domain].needs))

    def _is_gap(self, j: int) -> npt.NDArray[np.bool_]:
        codes = self.columns[j].codes if self.columns[j].role == "code missing" else ()
        if not self.columns[j].missing:
            return np.zeros(self.n, dtype=bool)
        return np.array([is_missing(cell) or str(cell).strip() in codes for cell in self.cells[:, j]], dtype=bool)

    def _kept(
        self, used: list[int], label: list[int], domain: Domain, missing: Missing, least: int = 2
    ) -> npt.NDArray[np.bool_]:
        """Return which rows remain; DataError where missing cells need a choice."""
        if missing not in get_args(Missing):
            raise DataError(f"{self.name}: missing must be one of {listed(get_args(Missing))}; got {missing!r}.")
        keep = np.ones(self.n, dtype=bool)
        needed = used if missing == "drop all" else [j for j in self._need_values(domain) if j in used]
        for j in needed + label:
            gaps = self._is_gap(j)
            filled = self.columns[j].role in NUMERIC and missing in ("mean", "most_frequent") and j not in label
            if not gaps.any() or filled or (j in label and missing == "class"):
                continue
            # A missing label is never filled: the row is dropped.
            if missing == "refuse" or (missing in ("category", "class") and j not in label):
                row = int(np.flatnonzero(gaps)[0])
                fill = ""
                if self.columns[j].role in NUMERIC and j not in label:
                    fill = " let the kernel fill them (missing='mean'; in a command --missing mean),"
                raise DataError(
                    f"{self.name}: column {shortened(self.columns[j].name)} has {int(gaps.sum())} missing cells, the "
                    f"first in data row {row + 1}. Drop those rows (missing='drop'; in a command --missing drop),"
                    f"{fill} set the column to 'ignore', or fill them in."
                )
            keep &= ~gaps
        if keep.sum() < least:
            raise DataError(
                f"{self.name}: at least two rows without missing cells are needed; got {int(keep.sum())}. "
                "Set the columns with many gaps to 'ignore'."
            )
        return keep

    def label_part(self, missing: Missing, task: Task | None) -> tuple[npt.NDArray[np.bool_], Any, Task | None]:
        """Return which rows remain, their labels and the task; for tables beside a graph or a matrix.

        >>> from kernlib.data import read_table
        >>> read_table(b"id,club\\n1,a\\n2,b\\n").label_part("refuse", None)
        (array([ True,  True]), array(['a', 'b'], dtype='<U1'), 'classification')
        """
        label = self._with("label")
        keep = self._kept([], label, "node", missing)
        y, task = self._labels(label, task, keep)
        return keep, y, task

    def groups(self, keep: npt.NDArray[np.bool_]) -> tuple[str, ...] | None:
        """Return the group of each row of `keep`, or None without such a column; a row without one is its own group.

        >>> from kernlib.data import read_table
        >>> read_table(b"patient,x,y\\nu,1,a\\nu,2,b\\nv,3,a\\n").groups(np.array([True, True, True]))
        ('u', 'u', 'v')
        """
        column = self._with("group")
        if not column:
            return None
        words = [str(cell).strip() for cell in self._kept_cells(column[0], keep)]
        known = tamed([word for word in words if not is_missing(word)])
        names, taken = iter(known), set(known)
        alone = (f"? ({k})" for k in count(1) if f"? ({k})" not in taken)
        return tuple(next(alone) if is_missing(word) else next(names) for word in words)

    @property
    def domains(self) -> tuple[Domain, ...]:
        """Return the kinds of rows that the table can become: graphs as well, where a column holds molecules.

        >>> from kernlib.data import read_table
        >>> read_table(b"smiles,y\\nCCO,1\\nc1ccccc1,0\\n").domains[-1]
        'graph'
        """
        molecules = any(map(self._holds_molecules, self._with("sequence")))
        return TABLE_DOMAINS + _OF_MOLECULES if molecules else TABLE_DOMAINS

    def _holds_molecules(self, j: int) -> bool:
        first = [word for cell in self.cells[:50, j] if (word := str(cell).strip())]
        return sum(map(is_molecule, first)) > 0.8 * len(first)

    def likely_domain(self) -> Domain:
        """Return the kind of rows that the roles suggest: mixed where columns of several kinds meet.

        >>> from kernlib.data import read_table
        >>> read_table(b"x,k,y\\n1,u,a\\n2,v,b\\n3,u,a\\n").likely_domain()
        'mixed'
        """
        kinds = [_KINDS[c.role] for c in self.columns if c.role in _KINDS]
        if len(set(kinds)) > 1 or any(KINDS[one].column == "one" for one in kinds[1:]):
            return "mixed"
        return kinds[0] if kinds else "vector"

    def _columns_for(self, domain: Domain) -> list[int]:
        kind = KINDS.get(domain)
        if kind is None or not kind.roles:
            raise DataError(
                f"{self.name}: the table can become {listed(self.domains)} rows; got {domain!r}. "
                "Use read_matrix for node and matrix data."
            )
        used = next((columns for roles in kind.roles if (columns := self._with(*_roles(roles)))), [])
        if kind.molecules:
            used = [j for j in used if self._holds_molecules(j)]
        if not used:
            raise DataError(
                f"{self.name}: no column is read as {kind.roles[0][0]} data; the roles are "
                f"{listed(f'{n[:60]}: {r}' for n, r in self.roles.items())}. Give one of them that role."
            )
        if kind.column == "one" and len(used) > 1:
            raise DataError(
                f"{self.name}: {domain} rows come from one column; got {listed(self.columns[j].name for j in used)}. "
                "Set the others to 'ignore'."
            )
        return used

    def _encoded(self, j: int, keep: npt.NDArray[np.bool_], gaps: bool, note: list[str]) -> npt.NDArray[np.float64]:
        """Return one column as numbers; an ordinal one by the order of its words, which the note gives."""
        if self.columns[j].role != "ordinal":
            return self._numbers(j, keep, gaps)
        words = [str(cell).strip() for cell in self._kept_cells(j, keep)]
        order, how = self._scale(j, keep)
        if not order:
            return np.array([np.nan if is_missing(word) else float(word) for word in words])
        shown = ", ".join(f"{shortened(word)} = {k + 1}" for k, word in enumerate(order[:6]))
        note.append(f"{shortened(self.columns[j].name)} by {how}: {shown}{', …' if len(order) > 6 else ''}.")
        codes = {word: k + 1.0 for k, word in enumerate(order)}
        unknown = next((i for i, word in enumerate(words) if word not in codes and not is_missing(word)), None)
        if unknown is not None:
            raise DataError(
                f"{self.name}: column {shortened(self.columns[j].name)} has {shortened(words[unknown])} in data row "
                f"{int(np.flatnonzero(keep)[unknown]) + 1}; expected one of {listed(order)}. Correct the cell."
            )
        return np.array([codes.get(word, np.nan) for word in words])

    def _scale(self, j: int, keep: npt.NDArray[np.bool_]) -> tuple[tuple[str, ...], str]:
        """Return the words of an ordinal column from low to high and the name of that order; none for numbers."""
        if self.columns[j].role != "ordinal" or self.columns[j].scale:
            return self.columns[j].scale, "the training rows"
        words = {str(cell).strip() for cell in self._kept_cells(j, keep)}
        order, how = ordered({word for word in words if not is_missing(word)})
        return () if how == "numbers" else tuple(order), how

    def _numbers(self, j: int, keep: npt.NDArray[np.bool_], gaps: bool = False) -> npt.NDArray[np.float64]:
        column, numbers, cells = self.columns[j], np.flatnonzero(keep), self._kept_cells(j, keep)
        codes = column.codes if column.role == "code missing" else ()
        at_once = plain_numbers([str(cell).strip() for cell in cells]) if column.writing == PLAIN else None
        if at_once is not None and not codes and np.isfinite(at_once).all():
            return np.array(at_once)
        known: dict[object, float | None] = {}
        values = np.empty(len(cells))
        for i, cell in enumerate(cells):
            if cell not in known:
                gap = gaps and (is_missing(cell) or str(cell).strip() in codes)
                known[cell] = np.nan if gap else column.writing.number(cell)
            number = known[cell]
            if number is None or not (np.isfinite(number) or (gaps and np.isnan(number))):
                raise DataError(
                    f"{self.name}: column {shortened(column.name)} must hold finite numbers; data row "
                    f"{int(numbers[i]) + 1} has {shortened(cell)}. Set the column to 'categorical' or 'ignore', or "
                    "correct the cell."
                )
            values[i] = number
        return values

    def _labels(self, label: list[int], task: Task | None, keep: npt.NDArray[np.bool_]) -> tuple[Any, Task | None]:
        if not label:
            return None, None
        words = ["?" if is_missing(cell) else str(cell).strip() for cell in self._kept_cells(label[0], keep)]
        distinct = set(words)
        if task is None:
            writing = self.columns[label[0]].writing
            numbers = [writing.number(word) for word in words]
            real = None not in numbers and not are_classes(np.array(numbers, dtype=np.float64))
            task = "regression" if real else "classification"
        if task == "regression":
            return self._numbers(label[0], keep), task
        if len(distinct) > max(50, len(words) // 2) and len(distinct) > 2:
            raise DataError(
                f"{self.name}: the label column {shortened(self.columns[label[0]].name)} has {len(distinct)} classes "
                f"in {len(words)} rows; expected at most {max(50, len(words) // 2)}. It looks like an id or a real "
                "target: choose another label column, or task='regression'."
            )
        return np.array(tamed(words), dtype=np.str_), task


def _nominal(cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the words of a nominal column without blanks around them, equal ones as the same object; '?' for gaps."""
    known: dict[str, str] = {}
    bare = {cell: "?" if is_missing(cell) else str(cell).strip() for cell in set(cells.tolist())}
    return np.array([known.setdefault(bare[cell], bare[cell]) for cell in cells.tolist()], dtype=object)


def _without(guess: Guess, changed: Collection[str]) -> Guess | None:
    """Return a guess without the columns whose roles are chosen; None where nothing of it is open."""
    names = list(dict.fromkeys(name for choice in guess.choices for name in dict(choice.roles)))
    rest = [name for name in names if name not in changed]
    if len(rest) == len(names):
        return guess
    same = all(len({*(roles := dict(c.roles)).values()}) == 1 and [*roles] == names for c in guess.choices if c.roles)
    if not rest or not same:  # the choices of one column, or of another label
        return None
    left = (dataclasses.replace(c, roles={n: r for n, r in dict(c.roles).items() if n in rest}) for c in guess.choices)
    sentence = guess.sentence.replace(joined(names), joined(rest))
    return dataclasses.replace(guess, sentence=sentence, choices=tuple(left))
