"""The wheel in a new environment outside the clone: one command, one file, its picture in the browser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

from kernlib.serving.server import free_port

from .drive import click, complaints, link, menu, next_run, turn_to, wait_for_run

pytestmark = pytest.mark.browser
PROJECT = Path(__file__).resolve().parents[2]
IGNORED = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis"
)
#: The environment without what would lend the new one more than its own packages.
CLEAN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
TABLE = "size,width,class\n" + "".join(f"{i % 5}.5,{i * i % 7}.25,{'ab'[i % 2]}\n" for i in range(24))
MINE = '''
from scipy.spatial.distance import cdist
from kernlib import kernel_from

@kernel_from
def Cauchy(X, Y, *, gamma: float = 3.0):
    """Return 1 / (1 + distance² / γ²)."""
    return 1 / (1 + cdist(X, Y, "sqeuclidean") / gamma**2)
'''


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """The folder of a new environment that has the wheel; what it depends on is lent by the environment of the tests.

    (That it depends on nothing else, a test of the imports says; to install it all again takes a minute.)
    """
    place = tmp_path_factory.mktemp("wheel")
    shutil.copytree(PROJECT, place / "clone", ignore=IGNORED)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(place), str(place / "clone")], check=True)
    (wheel,) = place.glob("*.whl")
    new = place / "new"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(new)], check=True)
    subprocess.run([*pip, "--python", str(new), "install", "--no-deps", str(wheel)], check=True, cwd=place, env=CLEAN)
    (packages,) = new.glob("lib/python*/site-packages")
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")  # its own .pth files do not count there
    return new


def test_an_installed_command_shows_a_file_and_a_kernel_of_ones_own(installed, new_page, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "table.csv").write_text(TABLE)
    (tmp_path / "mine.py").write_text(MINE)
    port = free_port()
    command = [str(installed / "bin" / "kernlib"), "show", "../table.csv", "--load", "../mine.py"]
    command += ["--kernel", "Cauchy(gamma=2.0)", "--port", str(port), "--no-browser"]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=tmp_path / "empty", stdout=log, stderr=log, env=CLEAN)
    try:
        page = new_page()
        page.goto(_address(server, tmp_path / "log"))
        wait_for_run(page)
        assert complaints(page) == []
        assert link(page)["data"].startswith("upload:")
        assert link(page)["kernel"] == "Cauchy(gamma=2.0)"
        expect(menu(page, "data")).to_contain_text("n = 24")
        page.keyboard.press("Escape")
        assert page.locator(".js-plotly-plot .main-svg").count() > 0
        with next_run(page):
            turn_to(page, "Kernels")
        expect(page.get_by_alt_text("Cauchy on 40 rows of Banana")).to_be_visible()
        (tmp_path / "table.csv").write_text(TABLE + "9.5,9.5,a\n")
        with next_run(page):
            turn_to(page, "See")
        click(page.get_by_role("button", name="Read again"))
        expect(menu(page, "data")).to_contain_text("n = 25")
        page.keyboard.press("Escape")
    finally:
        server.terminate()
        server.wait(60)
    assert list((tmp_path / "empty").iterdir()) == []
    (packages,) = installed.glob("lib/python*/site-packages")
    assert not (packages / "pages").exists()
    assert not (packages / "app.py").exists()


def _address(server: subprocess.Popen, log: Path) -> str:
    """Return the address that the command prints, once it is served: other users cannot guess it."""
    for _ in range(3000):
        if server.poll() is not None:
            break
        try:
            url = re.findall(r"^kernlib: (http\S+)", log.read_text(), flags=re.MULTILINE)[0]
            with urllib.request.urlopen(f"{url}_stcore/health", timeout=60):
                return url
        except (IndexError, urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the command did not start:\n{log.read_text()[-2000:]}")
