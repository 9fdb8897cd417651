"""The server process: where the dashboard is, a free port, and Streamlit with the dashboard's settings."""

from __future__ import annotations

import errno
import html
import os
import runpy
import secrets
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import DataError

#: The port that is tried first.
FIRST_PORT = 8501
_TRIED = 200


def dashboard() -> Path:
    """Return the file of the dashboard: in an installed kernlib its folder `dashboard`, in a clone the file on top.

    >>> dashboard().name
    'app.py'
    """
    package = Path(__file__).resolve().parents[1]
    for file in (package / "dashboard" / "app.py", package.parent / "app.py"):
        if file.is_file():
            return file
    raise DataError("show: this installation has no dashboard; expected kernlib/dashboard. Install kernlib again.")


def free_port(address: str = "localhost", wanted: int | None = None) -> int:
    """Return the port `wanted`, or the first free one; DataError for one that is taken, naming the next free one.

    Raises DataError also for an address that this machine does not have.
    """
    first = wanted or FIRST_PORT
    if not 1 <= first <= 65535:
        raise DataError(f"show: expected a port from 1 to 65535; got {first}. Leave it out for a free one.")
    for port in range(first, min(first + _TRIED, 65536)):
        if not _is_free(address, port):
            continue
        if wanted is not None and port != wanted:
            raise DataError(f"show: port {wanted} is taken; the next free one is {port}. Use --port {port}.")
        return port
    raise DataError(f"show: no port from {first} to {first + _TRIED} is free. Choose another --port.")


def any_port() -> int:
    """Return a free port of this machine as the system gives them out: two servers that start do not meet."""
    with socket.create_server(("localhost", 0)) as held:
        port: int = held.getsockname()[1]
    return port


def _is_free(address: str, port: int) -> bool:
    """Return whether a server may listen at this port; DataError for an address of another machine."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        socket.create_server((address, port), family=family).close()
    except PermissionError:
        raise DataError(f"show: port {port} needs the rights of an administrator. Use --port 8501.") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return False
        raise DataError(
            f"show: {address!r} is no address of this machine; expected localhost, 0.0.0.0 for the whole network, or "
            "one of this machine's own."
        ) from None
    return True


def answers(address: str) -> bool:
    """Return whether a server answers at this address."""
    with suppress(urllib.error.URLError, OSError), urllib.request.urlopen(f"{address}_stcore/health", timeout=5) as got:
        return bool(got.status == 200)
    return False


@contextmanager
def private_folder() -> Iterator[Path]:
    """Yield a new folder of this user alone, and remove it at the end, also when the process is terminated."""
    folder = Path(tempfile.mkdtemp(prefix="kernlib-"))  # mode 0700
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # by default nothing below would be done
    try:
        yield folder
    finally:
        signal.signal(signal.SIGTERM, before)
        shutil.rmtree(folder, ignore_errors=True)


def secret_path() -> str:
    """Return the part of an address that other users of this machine cannot guess."""
    return secrets.token_urlsafe(18)


def open_browser(url: str, folder: Path) -> None:
    """Open a browser, and print the address.

    The browser gets a file of the private folder that leads to the address: other users can read its arguments.
    """
    start = folder / "open.html"
    start.touch(mode=0o600)
    start.write_text(f'<meta http-equiv="refresh" content="0; url={html.escape(url)}">', encoding="utf-8")
    if webbrowser.open(start.as_uri()):
        print(f"kernlib: the browser opens {url}", file=sys.stderr)
    else:
        print(f"kernlib: there is no browser to open; the page is at {url}", file=sys.stderr)


def options_of(port: int, address: str, path: str = "") -> list[str]:
    """Return Streamlit's options; its settings stand beside the dashboard."""
    given = {"server.port": port, "server.address": address, "server.headless": "true", "server.baseUrlPath": path}
    given |= {"global.developmentMode": "false"}
    return [f"--{name}={value}" for name, value in given.items() if value != ""]


def run(port: int, address: str, path: str = "") -> None:
    """Run the dashboard in this process until it is stopped."""
    sys.argv = ["streamlit", "run", str(dashboard()), *options_of(port, address, path)]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def main() -> None:
    """Run the server of a call: `python -m kernlib.serving.server FOLDER`; it ends with its parent.

    Port and path come by standard input: other users of the machine can read the arguments.
    """
    folder, (port, path) = sys.argv[1], sys.stdin.read().split()
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.3)
        shutil.rmtree(folder, ignore_errors=True)  # the parent was killed
        os._exit(0)

    threading.Thread(target=watch, name="end with the caller", daemon=True).start()
    run(int(port), "localhost", path)


if __name__ == "__main__":
    main()
