"""What a figure is when it is sent: nothing in it makes the browser draw it a second time."""

from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from kernlib.figures import gram_heatmap
from kernlib.figures.theme import composed
from pages.parts.frame import layout, line
from pages.parts.frame.layout import themed

from .drive import give, kernel, open_app


@pytest.mark.parametrize("dark", [False, True])
def test_a_settled_figure_says_all_itself_and_keeps_what_it_said(dark):
    numbers = np.linspace(0, 1, 7)
    lines = dict(type="scatter", x=numbers, y=numbers[::-1], xaxis="x2", yaxis="y2", meta=dict(decoration=True))
    layout = dict(xaxis2=dict(title=dict(text="d"), showgrid=True), yaxis2=dict(tickcolor="#123456"))
    given = composed([lines], {}, {}, alt="An alt.", caption="A caption.", title="A title", **layout)
    before = given.to_json()
    drawn = themed(given.to_dict(), dark).to_dict()
    assert given.to_json() == before, "the figure to take away is another one"
    json.dumps(drawn)
    said, (trace,) = drawn["layout"], drawn["data"]
    assert not {"template", "meta", "xaxis", "yaxis"} & {*said}
    assert "meta" not in trace
    assert trace["x"] == pytest.approx(numbers.tolist())
    assert (said["xaxis2"]["showgrid"], said["xaxis2"]["title"]["text"]) == (True, "d")
    assert said["yaxis2"]["tickcolor"] == "#123456"
    assert "linecolor" not in said["yaxis2"]
    assert said["title"]["text"] == "<b>A title</b>"
    assert (said["paper_bgcolor"], said["datarevision"]) == ("#171614" if dark else "#ffffff", 0)
    assert said["colorway"]
    far = themed(given.to_dict(), dark, 1.5).to_dict()["layout"]  # for the last row of a room
    assert (far["xaxis2"]["tickfont"]["size"], far["yaxis2"]["title"]["font"]["size"]) == (18, 21)
    again = go.Figure(drawn)  # Plotly knows every name and value
    assert again.layout.xaxis2.tickfont.color == said["font"]["color"]


def test_a_layout_is_changed_as_plotly_changes_it():
    changes = dict(height=300, dragmode="pan", meta=dict(alt="An alt.", caption="Another."), font_size=9)
    given = lambda: composed([dict(type="scatter", y=[1, 2])], {}, alt="An alt.", caption="A caption.")  # noqa: E731
    few = {name: changes[name] for name in ("height", "dragmode", "meta")}
    for some in (changes, few, dict(yaxis=dict(type="log"))):
        expected = go.Figure(given().to_dict()).update_layout(some)
        assert json.loads(given().update_layout(**some).to_json()) == json.loads(expected.to_json())


def test_axes_without_a_word_have_the_page_s_letters_and_a_matrix_stays_bytes():
    K = np.eye(4) + 0.1
    drawn = themed(gram_heatmap(K).to_dict(), False).to_dict()
    assert "bdata" in drawn["data"][0]["z"]
    assert drawn["layout"]["xaxis"]["tickfont"]["size"] == 12
    bare = themed(go.Figure(go.Scatter(y=[1, 2])).to_dict(), False).to_dict()["layout"]
    assert {"xaxis", "yaxis"} <= bare.keys()
    assert themed(go.Figure(go.Scatter3d()).to_dict(), False).to_dict()["layout"].get("xaxis") is None


def test_a_moved_slider_s_picture_is_sent_before_the_menu_and_once(monkeypatch):
    app = open_app("see", data="banana", kernel="Deep(Power(RBF(sigma='median'), p=0.5), level=2)")
    sent: list[str] = []
    builder, chart = line.builder.kernel_builder, layout.chart
    monkeypatch.setattr(line.builder, "kernel_builder", lambda data: (sent.append("menu"), builder(data)))
    monkeypatch.setattr(layout, "chart", lambda fig, key, *a, **o: (sent.append(key), chart(fig, key, *a, **o))[1])
    give(app, ".Power.p", 0.7)
    assert "p=0.7" in repr(kernel(app))
    assert sent[0] == "see.gram"
    assert sent.count("menu") == 1
