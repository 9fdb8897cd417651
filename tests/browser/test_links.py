"""Links in a real browser: a page that is taken down, and a server that has forgotten it, keep the view."""

from __future__ import annotations

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from .drive import heat, link, press, slider, visit, wait_for_run

pytestmark = pytest.mark.browser


def test_a_page_that_the_frontend_takes_down_opens_its_address_again(new_page, own_server):
    page, connections = new_page(), []

    def listen(connection) -> None:
        connections.append(connection)
        connection.connect_to_server()

    page.route_web_socket("**/_stcore/stream", listen)
    # The first visitor of this server comes by a deep link.
    view = {"data": "markov-strings", "kernel": "Spectrum(length=2)", "depth.view": "Matrix"}
    visit(page, own_server.url, "Depth", **view)
    shown, was = heat(page), link(page)
    assert view.items() <= was.items()
    nowhere = ForwardMsg()
    nowhere.metadata.delta_path.extend([0, 99])
    nowhere.delta.add_block.SetInParent()
    with page.expect_navigation():
        connections[0].send(nowhere.SerializeToString())
    wait_for_run(page)
    assert (link(page), heat(page)) == (was, shown)
    assert any("Bad delta path" in words for words in new_page.complaints)
    new_page.complaints.clear()


#: Every connection of the page begins a session, as with a server that was started again.
_FORGETFUL = """
const Known = WebSocket;
window.WebSocket = class extends Known {
  constructor(url, protocols) {
    super(url, protocols.slice(0, 2));
    window.connection = this;
  }
};
"""


def test_a_page_whose_server_has_forgotten_it_keeps_its_view_and_the_next_move(new_page, own_server):
    page = new_page(other_browser=True)
    page.add_init_script(_FORGETFUL)
    visit(page, own_server.url, data="iris", kernel="Power(RBF(sigma=2.0), p=0.5)")
    press(slider(page, "p"), "ArrowRight")
    view = {name: link(page)[name] for name in ("data", "kernel")}
    with page.expect_navigation():  # by itself: a click would begin the new session, and be lost in it
        page.evaluate("connection.close()")
    wait_for_run(page)
    assert "p=0.5)" not in view["kernel"]
    assert {name: link(page)[name] for name in view} == view
    press(slider(page, "p"), "ArrowRight")
    assert link(page)["kernel"] != view["kernel"]
