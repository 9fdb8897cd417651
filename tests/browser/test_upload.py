"""A person's own file in a real browser: dropped, looked at, taken for something else, broken, hostile."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from .drive import choose, heat, link, settle, turn_to, visit, wait_for_link

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

BOLD, FORMULA = "<b>x</b>", "=cmd()"
#: Ids, numbers that are few enough to be categories, and labels that want to be run.
RAW = "id,size,width,kind\n" + "".join(
    f"row {i},{i % 5},{i * i % 7}.5,{(BOLD, FORMULA)[i // 2 % 2]}\n" for i in range(24)
)  # fmt: skip


def drop(page, name: str, raw: str) -> None:
    """Choose a file in the panel, as a person does."""
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        [{"name": name, "mimeType": "text/csv", "buffer": raw.encode()}]
    )


def wait_for_upload(page, other_than: str = "") -> str:
    """The data that the address names, once it is an upload."""
    page.wait_for_function(
        "before => { const d = new URLSearchParams(location.search).get('data');"
        " return d && d.startsWith('upload:') && d !== before; }",
        arg=other_than,
    )
    settle(page)
    return link(page)["data"]


def opened(new_page, app_server):
    """The Data page with its panel unfolded and the file taken."""
    page = new_page()
    visit(page, app_server.url, "Data", data="banana")
    page.get_by_test_id("stExpander").filter(has_text="Bring your own data").locator("summary").first.click()
    drop(page, "mine.csv", RAW)
    return page, wait_for_upload(page)


def test_a_dropped_table_reaches_its_gram_matrix_with_no_further_decision(new_page, app_server):
    page, _ = opened(new_page, app_server)
    expect(page.get_by_test_id("stHeading").first).to_contain_text("mine.csv")
    turn_to(page, "Gram matrix")
    assert heat(page)["shape"].replace(" ", "") == "24,24"
    assert page.get_by_test_id("stException").count() == 0
    assert page.get_by_test_id("stAlertContentError").count() == 0


def test_rows_taken_for_something_else_bring_other_data_and_another_kernel(new_page, app_server):
    page, first = opened(new_page, app_server)
    kernel = link(page)["kernel"]
    expect(page.get_by_test_id("stSidebar")).to_contain_text("numbers · n = 24")
    choose(page, "Rows are", "categories")
    settle(page)
    use = page.get_by_role("button", name="Use this data")
    expect(use).to_be_enabled()
    use.click()
    second = wait_for_upload(page, other_than=first)
    assert second != first
    assert link(page)["kernel"] != kernel
    assert "RBF" not in link(page)["kernel"]
    turn_to(page, "Gram matrix")
    assert heat(page)["shape"].replace(" ", "") == "24,24"
    expect(page.get_by_test_id("stSidebar")).to_contain_text("categories · n = 24")


def test_a_column_given_another_role_changes_the_data(new_page, app_server):
    """The label becomes a plain column and `size` the label: two roles change, five classes are told apart."""
    page, first = opened(new_page, app_server)
    choose(page, "Label", "size")
    use = page.get_by_role("button", name="Use this data")
    expect(use).to_be_enabled()
    use.click()
    assert wait_for_upload(page, first) != first
    expect(page.get_by_test_id("stMetric").filter(has_text="Classes")).to_contain_text("5")


def test_a_broken_file_is_one_sentence_and_the_data_stay(new_page, app_server):
    page, first = opened(new_page, app_server)
    uploader = page.get_by_test_id("stFileUploader")
    uploader.get_by_test_id("stFileChipDeleteBtn").first.click()
    expect(uploader.get_by_test_id("stFileChip")).to_have_count(0)
    settle(page)
    drop(page, "broken.csv", "x,y\n1,a\n2\n")
    error = page.get_by_test_id("stAlertContentError")
    expect(error).to_have_count(1)
    expect(error).to_contain_text("broken.csv: line 3 has 1 cells; expected 2 as in the first line.")
    expect(page.get_by_text("The data set that was loaded before is still the one that is shown.")).to_be_visible()
    settle(page)
    expect(page.get_by_test_id("stHeading").first).to_contain_text("mine.csv")
    wait_for_link(page, "data", first)
    turn_to(page, "Gram matrix")
    assert heat(page)["shape"].replace(" ", "") == "24,24"


#: All words of all figures, hover text and legends included, and whether a label became bold in one of them.
_WORDS = """() => [...document.querySelectorAll('.js-plotly-plot')].map(
  p => JSON.stringify([p.data, p.layout && p.layout.title, p.layout && p.layout.annotations]))"""


@pytest.mark.parametrize("title", ["Data", "Gram matrix"])
def test_markup_and_formulas_in_labels_are_words(new_page, app_server, title):
    page, _ = opened(new_page, app_server)
    if title != "Data":
        turn_to(page, title)
        heat(page)
    expect(page.get_by_test_id("stSidebar")).to_contain_text(f"12 of class {BOLD}")
    expect(page.get_by_test_id("stSidebar")).to_contain_text(f"12 of class {FORMULA}")
    bold = page.evaluate("() => [...document.querySelectorAll('b, strong')].map(b => b.textContent.trim())")
    assert "x" not in bold
    page.wait_for_function("() => document.querySelectorAll('.js-plotly-plot .main-svg').length > 0")
    shown = page.evaluate(
        "() => [...document.querySelectorAll('.js-plotly-plot tspan, .js-plotly-plot text')]"
        ".filter(t => /bold/.test(t.getAttribute('style') || '')).map(t => t.textContent.trim())"
    )
    assert "x" not in shown
    words = page.evaluate(_WORDS)
    assert words
    assert not any(BOLD in json.dumps(json.loads(text), ensure_ascii=False) for text in words if text)
    assert any("&lt;b&gt;x" in text for text in words)
