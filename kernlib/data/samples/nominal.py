"""Nominal columns, strings and texts."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...values.arrays import Split
from ..entries import UCI, UNSTATED, Content, binary, read_csv, sample


def _monks(number: int) -> Content:
    """Return MONK's problem 1, 2 or 3: training rows first, then the 432 test rows; one split, "published"."""
    train, test = (read_csv(f"monks/monks-{number}.{part}.csv") for part in ("train", "test"))
    lines = train + test
    names = tuple(f"a{j}" for j in range(1, 7))
    rows = np.array([[int(line[name]) for name in names] for line in lines])
    ids = [f"train {line['id']}" for line in train] + [f"test {line['id']}" for line in test]
    split = Split("published", np.arange(len(train)), np.arange(len(train), len(lines)))
    y = [int(line["class"]) for line in lines]
    return dict(rows=rows, y=y, classes=("0", "1"), columns=names, ids=tuple(ids), splits=(split,))


for _number, _n, _rule, _look_for in (
    (1, 556, "a1 = a2 or a5 = 1", "Overlap() ** 2 sees pairs of columns, the mean of overlaps does not"),
    (2, 601, "exactly two columns are 1", "the mean of overlaps guesses, Overlap() ** 2 sees pairs of columns"),
    (
        3,
        554,
        "(a5 = 3 and a4 = 1) or (a5 ≠ 4 and a2 ≠ 3), 5 % noise in the training labels",
        "the mean of overlaps is enough, and a product over all columns guesses on unseen rows",
    ),
):
    sample(
        f"monks-{_number}",
        f"MONK's problem {_number}",
        "categorical",
        _n,
        f"× 6 ({_n - 432} for training)",
        files=(f"monks/monks-{_number}.train.csv", f"monks/monks-{_number}.test.csv"),
        source="UCI MONK's Problems",
        licence=UCI,
        citation="Thrun et al. 1991",
        look_for=f"The rule: {_rule}. Compare kernels: {_look_for}.",
        note="The test part is the whole space of 432 rows and contains the training rows.",
    )(partial(_monks, _number))


@sample(
    "solar-flare",
    "Solar flares (UCI)",
    "categorical",
    1066,
    "× 10",
    files=("ida/flare-solar_uci_flare2.csv",),
    source="UCI Solar Flare, flare.data2",
    licence=UCI,
    citation="Bradshaw 1989",
    look_for="Few categories, many equal rows with different labels: the noise is in the data.",
    note="A stand-in: the benchmark's flare-solar has its own binary rule, which is not known; here a region is "
    "positive when it made any C, M or X flare.",
)
def solar_flare() -> Content:
    """Return UCI solar flares, ten nominal columns of 1066 regions; code 1 = any flare in the next day (our rule)."""
    lines = read_csv("ida/flare-solar_uci_flare2.csv")
    names = list(lines[0])
    return dict(
        rows=np.array([[line[name] for name in names[:10]] for line in lines], dtype=object),
        y=[int(any(int(line[name]) > 0 for name in names[10:])) for line in lines],
        classes=("quiet", "flares"),
        columns=tuple(names[:10]),
    )


_PROMOTERS: dict[str, Any] = dict(
    files=("promoters.csv",),
    source="UCI Molecular Biology (Promoter Gene Sequences)",
    licence=UCI,
    citation="Harley, Reynolds 1987; Towell, Shavlik, Noordewier 1990",
)
_SPLICE: dict[str, Any] = dict(
    files=("splice.csv.gz",),
    source="UCI Molecular Biology (Splice-junction Gene Sequences)",
    licence=UCI,
    citation="Noordewier, Towell, Shavlik 1991",
)


def _strings(lines: list[dict[str, str]]) -> Content:
    """Return the strings of a file's lines in upper case as rows, with their names."""
    return dict(rows=[line["sequence"].upper() for line in lines], ids=tuple(line["name"] for line in lines))


@sample(
    "promoters",
    "Promoters (DNA strings)",
    "sequence",
    106,
    "strings of 57",
    **_PROMOTERS,
    look_for="Compare kernels that know the position (weighted degree) with those that do not (spectrum).",
    note="Letters in upper case.",
)
def promoters() -> Content:
    """Return promoter gene sequences: 106 strings of 57 letters A, C, G, T (upper case; the file has lower case)."""
    lines = read_csv("promoters.csv")
    return _strings(lines) | dict(y=binary([line["label"] for line in lines], "+"), classes=("-", "+"))


@sample(
    "promoters-categorical",
    "Promoters (57 nominal columns)",
    "categorical",
    106,
    "× 57",
    **_PROMOTERS,
    look_for="Rare letters count more under k1: the columns near −35 and −10 carry the class.",
    note="Letters in upper case; 'promoter_gene' of 'categorical kernels'.",
)
def promoters_categorical() -> Content:
    """Return the same 106 promoters as 57 nominal columns p-50 … p-1, p+1 … p+7."""
    content = promoters.read()
    positions = [*range(-50, 0), *range(1, 8)]
    rows = np.array([list(sequence) for sequence in content["rows"]], dtype=object)
    return content | dict(rows=rows, columns=tuple(f"p{p:+d}" for p in positions))


@sample(
    "splice",
    "Splice junctions (DNA strings)",
    "sequence",
    3190,
    "strings of 60",
    **_SPLICE,
    look_for="The class sits at the centre of the string (GT or AG): position matters more than content.",
    note="15 of the strings hold ambiguous letters (D, N, R, S).",
)
def splice() -> Content:
    """Return splice junctions: 3190 strings of 60 letters, EI 767, IE 768, N 1655; 15 hold ambiguous letters."""
    lines = read_csv("splice.csv.gz")
    return _strings(lines) | dict(y=[line["label"] for line in lines], classes=("EI", "IE", "N"))


@sample(
    "splice-two-class",
    "Splice sites against other places (DNA strings)",
    "sequence",
    3175,
    "strings of 60",
    **_SPLICE,
    look_for="Single letters, one-hot, read much of the site; weighted degree of degree 10 reads more of it.",
    note="'splice' of 'kernels, feature space, model selection': both kinds of site are one class, the 15 strings with "
    "ambiguous letters are left out.",
)
def splice_two_class() -> Content:
    """Return splice sites (EI and IE, 1527) against places that are none (N, 1648)."""
    lines = [line for line in read_csv("splice.csv.gz") if set(line["sequence"].upper()) <= set("ACGT")]
    return _strings(lines) | dict(y=1 - binary([line["label"] for line in lines], "N"), classes=("no site", "site"))


@sample(
    "splice-agct",
    "Splice sites, letters coded A, G, C, T",
    "vector",
    3175,
    "× 60",
    **_SPLICE | {"citation": "Noordewier, Towell, Shavlik 1991; Rätsch, Onoda, Müller 2001"},
    look_for="The order of the codes decides: compare with A, C, G, T in 'Splice sites, coded 0–3'.",
    note="A, G, C, T are 0, 1, 2, 3: the order with which the published values of 'kernels, feature space, model "
    "selection' agree, though it prints A, C, G, T.",
)
def splice_agct() -> Content:
    """Return the rows of 'splice-two-class' as numbers, A → 0, G → 1, C → 2, T → 3."""
    content = splice_two_class.read()
    code = {letter: float(k) for k, letter in enumerate("AGCT")}
    return content | dict(rows=[[code[letter] for letter in sequence] for sequence in content["rows"]])


@sample(
    "webkb",
    "WebKB, faculty against project",
    "text",
    1628,
    "texts",
    files=("webkb_faculty_project.csv.gz",),
    source="CMU WebKB (4 Universities)",
    licence=f"none stated by CMU: {UNSTATED}",
    citation="Craven et al. 1998; stemmed by Cardoso-Cachopo 2007",
    look_for="300 concepts hold 96% of the squared length of 7143 terms: change the number of concepts.",
    note="A stand-in: 1124 and 504 pages here, 631 and 396 from another cut in 'deep kernel machines'.",
)
def webkb() -> Content:
    """Return WebKB pages, stemmed: faculty 1124, project 504; eleven pages are empty."""
    lines = read_csv("webkb_faculty_project.csv.gz")
    return dict(
        rows=[line["text"] for line in lines], y=[line["label"] for line in lines], classes=("faculty", "project")
    )
