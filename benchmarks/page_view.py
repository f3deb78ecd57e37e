"""Measure how soon the page of a long run appears, and how smoothly it scrubs.

    python -m benchmarks.page_view

An open kitchen is played for many timesteps with regular orders. Headless Chromium opens its page.
The first figure is the seconds from the navigation to the first drawn moment. Then the scrubber is
dragged through the whole run, one position per frame, first with the kitchen in view, then with the
timeline. The other figures are the time from frame to frame, and the CPU time of a frame: of the
page's main thread, and of all of Chromium, which draws without a graphics card.

Frame times depend on the machine's load, which is therefore printed too; CPU times hardly do.
`--keep FOLDER` keeps the traces, which take minutes to make.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any, NamedTuple

from playwright.sync_api import Browser, CDPSession, ViewportSize, sync_playwright

from cookmas.display.page.show import page
from cookmas.judging import judge_run
from mailboxes.memory import MemoryMailbox
from orchestrator.episode import episode_of
from orchestrator.parts import Outside, Storage
from worlds.restaurant.domain import DOMAIN
from worlds.restaurant.planners.embedded import EmbeddedPlanner

RUNS = ((3_000, 18), (20_000, 40))
"""Timesteps for which each kitchen is open, and timesteps between its orders."""

FRAMES = 400
AT_ONCE = 50
"""Maximum milliseconds of a frame that appears immediately."""

SEEN = {"kitchen": "#scene", "timeline": "#timeline"}
NOTES = ("", "no onion, please", "well done", "with extra butter", "")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]

DRAG = """async (frames) => {
  const slider = document.querySelector("#scrub");
  const times = [];
  for (let i = 0; i <= frames; i += 1) {
    slider.value = Math.round((slider.max * i) / frames);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    times.push(await new Promise(requestAnimationFrame));
  }
  return times.slice(1).map((time, i) => time - times[i]);
}"""


class Quick(EmbeddedPlanner):
    """Planner with little search, since only the page is measured."""

    effort = 1


def play(path: Path, timesteps: int, between: int) -> None:
    """Return the trace of a kitchen that is open for a number of timesteps."""
    scenario = DOMAIN.scenario("open", {})
    draw = Random(0)
    events: list[tuple[int, dict[str, Any]]] = []
    for number, timestep in enumerate(range(0, timesteps, between), start=1):
        line = {"item": draw.choice(scenario.kitchen.menu), "note": draw.choice(NOTES)}
        events.append((timestep, {"kind": "new_order", "order": f"o{number}", "lines": [line]}))
    episode = episode_of(
        scenario,
        Quick(),
        horizon=timesteps,
        storage=Storage(path=path),
        outside=Outside(mailbox=MemoryMailbox(events)),
    )
    asyncio.run(episode.run())


class Looked(NamedTuple):
    """The measurements of a page."""

    seconds: float
    """Seconds until the page appeared."""
    frames: list[float]
    """Milliseconds from each frame to the next while scrubbing."""
    main: float
    """CPU milliseconds per frame of the main thread."""
    all: float
    """CPU milliseconds per frame of all processes."""


def look(browser: Browser, file: Path, seen: str) -> Looked:
    """Open a page and drag its scrubber through the run, with one of its panels in view."""
    shown = browser.new_page(viewport=ViewportSize(width=1366, height=900))
    began = time.perf_counter()
    shown.goto(file.as_uri())
    while not shown.evaluate("Boolean(document.querySelector('output.now')?.textContent)"):
        time.sleep(0.01)
    seconds = time.perf_counter() - began
    session = shown.context.new_cdp_session(shown)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    shown.evaluate("panel => document.querySelector(panel).scrollIntoView()", seen)
    shown.wait_for_timeout(500)
    processes = browser.new_browser_cdp_session()
    before, all_before = _busy(session), _used(processes)
    frames: list[float] = shown.evaluate(DRAG, FRAMES)
    main = (_busy(session) - before) * 1000 / FRAMES
    everything = (_used(processes) - all_before) * 1000 / FRAMES
    shown.close()
    return Looked(seconds, frames, main, everything)


def _busy(session: CDPSession) -> float:
    """Return the CPU seconds that the main thread has used so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def _used(session: CDPSession) -> float:
    """Return the CPU seconds that all processes of the browser have used so far."""
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(float(process["cpuTime"]) for process in processes)


def played(folder: Path, timesteps: int, between: int) -> Path:
    """Return the trace of an open kitchen from the folder; make it if it is missing."""
    path = folder / f"{timesteps}.jsonl"
    if not path.exists():
        play(path, timesteps, between)
    return path


@contextmanager
def trace_folder(about: str | None) -> Iterator[Path]:
    """Yield the folder for traces that `--keep` names, or a temporary one."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--keep", type=Path, help="a folder for the traces")
    keep = parser.parse_args().keep
    with tempfile.TemporaryDirectory() as scratch:
        folder = keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def main() -> None:
    """Play, measure and print."""
    with trace_folder(__doc__) as folder:
        files: list[tuple[int, Path]] = []
        for timesteps, between in RUNS:
            trace = played(folder, timesteps, between)
            file = folder / f"{timesteps}.html"
            began = time.perf_counter()
            file.write_text(page([judge_run(trace)]), encoding="utf-8")
            print(f"{timesteps}: written in {time.perf_counter() - began:.1f} s", flush=True)
            files.append((timesteps, file))
        print(f"load average {os.getloadavg()[0]:.1f}, {FRAMES} frames each")
        print(
            "| timesteps | page | in view | loads in | median frame | 95% under | under 50 ms | ",
            end="",
        )
        print("CPU of main thread | CPU of all |")
        print("|---:|---:|---|---:|---:|---:|---:|---:|---:|")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=ARGUMENTS
            )
            for (timesteps, file), (name, panel) in product(files, SEEN.items()):
                looked = look(browser, file, panel)
                soon = sum(frame < AT_ONCE for frame in looked.frames) / len(looked.frames)
                print(
                    f"| {timesteps:,} | {file.stat().st_size / 1e6:.1f} MB | {name} "
                    f"| {looked.seconds:.2f} s | {median(looked.frames):.0f} ms "
                    f"| {quantiles(looked.frames, n=20)[-1]:.0f} ms | {soon:.0%} "
                    f"| {looked.main:.0f} ms | {looked.all:.0f} ms |"
                )
            browser.close()


if __name__ == "__main__":
    main()
