"""Several spectra, the quadratic feature space, and what selected rows contribute."""

import numpy as np

from kernlib import RBF
from kernlib.analysis import decompose, projection_bound, relevant_dimension, row_parts
from kernlib.data import load_dataset
from kernlib.explain import ellipse, quadratic_map, quadratic_plane, train
from kernlib.figures import spectra, spectrum, theme
from kernlib.figures.spectrum import INFORMATION
from kernlib.values.words import percent

from .checking import HOSTILE, check

SINC = load_dataset("sinc", n=64)
K = RBF(sigma=0.6)(SINC.rows)
CUT = relevant_dimension(K, SINC.y, centred=True)


def test_kernels_over_each_other_have_their_own_minimum():
    other = relevant_dimension(RBF(sigma=0.1)(SINC.rows), SINC.y, centred=True)
    fig = spectra.kernels_plot([("now", CUT), (HOSTILE[0], other)], most=20)
    check(fig)
    stars = [trace for trace in fig.data if trace.marker.symbol == "star"]
    assert [star.x[0] for star in stars] == [CUT.dimension, other.dimension]
    assert stars[0].marker.color == INFORMATION != stars[1].marker.color
    size = next(trace for trace in fig.data if trace.xaxis == "x2")
    np.testing.assert_allclose(size.y, np.abs(CUT.coefficients[:20]), rtol=1e-6)


def test_the_first_eigenvalue_of_few_rows_is_close_to_that_of_all():
    parts = row_parts(K, SINC.y)
    bound = projection_bound(parts[-1].eigenvalues, K.diagonal())
    fig = spectra.convergence_plot(parts, bound)
    check(fig)
    half = [part for part in parts if part.n == 32]
    off = np.mean([abs(part.eigenvalues[0] / parts[-1].eigenvalues[0] - 1) for part in half])
    drawn = next(t for t in fig.data if t.xaxis == "x2" and t.name == "n = 32")
    np.testing.assert_allclose(drawn.y[0], off)
    assert f"{percent(off)} for parts of 32 rows." in theme.caption(fig)
    assert "it says nothing" in theme.caption(fig)


def test_a_matrix_of_zeros_has_no_spectrum_to_compare():
    parts = row_parts(np.zeros((32, 32)), SINC.y[:32])
    assert not parts[0].residual.any()
    check(spectra.convergence_plot(parts, projection_bound(parts[-1].eigenvalues, np.zeros(32))))
    cut = relevant_dimension(np.zeros((32, 32)), SINC.y[:32])
    check(spectra.kernels_plot([("zero", cut)]))
    check(spectrum.coefficient_plot(cut, share=True))


def test_a_plane_in_the_quadratic_feature_space_separates_what_no_line_does():
    rows, outside = ellipse()
    places = quadratic_map(rows)
    np.testing.assert_allclose(places @ places.T, (rows @ rows.T) ** 2)
    machine = train((rows @ rows.T) ** 2, outside, 100.0, scale="spread")
    made = quadratic_plane(rows, machine)
    np.testing.assert_allclose(places @ made.weights + made.intercept, machine.decision, atol=1e-6)
    assert len(made.wrong) == 0
    assert len(quadratic_plane(rows, train(rows @ rows.T, outside, 100.0, scale="spread")).wrong) > 20
    fig = spectra.quadratic_plot(made, outside, HOSTILE[:2], None, HOSTILE[:2])
    check(fig)
    plane = next(trace for trace in fig.data if trace.type == "surface")
    on = np.stack([np.broadcast_to(v, plane.z.shape) for v in (plane.x, plane.y, plane.z)], axis=-1)
    level = on @ made.weights + made.intercept
    assert np.nanmax(np.abs(level)) < 1e-6


def test_rows_of_a_constant_diagonal_lie_on_a_sphere_and_three_directions_hold_a_share_of_it():
    pairs = decompose(K)
    scores = pairs.eigenvectors * np.sqrt(np.maximum(pairs.eigenvalues, 0))
    fig = spectra.sphere_plot(scores, np.arange(64) % 2, HOSTILE[:2], HOSTILE * 20)
    check(fig)
    assert "All rows have length √k(x, x) = 1" in theme.caption(fig)
    assert f"{pairs.eigenvalues[:3].sum() / 64:.0%}"[:2] in theme.caption(fig)
    rows = np.vstack([np.stack([t.x, t.y, t.z], axis=1) for t in fig.data[:2]])
    np.testing.assert_allclose(
        np.linalg.norm(rows, axis=1).max(), np.linalg.norm(scores[:, :3], axis=1).max(), rtol=1e-5
    )
    assert "Lengths √k(x, x) range from 1 to 4" in theme.caption(spectra.sphere_plot([[1.0], [4.0]], None))


def test_selected_rows_and_the_others_make_the_coefficients():
    chosen = [3, 4, 40]
    rest = [i for i in range(64) if i not in chosen]
    one, other = (spectra.selected_coefficients(CUT, rows) for rows in (chosen, rest))
    check(one)
    np.testing.assert_allclose(one.data[1].y + other.data[1].y, np.abs(CUT.coefficients[:40]), atol=1e-5)
    check(spectra.selected_coefficients(relevant_dimension(K, np.arange(64) % 3), chosen))
    fig = spectra.gram_rows(K, chosen, np.arange(64)[::-1], HOSTILE * 20)
    check(fig)
    z = np.asarray(fig.data[0].z)
    assert np.isnan(z[2, 23])
    np.testing.assert_allclose(z[0, 0], K[3, 63], rtol=1e-6)
    alike = spectra.gram_rows(K, [0, 1, 2, 3, 4], np.arange(64), [f"patient of the ward {i}" for i in range(64)])
    assert len(set(np.arange(5) if alike.data[0].y is None else alike.data[0].y)) == 5, "names that begin alike"
    assert list(alike.layout.yaxis.ticktext) == ["patient of the …"] * 5
    assert theme.table(alike).index.tolist() == ["patient of the …"] * 5


def test_eigenvectors_on_a_graph_and_the_diagonal_over_a_number():
    A = np.diag(np.ones(5), 1)
    U = decompose(A + A.T).eigenvectors
    fig = spectra.eigenvectors_on_graph(A + A.T, U, 4)
    check(fig)
    nodes = [trace for trace in fig.data if trace.mode == "markers"]
    np.testing.assert_allclose(nodes[2].marker.color, U[:, 2], rtol=1e-6)
    check(spectra.diagonal_plot((0.1, 1.0), [5.0, np.nan], [0.2, np.nan], HOSTILE[0], 0.1, log=True))


def test_the_share_of_the_labels_and_the_densities_beside_the_coefficients():
    fig = spectrum.coefficient_plot(CUT, share=True)
    check(fig)
    share = next(trace for trace in fig.data if trace.name.startswith("share"))
    assert share.y[-1] == 1
    np.testing.assert_allclose(share.y[2], CUT.energy[:3].sum() / CUT.energy.sum(), rtol=1e-6)
    for which, variance in zip(("information", "noise"), CUT.variances, strict=True):
        density = next(trace for trace in fig.data if trace.name == f"density of {which}")
        np.testing.assert_allclose(density.x, np.exp(-(np.asarray(density.y) ** 2) / (2 * variance)), rtol=1e-4)
        band = next(trace for trace in fig.data if trace.name == f"95% of {which}")
        np.testing.assert_allclose(band.y[0], 1.959964 * np.sqrt(variance), rtol=1e-5)
