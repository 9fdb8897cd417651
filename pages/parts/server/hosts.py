"""The hosts whose requests this server answers.

A page of another site can give its own name the address of this machine (DNS rebinding). The browser then takes this
server for a part of that site, whose scripts may read what is shown here. The Host header still has the foreign name.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class OwnHosts:
    """Refuse requests and websockets for hosts that this server was not told to serve."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it with a sentence."""
        answer = self._app
        # Streamlit itself checks websockets against a list of hosts, if there is one.
        if scope["type"] in ("http", "websocket") and not st.get_option("server.allowedHosts"):
            host = Headers(scope=scope).get("host", "")
            if not is_served(host, st.get_option("server.address") or "0.0.0.0"):
                answer = PlainTextResponse(
                    f"This server does not serve {host[:100]!r}; expected the address with which it was started. "
                    "To serve a name, start it with --server.allowedHosts NAME.",
                    status_code=421,
                )
        await answer(scope, receive, send)


def is_served(host: str, address: str) -> bool:
    """Return whether a server that listens at an address serves a host, as the Host header names it.

    It serves its own address and this machine's loopback; where it listens in every network, all numeric addresses,
    which no other site can have.

    >>> [is_served(host, "localhost") for host in ("localhost:8501", "[::1]:8501", "evil.test:8501", "10.0.0.5")]
    [True, True, False, False]
    >>> [is_served(host, "0.0.0.0") for host in ("10.0.0.5:8501", "evil.test:8501", "10.0.0.5.evil.test")]
    [True, False, False]
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    except ValueError:
        return False
    number, listens = _numeric(name), _numeric(address)
    if number is None:
        return name in ("localhost", address.lower())
    return number.is_loopback or number == listens or (listens is not None and listens.is_unspecified)


def _numeric(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:  # a name
        return None
