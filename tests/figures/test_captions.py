"""A caption names what its figure draws, and nothing else."""

import numpy as np

from kernlib import RBF
from kernlib.analysis import angles_and_distances, decompose, kernel_pca, relevant_dimension
from kernlib.explain import decision_field, functions_over_input, train
from kernlib.figures import choose, curves, depth, entries, machine, overview, signal, spectra, spectrum
from kernlib.figures.theme import caption
from kernlib.overview.film import frame_of

from .test_curves import make
from .test_depth import numbers

X = np.random.default_rng(0).standard_normal((30, 2))
Y = np.arange(30) % 2
K = RBF()(X)


def test_boxes_have_no_hollow_points():
    assert "Hollow points" in caption(curves.error_curve(make(), "line"))
    assert "Hollow points" not in caption(curves.error_curve(make(), "box"))


def test_labels_are_named_where_there_are_some():
    frame = frame_of(K, None, np.arange(30), 1.0)
    assert "Classes" not in caption(overview.feature_map(frame))
    assert "Classes" in caption(overview.feature_map(frame, Y))
    scores = kernel_pca(K)
    assert "separates classes" in caption(spectrum.pca_scatter(scores, Y))
    assert "colour is its label" in caption(spectrum.pca_scatter(scores, X[:, 0]))
    assert "groups" in caption(spectrum.pca_scatter(scores))


def test_the_gold_line_of_a_fit_is_the_true_signal_or_its_border():
    field = functions_over_input(RBF(), X, None, decompose(K), 4)
    for rows, y, gold in ((X, Y, "border of the true signal"), (X, X[:, 0], "")):
        fig = signal.fit_over_input(field, relevant_dimension(K, y), 4, rows, target=field.points[:, 0])
        assert sum(trace.type == "contour" for trace in fig.data) == 2 * bool(gold)
        assert ("gold line" in caption(fig)) == bool(gold)
        assert gold in caption(fig)


def test_marks_are_named_where_they_are_drawn():
    levels = [numbers(0, 0.3, 0.2), numbers(1, 0.2, 0.5)]
    assert "Diamonds" not in caption(depth.level_lines(levels, ["alignment"]))
    assert "dashed line" not in caption(spectra.diagonal_plot((1.0, 2.0), [2.0, 3.0], [0.1, 0.2], "σ"))
    assert "dashed line" in caption(spectra.diagonal_plot((1.0, 2.0), [2.0, 3.0], [0.1, 0.2], "σ", 1.0))
    assert "Framed" not in caption(choose.settings_grid([]))
    both_signs = entries.geometry_histograms(angles_and_distances(X @ X.T))
    assert not both_signs.layout.shapes
    assert "dashed" not in caption(both_signs)
    assert "orange" in caption(entries.spectrum_bars([2.0, -1.0], log=True))
    assert "The first 40 of 60 selected rows are drawn." in caption(
        spectra.gram_rows(np.tile(K, (2, 2)), range(60), np.arange(60), np.arange(60))
    )
    trained = train(K, Y)
    without = decision_field(RBF(), X, Y, draws=0, size=8)
    assert "Thin lines" not in caption(machine.decision_field_plot(without, trained, X))
