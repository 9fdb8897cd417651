"""A person's own file in a real browser: dropped, looked at, taken for something else, broken, hostile."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from .drive import choose, heat, link, settle, turn_to, visit, wait_for_link

pytestmark = pytest.mark.browser

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


#: All words of all figures, hover text and legends included, and whether a label became bold in one of them.
_WORDS = """() => [...document.querySelectorAll('.js-plotly-plot')].map(
  p => JSON.stringify([p.data, p.layout && p.layout.title, p.layout && p.layout.annotations]))"""


def assert_inert(page) -> None:
    """Markup and formulas in labels are words, in the sidebar and in figures."""
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


def test_a_dropped_table_reaches_its_gram_matrix_and_a_broken_one_leaves_it(new_page, app_server):
    page, first = opened(new_page, app_server)
    # With no further decision, and with words that want to be run.
    expect(page.get_by_test_id("stHeading").first).to_contain_text("mine.csv")
    assert_inert(page)
    turn_to(page, "Gram matrix")
    assert heat(page)["shape"].replace(" ", "") == "24,24"
    assert page.get_by_test_id("stException").count() == 0
    assert page.get_by_test_id("stAlertContentError").count() == 0
    assert_inert(page)
    # The page is left and come back to: the file is still there, gives way to a broken one, and the data stay.
    turn_to(page, "Data")
    uploader = page.get_by_test_id("stFileUploader")
    expect(page.get_by_text("mine.csv is still here")).to_be_visible()
    drop(page, "broken.csv", "x,y\n1,a\n2\n")
    error = page.get_by_test_id("stAlertContentError")
    expect(error).to_have_count(1)
    expect(error).to_contain_text("broken.csv: line 3 has 1 cells; expected 2 as in the first line.")
    expect(page.get_by_text("The data set that was loaded before is still the one that is shown.")).to_be_visible()
    settle(page)
    uploader.get_by_test_id("stFileChipDeleteBtn").first.click()
    expect(uploader.get_by_test_id("stFileChip")).to_have_count(0)
    expect(error).to_have_count(0)
    settle(page)
    expect(page.get_by_test_id("stHeading").first).to_contain_text("mine.csv")
    wait_for_link(page, "data", first)
    turn_to(page, "Gram matrix")
    assert heat(page)["shape"].replace(" ", "") == "24,24"


def test_another_label_and_other_rows_bring_other_data_and_another_kernel(new_page, app_server):
    """The label becomes a plain column and `size` the label: two roles change, five classes are told apart."""
    page, first = opened(new_page, app_server)
    kernel = link(page)["kernel"]
    use = page.get_by_role("button", name="Use this data")
    expect(page.get_by_test_id("stSidebar")).to_contain_text("numbers · n = 24")
    choose(page, "Label", "size")
    expect(use).to_be_enabled()
    use.click()
    second = wait_for_upload(page, other_than=first)
    expect(page.get_by_test_id("stMetric").filter(has_text="Classes")).to_contain_text("5")
    choose(page, "Rows are", "categories")
    settle(page)
    expect(use).to_be_enabled()
    use.click()
    assert wait_for_upload(page, other_than=second) != first
    assert link(page)["kernel"] != kernel
    assert "RBF" not in link(page)["kernel"]
    turn_to(page, "Gram matrix")
    assert heat(page)["shape"].replace(" ", "") == "24,24"
    expect(page.get_by_test_id("stSidebar")).to_contain_text("categories · n = 24")
