"""Measure how soon the page of a long run appears, and how smoothly its scrubber moves.

    python -m benchmarks.page_view

Open kitchens are played for many timesteps with regular orders, and Chromium without a window opens
their pages. The first figure is the seconds from the start of loading until the page shows a
timestep. Then the scrubber is moved through the whole run, one position in each frame: once with
the kitchen in view, once with the timeline. The other figures are the time from one frame to the
next, and the CPU time of a frame. CPU time is measured for the main thread of the page, and for all
processes of Chromium, which draws without a graphics card.

Frame times depend on the load of the machine, so the load is printed too. CPU times hardly depend
on it. `--keep FOLDER` keeps the traces, which take minutes to make.
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
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.orchestrator.episode import episode_of
from cookmas.replaying import judge_run
from cookmas.solving.restaurant.planners import EmbeddedPlanner
from cookmas.worlds.restaurant.domain import DOMAIN

RUNS = ((3_000, 18), (20_000, 40))
"""Timesteps for which each kitchen is open, and timesteps between its orders."""

FRAMES = 400
AT_ONCE = 50
"""Milliseconds below which a frame seems to appear at once."""

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
    """A planner with the least effort, because only the page is measured."""

    effort = 1


def play(path: Path, timesteps: int, between: int) -> None:
    """Play an open kitchen for a number of timesteps; write its trace to `path`.

    `between` is the number of timesteps from one order to the next.
    """
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
        mailbox=MemoryMailbox(events),
        path=path,
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
    """Open a page and move its scrubber through the run; return the measurements.

    `seen` is the CSS selector of the panel that is in view meanwhile.
    """
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
    before, all_before = _main_thread_seconds(session), _browser_seconds(processes)
    frames: list[float] = shown.evaluate(DRAG, FRAMES)
    main = (_main_thread_seconds(session) - before) * 1000 / FRAMES
    everything = (_browser_seconds(processes) - all_before) * 1000 / FRAMES
    shown.close()
    return Looked(seconds, frames, main, everything)


def _main_thread_seconds(session: CDPSession) -> float:
    """Return the CPU seconds that the main thread has used so far."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def _browser_seconds(session: CDPSession) -> float:
    """Return the CPU seconds that all processes of the browser have used so far."""
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(float(process["cpuTime"]) for process in processes)


def play_once(folder: Path, timesteps: int, between: int) -> Path:
    """Return the file of an open kitchen's trace in a folder; play the kitchen if it is missing."""
    path = folder / f"{timesteps}.jsonl"
    if not path.exists():
        play(path, timesteps, between)
    return path


@contextmanager
def trace_folder(about: str | None) -> Iterator[Path]:
    """Yield the folder that the option `--keep` names, or a temporary folder.

    `about` is the description of the command in its help.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--keep", type=Path, help="a folder for the traces")
    keep = parser.parse_args().keep
    with tempfile.TemporaryDirectory() as scratch:
        folder = keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def main() -> None:
    """Play the kitchens, measure their pages, and print the table."""
    with trace_folder(__doc__) as folder:
        files: list[tuple[int, Path]] = []
        for timesteps, between in RUNS:
            trace = play_once(folder, timesteps, between)
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
