"""A term's first use on a page links to its meaning; Markdown around it stays what it is."""

from __future__ import annotations

import pytest

from pages.parts.inputs import controls
from pages.parts.server.runs import Holder, using

from .drive import choose, open_app, sentences, show


@pytest.fixture
def session():
    with using(Holder()):
        yield


@pytest.mark.usefixtures("session")
def test_the_first_use_alone_is_explained():
    controls.begin_page()
    assert controls.explained("The **Gram matrix** of a kernel, and the kernel again.", "lead") == (
        "The **[Gram matrix](#term-gram-matrix)** of a [kernel](#term-kernel), and the kernel again."
    )
    assert controls.explained("This Gram matrix has eigenvalues.", "figure") == (
        "This Gram matrix has [eigenvalues](#term-eigenvalue)."
    )
    # A fragment that draws the same place once more gives the same text.
    assert "(#term-kernel)" in controls.explained("A kernel.", "lead")
    assert "(#term-kernel)" not in controls.explained("A kernel.", "figure")
    # A text that is folded away explains its terms itself, and takes no first use away.
    assert "(#term-ridge)" in controls.explained("The ridge.", None)
    assert "(#term-ridge)" in controls.explained("The ridge.", "figure")
    controls.begin_page()
    assert "(#term-kernel)" in controls.explained("A kernel.", "figure")


@pytest.mark.usefixtures("session")
def test_code_formulas_and_links_stay_as_they_are():
    text = "`level` $noise$ [a kernel](x) :orange[margin]"
    assert controls.explained(text, "lead") == text.replace("margin", "[margin](#term-margin)")
    assert "(#term-level)" in controls.explained("A level.", "figure"), "the level in the code was no first use"


def test_pages_explain_their_terms():
    app = open_app("spectrum", data="banana")
    for view, term in (("spectrum", "direction"), ("see", "gram-matrix")):
        assert f"](#term-{term})" in sentences(show(app, view))
    help_texts = [metric.help for metric in choose(app, "see.evidence", "True").metric]
    assert any("**diagonal ratio**: Mean diagonal" in (text or "") for text in help_texts)
