"""Why two rows are similar: the value of a kernel as a sum of parts."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernlib import Kernel, KernlibError
from kernlib.explain import Explanation
from kernlib.explain.examples import EXAMPLES
from kernlib.explain.graphs import label_pair_walks
from kernlib.figures import explain as figures
from kernlib.values.graph import Graph
from pages.parts.frame import layout
from pages.parts.frame.view import View, current_view, slider_in_projector
from pages.parts.inputs.controls import option, switch
from pages.parts.inputs.plain import plain
from pages.parts.inputs.widgets import parameter_control
from pages.parts.results import inside
from pages.views.alike import pairs

#: Above this number of words, an example lists only those that two rows have.
_WORDS = 60
ROWS, TYPED = "Two rows of the data", "Typed"
#: Fewer bars than these leave room beside the controls for what stands below them.
_FEW = 3


def main() -> None:
    layout.heading(
        "Why are these two rows similar?",
        "The kernel value of two rows as a sum of parts. Drag a parameter in the kernel menu: which parts shrink?",
    )
    view = current_view()
    what = option(
        st.segmented_control,
        "What to compare",
        [ROWS, TYPED, *(e.title for e in EXAMPLES)],
        "alike.what",
        label_visibility="collapsed",
    )
    example = next((e for e in EXAMPLES if e.title == what), None)
    with layout.guarded():
        if example is not None:
            worked(EXAMPLES.index(example))
        else:
            of_data(view, by_hand=what == TYPED)


def of_data(view: View, by_hand: bool) -> None:
    """Draw the controls for two rows of the data or two typed ones."""
    data, kernel = view.data, view.kernel
    main, beside = st.columns(layout.MAIN, gap="small")
    with beside:
        slider_in_projector(view)
        pair = pairs.choose(data, kernel, beside, beside)
        which = st.container()
        rows = pairs.typed(data, pair) if by_hand else None
        if by_hand and rows is None:
            st.info("Rows of this kind cannot be typed: choose two rows of the data.")

    def explained(chosen: Kernel) -> Explanation:
        if rows is None:
            return inside.alike(data, chosen, *pair)
        return inside.alike_typed(data, chosen, *rows)

    explanation = explained(kernel)
    powerless = inside.without_powers(kernel)
    before = explained(powerless) if powerless != kernel else None
    with main:
        alone = len(explanation.parts) == 1 and rows is None
        if alone:  # the pictures say more than one bar
            pairs.draw(data, pair, explanation, kernel)
        parts_of(explanation, "alike.parts", before, which)
    with beside:
        steps_of(explanation)
        if rows is None:
            pairs.choose_in_map(data, kernel, pair)
    # Over the whole page below a high figure: below one of two columns the other would be empty.
    if rows is None and not alone:
        with main if len(explanation.parts) < _FEW else st.container():
            pairs.draw(data, pair, explanation, kernel)
    for place, total in enumerate(inside.weights_inside(data, kernel)):
        layout.panel(total.title, figures.weight_bars(total), f"alike.weights.{place}", name="weights")


def worked(number: int) -> None:
    """Draw a worked example with the sliders of its kernel."""
    example = EXAMPLES[number]
    names = list(example.names)
    main, beside = st.columns(layout.MAIN, gap="small")
    with beside:
        places, worded = range(len(names)), names.__getitem__
        i = option(st.selectbox, "First", places, f"alike.example.{number}.i", 0, format_func=worded)
        j = option(st.selectbox, "Second", places, f"alike.example.{number}.j", 1, format_func=worded)
        which = st.container()
        st.caption(example.look_for)
        kernel = dataclasses.replace(
            example.kernel,
            **{
                p.name: parameter_control(p, getattr(example.kernel, p.name), f"alike.example.{number}.{p.name}")
                for p in example.kernel.parameters()
            },
        )
        explanation = kernel.explain(example.rows[i], example.rows[j])
        steps_of(explanation)
    with main:
        parts_of(explanation, f"alike.example.{number}", None, which)
    with main if len(explanation.parts) < _FEW else st.container():
        if isinstance(example.rows[0], Graph):
            pairs.draw_graphs(list(example.rows), names)
            st.markdown(f"**Walks of the {names[0]} by length**, from label to label: $L E^n L^\\top$")
            walks = label_pair_walks(example.rows[0], 4)
            st.dataframe(
                pd.DataFrame([{f"{a} → {b}": v for (a, b), v in counts.items()} for counts in walks]).rename_axis(
                    "edges"
                )
            )
        else:
            matrix, words = kernel.features(list(example.rows))
            table = pd.DataFrame(matrix.toarray(), index=names, columns=list(words))
            having = (table != 0).sum()
            few = bool((having > 0).sum() <= _WORDS)
            of = "one of them has" if few else "two of them have"
            st.markdown(f"**Feature space**: each row's entry for every word that {of}")
            st.dataframe(table.loc[:, having > (0 if few else 1)].sort_index(axis=1))
            K = kernel(list(example.rows))
            st.markdown("**Gram matrix**, divided by its largest entry")
            st.dataframe(pd.DataFrame(K / np.abs(K).max(), index=names, columns=names).round(4))


def steps_of(explanation: Explanation) -> None:
    """Draw the value after each step of the chain."""
    st.markdown("**k(x, x′) after each step**")
    layout.numbers(
        *((plain(text), float(value), "The value after this step.") for text, value in explanation.steps), width=280
    )


def parts_of(explanation: Explanation, key: str, before: Explanation | None, which: DeltaGenerator) -> None:
    """Draw the parts as bars, with the sums behind them; few bars do not fill the window."""
    titles = ["k(x, x′)", *(t.title for t in explanation.inside)]
    chosen = option(
        which.selectbox,
        "Parts of",
        range(len(titles)),
        f"{key}.sum",
        int(explanation.shared or (explanation.mapped and bool(explanation.inside))),
        format_func=titles.__getitem__,
        help="The value itself, or a sum from which it follows.",
    )
    with which:
        shares = switch("Shares", explanation.mapped, f"{key}.shares", help="Each part as a share of the whole.")
    sums = [(explanation.parts, explanation.value), *((t.parts, t.value) for t in explanation.inside)]
    parts, value = sums[chosen]
    apart = chosen > 0 and explanation.inside[chosen - 1].apart
    if apart:
        st.markdown("**How do the rows differ?** Each bar is a part of the difference, which lowers the similarity.")
    earlier = [before.parts, *(t.parts for t in before.inside)] if before is not None else []
    if not parts:
        st.info("These two rows have nothing in common: the value is 0.")
        return
    layout.figure(
        figures.parts_bars(
            parts,
            value,
            what="k(x, x')" if chosen == 0 else "the difference" if apart else "the sum",
            shares=shares and value != 0,
            before=earlier[chosen] if chosen < len(earlier) else (),
            caption=explanation.how
            if chosen == 0
            else f"{titles[chosen]}. {explanation.inside[chosen - 1].look_for}".strip(),
        ),
        f"{key}.bars",
        fill=None if len(parts) < _FEW else "page",
        name="parts",
        data=lambda: pd.DataFrame(parts, columns=["part", "value"]),
    )


try:
    main()
except KernlibError as error:
    st.info(plain(error))
