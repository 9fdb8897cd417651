"""A comparison of kernels, or a run, in sentences and as a report with its table, script, versions and sources."""

from __future__ import annotations

import math
import platform
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ..core.base import Kernel
from ..data import Dataset
from ..experiments import Curve, RunSpec, more_in_words, recommendation_in_words
from ..experiments.files import version_of
from ..experiments.race import FOLDS, ROUNDS
from ..experiments.scripts import filled, program
from ..kernels.combined import chain_in_words
from ..kinds import Setting
from ..machines import Machine
from ..measures import MEASURES
from ..statistics import (
    Band,
    band_of_best,
    log_interval,
    share_interval,
)
from ..values.arrays import Array
from ..values.labels import HalvesErrors
from ..values.words import Section, number, percent, value_in_words
from .find import (
    CLEAR,
    FEW,
    OWN,
    Advice,
    Comparison,
    as_good,
    joined,
    proposed_measure,
    raceable,
    recommended,
    settings_text,
)

#: A p-value up to this one is significant.
_CHANCE = 0.05
#: How well each way to choose did, as ``python -m tests.benchmarks choosing`` measured it.
REGRETS = (
    "Points of error above the best setting, mean ± standard error over 48 samples: squared leave-one-out error "
    "3.2 ± 0.7, 5-fold cross-validation 2.2 ± 0.4, this page's comparison 2.1 ± 0.4, a random setting 6.5 ± 1.0."
)
#: Families without a name of their own.
_UNNAMED = (OWN, "From the menu", "Your own grid", "Some columns")


def guessing(data: Dataset) -> float:
    """Return the error of guessing by the measure that suits the data.

    >>> from kernlib.data import load_dataset
    >>> round(guessing(load_dataset("iris")), 3)
    0.667
    """
    if data.task == "regression":
        return 1.0
    y = (raceable(data)[0] or data).y
    return math.nan if y is None else MEASURES[proposed_measure(data)[0]].chance(y)


def expected(state: Comparison) -> Band | None:
    """Return the error to expect of the recommended kernel on new data, with a 95% interval; None without a race.

    Where the comparison was repeated on parts of the rows, it is the error of rows that no choice has seen. Otherwise
    it is the error in the race, corrected for the choice among the kernels and their C of the first round, with the
    interval as wide as that of the corrected resampled t-test: some optimism is left. For real targets the interval of
    nested cross-validation spans that of the race, too. Where the recommended kernel itself has a larger error in the
    race than all this, as the simplest of those that tie may have, that larger error is the one to expect, and the
    interval spans both.
    """
    race = state.race
    if race is None or not race.losses:
        return None
    leader = next(race.losses[one.kernel] for one in state.best if one.kernel in race.losses)
    first = {repr(value): row for value, row in race.first.items()}
    optimism = band_of_best(first, 0.0).mean - min(float(row.mean()) for row in first.values())
    band = raced = _by_race(state, leader, max(0.0, optimism))
    if state.nested is not None and state.nested.band is not None:
        band = state.nested.band
        if not any(one.errors.task == "classification" for one in state.settings if one.errors is not None):
            band = replace(band, low=min(band.low, raced.low), high=max(band.high, raced.high))
    chosen = recommended(state.best)
    if chosen is None or chosen.kernel not in race.losses:
        return band
    own = _by_race(state, race.losses[chosen.kernel], 0.0)
    if own.mean <= band.mean:
        return band
    return replace(own, low=min(own.low, band.low), high=max(own.high, band.high))


def _by_race(state: Comparison, losses: Array, optimism: float) -> Band:
    """Return the error of a kernel by its losses in the race, with what the choice among kernels adds."""
    race = state.race
    assert race is not None
    mean, count = float(losses.mean()) + optimism, len(losses)
    # Every row is tested by a machine that shares training rows with the others, as in the folds of one round.
    widened = 1 + FOLDS * race.test_over_train
    variance = widened * float(losses.var(ddof=1)) / count if count > 1 else math.inf
    if any(one.errors.task == "regression" for one in state.settings if one.errors is not None):
        return log_interval(mean, math.sqrt(variance), count)
    independent = mean * (1 - mean) / variance if variance > 0 and 0 < mean < 1 else count / widened
    return share_interval(min(mean, 1.0), min(independent, count / widened), count)


def expected_in_words(state: Comparison, data: Dataset) -> list[str]:
    """Return the error to expect of the first kernel and that of guessing, in sentences; none without."""
    band = expected(state)
    if band is None or state.race is None:
        return []
    rows = round(state.n / (1 + state.race.test_over_train))
    how = "It is corrected for the choice among kernels, and still somewhat too low."
    if state.nested is not None and state.nested.complete:
        rows = state.nested.trained
        how = "Nested cross-validation: the whole comparison was repeated on parts of the rows."
    return [
        f"Expected error on new data after choosing and training on {rows:,} rows: {percent(band.mean, 3)} (95% "
        f"interval {percent(band.low, 3)} to {percent(band.high, 3)}). {how}",
        f"Guessing has error {percent(guessing(data), 3)}.",
    ]


def beats_guessing(state: Comparison, data: Dataset) -> bool:
    """Return whether the first kernel predicts significantly better than guessing.

    Its error on new data must be significantly smaller, and no more than 5% of shuffled labels may suit some setting
    as well: the settings and the race have seen the same rows.
    """
    band = expected(state)
    return band is not None and band.high < guessing(data) and state.p_value <= _CHANCE


def information_in_words(state: Comparison) -> str:
    """Return whether the labels carry information about the rows, by shuffled labels; "" where none were tried."""
    if state.shuffled is None:
        far = f"a quick error lies more than {CLEAR} standard errors below guessing"
        return f"The labels carry information about the rows: {far}."
    if not state.shuffles:
        return ""
    if state.p_value > _CHANCE:
        return (
            f"Nothing shows that the labels carry information: with shuffled labels some setting does as well in "
            f"{percent(state.p_value)} of trials."
        )
    as_well = round(state.p_value * (state.shuffles + 1)) - 1
    none = "none" if not as_well else f"only {as_well}"
    return (
        f"The labels carry information about the rows: {none} of {state.shuffles} shuffles of them did as well "
        f"(P-value {number(state.p_value, 2)})."
    )


def headline(state: Comparison, data: Dataset) -> str:
    """Return the recommendation and, on a second line, the error to expect; preliminary before the race.

    It is no stronger than its evidence: its kernel is that of `recommended`, and its number that of `expected`, as the
    error of the race is too low for the best of several.

    >>> from kernlib.advice import search
    >>> from kernlib.data import load_dataset
    >>> iris = load_dataset("iris")
    >>> print(headline(next(state for state in search(iris) if len(state.settings) == 2), iris))
    Preliminary, by quick errors alone: ...
    """
    band, chosen = expected(state), recommended(state.best)
    told = "".join(f" {one}" for one in state.caveats)
    if band is None or chosen is None:
        return f"{preliminary(state, data.columns)}{told}".strip()
    name, guess = named(chosen, state.best, data.columns), percent(guessing(data))
    interval = f"{percent(band.low)} to {percent(band.high)}"
    balanced = proposed_measure(data)[0] == "balanced error"
    what = "an unexplained variance" if data.task == "regression" else f"a{' balanced' if balanced else 'n'} error"
    expect = f"on new rows expect {what} of {percent(band.mean)} ({interval}); guessing has {guess}"
    if not beats_guessing(state, data):
        if state.p_value > _CHANCE:
            as_well = f"with shuffled labels some setting does as well in {percent(state.p_value)} of trials"
            return f"No kernel is better than guessing: {expect}; {as_well}.{told}"
        rank = " The AUC, which judges the ranking of rows, may show more." if data.task == "classification" else ""
        return f"{name} may be no better than guessing: {expect}.{rank}{told}"
    raced = [one for one in state.best if one.measured is not None]
    tied, good = sum(not one.measured.dropped for one in raced if one.measured), len(as_good(raced))
    if chosen != raced[0]:
        best = f"{named(raced[0], state.best, data.columns)} ({percent(raced[0].error, 3)})"
        why = f"It is the simplest of {good} within one standard error of the best, {best}."
    elif good > 1:
        why = f"It is the best, and the simplest of {good} within one standard error."
    elif tied > 1:
        why = f"It is the best of {tied} that tie."
    else:
        why = "All others are significantly worse." if len(raced) > 1 else "It is the only one that could be compared."
    more = [why]
    if tied == len(raced) > 2:
        more.append(f"None of the other {tied - 1} is significantly worse.")
    if percent(chosen.error) != percent(band.mean):
        more.append(f"Its {percent(chosen.error, 3)} in the comparison, which chose it, is too low.")
    if state.n < FEW:
        more.append(f"{state.n} rows can hardly tell kernels apart.")
    return f"Take {name}: {expect}.\n{' '.join(more)}{told}"


def named(one: Advice, others: Sequence[Advice], columns: Sequence[str] = ()) -> str:
    """Return the family of a kernel, with the numbers that tell it from `others` of its family; no code.

    A kernel of some columns is named by its steps, with the names of these `columns`.

    >>> from kernlib import RBF
    >>> two = [Advice("Gaussian", RBF(sigma=1.0)), Advice("Gaussian", RBF(sigma=2.0))]
    >>> named(two[0], two), named(two[0], two[:1])
    ('Gaussian (σ = 1)', 'Gaussian')
    """
    words = chain_in_words(one.kernel, columns)
    if one.name in _UNNAMED:
        return " → ".join(words)
    same = [other for other in others if other.name == one.name and other.kernel != one.kernel]
    if not same:
        return one.name
    own, theirs = _numbers(one.kernel), [_numbers(other.kernel) for other in same]
    apart = [words for place, words in own.items() if any(other.get(place) != words for other in theirs)]
    what = ", ".join(apart) or one.chain
    return one.name if what == one.name else f"{one.name} ({what})"


def _numbers(kernel: Kernel) -> dict[tuple[type, str], str]:
    """Return the parameters of a kernel and its parts, by owner and name, with their values in words."""
    return {
        (type(part), p.name): f"{p.letter or p.name} = {value_in_words(getattr(part, p.name))}"
        for part in kernel.walk()
        for p in part.parameters()
        if p.kind in ("float", "int", "choice")
    }


def preliminary(state: Comparison, columns: Sequence[str] = ()) -> str:
    """Return what is known before all is measured: the first of the race so far, or of the quick errors; "" without."""
    raced = [one for one in state.best if one.measured is not None]
    if state.race is not None and raced:
        leader = named(raced[0], state.best, columns)
        when = f"after {state.race.rounds} of {ROUNDS} rounds"
        if state.race.over:
            when = "until the whole comparison is repeated on parts of the rows"
        return f"Preliminary, {when}: {leader} has the smallest error, {percent(raced[0].error)}."
    first = next((one for one in state.settings if math.isfinite(one.squared)), None)
    if first is None or first.errors is None:
        return ""
    guess = first.squared >= 1 or state.p_value > _CHANCE
    return (
        f"Preliminary, by quick errors alone: {named(first, state.settings, columns)} is first, with "
        f"{percent(first.squared, 3)} ± {percent(first.errors.squared_se)} squared leave-one-out error. "
        + ("That is no better than guessing, so far." if guess else "No kernel is cross-validated yet.")
    )


def verdict(state: Comparison, data: Dataset) -> str:
    """Return the result of the comparison in a few sentences.

    >>> from kernlib.advice import search
    >>> from kernlib.data import load_dataset
    >>> iris = load_dataset("iris")
    >>> *_, found = search(iris)
    >>> "is for choosing: the best of several looks better than it is" in verdict(found, iris)
    True
    """
    if data.y is None:
        where = "--label COLUMN names the column that holds them"
        if data.row_kind.square:
            where = "numpy.savez(FILE, K=matrix, y=labels) writes both into one file"
        return f"Without labels no kernel is better than another: {where}."
    first, *others = evidence(state, data)
    lines = [first, *stages(state, data), *others]
    if len(others):
        lines.append("This is for choosing: the best of several looks better than it is.")
    left_out = [one for one in state.settings if one.problem]
    if left_out:
        more = f" And {len(left_out) - 1} more." if len(left_out) > 1 else ""
        lines.append(f"Not compared: {left_out[0].kernel!r}, {left_out[0].problem[:160]}{more}")
    return "\n".join(filter(None, (*lines, *state.notes, proposed_measure(data)[1])))


def evidence(state: Comparison, data: Dataset) -> tuple[str, ...]:
    """Return the recommendation and what it rests on: the error to expect, and whether the labels carry information."""
    # Where no kernel beats guessing, the headline says what shuffled labels say.
    information = information_in_words(state) if beats_guessing(state, data) else ""
    return tuple(filter(None, (headline(state, data), *expected_in_words(state, data), information)))


def stages(state: Comparison, data: Dataset) -> list[str]:
    """Return what was compared and what was dropped, a sentence for each stage so far."""
    of = f"{state.n} of the {data.n} rows" if state.n < data.n else f"all {data.n} rows"
    usable = sum(not one.problem for one in state.settings)
    lines = [f"{usable} settings compared on {of} by squared leave-one-out error."]
    if state.best:
        count = len({one.name for one in state.best})
        each = f"each of {count} families" if count > 1 else "the family"
        lines.append(f"{len(state.best)} of them raced: the best of {each}, then the next best.")
    if state.race is not None:
        race, dropped = state.race, sum(runner.dropped for runner in state.race.runners)
        lines.append(
            f"{race.rounds} {'round' if race.rounds == 1 else 'rounds'} of cross-validation: "
            f"{dropped or 'no'} {'kernel' if dropped == 1 else 'kernels'} dropped out as significantly worse than the "
            f"first (5%, corrected). {race.fits:,} of {race.all_fits:,} possible machines were trained."
        )
    return lines


#: The methods behind the numbers.
_METHODS = (
    "Leave-one-out residuals: Cawley and Talbot, Neural Networks 17, 2004.",
    "Comparisons with the best: Holm, Scandinavian Journal of Statistics 6, 1979.",
    "Error of the best of several: Tsamardinos, Greasidou and Borboudakis, Machine Learning 107, 2018.",
    "Shared training rows: Nadeau and Bengio, Machine Learning 52, 2003.",
)

_SEARCH = """\
{{ load }}
{% if listed %}
settings = read_settings(\"""
{{ listed }}
\""")
{% endif %}
*_, state = search(data, rows={{ rows }}{{ ", settings=settings" if listed }}{%
for name, value in given.items() %}, {{ name }}={{ value | repr }}{% endfor %})
for one in state.best:
    print(one.error, one.kernel)
print(headline(state, data))
"""


def sections(state: Comparison, data: Dataset, script: str = "") -> tuple[Section, ...]:
    """Return the parts of the report. Parameters: `data`, all of it; `script` that repeats the comparison."""
    rows = []
    for place, one in enumerate(state.best, 1):
        cells = ["–", "–", "–", "–", one.problem]
        if runner := one.measured:
            ends = [] if runner.difference is None or place == 1 else [runner.difference.low, runner.difference.high]
            gap = " to ".join(percent(end, 3) for end in ends) or "–"
            cost = number(getattr(runner.machine, "C", None))
            worse = "significantly worse" if runner.dropped else ""
            cells = [percent(one.error, 3), gap, str(runner.rounds), cost, worse]
        rows.append((str(place), one.name, repr(one.kernel), *cells))
    header = ("", "family", "kernel", "error", "difference from the best, 95%", "rounds", "C · spread", "")
    return (
        Section("Verdict", evidence(state, data)),
        Section("Kernels", header=header, rows=tuple(rows)),
        _about(data),
        Section("Protocol", (*stages(state, data), *state.notes, proposed_measure(data)[1])),
        *_ending(
            script or written(data, state.n, joined(state), state.grid, state.machine),
            [one.kernel for one in state.best],
            _METHODS,
        ),
    )


def _about(data: Dataset) -> Section:
    here = f"{data.title}: {data.n} rows" + (f", {len(data.classes)} classes" if data.classes else "")
    cited = (f"Cite: {data.citation}.",) if data.citation else ()
    return Section("Data", (f"{here}, digest {data.digest[:16]}.", *cited))


def _ending(script: str, kernels: Sequence[Kernel], methods: tuple[str, ...] = ()) -> tuple[Section, ...]:
    """Return how every report ends: the script, the sources of the methods and of the kernels, the versions."""
    parts = [part for kernel in kernels for part in kernel.walk()]
    sources = dict.fromkeys(source for part in parts if (source := str(getattr(type(part), "source", ""))))
    cited = (*methods, *(f"Kernel: {source}." for source in sources))
    named = (Section("Sources", cited),) if cited else ()
    return (Section("Script", code=script), *named, Section("Versions", (versions(),)))


def run_sections(spec: RunSpec, drawn: Curve, data: Dataset, script: str) -> tuple[Section, ...]:
    """Return the parts of the report of a run: the recommendation, its evidence, all values, and the `script`."""
    verdict = [recommendation_in_words(spec, drawn, data.y), *more_in_words(spec, drawn, data.y)]
    tied = {drawn.best, *drawn.not_worse}
    points = enumerate(zip(drawn.values, drawn.mean, drawn.splits, strict=True))
    rows = [
        (spec.in_words(value), drawn.in_words(mean), str(count), "" if place in tied else "significantly worse")
        for place, (value, mean, count) in points
    ]
    axis = " and ".join(filter(None, (drawn.axis, drawn.second))) or "kernel"
    protocol = [f"Kernel: {spec.kernel!r}.", f"{spec.protocol.describe(data.task or 'classification')}."]
    protocol.append(f"Machine: {spec.machine!r}.")
    return (
        Section("Verdict", tuple(filter(None, verdict))),
        Section("Values", header=(axis, drawn.measure, "splits", ""), rows=tuple(rows)),
        _about(data),
        Section("Protocol", tuple(protocol)),
        *_ending(script, [spec.kernel]),
    )


def machine_sections(
    spec: RunSpec,
    data: Dataset,
    errors: HalvesErrors | None,
    doubtful: tuple[tuple[str, ...], Sequence[tuple[str, ...]]],
    script: str,
    link: str = "",
) -> tuple[Section, ...]:
    """Return the parts of the report of one trained machine.

    Parameters: `spec` with the kernel and the machine; `data`, all of it; `errors` of the halves, None where there are
    none; `doubtful` a header and the rows most in doubt; `script` that trains the machine again; `link` to the view.
    """
    shown = partial(percent, digits=3)
    measured: tuple[tuple[str, ...], ...] = ()
    if errors is not None:
        measured = (
            ("test rows", shown(errors.test), f"{shown(min(errors.tests))} to {shown(max(errors.tests))}"),
            (
                "training rows",
                shown(errors.training),
                f"{shown(min(errors.trainings))} to {shown(max(errors.trainings))}",
            ),
            ("guessing", shown(errors.chance), ""),
        )
    protocol = f"{len(errors.tests)} random halves, {errors.trained} training rows each" if errors else "not measured"
    warned = "The kernel has seen the test rows, without their labels." if errors and errors.transductive else ""
    return (
        Section(
            "Machine", (f"{spec.machine.describe()}.", f"Kernel: {spec.kernel!r}.", f"View: {link}" if link else "")
        ),
        Section(
            "Errors", (f"{protocol}.", warned), ("", errors.measure if errors else "", "over the halves"), measured
        ),
        Section("Rows most in doubt", (), doubtful[0], tuple(doubtful[1])),
        _about(data),
        *_ending(script, [spec.kernel]),
    )


def written(
    data: Dataset,
    rows: int,
    own: Sequence[Kernel] = (),
    grid: Sequence[Setting] = (),
    machine: Machine | None = None,
) -> str:
    """Return Python that repeats the comparison, with `own` kernels, another `grid` and `machine`, and its result."""
    load = f"data = {data.recipe}" if data.recipe else 'data = read_paths("FILE")  # the uploaded file'
    given = {"own": list(own) or None, "machine": machine}
    shown = {name: value for name, value in given.items() if value is not None}
    listed = settings_text(grid) if grid else ""
    return program(title_of(data), filled(_SEARCH, load=load, rows=rows, listed=listed, given=shown))


def title_of(data: Dataset) -> str:
    """Return the title of the report about a data set."""
    return f"Which kernel suits {data.title}?"


def versions() -> str:
    """Return the versions of Python and of the libraries that the numbers rest on, in a sentence."""
    known = {name: version_of(name) for name in ("kernlib", "numpy", "scipy", "scikit-learn")}
    return ", ".join([f"Python {platform.python_version()}", *(f"{n} {v}" for n, v in known.items() if v)]) + "."
