"""What a page and the server sent each other last: said when a browser test fails on a complaint of the console.

A page that loses its tree shows nothing any more, and the reason lies in the order of what was sent before. To record
every page of every test would slow them down: each message goes to the test as well.
"""

from __future__ import annotations

import time
from collections import deque

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

#: Messages kept of each connection: some twenty runs of a page.
_KEPT = 500


class Frames:
    """Keeps one line a message of every connection of a test's pages."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._lines: list[deque[str]] = []

    def listen(self, websocket) -> None:
        """Keep what goes over a connection."""
        lines: deque[str] = deque([websocket.url], _KEPT)
        self._lines.append(lines)
        websocket.on("framereceived", lambda frame: self._keep(lines, "<", ForwardMsg, _received, frame))
        websocket.on("framesent", lambda frame: self._keep(lines, ">", BackMsg, _sent, frame))
        websocket.on("close", lambda _: lines.append("closed"))

    def _keep(self, lines, sign, kind, in_words, frame) -> None:
        if isinstance(frame, bytes):
            try:
                said = in_words(kind.FromString(frame))
            except DecodeError:
                said = "unreadable"
            lines.append(f"{time.monotonic() - self._begun:.3f} {sign} {said}")

    def __str__(self) -> str:
        return "\n\n".join("\n".join(lines) for lines in self._lines)


def _received(message: ForwardMsg) -> str:
    kind = message.WhichOneof("type")
    run = f"{message.metadata.run.script_run_id[:6]} {[name[:6] for name in message.metadata.run.fragment_ids]}"
    path = list(message.metadata.delta_path)
    if kind == "delta":
        what = message.delta.WhichOneof("type")
        return f"{what} {path} {message.delta.fragment_id[:6]} {message.metadata.active_script_hash[:6]}"
    if kind == "ref_hash":
        return f"ref_hash {path}"
    if kind == "new_session":
        return f"new_session {run} {message.new_session.page_script_hash[:6]}"
    if kind == "script_finished":
        return f"script_finished {run} {message.script_finished}"
    return str(kind)


def _sent(message: BackMsg) -> str:
    asked = message.rerun_script
    pressed = [state.id[-24:] for state in asked.widget_states.widgets if state.trigger_value]
    timer = "timer" if asked.is_auto_rerun else ""
    return f"{message.WhichOneof('type')} {asked.fragment_id[:6]} {timer} {asked.page_script_hash[:6]} {pressed}"
