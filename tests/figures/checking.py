"""What every figure must pass: Plotly's validation, hostile labels, alternative text and caption."""

import json

import plotly.graph_objects as go
import plotly.io as pio

from kernlib.figures import theme

HOSTILE = [
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "\u202egnp.exe\u2066",
    "x" * 10_000,
    "%{z} $x^2$",
    "\x00\x1b[31m",
]


def check(fig):
    """Return the figure's JSON after checking that it can be sent."""
    composed = json.loads(pio.to_json(fig.to_dict(), validate=False))
    text = pio.to_json(go.Figure(fig.to_dict()), validate=True)
    assert composed == json.loads(text), "what is sent unchecked is what Plotly makes of it"
    assert pio.from_json(text).to_plotly_json()["layout"]["uirevision"] == "kernlib"
    assert theme.alt(fig).endswith(".")
    assert len(theme.caption(fig)) > 40
    assert fig.layout.width is None
    assert fig.layout.height <= 1400
    assert "<script" not in text
    assert "x" * 100 not in text
    for c in "\u202e\u2066\x00\x1b":
        assert c not in text
        assert f"\\u{ord(c):04x}" not in text
    csv = theme.table(fig).to_csv()
    assert not any(cell.startswith("=") for line in csv.splitlines() for cell in line.split(","))
    return text
