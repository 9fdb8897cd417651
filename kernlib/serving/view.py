"""The dashboard from a call or a command: the view that `kernlib.show` returns, and `kernlib show`."""

from __future__ import annotations

import atexit
import html
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from ..core.base import Kernel
from ..data import CATALOGUE, Dataset
from ..errors import DataError, DomainError, OwnCodeError, ParameterError
from ..own import from_estimator, from_sklearn, kernel_from, load_kernels, own_kernels
from ..own.registered import definitions_of, register_parts
from ..parse import parse
from .inputs import dataset_of as dataset_of
from .opened import VARIABLE, Opened, add_dataset, add_kernels, noted_kernel, write_opened
from .server import answers, any_port, dashboard, free_port, open_browser, private_folder, run, secret_path

#: The views of the dashboard by the end of their address.
PAGES = (
    "see",
    "data",
    "depth",
    "spectrum",
    "choose",
    "curves",
    "use",
    "lessons",
    "labs",
    "papers",
    "kernels",
    "gram",
    "alike",
    "machine",
    "stories",  # of earlier versions
)
#: Seconds in which the server must answer.
_PATIENCE = 60.0
_HEIGHT = 820


def open_view(data: Dataset | None, kernel: Any, page: str, port: int | None, browser: bool | None) -> View:
    """Return the view that `kernlib.show` opens, which describes the parameters."""
    page = _end_of_address(page, "page")
    first = None if kernel is None else as_kernel(kernel, "vector" if data is None else data.domain)
    if first is not None:
        if data is not None and not first.can_read(data.domain):
            raise DomainError(f"show: {first!r:.80} reads {first.reads} rows; got {data.domain} rows.")
        register_parts(first)
    with _LOCK:
        place = _server(port, first)
        view = place.add(data, first, page)
    if browser is None:
        browser = "ipykernel" not in sys.modules
    if browser:
        open_browser(view.url, place.folder)
    return view


def _end_of_address(page: str, option: str) -> str:
    """Return the end of the address of a page, checked; "" for the first."""
    if page in ("", "see", "overview"):
        return ""
    if page not in PAGES:
        raise ParameterError(
            f"show: {option} must be one of {', '.join(PAGES)}; got {page!r}. Leave it out for the first."
        )
    return page


def as_kernel(given: Any, domain: str) -> Kernel:
    """Return the kernel of whatever `show` accepts as one.

    >>> as_kernel("RBF(sigma=2.0)", "vector"), as_kernel(lambda X, Y: X @ Y.T, "vector")
    (RBF(sigma=2.0), Own())
    """
    if isinstance(given, Kernel):
        return given
    if isinstance(given, type) and issubclass(given, Kernel):
        return given()
    if isinstance(given, str):
        return parse(given)
    if type(given).__module__ == "sklearn.gaussian_process.kernels":
        return from_sklearn(given)
    if hasattr(given, "fit_transform") and not isinstance(given, type):
        return from_estimator(given, domain=domain)
    called = getattr(given, "__name__", type(given).__name__)
    made: Kernel = kernel_from(given, domain=domain, name=called if called.isidentifier() else "Own")()
    return made


@dataclass(eq=False)
class View:
    """One page of the dashboard on rows of this process: its address, and the kernel that it shows.

    In a notebook it is shown as a frame of the page, with a link where frames are forbidden.
    """

    url: str
    data: Dataset | None
    _server: Server
    _name: str
    _first: Kernel | None
    _last: str = ""

    @property
    def kernel(self) -> Kernel:
        """Return the kernel that the page shows now, or showed last."""
        self._last = noted_kernel(self._server.folder, self._name) or self._last
        if self._last:
            return parse(self._last)
        if self._first is not None:
            return self._first
        from ..experiments.decisions import default_kernel

        if self.data is None:
            raise DataError("show: no page has been opened yet, so that no kernel is chosen. Open the view first.")
        return default_kernel(self.data)

    def pipeline(self, estimator: Any) -> Any:
        """Return a scikit-learn pipeline of the kernel that the page shows and an estimator on Gram matrices.

        `estimator` is one with kernel="precomputed", such as SVC(kernel="precomputed").
        """
        from sklearn.pipeline import make_pipeline

        from ..estimators import GramTransformer

        return make_pipeline(GramTransformer(self.kernel), estimator)

    def close(self) -> None:
        """End the server, with all its views, and remove its folder; `kernel` still returns the last one."""
        self._server.close()

    def wait(self) -> None:
        """Wait until the server ends or Ctrl-C is pressed: for a script, which would end at once."""
        with suppress(KeyboardInterrupt):
            self._server.process.wait()

    def __repr__(self) -> str:
        return f"View({self.url!r})"

    def _repr_html_(self) -> str:
        address = html.escape(self.url, quote=True)
        return (
            f'<iframe src="{address}" width="100%" height="{_HEIGHT}" style="border:1px solid #8884" '
            f'title="kernlib"></iframe><p><a href="{address}" target="_blank">Open in a tab</a></p>'
        )


class Server:
    """The one server process of this interpreter."""

    def __init__(self, port: int | None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="kernlib-"))  # mode 0700
        self.path = secret_path()
        self.port = any_port() if port is None else free_port("localhost", port)
        self.opened = Opened()
        self.views: list[View] = []
        self.definitions: dict[str, type[Kernel]] = {}
        self.process: subprocess.Popen[bytes]

    @property
    def address(self) -> str:
        """Return the address of the first page."""
        return f"http://localhost:{self.port}/{self.path}/"

    @property
    def alive(self) -> bool:
        """Return whether the process runs."""
        return self.process.poll() is None

    def start(self) -> None:
        """Start the process and wait until it answers; DataError with its last words if it does not."""
        write_opened(self.folder, self.opened)
        here = [entry or os.getcwd() for entry in sys.path]
        environment = os.environ | {VARIABLE: str(self.folder), "PYTHONPATH": os.pathsep.join(here)}
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "kernlib.serving.server", str(self.folder)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=environment,
                cwd=self.folder,
            )
        assert self.process.stdin is not None
        with suppress(BrokenPipeError), self.process.stdin as told:  # its log says why it ended
            told.write(f"{self.port} {self.path}".encode())
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end and self.alive:
            if answers(self.address):
                return
            time.sleep(0.02)
        words = (self.folder / "server.log").read_text(errors="replace").strip().splitlines()[-1:]
        self.stop()
        raise DataError(f"show: the server did not start. Its last words: {' '.join(words)[:300] or 'none'}")

    def add(self, data: Dataset | None, kernel: Kernel | None, page: str) -> View:
        """Return the view of one more data set."""
        query: dict[str, str] = {}
        name = "samples"
        if data is not None:
            name, file = add_dataset(self.folder, data)
            sets = dict(self.opened.sets) | {name: file}
            self.opened = replace(self.opened, sets=tuple(sets.items()))
            write_opened(self.folder, self.opened)
            query["data"] = name
        if kernel is not None:
            query["kernel"] = repr(kernel.specification)
        url = f"{self.address}{page}{'?' if query else ''}{urlencode(query)}"
        view = View(url, data, self, name, None if kernel is None else kernel.specification)
        self.views.append(view)
        return view

    def tell(self, asked: Kernel | None) -> bool:
        """Hand over a kernel and those of this process; return whether the server knows another of one of their names.

        Raises OwnCodeError if the kernel that is asked for cannot be sent; others are then left out.
        """
        kernels = [] if asked is None else [asked.specification]
        kernels += [made for made in map(_default, own_kernels()) if made is not None]
        new = {name: cls for kernel in kernels for name, cls in definitions_of(kernel).items()}
        changed = any(self.definitions.get(name, cls) is not cls for name, cls in new.items())
        if new.keys() - self.definitions.keys() or changed:
            for kernel in kernels:
                with suppress(*(() if kernel is kernels[0] and asked is not None else (OwnCodeError,))):
                    add_kernels(self.folder, [kernel])
            write_opened(self.folder, self.opened)
        self.definitions |= new
        return changed

    def stop(self) -> None:
        """End the process."""
        if self.alive:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def close(self) -> None:
        """End the process and remove the folder; every view keeps its last kernel."""
        global _CURRENT
        for view in self.views:
            view._last = noted_kernel(self.folder, view._name) or view._last
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
        if _CURRENT is self:
            _CURRENT = None


_LOCK = threading.RLock()
_CURRENT: Server | None = None


def _server(port: int | None, kernel: Kernel | None) -> Server:
    """Return the running server of this interpreter, which knows this process's kernels; start it if there is none."""
    global _CURRENT
    dashboard()
    if _CURRENT is None:
        made = Server(port)
        try:
            made.tell(kernel)
            made.start()
        except BaseException:
            shutil.rmtree(made.folder, ignore_errors=True)
            raise
        _CURRENT = made
        atexit.register(made.close)
        return made
    changed = _CURRENT.tell(kernel)
    if not _CURRENT.alive:
        code = _CURRENT.process.returncode
        print(f"kernlib: the server had ended (code {code}); it runs again with all its data sets.", file=sys.stderr)
        _CURRENT.start()
    elif changed:  # results of the earlier definition must not be shown
        _CURRENT.stop()
        _CURRENT.start()
    return _CURRENT


def _default(cls: Callable[[], Kernel]) -> Kernel | None:
    """Return a kernel of a class with its defaults; None for one that needs a decision."""
    try:
        return cls()
    except TypeError:
        return None


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
    page = _end_of_address(page, "--page")
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
