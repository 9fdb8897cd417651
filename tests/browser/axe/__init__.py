"""axe-core on a page: contrast, names of controls, roles, order of headings; and the letters of its figures."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

_AXE = (Path(__file__).parent / "axe.min.js").read_text(encoding="utf-8")
_VIOLATIONS = """async rules => (await axe.run(document, {resultTypes: ['violations'], ...rules})).violations
  .filter(found => ['serious', 'critical'].includes(found.impact))
  .flatMap(found => found.nodes.map(node => `${found.id}: ${node.html.slice(0, 120)} ${node.failureSummary}`))"""
_LETTERS = """() => {
  const rgb = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = colour => rgb(colour).map(v => v / 255)
    .map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const page = light(getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor);
  const plot = '.stPlotlyChart ', title = 'text[class*=title]';
  const letters = `${plot} .xtick text, ${plot} .ytick text, ${plot} .infolayer ${title}`;
  const paler = (what, colour, least) => [...document.querySelectorAll(what)].filter(text => text.textContent)
    .map(text => [text.textContent, light(getComputedStyle(text)[colour])])
    .map(([text, own]) => [text, (Math.max(own, page) + 0.05) / (Math.min(own, page) + 0.05)])
    .filter(([, contrast]) => contrast < least).map(([text, contrast]) => `${text}: ${contrast.toFixed(1)}`);
  return [...paler(letters, 'fill', 4.5), ...paler('button:disabled p', 'color', 1.5)];
}"""


def violations(page: Page, *rules: str) -> list[str]:
    """Return what axe-core calls serious or critical, by these of its rules or by all."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    return page.evaluate(_VIOLATIONS, {"runOnly": rules} if rules else {})


def pale_letters(page: Page) -> list[str]:
    """Return letters that axe-core does not look at: of figures too pale for reading, of resting buttons for seeing."""
    return page.evaluate(_LETTERS)
