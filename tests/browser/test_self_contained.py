"""The dashboard and its exports fetch nothing from another host; the server answers this machine alone."""

from __future__ import annotations

import socket
from urllib.parse import urlparse

import pytest

from .drive import foreign, visit

pytestmark = pytest.mark.browser


def test_an_exported_figure_opens_without_another_host(new_page, app_server, tmp_path):
    """What the pages themselves ask for is checked where all of them are visited (test_pages.py)."""
    page, requests = new_page(), []
    page.context.on("request", lambda request: requests.append(request.url))
    visit(page, app_server.url, data="banana")
    # As pictures, for slides and for print: a picture closes the menu.
    menu = page.locator(".st-key-panel-see-gram").get_by_role("button", name="Menu of the figure")
    for name, begins in (("PNG", b"\x89PNG"), ("SVG", b"<svg"), ("CSV", b"row,"), ("HTML", b"<!doctype html>")):
        if not page.get_by_role("button", name="CSV").count():
            menu.click()
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        assert download.value.suggested_filename == f"gram-matrix.{name.lower()}"
        assert download.value.path().read_bytes().startswith(begins)
    exported = tmp_path / "figure.html"
    download.value.save_as(exported)
    page.goto(exported.as_uri())
    page.wait_for_selector(".js-plotly-plot .main-svg")
    assert foreign(requests, app_server.url) == []


def test_the_server_listens_on_this_machine_only(app_server):
    port = urlparse(app_server.url).port
    with socket.create_connection(("127.0.0.1", port), timeout=10):
        pass
    # Every address of 127.0.0.0/8 is this machine; a server that listens on all interfaces answers each of them.
    with pytest.raises(OSError, match=r"refused|timed out|unreachable|assign"):
        socket.create_connection(("127.0.0.2", port), timeout=10).close()
