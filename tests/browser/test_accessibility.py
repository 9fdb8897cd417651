"""axe-core checks every page in both themes: contrast, names of controls, roles, order of headings."""

from __future__ import annotations

from pathlib import Path

import pytest

from .drive import PAGES, next_run, visit

pytestmark = pytest.mark.browser

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
_VIOLATIONS = """async () => (await axe.run(document)).violations
  .filter(found => ['serious', 'critical'].includes(found.impact))
  .flatMap(found => found.nodes.map(node => `${found.id}: ${node.html.slice(0, 120)} ${node.failureSummary}`))"""
#: The letters of a page's figures and their contrast with the page, which axe does not look at.
_LETTERS = """() => {
  const rgb = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = colour => rgb(colour).map(v => v / 255)
    .map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const page = light(getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor);
  const letters = '.stPlotlyChart .xtick text, .stPlotlyChart .ytick text, .stPlotlyChart .infolayer [class*=title]';
  return [...document.querySelectorAll(letters)].filter(text => text.tagName === 'text' && text.textContent)
    .map(text => [text.textContent, light(getComputedStyle(text).fill)])
    .map(([text, own]) => [text, (Math.max(own, page) + 0.05) / (Math.min(own, page) + 0.05)])
    .filter(([, contrast]) => contrast < 4.5).map(([text, contrast]) => `${text}: ${contrast.toFixed(1)}`);
}"""


@pytest.mark.parametrize("title", PAGES)
def test_axe_finds_nothing_serious(title, new_page, app_server):
    page = new_page(color_scheme="light")
    visit(page, app_server.url, title, data="banana")
    page.evaluate(AXE)
    for scheme in ("light", "dark"):
        if scheme == "dark":
            with next_run(page):
                page.emulate_media(color_scheme="dark")
        assert page.evaluate(_VIOLATIONS) == [], scheme
        assert page.evaluate(_LETTERS) == [], scheme


def test_axe_sees_what_is_wrong(new_page):
    page = new_page()
    page.set_content("<main><p style='color: #aaa; background: #fff'>pale</p><button></button></main>")
    page.evaluate(AXE)
    found = page.evaluate(_VIOLATIONS)
    assert {line.partition(":")[0] for line in found} >= {"color-contrast", "button-name"}
