"""An uploaded file after it is recognised: its table or content, its guesses, and the data set that it becomes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import DataError
from ..values.domains import Domain
from .dataset import Dataset
from .guesses import Choice, Guess, Reading, Role
from .layout import Layout
from .names import table_of_names
from .table import Table
from .uploads import LIMITS, Limits, listed, stem


@dataclass(frozen=True, eq=False, kw_only=True)
class How(Reading):
    """The choices for reading an upload, with its table and its limits: all that is needed to build the data set."""

    domain: Domain
    table: Table | None = None
    limits: Limits = LIMITS


class Content:
    """The content of a file beside or instead of a table: rows, numbers, a square matrix, pairs, a graph."""

    def missing(self) -> int | None:
        """Return the number of missing values that need a choice; None if only a table's columns can have them."""
        return None

    def row_names(self) -> tuple[str, ...]:
        """Return the names of the rows; none where they are only numbered."""
        return ()

    def asymmetric(self, domain: Domain) -> bool:
        """Return whether it is a matrix of scores that is not symmetric."""
        return False

    def dataset(self, how: How) -> Dataset:
        """Return the data set."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Rows(Content):
    """Rows without open choices: graphs, texts by folder, SVMlight."""

    data: Dataset

    def dataset(self, how: How) -> Dataset:
        return self.data


@dataclass(frozen=True, eq=False)
class Upload:
    """A recognised file, which becomes a data set.

    Attributes
    ----------
    name : the file. format : as text. reason : how the format was recognised, one sentence.
    domain : the kind of the rows; `domains`, the kinds that `read_upload(…, domain=…)` accepts; `asked`, whether a kind
        was asked for, so that roles no longer change it.
    table : the columns with their roles, or None where there is nothing to choose.
    guesses : the guesses that could be wrong, each with the other readings; see `Guess`.

    >>> from kernlib.data import read_upload
    >>> upload = read_upload("t.txt", b"size,kind\\n1.5,a\\n2.5,b\\n0.5,a\\n")
    >>> upload.format, upload.domain
    ('CSV table', 'vector')
    >>> upload.reason
    'Lines of 2 cells separated by commas, although the name ends in .txt.'
    >>> upload.dataset()
    Dataset('t', vector, n=3, d=1, classes={'a': 2, 'b': 1})
    """

    name: str
    format: str
    reason: str
    domain: Domain
    domains: tuple[Domain, ...]
    table: Table | None = field(default=None, repr=False)
    limits: Limits = field(default=LIMITS, repr=False)
    asked: bool = field(default=False, repr=False)
    content: Content | None = field(default=None, repr=False)
    file_guesses: tuple[Guess, ...] = field(default=(), repr=False)
    reading: Reading = field(default_factory=Reading, repr=False)
    lines: Layout | None = field(default=None, repr=False)

    @property
    def layout(self) -> Layout | None:
        """Return the first lines of the file, with the part of each where they are rows of a table; None for bytes."""
        return self.lines if self.table is None or self.table.layout is None else self.table.layout

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """Return the guesses about the file and its columns that are still open."""
        chosen = dict(self.reading.roles).items()
        open_guesses = [
            g
            for g in self.file_guesses
            if not any(c.roles and dict(c.roles).items() <= chosen for c in g.choices)
            and not (self.reading.square and any(c.square for c in g.choices))
            and not (self.reading.name_label and any(c.name_label for c in g.choices))
        ]
        of_table = () if self.table is None else self.table.guesses
        asked = self.reading.asked.keys() & {"task", "capitals", "missing", "turned"}
        settled = [any(asked & c.asked.keys() for c in g.choices) for g in of_table]
        return (*open_guesses, *(g for g, done in zip(of_table, settled, strict=True) if not done))

    @property
    def missing(self) -> int:
        """Return the number of missing cells in the columns that are used."""
        counted = None if self.content is None else self.content.missing()
        if counted is not None or self.table is None:
            return counted or 0
        return self.table.gaps(self.domain if self.content is None else None)

    @property
    def asymmetric(self) -> bool:
        """Return whether it is a matrix of scores that is not symmetric, so that a choice is needed."""
        return self.content is not None and self.content.asymmetric(self.domain)

    @property
    def names_without_labels(self) -> bool:
        """Return whether rows have names in which labels can be found, and no table beside them."""
        return self.content is not None and self.table is None and bool(self.content.row_names())

    def with_roles(self, roles: Mapping[str, Role]) -> Upload:
        """Return the upload with other roles of some columns; the domain follows the roles.

        >>> from kernlib.data import read_upload
        >>> read_upload("t.csv", b"a,b\\n1,x\\n2,y\\n").with_roles({"a": "categorical"}).domain
        'categorical'
        """
        if self.table is None:
            raise DataError(f"{self.name}: a file of {self.format} has no columns to give roles to. Leave roles out.")
        return self._with_table(self.table.with_roles(roles))

    def as_asked(self, reading: Reading) -> Upload:
        """Return the upload as a reading asks for its columns: decimals, missing cells, roles."""
        upload = dataclasses.replace(self, reading=reading)
        if reading.name_label and self.names_without_labels:
            assert self.content is not None
            upload = upload._with_table(table_of_names(self.content.row_names(), reading.name_label, self.name))
        if self.table is not None and (reading.decimal or reading.absent or reading.capitals):
            upload = upload._with_table(self.table.reread(reading.decimal, reading.absent, reading.capitals))
        return upload.with_roles(dict(reading.roles)) if reading.roles else upload

    def _with_table(self, table: Table) -> Upload:
        domain = self.domain if self.asked or self.content is not None else table.likely_domain()
        return dataclasses.replace(self, table=table, domain=domain)

    @property
    def explicit(self) -> Reading:
        """Return the reading with the roles of all columns: the file is read like this again, whatever is guessed.

        >>> from kernlib.data import read_upload
        >>> read_upload("t.csv", b"x,y\\n1,a\\n2,b\\n3,a\\n").explicit.asked
        {'roles': {'x': 'numeric', 'y': 'label'}, 'header': True, 'skip': 0, 'below': 0}
        """
        table, reading = self.table, self.reading
        if table is None or self.content is not None:
            return reading
        layout = table.layout
        declared = any(c.reason.startswith("declared") for c in table.columns)
        if layout is not None and layout.names == 1 and not declared:
            reading = dataclasses.replace(reading, header=True, skip=layout.above, below=layout.below)
        return dataclasses.replace(reading, roles=table.roles)

    def dataset(
        self, reading: Reading | None = None, *, rows: int | None = None, seed: int = 0, **asked: Any
    ) -> Dataset:
        """Return the data set.

        Parameters
        ----------
        reading, asked : a `Reading`, or its fields `missing`, `task`, `symmetrise` and `without` in place of those that
            the upload was read with; see `Table.to_dataset`. The edges of a graph are always symmetric.
        rows, seed : the size of a stratified sample, and its seed; None returns all rows.

        Raises
        ------
        DataError : the file, the place, what was expected, what was found, what to do.
        """
        chosen = dataclasses.replace(reading or self.reading, **asked)
        if self.content is not None:
            how = chosen.asked | {"domain": self.domain, "table": self.table, "limits": self.limits}
            data = self.content.dataset(How(**how))
        else:
            assert self.table is not None
            new = self.limits.least < 2
            data = self.table.to_dataset(self.domain, missing=chosen.missing, task=chosen.task, new=new)
        if data.title != self.name:  # the content of an archive gets the archive's name
            data = dataclasses.replace(data, name=stem(self.name), title=self.name, source=f"upload {self.name}")
        data = data.without_classes(*chosen.without) if chosen.without else data
        return data if rows is None else data.stratified_sample(rows, seed=seed)


def of_rows(data: Dataset, format: str, reason: str, limits: Limits, guesses: tuple[Guess, ...] = ()) -> Upload:
    """Return an upload of rows without open choices."""
    domains = (data.domain,)
    return Upload(
        data.title, format, reason, data.domain, domains, None, limits, content=Rows(data), file_guesses=guesses
    )


def of_table(
    table: Table, format: str, reason: str, domain: Domain | None, limits: Limits, guesses: tuple[Guess, ...] = ()
) -> Upload:
    """Return an upload of a table's rows.

    Raises DataError for a domain that a table's rows cannot have.
    """
    domains = table.domains
    if domain is not None and domain not in domains:
        raise DataError(
            f"{table.name}: the table can become {listed(domains)} rows; got {domain!r}. For nodes or scores give a "
            "square matrix, or a table with the columns from and to."
        )
    if "graph" in domains and domain is None:
        graphs = Choice("Compare them as labelled graphs", domain="graph")
        guesses = (*guesses, Guess("The molecules are compared as strings of letters.", (graphs,)))
    return Upload(
        table.name, format, reason, domain or table.likely_domain(), domains, table, limits, asked=domain is not None,
        file_guesses=guesses,
    )  # fmt: skip
