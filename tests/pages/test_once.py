"""One move of a slider computes nothing twice, whichever page is open."""

from __future__ import annotations

import logging
from collections import Counter

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from pages.parts.server import runs

from .drive import finish, open_app, show

N = 90


@pytest.fixture
def work(monkeypatch, caplog):
    """What is computed: accessors by their keys, Gram matrices of all rows by their widths, matrices decomposed."""
    from kernlib.kernels import vectors

    seen: Counter = Counter()
    plain = vectors.gaussian

    def gaussian(X, Y, width, *then):
        if len(X) == N and (Y is None or len(Y) == N):
            seen["Gram matrix", width] += 1
        return plain(X, Y, width, *then)

    def counted(function):
        def decomposed(matrix, *rest, **options):
            if matrix.shape == (N, N):
                seen["decomposition", matrix.tobytes()] += 1
            return function(matrix, *rest, **options)

        return decomposed

    monkeypatch.setattr(vectors, "gaussian", gaussian)
    for name in ("eigh", "eigvalsh"):
        monkeypatch.setattr(np.linalg, name, counted(getattr(np.linalg, name)))
    caplog.set_level(logging.DEBUG, "pages.parts.server.caching")
    return lambda: seen + Counter(r.getMessage() for r in caplog.records if r.name == "pages.parts.server.caching")


@pytest.mark.parametrize(("seed", "view"), [(21, "see"), (22, "spectrum"), (23, "depth")])
def test_a_slider_computes_nothing_twice(seed, view, work):
    # Rows of its own: what one session has computed of a sample, all have.
    controls = {"g.n": str(N), "g.seed": str(seed)}
    app = finish(open_app(view, data="twonorm", kernel="RBF(sigma=3.0)", **controls))
    before = work()
    slider = next(s for s in app.select_slider if "sigma" in s.label)
    finish(slider.set_value(6.0).run())
    found = work() - before
    counted = {key[0] for key in found if isinstance(key, tuple)}
    assert counted == {"Gram matrix"} | ({"decomposition"} if view != "depth" else set()), "Depth needs no eigenvalues"
    assert any("gram" in key for key in found if isinstance(key, str)), "accessors were not counted"
    assert {key[:2]: times for key, times in found.items() if times > 1} == {}
    again = work()
    show(app, view)
    assert work() - again == Counter(), "a page that is shown again computes nothing"


def test_a_server_computes_on_one_blas_thread():
    assert not open_app("data").exception
    threads = {lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"}
    assert threads == {1}


def test_a_server_may_open_as_many_files_as_the_system_allows_it():
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = min(256, hard)
    assert few != hard
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))
        runs.prepare.cache_clear()
        assert not open_app("data").exception
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
