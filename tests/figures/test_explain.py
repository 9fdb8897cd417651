"""Parts drawn as bars: their values, their words inert, the sum of the others as text."""

import numpy as np

from kernlib import Empirical, Linear, Power, Spectrum
from kernlib.explain import Part
from kernlib.figures import explain as figures

from .checking import HOSTILE, check


def test_parts_largest_first_and_the_rest_in_words():
    account = Spectrum(length=2).explain("gattacaggatt", "ttacaggta")
    fig = figures.parts_bars(account.parts, account.value, most=3)
    check(fig)
    (bars,) = fig.data
    assert np.asarray(bars.x).tolist() == sorted((v for _, v in account.parts), reverse=True)[:3]
    assert fig.layout.yaxis.ticktext[3].startswith(f"{len(account.parts) - 3} more, together ")
    signed = Linear().explain([1.0, -2.0], [3.0, 1.0])
    fig = figures.parts_bars(signed.parts, signed.value, shares=True)
    assert {t.name: np.asarray(t.x).tolist() for t in fig.data} == {"adds": [3.0], "subtracts": [-2.0]}


def test_another_setting_as_outlines():
    X = [[1.0, 0.2], [0.8, 0.4], [0.1, 1.0]]
    now, then = (Empirical(Power(Linear(), p=p)).fit(X).explain(X[0], X[1]) for p in (0.5, 1.0))
    fig = figures.parts_bars(now.parts, now.value, shares=True, before=then.parts)
    check(fig)
    outline = fig.data[-1]
    order = sorted(range(3), key=lambda i: -now.parts[i].value)
    np.testing.assert_allclose(outline.x, [then.parts[i].value / then.value for i in order])


def test_hostile_words_and_pixels():
    fig = figures.parts_bars([Part(text, 1.0 + i) for i, text in enumerate(HOSTILE)], 21.0)
    check(fig)
    check(figures.pixel_parts(np.arange(-6.0, 6.0), (3, 4), "x · x', pixel by pixel"))
