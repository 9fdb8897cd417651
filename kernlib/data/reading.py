"""A file as it was recognised, ready to become a data set once it is known what its columns mean."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ..errors import DataError
from ..values.domains import Domain
from ..values.labels import Task
from .dataset import Dataset
from .guesses import Guess
from .tables import TABLE_DOMAINS, Missing, Role, Table
from .uploads import LIMITS, Limits, listed, stem

__all__ = ["TABLE_DOMAINS", "Content", "How", "Rows", "Symmetrise", "Upload", "of_table"]

#: What becomes of a matrix of scores whose halves differ; "" refuses it.
Symmetrise = Literal["", "mean", "max"]


@dataclass(frozen=True, eq=False)
class How:
    """All that was chosen for an upload when it becomes a data set; see `Upload.dataset`."""

    domain: Domain
    table: Table | None
    missing: Missing
    task: Task | None
    symmetrise: Symmetrise
    limits: Limits


class Content(Protocol):
    """What a file holds beside or instead of a table: rows, numbers, a square matrix, pairs, a graph."""

    def missing(self) -> int | None:
        """Missing values that need a choice; None where the roles of the table's columns say."""

    def asymmetric(self, domain: Domain) -> bool:
        """Whether it is a matrix of scores whose halves differ."""

    def dataset(self, how: How) -> Dataset:
        """The data set."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows that are complete as they were read: graphs, texts by folder, SVMlight."""

    data: Dataset

    def missing(self) -> int | None:
        return 0

    def asymmetric(self, domain: Domain) -> bool:
        return False

    def dataset(self, how: How) -> Dataset:
        return self.data


@dataclass(frozen=True, eq=False)
class Upload:
    """A file as it was recognised, ready to become a data set once it is known what its columns mean.

    Attributes
    ----------
    name : the file. format : what it is, in words. reason : by what that was recognised, one sentence.
    domain : what its rows are taken for; `domains`, what they could be taken for by `read_upload(…, domain=…)`;
        `asked`, whether that was done, so that roles no longer change it.
    table : the columns with their roles, or None where there is nothing to choose.
    guesses : what was guessed that could be wrong, each with the other ways to take the file; see `Guess`.

    >>> from kernlib.data import read_upload
    >>> upload = read_upload("t.txt", b"size,kind\\n1.5,a\\n2.5,b\\n0.5,a\\n")
    >>> upload.format, upload.domain
    ('CSV table', 'vector')
    >>> upload.reason
    'Lines of 2 cells divided by commas, although the name ends in .txt.'
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
    said: tuple[Guess, ...] = field(default=(), repr=False)

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """What was guessed of the file and of its columns, each with the other ways to take it."""
        return self.said + (() if self.table is None else self.table.guesses)

    @property
    def missing(self) -> int:
        """Missing cells that need a choice: those of the columns that are used."""
        held = None if self.content is None else self.content.missing()
        if held is not None or self.table is None:
            return held or 0
        return self.table.gaps(self.domain if self.content is None else None)

    @property
    def asymmetric(self) -> bool:
        """Whether it is a matrix of scores whose two halves differ, so that a choice is needed."""
        return self.content is not None and self.content.asymmetric(self.domain)

    def with_roles(self, roles: Mapping[str, Role]) -> Upload:
        """The same upload with some columns taken for something else; the domain follows the roles.

        >>> from kernlib.data import read_upload
        >>> read_upload("t.csv", b"a,b\\n1,x\\n2,y\\n").with_roles({"a": "categorical"}).domain
        'categorical'
        """
        if self.table is None:
            raise DataError(f"{self.name}: a file of {self.format} has no columns to give roles to. Leave roles out.")
        table = self.table.with_roles(roles)
        domain = self.domain if self.asked or self.content is not None else table.likely_domain()
        return dataclasses.replace(self, table=table, domain=domain)

    def dataset(
        self,
        *,
        missing: Missing = "refuse",
        task: Task | None = None,
        symmetrise: Symmetrise = "",
        rows: int | None = None,
        seed: int = 0,
    ) -> Dataset:
        """The data set.

        Parameters
        ----------
        missing : what is done with missing cells, see `Table.to_dataset`.
        task : whether labels are classes or real targets; None has them decide.
        symmetrise : "mean" or "max" for a matrix whose halves differ; edges always go both ways.
        rows, seed : a stratified sample of so many rows, drawn with the seed; None takes all.

        Raises
        ------
        DataError : one sentence: the file, the place, what was expected, what came, what to do.
        """
        if self.content is not None:
            data = self.content.dataset(How(self.domain, self.table, missing, task, symmetrise, self.limits))
        else:
            assert self.table is not None
            data = self.table.to_dataset(self.domain, missing=missing, task=task)
        if data.title != self.name:  # what came in an archive goes by the archive's name
            data = dataclasses.replace(data, name=stem(self.name), title=self.name, source=f"upload {self.name}")
        return data if rows is None else data.stratified_sample(rows, seed=seed)


def of_table(
    table: Table, format: str, reason: str, domain: Domain | None, limits: Limits, said: tuple[Guess, ...] = ()
) -> Upload:
    """An upload of a table's rows.

    Raises DataError for a domain that a table's rows cannot have.
    """
    if domain is not None and domain not in TABLE_DOMAINS:
        raise DataError(
            f"{table.name}: a table can become {listed(TABLE_DOMAINS)} rows; got {domain!r}. Give a square matrix or a "
            "table with the columns from and to for that."
        )
    return Upload(
        table.name, format, reason, domain or table.likely_domain(), TABLE_DOMAINS, table, limits,
        asked=domain is not None, said=said,
    )  # fmt: skip
