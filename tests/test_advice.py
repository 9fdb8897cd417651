"""`advise`: settings compared by leave-one-out errors, the best raced, and the run that measures the first."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, DataError, Deep, Empirical, Power, SquareRoot, Standardized
from kernlib.__main__ import main
from kernlib.advice import (
    Advice,
    Setting,
    advise,
    beats_guessing,
    candidates,
    expected,
    expected_in_words,
    find,
    follow_up,
    headline,
    information_in_words,
    nested,
    nested_losses,
    proposed_measure,
    read_settings,
    recommended,
    search,
    sections,
    settings_text,
    verdict,
)
from kernlib.advice.nested import NestedLosses, nested_band
from kernlib.advice.report import named, run_sections, written
from kernlib.analysis.quick import quick_errors
from kernlib.data import Dataset, load_dataset
from kernlib.experiments import Axis, RunSpec, curve, reread_upload, sweep
from kernlib.experiments.decisions import default_kernel, presets_for
from kernlib.experiments.race import COSTS, ROUNDS, race
from kernlib.kinds.matrices import Matrix
from kernlib.machines import SVM, KernelRidge
from kernlib.protocols import GroupedSplits, RepeatedKFold, RepeatedSplits
from kernlib.statistics import Band, mean_share
from kernlib.values.words import percent


@pytest.fixture(autouse=True)
def no_nested_cross_validation(monkeypatch):
    """Commands compare once, without a budget too; what tests nested cross-validation gives it one."""
    monkeypatch.setattr(nested, "NESTED_SECONDS", 0.0)


def _drawn(rows, y, task="classification", *, name="upload:0123", domain="vector", classes=("a", "b"), groups=None):
    classes = classes if task == "classification" else ()
    return Dataset(name, "Drawn", domain, rows, y=y, classes=classes, task=task, groups=groups)


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(2)
    path = tmp_path / "two kinds.csv"
    rows = rng.normal(size=(60, 2)) + 3 * np.repeat([[0], [1]], 30, axis=0)
    lines = [f"{a!r},{1000 * b!r},{'xy'[i // 30]},p{i % 6}" for i, (a, b) in enumerate(rows.tolist())]
    path.write_text("\n".join(["a,b,kind,who", *lines]))
    return path


def test_a_file_is_advised_and_the_run_measures_the_best(table, tmp_path, capsys):
    spec = tmp_path / "run.json"
    asked = ["advise", str(table), "--role", "kind=label", "--role", "who=ignore"]
    report = tmp_path / "report.md"
    assert main([*asked, "--out", str(spec), "--report", str(report)]) == 0
    told = capsys.readouterr()
    assert "two kinds" in told.err
    assert report.read_text().startswith("# Which kernel suits two kinds")
    assert "advise" in report.read_text().partition("## Script")[2]
    assert f"python -m kernlib run {spec} --data '{table}' --out results" in told.out
    first = told.out.splitlines()[0].partition(": ")[2]
    assert repr(RunSpec.from_json(spec.read_text()).kernel) == first
    assert main(["run", str(spec), "--data", str(table), "--out", str(tmp_path / "results")]) == 0
    assert (tmp_path / "results" / "curve.csv").exists()
    assert main([*asked, "--out", str(spec)]) == 2  # nothing is written over
    assert "exists already" in capsys.readouterr().err


def test_of_a_large_file_some_rows_are_measured(table, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(find, "RUN_ROWS", 40)
    spec = tmp_path / "run.json"
    asked = ["advise", str(table), "--rows", "20", "--role", "kind=label", "--role", "who=ignore"]
    assert main([*asked, "--out", str(spec)]) == 0
    told = capsys.readouterr().out
    assert "compared on 20 of the 60 rows" in told
    assert "run it on 40 of the rows with" in told
    assert reread_upload(table, RunSpec.from_json(spec.read_text())).n == 40


def test_rows_of_one_group_are_measured_together(table, tmp_path):
    spec = tmp_path / "run.json"
    asked = ["advise", str(table), "--role", "kind=label", "--role", "who=group", "--out", str(spec)]
    assert main(asked) == 0
    run = RunSpec.from_json(spec.read_text())
    assert isinstance(run.protocol, GroupedSplits)
    assert isinstance(run.inner, GroupedSplits)


@pytest.mark.parametrize(
    "name",
    [
        "sinc",
        "karate",
        "digit-pairs",
        "mutag",
        "heart-mixed",
        "monks-1",
        "markov-strings",
        "webkb",
        "digit-shift-scores",
    ],
)
def test_every_kind_of_rows(name):
    data = load_dataset(name)
    found = advise(data, rows=36)
    errors = [a.error for a in found]
    assert 2 <= len([a for a in found if not a.problem]) <= find.RACING
    assert errors == sorted(errors)
    assert all(a.n <= max(36, data.n * (data.domain in ("node", "matrix"))) for a in found if not a.problem)
    families = {setting.family for setting in candidates(data)}
    assert {a.name for a in found} <= families
    assert follow_up(data, found).load().digest == data.digest


def test_of_many_scores_some_rows_are_compared(monkeypatch):
    monkeypatch.setattr(Matrix, "compared", 100)
    found = advise(load_dataset("digit-shift-scores"), rows=60)
    assert {a.n for a in found if not a.problem} == {60}


def test_all_settings_are_compared_by_the_squared_quick_error():
    data = load_dataset("iris")
    *states, last = search(data)
    assert (
        {a.kernel for a in last.settings} == {setting.kernel for setting in candidates(data)} > {default_kernel(data)}
    )
    for shown in last.settings[:5]:
        assert shown.errors.squared == pytest.approx(quick_errors(shown.kernel(data.rows), data.y).squared)
    squared = [a.errors.squared for a in last.settings]
    assert squared == sorted(squared)
    racing = {a.kernel for a in last.best}
    assert {a.kernel for a in last.settings[:2]} <= racing
    assert len({a.name for a in last.best}) >= min(find.FAMILIES, len({a.name for a in last.settings}))
    assert [state.stage for state in (states[0], last)] == ["settings", "done"]


def test_the_race_ends_with_the_errors_of_cross_validation():
    """Every kernel that stays has the error that a sweep gives; one that drops out trains no further machines."""
    data = load_dataset("monks-2", n=200)
    kernels = [setting.kernel for setting in candidates(data)][:6]
    *_, last = race(data, kernels)
    assert last.fits < last.all_fits / 3
    first = last.runners[0]
    spec = RunSpec("monks-2", first.kernel, first.machine, RepeatedKFold(folds=5, repeats=5), parameters=(("n", 200),))
    scores = [result.score for result in sweep(spec) if result.split < 5 * last.rounds]
    assert first.error == pytest.approx(np.mean(scores))
    whole = replace(spec, axis=Axis("kernel", tuple(map(repr, kernels))), second=Axis("machine.C", COSTS))
    assert first.error <= curve(whole, sweep(whole)).mean.min() + 0.01
    dropped = [runner for runner in last.runners if runner.dropped]
    assert dropped
    assert all(runner.rounds < last.rounds or len(last.losses) == 1 for runner in dropped)


def test_a_race_that_is_stopped_judges_no_part_that_is_not_complete():
    """It may be stopped at any moment, also between two groups of kernels."""
    data, kernels = load_dataset("iris", n=30), [RBF(sigma=1.0), Standardized(RBF(sigma=1.0))]
    whole = [(state.rounds, state.fits) for state in race(data, kernels)]
    for moment in range(40):
        stops = itertools.chain(itertools.repeat(False, moment), itertools.repeat(True))
        states = list(race(data, kernels, cancelled=stops.__next__))
        assert [(state.rounds, state.fits) for state in states] == whole[: len(states)]


def test_a_race_of_groups_and_of_real_targets():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 2))
    real = _drawn(rows, rows[:, 0] + 0.1 * rng.normal(size=60), "regression")
    kernels = [RBF(sigma=1.0), RBF(sigma=0.001)]
    *_, last = race(real, kernels)
    assert last.runners[0].kernel == RBF(sigma=1.0)
    assert last.runners[0].error < 0.5 < last.runners[1].error
    assert last.rounds < ROUNDS, "no round follows when one kernel is left"
    owners = tuple(str(i % 12) for i in range(60))
    grouped = _drawn(rows, (rows[:, 0] > 0).astype(int), groups=owners)
    *_, last = race(grouped, kernels)
    assert last.runners[0].kernel == RBF(sigma=1.0)


def test_slow_families_come_last(monkeypatch):
    iris, gram = load_dataset("iris", n=60), RBF.gram
    settings = [Setting("slow" if s < 0.6 else "quick", RBF(sigma=s)) for s in (0.5, 0.55, 0.6, 1.2)]
    seconds = [0.0]
    clock = SimpleNamespace(perf_counter=lambda: sum(seconds), process_time=lambda: sum(seconds))
    monkeypatch.setattr(find, "time", clock)
    monkeypatch.setattr(nested, "time", clock)
    monkeypatch.setattr(RBF, "gram", lambda k, X, Y: seconds.append(2.0 * (k.sigma < 0.6)) or gram(k, X, Y))
    states = list(search(iris, settings=settings))[:4]
    compared = [set(), *({one.kernel.sigma for one in state.settings} for state in states)]
    assert [(after - before).pop() for before, after in itertools.pairwise(compared)] == [0.5, 0.6, 1.2, 0.55]


def test_a_matrix_is_evaluated_once_for_all_rounds_and_parts(monkeypatch):
    evaluated, gram = [], RBF.gram
    monkeypatch.setattr(RBF, "gram", lambda self, X, Y: evaluated.append(self.sigma) or gram(self, X, Y))
    data, settings = load_dataset("iris", n=60), [Setting("a", RBF(sigma=s)) for s in (1.0, 2.0, 4.0)]
    *_, last = search(data, settings=settings, nested=True, seconds=1e9)
    assert last.race.rounds >= 1
    assert last.nested.complete
    assert sorted(evaluated) == [1.0, 2.0, 4.0]
    *_, alone = nested_losses(data, settings)
    assert alone.losses.tolist() == last.nested.losses.tolist()


def test_a_part_has_no_values_of_a_kernel_that_exists_only_for_all_rows_at_once():
    data, kernel = load_dataset("iris", n=40), SquareRoot(RBF())
    memo = {}
    for one in (kernel, RBF()):
        one.bind(data.inputs, memo)
    rows = np.arange(0, 40, 2)
    sliced = nested._sliced(memo, rows)
    assert kernel not in sliced
    assert_allclose(sliced[RBF()].matrix, RBF()(data.inputs[rows]))


def test_before_the_race_the_verdict_is_preliminary():
    iris = load_dataset("iris", n=60)
    *_, state = (state for state in search(iris) if state.race is None)
    assert (state.stage, state.progress) == ("race", (0, 5))
    best = state.settings[0]
    words = headline(state, iris)
    first = f"{named(best, state.settings)} is first, with {percent(best.squared, 3)} ± "
    assert words.startswith(f"Preliminary, by quick errors alone: {first}")
    assert words.endswith("No kernel is cross-validated yet.")
    noise = _drawn(np.random.default_rng(1).normal(size=(40, 3)), np.arange(40) % 2)
    *_, shuffled = (state for state in search(noise) if state.race is None)
    assert "no better than guessing" in headline(shuffled, noise)


def test_a_budget_and_a_stop_end_early_with_what_is_known():
    data = load_dataset("wine")
    *_, short = search(data, seconds=1e-9)
    assert len(short.settings) < short.total
    assert "settings are not compared" in " ".join(short.notes)
    calls = []
    *_, stopped = search(data, cancelled=lambda: len(calls) > 3 or calls.append(1))
    assert 0 < len(stopped.settings) < stopped.total
    assert stopped.best == ()


def test_the_expected_error_is_that_of_rows_that_no_choice_has_seen():
    """On noise the race is optimistic; the whole comparison repeated on parts of the rows is not."""
    rng = np.random.default_rng(1)
    noise = _drawn(rng.normal(size=(80, 3)), np.arange(80) % 2)
    *_, found = search(noise, nested=True, seconds=1e9)
    band, raced = expected(found), expected(replace(found, nested=None))
    assert found.nested.complete
    assert found.nested.trained == 64
    assert 0.4 < band.mean < 0.65
    assert found.best[0].error < raced.mean < band.mean
    assert band.low < 0.5 < band.high < band.low + 0.5
    # The simplest of those that tie is not promised less than its own error in the race.
    lucky = replace(found, nested=replace(found.nested, band=replace(band, mean=0.1, low=0.05)))
    own = recommended(found.best).error
    assert expected(lucky).mean == pytest.approx(own)
    assert expected(lucky).low <= 0.05
    assert own < expected(lucky).high
    assert "after choosing and training on 64 rows" in " ".join(expected_in_words(found, noise))
    assert "training on 64 rows" in " ".join(expected_in_words(replace(found, nested=None), noise))
    again = list(search(noise, nested=True, known=found, seconds=1e9))
    assert again[-1].nested.losses.tolist() == found.nested.losses.tolist()


def test_a_budget_that_is_too_small_leaves_nested_cross_validation_out():
    iris = load_dataset("iris", n=60)
    few = {"settings": candidates(iris)[:6], "nested": True}
    *_, found = search(iris, **few, seconds=1e9)
    assert found.nested.complete
    *_, short = search(iris, **few, known=replace(found, nested=None), seconds=1e-9)
    assert short.nested is None
    assert short.race.over
    karate = load_dataset("karate")
    *_, nodes = search(karate, settings=candidates(karate)[:6], nested=True, seconds=1e9)
    assert nodes.nested is None
    assert "parts of these rows cannot be compared alone" in nodes.notes[-1]


def test_groups_stay_whole_in_nested_cross_validation(monkeypatch):
    rng = np.random.default_rng(0)
    owners = np.arange(60) // 3
    rows, y = rng.normal(size=(60, 2)) + 4 * rng.normal(size=(20, 2))[owners], owners % 2
    data = _drawn(rows, y, groups=tuple(map(str, owners)))
    tested = []
    monkeypatch.setattr(
        nested, "held_out_losses", lambda d, k, m, train, test, _: tested.append((train, test)) or np.ones(len(test))
    )
    *_, last = nested_losses(data, [Setting("a", RBF(sigma=s)) for s in (1.0, 2.0)])
    band = last.band
    assert len(tested) == 5
    assert sorted(np.concatenate([test for _, test in tested])) == list(range(60))
    assert all(not set(owners[train]) & set(owners[test]) for train, test in tested)
    assert band.mean == band.high == 1.0
    assert band.low < 0.8, "20 groups, not 60 rows"


def test_a_balanced_error_is_the_mean_of_those_of_the_classes():
    rare = np.arange(60) % 3 == 0
    losses = (np.arange(60) % 7 == 0).astype(float)
    band = nested_band(losses, _drawn(np.arange(60.0)[:, None], rare.astype(int)), "balanced error", 5)
    own = [mean_share(losses[rare == one], widened=1.44) for one in (False, True)]
    assert band.mean == pytest.approx(np.mean([part.mean for part in own]))
    assert band.standard_error == pytest.approx(np.hypot(*(part.standard_error for part in own)) / 2)


def test_real_targets_are_told_as_shares_of_the_variance():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(90, 2))
    real = _drawn(rows, 1000 + 50 * (np.sin(2 * rows[:, 0]) + 0.5 * rng.normal(size=90)), "regression")
    *_, found = search(real, nested=True, seconds=1e9)
    assert found.best[0].machine == KernelRidge(ridge="leave-one-out", centred=True)
    band = expected(found)
    assert 0.2 < band.mean < 0.8
    assert 0 < band.low < band.mean < band.high
    assert "an unexplained variance of" in headline(found, real)
    spec = follow_up(real, found.best, uploaded=True)
    assert (spec.machine, spec.measure) == (found.best[0].machine, "unexplained variance")
    scores = [result.score for result in sweep(replace(spec, reference=None), real)]
    assert np.mean(scores) == pytest.approx(band.mean, abs=0.2)


@pytest.mark.parametrize("kind", ["classes", "a rare class", "regression"])
def test_the_verdict_has_the_error_to_expect_and_not_that_of_the_race(kind):
    rng = np.random.default_rng(0)
    y = np.arange(60) % (6 if kind == "a rare class" else 2)
    y = (y == 0).astype(int)
    rows = rng.normal(size=(60, 2)) + 3.0 * y[:, None]
    data = _drawn(rows, rows[:, 0] + 0.1 * y, "regression") if kind == "regression" else _drawn(rows, y)
    *_, found = search(data, settings=[Setting("a", RBF(sigma=s)) for s in (1.0, 2.0)])
    losses = NestedLosses(np.ones(60), 5, 5, 48, Band(0.321, 0.2, 0.4, 0.05, 60, 0.95))
    words = headline(replace(found, nested=losses), data)
    assert abs(found.best[0].error - 0.321) > 0.1
    assert re.search(r"on new rows expect (an error|a balanced error|an unexplained variance) of 32%", words), words


def test_a_rare_class_asks_for_another_measure():
    rng = np.random.default_rng(0)
    y = np.r_[np.zeros(91), np.ones(9)].astype(int)
    rows = rng.normal(size=(100, 2)) + 1.5 * y[:, None]
    rare = _drawn(rows, y, classes=("no", "yes"), name="rare")
    name, why = proposed_measure(rare)
    assert name == "balanced error"
    assert "Only 9% of the rows are yes" in why
    assert "AUC" in why
    *_, found = search(rare)
    spec = follow_up(rare, found.best)
    assert spec.measure == "balanced error"
    assert spec.machine == SVM(C=10.0, scale="spread", class_weight="balanced")
    assert {one.machine.class_weight for one in found.best} == {"balanced"}
    assert why in verdict(found, rare)
    assert proposed_measure(load_dataset("iris")) == ("error", "")


def test_a_class_of_one_row_is_left_out_of_the_run(tmp_path, capsys):
    rng = np.random.default_rng(0)
    lines = [f"{a!r},{b!r},{'xyz'[i % 2 + (i == 59)]}" for i, (a, b) in enumerate(rng.normal(size=(60, 2)).tolist())]
    (tmp_path / "rare.csv").write_text("\n".join(["a,b,kind", *lines]))
    spec = tmp_path / "run.json"
    assert main(["advise", str(tmp_path / "rare.csv"), "--label", "kind", "--out", str(spec)]) == 0
    printed = capsys.readouterr().out
    assert "1 row without another row of the class: not in the race" in printed
    assert "Guessing has error 49.2%" in printed, "29 of the 59 rows of x and y"
    assert "rows are z" not in printed
    assert "without class z, which has a single row," in printed
    assert main(["run", str(spec), "--data", str(tmp_path / "rare.csv"), "--out", str(tmp_path / "results")]) == 0
    pair = _drawn(np.zeros((3, 1)), [0, 0, 1])
    *_, found = search(pair)
    assert "No kernel races: fewer than two classes have two rows." in found.notes
    with pytest.raises(DataError, match=r"two rows of every class.*class b has one"):
        follow_up(pair, [Advice("", RBF())], uploaded=True)


@pytest.mark.parametrize("scales", [(1.0, 1000.0), (1000.0, 1.0), (1.0, 1.0, 1000.0), (1.0, 1000.0, 1000.0)])
def test_few_columns_of_unlike_units_are_standardised(scales):
    rows = np.random.default_rng(0).normal(size=(50, len(scales))) * scales
    assert isinstance(default_kernel(Dataset("units", "Units", "vector", rows)), Standardized)
    assert not isinstance(default_kernel(Dataset("units", "Units", "vector", rows / scales)), Standardized)


def test_without_labels_and_without_any_kernel(table, capsys):
    data = Dataset("bare", "Bare", "vector", np.random.default_rng(0).normal(size=(20, 2)))
    found = advise(data)
    assert [a.name for a in found] == [p.name for p in presets_for(data)]
    with pytest.raises(DataError, match="labels"):
        follow_up(data, found)
    labelled = load_dataset("iris")
    with pytest.raises(DataError, match="no kernel could be compared"):
        follow_up(labelled, [Advice("", RBF(), "", problem="it took too long.")])
    with pytest.raises(DataError, match="two rows to compare"):
        advise(labelled, rows=1)
    assert main(["advise", str(table), "--role", "kind=ignore", "--role", "who=ignore"]) == 0
    assert "Without labels" in capsys.readouterr().out


def test_labels_without_information_beat_nothing():
    """On 80 rows of noise a kernel misclassifies 40% of the rows, and shuffled labels do as well."""
    rng = np.random.default_rng(0)
    for _ in range(19):  # the last of 19 sets of noise
        rows, y = rng.normal(size=(80, 4)), rng.permutation(np.arange(80) % 2)
    lucky = _drawn(rows, y)
    *_, found = search(lucky)
    assert found.best[0].error < 0.42
    assert expected(found).mean > found.best[0].error
    assert found.p_value > 0.05
    assert not beats_guessing(found, lucky)
    words = headline(found, lucky)
    assert words.startswith("No kernel is better than guessing: on new rows expect an error of")
    assert "with shuffled labels some setting does as well in" in words
    own = quick_errors(found.settings[0].kernel(lucky.rows), lucky.y).squared
    assert found.shuffled[0] == pytest.approx(own)
    untried = next(search(lucky, settings=[Setting("Gaussian", RBF())], shuffles=False))
    assert information_in_words(untried) == "", "labels that were not shuffled are not said to carry information"


def test_two_questions_have_two_answers():
    """Whether labels carry information, by shuffling them; whether the error is below that of guessing."""
    iris = load_dataset("iris", n=60)
    *_, found = search(iris)
    clear = np.r_[0.5, np.full(99, 0.9)]
    told = information_in_words(replace(found, shuffled=clear))
    assert told.endswith("none of 99 shuffles of them did as well (P-value 0.01).")
    bad = Band(0.66, 0.55, 0.77, 0.05, 60, 0.95)
    weak = replace(found, shuffled=clear, nested=NestedLosses(np.ones(60), 5, 5, 48, bad))
    words = headline(weak, iris)
    assert "may be no better than guessing: on new rows expect an error of 66%" in words
    assert "carry information" not in words + str(sections(weak, iris)), "one answer, not two"
    assert "AUC" in words
    by_chance = replace(found, shuffled=np.r_[0.5, np.full(99, 0.4)])
    assert not beats_guessing(by_chance, iris)
    assert "does as well in 100% of trials" in headline(by_chance, iris)
    assert '"' not in headline(found, iris)
    assert "RBF(" not in headline(found, iris), "families, no code"
    assert "guessing has 67%" in headline(found, iris)
    assert re.search(r"training on 48 rows: \d\.\d+% \(95% interval", verdict(found, iris))


def test_a_search_goes_on_with_its_settings_and_races_a_kernel_of_ones_own():
    data = load_dataset("iris", n=90)
    *_, whole = search(data)
    stopped = next(state for state in search(data) if state.race is not None and state.race.rounds == 2)
    first, *_, again = search(data, known=stopped)
    assert len(first.settings) == first.total, "no setting is computed again"
    assert [(a.kernel, a.error) for a in again.best] == [(a.kernel, a.error) for a in whole.best]
    assert again.race.fits == whole.race.fits
    kernel = RBF(sigma=123.0)
    *_, wider = search(data, own=(kernel,), known=whole)
    assert [a.name for a in wider.best if a.kernel == kernel] == [find.OWN]
    assert len(wider.best) == find.RACING + 1


def test_another_grid_is_compared_and_its_report_repeats_it(tmp_path, capsys):
    data = load_dataset("iris", n=40)
    listed = settings_text(candidates(data))
    assert read_settings(listed) == candidates(data)
    own = read_settings("# Wide\nRBF(sigma=9.0)\nRBF(sigma=30.0)\n\n# Straight\nLinear()\nLinear()")
    *_, found = search(data, settings=own)
    assert {(one.name, one.kernel) for one in found.settings} == {(one.family, one.kernel) for one in own}
    assert found.total == 3
    script = written(data, 400, (), found.grid)
    printed: list[object] = []
    exec(script, {"print": lambda *values: printed.append(values)})
    assert [values[1] for values in printed[:-1]] == [one.kernel for one in found.best]
    for text, words in (("RBF(sigma=1)", "two kernels or more"), ("RBF()\nNonsense(3)", "line 2")):
        with pytest.raises(DataError, match=words):
            read_settings(text)
    with pytest.raises(DataError, match="reads vector rows"):
        list(search(data, settings=read_settings("Spectrum(length=2)\nSpectrum(length=3)")))


def test_a_search_with_fewer_settings_begins_anew_and_with_more_goes_on():
    """Labels were shuffled for the settings that are gone, too."""
    data = load_dataset("iris", n=40)
    grid = candidates(data)[:5]
    *_, whole = search(data, settings=grid[:4])
    for settings, computed in ((grid[:3], [1, 2, 3, 3]), (grid, [5, 5])):
        states = search(data, settings=settings, known=whole)
        assert [len(state.settings) for state in states if state.stage == "settings"] == computed


def test_the_grid_as_a_file_of_the_command_which_measures_the_honest_error(table, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(nested, "NESTED_SECONDS", 60.0)
    asked = ["advise", str(table), "--role", "kind=label", "--role", "who=ignore"]
    assert main([*asked, "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("# Gaussian")
    file = tmp_path / "settings.txt"
    file.write_text("\n".join([*lines[:3], "RBF(sigma=0.123)"]))
    report = tmp_path / "report.md"
    own = ["--own", "RBF(sigma=77.0)"]
    assert main([*asked, "--settings", str(file), *own, "--report", str(report)]) == 0
    told = capsys.readouterr().out
    assert "4 settings compared" in told
    assert "RBF(sigma=77.0)" in told
    assert "--own 'RBF(sigma=77.0)'" in report.read_text().replace("\\", "")
    assert "RBF(sigma=0.123)" in told
    assert "Nested cross-validation: the whole comparison was repeated" in told
    assert f"--settings {file}" in report.read_text()
    assert "after choosing and training on 48 rows" in report.read_text()
    assert main([*asked, "--settings", str(tmp_path / "none.txt")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_length_that_orders_the_classes_is_named():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    strings = np.array(["".join(rng.choice(list("ab"), 6 + 8 * one + rng.integers(3))) for one in y], dtype=object)
    data = _drawn(strings, y, domain="sequence")
    state = next(search(data, settings=read_settings("Spectrum(length=1)\nSpectrum(length=2)")))
    assert "The length of the rows alone orders the classes (AUC 1)" in " ".join(state.caveats)
    shuffled = replace(data, y=rng.permutation(y))
    assert find.caveats(shuffled) == ()


def test_rows_that_overlap_are_named_beside_the_expected_error():
    """Windows of one sequence that are shifted against each other lie on both sides of a split."""
    promoters = load_dataset("promoters")
    strings = promoters.rows.tolist()
    half = len(strings[0]) // 2
    shared = sum(
        any(
            one[start : start + half] in other
            for other in strings
            if other is not one
            for start in range(len(one) - half + 1)
        )
        for one in strings
    )
    assert shared > 20
    (said,) = find.caveats(promoters)
    assert said.startswith(f"{shared} of {promoters.n} rows share half their letters in one piece with another row:")
    *_, found = search(promoters, settings=read_settings("Spectrum(length=3)\nSpectrum(length=4)"))
    assert headline(found, promoters).endswith(said)
    assert find.caveats(load_dataset("markov-strings")) == ()
    rng = np.random.default_rng(0)
    chance = np.array(["".join(rng.choice(list("ab"), 12)) for _ in range(60)], dtype=object)
    assert find.caveats(_drawn(chance, np.arange(60) % 2, domain="sequence")) == (), "short pieces are shared by chance"


def test_the_written_run_prints_both_kernels_that_it_compares(tmp_path, capsys):
    iris = load_dataset("iris", n=60)
    settings = read_settings("RBF(sigma=2.0)\nPolynomial(degree=2)")
    *_, found = search(iris, settings=settings)
    spec = replace(follow_up(iris, found.best, (("n", 60),)), protocol=RepeatedSplits(repeats=3), tuning=())
    file = tmp_path / "run.json"
    file.write_text(spec.to_json())
    assert main(["run", str(file), "--out", str(tmp_path / "out")]) == 0
    printed, said = capsys.readouterr()
    for one in found.best:
        assert repr(one.kernel) in printed
    assert "corrected resampled t-test on 3 splits" in said
    assert "the reference kernel" in said.lower()


@pytest.mark.parametrize("name", ["iris", "promoters", "promoters-categorical", "mutag", "karate"])
def test_the_name_of_a_family_fits_its_members(name):
    words = {"Empirical map": Empirical, "Deep": Deep, "Power": Power, "power": Power}
    for setting in load_dataset(name).row_kind.candidates(load_dataset(name)):
        inside = {type(part) for part in setting.kernel.walk()}
        for word, step in words.items():
            if setting.family.startswith(word) or setting.family.endswith(f", {word}"):
                assert step in inside, (setting.family, setting.kernel)


def test_a_run_of_one_kernel_has_a_report():
    spec = RunSpec("iris", RBF(), protocol=RepeatedSplits(repeats=2))
    drawn = curve(spec, list(sweep(spec)))
    values = next(one for one in run_sections(spec, drawn, load_dataset("iris"), "") if one.title == "Values")
    assert values.rows == (("–", drawn.in_words(drawn.mean[0]), "2", ""),)
