"""What came out, counted and written: `papers.json` for programs, `REPRODUCTION.md` for people."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from .experiment import Experiment, Measured, NoData, Verdict, judged
from .published import PAPERS
from .running import EXPERIMENTS, AnyExperiment, Result

__all__ = [
    "Count", "Table", "both_rules", "by_splits", "count", "made", "markdown", "shipped", "tables", "told", "verdicts",
    "why_not", "write",
]  # fmt: skip


_DECLARED = {(e.paper, e.item): e for e in EXPERIMENTS}


@dataclass(frozen=True)
class Count:
    """How many printed figures were compared: a figure that two readings meet counts once.

    `cheating` of those within are met only where test rows chose; `outside`, `no_data` the rest. `sizes` of data sets
    are counted apart, as they are no results.
    """

    within: int
    cheating: int
    outside: int
    no_data: int
    sizes: int = 0

    @property
    def compared(self) -> int:
        return self.within + self.outside

    def words(self) -> str:
        """One sentence."""
        only = f", {self.cheating} of them only when test rows choose" if self.cheating else ""
        sizes = f" {self.sizes} sizes of data sets agree as well." if self.sizes else ""
        return (
            f"{self.compared} printed figures were compared: {self.within} agree within the rule{only}, {self.outside} "
            f"do not; {self.no_data} more need data or runs that are not here.{sizes}"
        )


def count(outcomes: Iterable[dict[str, Any]]) -> Count:
    """Printed figures by verdict; of several readings the honest one that agrees, else any that does."""
    best: dict[tuple[str, ...], int] = {}
    sizes = 0
    for line in outcomes:
        if line["of"] in ("drawn", "other"):
            continue
        if line["of"] == "size" and line["verdict"] == "within":
            sizes += 1
            continue
        figure = (line["place"],) if line["place"] else (line["paper"], line["item"], line["label"])
        rank = 0 if line["verdict"] == "no data" else 1 if line["verdict"] == "outside" else 3
        rank -= line["verdict"] == "within" and line["of"] == "leaky"
        best[figure] = max(rank, best.get(figure, 0))
    ranks = list(best.values())
    return Count(ranks.count(3) + ranks.count(2), ranks.count(2), ranks.count(1), ranks.count(0), sizes)


def verdicts(result: Result) -> str:
    """A result in a few words, as a long run tells how far it is."""
    lines = result["outcomes"]
    drawn = [line for line in lines if line["of"] == "drawn"]
    if len(drawn) == len(lines):
        return f"{len(drawn)} values of a figure that is drawn without numbers"
    told = [f"{n} {verdict}" for verdict in ("within", "outside", "no data")
            if (n := sum(line["verdict"] == verdict for line in lines))]  # fmt: skip
    return ", ".join(told)


def by_splits(line: dict[str, Any]) -> Verdict:
    """The verdict had every split counted as independent of the others, also those of one draw: SE = sd/√n.

    The rule takes the standard error over the draws where data are drawn afresh, as the splits of one draw share
    their rows. That was settled after first results had been seen, so both are told.
    """
    experiment = _DECLARED[line["paper"], line["item"]]
    if not isinstance(experiment, Experiment) or not line["place"] or line["sd"] is None or line["ours"] is None:
        verdict: Verdict = line["verdict"]
        return verdict
    se = line["sd"] / math.sqrt(line["n"]) * (math.sqrt(math.pi / 2) if line["of"] == "median" else 1.0)
    ours = Measured(line["ours"], line["sd"], line["n"], se)
    return judged(line["published"], line["published_sd"], line["published_n"], ours, experiment.decimals)


def both_rules(outcomes: Iterable[dict[str, Any]]) -> str:
    """One sentence: how many figures agree when every split counts as independent."""
    lines = list(outcomes)
    strict = count(line | {"verdict": by_splits(line)} for line in lines)
    return (
        "Where data are drawn afresh, our standard error is taken over the draws; that was settled after first results "
        f"had been seen. With every split counted as independent, {strict.within} of {strict.compared} agree instead "
        f"of {count(lines).within}."
    )


def made(results: Sequence[Result]) -> str:
    """One sentence: which version made the results, with which seeds, in how long."""
    versions = ", ".join(sorted({result["version"] for result in results}))
    seeds = sorted({result["seed"] for result in results if result["seed"] is not None})
    seconds = sum(result["seconds"] for result in results)
    return (
        f"Made by version {versions}, seed {', '.join(map(str, seeds)) or '–'} (further draws count on from it); the "
        f"splits took {seconds / 60:.0f} minutes in all, on one machine that had other work to do."
    )


def why_not(outcomes: Iterable[dict[str, Any]]) -> list[tuple[int, str]]:
    """Why figures lie outside, the most frequent reason first; a figure that another reading meets is left out."""
    lines = [line for line in outcomes if line["of"] not in ("drawn", "other")]
    met = {line["place"] for line in lines if line["place"] and line["verdict"] == "within"}
    reasons: dict[str, set[tuple[str, ...]]] = {}
    for line in lines:
        if line["verdict"] == "outside" and line["place"] not in met:
            reasons.setdefault(line["why"], set()).add((line["place"], line["item"] if not line["place"] else ""))
    # A figure with two readings is told by the last: the one that came nearest.
    seen: set[tuple[str, ...]] = set()
    counted = []
    for why, figures in reversed(reasons.items()):
        counted.append((len(figures - seen), why))
        seen |= figures
    return sorted(((n, why) for n, why in counted if n), reverse=True)


@cache
def shipped() -> tuple[Result, ...]:
    """The results that come with the library, in the order of the experiments."""
    text = files(__package__).joinpath("results.json").read_text(encoding="utf-8")
    return tuple(json.loads(text))


@dataclass(frozen=True)
class Table:
    """The results of one printed table: items that differ only in what follows their first comma."""

    title: str
    results: tuple[Result, ...]

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [line for result in self.results for line in result["outcomes"]]

    @property
    def experiments(self) -> list[AnyExperiment]:
        return [_DECLARED[result["paper"], result["item"]] for result in self.results]

    def label(self, line: dict[str, Any]) -> str:
        """What a line says of itself within the table."""
        rest = line["item"].partition(", ")[2]
        if not rest or line["label"].startswith(rest):
            return str(line["label"])
        return rest if rest.endswith(line["label"]) else f"{rest}: {line['label']}"

    def crossed(self) -> tuple[list[str], list[str], dict[tuple[str, str], dict[str, Any]]]:
        """Rows, columns and cells of a table whose items are "table, row" or "table, row, column"; else no rows."""
        cells = {}
        for line in self.lines:
            row = line["item"].partition(", ")[2].removesuffix(f", {line['label']}")
            if row and row != line["label"]:
                cells[row, line["label"]] = line
        rows, columns = dict.fromkeys(row for row, _ in cells), dict.fromkeys(column for _, column in cells)
        whole = len(cells) == len(self.lines) and len(cells) > 0.5 * len(rows) * len(columns)
        return (list(rows), list(columns), cells) if whole and len(rows) > 1 and len(columns) > 1 else ([], [], {})

    @property
    def remark(self) -> str:
        """That the figures have been met or missed above already, where it is so."""
        if any(isinstance(e, Experiment) and e.other for e in self.experiments):
            return "Another reading of figures that stand above: shown beside the first one, and not counted again."
        return ""

    @property
    def protocols(self) -> list[str]:
        """How each was measured, each said once, and how many readings were tried."""
        said: dict[str, list[str]] = {}
        for e in self.experiments:
            if not isinstance(e, NoData) and e.protocol:
                tried = e.tried if isinstance(e, Experiment) else 1
                words = e.protocol + (f" {tried} readings were tried." if tried > 1 else "")
                said.setdefault(words, []).append(e.item.partition(", ")[2] or e.item)
        if len(said) == 1:
            return list(said)
        return [f"{'; '.join(dict.fromkeys(items))}: {words}" for words, items in said.items()]

    @property
    def reasons(self) -> list[str]:
        """Why figures lie outside, and what those need that could not be run, each said once."""
        found: dict[str, list[str]] = {}
        for line in self.lines:
            if line["verdict"] != "within" and line["of"] != "drawn" and line["why"]:
                found.setdefault(f"{line['verdict'].capitalize()}: {line['why']}", []).append(self.label(line))
        whole = len(self.lines)
        return [
            why if len(labels) == whole else f"{why} ({'; '.join(labels[:6])}{'; …' if len(labels) > 6 else ''})"
            for why, labels in found.items()
        ]


def tables(results: Iterable[Result]) -> list[Table]:
    """Results by the printed table that they belong to, in their order."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(result["item"].partition(", ")[0], []).append(result)
    return [Table(title, tuple(own)) for title, own in found.items()]


def write(out: str | Path, results: Sequence[Result]) -> tuple[Path, ...]:
    """papers.json (a line for each figure), results.json (with digests and seconds) and REPRODUCTION.md."""
    directory = Path(out)
    directory.mkdir(parents=True, exist_ok=True)
    lines = [line for result in results for line in result["outcomes"]]
    contents = {
        "papers.json": json.dumps(lines, indent=1, ensure_ascii=False, allow_nan=False) + "\n",
        "results.json": "[\n" + ",\n".join(_compact(result) for result in results) + "\n]\n",
        "REPRODUCTION.md": markdown(results),
    }  # fmt: skip
    written = []
    for name, content in contents.items():
        file = directory / name
        file.write_text(content, encoding="utf-8")
        written.append(file)
    return tuple(written)


def _compact(result: Result) -> str:
    return json.dumps(result, ensure_ascii=False, allow_nan=False)


def told(value: Any, sd: float | None = None) -> str:
    """A figure as a table shows it.

    >>> told(0.1549, 0.0774), told([[1, 2]]), told(None)
    ('0.1549 ± 0.077', '[[1, 2]]', '–')
    """
    if value is None:
        return "–"
    if isinstance(value, list):
        return json.dumps(_rounded(value))
    return _short(value, 4) if sd is None else f"{_short(value, 4)} ± {_short(sd, 2)}"


def _short(value: float, digits: int) -> str:
    """So many digits that count, and never a power of ten for a number that reads well without."""
    return f"{value:.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"


def _rounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_rounded(inner) for inner in value]
    return float(f"{value:.3g}") if isinstance(value, float) and not value.is_integer() else int(value)


def markdown(results: Sequence[Result]) -> str:
    """The whole table as a page."""
    lines = [line for result in results for line in result["outcomes"]]
    quick = any(result["quick"] for result in results)
    text = [
        "# What the five papers print, and what comes out here",
        "",
        "Written by `python -m kernlib papers`. " + count(lines).words(),
        "",
        "Rule: two figures agree when they differ by at most 2·SE + 2·SE, SE = sd/√n. " + both_rules(lines) + " n is "
        "the number of splits behind our figure.",
        "",
        made(results),
        "",
        "Why figures do not agree, and how many: " + " ".join(f"({number}) {why}" for number, why in why_not(lines)),
    ]
    if quick:
        text += ["", "**A quick run: few draws and few splits. The verdicts have little weight.**"]
    for paper, (title, _) in PAPERS.items():
        own = [result for result in results if result["paper"] == paper]
        if not own:
            continue
        counted = count(line for result in own for line in result["outcomes"])
        text += ["", f"## [{paper}] {title}", "", counted.words()]
        for table in tables(own):
            text += ["", f"### {table.title}", "", *([table.remark, ""] if table.remark else [])]
            for words in table.protocols:
                text += [f"- {words}"]
            text += ["", "| | printed | here | n | verdict |", "|---|---|---|---|---|"]
            for line in table.lines:
                text.append(
                    f"| {table.label(line)} | {_cell(line, 'published')} | {_cell(line, 'ours')} | {line['n']} | "
                    f"{'drawn' if line['of'] == 'drawn' else line['verdict']} |"
                )
            text += [f"\n{reason}" for reason in table.reasons]
    return "\n".join(text) + "\n"


def _cell(line: dict[str, Any], which: str) -> str:
    return told(line[which], line["published_sd" if which == "published" else "sd"])
