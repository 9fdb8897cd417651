"""Parts drawn as bars: their values, their words inert, the sum of the others as text."""

import numpy as np

from kernlib import Linear, Spectrum, VertexHistogram, WeisfeilerLehman
from kernlib.data import load_dataset
from kernlib.explain import Part
from kernlib.figures import machine as figures
from kernlib.figures.kinds import level_graphs
from kernlib.figures.theme import MUTED, caption

from .checking import HOSTILE, check


def test_parts_largest_first_and_the_rest_in_words():
    account = Spectrum(length=2).explain("gattacaggatt", "ttacaggta")
    fig = figures.parts_bars(account.parts, account.value, "k", 3, "Sums to k(x, x'), its largest first.")
    check(fig)
    (bars,) = fig.data
    largest = sorted((v for _, v in account.parts), reverse=True)
    assert np.asarray(bars.x).tolist() == largest[:3]
    fig = figures.parts_bars([Part(f"part {i}", 1.0) for i in range(9)], 9.0, "k", 1, "Parts.")
    assert "The 8 other parts together: 8." in caption(fig)
    signed = Linear().explain([1.0, -2.0], [3.0, 1.0])
    fig = figures.parts_bars(signed.parts, signed.value, "k", 9, "Parts.")
    assert {t.name: np.asarray(t.x).tolist() for t in fig.data} == {"adds": [3.0], "subtracts": [-2.0]}


def test_hostile_words_and_pixels():
    parts = [Part(text, 1.0 + i) for i, text in enumerate(HOSTILE)]
    fig = figures.parts_bars(parts, 21.0, "k", 9, "Parts of the value, the largest first of all.")
    check(fig)
    check(figures.pixel_parts(np.arange(-6.0, 6.0), (3, 4), "x · x', pixel by pixel"))


def test_neighbourhoods_of_a_level_have_one_colour_in_both_graphs():
    """Two molecules of one formula agree up to level 3; what the sums of the levels say is the kernel's value."""
    data = load_dataset("mutag")
    pair = [data.rows[13], data.rows[68]]
    alone, sums = [], []
    for level in range(6):
        pictures = level_graphs(pair, ["first", "second"], level)
        for picture in pictures:
            check(picture)
        grey = [t for p in pictures for t in p.data if t.marker.color == MUTED and t.mode == "markers+text"]
        alone.append(sum(len(t.x) for t in grey))
        colours = [
            {(number, t.marker.color) for t in p.data if t.text is not None for number in t.text if number}
            for p in pictures
        ]
        assert colours[0] == colours[1]
        sums.append(float(caption(pictures[0]).rsplit(" ", 1)[1].rstrip(".")))
    assert alone[:4] == [0, 0, 0, 0]
    assert 0 < alone[4] < alone[5]
    assert sums[0] == VertexHistogram()(pair)[0, 1]
    assert sum(sums) == WeisfeilerLehman(level=5)(pair)[0, 1]
