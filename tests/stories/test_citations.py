"""Sections, equations, figures and tables that a lesson or a kernel cites exist in the source that it names."""

from __future__ import annotations

import re

import pytest

from kernlib import KERNELS

from .test_lessons import LESSONS

#: Sections, numbered equations by chapter (0: the whole source), figures and tables of each source. [D] and [R] are
#: slides without numbers, whose headings are cited.
SOURCES = {
    "O": {
        "section": {"1", "2", "3", "4", "4.1", "4.2", "5"},
        "equation": {0: 20},
        "figure": {"1", "2", "3"},
        "table": set("123456"),
    },
    "K": {
        "section": {
            "1",
            "4",
            *(f"2.{i}" for i in (1, 2, 3)),
            *(f"3.{i}" for i in range(1, 7)),
            *(f"2.2.{i}" for i in range(1, 6)),
            "2.1.1",
            "2.1.2",
            *(f"3.{i}.{j}" for i in range(1, 5) for j in (1, 2, 3)),
        },
        "equation": {2: 31, 3: 28},
        "figure": {"2.1", *(f"3.{i}" for i in range(1, 7))},
        "table": {"3.1", "3.2"},
    },
    "C": {
        "section": {"2.1", "2.1.1", "2.1.2", "2.1.3", "3.2", "4.2", "4.2.1", "6.5", "6.5.1", "6.5.2", "6.5.3"},
        "equation": {},
        "figure": {"4.1", "5.1", "6.1", "6.2", "6.3"},
        "table": {"6.1", "6.2", "6.3"},
    },
}
HEADINGS = {
    "D": ("string kernels", "Spectrum", "spectrum", "locality", "graphs", "label", "Tricks", "tricks", "walks"),
    "R": ("relevant dimension", "two-component", "feature space", "kernel"),
}


def cited(text: str) -> list[tuple[str, str, str]]:
    """Return (source, kind, number) of everything that a text cites, ranges by both ends."""
    found = []
    for part in text.split(";"):
        named = re.search(r"\[([ODKRC])\]", part)
        for kind, numbers in re.findall(
            r"\b(section|equation|figure|table)s? ((?:[\d.]*\d(?:, | and | to )?)+)", part, re.I
        ):
            found += [(named[1] if named else "", kind.lower(), n) for n in re.findall(r"[\d.]*\d", numbers)]
    return found


def exists(source: str, kind: str, number: str) -> bool:
    if source not in SOURCES:
        return source == ""
    if kind != "equation":
        return number in SOURCES[source][kind]
    chapter, _, last = number.rpartition(".")
    return 1 <= int(last) <= SOURCES[source]["equation"].get(int(chapter or 0), 0)


@pytest.mark.parametrize("name", LESSONS)
def test_what_a_lesson_cites_exists(name):
    lesson = LESSONS[name]
    texts = [lesson.source, *(step.source for step in lesson.steps if step.kind == "explain")]
    assert all(texts)
    assert [place for text in texts for place in cited(text) if not exists(*place)] == []
    for text in texts:
        for source, words in HEADINGS.items():
            for part in text.split(";"):
                if f"[{source}]" in part:
                    assert any(word in part for word in words), part


def test_a_wrong_citation_is_found():
    wrong = {
        "[K] section 3.18": "section",
        "[K] sections 3.2 to 3.7": "section",
        "[C] chapter 6, Table 6.4": "table",
        "[K] equations 3.2 to 3.29": "equation",
        "[O] Table 7": "table",
    }
    for text, kind in wrong.items():
        assert kind in {k for s, k, n in cited(text) if not exists(s, k, n)}
    assert all(exists(*place) for place in cited("[K] section 2.3, equation 2.30; [C] section 2.1"))


def test_the_equations_that_kernels_cite_exist():
    for kernel in KERNELS:
        for source, numbers in re.findall(r"\[([OK])\] eqs?\. ([\d.–]+)", kernel.source):
            assert all(exists(source, "equation", n) for n in re.findall(r"[\d.]*\d", numbers)), kernel.source
