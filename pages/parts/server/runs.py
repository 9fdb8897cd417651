"""The runs of a page and the server beside them: imports, what a session holds, clicks, parts that are drawn again.

Streamlit may end a run, also inside a callback, at every access to `st.session_state` and with every element. At none
to a session's holder: a callback only writes down what was clicked, in the holder that it was given when its widget was
drawn. (`st.cache_resource(scope="session")` would be emptied when the connection drops; `st.session_state` comes back.)

A hidden element is the last of every run. A browser test reads its number, acts, and waits for a higher number with
nothing pending.

A page of another site can give its own name the address of this machine (DNS rebinding). The browser then takes this
server for a part of that site, whose scripts may read what is shown here. The Host header still has the foreign name.
"""

from __future__ import annotations

import gc
import ipaddress
import itertools
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, partial, wraps
from html import escape
from importlib import import_module
from typing import Any, TypeVar
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.delta_generator import DeltaGenerator

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
    gc.collect()
    gc.freeze()  # Streamlit collects after every run: it need not look at the libraries' objects again


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


T = TypeVar("T")
_KEY = "holder"


@dataclass(eq=False)
class Holder:
    """The session's state, the clicks that wait for the next run, and what its widgets show.

    `widgets` has the widget in the browser by its name, None where the browser may hold another value, and `renewals`
    counts those that were replaced. `kept` has what is no choice of a person, such as guesses and runs; `computed` what
    can be computed again, and goes while its browser is away. `left` is when the browser went, 0 while it is here;
    `uploaded` has the bytes of its files.
    """

    state: Any = None
    clicks: list[Callable[[], object]] = field(default_factory=list)
    widgets: dict[str, Any] = field(default_factory=dict)
    renewals: int = 0
    kept: dict[str, Any] = field(default_factory=dict)
    computed: dict[str, Any] = field(default_factory=dict)
    left: float = 0.0
    uploaded: int = 0


_holder: ContextVar[Holder | None] = ContextVar("holder", default=None)


def session_holder() -> Holder:
    """Return the holder of this session: the one in use, else the one that Streamlit keeps."""
    own = _holder.get()
    if own is None:
        own = st.session_state.setdefault(_KEY, Holder())
    return own


@contextmanager
def using(own: Holder) -> Iterator[None]:
    """Use this holder inside the block, without asking Streamlit for it."""
    token = _holder.set(own)
    try:
        yield
    finally:
        _holder.reset(token)


def look() -> None:
    """End the run here if a newer request has come."""
    _KEY in st.session_state  # noqa: B015  (Streamlit looks at every access)


def kept(name: str, make: Callable[[], T]) -> T:
    """Return what this session keeps under a name; the first time, make it."""
    return _made(session_holder().kept, name, make)


def computed(name: str, make: Callable[[], T]) -> T:
    """Return what this session has computed under a name; the first time, and after an absence, make it."""
    return _made(session_holder().computed, name, make)


def latest(name: str, asked: Any, make: Callable[[], T]) -> T:
    """Return what was computed last under a name; made anew where something else is `asked`, or after an absence."""
    last = session_holder().computed
    if name not in last or last[name][0] != asked:
        last[name] = asked, make()
    value: T = last[name][1]
    return value


def _made(own: dict[str, Any], name: str, make: Callable[[], T]) -> T:
    if name not in own:
        own[name] = make()
    value: T = own[name]
    return value


def keep(name: str, value: Any) -> None:
    """Keep a value under a name, in place of the one before."""
    session_holder().kept[name] = value


def deferred(
    function: Callable[..., object], *args: Any, reads: str = "", early: bool = False, **named: Any
) -> Callable[[], None]:
    """Return a callback that leaves `function(*args, **named)` to the beginning of the run that it causes.

    The callback itself only writes down the click. Streamlit may end a run anywhere, and never calls a callback again:
    what is written down stays until it is done. `reads` is the key of a widget whose value lasts for one run, such as
    the entry of a menu that was clicked: the function receives it first. `early` comes before the presses of buttons:
    Streamlit calls the callbacks of a component last, and a press must find what was drawn before it.
    """
    clicks = session_holder().clicks

    def clicked() -> None:
        value: tuple[Any, ...] = ()
        try:
            value = (st.session_state[reads],) if reads else ()
        finally:
            if reads and not value:  # a newer request ended the first access, and does not end a second one
                value = (st.session_state[reads],)
            clicks.insert(0 if early else len(clicks), partial(function, *value, *args, **named))

    return clicked


def take_clicks() -> None:
    """Do what the clicks since the last run ask for, in their order, each once.

    A click whose run is ended stays for the next run. One that fails does not: it would fail in every run.
    """
    clicks = session_holder().clicks
    while clicks:
        try:
            clicks[0]()
        except Exception:
            del clicks[0]
            raise
        del clicks[0]


#: Seconds between two looks for a newer request of a run that waits for the browser.
LOOK = 0.02
#: Seconds between two drawings of a part whose work goes on.
TICK = 0.4


class _Run(threading.local):
    """The run that this thread executes: whether it is that of a whole page, and what it has drawn.

    `inside` whether it draws a part; `later` has the work that waits until all of the page is drawn.
    """

    of_page = False
    figures = 0
    pending = 0
    inside = False
    later: tuple[Callable[[], None], ...] = ()


_run = _Run()


@contextmanager
def run() -> Iterator[None]:
    """Run a whole page inside the block.

    Work that its parts have left is done once all of it is drawn: figures come with their sentences.
    """
    _run.of_page, _run.figures, _run.pending, _run.later = True, 0, 0, ()
    work: Callable[[], None]
    try:
        yield
        for work in _run.later:
            work()
    finally:
        _run.of_page = False


def pause(seconds: float) -> None:
    """Wait, and end the run as soon as a newer request arrives."""
    end = time.monotonic() + seconds
    while (now := time.monotonic()) < end:
        time.sleep(min(LOOK, end - now))
        look()


#: Runs of all sessions, full ones and ticks: a new page has a higher number than the page before.
_numbers = itertools.count(1)


def count_figure() -> None:
    """Count a figure that this run sends."""
    _run.figures += 1


def end_run(address: str) -> None:
    """Draw the hidden element: the run's number, its figures, the number of parts whose work goes on, its address."""
    if importing():
        until_done(lambda: False, lambda: None)  # this page again, with its errors
        _run.later = ()
    _mark(pending=_run.pending, figures=_run.figures, address=escape(address))


def _mark(**values: int | str) -> None:
    data = " ".join(f'data-{name}="{value}"' for name, value in {"run": next(_numbers), **values}.items())
    st.html(f"<span {data}></span>")  # hidden by the style sheet


def part(draw: Callable[[], object], every: float | None = None) -> None:
    """Draw a part of a page that runs alone: when a widget in it is clicked, or again and again after `every` seconds.

    It stands in a container that belongs to the page's run. Where a part's run is asked for while the page runs,
    Streamlit takes back what the page has drawn of the part and not yet sent; what follows it is sent. The browser then
    puts the part in the place of what follows, and where it cannot place the rest, takes the page down. So nothing may
    follow a part in its container, and no part may stand in another.
    """
    assert not _run.inside, "a part in a part"

    @wraps(draw)
    def alone() -> None:
        _run.inside = True
        try:
            with using(session_holder()):
                take_clicks()
                draw()
        finally:
            _run.inside = False

    with st.container():
        st.fragment(alone, run_every=every)()


def part_place() -> DeltaGenerator:
    """Return a container that is as far down as what a `part` draws: a figure drawn in both is not made anew."""
    return st.container().container()


def until_done(done: Callable[[], bool], draw: Callable[[], object], work: Callable[[], object] | None = None) -> bool:
    """Return True where the work is done; else draw what there is, again and again, and then run the page once more.

    Each tick first asks whether the work is `done`: the finished state is drawn by the run of the page alone, never
    also by the tick before it. Then it calls `draw`, and last `work`, which computes for `limits().slice` seconds at
    most; where that was the last of it, the page runs at once. The page's own run works when it has drawn everything.
    A tick of an earlier state draws nothing.

    A figure that `draw` has drawn stays where it is, and is not made anew, if the finished state is drawn in
    `part_place()` and as far down in it. `waiting.show` does so.
    """
    if done():
        return True
    shown, early = session_holder().state, importing()

    def go_on() -> None:
        if work is not None:
            work()
            if done():
                st.rerun()

    def tick() -> None:
        of_page = _run.of_page
        if not of_page:
            warmed_up()
        if (early and not of_page) or session_holder().state is not shown or done():
            st.rerun()
        draw()
        if of_page:
            _run.later += (go_on,)
        else:
            go_on()
        _mark(pending=1)

    _run.pending += 1
    part(tick, TICK)
    return False
