"""Tabs of the page Spectrum, each drawn only where it is open."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import Kernel, KernlibError
from kernlib.analysis import RelevantDimension
from kernlib.data import Dataset
from kernlib.errors import DataError
from kernlib.experiments.axis import with_value
from kernlib.figures import data as pictures
from kernlib.figures import relevant
from kernlib.figures import signal as figures
from kernlib.figures import spectra as several
from kernlib.figures import spectrum as spectra
from kernlib.figures.kinds import pictures_of
from kernlib.figures.theme import captioned
from kernlib.papers import Experiment, Row, printed, relevant_dimensions, value_text
from kernlib.papers.relevant_dimension import EXPERIMENTS
from kernlib.values.words import percent, value_in_words
from pages.parts.frame import layout, pictured
from pages.parts.frame.view import View
from pages.parts.inputs import axes
from pages.parts.inputs.controls import expander, number, option, switch
from pages.parts.results import choosing, compute, signal
from pages.parts.server.holder import deferred
from pages.parts.server.large import Sample
from pages.parts.session import state
from pages.views.spectrum import selection

#: Feature spaces in three dimensions: of the quadratic kernel, and of the present one.
_SPACES = ("An ellipse, generated", "This data", "This kernel")
#: Disputed rows in the table.
MOST_LISTED = 500


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
                f"The data are generated, so the true signal $G$ is known. True noise **{percent(parts.noise_share)}** "
                f"{unit}, estimated **{percent(known.noise_share_at(d))}** at $d$ = {d}."
                + (" Added noise is not in this figure." if scene.noise else "")
            )
            by_direction = layout.first_of(
                "Over",
                ("Directions", "Eigenvalues"),
                "spectrum.signal.over",
                "Over the eigenvalues: does the signal's coefficient fall as the eigenvalue of its direction does?",
            )
            fig = (
                figures.signal_and_noise_plot(parts.signal, parts.noise, parts.floor, d, max(3 * d, 30))
                if by_direction
                else figures.signal_over_eigenvalues(
                    parts.signal, parts.noise, compute.spectrum(data, kernel).eigenvalues, d
                )
            )
            layout.figure(fig, "spectrum.signal", name="signal-and-noise")
    with right if of is not None else left:
        flips = not scene.regression
        shares = tuple(round(0.05 * i, 2) for i in range(10)) if flips else (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
        st.markdown(
            f"**{'Flipped labels' if flips else 'Added noise'}**: the slider above "
            + (
                f"flips {percent(scene.noise)} of them now."
                if flips
                else f"adds {value_in_words(scene.noise)} SD of $y$ now."
            )
        )
        layout.figure(
            figures.noisier_plot(signal.over_noise(data, kernel, shares, scene.searched), scene.noise, flips),
            "spectrum.noisier",
            name="noisier-labels",
        )
    with left if of is not None else right, layout.guarded():
        st.markdown("**Fewer rows**: does $\\hat d$ settle as $n$ grows?")
        if data.n <= compute.LATER or expander(f"Compute parts of the {data.n:,} rows", "spectrum.parts"):
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
            f"the noise estimate is {percent(cut.noise_share_at(d))} {of}."
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
        layout.csv(lambda: table, "spectrum.disputed", "disputed-rows", "The disputed rows")
        if scene.drawn is None:
            _one_disputed(scene, rows)
    if len(rows) > MOST_LISTED:
        st.caption(f"The first {MOST_LISTED} of them are listed.")


def _one_disputed(scene: Scene, rows: list[int]) -> None:
    """Draw one disputed row and its nearest rows as what they are: images, strings, graphs, or a table."""
    data, few = scene.data, rows[:MOST_LISTED]
    row = option(
        st.selectbox, "Look at a disputed row", few, "spectrum.disputed", format_func=lambda i: _named(data, i)
    )
    (near,) = signal.nearest_rows(data, scene.view.kernel, [row], 5)
    near = [row, *near]
    names = [_named(data, i) for i in near]
    words = f"Row {names[0]}, whose label is disputed, and the rows nearest to it: {', '.join(names[1:])}."
    if not pictured.draw(data, near, names, "spectrum.nearest", "disputed-row", lambda *_: words, across=6):
        st.dataframe(layout.row_table(data, near), hide_index=True)


def disputed_table(scene: Scene, rows: list[int]) -> pd.DataFrame:
    """Return rows with id, given and fitted label, margin, and the nearest rows in feature space."""
    whole, cut, d = scene.view.whole, scene.cut, scene.d
    fitted = cut.denoised_at(d)
    added: dict[str, Any]
    if scene.regression:
        added = {"given": cut.targets[rows], "fitted": fitted[rows], "residual": (cut.targets - fitted)[rows]}
    else:
        given, found = cut.labels.decode(cut.labels.targets), cut.labels.decode(fitted)
        added = {"given": [_class(whole, given[i]) for i in rows], "fitted": [_class(whole, found[i]) for i in rows]}
        added["margin"] = cut.margin_at(d)[rows]
    if scene.drawn is None:
        near = signal.nearest_rows(whole, scene.view.kernel, rows)
        added["nearest rows"] = [", ".join(_named(whole, j) for j in three) for three in near]
    return layout.row_table(whole, rows, added, label=False)


def _class(data: Dataset, code: Any) -> str:
    return data.classes[int(code)] if data.classes else str(code)


def _named(data: Dataset, row: int) -> str:
    """Return a row's id with its given label."""
    if data.y is None:
        return data.ids[row]
    label = data.classes[int(data.y[row])] if data.classes else value_in_words(float(data.y[row]))
    return f"{data.ids[row]} ({label})"


def _pca(scene: Scene) -> None:
    """Draw the rows along two or three directions, and what the selected rows are elsewhere."""
    data, kernel = scene.data, scene.view.kernel
    axes = [f"{i}" for i in range(1, min(11, data.n + 1))]
    first, second, third, which, middle = st.columns([1, 1, 1, 2, 1], vertical_alignment="bottom")
    dims = [
        int(option(first.selectbox, "Horizontal", axes, "spectrum.pc1")),
        int(option(second.selectbox, "Vertical", axes, "spectrum.pc2", axes[min(1, len(axes) - 1)])),
    ]
    depth = option(third.selectbox, "Third", ["none", *axes], "spectrum.pc3")
    if depth != "none":
        dims.append(int(depth))
    with which:
        scores = layout.first_of(
            "Empirical feature map",
            ("Scores √l u", "U √L U′"),
            "spectrum.map",
            "Both embeddings reproduce the Gram matrix. The second has one coordinate per row.",
        )
    with middle:
        centred = switch("Centred", False, "spectrum.centred", disabled=isinstance(data, Sample))
    places, shares = signal.kernel_map(data, kernel, centred, not scores)
    if scores:
        fig = spectra.pca_scatter(
            places, data.y, data.classes, data.ids, dims=tuple(dims), explained=shares, centred=centred
        )
    else:
        kind = "centred" if centred else "uncentred"
        fig = spectra.points(
            [places[:, d - 1] for d in dims],
            [f"coordinate of row {data.ids[d - 1]}, {kind}" for d in dims],
            data.y,
            data.classes,
            data.ids,
            None,
            what="the symmetric feature map",
            caption="Each point is a row: its entries in columns of U √L U′, the symmetric root of the Gram matrix. "
            "Classes that stand apart can be separated.",
        )
    brush: dict[str, Any] = (
        {"on_select": "rerun", "selection_mode": ("points", "box", "lasso")} if len(dims) == 2 else {}
    )
    chosen = layout.figure(
        fig,
        f"spectrum.pca.{len(dims)}",
        name="kernel-pca",
        data=lambda: pd.DataFrame({f"direction {d}": places[:, d - 1] for d in dims}),
        **brush,
    )
    selected(scene, layout.selected_rows(chosen))


def selected(scene: Scene, rows: list[int]) -> None:
    """Draw what the selected rows contribute to the coefficients, their lines of the Gram matrix, and their table."""
    data = scene.data
    if not rows:
        st.caption("Select rows with a box or lasso: their table, coefficients and Gram rows follow.")
        return
    st.caption(f"{len(rows)} rows selected")
    left, right = st.columns(2, gap="small")
    if scene.drawn is None:
        with left:
            layout.figure(several.selected_coefficients(scene.cut, rows), "spectrum.selected", name="selected-rows")
        with right:
            order = compute.order(data, scene.view.kernel, "class" if data.classes else "clustering")
            K = compute.gram(data, scene.view.kernel)
            layout.figure(several.gram_rows(K, rows, order, data.ids), "spectrum.grams", name="gram-rows")
    st.dataframe(layout.row_table(data, rows), hide_index=True)


def _eigenvectors(scene: Scene) -> None:
    """Draw the eigenvectors as functions of the input or of a graph's nodes; of other rows the ends of one."""
    data, kernel = scene.data, scene.view.kernel
    U = compute.spectrum(data, kernel).eigenvectors
    drawn, functions = pictures_of(data), signal.knows_functions(data)
    if functions or drawn.functions:
        k = number("Eigenvectors shown", 1, 12, 6, "spectrum.k")
        fig = drawn.of_eigenvectors(data, U, k)
        if functions:
            field = None
            if data.rows.shape[1] == 2:
                with layout.guarded():
                    field = signal.functions(data, kernel, max(k, 6))
            fig = spectra.eigenvectors_over_input(data.rows, U, k, field)
        layout.figure(fig, "spectrum.over", name="eigenvectors")
        return
    U = U if scene.drawn is None else U[scene.drawn]
    if data.image is not None:
        count = min(8, U.shape[1])
        tops = [np.argsort(-sign * U[:, j], kind="stable")[:10] for sign in (1, -1) for j in range(count)]
        pixels = data.complete().rows
        fig = pictures.image_grid(np.array([pixels[top].mean(axis=0) for top in tops]), data.image, across=count)
        words = f"Column j is direction j, from 1 to {count}. Above: the mean of the ten rows with the largest entries "
        words += "of the eigenvector; below: of the ten with the smallest."
        layout.figure(captioned(fig, words), "spectrum.over", name="eigenvectors")
        return
    j = number("Direction", 1, min(12, U.shape[1]), 1, "spectrum.direction")
    order = np.argsort(-U[:, j - 1], kind="stable")
    count = min(8, data.n // 2)
    ends = [int(i) for i in (*order[:count], *order[len(order) - count :])]
    st.markdown(f"Rows with the largest and the smallest entries of eigenvector {j}:")
    if drawn.many:
        pictured.draw(data, ends, [data.ids[i] for i in ends], "spectrum.over", "eigenvector-rows")
    st.dataframe(layout.row_table(data, ends, {"entry": U[ends, j - 1]}), hide_index=True)


def _eigenvalues(scene: Scene) -> None:
    """Draw the eigenvalues, and those of fewer rows."""
    data, kernel = scene.data, scene.view.kernel
    layout.figure(
        spectra.eigenvalue_plot(compute.spectrum(data, kernel).eigenvalues, cut=scene.cut.dimension),
        "spectrum.eigenvalues",
        name="eigenvalues",
    )
    with layout.guarded():
        st.markdown("**Finite against asymptotic**: the spectra of parts of the rows")
        parts = signal.row_parts(data, kernel, signal.generator(data))
        if len(parts) < 2:
            raise DataError(f"{data.title}: {data.n} rows are too few for this figure. Choose 16 rows or more.")
        bound = signal.projection_bound(data, kernel)
        layout.figure(several.convergence_plot(parts, bound), "spectrum.parts", name="fewer-rows-spectra")


def _splice_kernels() -> list[tuple[tuple[Kernel, ...], tuple[Row, ...]]]:
    """Return the splice kernels of [R], each with all widths that its experiment tries, and its published values."""
    kernels = []
    for experiment in EXPERIMENTS:
        if isinstance(experiment, Experiment) and experiment.item.startswith("Splice kernels"):
            spec = experiment.spec
            widths = tuple(
                with_value(spec.kernel, axis.path.split(".")[1:], value)
                for axis in spec.tuning
                for value in axis.values
            )
            kernels.append((widths or (spec.kernel,), experiment.rows))
    return kernels


def _cited(row: Row) -> str:
    """Return a published value, an error with its spread in percent."""
    value = printed(row.place)
    return f"{value_text(*value)}%" if isinstance(value, list) else value_text(value)


def _keep_three(data: Dataset) -> None:
    """Keep the three kernels of [R], widths by the smallest −log ℓ on these rows, as in its experiments."""
    best = [min(widths, key=lambda one: compute.relevant(data, one).minimum) for widths, _ in _splice_kernels()]
    state.choose(choosing.KEPT, choosing.kept_text((*choosing.kept(), *best)))


def _kernels(scene: Scene) -> None:
    """Draw the spectra of the present kernel and of kept ones over each other."""
    data, kernel = scene.data, scene.view.kernel
    others = [one for one in choosing.fitting(data) if one != kernel]
    buttons = st.container(horizontal=True)
    if data.name == "splice-two-class":
        buttons.button("Keep the three kernels of [R]", on_click=deferred(_keep_three, data))
    if choosing.kept():
        buttons.button("Forget kept kernels", on_click=deferred(state.choose, choosing.KEPT, None))
    if not others:
        st.caption("*Keep for Choose* in the last menu keeps this kernel. Then change it: both stay in the figure.")
    chosen = [(" → ".join(kernel.chain()), kernel)]
    for one in others:
        with layout.guarded():
            compute.gram(data, one)
            chosen.append((" → ".join(one.chain()), one))
    cuts = [(name, compute.relevant(data, one)) for name, one in chosen]
    most = max(3 * max(cut.dimension for _, cut in cuts), 20)
    layout.figure(several.kernels_plot(cuts, most), "spectrum.kernels", name="kernels")
    table = []
    for (name, one), (_, cut) in zip(chosen, cuts, strict=True):
        quick = compute.frame(data, one, criteria=True).quick
        low, high = compute.plausible(data, one).profile
        table.append(
            {
                "kernel": name,
                "d̂": cut.dimension,
                "plausible": f"{low}–{high}",
                "estimated noise": cut.noise_share,
                "quick error, ridge": None if quick is None else quick.ridge,
                "−log ℓ(d̂)": cut.minimum,
            }
        )
        if data.name == "splice-two-class":
            cited = next((rows for widths, rows in _splice_kernels() if one in widths), ())
            table[-1] |= {f"printed {row.label}": _cited(row) for row in cited}
    st.dataframe(pd.DataFrame(table), hide_index=True)
    if any("printed dim" in line for line in table):
        st.caption(
            "Published values are for 1000 training rows; printed errors are of kernel PCA regression on test rows. "
            f"Here are {data.n:,} rows. *Papers* repeats the runs."
        )


def _two_columns(data: Dataset) -> tuple[int, int]:
    if not data.row_kind.points or data.rows.shape[1] < 3:
        return 0, 1
    places, name = range(min(data.rows.shape[1], 60)), data.columns.__getitem__
    one, two = st.columns(2)
    return (
        option(one.selectbox, "First column", places, "spectrum.column1", 0, format_func=name),
        option(two.selectbox, "Second column", places, "spectrum.column2", 1, format_func=name),
    )


def _geometry(scene: Scene) -> None:
    """Draw the explicit quadratic map with its plane, and how the diagonal grows with a parameter of the kernel."""
    data, kernel = scene.data, scene.view.kernel
    left, right = st.columns(2, gap="small")
    with left, layout.guarded():
        shown = option(st.segmented_control, "Feature space", _SPACES, "spectrum.quadratic-of")
        if shown == _SPACES[2]:
            st.markdown("**Lengths**: the rows in the feature space of this kernel")
            scores, _ = signal.kernel_map(data, kernel, False, False)
            fig = several.sphere_plot(scores, data.y, data.classes, data.ids)
        else:
            st.markdown("**An explicit feature space**: two columns under $\\langle x, x' \\rangle^2$")
        if shown == _SPACES[0]:
            made, y = signal.quadratic_ellipse()
            fig = several.quadratic_plot(made, y, ("inside", "outside"), None, ("x1", "x2"))
        elif shown == _SPACES[1]:
            columns = _two_columns(data)
            made = signal.quadratic(data, columns)
            assert data.y is not None
            fig = several.quadratic_plot(made, data.y, data.classes, data.ids, [data.columns[c] for c in columns])
        layout.figure(fig, "spectrum.quadratic", name="quadratic-map")
    with right, layout.guarded():
        st.markdown("**Almost orthogonal rows**: the diagonal over a parameter of the kernel")
        number, values = axes.values_of(data, kernel, "spectrum.diagonal-over")
        kernels = {value: number.at(value) for value in values}
        measured: dict[Any, tuple[float, float]] = {}
        for value, changed in kernels.items():
            with suppress(KernlibError):
                measured[value] = signal.diagonal_of(data, changed)
        nothing = (math.nan, math.nan)
        ratio, sparsity = zip(*(measured.get(value, nothing) for value in values), strict=True)
        fig = several.diagonal_plot(values, ratio, sparsity, number.label, number.current, number.log)
        layout.figure(fig, "spectrum.diagonal", name="diagonal")


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


#: The function of each tab, in their order.
TABS: dict[str, Callable[[Scene], None]] = {
    "Signal and noise": _signal,
    "Fit and disputed rows": _fit,
    "Kernel PCA": _pca,
    "Eigenvectors": _eigenvectors,
    "Eigenvalues": _eigenvalues,
    "Kernels": _kernels,
    "Geometry": _geometry,
    "Which value?": lambda scene: selection.over_the_number(scene.data, scene.view.kernel),
    "Noise and dimension": _quadrant,
}
