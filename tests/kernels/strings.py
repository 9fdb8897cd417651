"""What the tests of sequence kernels share: other people's values, and strings to try."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "strings.json").read_text(encoding="utf-8"))

#: Empty strings, letters beyond the first plane, combining marks: all are code points to a kernel.
LETTERS = "abcé漢🧬\u0301"
ragged = st.lists(st.text(alphabet=LETTERS, max_size=9), min_size=1, max_size=6)


def rows(strings):
    out = np.empty(len(strings), dtype=object)
    out[:] = strings
    return out
