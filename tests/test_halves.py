"""The one protocol behind every error: five halves, one machine, nothing learnt from a test row."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from kernlib import RBF, Deep, Empirical, Linear, Nystrom, Power, ProbabilityOverlap, SquareRoot, Subsequence
from kernlib.analysis.summary import errors_in_words
from kernlib.data import load_dataset
from kernlib.errors import DataError
from kernlib.experiments import RunSpec, seen_by, sweep
from kernlib.experiments.decisions import default_machine
from kernlib.machines import MACHINES, SVM, KernelRidge, starting_machine
from kernlib.measures import MEASURES
from kernlib.protocols import (
    HALVES,
    HalvesErrors,
    SharedHalves,
    errors_of_matrix,
    errors_on_halves,
    halves_machine,
    halves_of,
    halves_protocol,
    held_out_decisions,
    suitable_measure,
)
from kernlib.values.arrays import Factor
from kernlib.wrappers.deep import Level

MARKOV = load_dataset("markov-strings", n=60)
IRIS = load_dataset("iris")
SINC = load_dataset("sinc", n=60)


@pytest.mark.parametrize(
    ("data", "kernel"),
    [
        (MARKOV, Subsequence(order=3, decay=0.25)),
        (MARKOV, Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))),
        (IRIS, Deep(RBF(sigma=2.0), level=2)),
        (IRIS, Nystrom(RBF(sigma=2.0), landmarks=20)),
        (IRIS, RBF(sigma="median")),
        (load_dataset("monks-2", n=120), ProbabilityOverlap()),
        (IRIS, SquareRoot(Linear())),
        (SINC, RBF(sigma=0.5)),
    ],
    ids=repr,
)
def test_the_errors_are_those_of_a_run_over_the_same_halves(data, kernel):
    """Independent of the protocol's own loop: the sweep splits, fits, tests and trains by itself."""
    found = errors_on_halves(kernel, data.inputs, data.y, task=data.task)
    name = suitable_measure(data.y, data.task)
    spec = RunSpec(data.name, kernel, default_machine(data, name), halves_protocol(), name, also=(f"training {name}",))
    results = list(sweep(spec, data))
    assert [r.score for r in seen_by(name, spec, results)[1]] == pytest.approx(found.tests, abs=1e-9)
    assert [r.score for r in seen_by(f"training {name}", spec, results)[1]] == pytest.approx(found.trainings, abs=1e-9)
    assert len(found.tests) == len(found.trainings) == HALVES
    assert found.transductive == kernel.transductive
    assert (found.measure, found.n) == (name, data.n)


@pytest.mark.parametrize("kernel", [RBF(sigma=1.5), Linear()], ids=repr)
def test_a_kernel_that_learns_nothing_may_give_its_matrix_or_its_factor(kernel):
    found = errors_on_halves(kernel, IRIS.inputs, IRIS.y)
    assert errors_of_matrix(kernel(IRIS.inputs), IRIS.y) == found
    F = IRIS.inputs
    assert errors_of_matrix(Factor(F), IRIS.y).test == pytest.approx(errors_of_matrix(F @ F.T, IRIS.y).test, abs=0.03)


def test_the_base_matrix_is_evaluated_once(monkeypatch):
    calls = []
    plain = Subsequence.gram
    monkeypatch.setattr(Subsequence, "gram", lambda self, X, Y: calls.append(len(X)) or plain(self, X, Y))
    memo = {}
    for p in (0.3, 0.6):
        errors_on_halves(Empirical(Power(Subsequence(), p=p)), MARKOV.inputs, MARKOV.y, memo=memo)
    assert calls == [MARKOV.n]


@pytest.mark.parametrize(
    "machine", [one for one in MACHINES if "classification" in one.task], ids=lambda one: one.__name__
)
def test_every_machine_for_classes_has_its_errors(machine):
    for kernel in (RBF(sigma=1.5), Nystrom(RBF(sigma=1.5), landmarks=20)):
        found = errors_on_halves(kernel, IRIS.inputs, IRIS.y, machine=starting_machine(machine, "classification"))
        assert max(found.training, found.test) < found.chance / 2


def test_each_level_is_made_once_on_every_half(monkeypatch):
    made = []
    plain = Level.fold_rows
    monkeypatch.setattr(Level, "fold_rows", lambda self, *of: made.append(self.number) or plain(self, *of))
    kernels = [Deep(Subsequence(), level=level) for level in range(4)]
    expected = [errors_on_halves(kernel, MARKOV.inputs, MARKOV.y) for kernel in kernels]
    made.clear()
    shared = SharedHalves(kernels, MARKOV.inputs)
    assert [errors_on_halves(kernel, MARKOV.inputs, MARKOV.y, shared=shared) for kernel in kernels] == expected
    assert made == [level for level in (1, 2, 3) for _ in range(HALVES)]


def test_all_kernels_have_the_same_halves_and_the_first_five_stay():
    halves, more = halves_of(IRIS.y), halves_of(IRIS.y, count=25)
    assert len(halves) == HALVES
    for (train, test), (again, others) in zip(halves, more, strict=False):
        assert_array_equal(train, again)
        assert_array_equal(test, others)
        assert not np.intersect1d(train, test).size
        assert np.bincount(IRIS.y[train]).tolist() == [25, 25, 25]


def test_groups_stay_whole():
    groups = np.arange(60) // 6
    for train, test in halves_of(np.arange(60) % 2, groups=groups):
        assert not np.intersect1d(groups[train], groups[test]).size
    rng = np.random.default_rng(0)
    K = np.eye(60) + (groups[:, None] == groups)  # a row recognises its own group alone
    y = np.repeat(rng.integers(0, 2, 10), 6)
    assert errors_of_matrix(K, y).test < 0.1
    assert errors_of_matrix(K, y, groups=groups).test > 0.3


@pytest.mark.parametrize(
    ("counts", "measure"),
    [
        ((75, 25), "error"),
        ((76, 24), "balanced error"),
        ((20, 20, 20), "error"),
        ((40, 40, 8), "balanced error"),
        ((30, 30, 1), "error"),
    ],
)
def test_a_rare_class_makes_the_error_balanced(counts, measure):
    y = np.repeat(np.arange(len(counts)), counts)
    assert suitable_measure(y) == measure
    assert halves_machine(measure).class_weight == ("balanced" if "bal" in measure else "equal")


def test_a_constant_kernel_does_not_learn_and_the_identity_memorises():
    y = np.arange(40) % 2
    identity = errors_of_matrix(np.eye(40), y)
    assert identity.verdict == "memorises"
    assert identity.training == 0
    rare = errors_of_matrix(np.eye(40), (np.arange(40) < 6).astype(int))
    assert (rare.measure, rare.chance) == ("balanced error", 0.5)


def test_real_targets_have_the_share_of_the_variance():
    found = errors_on_halves(RBF(sigma=1.0), SINC.inputs, SINC.y, task="regression")
    assert (found.task, found.measure, found.chance) == ("regression", "unexplained variance", 1.0)
    assert MEASURES["unexplained variance"].chance(SINC.y) == 1.0


def test_a_class_of_one_row_is_refused():
    with pytest.raises(DataError, match="every class must have at least 2 rows"):
        errors_of_matrix(np.eye(5), [0, 0, 0, 0, 1])
    assert HalvesErrors("classification", "error", (0.2, 0.4), (0.0, 0.1), 0.5, 9, 4).test == pytest.approx(0.3)


def test_a_sentence_names_the_machine_whose_errors_it_states():
    data = load_dataset("iris", n=60)
    for machine, subject in (
        (None, "a support vector machine learns"),
        (SVM(C=1.0), "a support vector machine learns"),
        (KernelRidge(), "the machine (kernel ridge regression) learns"),
    ):
        errors = errors_on_halves(RBF(), data.inputs, data.y, machine=machine)
        assert errors_in_words(errors).startswith(subject)


@pytest.mark.parametrize(
    ("data", "kernel", "between"),
    [
        (MARKOV, Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5)), (0, 1)),
        (IRIS, RBF(sigma="median"), (1, 2)),
        (IRIS, Nystrom(RBF(sigma=2.0), landmarks=20), (1, 2)),
    ],
    ids=["learns a map", "learns a bandwidth", "has a factor"],
)
def test_a_held_out_decision_is_that_of_a_machine_trained_without_the_row(data, kernel, between):
    machine = SVM(C=10.0, scale="spread")
    f = held_out_decisions(kernel, data.inputs, data.y, machine, between=between)
    asked = np.isin(data.y, between)
    assert_array_equal(np.isfinite(f), asked)
    (train, test), *_ = halves_of(data.y)
    fold = kernel.fold(data.inputs[train], data.inputs[test], data.y[train])
    pair, new = asked[train], asked[test]
    fitted = machine.fit(fold.K[np.ix_(pair, pair)], (data.y[train][pair] == between[1]).astype(int))
    np.testing.assert_allclose(
        f[test[new]], fitted.decision(fold.K_star[np.ix_(new, pair)], fold.k_diag[new]), atol=1e-6
    )
    shared = SharedHalves([kernel], data.inputs)
    again = held_out_decisions(kernel, data.inputs, data.y, machine, between=between, shared=shared)
    np.testing.assert_allclose(again[asked], f[asked], atol=1e-6)
