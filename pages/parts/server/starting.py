"""The server beside its pages: imports before the first visitor, the hosts that it answers, its address for phones.

A page of another site can give its own name the address of this machine (DNS rebinding). The browser then takes this
server for a part of that site, whose scripts may read what is shown here. The Host header still has the foreign name.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import cache
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

#: The app with all that it imports and its first picture needs, and the largest of what is computed after it.
_FIRST, _OTHERS = ("pages.run", "scipy.linalg"), ("sklearn.svm", "sklearn.datasets", "scipy.stats")


@asynccontextmanager
async def warm_up(app: Any) -> AsyncIterator[None]:
    """Start the imports beside the server's own start."""
    _WARMING.start()
    yield


def warmed_up() -> None:
    """Wait until the imports that have begun have ended: two threads must not import the same package at once."""
    if importing():
        _WARMING.join()


def importing() -> bool:
    """Return whether the server still imports: its first picture is drawn before the others, without errors."""
    return _WARMING.is_alive()


@contextmanager
def imported() -> Iterator[None]:
    """Run a page once all is imported; the server's first run, of the first page, once its picture can be drawn.

    The other imports wait until that run has ended.
    """
    first = str(st.get_option("server.baseUrlPath")).strip("/")
    mine = _one.acquire(blocking=False)
    early = mine and urlsplit(st.context.url or first).path.strip("/") == first
    if mine and not early:
        _drawn.set()
    if not early:
        warmed_up()
    elif importing():
        _drawable.wait()
    try:
        yield
    finally:
        _drawn.set()


def _import_all() -> None:
    try:
        for name in _FIRST:
            import_module(name)
    finally:
        _drawable.set()
    if not (_drawn.wait(_PATIENCE) or _one.acquire(blocking=False)):
        _drawn.wait()
    for name in _OTHERS:
        import_module(name)


#: Seconds in which the first run may begin; later ones wait for all imports.
_PATIENCE = 3.0
_drawable, _drawn, _one = threading.Event(), threading.Event(), threading.Lock()
_WARMING = threading.Thread(target=_import_all, name="imports", daemon=True)


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


#: Open files to ask for where the system names no limit: what macOS grants.
_FILES = 10_240


@cache
def prepare() -> None:
    """Limit each computation to one BLAS thread, and raise the limit of open files, once a server.

    Sessions that each take all cores wait for each other. A session has four open files, and many systems allow a
    process 1024 of them, macOS 256, unless it asks for more.
    """
    from kernlib.numerics.workers import one_thread_for_good

    one_thread_for_good()
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        asked = max(now, _FILES) if most == resource.RLIM_INFINITY else most  # macOS grants no infinite number
        resource.setrlimit(resource.RLIMIT_NOFILE, (asked, most))


#: An address of the documentation (RFC 5737): the way to it starts at the machine's own address in its network.
_ELSEWHERE = ("192.0.2.1", 9)


def network_url(url: str) -> str | None:
    """Return an address of a page that phones can open; None where the server listens on this machine only.

    `url` is the page's address in the lecturer's browser: as it is, unless it names this machine as "localhost".
    """
    parts = urlsplit(url)
    if not _is_local(parts.hostname or ""):
        return url
    listens = st.get_option("server.address") or "0.0.0.0"
    if _is_local(listens):
        return None
    number = _numeric(listens)
    host = own_address() if number is not None and number.is_unspecified else listens
    return parts._replace(netloc=f"{host}:{parts.port}" if parts.port else host).geturl()


def _is_local(host: str) -> bool:
    number = _numeric(host)
    return host in ("localhost", "") if number is None else number.is_loopback


def own_address() -> str:
    """Return the machine's address in its network, or its name where it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)  # asks for the way; of UDP nothing is sent
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])
