"""Cached accessors of the page Spectrum: signal and noise, functions over the input, fewer rows, a bootstrap."""

from __future__ import annotations

import numpy as np
import streamlit as st

from kernlib import Kernel, analysis
from kernlib.data import Dataset, generator_of
from kernlib.data.generators.base import Generator
from kernlib.errors import DataError
from kernlib.explain import Field, Quadratic, ellipse, functions_over_input, quadratic_plane, train
from kernlib.values.factor import Factor
from pages.parts.results import compute
from pages.parts.results.asking import Draws
from pages.parts.server.caching import cached
from pages.parts.server.large import Sample, whole_of
from pages.parts.session.value import current

#: Draws of the bootstrap, and the most rows for which it starts by itself.
DRAWS, BY_ITSELF = 60, 300


def generator(data: Dataset) -> Generator | None:
    """Return the generator of the current data if it has a noise-free target; else None."""
    choice = current().data
    made = None if choice.uploaded or not data.row_kind.points else generator_of(choice.name, **dict(choice.parameters))
    return made if made is not None and made.target(data.rows[:1]) is not None else None


@cached(24)
def parts(data: Dataset, kernel: Kernel, of: Generator, max_dimension: int | None) -> analysis.SignalAndNoise:
    """Return the coefficients of the target and of the noise."""
    rows = whole_of(data).rows
    G, variance = of.target(rows), of.noise_variance(rows)
    assert G is not None
    assert variance is not None
    return analysis.split_signal(compute.relevant(data, kernel, max_dimension), G, variance)


@cached(24)
def functions(data: Dataset, kernel: Kernel, count: int) -> Field:
    """Return the first eigenvectors as functions over the input."""
    compute.require_quick(data, kernel)
    return functions_over_input(kernel, data.inputs, data.y, compute.decomposition(data, kernel), count)


@cached(12, "Taking fewer rows…")
def row_parts(data: Dataset, kernel: Kernel, of: Generator | None) -> tuple[analysis.Part, ...]:
    """Return the spectrum and the relevant dimension of parts of the rows."""
    if isinstance(data, Sample):
        raise DataError("Parts of the rows are compared for data whose rows are all in view. Take fewer rows.")
    y = data.y if compute.labelled(data) else None
    return analysis.row_parts(
        compute.gram(data, kernel),
        y,
        None if of is None else of.target(data.rows),
        task=data.task or "auto",
        decomposition=compute.decomposition(data, kernel),
    )


@cached(16, "Adding noise to the labels…")
def over_noise(
    data: Dataset, kernel: Kernel, shares: tuple[float, ...], max_dimension: int | None
) -> tuple[tuple[float, int, int, int, float, float], ...]:
    """Return (share, d̂, smallest and largest plausible d, RMS of the noise, its estimated share) of noisier labels."""
    lines = []
    for share in shares:
        rd = compute.relevant(data, kernel, max_dimension, share)
        low, high = compute.plausible(data, kernel, max_dimension, share).profile
        lines.append((share, rd.dimension, low, high, float(np.sqrt(rd.variances[1])), rd.noise_share))
    return tuple(lines)


@cached(8, many=1)
def bootstrap(data: Dataset, kernel: Kernel, max_dimension: int | None, noise: float) -> Draws[int]:
    """Return the bootstrap of the relevant dimension, with the draws so far."""
    rd = compute.relevant(data, kernel, max_dimension, noise)
    more = analysis.bootstrap_dimensions(rd, compute.gram(data, kernel))
    return Draws("draws of the bootstrap over rows", more, DRAWS)


def flipped(data: Dataset, noise: float) -> np.ndarray:
    """Return the rows whose class the noise flips; none for real labels."""
    if data.y is None or not noise or not data.classes:
        return np.empty(0, dtype=np.intp)
    return analysis.noisier_labels(data.y, noise, len(data.classes))[1]


def nearest_rows(data: Dataset, kernel: Kernel, rows: list[int], count: int = 3) -> list[list[int]]:
    """Return the rows nearest to each of `rows` in feature space, nearest first."""
    K = compute.gram(data, kernel)
    own = K.diagonal()
    squared = own[rows][:, None] - 2 * K[rows] + own
    squared[np.arange(len(rows)), rows] = np.inf
    nearest: list[list[int]] = np.argsort(squared, axis=1, kind="stable")[:, :count].tolist()
    return nearest


def knows_functions(data: Dataset) -> bool:
    """Return whether the eigenvectors are functions that can be drawn over the input."""
    return data.row_kind.points and data.rows.shape[1] <= 2 and not isinstance(data, Sample)


@cached(12)
def kernel_map(data: Dataset, kernel: Kernel, centred: bool, symmetric: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return an empirical feature map, (n, d), and the share of the trace of each direction.

    √l_j u_j, or the `symmetric` U L^½ U', which has one coordinate for each row.
    """
    if isinstance(data, Sample) or not (centred or symmetric):
        values = compute.spectrum(data, kernel).eigenvalues
        return compute.feature_map(data, kernel), values / (float(values.sum()) or 1.0)
    if centred:
        pca = analysis.kernel_pca(compute.gram(data, kernel), centered=True)
        return (pca.symmetric_map if symmetric else pca.scores), pca.explained
    scores, pairs = compute.feature_map(data, kernel), compute.decomposition(data, kernel)
    return scores @ pairs.eigenvectors.T, pairs.eigenvalues / (float(pairs.eigenvalues.sum()) or 1.0)


def projection_bound(data: Dataset, kernel: Kernel) -> np.ndarray:
    """Return the bound of the distance of new rows from the first directions, over the mean of k(x, x)."""
    own = compute.gram(data, kernel).diagonal()
    bound = analysis.projection_bound(compute.decomposition(data, kernel).eigenvalues / data.n, own)
    return np.asarray(bound / (float(own.mean()) or 1.0))


@cached(200)
def diagonal_of(data: Dataset, kernel: Kernel) -> tuple[float, float]:
    """Return the diagonal ratio, and the share of pairs whose value is below 1% of the mean diagonal."""
    K, _, _ = compute.gram_uncached(data, kernel)
    if isinstance(K, Factor):
        raise DataError("The diagonal is compared over values for data whose rows are all in view. Take fewer rows.")
    sparse = np.abs(K) < 0.01 * np.abs(K.diagonal()).mean()
    return analysis.diagonal_ratio(K), float((sparse.sum() - np.diagonal(sparse).sum()) / (len(K) * (len(K) - 1)))


@cached(12)
def quadratic(data: Dataset, columns: tuple[int, int]) -> Quadratic:
    """Return two standardised columns under the quadratic map, with the plane of a machine."""
    if data.task != "classification" or data.y is None or not data.row_kind.points or data.rows.shape[1] < 2:
        raise DataError(
            f"{data.title}: the plane of a quadratic map needs classes and two columns of numbers. Choose the ellipse."
        )
    rows = np.asarray(data.complete().rows, dtype=np.float64)[:, list(columns)]
    rows = (rows - rows.mean(axis=0)) / np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1.0)
    return quadratic_plane(rows, train((rows @ rows.T) ** 2, data.y, 10.0, data.classes, scale="spread"))


@st.cache_resource(show_spinner=False)
def quadratic_ellipse() -> tuple[Quadratic, np.ndarray]:
    """Return generated rows inside and outside an ellipse under the same map, and their classes."""
    rows, outside = ellipse()
    return quadratic_plane(rows, train((rows @ rows.T) ** 2, outside, 100.0, scale="spread")), outside
