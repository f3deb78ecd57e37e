"""Take a screenshot of the page of a run: level3/08 in a headless Chromium.

.venv/bin/python docs/images/draw_page.py
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

import cookmas
from cookmas.display.page.show import page as page_of
from cookmas.replaying import judge_run

SCENARIO, TIMESTEP = "level3/08", 20
PICTURE = Path(__file__).with_name("page.png")
SIZE = ViewportSize(width=1360, height=1230)
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


def draw() -> None:
    """Play the scenario, write its page, and save a screenshot of it."""
    with tempfile.TemporaryDirectory() as folder:
        cookmas.play(SCENARIO, folder=Path(folder) / "run")
        file = Path(folder) / "page.html"
        file.write_text(page_of([judge_run(Path(folder) / "run")]), encoding="utf-8")
        with sync_playwright() as playwright:
            path = shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
            page = browser.new_page(viewport=SIZE, color_scheme="light")
            page.goto(f"{file.as_uri()}#t={TIMESTEP}")
            page.get_by_role("slider", name="Timestep").wait_for()
            page.wait_for_timeout(500)
            page.screenshot(path=PICTURE)
            browser.close()


if __name__ == "__main__":
    draw()
