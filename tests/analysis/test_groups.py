"""Groups against scikit-learn, and on rows that have groups or have none."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.cluster import SpectralClustering
from sklearn.metrics import adjusted_rand_score, silhouette_score

from kernlib import RBF
from kernlib.analysis.groups import affinity_of, spectral_groups

rng = np.random.default_rng(0)
TRUTH = np.repeat([0, 1, 2], [40, 30, 20])
BLOBS = rng.normal(size=(90, 2)) + np.array([[0, 0], [8, 8], [8, -8]])[TRUTH]


def gram(rows):
    return RBF(sigma="median").specification.fold(rows).K


def test_groups_are_those_of_scikit_learn_with_its_silhouette():
    order = rng.permutation(len(BLOBS))
    K = gram(BLOBS[order])
    found = spectral_groups(K, most=4, repeats=2)
    F = np.linalg.cholesky(K + 1e-10 * np.eye(len(K)))
    distances = np.linalg.norm(F[:, None] - F, axis=-1)
    for codes, silhouette, count in zip(found.codes, found.silhouette, found.counts, strict=True):
        own = SpectralClustering(int(count), affinity="precomputed", random_state=0).fit_predict(K)
        assert adjusted_rand_score(codes, own) > 0.95 or count > 3
        assert silhouette == pytest.approx(silhouette_score(distances, codes, metric="precomputed"), abs=1e-3)
    assert found.codes[1].tolist() == TRUTH[order].tolist()  # the largest group first
    assert found.proposed == 3
    assert found.holds(3)
    assert found.stability[1] == 1.0


def test_a_large_diagonal_hides_no_groups():
    """It adds one number to all squared distances: the silhouette falls, the order of the distances is the same."""
    K = gram(BLOBS) + 4 * np.eye(len(BLOBS))
    found = spectral_groups(K, most=4, repeats=4)
    at = found.at(3)
    assert found.codes[at].tolist() == TRUTH.tolist()
    assert found.silhouette[at] < 0.5
    distances = np.sqrt(np.diagonal(K)[:, None] + np.diagonal(K) - 2 * K)[np.triu_indices(len(K), 1)]
    within = (TRUTH[:, None] == TRUTH)[np.triu_indices(len(K), 1)]
    wrong = np.mean(distances[within][:, None] > distances[~within])
    assert found.overlap[at] == pytest.approx(wrong, abs=1e-9)
    assert wrong < 0.001
    assert found.holds(3)


@pytest.mark.parametrize("columns", [2, 5])
def test_one_cloud_has_no_groups_that_hold(columns):
    found = spectral_groups(gram(np.random.default_rng(4).normal(size=(120, columns))), most=5, repeats=6)
    assert not any(found.holds(int(c)) for c in found.counts)


def test_a_square_may_be_cut_the_same_way_again_and_its_parts_touch():
    found = spectral_groups(gram(np.random.default_rng(4).random((150, 2))), most=4, repeats=4)
    assert not found.holds(4)


def test_rows_that_coincide_are_one_group():
    found = spectral_groups(np.ones((12, 12)), most=3, repeats=2)
    assert not any(found.holds(int(c)) for c in found.counts)


def test_similarities_are_cosines_without_negative_ones():
    K = BLOBS @ BLOBS.T
    length = np.linalg.norm(BLOBS, axis=1)
    assert_allclose(affinity_of(K), np.maximum(K / np.outer(length, length), 0), atol=1e-12)
    assert affinity_of(np.diag([0.0, -1.0, 2.0])).tolist() == np.eye(3).tolist()
