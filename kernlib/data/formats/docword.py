"""Bags of words in the UCI format: docword files of document, word and count."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ...values.domains import Domain
from ..dataset import Dataset
from ..guesses import Choice, Guess
from ..reading import Content, How, Upload
from ..uploads import stem
from .base import File, Format, Head

_NUMBER = re.compile(r"\d{1,12}")
_TRIPLE = re.compile(r"\d{1,12}[ \t]+\d{1,12}[ \t]+\d{1,12}")


@dataclass(frozen=True, eq=False)
class Counts(Content):
    """Counts of words in documents: (document, word, count), numbered from 1 in the file and from 0 here."""

    name: str
    triples: npt.NDArray[np.int64]
    shape: tuple[int, int]

    def dataset(self, how: How) -> Dataset:
        """Return a row of counts per document, or a text per document that repeats each word as often as it counts."""
        documents, words, counts = self.triples.T
        ids = tuple(str(i + 1) for i in range(self.shape[0]))
        if how.domain == "vector":
            X = np.zeros(self.shape)
            np.add.at(X, (documents, words), counts)
            columns = tuple(f"word {j + 1}" for j in range(self.shape[1]))
            return Dataset(
                stem(self.name), self.name, "vector", X, source=f"upload {self.name}", columns=columns, ids=ids
            )
        texts: list[list[str]] = [[] for _ in range(self.shape[0])]
        for i, j, count in self.triples.tolist():
            texts[i] += [f"w{j + 1}"] * count
        rows = np.array([" ".join(text) for text in texts], dtype=object)
        return Dataset(stem(self.name), self.name, "text", rows, source=f"upload {self.name}", ids=ids)


def _looks_like_docword(head: Head) -> str:
    lines = head.lines
    if len(lines) < 4 or not all(_NUMBER.fullmatch(line) for line in lines[:3]):
        return ""
    if not all(_TRIPLE.fullmatch(line) for line in lines[3:]):
        return ""
    return f"Counts of {lines[1]} words in {lines[0]} documents, as its first lines announce"


def _docword(file: File, reason: str) -> Upload | None:
    documents, words, entries, *rest = (line for line in file.text.split("\n") if line.strip())
    shape, limits = (int(documents), int(words)), file.limits
    if len(rest) != int(entries):
        raise DataError(
            f"{file.name}: it announces {int(entries)} counts and has {len(rest)} lines; expected equal numbers. "
            "Download the file again."
        )
    if shape[0] > limits.rows or len(rest) > limits.cells:
        raise DataError(
            f"{file.name}: it has {shape[0]} documents and {len(rest)} counts; expected at most {limits.rows} and "
            f"{limits.cells}. Keep fewer documents."
        )
    try:
        triples = np.array(" ".join(rest).split(), dtype=np.int64).reshape(len(rest), 3)
        triples[:, :2] -= 1  # numbered from 0 here
    except (ValueError, OverflowError):
        raise DataError(f"{file.name}: a line is not a document, a word and a count. Correct the file.") from None
    low, high = triples.min(axis=0), triples.max(axis=0)
    if low.min() < 0 or high[0] >= shape[0] or high[1] >= shape[1]:
        raise DataError(
            f"{file.name}: a line names a document beyond {shape[0]} or a word beyond {shape[1]}; expected numbers "
            "from 1 on. Download the file again."
        )
    cells = shape[0] * shape[1]
    if triples[:, 2].sum() > limits.unpacked // 8:
        raise DataError(f"{file.name}: its documents have too many words. Keep fewer documents.")
    fits = cells <= limits.cells and shape[1] <= limits.columns
    domains: tuple[Domain, ...] = ("vector", "text") if fits else ("text",)
    if file.domain is not None and file.domain not in domains:
        raise DataError(
            f"{file.name}: a table of {shape[0]} × {shape[1]} counts; expected at most {limits.cells} of "
            f"{limits.columns} words as vectors. Read it as texts, or keep fewer words."
        )
    domain = file.domain or domains[0]
    guess = (
        Guess(f"Each row is a document: its counts of {shape[1]} words.", (Choice("Read texts", domain="text"),))
        if domain == "vector"
        else Guess(f"Each row is a document, a text of its words w1 … w{shape[1]}; the file has no order of words.")
    )
    return Upload(
        file.name, "Bag of words (docword)", reason, domain, domains, None, limits, file_guesses=(guess,),
        content=Counts(file.name, triples, shape),
    )  # fmt: skip


DOCWORD = Format("Bag of words (docword)", ("txt", "docword"), _looks_like_docword, _docword)
