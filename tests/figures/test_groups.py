"""Figures of groups and of unusual rows."""

import numpy as np

from kernlib import RBF
from kernlib.analysis import kernel_pca
from kernlib.analysis.groups import one_class_scores, spectral_groups
from kernlib.figures import groups

from .checking import HOSTILE, check

X = np.random.default_rng(0).standard_normal((30, 2))
Y = np.arange(30) % 2
K = RBF()(X)


def test_groups_need_no_names_of_rows():
    check(groups.grouped_gram(K, Y))
    check(groups.grouped_plane(kernel_pca(K), Y))
    check(groups.stability_plot(spectral_groups(K, 3, 2)))
    check(groups.unusual_plot(one_class_scores(K, 0.1)))


def test_names_of_rows_are_inert():
    check(groups.grouped_gram(K, Y, HOSTILE * 5))
    check(groups.unusual_plot(one_class_scores(K, 0.1), HOSTILE * 5))
