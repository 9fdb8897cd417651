"""Links in a real browser: the first visitor of a server, another person, and a hostile link."""

from __future__ import annotations

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from .drive import complaints, heat, link, menu, next_run, slider, turn_to, visit, wait_for_run

pytestmark = pytest.mark.browser


def test_a_link_opens_the_view_that_it_was_copied_from(new_page, own_server):
    first, second = new_page(), new_page(other_browser=True)
    # The first visitor of this server comes by a deep link.
    visit(first, own_server.url, "Spectrum", data="banana")
    assert complaints(first) == []
    turn_to(first, "See")
    before = heat(first)
    menu(first, "data")
    with next_run(first):
        slider(first, "seed").press("ArrowRight")
    assert link(first)["g.seed"] == "1"
    second.goto(first.url)
    wait_for_run(second)
    assert link(second) == link(first)
    assert heat(second) == heat(first) != before


def test_a_page_that_the_frontend_takes_down_opens_its_address_again(new_page, own_server):
    page, connections = new_page(), []

    def listen(connection) -> None:
        connections.append(connection)
        connection.connect_to_server()

    page.route_web_socket("**/_stcore/stream", listen)
    visit(page, own_server.url, data="markov-strings", kernel="Spectrum(length=2)")
    shown, was = heat(page), link(page)
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
    with next_run(page):
        slider(page, "p").press("ArrowRight")
    view = {name: link(page)[name] for name in ("data", "kernel")}
    with page.expect_navigation():  # by itself: a click would begin the new session, and be lost in it
        page.evaluate("connection.close()")
    wait_for_run(page)
    assert "p=0.5)" not in view["kernel"]
    assert {name: link(page)[name] for name in view} == view
    with next_run(page):
        slider(page, "p").press("ArrowRight")
    assert link(page)["kernel"] != view["kernel"]
