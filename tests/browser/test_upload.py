"""An uploaded file in a real browser: dropped, shown, broken, hostile."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .drive import click, complaints, heat, link, menu, next_run, turn_to, visit

pytestmark = pytest.mark.browser

BOLD, FORMULA = "<b>x</b>", "=cmd()"
#: Ids, numbers that are few enough to be categories, and labels that want to be run.
RAW = "id,size,width,class\n" + "".join(
    f"row {i},{i % 5},{i * i % 7}.5,{(BOLD, FORMULA)[i // 2 % 2]}\n" for i in range(24)
)


def drop(page, name: str, raw: str) -> None:
    """Choose a file in the panel, as a person does."""
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(
        [{"name": name, "mimeType": "text/csv", "buffer": raw.encode()}]
    )


def assert_inert(page) -> None:
    """Markup and formulas in labels are text, in the line and in figures.

    What else figures hold, `tests/pages/test_plain.py` reads.
    """
    box = menu(page, "label")
    expect(box).to_contain_text(f"{BOLD}: 12 rows")
    expect(box).to_contain_text(f"{FORMULA}: 12 rows")
    page.keyboard.press("Escape")
    bold = page.evaluate("() => [...document.querySelectorAll('b, strong')].map(b => b.textContent.trim())")
    assert "x" not in bold
    page.wait_for_function("() => document.querySelectorAll('.js-plotly-plot .main-svg').length > 0")
    shown = page.evaluate(
        "() => [...document.querySelectorAll('.js-plotly-plot tspan, .js-plotly-plot text')]"
        ".filter(t => /bold/.test(t.getAttribute('style') || '')).map(t => t.textContent.trim())"
    )
    assert "x" not in shown


def test_a_dropped_table_reaches_its_gram_matrix_and_a_broken_one_leaves_it(new_page, app_server):
    page = new_page()
    visit(page, app_server.url, "See", data="banana")
    menu(page, "data")
    drop(page, "mine.csv", RAW)
    expect(page.get_by_role("button", name="Use these rows")).to_be_visible()
    assert link(page)["data"] == "banana", "nothing changes before a person has seen how the file is read"
    click(page.get_by_role("button", name="Use these rows"))
    first = link(page)["data"]
    assert first.startswith("upload:")
    # With no further decision, and with words that want to be run.
    expect(page.locator(".st-key-line-of-data")).to_contain_text("mine.csv")
    assert_inert(page)
    figure = page.locator(".js-plotly-plot").first.bounding_box()
    assert figure["y"] + figure["height"] <= page.viewport_size["height"], "above the fold, without a question"
    turn_to(page, "See")
    assert heat(page)["shape"].replace(" ", "") == "24,24"
    assert complaints(page) == []
    assert_inert(page)
    # The page is left and come back to: the file is still there, gives way to a broken one, and the data stay.
    turn_to(page, "Data")
    uploader = page.get_by_test_id("stFileUploader")
    expect(page.get_by_role("button", name="Change how it is read")).to_be_visible()
    with next_run(page):
        drop(page, "broken.csv", "x,y\n1,a\n2\n")
    error = page.get_by_test_id("stAlertContentError")
    expect(error).to_have_count(1)
    expect(error).to_contain_text("broken.csv: line 3 has 1 cell; expected 2, as in most lines.")
    expect(page.get_by_text("All pages show the previous data.")).to_be_visible()
    click(uploader.get_by_test_id("stFileChipDeleteBtn").first)
    expect(uploader.get_by_test_id("stFileChip")).to_have_count(0)
    expect(error).to_have_count(0)
    expect(page.locator(".st-key-line-of-data")).to_contain_text("mine.csv")
    assert link(page)["data"] == first
    turn_to(page, "See")
    assert heat(page)["shape"].replace(" ", "") == "24,24"
