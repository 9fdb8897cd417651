"""A caption names what its figure draws, and nothing else."""

import numpy as np

from kernlib import RBF
from kernlib.analysis import kernel_pca
from kernlib.analysis.summary import summarise
from kernlib.figures import data
from kernlib.figures.theme import caption

X = np.random.default_rng(0).standard_normal((30, 2))
Y = np.arange(30) % 2
K = RBF()(X)


def test_labels_are_named_where_there_are_some():
    frame = summarise(K, None, np.arange(30))
    assert "Classes" not in caption(data.feature_map(frame))
    assert "Classes" in caption(data.feature_map(frame, Y))
    assert "Classes" in caption(data.feature_map(kernel_pca(K), Y))
    assert "colour is its label" in caption(data.scatter(X, X[:, 0]))
    assert "groups" in caption(data.scatter(X))
