"""A line between browser and server that a test cuts: each TCP connection goes through it."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from urllib.parse import urlparse


class Line:
    """A TCP proxy at `url` in front of a server; `cut` closes all connections and takes no new ones until `mend`."""

    def __init__(self, server: str) -> None:
        place = urlparse(server)
        self._server = (place.hostname, place.port)
        self._ends: list[socket.socket] = []
        self._whole = True
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self._door.close()
        self.cut()

    def cut(self) -> None:
        self._whole = False
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def mend(self) -> None:
        self._whole = True

    def _accept(self) -> None:
        with suppress(OSError):  # the door is closed at the end
            while True:
                near, _ = self._door.accept()
                if not self._whole:
                    near.close()
                    continue
                far = socket.create_connection(self._server)
                self._ends += (near, far)
                for way in ((near, far), (far, near)):
                    threading.Thread(target=_carry, args=way, daemon=True).start()


def _carry(here: socket.socket, there: socket.socket) -> None:
    with suppress(OSError):
        while data := here.recv(2**16):
            there.sendall(data)
        there.shutdown(socket.SHUT_WR)
