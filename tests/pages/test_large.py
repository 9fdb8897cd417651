"""More rows than a Gram matrix can be made of: refused with what would work, shown by landmarks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import RBF, Deep, Nystrom, Power
from kernlib.analysis.relevant import relevant_dimension
from kernlib.data import load_dataset
from kernlib.kernels import vectors
from kernlib.wrappers.landmarks import with_landmarks
from pages.parts.results import compute, directions, levels
from pages.parts.server import jobs

from .drive import add, figures, kernel, open_app, press, rows, sentences, show, undo

N = 420
KERNEL = Nystrom(RBF(sigma=5.0), landmarks=20)


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(jobs, "SAMPLE", 60)
    monkeypatch.setattr(jobs, "MAX_ROWS", 400)


def test_pictures_are_of_a_sample_and_numbers_of_all_rows():
    data = load_dataset("twonorm", n=N, seed=7)
    shown = compute.in_view(data)
    assert (shown.n, shown.whole.n, len(set(shown.places))) == (60, N, 60)
    assert_array_equal(shown.y, data.y[shown.places])
    assert len({shown.digest, data.digest, data.take(shown.places).digest}) == 3
    exact = KERNEL.fit(data.inputs)
    assert_allclose(compute.gram(shown, KERNEL), exact(data.inputs[shown.places]), atol=1e-9)
    K = exact(data.inputs)
    cut = directions.relevant(shown, KERNEL)
    assert cut.dimension == relevant_dimension(K, data.y, 20).dimension
    assert_allclose(compute.diagnostics(shown, KERNEL).eigenvalues[:20], np.linalg.eigvalsh(K)[:-21:-1], rtol=1e-6)
    assert compute.frame(shown, KERNEL).n == N
    rebuilt, misfit = directions.rebuilt(shown, cut).at(cut, cut.dimension)
    assert_allclose(rebuilt, np.clip(cut.denoised[shown.places], -1.6, 1.6))
    assert np.flatnonzero(misfit).tolist() == np.flatnonzero(np.isin(shown.places, cut.disputed)).tolist()
    error = compute.landmarks_cost(shown, KERNEL)
    true = np.linalg.norm(K - RBF(sigma=5.0)(data.inputs)) / np.linalg.norm(RBF(sigma=5.0)(data.inputs))
    assert abs(error.relative - true) < 5 * error.standard_error


@pytest.mark.parametrize("asked", [RBF(sigma=5.0), Power(KERNEL, p=0.5)])
def test_all_pairs_of_many_rows_are_refused_before_anything_is_made(asked, monkeypatch):
    monkeypatch.setattr(vectors, "gaussian", lambda *a: pytest.fail("it was computed"))
    with pytest.raises(compute.TooLargeError, match=r"at most 400 rows here, or .* with landmarks") as refused:
        compute.gram(compute.in_view(load_dataset("twonorm", n=N)), asked)
    assert refused.value.short == with_landmarks(asked)


def test_what_memory_holds_bounds_the_rows_that_landmarks_stand_for(monkeypatch):
    monkeypatch.setenv("KERNLIB_MEMORY_MB", "2000")
    assert jobs.most_rows(KERNEL.kernel) == 400
    most = jobs.most_rows(KERNEL)
    assert jobs.most_rows(Nystrom(RBF(), landmarks=200)) == pytest.approx(most / 10, rel=0.05)
    monkeypatch.setenv("KERNLIB_MEMORY_MB", "1")
    assert jobs.most_rows(KERNEL) == 640  # 131072 numbers, ten for each row and landmark
    data = compute.in_view(load_dataset("twonorm", n=700))
    monkeypatch.setattr(vectors, "gaussian", lambda *a: pytest.fail("it was computed"))
    with pytest.raises(compute.TooLargeError, match=r"20 landmarks would take more memory .* at most 640 rows"):
        compute.landmark_factor(data.whole, KERNEL)


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("see", "Pictures and errors show 60 of 420 rows, a stratified sample"),
        ("spectrum", "Pictures show 60 of 420 rows, a stratified sample"),
        ("curves", "Error curves use all 420 rows"),
    ],
)
def test_one_press_shows_many_rows_by_landmarks_or_takes_fewer(page, words):
    asked = RBF(sigma=5.0)
    app = open_app(page, data="twonorm", kernel=repr(asked), g__n=str(N))
    assert "with landmarks" in app.info[0].value
    assert app.selectbox, "who is refused cannot choose other data or another kernel"
    assert not figures(app), "nothing of that size was computed"
    press(app, "large.landmarks")
    assert kernel(app) == Nystrom(asked, landmarks=300)
    assert words in sentences(app)
    assert "300 landmarks: values differ" in sentences(app)
    if page == "see":
        press(undo(app), "large.rows")
        assert (rows(app).n, kernel(app)) == (400, asked)
        assert not app.info


def test_what_is_pressed_on_many_rows_keeps_the_landmarks_last():
    deep = KERNEL.with_kernel(Deep(RBF(sigma=5.0), level=2))
    app = open_app("depth", data="twonorm", kernel=repr(deep), g__n=str(N))
    shown = compute.in_view(load_dataset("twonorm", n=N, seed=7))
    recipes, outer = levels.recipes(shown, deep)
    assert recipes[0].base == KERNEL
    assert levels.levels_of_page(shown, recipes[0], outer)[1] == 2
    app = open_app("depth", data="twonorm", kernel=repr(KERNEL), g__n=str(N))
    assert kernel(app) == KERNEL
    add(app, "Power")
    assert kernel(app) == KERNEL.with_kernel(Power(KERNEL.kernel, p=0.5))
    assert "expected at most" not in sentences(app) + sentences(show(app, "see"))
