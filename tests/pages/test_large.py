"""More rows than a Gram matrix can be made of: refused with what would work, shown by landmarks."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import RBF, Nystrom, Power
from kernlib.analysis.relevant import relevant_dimension
from kernlib.data import load_dataset
from kernlib.experiments import RunSpec
from kernlib.kernels import vectors
from kernlib.wrappers.nystrom import with_landmarks
from pages.parts import compute, large
from tests.pages.drive import assert_sound, kernel, open_app, sentences

N = 420
KERNEL = Nystrom(RBF(sigma=5.0), landmarks=20)


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(large, "SAMPLE", 60)
    for module in (large, compute):
        monkeypatch.setattr(module, "MAX_ROWS", 400)


def test_pictures_are_of_a_sample_and_numbers_of_all_rows():
    data = load_dataset("twonorm", n=N, seed=7)
    shown = compute.in_view(data)
    assert (shown.n, shown.whole.n, len(set(shown.places))) == (60, N, 60)
    np.testing.assert_array_equal(shown.y, data.y[shown.places])
    assert len({shown.digest, data.digest, data.take(shown.places).digest}) == 3
    exact = KERNEL.fit(data.inputs)
    np.testing.assert_allclose(compute.gram(shown, KERNEL), exact(data.inputs[shown.places]), atol=1e-9)
    K = exact(data.inputs)
    cut = compute.relevant(shown, KERNEL)
    assert cut.dimension == relevant_dimension(K, data.y, 20).dimension
    assert compute.diagnostics(shown, KERNEL).n == N
    assert compute.frame(shown, KERNEL).seen.n == N
    scores = compute.feature_map(shown, KERNEL)
    np.testing.assert_allclose(scores @ scores.T, compute.gram(shown, KERNEL), atol=1e-8)
    error = compute.landmarks_cost(shown, KERNEL)
    true = np.linalg.norm(K - RBF(sigma=5.0)(data.inputs)) / np.linalg.norm(RBF(sigma=5.0)(data.inputs))
    assert abs(error.relative - true) < 5 * error.standard_error


@pytest.mark.parametrize("asked", [RBF(sigma=5.0), Power(KERNEL, p=0.5)])
def test_all_pairs_of_many_rows_are_refused_before_anything_is_made(asked, monkeypatch):
    monkeypatch.setattr(vectors, "gaussian", lambda *a: pytest.fail("it was computed"))
    with pytest.raises(compute.TooLarge, match="20,000 with landmarks"):
        compute.gram(compute.in_view(load_dataset("twonorm", n=N)), asked)
    assert with_landmarks(asked).has_factor


@pytest.mark.parametrize("page", ["gram", "spectrum", "overview", "curves"])
def test_one_press_shows_many_rows_by_landmarks(page):
    app = open_app(page, data="twonorm", kernel="RBF(sigma=5.0)", **{"g.n": str(N)})
    assert "with landmarks" in app.info[0].value
    assert app.code[0].value == "python -m kernlib run run.json --out results"
    app.button(key="large.landmarks").click().run()
    assert_sound(app)
    assert kernel(app) == Nystrom(RBF(sigma=5.0), landmarks=300)
    told = {"curves": "Error curves are of all 420 rows"}
    assert told.get(page, "Pictures show 60 of 420 rows, a stratified sample") in sentences(app)
    assert "300 landmarks: values differ" in sentences(app)


def test_the_run_that_is_offered_can_be_run():
    spec = RunSpec("twonorm", with_landmarks(RBF(sigma=5.0)), parameters=(("n", N),))
    assert RunSpec.from_json(spec.to_json()) == spec
