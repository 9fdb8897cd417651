"""Recognise columns of sequences: nucleotides, amino acids, and molecules written as SMILES."""

from __future__ import annotations

import re
from collections.abc import Collection

from .molecules import is_molecule

NUCLEOTIDES = re.compile(r"[ACGTUNRYSWKMBDHV]+", re.IGNORECASE)
_PROTEIN = re.compile(r"[A-Za-z*\-]+")
#: The twenty amino acids, as programs write peptides: words of other columns hold B, J, O, U, X or Z sooner or later.
_PEPTIDE = re.compile(r"[ACDEFGHIKLMNPQRSTVWY]{4,60}")
_ANY_RESIDUE = re.compile(r"[A-IK-Z*.\-]+", re.IGNORECASE)
#: Parts of a column's name that announce sequences.
_NAMES = frozenset({
    "sequence", "sequences", "seq", "seqs", "peptide", "peptides", "protein", "dna", "rna", "cdr3", "junction",
    "epitope", "oligo", "primer", "kmer", "aaseq",
})  # fmt: skip
#: The number of different values of a column that are checked.
_LOOKED_AT = 2000


def kind_of_strings(name: str, values: Collection[str], rows: int) -> tuple[str, bool]:
    """Return why different words of a column are sequences, or "", and whether name or alphabet make it certain.

    >>> kind_of_strings("peptide", {"SIINFEKL", "GILGFVFTL"}, 2)
    ("named 'peptide', strings of letters", True)
    >>> kind_of_strings("smiles", {"CCO", "c1ccccc1"}, 2)[0], kind_of_strings("sample", {"P1", "P2", "N1"}, 3)[0]
    ('molecules written as SMILES', '')
    """
    words = list(values)[:_LOOKED_AT]
    longest = max(map(len, words))
    letters = all(_PROTEIN.fullmatch(word) for word in words)
    named = named_like_strings(name) and longest > 2 and 4 * len(values) > rows
    if named and all(_ANY_RESIDUE.fullmatch(word) for word in words):
        return f"named {name!r}, strings of letters", True
    if longest >= 10 and all(NUCLEOTIDES.fullmatch(word) for word in words):
        return "strings of nucleotide letters", True
    if longest >= 20 and letters and len(values) > rows / 2:
        return "long strings of letters without spaces", True
    if len(words) >= 10 and len(values) > rows / 2 and all(map(is_peptide, words)) and len(set("".join(words))) > 14:
        return "strings of amino-acid letters", False
    announced = re.search(r"smiles|molecule", name, re.IGNORECASE) is not None
    if len(values) > (1 if announced else rows / 2) and (announced or longest > 4):
        molecules = [word for word in words if is_molecule(word)]
        structured = sum(re.search(r"[=#(\[\d]", word) is not None for word in molecules)
        if 10 * len(molecules) >= 9 * len(words) and (announced or 2 * structured > len(words)):
            return "molecules written as SMILES", announced
    return "", False


def named_like_strings(name: str) -> bool:
    """Return whether a column's name announces sequences.

    >>> named_like_strings("CDR3.beta"), named_like_strings("junction_aa"), named_like_strings("class")
    (True, True, False)
    """
    parts = re.findall(r"[a-z]+\d?", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    return any(part in _NAMES or part.startswith("cdr3") for part in parts)


def is_peptide(word: str) -> bool:
    """Return whether a word is 4 to 60 letters of the twenty amino acids.

    >>> is_peptide("SIINFEKL"), is_peptide("MOUSE"), is_peptide("siinfekl")
    (True, False, False)
    """
    return _PEPTIDE.fullmatch(word) is not None
