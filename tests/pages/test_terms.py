"""A term's first use on a page links to its meaning; Markdown around it stays what it is."""

from __future__ import annotations

import pytest

from kernlib.values.glossary import GLOSSARY
from pages.parts.inputs import texts
from pages.parts.server.holder import Holder, using

from .drive import choose, open_app, show


def links(app) -> list[str]:
    texts = [element.value for kind in (app.caption, app.markdown) for element in kind]
    return [term.slug for text in texts for term in GLOSSARY for _ in range(text.count(f"](#term-{term.slug})"))]


@pytest.fixture
def session():
    with using(Holder()):
        yield


@pytest.mark.usefixtures("session")
def test_the_first_use_alone_is_explained():
    texts.begin_page()
    assert texts.explained("The **Gram matrix** of a kernel, and the kernel again.", "lead") == (
        "The **[Gram matrix](#term-gram-matrix)** of a [kernel](#term-kernel), and the kernel again."
    )
    assert texts.explained("This Gram matrix has eigenvalues.", "figure") == (
        "This Gram matrix has [eigenvalues](#term-eigenvalue)."
    )
    # A fragment that draws the same place once more gives the same text.
    assert "(#term-kernel)" in texts.explained("A kernel.", "lead")
    assert "(#term-kernel)" not in texts.explained("A kernel.", "figure")
    # A text that is folded away explains its terms itself, and takes no first use away.
    assert "(#term-ridge)" in texts.explained("The ridge.", None)
    assert "(#term-ridge)" in texts.explained("The ridge.", "figure")
    texts.begin_page()
    assert "(#term-kernel)" in texts.explained("A kernel.", "figure")


@pytest.mark.usefixtures("session")
def test_code_formulas_and_links_stay_as_they_are():
    text = "`level` $noise$ [a kernel](x) :orange[margin]"
    assert texts.explained(text, "lead") == text.replace("margin", "[margin](#term-margin)")
    assert "(#term-level)" in texts.explained("A level.", "figure"), "the level in the code was no first use"


def test_pages_explain_each_term_once():
    app = open_app("see", data="banana")
    for view in ("see", "spectrum"):
        show(app, view)
        found = links(app)
        assert {"kernel", "direction", "gram-matrix"} & set(found), view
    help_texts = [metric.help for metric in choose(show(app, "see"), "see.evidence", "True").metric]
    assert any("**diagonal ratio**: Mean diagonal" in (text or "") for text in help_texts)
