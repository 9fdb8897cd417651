"""The grid of settings that *Compare kernels* tries, by family: which are compared, left out and added."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from kernlib import Kernel, KernlibError
from kernlib.advice import Setting, settings_text
from kernlib.data import Dataset
from kernlib.experiments import Place, available_axes, with_value
from kernlib.experiments.proposals import default_machine
from pages.parts.frame import layout
from pages.parts.inputs.controls import binding, option, text
from pages.parts.inputs.plain import plain
from pages.parts.results import choosing
from pages.parts.server.holder import deferred
from pages.parts.session import state


def draw(data: Dataset, rows: int) -> None:
    """Draw every family with its settings, a form for a further value, and the grid as a file."""
    declared, more = choosing.settings(data, rows), choosing.added()
    every = list(dict.fromkeys((*declared, *more)))
    out, compared = choosing.removed(), choosing.grid(data, rows)
    st.markdown(f"**{len(compared)} settings are compared.** Click a setting to leave it out or to include it again.")
    families = dict.fromkeys(one.family for one in every)
    for columns in _in_twos(list(families)):
        for family, column in zip(columns, st.columns(2, gap="medium"), strict=False):
            with column:
                _family(family, [one.kernel for one in every if one.family == family], out)
    if not choosing.edited(data, rows) and out:
        st.info("All settings are left out, so the default grid is compared.")
    _further_value(data, every)
    with st.container(horizontal=True):
        st.button(
            "Reset the grid",
            key="choose.grid.reset",
            on_click=deferred(_reset),
            icon=":material/restart_alt:",
            disabled=not (out or more),
            help="Include all default settings again, and remove the added ones",
        )
        layout.download(
            "settings.txt",
            lambda: settings_text(compared),
            "choose.grid.file",
            help="`python -m kernlib advise FILE --settings settings.txt` compares these kernels",
        )


def _in_twos(names: list[str]) -> list[list[str]]:
    return [names[start : start + 2] for start in range(0, len(names), 2)]


def _family(family: str, kernels: Sequence[Kernel], out: set[str]) -> None:
    """Draw the settings of a family as buttons: those that are compared are selected."""
    texts = {repr(kernel): kernel for kernel in kernels}
    value = [words for words in texts if words not in out]
    st.pills(
        family,
        list(texts),
        selection_mode="multi",
        default=value,
        format_func=lambda words: plain(" → ".join(texts[words].chain())),
        wrap=True,
        **binding(f"choose.family.{family}", value, partial(_leave_out, set(texts))),
    )


def _leave_out(family: set[str], chosen: Sequence[str]) -> None:
    """Take all settings of a family but the chosen ones out of the grid."""
    state.choose(choosing.WITHOUT, choosing.removed_text(choosing.removed() - family | (family - set(chosen))))


def _reset() -> None:
    state.choose(choosing.WITHOUT, None)
    state.choose(choosing.ADDED, None)


def _further_value(data: Dataset, every: Sequence[Setting]) -> None:
    """Draw the form that adds a setting: one of the grid with another value of one of its parameters."""
    by_text = {repr(one.kernel): one for one in every if _places(one.kernel, data)}
    if not by_text:
        return
    with st.expander("Add a value"):
        left, middle, right = st.columns([4, 3, 2], vertical_alignment="bottom")
        setting = option(
            left.selectbox, "Setting", list(by_text), "choose.further.setting",
            format_func=lambda words: " → ".join(by_text[words].kernel.chain()),
        )  # fmt: skip
        chosen = by_text[setting]
        places = {one.path: one for one in _places(chosen.kernel, data)}
        path = option(
            middle.selectbox, "Number", list(places), "choose.further.path",
            format_func=lambda words: places[words].label,
        )  # fmt: skip
        placeholder = str(places[path].current)
        value = text("Value", "", "choose.further.value", draw=right.text_input, placeholder=placeholder)
        st.button(
            "Add it to the grid",
            key="choose.further.add",
            on_click=deferred(_add, chosen, places[path], value),
            icon=":material/add:",
            disabled=not value,
        )


def _places(kernel: Kernel, data: Dataset) -> list[Place]:
    """Return the parameters of a kernel."""
    places = available_axes(kernel, default_machine(data))
    return [one for one in places if one.path.startswith("kernel.") and one.parameter.kind in ("int", "float")]


def _add(setting: Setting, place: Place, words: str) -> None:
    """Add a setting with another value; a notice says what is wrong with it."""
    try:
        number: Any = int(words) if place.parameter.kind == "int" else float(words.replace(",", "."))
        kernel = with_value(setting.kernel, place.path.split(".")[1:], number)
    except KernlibError as error:
        state.change(state.notify, str(error))
        return
    except ValueError:
        state.change(state.notify, f"{place.label}: expected a number; got {words[:40]!r}. Type one such as 2.")
        return
    state.choose(choosing.ADDED, choosing.added_text((*choosing.added(), Setting(setting.family, kernel))))
    state.choose(choosing.WITHOUT, choosing.removed_text(choosing.removed() - {repr(kernel)}))
