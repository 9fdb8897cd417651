"""Count the results and write them: `papers.json` for programs, `REPRODUCTION.md` for readers; numbers of figures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..experiments.files import write_files
from ..values.words import Section, number
from ..values.words import markdown as write_markdown
from .claims import read_table
from .experiment import PAPERS, Exact, Experiment, NoData
from .running import EXPERIMENTS, AnyExperiment, Result

_DECLARED = {(e.paper, e.item): e for e in EXPERIMENTS}
#: The rule of the standard error, and what another rule would change; a test counts the figures.
RULE = (
    "Where data are drawn afresh, our standard error is taken over the draws; this rule was fixed after the first "
    "results. With every split counted as independent, 128 of the 161 shipped figures agree instead of 133."
)


@dataclass(frozen=True)
class Count:
    """Number of printed figures by verdict; a figure with two readings counts once.

    `within` agree, `cheating` of them only where test rows choose; `outside` disagree; `no_data` cannot be compared.
    `sizes` of data sets are counted apart, as they are not results.
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
        """Return the counts as a sentence."""
        only = f", {self.cheating} of them only when test rows choose" if self.cheating else ""
        sizes = f" {self.sizes} sizes of data sets agree as well." if self.sizes else ""
        return (
            f"{self.compared} printed figures were compared: {self.within} agree within the rule{only}, {self.outside} "
            f"do not; {self.no_data} more need data or runs that are not here.{sizes}"
        )


def count(outcomes: Iterable[dict[str, Any]]) -> Count:
    """Count printed figures by verdict; of several readings the honest one that agrees counts, else any that agrees."""
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


def provenance(results: Sequence[Result]) -> str:
    """Return one sentence: version, seeds and duration of the results."""
    versions = ", ".join(sorted({result["version"] for result in results}))
    seeds = sorted({result["seed"] for result in results if result["seed"] is not None})
    seconds = sum(result["seconds"] for result in results)
    return (
        f"Version {versions}, seed {', '.join(map(str, seeds)) or '–'} (further draws use the seeds that follow); the "
        f"splits took {seconds / 60:.0f} minutes in all, on one machine with other work."
    )


def reasons_outside(outcomes: Iterable[dict[str, Any]]) -> list[tuple[int, str]]:
    """Return why figures lie outside, the most frequent reason first, without figures that another reading meets."""
    lines = [line for line in outcomes if line["of"] not in ("drawn", "other")]
    met = {line["place"] for line in lines if line["place"] and line["verdict"] == "within"}
    # A figure with two readings counts under the last reading, the nearer one.
    why = {
        line["place"] or line["item"]: line["why"]
        for line in lines
        if line["verdict"] == "outside" and line["place"] not in met
    }
    return sorted(((number, words) for words, number in Counter(why.values()).items()), reverse=True)


def shipped() -> list[Result]:
    """Return the results shipped with the library, in the order of the experiments."""
    results: list[Result] = read_table("results.json")
    return results


@dataclass(frozen=True)
class Table:
    """The results of one printed table: items with the same text before the first comma."""

    title: str
    results: tuple[Result, ...]

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [line for result in self.results for line in result["outcomes"]]

    @property
    def experiments(self) -> list[AnyExperiment]:
        return [_DECLARED[result["paper"], result["item"]] for result in self.results]

    def label(self, line: dict[str, Any]) -> str:
        """Return the name of a line within the table."""
        rest = line["item"].partition(", ")[2]
        if not rest or line["label"].startswith(rest):
            return str(line["label"])
        return rest if rest.endswith(line["label"]) else f"{rest}: {line['label']}"

    def crossed(self) -> tuple[list[str], list[str], dict[tuple[str, str], dict[str, Any]]]:
        """Return rows, columns and cells of a table with items "table, row" or "table, row, column"; else no rows."""
        cells = {
            (row, label): line
            for row, lines in _by_row(self).items()
            for label, line in lines.items()
            if row not in ("", label)
        }
        rows, columns = dict.fromkeys(row for row, _ in cells), dict.fromkeys(column for _, column in cells)
        whole = len(cells) == len(self.lines) and len(cells) > 0.5 * len(rows) * len(columns)
        return (list(rows), list(columns), cells) if whole and len(rows) > 1 and len(columns) > 1 else ([], [], {})

    @property
    def remark(self) -> str:
        """Return the note that the figures are compared above already, where that is so."""
        if any(isinstance(e, Experiment) and e.other for e in self.experiments):
            return "Another reading of figures compared above: shown next to the first one and not counted again."
        return ""

    @property
    def protocols(self) -> list[str]:
        """Return how each figure was measured, without repetition, and the number of readings tried."""
        items: dict[str, list[str]] = {}
        for e in self.experiments:
            if not isinstance(e, NoData) and e.protocol:
                tried = f" {e.tried} readings were tried." if isinstance(e, Experiment) and e.tried > 1 else ""
                items.setdefault(e.protocol + tried, []).append(e.item.partition(", ")[2] or e.item)
        several = len(items) > 1
        return [f"{'; '.join(dict.fromkeys(own))}: {words}" if several else words for words, own in items.items()]

    @property
    def reasons(self) -> list[str]:
        """Return why figures lie outside, and the data that the others need, without repetition."""
        labels: dict[str, list[str]] = {}
        for line in self.lines:
            if line["verdict"] != "within" and line["of"] != "drawn" and line["why"]:
                labels.setdefault(f"{line['verdict'].capitalize()}: {line['why']}", []).append(self.label(line))
        return [
            why if len(own) == len(self.lines) else f"{why} ({'; '.join(own[:6])}{'; …' if len(own) > 6 else ''})"
            for why, own in labels.items()
        ]


def tables(results: Iterable[Result]) -> list[Table]:
    """Group results by the printed table they belong to, in their order."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(result["item"].partition(", ")[0], []).append(result)
    return [Table(title, tuple(own)) for title, own in groups.items()]


def write(out: str | Path, results: Sequence[Result]) -> tuple[Path, ...]:
    """Write papers.json (one line a figure), results.json (with digests and seconds) and REPRODUCTION.md.

    Raises DataError if the directory cannot be written.
    """
    lines = [line for result in results for line in result["outcomes"]]
    compact = [json.dumps(result, ensure_ascii=False, allow_nan=False) for result in results]
    contents = {
        "papers.json": json.dumps(lines, indent=1, ensure_ascii=False, allow_nan=False) + "\n",
        "results.json": "[\n" + ",\n".join(compact) + "\n]\n",
        "REPRODUCTION.md": markdown(results),
    }
    return write_files(out, contents)


def value_text(value: Any, sd: float | None = None) -> str:
    """Return a figure as a table shows it.

    >>> value_text(0.1549, 0.0774), value_text([[1, 2]]), value_text(None)
    ('0.1549 ± 0.077', '[[1, 2]]', '–')
    """
    if value is None:
        return "–"
    if isinstance(value, list):
        return "[" + ", ".join(map(value_text, value)) + "]"
    return number(value) if sd is None else f"{number(value)} ± {number(sd, 2)}"


def markdown(results: Sequence[Result]) -> str:
    """Return the report as a page: each printed figure that can be compared, and why values differ or are missing.

    Numbers of splits, second readings and values that a figure only draws are on the page Papers.
    """
    lines = [line for result in results for line in result["outcomes"]]
    quick = any(result["quick"] for result in results)
    parts = [
        Section(
            "All papers",
            (
                f"python -m kernlib papers --out DIR runs all experiments and writes this page. {count(lines).words()}",
                "Two figures agree when they differ by at most 2·SE + 2·SE, SE = sd/√n. " + RULE,
                "A value is printed · ours, with standard deviations where the source prints one; ✗ marks values that "
                "do not agree. The page Papers has the number of splits and the protocol of every value, and second "
                "readings.",
                provenance(results),
                "A quick run: few draws and few splits. The verdicts carry little weight." if quick else "",
            ),
        )
    ]
    for paper, (title, _) in PAPERS.items():
        own = [result for result in results if result["paper"] == paper]
        if own:
            counted = count(line for result in own for line in result["outcomes"])
            parts.append(Section(f"[{paper}] {title}", (f"--paper {paper}. {counted.words()}",)))
            parts += [part for part in map(_section, tables(own)) if part.rows or any(part.text)]
    return write_markdown("The printed figures of five papers, reproduced", parts)


def _section(table: Table) -> Section:
    """Return one printed table with how it was measured; no rows where nothing of it can be compared."""
    title = f"[{table.results[0]['paper']}] {table.title}"
    compared = [line for line in table.lines if line["verdict"] != "no data" and line["of"] != "other"]
    if not compared or all(line["of"] == "size" for line in compared):
        return Section(title, tuple(table.reasons))
    rows, columns, cells = table.crossed()
    text = (*(table.protocols if len(table.protocols) <= 3 else ()), *table.reasons)
    header: tuple[str, ...] = ("", "printed · ours")
    body: list[tuple[str, ...]] = [(table.label(line), _pair(line)) for line in compared]
    if rows:
        header = ("", *columns)
        body = [(row, *(_pair(cells.get((row, column))) for column in columns)) for row in rows]
    return Section(title, text, header, tuple(line for line in body if any(line[1:])))


def _pair(line: dict[str, Any] | None) -> str:
    if line is None or line["verdict"] == "no data":
        return ""
    spread = line["published_sd"]
    printed, ours = (
        value_text(line["published"], spread),
        value_text(line["ours"], None if spread is None else line["sd"]),
    )
    return (printed if printed == ours else f"{printed} · {ours}") + (" ✗" if line["verdict"] == "outside" else "")


def printed_n(line: dict[str, Any]) -> str:
    """Return the number of splits behind a printed figure; `*` marks a number that the source does not print."""
    if line["published_n"] <= 1:
        return "–"
    declared = _DECLARED[line["paper"], line["item"]]
    return f"{line['published_n']}{'*' if not isinstance(declared, Exact) and declared.assumed else ''}"


def _by_row(table: Table) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the lines of each item of a table by their label; of an item that has no name of its own, too."""
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    for line in table.lines:
        name = line["item"].partition(", ")[2].removesuffix(f", {line['label']}")
        rows.setdefault(name, {})[line["label"]] = line
    return rows


def gains(table: Table) -> dict[str, tuple[tuple[float, float], ...]]:
    """Return the gain of levels 1 to 5 over level 0, (a_j − a_0)/(1 − a_0), with its standard error ([K] 3.1)."""
    found = {}
    for name, lines in _by_row(table).items():
        own = [lines[label] for label in (f"gain of level {level}" for level in range(1, 6)) if label in lines]
        if own and all(line["ours"] is not None for line in own):
            found[name] = tuple((line["ours"], line["se"]) for line in own)
    return found


def moves(table: Table) -> tuple[dict[str, tuple[float, float]], dict[str, tuple[float, float]]]:
    """Return the relevant dimension and estimated error of each data set, printed and ours ([R])."""
    pairs = {name: (lines["dim"], lines["est. error"]) for name, lines in _by_row(table).items() if "dim" in lines}
    known = {name: pair for name, pair in pairs.items() if all(line["ours"] is not None for line in pair)}
    printed, ours = (
        {name: (dim[which], noise[which] / 100) for name, (dim, noise) in known.items()}
        for which in ("published", "ours")
    )
    return printed, ours


def ways(table: Table) -> list[tuple[str, float, float, float]]:
    """Return each kernel's error as printed, chosen on training rows, and chosen on the test rows ([C])."""
    errors = []
    for line, other in zip(table.lines, table.lines[1:], strict=False):
        if line["item"] == other["item"] and other["of"] == "leaky" and None not in (line["ours"], other["ours"]):
            name = line["item"].partition(", ")[2]
            errors.append((name, line["published"], line["ours"], other["ours"]))
    return errors
