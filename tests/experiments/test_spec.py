"""The RunSpec's codec and what it refuses, each in one sentence."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import RBF, DataError, Deep, Empirical, Overlap, ParameterError, Power, Standardized
from kernlib.experiments import REFERENCE, UPLOAD, Axis, RunSpec, from_all_rows, sweep
from kernlib.machines import MACHINES, SVM, KernelRidge
from kernlib.protocols import PROTOCOLS, FixedSplits, RepeatedKFold, RepeatedSplits
from kernlib.values.declare import LARGEST, SMALLEST
from tests.experiments.problems import points, spec_of

FULL = RunSpec(
    "markov-strings",
    Deep(Empirical(Power(RBF(), p=0.5)), level=2),
    SVM(C=math.inf),
    RepeatedKFold(folds=3, repeats=2, seed=4),
    "balanced error",
    Axis("kernel.kernel.kernel.p", (0.1, 0.5, 1.0)),
    RBF(sigma=2.0),
    (("n", 40), ("seed", 3)),
    Axis("kernel.level", (0, 1)),
    (Axis("machine.C", (1.0, math.inf)), Axis("kernel.kernel.kernel.kernel.sigma", (0.5, "median"))),
    RepeatedSplits(repeats=3),
    True,
)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_machine_and_protocol_passes_through_json(machine, protocol):
    spec = RunSpec("colon", RBF(), machine(), protocol(), "squared error")
    assert RunSpec.from_json(spec.to_json()) == spec


def test_numpy_numbers_become_plain():
    axis = Axis("kernel.sigma", tuple(np.linspace(0.5, 1.5, 3)))
    assert repr(axis) == "Axis(path='kernel.sigma', values=(0.5, 1.0, 1.5))"
    assert Axis("kernel.sigma", (1.0, 1, 2.0, 2.0)).values == (1.0, 2.0)


def test_fits_are_counted():
    spec = RunSpec("colon", RBF(), protocol=RepeatedSplits(repeats=10))
    assert spec.fits == 10
    spec = replace(spec, axis=Axis("kernel.sigma", (1.0, 2.0)), reference=RBF(sigma=3.0))
    assert spec.fits == 30
    spec = replace(spec, tuning=(Axis("machine.C", (0.1, 1.0, 10.0)),))
    assert spec.fits == 10 * 3 * (5 * 3 + 1)
    assert replace(spec, leaky=True).fits == 10 * 3 * (5 * 3 + 3)
    fixed = FixedSplits(train=20, validation=10, test=10, repeats=10)
    assert replace(spec, protocol=fixed).fits == 10 * 3 * (3 + 1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"colour": "red"}, 'unknown key "colour"'),
        ({"version": 1}, "version 1; expected 2"),
        ({"data": "no-such-data"}, "name of the catalogue"),
        ({"kernel": "__import__('os')"}, "Unknown name '__import__'"),
        ({"machine": "SVM(C=-1.0)"}, "SVM: C must be"),
        ({"also": "AUC"}, 'also is "AUC"; expected a list'),
        ({"measure": "luck"}, "measure must be one of"),
        ({"axis": {"path": "kernel.level", "values": []}}, "1 to 200 values"),
        ({"axis": {"path": "kernel.nothing", "values": [1]}}, "no parameter 'nothing'"),
        ({"axis": {"path": "kernel.level.deeper", "values": [1]}}, "available_axes"),
        ({"axis": {"path": "kernel.level", "values": [1], "more": 1}}, "expected an object of path and values"),
        ({"axis": {"path": "kernel", "values": [3]}}, "kernels as Python expressions"),
        ({"axis": {"path": "data.n", "values": [50]}}, "leads from 'kernel.', 'machine.' or 'protocol.'"),
        ({"axis": {"path": "protocol.folds", "values": [5]}}, "without a reference"),
        ({"axis": {"path": "protocol.folds", "values": [1]}, "reference": None}, "folds must be"),
        ({"tuning": [{"path": "protocol.folds", "values": [5]}], "reference": None}, "expected it as an axis"),
        ({"selection": "luck"}, "selection must be one of"),
        ({"draws": 0}, "draws must be an integer"),
        ({"draws": 2, "data": UPLOAD + "ab" * 32, "parameters": {}}, "drawn by a seed"),
        ({"axis": None}, "second needs a first axis"),
        ({"second": {"path": "kernel.kernel.kernel.p", "values": [0.5]}}, "more than once"),
        ({"tuning": []}, "leaky compares"),
        ({"inner": "RepeatedSplits(repeats=9999)", "protocol": "RepeatedSplits(repeats=9999)"}, "fits; expected"),
    ],
)
def test_a_spec_that_is_wrong_is_refused_in_words(change, words):
    document = json.loads(FULL.to_json()) | change
    with pytest.raises((DataError, ParameterError)) as raised:
        RunSpec.from_json(json.dumps(document))
    assert words in str(raised.value)
    assert "Traceback" not in str(raised.value)


def test_an_upload_must_be_brought_along_and_be_the_right_one():
    data = points()
    spec = spec_of(data, RBF(), protocol=RepeatedSplits(repeats=1))
    with pytest.raises(DataError, match="sweep\\(spec, data\\)"):
        spec.load()
    with pytest.raises(DataError, match="expected digest"):
        sweep(spec, points(seed=1))
    assert len(list(sweep(spec, data))) == 1
    assert RunSpec.from_json(spec.to_json()) == spec
    assert spec.data == UPLOAD + data.digest


def test_the_machine_alone_is_tuned_for_the_reference():
    spec = RunSpec(
        "colon",
        RBF(),
        KernelRidge(),
        measure="error",
        reference=RBF(sigma=2.0),
        tuning=(Axis("machine.ridge", (0.1, 1.0)), Axis("kernel.sigma", (1.0, 3.0))),
    )
    assert len(spec.candidates(None)) == 4
    assert [machine.ridge for _, machine, _ in spec.candidates(REFERENCE)] == [0.1, 1.0]
    assert spec.tuned(None, (("machine.ridge", 1.0),)) == (RBF(), KernelRidge(ridge=1.0))


#: What an axis may hold, by its path: choices with None among them, words, numbers, a tuple.
AXES = {
    "kernel.kernel.before": st.sampled_from([None, "f1", "f2"]),
    "kernel.kernel.gamma": st.floats(1e-6, 1e6) | st.integers(1, 10**6),
    "kernel.level": st.integers(0, 9),
    "kernel.bandwidths": st.none() | st.tuples(st.none() | st.floats(0.1, 10.0)).map(lambda one: one * 9),
    "machine.C": st.floats(SMALLEST, LARGEST) | st.just(math.inf),
}


@st.composite
def specs(draw):
    """Any axes and numbers that a RunSpec accepts; FULL has all fields."""
    paths = draw(st.lists(st.sampled_from(sorted(AXES)), min_size=1, max_size=4, unique=True))
    axes = [Axis(path, tuple(draw(st.lists(AXES[path], min_size=1, max_size=3)))) for path in paths]
    places = draw(st.integers(0, min(2, len(axes))))
    return RunSpec(
        "monks-1",
        Deep(Overlap()),
        SVM(C=draw(AXES["machine.C"])),
        RepeatedSplits(train=draw(st.floats(0.01, 0.99)), seed=draw(st.integers(0, 2**32 - 1))),
        axis=axes[0] if places > 0 else None,
        second=axes[1] if places > 1 else None,
        tuning=tuple(axes[places:]),
        leaky=len(axes) > places,
    )


@settings(max_examples=60)
@given(specs())
def test_whatever_a_spec_accepts_json_gives_back(spec):
    again = RunSpec.from_json(spec.to_json())
    assert again == spec
    assert repr(again) == repr(spec)


@pytest.mark.parametrize("value", [math.nan, -math.inf, {}, object()])
def test_an_axis_refuses_what_no_link_could_carry(value):
    with pytest.raises(ParameterError, match="values must be numbers, text, None"):
        Axis("kernel.p", (value,))


def test_a_fitted_kernel_is_no_specification():
    fitted = RBF(sigma="median").fit(np.arange(6.0)[:, None])
    with pytest.raises(ParameterError, match="kernel must not be fitted"):
        RunSpec("iris", Deep(fitted))


def test_a_width_taken_from_all_rows_says_so_wherever_it_stands():
    X = np.random.default_rng(0).normal(size=(30, 3)) * [1.0, 50.0, 0.1]
    sigma = float(f"{Standardized(RBF(sigma='median')).heuristics(X)['sigma']:.2g}")
    kernel = Deep(Standardized(RBF(sigma=sigma)), level=2) + RBF(sigma=1e4)
    (found,) = from_all_rows(kernel, X)
    assert found.path == "kernel.left.kernel.kernel.sigma"
    assert "test rows included" in str(found)
    assert found.learnt(kernel) == Deep(Standardized(RBF(sigma="median")), level=2) + RBF(sigma=1e4)
    assert from_all_rows(found.learnt(kernel), X) == ()
