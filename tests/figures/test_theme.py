"""The template, colours and inert labels."""

import numpy as np
import plotly.io as pio
import pytest

from kernlib.figures import scatter, theme


def luminance(colour):
    c = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    c = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return float(c @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("background", ["#ffffff", "#0e1117"])
@pytest.mark.parametrize("colour", [*theme.CLASS_COLOURS, theme.MUTED])
def test_colours_are_seen_on_white_and_dark(colour, background):
    a, b = sorted([luminance(colour), luminance(background)])
    assert (b + 0.05) / (a + 0.05) >= 3


def test_template_is_registered():
    assert "kernlib" in pio.templates
    layout = pio.templates["kernlib"].layout
    assert {layout.xaxis.exponentformat, layout.yaxis.exponentformat, theme.colour_bar()["exponentformat"]} == {"power"}
    assert len(set(theme.CLASS_COLOURS)) == len(theme.CLASS_COLOURS)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a & b", "a &amp; b"),
        ("<a href='javascript:x'>", "&lt;a href='javascript:x'&gt;"),
        ("\u202eabc\u200f", "abc"),
        ("a\nb\x00", "a b"),
        ("$x$", "&#36;x&#36;"),
        ("%{z}", "%&#123;z&#125;"),
        (3, "3"),
        ("x" * 10_000, "x" * 39 + "…"),
        ("x" * 40, "x" * 40),
        ("\u202e" * 10_000 + "x", "…"),
    ],
)
def test_escape(text, shown):
    assert theme.escape(text) == shown


def test_read_classes():
    codes, names = theme.read_classes([1, 0], ("n", "p"))
    assert codes.tolist() == [1, 0]
    assert names == ("n", "p")
    assert theme.read_classes([1, 0], ("-", "+"))[1] == ("negative (−)", "positive (+)")
    assert theme.read_classes(None) == (None, ())
    assert theme.read_classes(np.array([0.5, 1.5, 2.5])) == (None, ())
    assert theme.read_classes(np.array([-1.0, 1.0]))[1] == ("class −1", "class 1")


def test_a_legend_of_many_classes_stands_beside_the_figure():
    classes = [f"class {i}" for i in range(19)]
    few, many = (scatter(np.zeros((n, 2)), np.arange(n), classes[:n], None, ("a", "b")) for n in (8, 19))
    assert (few.layout.legend.orientation, few.layout.legend.yref) == ("h", "container")
    assert (many.layout.legend.orientation, many.layout.legend.xanchor, many.layout.legend.x > 1) == ("v", "left", True)
