"""How long a slider takes to answer, against an app of one slider and one 400×400 heatmap.

    python tests/benchmarks/page_speed.py

Both apps run at the same time and are measured in turn in one Chromium; only the ratios count. The
clock runs from the key press to the first change of the drawn data.
"""

from __future__ import annotations

import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).parents[2]
FLOOR = """
import numpy as np, plotly.graph_objects as go, streamlit as st
value = st.slider("value", 1, 100, 50)
z = np.random.default_rng(value).random((400, 400)).astype(np.float32)
st.plotly_chart(go.Figure(go.Heatmap(z=z)), key="chart")
"""
CASES = {
    "Gram, n = 500": ("gram", "digits-3-8", "RBF(sigma=10.0)", {"g.n": "500"}, "sigma"),
    "Spectrum, n = 500": ("spectrum", "digits-3-8", "RBF(sigma=10.0)", {"g.n": "500"}, "sigma"),
    "Depth, 6 levels, n = 500": ("depth", "digits-3-8", "RBF(sigma=10.0)", {"g.n": "500"}, "sigma"),
    "Gram, n = 569": ("gram", "breast-cancer-10", "Standardized(RBF(sigma=3.0))", {}, "sigma"),
    "Gram, n = 2000": ("gram", "twonorm", "RBF(sigma=4.0)", {"g.n": "2000"}, "sigma"),
}
ARGUMENTS = [
    f"--{name}"
    for name in (
        *("no-sandbox", "disable-gpu", "disable-quic", "no-first-run"),
        *("disable-background-networking", "disable-component-update", "disable-sync"),
    )
]
DRAWN = "() => JSON.stringify([...document.querySelectorAll('.js-plotly-plot')].map(p => p._fullData?.map(t => "
DRAWN += "[t.uid, Array.from((t.z?.[0] ?? t.y ?? []).slice(0, 40))])))"


def serve(script: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A Streamlit server for a script, once it answers."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    command += ["--server.headless", "true", "--server.fileWatcherType", "none"]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    url = f"http://localhost:{port}"
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=1)
            return server, url
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"{script} did not start")


def answer(page: object, slider: object) -> float:
    """Seconds from a key press on the slider to other data in the figures."""
    before = page.evaluate(DRAWN)
    slider.focus()
    start = time.perf_counter()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"before => ({DRAWN})() !== before", arg=before, polling=20, timeout=60_000)
    return time.perf_counter() - start


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        floor_script = Path(folder) / "floor.py"
        floor_script.write_text(FLOOR)
        servers = [serve(floor_script), serve(ROOT / "app.py")]
        # Two browsers: a tab in the background is drawn late, and pays for it when it comes to the front.
        browsers = [playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS) for _ in "ab"]
        try:
            empty = browsers[0].new_page()
            empty.goto(servers[0][1])
            empty.wait_for_selector(".js-plotly-plot")
            for name, (view, data, kernel, more, label) in CASES.items():
                query = "&".join(f"{k}={quote(v)}" for k, v in {"data": data, "kernel": kernel, **more}.items())
                page = browsers[1].new_page(viewport={"width": 1440, "height": 1000})
                page.goto(f"{servers[1][1]}/{view}?{query}")
                page.wait_for_selector(".js-plotly-plot")
                page.wait_for_timeout(3000)
                slider = page.get_by_test_id("stSidebar").get_by_role("slider", name=label).first
                ratios, ours = [], []
                for _ in range(7):
                    base = answer(empty, empty.get_by_role("slider"))
                    ours.append(answer(page, slider))
                    ratios.append(ours[-1] / base)
                    page.wait_for_timeout(800)
                print(f"{name}: {statistics.median(ratios):.2f} × the floor ({statistics.median(ours) * 1e3:.0f} ms)")
                page.close()
        finally:
            for browser in browsers:
                browser.close()
            for server, _ in servers:
                server.kill()


if __name__ == "__main__":
    main()
