"""A person at the dashboard without a browser: Streamlit's own messages over its websocket."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect


class Person:
    """One session: opens a link, moves widgets, waits for the page; keeps what it is told to poll polled.

    A connection that is lost is taken up again, as a browser does. `errors` holds every exception that a page showed,
    `headings` and `texts` its titles and boxed sentences, `widgets` the last message of each widget by key, `lost` the
    number of connections lost.
    """

    def __init__(self, url: str, **link: str) -> None:
        self._url, self._query = url, urlencode(link)
        self._session, self.lost = "", 0
        self._socket = self._connected()
        self.errors: list[str] = []
        self.headings: list[str] = []
        self.texts: list[str] = []
        self.widgets: dict[str, Any] = {}
        self.pages: dict[str, str] = {}
        self._states: dict[str, Any] = {}
        self._page = ""
        self._polled: dict[str, tuple[float, float]] = {}
        self.rerun()

    def _connected(self) -> ClientConnection:
        """Return a connection, to the session of the one before; a browser answers pings and sends none."""
        names: Any = ["streamlit", *(["none", self._session] if self._session else [])]
        address = self._url.replace("http", "ws", 1) + "/_stcore/stream"
        return connect(
            address,
            subprotocols=names,
            max_size=None,
            max_queue=None,
            open_timeout=120,
            compression=None,
            ping_interval=None,
        )

    def open_page(self, name: str) -> float:
        """Go to a page; seconds until it was there."""
        self._page = self.pages[name]
        self._states = {}
        return self.rerun()

    def choose(self, key: str, value: Any) -> float:
        """Give a widget, by the end of its key, a value; seconds until the page had followed.

        True clicks a button, a number moves a slider.
        """
        found = [w for name, w in self.widgets.items() if name.endswith(key)]
        if not found:
            raise KeyError(f"no widget {key!r} among {sorted(self.widgets)}")
        pressed = value is True
        self._states[found[-1].id] = value
        seconds = self.rerun()
        if pressed:
            del self._states[found[-1].id]
        return seconds

    def rerun(self) -> float:
        """Run the page and wait for its end; seconds."""
        self._polled.clear()
        start = time.monotonic()
        self._ask()
        while True:
            try:
                if self._take(self._receive(120.0)):
                    return time.monotonic() - start
            except ConnectionClosed:
                self._reconnect()
                self._ask()

    def _reconnect(self) -> None:
        self.lost += 1
        self._socket = self._connected()

    def _ask(self, fragment: str = "") -> None:
        message = BackMsg()
        client = message.rerun_script
        client.query_string, client.page_script_hash, client.fragment_id = self._query, self._page, fragment
        client.is_auto_rerun = bool(fragment)
        for name, value in self._states.items():
            state = client.widget_states.widgets.add(id=name)
            if value is True:
                state.trigger_value = True
            else:
                state.double_array_value.data.append(value)
        try:
            self._socket.send(message.SerializeToString())
        except ConnectionClosed:
            self._reconnect()
            self._socket.send(message.SerializeToString())

    def stay(self, seconds: float) -> None:
        """Look at the page for a while; what it wants to be polled is polled."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            due = [f for f, (_, at) in self._polled.items() if at <= now]
            for fragment in due:
                interval, _ = self._polled[fragment]
                self._polled[fragment] = (interval, now + interval)
                self._ask(fragment)
            until = min([end, *(at for _, at in self._polled.values())])
            if until > (now := time.monotonic()):
                try:
                    self._take(self._receive(until - now))
                except ConnectionClosed:
                    self._reconnect()
                except TimeoutError:
                    pass

    def _receive(self, seconds: float) -> ForwardMsg:
        raw = self._socket.recv(timeout=seconds)
        message = ForwardMsg()
        message.ParseFromString(raw if isinstance(raw, bytes) else raw.encode())
        return message

    def _take(self, message: ForwardMsg) -> bool:
        """Take a message in; whether it ends a run of the page."""
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id
        elif kind == "navigation":
            self.pages = {p.page_name: p.page_script_hash for p in message.navigation.app_pages}
            self._page = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            told = message.auto_rerun
            self._polled[told.fragment_id] = (told.interval, time.monotonic() + told.interval)
        elif kind == "stop_auto_rerun":
            for fragment in message.stop_auto_rerun.fragment_ids:
                self._polled.pop(fragment, None)
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            what = element.WhichOneof("type")
            content = getattr(element, what)
            if what == "heading":
                self.headings.append(content.body)
            elif what == "alert":
                self.texts.append(content.body)
            if what == "exception":
                self.errors.append(content.message)
            elif getattr(content, "id", "").startswith("$$ID-"):
                key = content.id.split("-", 2)[2]
                self.widgets[content.label if key == "None" else key] = content
        # A fragment's end, or one for the sake of a rerun, is not the page's.
        ended = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR)
        return kind == "script_finished" and message.script_finished in ended


def resident(pid: int) -> float:
    """Return the memory of a process in MB; 0 once it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        return 0.0
