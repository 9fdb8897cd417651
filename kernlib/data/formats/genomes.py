"""Tables without names whose columns genetics documents: persons of PLINK (.ped, .fam), places in a genome (BED)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..guesses import Choice, Guess, Role
from ..reading import Upload, of_table
from ..table import TABLE_DOMAINS
from ..tables import table_of
from ..uploads import check_size, number_of, shortened
from .base import File, Format, Head

_PERSON = ("FID", "IID", "PAT", "MAT", "SEX", "PHENOTYPE")
_ALLELE = re.compile(r"[ACGTN01234ID.-]|[ACGT]{2,50}", re.IGNORECASE)
_PLACE = ("chrom", "start", "end", "name", "score", "strand")
#: What follows the first six columns, by the number of all columns: of thick parts and blocks, and of peaks.
_PARTS = ("thickStart", "thickEnd", "itemRgb", "blockCount", "blockSizes", "blockStarts")
_PEAKS = ("signalValue", "pValue", "qValue", "peak")
_RGB = re.compile(r"\d{1,3},\d{1,3},\d{1,3}|0|\.")
_ROLES: dict[str, Role] = {
    "chrom": "categorical", "strand": "categorical", "itemRgb": "ignore", "blockSizes": "ignore",
    "blockStarts": "ignore",
}  # fmt: skip


def _is_person(cells: Sequence[str]) -> bool:
    """Return whether cells are those of a .ped or .fam line: names, a sex, a phenotype and alleles."""
    known = len(cells) >= len(_PERSON) and cells[4] in ("0", "1", "2") and number_of(cells[5]) is not None
    return known and all(_ALLELE.fullmatch(cell) for cell in cells[len(_PERSON) :])


def _looks_like_persons(head: Head) -> str:
    cells = [line.split() for line in head.lines if not line.startswith("#")]
    wide = all(len(line) > 7 for line in cells) or (head.ending == "fam" and all(len(line) == 6 for line in cells))
    # Numbers alone could be any table; a name or an allele in letters distinguishes this format.
    letters = head.ending in ("ped", "fam") or any(cell.isalpha() for line in cells for cell in line[6:])
    if not cells or not wide or not letters or not all(map(_is_person, cells)):
        return ""
    return "Lines of a family, a person, two parents, a sex, a phenotype and alleles, as PLINK writes them"


def _persons(file: File, reason: str) -> Upload | None:
    lines = [line.split() for line in file.text.splitlines() if line.strip() and not line.startswith("#")]
    width = len(lines[0])
    if width % 2 or not all(len(line) == width and _is_person(line) for line in lines):
        return None
    if file.domain not in (None, *TABLE_DOMAINS):
        return None
    check_size(file.name, len(lines), width, file.limits)
    names = [*_PERSON, *(f"SNP{k + 1}" for k in range((width - len(_PERSON)) // 2))]
    affected = {line[5] for line in lines} <= {"-9", "0", "1", "2"}
    unknown = ("-9", "0") if affected else ("-9",)
    body = [[*line[:4], line[4].replace("0", ""), "" if line[5] in unknown else line[5], *_genotypes(line[6:])]
            for line in lines]  # fmt: skip
    families = len({line[0] for line in lines})
    roles: dict[str, tuple[Role, str]] = {"IID": ("id", "the name of a person"), "SEX": ("categorical", "a sex")}
    roles["FID"] = ("group", "persons of a family") if 1 < families < len(lines) else ("ignore", "a family's name")
    roles |= dict.fromkeys(("PAT", "MAT"), ("ignore", "the name of a parent"))
    roles |= dict.fromkeys(names[len(_PERSON) :], ("categorical", "a genotype"))
    roles["PHENOTYPE"] = ("label", "the phenotype, column 6")
    if len({row[5] for row in body} - {""}) < 2:
        roles["PHENOTYPE"] = ("ignore", "one phenotype only")
    table = table_of(file.name, names, body).declared(roles)
    is_label = roles["PHENOTYPE"][0] == "label"
    sentence = "Each row is a person, as PLINK writes them; " + (
        "the phenotype, column 6, is the label." if is_label else "all have the same phenotype, so there is no label."
    )
    choices = (Choice("There is no label", roles={"PHENOTYPE": "ignore"}),) if is_label else ()
    return of_table(table, "PLINK table", reason, file.domain, file.limits, (Guess(sentence, choices),))


def _genotypes(alleles: Sequence[str]) -> list[str]:
    """Return two alleles each in one cell, in either order the same; an unknown pair is a missing cell.

    >>> _genotypes(["G", "A", "0", "0"])
    ['A/G', '']
    """
    pairs = (sorted(alleles[k : k + 2]) for k in range(0, len(alleles), 2))
    return ["" if "0" in pair else "/".join(pair) for pair in pairs]


def _place_names(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns of one place in a genome; () for other cells.

    >>> _place_names("chr1 10 20 p1 5 + 1.5 2 3 -1".split())[6:]
    ('signalValue', 'pValue', 'qValue', 'peak')
    >>> _place_names(["chr1", "20", "10"])
    ()
    """
    if not 3 <= len(cells) <= len(_PLACE) + len(_PARTS) or not all(c.isascii() and c.isdigit() for c in cells[1:3]):
        return ()
    if int(cells[1][:15]) > int(cells[2][:15]) or (number_of(cells[0]) is not None and len(cells[0]) > 2):
        return ()
    numbers = [number_of(cell) is not None for cell in cells]
    if len(cells) == 4 and numbers[3]:
        return (*_PLACE[:3], "value")
    if len(cells) > 5 and cells[5] not in ("+", "-", "."):
        return ()
    if len(cells) > 4 and not numbers[4] and cells[4] != ".":
        return ()
    if len(cells) in (9, 10) and all(numbers[6:]) and not (len(cells) == 9 and _RGB.fullmatch(cells[8])):
        return (*_PLACE, *_PEAKS[: len(cells) - 6])
    thick = all(numbers[6:8]) and (len(cells) < 9 or bool(_RGB.fullmatch(cells[8])))
    return (*_PLACE, *_PARTS)[: len(cells)] if thick else ()


def _rows_of_places(lines: Sequence[str]) -> list[list[str]]:
    rows = (line for line in lines if line.strip() and not re.match(r"#|track\b|browser\b", line))
    return [line.split("\t") if "\t" in line else line.split() for line in rows]


def _looks_like_places(head: Head) -> str:
    rows = _rows_of_places(head.lines)
    names = {_place_names(row) for row in rows}
    if len(rows) < 2 or len(names) != 1 or not (columns := names.pop()):
        return ""
    ending = head.ending in ("bed", "bedgraph", "narrowpeak", "broadpeak")
    if not ending and not (len(columns) > 5 or all(row[0].startswith("chr") for row in rows)):
        return ""
    return f"Lines of a chromosome, a start and an end: BED with {len(columns)} columns"


def _places(file: File, reason: str) -> Upload | None:
    rows = _rows_of_places(file.text.splitlines())
    names = {_place_names(row) for row in rows}
    if len(names) != 1 or file.domain not in (None, *TABLE_DOMAINS):
        return None
    (columns,) = names
    check_size(file.name, len(rows), len(columns), file.limits)
    different = "name" in columns and len({row[3] for row in rows}) == len(rows)
    roles: dict[str, tuple[Role, str]] = {c: (_ROLES.get(c, "numeric"), "a column of BED") for c in columns}
    if "name" in columns:
        roles["name"] = ("id" if different else "categorical", "a column of BED")
    single = [c for j, c in enumerate(columns) if len({row[j] for row in rows}) == 1]
    roles |= dict.fromkeys(single, ("ignore", "one value only"))
    table = table_of(file.name, columns, rows).declared(roles)
    sentence = f"Each row is a place in a genome: {shortened(', '.join(columns))}. None of these columns is a label."
    return of_table(table, "BED table", reason, file.domain, file.limits, (Guess(sentence),))


PLINK = Format("PLINK table", ("ped", "fam"), _looks_like_persons, _persons)
BED = Format("BED table", ("bed", "bedgraph", "narrowpeak", "broadpeak"), _looks_like_places, _places)
