"""Spectrum: within how many directions do the labels lie?"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernlib.analysis import DimensionInterval, PermutationBand, RelevantDimensionLOO, spectrum_notes
from kernlib.figures import spectrum as figures
from kernlib.values.words import percent
from pages.parts.frame import layout, waiting
from pages.parts.frame.view import PageEnd, View, current_view
from pages.parts.inputs.controls import number, switch, tabs
from pages.parts.inputs.plain import plain
from pages.parts.results import compute, signal
from pages.parts.server.large import Sample
from pages.views.spectrum import spectral


class Shown(NamedTuple):
    """What the menu *View* and the slider for noise choose."""

    near: bool
    share: float
    ordered: bool
    cumulative: bool
    logs: bool
    bootstrap: bool
    noise: float


def main(view: View) -> None:
    data, kernel, n = view.data, view.kernel, view.whole.n
    with st.container(key="numbers-and-sliders"):
        numbers, slider, noisier, more = st.columns([4.6, 2, 2, 1.3], gap="small", vertical_alignment="top")
    chosen = _choose(view, more, noisier)
    noise = chosen.noise
    later = compute.eigenpairs(data, kernel)
    if later is not None:
        _leading(view, chosen.noise, numbers)
        waiting.show(later)
        return
    spanned = len(compute.spectrum(data, kernel).eigenvalues)
    top = max(1, min(n - 1, spanned, int(chosen.share * n)))
    searched = None if chosen.share == 0.5 else top  # by default no further than the rank of the matrix
    cut = compute.relevant(data, kernel, searched, noise)
    loo = compute.loo(data, kernel, searched, noise)
    weighted = signal.bootstrap(data, kernel, searched, noise) if chosen.bootstrap else None
    interval = compute.plausible(data, kernel, searched, noise)
    if weighted is not None and weighted.done():
        interval = replace(interval, draws=np.array(weighted.value(), dtype=np.intp))
    with slider:
        d = min(cut.dimension, top)
        if top > 1:
            d = number("Directions kept, $d$", 1, top, d, "spectrum.d", help="The fit and the disputed labels follow.")
    scene = spectral.Scene(view, cut, d, noise, searched, top)
    with numbers:
        _numbers(scene, loo, interval)
    verdict = st.container()
    band = _pictures(scene, chosen, loo, interval)
    verdict.markdown(" ".join(filter(None, (_verdict(scene, band, spanned), _reconciled(scene, loo, interval)))))
    for note in spectrum_notes(cut, compute.spectrum(data, kernel)):
        st.caption(plain(note))

    layout.after_the_picture()
    title, place = tabs(list(spectral.TABS), "spectrum.tab")
    with place, layout.guarded():
        spectral.TABS[title](scene)
    if weighted is not None:
        waiting.show(weighted)


def _leading(view: View, noise: float, numbers: DeltaGenerator) -> None:
    """Draw the leading directions of many rows, until all are known."""
    cut, n = compute.leading(view.data, view.kernel, noise), view.data.n
    known = len(cut.eigenvalues)
    with numbers:
        layout.numbers(
            ("Directions known", f"{known} of {n:,}", "The leading ones are computed first."),
            ("Their share of ‖y‖²", percent(float(cut.energy[:known].sum() / cut.energy.sum())), "What they explain."),
            width=145,
        )
    st.container().markdown(
        f":material/hourglass_empty: The first {known} directions. The relevant dimension follows with the others."
    )
    coefficients, lines = st.columns((3, 2), gap="small")
    with coefficients:
        fig = figures.leading_coefficients(cut, height=460)
        layout.figure(fig, "spectrum.coefficients", fill="controls", name="coefficients")
    with lines:
        fig = figures.eigenvalue_plot(cut.eigenvalues)
        layout.figure(fig, "spectrum.first-eigenvalues", fill="controls", name="eigenvalues")


def _pictures(
    scene: spectral.Scene, chosen: Shown, loo: RelevantDimensionLOO, interval: DimensionInterval
) -> PermutationBand:
    """Draw the label coefficients and −log ℓ, and return the band of shuffled labels."""
    cut, d = scene.cut, scene.d
    most = max(3 * cut.dimension, d + 1, 12) if chosen.near else None
    coefficients, lines = st.columns((3, 2), gap="small")
    with coefficients:
        layout.figure(
            figures.coefficient_plot(
                cut,
                sort=chosen.ordered,
                log=chosen.logs,
                d=d,
                most=most,
                height=460,
                interval=interval,
                share=chosen.cumulative,
            ),
            "spectrum.coefficients",
            fill="controls",
            name="coefficients",
            data=lambda: pd.DataFrame({"i": np.arange(1, scene.view.whole.n + 1), "s2": cut.energy}),
        )
    # The browser draws the large picture while the labels are shuffled.
    band = compute.band(scene.data, scene.view.kernel, scene.searched, scene.noise)
    with lines:
        layout.figure(
            figures.likelihood_plot(cut, loo, band, most and max(most, round(1.2 * loo.dimension)), interval, d),
            "spectrum.likelihood",
            fill="controls",
            name="likelihood",
            data=lambda: pd.DataFrame(
                {"d": np.arange(1, len(cut.neg_log_likelihood) + 1), "neg_log_likelihood": cut.neg_log_likelihood}
            ),
        )
    return band


def _choose(view: View, more: DeltaGenerator, noisier: DeltaGenerator) -> Shown:
    """Draw the menu *View* and the slider for noise, and return what they choose."""
    flips, drawn = view.data.task != "regression", isinstance(view.data, Sample)
    with more.popover("View", icon=":material/tune:", width="stretch"):
        near = layout.first_of(
            "In view",
            ("Around the cut", "Everything"),
            "spectrum.view",
            "Around the cut: up to three times the relevant dimension.",
        )
        share = number(
            "Search $d$ up to this share of $n$",
            0.1,
            1.0,
            0.5,
            "spectrum.share",
            0.05,
            help="Beyond half of n the second part has few and tiny coefficients, and the fit degenerates.",
        )
        ordered = switch(
            "Sorted by size, too",
            False,
            "spectrum.sorted",
            help="Adds a dashed line: the same coefficients sorted by size. Compare where it drops with the cut.",
        )
        cumulative = switch(
            "Share of ‖y‖²",
            False,
            "spectrum.cumulative",
            help="The share of the labels' squared length that the first directions hold.",
        )
        logs = switch("Logarithmic", False, "spectrum.log")
        again = switch(
            "Bootstrap over rows",
            view.whole.n <= signal.BY_ITSELF,
            "spectrum.bootstrap",
            help=f"{signal.DRAWS} random weightings of the rows, after the figures, show how certain $\\hat d$ is.",
            disabled=drawn,
        )
    with noisier:
        noise = number(
            "Flip labels" if flips else "Add noise, SD of $y$",
            0.0,
            0.45 if flips else 2.0,
            0.0,
            "spectrum.noise",
            0.05,
            format="percent" if flips else None,
            help="Replaces the class of this share of the rows, drawn once."
            if flips
            else "Adds normal noise to y, in standard deviations of y.",
        )
    return Shown(near, share, ordered, cumulative, logs, again and not drawn, noise)


def _numbers(scene: spectral.Scene, loo: RelevantDimensionLOO, interval: DimensionInterval) -> None:
    """Draw the two dimensions and the noise beyond d directions."""
    cut, d = scene.cut, scene.d
    low, high = interval.profile
    layout.numbers(
        (
            "Relevant dimension",
            f"{cut.dimension}" if low == high else f"{cut.dimension} ({low}–{high})",
            "The d that splits the label coefficients best into information and noise. In brackets: the plausible "
            "values at 95% by the profile likelihood.",
        ),
        (
            "By leave-one-out",
            loo.dimension,
            "The d with the smallest leave-one-out error of kernel PCA regression. By this estimate it predicts best. "
            "It need not separate information from noise.",
        ),
        (
            "Estimated noise" if d == cut.dimension else f"Noise at d = {d}",
            percent(cut.noise_share_at(d)),
            "What the first d directions do not explain: "
            + ("a share of the variance of y." if scene.regression else "a share of the rows."),
        ),
        width=145,
    )


def _verdict(scene: spectral.Scene, band: PermutationBand, spanned: int) -> str:
    """Return where the labels lie; landmarks of a sample span `spanned` of them."""
    cut, drawn = scene.cut, scene.drawn is not None
    caution, searched = ":orange[:material/warning:]", f"the {spanned:,} directions that the landmarks span"
    if not band.reliable:
        return f"{caution} {band.verdict}" + (f" Only {searched} were searched." if drawn else "")
    if drawn and cut.dimension == spanned:  # no cut whose sharpness could be measured
        return (
            f"{caution} The labels need all of {searched}: $\\hat d$ is at least {spanned}. More landmarks show where "
            "it ends."
        )
    words = cut.words()
    among = f" Only {searched} were searched." if drawn else ""
    return f":green[:material/check_circle:] **{words[0].upper()}{words[1:]}**.{among} {band.verdict}"


def _reconciled(scene: spectral.Scene, loo: RelevantDimensionLOO, interval: DimensionInterval) -> str:
    """Return why the two dimensions differ, and by how much that matters; "" where they agree or cannot be compared."""
    cut, errors = scene.cut, loo.loo_error
    if loo.dimension == cut.dimension or cut.dimension > len(errors):
        return ""
    low, high = interval.profile
    at_cut, least = float(errors[cut.dimension - 1]), float(errors[loo.dimension - 1])
    more = at_cut / least - 1 if least > 0 else np.inf
    within = f" It lies within the plausible {low} to {high}." if low <= loo.dimension <= high else ""
    return (
        f"Leave-one-out keeps {loo.dimension}, because it asks another question: which $d$ predicts best.{within} With "
        f"{cut.dimension} directions its error is {percent(more)} larger."
    )


layout.heading(
    "Within how many directions do the labels lie?",
    "A kernel that suits the labels holds them in its leading directions; noise spreads over all. The **relevant "
    "dimension** $\\hat d$ counts directions up to the last that is needed.",
)
shown = current_view("Pictures show {rows}; numbers use all rows, in the directions that the landmarks span")
if shown.data.y is None or np.ptp(shown.data.y) == 0:
    why = "This data has no labels" if shown.data.y is None else "All labels are alike, so there is nothing to explain"
    st.info(f"{why}: eigenvalues are shown. The relevant dimension needs labels that differ.")
    values = compute.spectrum(shown.data, shown.kernel).eigenvalues
    layout.figure(figures.eigenvalue_plot(values), "spectrum.eigenvalues", fill="page", name="eigenvalues")
    raise PageEnd
with layout.guarded():
    main(shown)
