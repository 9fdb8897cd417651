"""A comparison of kernels, or a run, as a report: verdict, table, protocol, script, versions and sources."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from functools import partial

from ..core.base import Kernel
from ..data import Dataset
from ..experiments import Curve, RunSpec, more_in_words, recommendation_in_words
from ..experiments.files import version_of
from ..experiments.race import COSTS, FOLDS, ROUNDS
from ..experiments.scripts import filled, program
from ..kinds import Setting
from ..machines import Machine
from ..values.halves import HalvesErrors
from ..values.sections import Section
from ..values.words import number, percent
from .candidates import settings_text
from .find import OWN, Comparison, proposed_measure
from .report import evidence, stages

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


def methods(state: Comparison, data: Dataset) -> str:
    """Return a sentence or two for the methods section of a paper.

    >>> from kernlib import RBF
    >>> from kernlib.advice import search
    >>> from kernlib.data import load_dataset
    >>> data = load_dataset("iris", n=45)
    >>> *_, state = search(data, settings=[Setting("Gaussian", RBF(sigma=sigma)) for sigma in (1.0, 2.0)])
    >>> methods(state, data).startswith("We compared 2 kernels on 45 rows")
    True
    """
    measure = proposed_measure(data)[0]
    classes = data.task == "classification"
    machine = (
        "kernel ridge regression, its penalty chosen by leave-one-out inside each training part"
        if not classes
        else "a support vector machine" + (" with balanced class weights" if measure == "balanced error" else "")
    )
    of = f"{state.n} rows" if state.n == data.n else f"a stratified sample of {state.n} of {data.n} rows"
    chosen = (
        f" with C chosen among {', '.join(f'{cost:g}' for cost in COSTS)} over the kernel's spread" if classes else ""
    )
    rounds = 0 if state.race is None else state.race.rounds
    repeats = f"{FOLDS}-fold cross-validation, repeated up to {ROUNDS} times ({rounds} here)"
    if state.machine is not None:
        has_cost = hasattr(state.machine, "C")
        machine, chosen = state.machine.describe({"C": "tuned"} if has_cost else None), chosen if has_cost else ""
    if data.groups is not None:
        repeats = f"random splits into 80% and 20% of the groups, up to {FOLDS * ROUNDS} ({FOLDS * rounds} here)"
    return (
        f"We compared {len(state.settings)} kernels on {of} by the squared leave-one-out error of ridge "
        f"regression with an intercept. The best of each family and the next best, {len(state.best)} in all, were "
        f"compared by {repeats}, of {machine}{chosen}, by the {measure}. Kernels significantly worse than the best "
        "(corrected resampled t-tests, Holm's correction, 5% over all rounds) received no further splits."
        + (
            f" The expected error is that of {nested.total}-fold nested cross-validation of this whole procedure."
            if (nested := state.nested) is not None and nested.complete
            else ""
        )
    )


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
    own = [one.kernel for one in state.settings if one.name == OWN]
    return (
        Section("Verdict", evidence(state, data)),
        Section("Kernels", header=header, rows=tuple(rows)),
        _about(data),
        Section("Protocol", (*stages(state, data), *state.notes, proposed_measure(data)[1])),
        Section("Methods, to paste", (methods(state, data),)),
        *_ending(
            script or written(data, state.n, own, state.grid, state.machine),
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
