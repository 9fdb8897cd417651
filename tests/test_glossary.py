"""The glossary: one word for one thing, in all texts that a page or a figure shows."""

from __future__ import annotations

import ast
import dataclasses
import re
from functools import cache
from inspect import ismodule
from pathlib import Path

import pytest

from kernlib import analysis
from kernlib.values.words import GLOSSARY, terms_in
from tests.pages.test_words import texts

PROJECT = Path(__file__).resolve().parent.parent
SHOWN = ("pages", "kernlib/figures", "kernlib/analysis/summary.py", "kernlib/explain", "kernlib/measures.py")


@cache
def all_texts() -> list[tuple[str, str]]:
    return [
        (f"{file.relative_to(PROJECT)}:{line}", text)
        for part in SHOWN
        for file in (sorted((PROJECT / part).rglob("*.py")) or [PROJECT / part])
        for line, text in texts(ast.parse(file.read_text(encoding="utf-8")))
        if " " in text
    ]


def uses(phrase: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", text, re.IGNORECASE) is not None


def test_each_term_stands_once_in_alphabetical_order_with_short_sentences():
    names = [term.name.lower().lstrip("−") for term in GLOSSARY]
    assert names == sorted(names)
    spelled = [form.lower() for term in GLOSSARY for form in (term.name, *term.forms, *term.instead_of)]
    assert len(spelled) == len(set(spelled))
    for term in GLOSSARY:
        sentences = re.split(r"(?<=\.)\s+", term.meaning)
        assert term.meaning.endswith("."), term.name
        assert [s for s in sentences if len(s.split()) > 20] == [], term.name


def test_every_quantity_that_a_text_names_is_in_the_glossary():
    """A quantity that the library computes under a name of several words, and the criteria of the overview."""
    exported = {name: value for name, value in vars(analysis).items() if not (name.startswith("_") or ismodule(value))}
    public = exported.values()
    names = {name for name in exported if name.islower()}
    names |= {f.name for cls in public if dataclasses.is_dataclass(cls) for f in dataclasses.fields(cls)}
    phrases = {name.replace("_", " ") for name in names if "_" in name}
    known = {form.lower() for term in GLOSSARY for form in (term.name, *term.forms)}
    shown = [text for _, text in all_texts()]
    named = {phrase for phrase in phrases if any(uses(phrase, text) for text in shown)}
    assert len(named) > 5
    assert named - known == set()


@pytest.mark.parametrize("term", [t for t in GLOSSARY if t.instead_of], ids=lambda term: term.slug)
def test_no_text_uses_another_word_for_a_term(term):
    other = [(place, word, text) for place, text in all_texts() for word in term.instead_of if uses(word, text)]
    assert other == [], f"write '{term.name}'"


def test_every_term_is_in_use():
    shown = [text for _, text in all_texts()]
    used = {term.name for text in shown for _, _, term in terms_in(text)}
    assert {term.name for term in GLOSSARY} - used == set()


def test_a_text_is_read_as_it_is_written():
    source = '"""a doc string"""\nx = f"how {n} jackknife {m}"\nraise DataError("a component")\ny = "two components"'
    assert list(texts(ast.parse(source))) == [(2, "how 0 jackknife 0"), (4, "two components")]
