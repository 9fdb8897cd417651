"""Sheets over two parameters: scores, marks, pictures, and the place that a click returns."""

import math

import numpy as np
import pytest

from kernlib import RBF, Deep, Polynomial
from kernlib.errors import ParameterError
from kernlib.figures import sheet_picture, theme
from kernlib.overview import CRITERIA, frame_of, missing_frame, sheet_of_frames

from .checking import HOSTILE, check

X = np.random.default_rng(0).normal(size=(40, 3))
Y = (X[:, 0] + 0.5 * X[:, 1] ** 2 > 0.3).astype(int)
VALUES, LEVELS = (0.05, 1.0, 5.0), (0, 1)


@pytest.fixture(scope="module")
def frames():
    order = np.argsort(Y, kind="stable")
    made = {}
    for sigma in VALUES:
        for level in LEVELS:
            K = Deep(RBF(sigma=sigma), level=level).fit(X)(X)
            made[sigma, level] = frame_of(K, Y, order, (sigma, level))
    return made


@pytest.mark.parametrize("criterion", list(CRITERIA))
def test_best_is_the_best_of_the_scores(frames, criterion):
    sheet = sheet_of_frames("σ", VALUES, "level", LEVELS, frames, criterion)
    scores = {(i, j): CRITERIA[criterion].of(frames[a, b]) for i, a in enumerate(VALUES) for j, b in enumerate(LEVELS)}
    assert {place: sheet.scores[place] for place in scores} == scores
    good = min if sheet.lower_is_better else max
    assert scores[sheet.best] == good(scores.values())
    error = scores[sheet.best]
    best = frames[VALUES[sheet.best[0]], LEVELS[sheet.best[1]]].quick
    se = best.squared_se if criterion == "squared" else math.sqrt(error * (1 - error) / 40) if sheet.is_share else None
    if se is not None:
        assert set(sheet.alike) == {p for p, e in scores.items() if e <= error + se} - {sheet.best}
        assert set(sheet.alike) != set(scores) - {sheet.best}  # σ = 0.05 memorises
    else:
        assert sheet.alike == ()
    fig = sheet_picture(sheet)
    check(fig)
    assert f"σ = {VALUES[sheet.best[0]]:.3g}" in theme.alt(fig)


def test_alignment_of_a_frame_and_the_press(frames):
    sheet = sheet_of_frames("σ", VALUES, "level", LEVELS, frames, "alignment")
    fig = sheet_picture(sheet, common=True)
    check(fig)
    points = fig.data[-2]
    assert list(points.customdata) == list(range(6))
    words = fig.data[-1]
    assert words.text[2 * sheet.best[0] + sheet.best[1]] == f"★ {sheet.scores[sheet.best]:.3g}"
    from kernlib.analysis import centred_alignment

    K = RBF(sigma=1.0)(X)
    assert frames[1.0, 0].alignment == pytest.approx(centred_alignment(K, 2.0 * Y - 1))


def test_cells_that_have_not_come_or_failed(frames):
    some = {place: frame for place, frame in frames.items() if place[0] == 1.0}
    some[5.0, 0] = missing_frame((5.0, 0), 40, HOSTILE[0])
    sheet = sheet_of_frames(HOSTILE[0], VALUES, HOSTILE[3], LEVELS, some)
    assert sheet.missing == 3
    assert sheet.best[0] == 1
    fig = sheet_picture(sheet)
    check(fig)
    assert len(fig.layout.shapes) == 2
    assert "×" in fig.data[-1].text
    nothing = sheet_of_frames("p", (), "level", (), {})
    assert nothing.best is None
    check(sheet_picture(nothing))
    with pytest.raises(ParameterError, match="criterion must be one of 'squared'"):
        sheet_of_frames("p", (), "q", (), {}, "luck")


def test_a_run_judges_the_same_pictures(frames):
    sheet = sheet_of_frames("σ", VALUES, "level", LEVELS, frames)
    scores = np.array([0.5, 0.4, 0.1, 0.2, np.nan, 0.3])
    run = sheet.scored(scores, "test error", 2, (2, 3))
    assert run.best == (1, 0)
    assert run.alike == ((1, 1),)
    assert run.frames is sheet.frames
    assert "paired t-test" in theme.caption(sheet_picture(run))
    check(sheet_picture(run))


def test_unlabelled_and_real(frames):
    K = Polynomial(degree=2)(X)
    plain = {(2, 0): frame_of(K, None, np.arange(40), None)}
    assert sheet_of_frames("d", (2,), "level", (0,), plain).best is None
    real = {(2, 0): frame_of(K, X[:, 0], np.arange(40), None)}
    sheet = sheet_of_frames("d", (2,), "level", (0,), real)
    assert sheet.best == (0, 0)
    assert not sheet.is_share
    check(sheet_picture(sheet))


def test_what_has_not_come_is_apart_from_the_darkest_colour(frames):
    """Cells are sent as whole numbers of eight bits: 0 is transparent, and 1 to 255 are the colours."""
    some = {place: frame for place, frame in frames.items() if place[0] == 1.0}
    pictures = sheet_picture(sheet_of_frames("σ", VALUES, "level", LEVELS, some)).data[0]
    assert pictures.z.dtype == np.uint8
    row = VALUES.index(1.0)
    high = pictures.z.shape[0] // len(VALUES)
    here = pictures.z[row * high : (row + 1) * high]
    assert here.max() == 255
    assert here[here > 0].min() == 1
    assert not np.delete(pictures.z, np.s_[row * high : (row + 1) * high], axis=0).any(), "the others have not come"
    assert [colour for place, colour in pictures.colorscale if place <= 0.5 / 255][:2] == ["rgba(0,0,0,0)"] * 2
    assert pictures.colorscale[-1] == theme.SEQUENTIAL[-1]
