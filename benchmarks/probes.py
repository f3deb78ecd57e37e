"""Measure the code of this commit; `benchmarks.against` runs it beside the probes of another one.

Each line of the input is the name of a probe. The answer is a line of JSON with the measured
figures by name. It is null if the probe fails; the error is then printed on stderr. Each probe
imports what it measures only when it runs. A figure of another meaning needs another name.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import cycle, islice
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

Measured = dict[str, float]
TIMESTEPS = 2000
LENGTHS = (300, 1200)
"""The two lengths: timesteps of the traces for `view` and `eval`, results for `report`."""

REPEATS = 4
"""Repeats of each case in the results for `report`."""

SUITE = {
    "title": "Two planners",
    "scenarios": ["level1/01", "level1/02", "level2/01"],
    "arms": [{"planner": "embedded"}, {"planner": "naive"}],
}

PLANNED = ("level2/11", "level3/04")
PLAYED = "level3/08"


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of `work`, in this process and in its child processes."""
    before = _cpu_seconds()
    work()
    return _cpu_seconds() - before


def _cpu_seconds() -> float:
    usages = (getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


@cache
def _draw() -> tuple[Any, Any, list[list[Any]]]:
    """Return a kitchen, its state after an order, and random legal actions for many timesteps."""
    from cookmas.kitchen.legal import legal_actions
    from cookmas.kitchen.simulator import step
    from cookmas.kitchen.world import Restaurant
    from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
    from cookmas.scenarios.menu import load_menu

    kitchen = build_kitchen(kitchen_path("standard"), load_menu())
    world = Restaurant(kitchen)
    lines = [{"item": item} for item in kitchen.menu[:6]]
    opening = world.apply(world.start(), {"kind": "new_order", "order": "o1", "lines": lines})[0]
    dice, state = random.Random(1), opening
    joints: list[list[Any]] = []
    for _ in range(TIMESTEPS):
        joint = [dice.choice(list(legal_actions(kitchen, state, w))) for w in world.workers]
        state, _ = step(kitchen, state, joint)
        joints.append(joint)
    return world, opening, joints


def simulator() -> Measured:
    """Measure the simulator's steps alone, and steps together with the list of legal actions."""
    from cookmas.kitchen.legal import legal_actions
    from cookmas.kitchen.simulator import step

    world, opening, joints = _draw()
    kitchen = world.kitchen

    def play_bare() -> None:
        state = opening
        for joint in joints:
            state, _ = step(kitchen, state, joint)

    def legal() -> None:
        state = opening
        for joint in joints:
            for worker in kitchen.workers:
                legal_actions(kitchen, state, worker)
            state, _ = step(kitchen, state, joint)

    return {"step": cpu(play_bare), "legal and step": cpu(legal)}


def protocol_of_worlds() -> Measured:
    """Measure steps through the world protocol, with actions as text."""
    from cookmas.episodes.world import Command

    world, opening, joints = _draw()
    texts = [[Command(w, str(a)) for w, a in zip(world.workers, j, strict=True)] for j in joints]

    def protocol() -> None:
        state = opening
        for commands in texts:
            state = world.step(state, commands)[0]

    return {"World.step": cpu(protocol)}


def graph() -> Measured:
    """Measure an episode with a fixed schedule: graph, trace and verdict without planning."""
    import cookmas
    from cookmas import scenarios

    schedule = Path(str(scenarios.__file__)).parent / f"schedules/{PLAYED}.yaml"
    return {"graph": cpu(lambda: cookmas.play(PLAYED, planner=str(schedule)))}


def _play(name: str, runs: list[Any]) -> None:
    import cookmas

    runs.append(cookmas.play(name))


def planner() -> Measured:
    """Measure episodes of the embedded planner, and their gaps to the bound, in per cent."""
    found: Measured = {}
    runs: list[Any] = []
    for name in PLANNED:
        found[f"planner, {name}"] = cpu(partial(_play, name, runs))
        found[f"gap of {name}, %"] = float(runs[-1].verdict.summary["gap"])
    return found


def training() -> Measured:
    """Measure the environment for training, with random legal actions."""
    from cookmas.bridges.pettingzoo import parallel_env

    env = parallel_env(PLAYED, horizon=TIMESTEPS)
    dice = random.Random(1)

    def steps() -> None:
        seen, _ = env.reset(seed=1)
        for _ in range(TIMESTEPS // 8):
            legal = {w: [n for n, ok in enumerate(o["action_mask"]) if ok] for w, o in seen.items()}
            seen = env.step({worker: dice.choice(each) for worker, each in legal.items()})[0]
            if not env.agents:
                break

    return {"training": cpu(steps)}


def measure_import() -> Measured:
    """Measure the import of the package in a new process."""
    line = [sys.executable, "-P", "-c", "import cookmas; cookmas.play"]
    return {"import": cpu(lambda: subprocess.run(line, check=True))}


@cache
def _traces() -> tuple[Path, ...]:
    from benchmarks.page_view import play

    folder = Path(tempfile.mkdtemp(dir=os.environ["PROBES"]))
    for length in LENGTHS:
        play(folder / f"{length}.jsonl", length, 20)
    return tuple(folder / f"{length}.jsonl" for length in LENGTHS)


def _page(trace: Path) -> str:
    from cookmas.display.page.show import page
    from cookmas.replaying import judge_run

    return page([judge_run(trace)])


def view() -> Measured:
    """Measure making the page of a trace, for traces of two lengths."""
    return {f"view, {at.stem} timesteps": cpu(partial(_page, at)) for at in _traces()}


def evaluate() -> Measured:
    """Measure judging a trace, for traces of two lengths."""
    from cookmas.episodes.trace_file import read_trace
    from cookmas.replaying import judge, truth_of

    def play_and_judge(path: Path) -> None:
        trace = read_trace(path)
        judge(trace, truth_of(trace, path))

    return {f"eval, {at.stem} timesteps": cpu(partial(play_and_judge, at)) for at in _traces()}


def write_results(played: Sequence[str], count: int, folder: Path) -> Path:
    """Write `count` lines of results into a folder by repeating those in `played`.

    Each repetition is a new case or another repeat. Returns the folder.
    """
    folder.mkdir()
    with (folder / "results.jsonl").open("w", encoding="utf-8") as file:
        for number, line in enumerate(islice(cycle(played), count)):
            case, repeat = divmod(number // len(played), REPEATS)
            result = json.loads(line)
            result["spec"] |= {"case": f"{result['spec']['case']} {case}", "repeat": repeat + 1}
            text = json.dumps(result, ensure_ascii=False, separators=(",", ":"))
            file.write(f"{text}\n")
    return folder


@cache
def _sweeps() -> tuple[Path, ...]:
    """Play a small suite with the commit's own code; return folders with its results repeated."""
    folder = Path(tempfile.mkdtemp(dir=os.environ["PROBES"]))
    suite = folder / "suite.yaml"
    suite.write_text(json.dumps(SUITE), encoding="utf-8")
    sweep = [sys.executable, "-P", "-m", "cookmas", "bench", str(suite), "--folder"]
    subprocess.run([*sweep, str(folder / "played")], check=True, stdout=subprocess.DEVNULL)
    played = (folder / "played/results.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(write_results(played, length, folder / str(length)) for length in LENGTHS)


def report() -> Measured:
    """Measure the tables of a report, for two numbers of results."""
    from cookmas.commands.report import report as write_tables

    def tables(sweep: Path) -> None:
        write_tables([sweep], markdown=sweep / "tables.md")

    return {f"report, {at.name} episodes": cpu(partial(tables, at)) for at in _sweeps()}


PROBES: dict[str, Callable[[], Measured]] = {
    "simulator": simulator,
    "world": protocol_of_worlds,
    "graph": graph,
    "planner": planner,
    "training": training,
    "import": measure_import,
    "view": view,
    "eval": evaluate,
    "report": report,
}


def answers(names: Iterator[str]) -> Iterator[Measured | None]:
    """Run the named probes; yield the figures of each, or None if the probe fails."""
    for name in names:
        try:
            yield PROBES[name]()
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
            yield None


if __name__ == "__main__":
    out, sys.stdout = sys.stdout, sys.stderr
    for answer in answers(line.strip() for line in sys.stdin):
        print(json.dumps(answer), file=out, flush=True)
