"""Tabs of the page Spectrum, each drawn only where it is open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from kernlib.analysis import RelevantDimension
from kernlib.data import Dataset
from kernlib.figures import data as pictures
from kernlib.figures import relevant
from kernlib.figures import signal as figures
from kernlib.figures import spectrum as spectra
from kernlib.papers import relevant_dimensions
from pages.parts.blocks import selection
from pages.parts.frame import layout
from pages.parts.frame.pictures import image_shape
from pages.parts.frame.view import View
from pages.parts.inputs.controls import number, option
from pages.parts.inputs.plain import inert_cells
from pages.parts.results import compute, signal
from pages.parts.server.large import Sample

#: Disputed rows in the table, and of these as images.
MOST_LISTED, MOST_IMAGES = 500, 24


@dataclass(frozen=True)
class Scene:
    """What the tabs are about: the view, the relevant dimension of its labels with `noise` added, the chosen `d`.

    `searched` is the largest d searched, None for the default, and `top` the largest that can be chosen.
    """

    view: View
    cut: RelevantDimension
    d: int
    noise: float
    searched: int | None
    top: int

    @property
    def data(self) -> Dataset:
        return self.view.data

    @property
    def regression(self) -> bool:
        return self.data.task == "regression"

    @property
    def drawn(self) -> Any:
        """Return the numbers of the rows in view, None where all are."""
        return self.data.places if isinstance(self.data, Sample) else None


def _signal(scene: Scene) -> None:
    """Draw the true signal apart from the noise, the fit over the input, noisier labels and fewer rows."""
    data, kernel, d = scene.data, scene.view.kernel, scene.d
    of = signal.generator(data)
    left, right = st.columns(2, gap="small")
    if of is not None:
        with left:
            parts = signal.parts(data, kernel, of, scene.searched)
            known = compute.relevant(data, kernel, scene.searched)
            unit = "of the variance of y" if scene.regression else "of the rows"
            st.markdown(
                f"The data are generated, so the true signal $G$ is known. True noise **{parts.noise_share:.1%}** "
                f"{unit}, estimated **{known.noise_share_at(d):.1%}** at $d$ = {d}."
                + (" Added noise is not in this figure." if scene.noise else "")
            )
            layout.figure(
                figures.signal_and_noise_plot(parts.signal, parts.noise, parts.floor, d, max(3 * d, 30)),
                "spectrum.signal",
                name="signal-and-noise",
            )
    with right if of is not None else left:
        flips = not scene.regression
        shares = tuple(round(0.05 * i, 2) for i in range(10)) if flips else (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
        st.markdown(
            f"**{'Flipped labels' if flips else 'Added noise'}**: the slider above "
            + (f"flips {scene.noise:.0%} of them now." if flips else f"adds {scene.noise:g} SD of $y$ now.")
        )
        layout.figure(
            figures.noisier_plot(signal.over_noise(data, kernel, shares, scene.searched), scene.noise, flips),
            "spectrum.noisier",
            name="noisier-labels",
        )
    with left if of is not None else right, layout.guarded():
        st.markdown("**Fewer rows**: does $\\hat d$ settle as $n$ grows?")
        layout.figure(
            figures.dimension_over_rows(signal.row_parts(data, kernel, of), scene.regression),
            "spectrum.rows",
            name="fewer-rows",
        )
    if of is not None and signal.knows_functions(data):
        with right, layout.guarded():
            _over_input(scene)


def _over_input(scene: Scene) -> None:
    """Draw the fit from d directions over one or two input columns."""
    data, of = scene.data, signal.generator(scene.data)
    field = signal.functions(data, scene.view.kernel, max(scene.d, scene.cut.dimension))
    layout.figure(
        figures.fit_over_input(
            field,
            scene.cut,
            scene.d,
            data.inputs,
            data.classes,
            data.ids,
            data.columns,
            None if of is None else of.target(field.points),
        ),
        "spectrum.fit",
        name="fit-over-input",
    )


def _fit(scene: Scene) -> None:
    """Draw the denoised labels at d, and the rows whose label they dispute."""
    data, cut, d = scene.data, scene.cut, scene.d
    left, right = st.columns(2, gap="small")
    y = compute.labels_with(data, scene.noise)
    with left:
        layout.figure(
            relevant.denoised_labels(cut, y, data.classes, data.ids, d=d, rows=scene.drawn),
            "spectrum.denoised",
            name="denoised-labels",
        )
    rows = [int(i) for i in cut.disputed_at(d)]
    table = disputed_table(scene, rows[:MOST_LISTED])
    with right:
        of = "of the variance of y" if scene.regression else "of the rows"
        st.markdown(
            f"**{len(rows)} rows whose label the fit disputes** at $d$ = {d}; "
            f"the noise estimate is {cut.noise_share_at(d):.1%} {of}."
        )
        flipped = signal.flipped(scene.view.whole, scene.noise)
        if len(flipped):
            hits = len(np.intersect1d(flipped, rows))
            st.markdown(f"The slider flipped {len(flipped)} labels: **{hits}** of these are among the disputed rows.")
        if signal.knows_functions(data):
            with layout.guarded():
                _over_input(scene)
    if rows:
        st.dataframe(table, hide_index=True)
        st.download_button(
            "CSV",
            data=lambda: inert_cells(table).to_csv(index=False).encode(),
            file_name="disputed-rows.csv",
            mime="text/csv",
            key="spectrum.disputed.csv",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
            help="The disputed rows",
        )
        shape = image_shape(data)
        if shape is not None and scene.drawn is None:
            images = rows[:MOST_IMAGES]
            layout.figure(
                pictures.image_grid(data.complete().rows[images], shape, y[images], data.classes, numbers=images),
                "spectrum.disputed",
                name="disputed-images",
            )
    if len(rows) > MOST_LISTED:
        st.caption(f"The first {MOST_LISTED} of them are listed.")


def disputed_table(scene: Scene, rows: list[int]) -> pd.DataFrame:
    """Return rows with id, given and fitted label, margin, and the nearest rows in feature space."""
    whole, cut, d = scene.view.whole, scene.cut, scene.d
    fitted = cut.denoised_at(d)
    table: dict[str, Any] = {"row": rows, "id": [whole.ids[i] for i in rows]}
    if scene.regression:
        table |= {"given": cut.targets[rows], "fitted": fitted[rows], "residual": (cut.targets - fitted)[rows]}
    else:
        given, found = cut.labels.decode(cut.labels.targets), cut.labels.decode(fitted)
        table |= {"given": [_class(whole, given[i]) for i in rows], "fitted": [_class(whole, found[i]) for i in rows]}
        table["margin"] = cut.margin_at(d)[rows]
    if scene.drawn is None:
        near = signal.nearest_rows(whole, scene.view.kernel, rows)
        table["nearest rows"] = [", ".join(_named(whole, j) for j in three) for three in near]
    content = layout.row_table(whole, rows)
    return pd.concat([pd.DataFrame(table), content.drop(columns=["row", "id", "label"], errors="ignore")], axis=1)


def _class(data: Dataset, code: Any) -> str:
    return data.classes[int(code)] if data.classes else str(code)


def _named(data: Dataset, row: int) -> str:
    """Return a row's id with its given label."""
    if data.y is None:
        return data.ids[row]
    label = data.classes[int(data.y[row])] if data.classes else f"{data.y[row]:.3g}"
    return f"{data.ids[row]} ({label})"


def _pca(scene: Scene) -> None:
    """Draw the rows along two or three directions, with a table of those selected."""
    data, kernel = scene.data, scene.view.kernel
    axes = [f"{i}" for i in range(1, min(11, data.n + 1))]
    first, second, third = st.columns(3)
    dims = [
        int(option(first.selectbox, "Horizontal direction", axes, "spectrum.pc1")),
        int(option(second.selectbox, "Vertical direction", axes, "spectrum.pc2", axes[min(1, len(axes) - 1)])),
    ]
    depth = option(third.selectbox, "Third direction", ["none", *axes], "spectrum.pc3")
    if depth != "none":
        dims.append(int(depth))
    scores = compute.feature_map(data, kernel)
    brush: dict[str, Any] = (
        {"on_select": "rerun", "selection_mode": ("points", "box", "lasso")} if len(dims) == 2 else {}
    )
    chosen = layout.figure(
        spectra.pca_scatter(scores, data.y, data.classes, data.ids, dims=tuple(dims)),
        f"spectrum.pca.{len(dims)}",
        name="kernel-pca",
        data=lambda: pd.DataFrame({f"direction {d}": scores[:, d - 1] for d in dims}),
        **brush,
    )
    rows = layout.selected_rows(chosen)
    if rows:
        st.caption(f"{len(rows)} rows selected")
        st.dataframe(layout.row_table(data, rows), hide_index=True)


def _eigenvectors(scene: Scene) -> None:
    """Draw the eigenvectors as functions."""
    data = scene.data
    if not signal.knows_functions(data):
        st.info("Eigenvectors are drawn over one or two input columns; these rows have more.")
        return
    k = number("Eigenvectors shown", 1, 12, 6, "spectrum.k")
    layout.figure(
        spectra.eigenvectors_over_input(data.rows, compute.spectrum(data, scene.view.kernel).eigenvectors, k),
        "spectrum.over",
        name="eigenvectors",
    )


def _eigenvalues(scene: Scene) -> None:
    """Draw the eigenvalues."""
    layout.figure(
        spectra.eigenvalue_plot(compute.spectrum(scene.data, scene.view.kernel).eigenvalues, cut=scene.cut.dimension),
        "spectrum.eigenvalues",
        name="eigenvalues",
    )


def _over_the_number(scene: Scene) -> None:
    """Draw criteria over the number that was touched last."""
    selection.over_the_number(scene.data, scene.view.kernel)


def _quadrant(scene: Scene) -> None:
    """Draw noise and dimension beside those of published data sets."""
    layout.figure(
        relevant.noise_dimension_map(
            relevant_dimensions(),
            (scene.data.title, scene.cut.dimension, scene.cut.noise_share),
            share_of="variance" if scene.regression else "rows",
        ),
        "spectrum.quadrant",
        name="noise-dimension",
    )


#: Names and functions of the tabs, in their order.
TABS: tuple[tuple[str, Callable[[Scene], None]], ...] = (
    ("Signal and noise", _signal),
    ("Fit and disputed rows", _fit),
    ("Kernel PCA", _pca),
    ("Eigenvectors", _eigenvectors),
    ("Eigenvalues", _eigenvalues),
    ("Which value?", _over_the_number),
    ("Noise and dimension", _quadrant),
)
