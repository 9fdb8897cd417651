"""The address by which phones in the same network reach this server."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

import streamlit as st

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
    host = own_address() if ipaddress.ip_address(listens).is_unspecified else listens
    return parts._replace(netloc=f"{host}:{parts.port}" if parts.port else host).geturl()


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return host in ("localhost", "")


def own_address() -> str:
    """Return the machine's address in its network, or its name where it has no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)  # asks for the way; of UDP nothing is sent
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])
