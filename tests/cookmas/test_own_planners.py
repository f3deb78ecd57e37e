"""Planners that a person wrote and that fail: each fault is caused for real, and told in a line."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.apart import Apart
from cookmas.api import aresume, create
from cookmas.commands.cli import app
from episodes.trace import Lookup, PlanRecord
from files.errors import InputError
from orchestrator.runs.request import RunRequest
from sandbox.child import Limits
from tests.warm import COOKMAS, Warm

PLANNERS = """
import asyncio, json, os, signal, sys
from orchestrator.planner import Plan
from worlds.corridor.planners.embedded import EmbeddedPlanner
from worlds.corridor.planners.team import WalkerTeam

class Base:
    name, planner_class = "own", "assisted"
    def answer(self):
        return None
    async def plan(self, observation):
        return self.answer()

class InConstructor(Base):
    def __init__(self):
        raise ValueError("not today \\x1b[31m\\nnor tomorrow")

class ExitsInConstructor(Base):
    def __init__(self):
        sys.exit()

class InPlan(Base):
    def answer(self):
        raise OSError(28, "No space left on \\x1b]0;device\\x07")

class OddError(Exception):
    def __str__(self):
        raise KeyError("no words")

class WithoutWords(Base):
    def answer(self):
        raise OddError

class ClosesOutput(Base):
    def answer(self):
        sys.stdout.close()

class ClosesAll(Base):
    def answer(self):
        os.closerange(3, 64)

class Interrupts(Base):
    def answer(self):
        raise KeyboardInterrupt

class AnswersNone(Base):
    pass

class AnswersText(Base):
    def answer(self):
        return "wait"

class AnswersDict(Base):
    def answer(self):
        return {"schedule": []}

class IntReasoning(Base):
    def answer(self):
        return Plan(schedule=(), reasoning=7)

class UnwritableMemory(Base):
    def answer(self):
        return Plan(schedule=(), memory={"me": object()})

class EndlessMemory(Base):
    def answer(self):
        memory = {}
        memory["me"] = memory
        return Plan(schedule=(), memory=memory)

class NotANumber(Base):
    def answer(self):
        return Plan(schedule=(), memory={"so many": float("nan")})

class Surrogates(Base):
    def answer(self):
        return Plan(schedule=[{"walker_1": "ring(\\ud800)"}])

class LongNumber(Base):
    def answer(self):
        return Plan(schedule=(), memory={"so many": 10 ** 6000})

class NotAsync(Base):
    def plan(self, observation):
        return Plan(schedule=())

class Recurses(Base):
    def answer(self):
        return self.answer()

class Exits(Base):
    def answer(self):
        print("bye \\x1b[2J")
        sys.exit(0)

class ExitsAtOnce(Base):
    def answer(self):
        os._exit(0)

class Crashes(Base):
    def answer(self):
        os.kill(os.getpid(), 11)

class EatsMemory(Base):
    def answer(self):
        eaten = []
        while True:
            eaten.append(bytearray(1 << 24))

class Babbles(Base):
    def answer(self):
        for name in os.listdir("/proc/self/fd"):
            if os.path.exists(f"/proc/self/fd/{name}") and int(name) > 2:
                try:
                    os.write(int(name), b"GET / HTTP/1.0\\r\\n\\r\\n" * 9)
                except OSError:
                    pass
        os._exit(0)

class LoopsForEver(Base):
    def answer(self):
        while True:
            pass

class Busy(Base):
    def answer(self):
        open(f"{__file__}.busy", "w").close()
        while True:
            pass

class BusyWhenMade(Base):
    def __init__(self):
        Busy.answer(self)

class WaitsForEver(Base):
    async def plan(self, observation):
        await asyncio.sleep(3600)

class WillNotEnd(Base):
    def answer(self):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

class Detaches(Base):
    def answer(self):
        if os.fork() == 0:
            os.setsid()
            if pid := os.fork():
                with open(f"{__file__}.new", "w") as file:
                    file.write(str(pid))
                os.rename(f"{__file__}.new", f"{__file__}.detached")
                os._exit(0)
            os.closerange(0, 256)
            while True:
                signal.pause()
        os.wait()

class DetachesAndExits(Detaches):
    def answer(self):
        super().answer()
        os._exit(0)

class DetachesAndWaits(Detaches):
    def answer(self):
        super().answer()
        signal.pause()

class Good(EmbeddedPlanner):
    name = "good"
    async def plan(self, observation):
        print("planning")
        plan = await super().plan(observation)
        return Plan(schedule=plan.schedule, reasoning=f"process {os.getpid()}")

class LooksUp(Base):
    looks_up = True
    async def plan(self, observation):
        due = observation.world.lookups(observation.state)
        found = [await observation.look_up(key) for key in due]
        try:
            await observation.look_up("nothing")
        except LookupError:
            pass
        except Exception as error:
            found.append(str(error))
        return Plan(schedule=(), gave_up=json.dumps(found))

class OwnTeam(WalkerTeam):
    pass

class FailingMember:
    async def turn(self, observation):
        return "my turn"

class FailingTeam(WalkerTeam):
    def __init__(self, workers):
        super().__init__(workers)
        self.members[workers[0]] = FailingMember()
"""

MODULES = {
    "own_planners": PLANNERS,
    "raises_at_import": "def at_import():\n    raise RuntimeError('closed')\nat_import()\n",
    "exits_at_import": "import sys\nsys.exit(0)\n",
    "no_python": "class Planner\n",
    "needs_more": "import no_such_package_at_all\n",
}

FAULTS = {
    "raises_at_import:Planner": r"RuntimeError: closed at raises_at_import\.py:2",
    "exits_at_import:Planner": r"SystemExit: 0 at exits_at_import\.py:2",
    "no_python:Planner": r"SyntaxError: expected ':' at no_python\.py:1",
    "needs_more:Planner": r"ModuleNotFoundError: No module named '\w+' at needs_more\.py:1",
    "InConstructor": r"ValueError: not today \[31m nor tomorrow at own_planners\.py:\d+",
    "ExitsInConstructor": r"SystemExit at own_planners\.py:\d+",
    "InPlan": r"OSError: \[Errno 28\] No space left on \]0;device at own_planners\.py:\d+",
    "WithoutWords": r"OddError: \(a message that cannot be read\) at own_planners\.py:\d+",
    "Interrupts": r"KeyboardInterrupt at own_planners\.py:\d+",
    "AnswersNone": r"TypeError: plan answers None; expected a Plan at own_planners\.py:\d+",
    "AnswersText": r"TypeError: plan answers a str; expected a Plan at .+",
    "AnswersDict": r"TypeError: plan answers a dict; expected a Plan at .+",
    "IntReasoning": r"ValueError: reasoning of the answer: Input should be a valid string at .+",
    "UnwritableMemory": r"TypeError: an answer is plain data; an object is not at .+",
    "EndlessMemory": r"ValueError: Circular reference detected at .+",
    "NotANumber": r"ValueError: Out of range float values are not JSON compliant.* at .+",
    "Surrogates": r"UnicodeEncodeError: .+ surrogates not allowed at own_planners\.py:\d+",
    "LongNumber": r"ValueError: Exceeds the limit .+ at own_planners\.py:\d+",
    "NotAsync": r"TypeError: plan is not async; expected 'async def' at own_planners\.py:\d+",
    "Recurses": r"RecursionError: maximum recursion depth exceeded.* at own_planners\.py:\d+",
    "Exits": r"SystemExit: 0 at own_planners\.py:\d+",
    "ExitsAtOnce": r"its process ended with exit code 0",
    "ClosesOutput": r"TypeError: plan answers None; expected a Plan at own_planners\.py:\d+",
    "ClosesAll": r"its process ended with exit code 0",
    "Crashes": r"its process was killed by SIGSEGV",
    "EatsMemory": r"MemoryError at own_planners\.py:\d+",
    "Babbles": r"its process sent a message of \d+ bytes",
    "LoopsForEver": r"TimeLimitError: no answer within 1 s at own_planners\.py:\d+",
    "WaitsForEver": r"TimeLimitError: no answer within 1 s.*",
    "WillNotEnd": r"no answer within 1 s, and it did not stop",
    "FailingTeam": r"TypeError: turn answers a str; expected a Turn at own_planners\.py:\d+",
}

OF_A_PROCESS = {"ExitsAtOnce", "ClosesAll", "Crashes", "Babbles", "WillNotEnd"}
"""Faults of which there is no traceback."""

SCENARIO = "corridor/one"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with modules of one's own, which can be imported."""
    folder = tmp_path_factory.mktemp("own")
    for name, text in MODULES.items():
        (folder / f"{name}.py").write_text(text)
    sys.path.append(str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def apart() -> Iterator[Apart]:
    with Apart(Limits(seconds=60, memory=1024)) as running:
        yield running


@pytest.fixture(scope="module")
def hasty() -> Iterator[Apart]:
    with Apart(Limits(seconds=1)) as running:
        yield running


def play(spec: str, folder: Path, apart: Apart, scenario: str = SCENARIO) -> cookmas.Run:
    create(
        folder,
        RunRequest(scenario=scenario, planner=spec if ":" in spec else f"own_planners:{spec}"),
        apart=apart,
    )
    return asyncio.run(aresume(folder, apart=apart))


@pytest.mark.parametrize("spec", FAULTS)
def test_a_fault_ends_its_episode_and_no_other(
    spec: str,
    own: Path,
    tmp_path: Path,
    apart: Apart,
    hasty: Apart,
    capfd: pytest.CaptureFixture[str],
) -> None:
    running = hasty if "1 s" in FAULTS[spec] else apart
    run = play(spec, tmp_path / "run", running)
    end = run.trace.end
    assert end
    assert end.termination == "planner_failed"
    assert re.fullmatch(f"(walker_1: )?planner failed: {FAULTS[spec]}", end.why), end.why
    assert end.why.isprintable()
    assert "Traceback" not in "".join(capfd.readouterr())
    assert run.verdict
    assert (run.success, run.verdict.why) == (False, end.why)
    told = tmp_path / "run" / "traceback.txt"
    assert told.exists() is (spec not in OF_A_PROCESS)
    if told.exists():
        assert told.read_text().startswith("Traceback")
        assert told.read_text().replace("\n", "").isprintable()
    assert cookmas.read_trace(tmp_path / "run" / "trace.jsonl") == run.trace
    if spec in ("Exits", "WillNotEnd", "needs_more:Planner"):
        assert play("Good", tmp_path / "next", apart).success


def test_one_process_plays_a_suite_and_prints_to_standard_error(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["corridor/one", "corridor/two"]
    done = CliRunner().invoke(app, ["run", *names, "-p", "own_planners:Good", "--json"])
    assert done.exit_code == 0, done.output
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    traces = [cookmas.read_trace(Path(run["folder"]) / "trace.jsonl") for run in runs]
    told = {plan.reasoning for trace in traces for plan in trace.of(PlanRecord)}
    assert len(told) == 1
    assert "planning\n" in done.stderr
    assert set(done.stderr.split()) == {"planning"}


def test_a_suite_goes_on_after_a_planner_that_exits(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["corridor/one", "corridor/two"]
    done = CliRunner().invoke(app, ["run", *names, "-p", "own_planners:Exits", "--json"])
    assert done.exit_code == 1
    verdicts = [json.loads(line)["verdict"] for line in done.stdout.splitlines()]
    assert [verdict["termination"] for verdict in verdicts] == ["planner_failed"] * 2
    assert done.stderr == "bye \\x1b[2J\n" * 2


def test_it_plans_as_it_would_in_this_process(own: Path, tmp_path: Path, apart: Apart) -> None:
    for scenario in ("corridor/two", "level1/01"):
        world = "restaurant" if scenario.startswith("level") else "corridor"
        spec = f"worlds.{world}.planners.embedded:EmbeddedPlanner"
        folder = tmp_path / world
        assert play(spec, folder, apart, scenario).trace == cookmas.play(scenario).trace


@pytest.mark.parametrize("spec", ["Busy", "BusyWhenMade"])
async def test_who_stops_a_run_does_not_wait_for_its_planner(
    spec: str, own: Path, tmp_path: Path
) -> None:
    with Apart() as apart:
        create(
            tmp_path / "run",
            RunRequest(scenario=SCENARIO, planner="own_planners:Good"),
            apart=apart,
        )
        file = tmp_path / "run" / "run.json"
        file.write_text(file.read_text().replace("own_planners:Good", f"own_planners:{spec}"))
        playing = asyncio.create_task(aresume(tmp_path / "run", apart=apart))
        busy = own / "own_planners.py.busy"
        async with asyncio.timeout(60):
            while not busy.exists():
                await asyncio.sleep(0.01)
        busy.unlink()
        playing.cancel()
        async with asyncio.timeout(60):
            with pytest.raises(asyncio.CancelledError):
                await playing
            await asyncio.get_running_loop().shutdown_default_executor()


def detached(own: Path) -> Path:
    """The process that a planner has detached, once it is there."""
    told = own / "own_planners.py.detached"
    until = time.monotonic() + 60
    while not told.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    process = Path("/proc", told.read_text())
    told.unlink()
    return process


@pytest.mark.parametrize("spec", ["Detaches", "DetachesAndExits"])
def test_nothing_that_a_planner_has_detached_outlives_the_run(
    spec: str, own: Path, tmp_path: Path
) -> None:
    with Apart() as running:
        assert not play(spec, tmp_path / "run", running).success
        process = detached(own)
        assert process.exists() is (spec == "Detaches")
    assert not process.exists()


def test_nothing_that_a_planner_has_detached_outlives_a_run_that_is_killed(
    own: Path, tmp_path: Path
) -> None:
    arguments = ("run", SCENARIO, "-p", "own_planners:DetachesAndWaits", "-q", "--runs")
    process = Warm[bytes]((COOKMAS, *arguments, str(tmp_path)), cwd=own)
    left = detached(own)
    assert left.exists()
    process.kill()
    process.wait()
    until = time.monotonic() + 60
    while left.exists():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_what_it_looks_up_comes_from_outside_and_is_recorded(
    own: Path, tmp_path: Path, apart: Apart
) -> None:
    trace = play("LooksUp", tmp_path / "run", apart).trace
    texts = [lookup.text for lookup in trace.of(Lookup)]
    assert texts
    assert trace.end
    assert json.loads(trace.end.why) == [*texts, "there is no text about a bell 'nothing'"]


def test_a_team_of_ones_own_plays(own: Path, tmp_path: Path, apart: Apart) -> None:
    assert play("OwnTeam", tmp_path / "run", apart, "corridor/halves").success


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("own_planners:Missing", "module own_planners has no Missing"),
        ("no_such_module:Planner", "cannot be imported"),
        ("own_planners:", "expected embedded"),
        ("own_planners:Plan", "cannot be made without arguments"),
        ("own_planners:os", "cannot be made without arguments"),
    ],
)
def test_what_is_no_planner_is_bad_input(
    spec: str, expected: str, own: Path, tmp_path: Path, apart: Apart
) -> None:
    with pytest.raises(InputError, match=expected):
        create(tmp_path / "run", RunRequest(scenario=SCENARIO, planner=spec), apart=apart)
    assert not (tmp_path / "run").exists()


class Given:
    name, planner_class = "given", "assisted"

    async def plan(self, observation: Any) -> Any:
        raise SystemExit(3)


def test_an_object_that_fails_fails_its_episode_in_this_process() -> None:
    run = cookmas.play(SCENARIO, Given())  # type: ignore[arg-type]
    assert run.verdict
    assert run.success is False
    assert re.fullmatch(r"planner failed: SystemExit: 3 at test_own_.+:\d+", run.verdict.why)
