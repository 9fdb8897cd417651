"""`kernlib show`: the dashboard on files or samples, from the command line."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..data import CATALOGUE
from ..errors import DataError, ParameterError
from ..own import load_kernels
from ..parse import parse
from .opened import VARIABLE, Opened, write_opened
from .server import answers, free_port, open_browser, private_folder, run, secret_path
from .view import PAGES


def show_command(
    given: Sequence[str],
    choices: Mapping[str, Any],
    *,
    kernel: str = "",
    page: str = "",
    load: Sequence[str] = (),
    port: int | None = None,
    address: str = "localhost",
    browser: bool = True,
) -> None:
    """Serve the dashboard on samples or files until it is stopped; KernlibError for what cannot be shown.

    Nothing is written into the working directory; files are read again when they change, if a person asks for it.
    """
    page = "" if page in ("see", "overview") else page
    if page and page not in PAGES:
        raise ParameterError(f"show: --page must be one of {', '.join(PAGES)}; got {page!r}.")
    for file in load:
        load_kernels(file)
    shown = repr(parse(kernel)) if kernel else ""
    sample = given[0] if len(given) == 1 and given[0] in CATALOGUE and not Path(given[0]).exists() else ""
    if not sample:
        for name in given:
            if not Path(name).is_file():
                near = " `kernlib datasets` lists the samples." if not Path(name).suffix else ""
                what = "is a folder" if Path(name).is_dir() else "there is no such file"
                raise DataError(f"{name}: {what}; expected a file or the name of a sample.{near} Check the path.")
    place = free_port(address, port)
    everybody = address in ("", "0.0.0.0", "::")
    path = "" if everybody else secret_path()  # a class types the address
    host = "localhost" if everybody or address == "127.0.0.1" else address
    server = f"http://{host}:{place}/{path}{'/' if path else ''}"
    with private_folder() as folder:
        files = () if sample else tuple(str(Path(name).resolve()) for name in given)
        write_opened(folder, Opened(files=files, choices=dict(choices), sample=sample, kernel=shown))
        os.environ[VARIABLE] = str(folder)
        print(f"kernlib: {server}{page}  (Ctrl-C ends it)", file=sys.stderr, flush=True)
        if browser:
            opening = (server, f"{server}{page}", folder)
            threading.Thread(target=_open_when_ready, args=opening, daemon=True).start()
        run(place, address or "localhost", path)


def _open_when_ready(server: str, url: str, folder: Path) -> None:
    for _ in range(600):
        if answers(server):
            return open_browser(url, folder)
        time.sleep(0.1)
