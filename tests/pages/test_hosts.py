"""A page of another site that takes the address of this machine (DNS rebinding) reaches nothing."""

from __future__ import annotations

import asyncio
import socket
from unittest.mock import AsyncMock

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from pages.parts.server import runs


@pytest.mark.parametrize(
    ("address", "host", "expected"),
    [
        ("localhost", "localhost:8501", True),
        ("localhost", "127.0.0.1:8501", True),
        ("localhost", "[::1]:8501", True),
        ("localhost", "evil.test:8501", False),
        ("localhost", "localhost.evil.test", False),
        ("localhost", "localhost@evil.test", False),
        ("localhost", "192.168.1.5:8501", False),
        ("localhost", "[::1", False),
        ("0.0.0.0", "192.168.1.5:8501", True),
        ("0.0.0.0", "[fd00::5]:8501", True),
        ("0.0.0.0", "evil.test", False),
        ("192.168.1.5", "192.168.1.5:8501", True),
        ("192.168.1.5", "192.168.1.6:8501", False),
        ("lab.example", "LAB.example:8501", True),
        ("lab.example", "evil.test:8501", False),
    ],
)
def test_only_hosts_that_the_server_was_told_to_serve_are_answered(address, host, expected):
    assert runs.is_served(host, address) is expected


@pytest.mark.parametrize(("names", "passed"), [(["lab.example"], True), ([], False)])
def test_an_operators_list_of_hosts_is_left_to_streamlit(monkeypatch, names, passed):
    app, send = AsyncMock(), AsyncMock()
    options = {"server.address": "localhost", "server.allowedHosts": names}
    monkeypatch.setattr(runs.st, "get_option", options.__getitem__)
    scope = {"type": "http", "method": "GET", "headers": [(b"host", b"lab.example")]}
    asyncio.run(runs.OwnHosts(app)(scope, None, send))
    assert app.called is passed
    assert [call.args[0].get("status") for call in send.call_args_list[:1]] == ([] if passed else [421])


def test_the_app_refuses_a_websocket_with_a_foreign_host_and_a_matching_origin(app_server):
    port = app_server.url.rsplit(":", 1)[1]

    def stream(host: str):
        way = socket.create_connection(("127.0.0.1", int(port)))
        return connect(f"ws://{host}:{port}/_stcore/stream", sock=way, origin=f"http://{host}:{port}")

    with pytest.raises(InvalidStatus) as refused, stream("evil.test"):
        pass
    assert refused.value.response.status_code == 421
    with stream("127.0.0.1") as opened:
        assert opened.response.status_code == 101
