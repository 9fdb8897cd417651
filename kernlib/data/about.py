"""The text about a data set on the pages."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, fields
from typing import Any

from ..kinds import KINDS, Kind
from ..values.domains import Domain


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
