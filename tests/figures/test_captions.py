"""A caption names what its figure draws, and nothing else."""

import numpy as np

from kernlib import RBF
from kernlib.analysis import kernel_pca
from kernlib.analysis.summary import summarise
from kernlib.explain import decision_field, train
from kernlib.figures import choose, machine, overview, pca_scatter
from kernlib.figures.theme import caption

X = np.random.default_rng(0).standard_normal((30, 2))
Y = np.arange(30) % 2
K = RBF()(X)


def test_labels_are_named_where_there_are_some():
    frame = summarise(K, None, np.arange(30))
    assert "Classes" not in caption(overview.feature_map(frame))
    assert "Classes" in caption(overview.feature_map(frame, Y))
    scores = kernel_pca(K)
    assert "separates classes" in caption(pca_scatter(scores, Y))
    assert "colour is its label" in caption(pca_scatter(scores, X[:, 0]))
    assert "groups" in caption(pca_scatter(scores))


def test_marks_are_named_where_they_are_drawn():
    assert "Framed" not in caption(choose.settings_grid([]))
    trained = train(K, Y)
    without = decision_field(RBF(), X, Y, draws=0, size=8)
    assert "Thin lines" not in caption(machine.decision_field_plot(without, trained, X))
