"""What a reader guessed about a file, in sentences, and the other ways in which the file can be taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..values.domains import Domain
from ..values.labels import Task

if TYPE_CHECKING:
    from .tables import Role

__all__ = ["Choice", "Guess"]


@dataclass(frozen=True)
class Choice:
    """One other way to take a file, ready to be asked for.

    Parameters: `words` of a button, an order such as "Read it as a table"; what `read_upload` is then asked for:
    `domain` of the rows, `roles` of columns as (column, role), `header`, whether the first line holds names, `part` of
    the file, e.g. a sheet, `encoding` of its letters; and `task` for `Upload.dataset`. What is left empty stays as it
    was.

    >>> Choice("Read it as a table", domain="vector").asked
    {'domain': 'vector'}
    """

    words: str
    domain: Domain | None = None
    roles: tuple[tuple[str, Role], ...] = ()
    header: bool | None = None
    part: str = ""
    encoding: str = ""
    task: Task | None = None

    @property
    def asked(self) -> dict[str, Any]:
        """What to call `read_upload` with, over what it was called with before.

        >>> Choice("Leave it out", roles=(("row", "ignore"),)).asked
        {'roles': {'row': 'ignore'}}
        """
        found: dict[str, Any] = {}
        if self.domain is not None:
            found["domain"] = self.domain
        if self.roles:
            found["roles"] = dict(self.roles)
        if self.header is not None:
            found["header"] = self.header
        if self.part:
            found["part"] = self.part
        if self.encoding:
            found["encoding"] = self.encoding
        return found


@dataclass(frozen=True)
class Guess:
    """What was guessed, said, and one press to change it.

    Parameters: `sentence`, what the file was taken for and by what; `choices`, the other ways; `question`, whether a
    wrong guess would cost rows, columns or labels, so that a person is asked before the data is used.

    >>> Guess("Each line is an edge.", (Choice("Read it as a table", domain="vector"),), question=True).question
    True
    """

    sentence: str
    choices: tuple[Choice, ...] = ()
    question: bool = False
