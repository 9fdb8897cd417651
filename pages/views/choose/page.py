"""Choose: which kernel suits these rows, or which value of a parameter, and how sure is that?"""

from __future__ import annotations

import streamlit as st

from pages.parts.inputs.controls import in_row, option
from pages.parts.session.state import WHICH_VALUE
from pages.views.choose import kernels, value

_QUESTION, _VALUE = WHICH_VALUE
sentence = st.container(key="sentence")
with in_row(vertical_alignment="bottom"):
    question = option(
        st.segmented_control,
        "Question",
        ["Which kernel?", _VALUE],
        _QUESTION,
        label_visibility="collapsed",
        width="content",
        help="*Which kernel?* compares families of kernels. *Which value?* varies a parameter of the kernel in use.",
    )
    row = in_row(key="choose-row", vertical_alignment="bottom")
if question == _VALUE:
    value.draw(sentence, row)
else:
    kernels.draw(sentence, row)
