"""Molecules written as SMILES (http://opensmiles.org/opensmiles.html): the grammar, and molecules as graphs."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..errors import DataError
from ..values.arrays import Array
from ..values.graph import Graph
from .uploads import optional_import, parser_errors, shortened

_TOKEN = re.compile(r"(?P<atom>\[[^\[\]\s]{1,40}\]|Cl|Br|[BCNOPSFIbcnops*])|(?P<bond>[-=#$:/\\~])|(?P<ring>%\d\d|\d)|.")
_ELEMENTS = (
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb "
    "Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au "
    "Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr b c n o p s se as te"
)
_BRACKET = re.compile(
    rf"\[\d{{0,3}}({'|'.join(sorted(_ELEMENTS.split(), key=len, reverse=True))}|\*)"
    r"(@{1,2}|@(TH|AL|SP|TB|OH)\d{1,2})?(H\d?)?(\+{1,3}|-{1,3}|[+-]\d{1,2})?(:\d{1,4})?\]"
)
#: The most bonds of an atom outside of brackets; halogens as in perchlorates.
_VALENCE = {"B": 3, "C": 4, "N": 5, "O": 2, "P": 5, "S": 6, "F": 1, "Cl": 7, "Br": 7, "I": 7}
_ORDER = {"=": 2, "#": 3, "$": 4}


def is_molecule(word: str) -> bool:
    """Return whether a word is a SMILES: rings close, brackets match, and no atom has too many bonds.

    >>> [is_molecule(word) for word in ("CC(=O)O", "c1ccccc1", "[Na+].[Cl-]", "P1", "C1C1", "F=C")]
    [True, True, True, False, False, False]
    """
    atoms: list[str] = []
    bonds: list[float] = []
    joined: set[tuple[int, int]] = set()
    rings: dict[str, tuple[int, str]] = {}
    branches: list[int] = []
    last, bond = -1, ""

    def join(a: int, b: int, order: str) -> bool:
        pair = (min(a, b), max(a, b))
        if a == b or pair in joined:
            return False
        joined.add(pair)
        for atom in pair:
            bonds[atom] += _ORDER.get(order, 1)
        return True

    for token in _TOKEN.finditer(word):
        text = token[0]
        if token["atom"]:
            if text[0] == "[" and not _BRACKET.fullmatch(text):
                return False
            atoms.append(text)
            bonds.append(0)
            if last >= 0 and not join(last, len(atoms) - 1, bond):
                return False
            last, bond = len(atoms) - 1, ""
        elif token["bond"] and last >= 0 and not bond:
            bond = text
        elif token["ring"] and last >= 0:
            if text in rings:
                other, order = rings.pop(text)
                if not join(other, last, bond or order):
                    return False
            else:
                rings[text] = last, bond
            bond = ""
        elif text == "(" and last >= 0 and not bond:
            branches.append(last)
        elif text == ")" and branches and not bond and word[token.start() - 1] != "(":
            last = branches.pop()
        elif text == "." and last >= 0 and not bond:
            last = -1
        else:
            return False
    whole = bool(atoms) and last >= 0 and not bond and not rings and not branches
    return whole and all(n <= _VALENCE.get(atom, 8) for atom, n in zip(atoms, bonds, strict=True))


#: A graph takes the square of its atoms; a molecule takes a millisecond.
_MOST_ATOMS, _MOST_MOLECULES = 1000, 20_000
_BONDS = {1: "single", 1.5: "aromatic", 2: "double", 3: "triple", 4: "quadruple"}


def molecular_graphs(molecules: Iterable[str], who: str) -> Array:
    """Return molecules as graphs: atoms labelled by their element, bonds by their order, hydrogen atoms left out.

    Parameters: `molecules`, SMILES; `who`, the file and the column for errors.
    Raises DataError without pysmiles, for a string that is no molecule, and for more than 1000 atoms.

    >>> molecular_graphs(["CC=O"], "t.smi")[0]
    Graph(<3 nodes, 4 directed edges, labels C O>)
    """
    with optional_import(
        f"{who}: molecules become graphs by pysmiles", "molecules", "compare the molecules as strings"
    ):
        from pysmiles import read_smiles
    logging.getLogger("pysmiles").setLevel(logging.ERROR)  # it reports each stereo centre
    words = list(molecules)
    known: dict[str, Graph] = {}
    if len(set(words)) > _MOST_MOLECULES:
        raise DataError(
            f"{who}: {len(set(words))} different molecules; expected at most {_MOST_MOLECULES} as graphs. Draw a "
            "sample, or compare the molecules as strings."
        )
    for row, word in enumerate(words, start=1):
        if word in known:
            continue
        if not is_molecule(word):
            raise DataError(f"{who}, data row {row} is {shortened(word)}; expected a molecule as SMILES. Correct it.")
        with parser_errors(f"{who}, data row {row}: {shortened(word)} is no molecule", "Correct it."):
            molecule = read_smiles(word, reinterpret_aromatic=False)
            if _may_be_aromatic(molecule):  # a ring of alternating bonds is the same as one of small letters
                molecule = read_smiles(word)
        if len(molecule) > _MOST_ATOMS:
            raise DataError(
                f"{who}, data row {row} has {len(molecule)} atoms; expected at most {_MOST_ATOMS}. Remove it."
            )
        place = {node: i for i, node in enumerate(molecule)}
        adjacency = np.zeros((len(molecule), len(molecule)))
        bonds: dict[tuple[int, int], str] = {}
        for a, b, order in molecule.edges(data="order"):
            if order:  # a dot joins two parts of a salt by a bond of order 0
                i, j = place[a], place[b]
                adjacency[i, j] = adjacency[j, i] = 1.0
                bonds[i, j] = _BONDS.get(order, f"{order:g}")
        known[word] = Graph(adjacency, [atom or "*" for _, atom in molecule.nodes(data="element")], bonds)
    graphs = np.empty(len(words), dtype=object)
    graphs[:] = [known[word] for word in words]
    return graphs


def _may_be_aromatic(molecule: Any) -> bool:
    """Return whether a ring holds two double bonds or more."""
    from networkx import cycle_basis

    rings = [zip(ring, [*ring[1:], ring[0]], strict=True) for ring in cycle_basis(molecule)]
    return any(sum(molecule.edges[a, b]["order"] == 2 for a, b in ring) > 1 for ring in rings)
