"""User-defined kernels keep the contract of every kernel, or say in one sentence why they cannot."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.gaussian_process.kernels import (
    RBF as TheirRBF,
)
from sklearn.gaussian_process.kernels import (
    CompoundKernel,
    ConstantKernel,
    Exponentiation,
    Matern,
    RationalQuadratic,
    WhiteKernel,
)
from sklearn.metrics.pairwise import pairwise_kernels

from kernlib import (
    RBF,
    DataError,
    Deep,
    DegenerateError,
    Empirical,
    Linear,
    Normalized,
    OwnCodeError,
    ParameterError,
    Power,
    Standardized,
    from_estimator,
    from_sklearn,
    kernel_from,
    load_kernels,
    own_kernels,
    parse,
)
from kernlib.advice import candidates
from kernlib.analysis import examine, examine_own
from kernlib.data import load_dataset
from kernlib.estimators import GramTransformer
from kernlib.experiments import RunSpec, gram_cost, gram_in_subprocess, script, sweep_in_subprocess
from kernlib.experiments.decisions import presets_for
from kernlib.experiments.helper import result_in_subprocess
from kernlib.machines import SVM
from kernlib.own.functions import is_kept
from kernlib.protocols import RepeatedSplits
from kernlib.registry import leaves_for

from . import kernels

rng = np.random.default_rng(7)
X = np.abs(rng.normal(size=(12, 3)))
HERE = Path(kernels.__file__).name


@pytest.mark.parametrize("number", range(3))
def test_a_good_one_is_a_kernel_like_any_other(number):
    kernel = kernels.good()[number]
    K = kernel(X)
    assert_array_equal(K, K.T)
    assert K.dtype == np.float64
    close = dict(rtol=1e-6, atol=1e-6 * np.abs(K).max())
    assert_allclose(kernel.diag(X), K.diagonal(), **close)
    assert_allclose(kernel(X[:5], X), K[:5], **close)
    names = {cls.__name__: cls for cls in own_kernels()}
    for again in (parse(repr(kernel)), pickle.loads(pickle.dumps(kernel)), eval(repr(kernel), names)):
        assert again == kernel
        assert hash(again) == hash(kernel)
    for step in (
        Standardized(Deep(kernel, level=2)),
        Empirical(Power(kernel, p=0.5)),
        Normalized(kernel) + 0.5 * kernel,
    ):
        fold = step.bind(X).fold(np.arange(8), np.arange(8, 12))
        assert_allclose(fold.K_star, step.fold(X[:8], X[8:]).K_star, rtol=1e-5, atol=1e-6)
        assert parse(repr(step)) == step
    assert [finding.sound for finding in examine_own(kernel, X)] == [True] * (number < 2)
    assert_array_equal(GramTransformer(kernel).fit(X).transform(X[:2]), kernel(X[:2], X))


def test_parameters_come_from_declarations_types_and_defaults():
    cls = kernel_from(kernels.shares, name="Shares", domain="sequence", pairwise=True)
    power, case, kind = cls.parameters()
    assert (power.kind, power.low, power.high, case.kind, kind.choices) == ("int", 1, 10, "bool", ("share", "count"))
    assert repr(cls()) == "Shares(power=1, case=True, kind='share')"
    assert cls(case=False)(["Ab", "aB", "c"]).tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    (gamma,) = kernel_from(kernels.cauchy, name="Cauchy").parameters()
    assert (gamma.low, gamma.high, gamma.scale, gamma.symbol) == (0.01, 100, "log", r"\gamma")
    (width,) = kernel_from(lambda X, Y, *, width=5.0: X @ Y.T / width, name="Wide").parameters()
    assert (width.low, width.high, width.help) == (0.5, 50.0, "width")
    with pytest.raises(ParameterError, match="unknown parameter 'sigma'"):
        cls(sigma=1)


@pytest.mark.parametrize(
    ("function", "options", "words"),
    [
        (lambda X, Y, *, a: X, {"name": "A"}, "'a' has no default"),
        (lambda X, Y, *, a="u": X, {"name": "A"}, "expected a number, True or False, or a Literal"),
        (lambda X, Y, **a: X, {"name": "A"}, r"got \* or \*\*"),
        (lambda X: X, {"name": "A"}, "a function of two rows"),
        (lambda X, Y: X, {}, "'<lambda>' is no name"),
        (lambda X, Y, *, fit=1.0: X, {"name": "A"}, "cannot be called 'fit'"),
        (lambda X, Y: X, {"name": "RBF"}, "kernlib has a kernel of this name"),
        (lambda X, Y: X, {"name": "A", "domain": "vectors"}, "domain must be one of vector"),
        (3, {}, "expected a function of X and Y; got 3"),
    ],
)
def test_what_cannot_be_a_kernel_is_refused_in_one_sentence(function, options, words):
    with pytest.raises(ParameterError, match=words):
        kernel_from(function, **options)


@pytest.mark.parametrize(
    ("name", "rows", "error", "words"),
    [
        ("raises", -X, OwnCodeError, rf"raises: ZeroDivisionError, a row is negative, in line \d+ of {HERE}\."),
        ("leaves", -X, OwnCodeError, rf"leaves: SystemExit, no negative rows, in line \d+ of {HERE}\."),
        ("holes", X, DegenerateError, "is nan; expected finite values"),
        ("writes", X, OwnCodeError, "it changes its rows; .*X = X.copy"),
        ("flat", X, OwnCodeError, r"it returned shape \(\d+,\); expected \(\d+, \d+\), one value for each pair"),
    ],
)
def test_a_bad_one_says_what_is_wrong_and_where(name, rows, error, words):
    kernel = kernel_from(getattr(kernels, name))()
    before = rows.copy()
    calls = (kernel, Deep(kernel, level=1).fold, lambda X: kernel.bind(X).fold(np.arange(9)))
    for call in calls:
        with pytest.raises(error, match=words):
            call(rows)
    assert_array_equal(rows, before)


@pytest.mark.parametrize("value", [None, "x", 1j, [[1, 2], [3]]])
def test_values_that_are_no_real_matrix_are_refused(value):
    with pytest.raises(OwnCodeError, match="it returned"):
        kernel_from(lambda X, Y: value, name="Odd")()(X)
    with pytest.raises(OwnCodeError, match="for two rows"):
        kernel_from(lambda x, y: value, name="OddPair", pairwise=True)()(X)


def test_an_asymmetric_one_is_diagnosed_and_never_learnt_from():
    kernel = kernel_from(kernels.lopsided)()
    K = kernel(X)
    assert [f.name for f in examine(K)] == ["not symmetric"]
    with pytest.raises(DataError, match="must be symmetric"):
        SVM().fit(K, np.arange(12) % 2)
    assert all(f.sound for f in examine(Empirical(kernel)(X))[:2])
    with pytest.raises(OwnCodeError, match="it is not symmetric"):
        kernel_from(lambda x, y: float(x[0] - 2 * y[1]), name="Pair", pairwise=True)()(X)


def test_the_doctor_notices_values_that_depend_on_other_rows():
    (finding,) = examine_own(Normalized(kernel_from(kernels.centred)()), X)
    assert not finding.sound
    assert "k of rows" in finding.verdict
    assert examine_own(RBF(), X) == ()


def test_pairs_are_computed_once_and_the_last_matrices_are_kept():
    counted = []

    def count(x, y, *, scale: float = 2.0):
        counted.append(1)
        return scale * float(x @ y)

    kernel = kernel_from(count, pairwise=True)()
    K = kernel(X)
    assert_allclose(K, 2 * X @ X.T)
    first = len(counted)
    assert first == 78 + 9  # nine of the first ten pairs in both orders
    assert_array_equal(kernel.bind(X).fold(np.arange(4)).K, K[:4, :4])
    assert_allclose(Normalized(kernel).fold(X.copy(order="F")).K.diagonal(), 1.0)
    assert len(counted) <= first + 12  # the diagonal alone is computed again
    assert_allclose(kernel(X[::-1][:5], X), K[::-1][:5])
    assert is_kept(kernel, X)
    assert is_kept(Normalized(kernel), X)
    for other in (type(kernel)(scale=3.0), Linear(), Standardized(kernel), kernel + Linear()):
        assert not is_kept(other, X)
    assert not is_kept(kernel, X[:3])
    for scale in range(10, 18):  # eight other matrices
        type(kernel)(scale=float(scale))(X)
    assert not is_kept(kernel, X)
    fresh, before = kernel_from(count, pairwise=True, cache=False)(), len(counted)
    for _ in range(2):
        assert_array_equal(fresh(X), K)
    assert len(counted) - before == 2 * first
    assert not is_kept(fresh, X)


def test_a_function_defined_again_is_another_kernel_whatever_its_source(tmp_path, monkeypatch):
    """What a function calls may have changed where neither its source nor its pickle shows it."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "called.py").write_text("def factor(): return 1.0\n")
    called = importlib.import_module("called")

    def defined():
        def product(x, y):
            return called.factor() * float(x @ y)

        return kernel_from(product, name="Called", pairwise=True)

    K = defined()()(X)
    (tmp_path / "called.py").write_text("def factor(): return 5.0  # edited\n")
    importlib.reload(called)
    assert_allclose(defined()()(X), 5 * K)
    sys.modules.pop("called")


def test_a_kernel_that_a_helper_names_is_the_class_of_this_process():
    first = kernel_from(kernels.cauchy, name="Cauchy")
    assert result_in_subprocess(parse, ("Cauchy(gamma=3.0)",), 60.0, "late") == first(gamma=3.0)
    second = kernel_from(lambda X, Y, *, gamma=1.0: gamma * X @ Y.T, name="Cauchy")
    kernel = result_in_subprocess(parse, ("Cauchy(gamma=3.0)",), 60.0, "late")
    assert kernel == second(gamma=3.0) != first(gamma=3.0)
    assert own_kernels() == (second,)


def test_a_helper_process_knows_them_and_reports_the_pairs():
    data = load_dataset("iris")
    kernel = kernel_from(kernels.cauchy, name="Cauchy")(gamma=2.0)
    assert_allclose(gram_in_subprocess(Deep(kernel, level=1), data), Deep(kernel, level=1)(data.rows))
    spec = RunSpec("iris", kernel, protocol=RepeatedSplits(repeats=2))
    results = list(sweep_in_subprocess(spec, data))
    assert [r.problem for r in results] == ["", ""]
    paused = kernel_from(kernels.slow, name="Slow", pairwise=True)()
    seen = []
    part = data.stratified_sample(40)
    K = gram_in_subprocess(paused, part, progress=lambda done, total: seen.append((done, total)))
    assert_allclose(K, part.rows @ part.rows.T)
    assert seen
    assert {total for _, total in seen} == {820}
    assert gram_cost(paused, part).seconds == 0.0
    assert gram_cost(paused, data).seconds > 1.0


def test_a_matrix_of_a_task_that_was_refused_comes_with_the_next_one():
    kernel, X = kernel_from(kernels.slow, name="Slow", pairwise=True)(), np.random.default_rng(0).normal(size=(6, 2))
    with pytest.raises(DataError, match="refused"):
        result_in_subprocess(kernels.computed, (kernel, X, "refused"), 60.0, "late")
    assert not is_kept(kernel, X)
    result_in_subprocess(kernels.computed, (kernel, X, ""), 60.0, "late")
    assert is_kept(kernel, X)


def test_menus_presets_and_the_race_offer_them():
    cls = kernel_from(kernels.cauchy, name="Cauchy")
    data = load_dataset("iris")
    assert leaves_for("vector")[-1] is cls
    assert cls not in leaves_for("text")
    assert presets_for(data)[-1].kernel == cls()
    family = [s.kernel for s in candidates(data) if s.family == "Cauchy"]
    assert [k.gamma for k in family] == [1.0, 0.0464, 0.215, 4.64, 21.5]


def test_scikit_learn_s_kernels_have_its_values():
    rows, others = X, X[:4] + 0.1
    for theirs in (
        Matern(length_scale=0.5, nu=1.5) * ConstantKernel(2.0) + WhiteKernel(0.3),
        Exponentiation(RationalQuadratic(alpha=0.7), 2.0),
        Matern(nu=np.inf),
        TheirRBF(0.4, length_scale_bounds="fixed"),
    ):
        kernel = from_sklearn(theirs)
        assert_allclose(kernel(rows), theirs(rows), rtol=1e-12)
        assert_allclose(kernel(others, rows), theirs(others, rows), rtol=1e-12)
        assert_allclose(kernel.diag(rows), theirs.diag(rows))
        assert parse(repr(kernel)) == kernel == pickle.loads(pickle.dumps(kernel))
    assert type(from_sklearn(Matern(nu=0.5))) is type(from_sklearn(Matern(length_scale=3.0)))
    low = {p.name: (p.low, p.high) for p in type(from_sklearn(WhiteKernel(1.0, (0.1, 5.0)))).parameters()}
    assert low == {"noise_level": (0.1, 5.0)}
    for name in ("laplacian", "chi2", "polynomial", "sigmoid", "cosine", "additive_chi2"):
        assert_allclose(from_sklearn(name)(rows), pairwise_kernels(rows, metric=name), atol=1e-14)
    for wrong in ("gauss", len, CompoundKernel([Matern()]), Matern([1.0, 2.0]) + WhiteKernel()):
        with pytest.raises(ParameterError, match="from_sklearn: expected"):
            from_sklearn(wrong)


def test_bounds_of_scikit_learn_that_differ_make_different_classes():
    known = type(from_sklearn(Matern(1.0, length_scale_bounds=(0.1, 5.0))))
    assert type(from_sklearn(Matern(3.0, length_scale_bounds=np.array([0.1, 5.0])))) is known
    assert type(from_sklearn(Matern(1.0, length_scale_bounds=(0.1, 5.0 + 1e-9)))) is not known


class Counts:
    """An estimator like those of graph kernels: it keeps what it was fitted on, and has a number."""

    def __init__(self, power=2.0, normalise=False):
        self.power, self.normalise = power, normalise

    def get_params(self, deep=True):
        return {"power": self.power, "normalise": self.normalise}

    def set_params(self, **given):
        vars(self).update(given)
        return self

    def fit(self, rows):
        assert isinstance(rows, list)
        self.lengths = np.array([float(len(row)) for row in rows])
        return self

    def transform(self, rows):
        return np.outer([len(row) for row in rows], self.lengths) ** self.power

    def fit_transform(self, rows):
        return self.fit(rows).transform(rows)


def test_an_estimator_is_a_kernel_and_stays_unfitted():
    estimator = Counts(power=1.0)
    kernel = from_estimator(estimator, domain="text")
    assert repr(kernel) == "Counts(power=1.0, normalise=False)"
    texts = ["a b", "ccc dd", "e"]
    assert type(kernel)(power=2.0)(texts)[0].tolist() == [81.0, 18.0**2, 9.0]
    assert kernel(["ab"], texts).tolist() == [[6.0, 12.0, 2.0]]
    assert not hasattr(estimator, "lengths")
    assert type(from_estimator(Counts(power=3.0), domain="text")) is type(kernel)
    with pytest.raises(ParameterError, match="without fit, fit_transform, transform"):
        from_estimator(3)
    with pytest.raises(ParameterError, match=r"Make it one: .* or from_estimator\(object\), inside Deep"):
        Deep(estimator)


FILE = '''
import numpy as np
from dataclasses import dataclass
from kernlib import Kernel, from_sklearn, kernel_from
from beside import half

@kernel_from
def Shrunk(X, Y, *, power: float = 1.0):
    """Return half of the inner products."""
    return half(X @ Y.T)

from_sklearn("laplacian")

@dataclass(frozen=True, repr=False)
class Learns(Kernel):
    """Return inner products of centred rows."""
    domain = "vector"
    learns_itself = True
    def learn(self, X, y): return X.mean(axis=0)
    def gram(self, X, Y): return (X - self.state) @ ((X if Y is None else Y) - self.state).T
    def gram_diag(self, X): return ((X - self.state) ** 2).sum(axis=1)
'''


def test_a_file_is_loaded_with_its_neighbours_and_for_helper_processes(tmp_path, monkeypatch):
    (tmp_path / "beside.py").write_text("def half(K):\n    return K / 2\n")
    (tmp_path / "mine.py").write_text(FILE)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert {cls.__name__ for cls in load_kernels(tmp_path / "mine.py")} == {"Shrunk", "SklearnLaplacian", "Learns"}
    data = load_dataset("iris").take(range(10))
    for text in ("Shrunk(power=1.0)", "Learns()"):
        assert_allclose(gram_in_subprocess(parse(text), data), parse(text)(data.rows))
    code = script(RunSpec("iris", parse("Deep(Shrunk(power=2.0), level=1) + Learns()")))
    assert "from mine import Shrunk  # user-defined, in mine.py" in code
    for name in ("mine", "beside"):
        sys.modules.pop(name, None)


def test_a_script_carries_the_source_where_it_cannot_import():
    kernel = from_sklearn(Matern(nu=1.5) + WhiteKernel(0.5))
    code = script(RunSpec("iris", kernel, protocol=RepeatedSplits(repeats=2)))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("value,split,score")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\ndef f(:\n", "SyntaxError, .*, in line 2 of mine.py"),
        ("import no_such_package\n", "ModuleNotFoundError, .*no_such_package.*, in line 1 of mine.py"),
        ("import sys\nsys.exit(3)\n", "SystemExit, 3, in line 2 of mine.py"),
        ("x = 1\n\nx / 0\n", "ZeroDivisionError, division by zero, in line 3 of mine.py"),
    ],
)
def test_a_file_that_cannot_be_run_names_its_line(tmp_path, monkeypatch, text, words):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(OwnCodeError, match=words):
        load_kernels(tmp_path / "mine.py")
    sys.modules.pop("mine", None)


def test_a_file_that_is_missing_or_empty_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "empty.py").write_text("x = 1\n")
    with pytest.raises(DataError, match=r"at least one kernel; got none\. Put @kernel_from"):
        load_kernels(tmp_path / "empty.py")
    with pytest.raises(DataError, match="cannot be read"):
        load_kernels(tmp_path / "none.py")


def test_an_unknown_name_says_how_it_becomes_known():
    with pytest.raises(ParameterError, match=r"Unknown name 'Cauchy'.*--load FILE"):
        parse("Cauchy(gamma=1.0)")


def test_a_plug_in_registers_its_kernels_and_a_broken_one_is_left_out(tmp_path):
    (tmp_path / "plugin.py").write_text(
        "from kernlib import kernel_from\n@kernel_from\ndef Plugged(X, Y):\n    return X @ Y.T\n"
    )
    (tmp_path / "broken.py").write_text("import nowhere_at_all\n")
    info = tmp_path / "plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[kernlib.kernels]\nplugged = plugin:Plugged\nbad = broken\n")
    code = "from kernlib import parse, own_kernels; print(parse('Plugged()'), len(own_kernels()))"
    path = ":".join([str(tmp_path), *sys.path])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": path})
    assert done.stdout.split() == ["Plugged()", "1"]
    assert "plug-in bad: ModuleNotFoundError" in done.stderr
    assert "left out" in done.stderr
