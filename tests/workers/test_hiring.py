"""Workers of one's own: objects, classes in a subprocess, and devices behind HTTP."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.commands.cli import app
from cookmas.episodes.trace import StepRecord, Trace
from cookmas.files.errors import InputError
from cookmas.workers.contract import POLLS, check_worker
from cookmas.workers.hiring import hire, split_workers
from cookmas.workers.http_worker import OF_THE_WAY, TOKEN, HttpWorker
from cookmas.workers.protocol import Assigned, AwayError, Report, ScriptedWorker
from tests.workers.device import Device

SCENARIO = "corridor/one"

ROBOTS = """
from cookmas.workers.protocol import Report

class Jammed:
    async def act(self, timestep, worker, assignment):
        if timestep == 1 and not assignment.outlasts:
            return Report.failed("the wheel is jammed")
        return Report.done(result={"id": assignment.id, "episode": assignment.episode})
"""


@pytest.fixture
def robots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "robots.py").write_text(ROBOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def fails_of(trace: Trace) -> list[str]:
    return [fail.why for step in trace.of(StepRecord) for fail in step.fails.values()]


async def test_a_worker_object_plays() -> None:
    class Still:
        async def act(self, timestep: int, worker: str, assignment: Assigned) -> str:
            return "stay"

    run = await cookmas.aplay(SCENARIO, workers={"walker_1": Still()})
    acts = {dict(step.commands)["walker_1"] for step in run.trace.of(StepRecord)}
    assert acts == {"stay"}


async def test_a_device_behind_http_is_asked_with_a_key(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOKEN, "device-secret")
    run = await cookmas.aplay(SCENARIO, workers={"walker_1": device.url})
    assert run.success
    ids = [asked["id"] for asked in device.asked]
    assert len(set(ids)) == len(ids) == len([*run.trace.of(StepRecord)])
    first = device.asked[0]
    assert first["id"] == f"{first['episode']}/0/walker_1"
    assert (first["timestep"], first["since"], first["timesteps"]) == (0, 0, 1)
    assert set(device.tokens) == {"Bearer device-secret"}
    assert all("device-secret" not in record.model_dump_json() for record in run.trace.records)


async def test_what_a_device_answers_is_a_report_a_failure_or_no_action(device: Device) -> None:
    worker, assigned = HttpWorker(device.url), Assigned("right", "walker_1")
    device.answer = (500, "too hot")
    assert await worker.act(0, "walker_1", assigned) == Report.failed('HTTP 500: "too hot"')
    device.answer = (200, {"status": "failed", "why": "stuck"})
    assert await worker.act(0, "walker_1", assigned) == Report.failed("stuck")
    device.answer = (200, ["no report"])
    with pytest.raises(ValueError, match="a report with a status"):
        await worker.act(0, "walker_1", assigned)


async def test_a_device_is_told_to_stop_and_may_answer_that_it_is_done(device: Device) -> None:
    worker, assigned = HttpWorker(device.url), Assigned("right", "walker_1", 3, "lab", 9)
    device.answer = (200, {"status": "running"})
    assert await worker.stop(assigned) == Report.running()
    assert device.asked[-1] == {"id": "lab/3/walker_1", **assigned.data(), "stop": True}
    device.answer = (200, {"status": "done", "result": 7})
    assert await worker.stop(assigned) == Report.done(result=7)
    device.answer = (404, "what?")
    assert await worker.stop(assigned) is None
    with pytest.raises(AwayError, match="cannot be reached"):
        await HttpWorker("http://127.0.0.1:9/act").stop(assigned)


async def test_a_device_that_cannot_be_reached_is_away_until_it_is_back(device: Device) -> None:
    with pytest.raises(AwayError, match="walker_1 cannot be reached"):
        await HttpWorker("http://127.0.0.1:9/act").act(0, "walker_1", Assigned("right"))
    await asyncio.wait_for(HttpWorker(device.url).wait_until_back(), 20)


async def test_certificates_are_read_at_the_first_call_alone(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = HttpWorker(device.url)
    assert await worker.act(0, "walker_1", Assigned("right")) == Report.done()
    monkeypatch.setenv("SSL_CERT_FILE", "/nonexistent/ca.pem")
    assert await worker.act(1, "walker_1", Assigned("right")) == Report.done()


@pytest.mark.parametrize("status", OF_THE_WAY)
async def test_a_proxy_that_does_not_reach_the_device_says_nothing_of_its_work(
    device: Device, status: int
) -> None:
    worker, assigned = HttpWorker(device.url), Assigned("right", "walker_1")
    device.answer = (status, "no device")
    with pytest.raises(AwayError, match=rf'cannot be reached: HTTP {status}: "no device"'):
        await worker.act(0, "walker_1", assigned)
    device.present = status
    back = asyncio.create_task(worker.wait_until_back())
    assert not (await asyncio.wait({back}, timeout=0.3))[0]
    device.present = 405
    await asyncio.wait_for(back, 20)


def test_a_class_runs_in_a_subprocess_and_is_resumed_by_name(robots: Path) -> None:
    arguments = ["run", SCENARIO, "--worker", "walker_1=robots:Jammed", "--runs", "kept"]
    done = CliRunner().invoke(app, arguments)
    assert "the wheel is jammed" in done.output
    (folder,) = Path("kept").iterdir()
    assert "walker_1=robots:Jammed" in (folder / "run.json").read_text()
    trace = cookmas.read_trace(folder / "trace.jsonl") if hasattr(cookmas, "read_trace") else None
    assert trace is None or "the wheel is jammed" in fails_of(trace)
    again = CliRunner().invoke(app, ["resume", str(folder)])
    assert "names walker_1=robots:Jammed, which is imported" in again.output


@pytest.mark.parametrize(
    ("specs", "problem"),
    [
        (["walker_1"], "expected NAME=package.module:Class"),
        (["walker_1=robots"], "expected NAME=package.module:Class"),
        (["a=b:C", "a=d:E"], "a is named twice"),
    ],
)
def test_what_names_no_worker_is_refused(specs: list[str], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        split_workers(specs)


def test_an_unknown_worker_is_refused() -> None:
    with pytest.raises(InputError, match=r"worker robot: expected one of walker_1"):
        cookmas.play(SCENARIO, workers={"robot": "http://localhost:1"})


async def test_nobody_waits_for_a_worker_that_is_declared_asynchronous() -> None:
    class Slow:
        async def act(self, timestep: int, worker: str, assignment: Assigned) -> str:
            await asyncio.sleep(0.05)
            return assignment

    run = await cookmas.aplay(
        SCENARIO, workers={"walker_1": Slow()}, asynchronous=("walker_1",), max_stalled=3
    )
    first = next(iter(run.trace.of(StepRecord)))
    assert first.reports is not None
    assert first.reports["walker_1"].status == "running"
    with pytest.raises(InputError, match="worker robot: expected one of walker_1"):
        await cookmas.aplay(SCENARIO, asynchronous=("robot",))


class Sound:
    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        if assignment.outlasts and timestep < assignment.since + 2:
            return Report.running()
        return Report.done()


class Odd:
    """Breaks the contract in one way."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.asked: list[str] = []

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Any:
        self.asked.append(assignment.id)
        match self.way:
            case "raises":
                raise ValueError("no")
            case "slow":
                await asyncio.sleep(60)
            case "number":
                return 7
            case "runs" if not assignment.outlasts:
                return Report.running()
            case "twice" if self.asked.count(assignment.id) == 2:
                return Report.failed("again?")
            case "endless" if assignment.outlasts:
                return Report.running()
            case "stubborn" if assignment.since == POLLS:
                while True:
                    with contextlib.suppress(asyncio.CancelledError):
                        await asyncio.sleep(0.6)
                        return Report.done()
        return Report.done()


@pytest.mark.parametrize(
    ("way", "fault"),
    [
        ("raises", "an assignment: ValueError: no"),
        ("slow", "an assignment: no report within 0.3 s"),
        ("number", "an assignment: ValueError: expected a Report"),
        ("runs", "an assignment: it still runs"),
        ("twice", "the same assignment again: it is failed, and was done"),
        ("endless", "a long assignment: it still runs after 100 timesteps"),
        ("stubborn", "a long assignment that is cancelled: it does not stop"),
    ],
)
async def test_what_breaks_the_contract_is_told(way: str, fault: str) -> None:
    (found,) = await check_worker(Odd(way), "stay", 0.3)
    assert found.startswith(fault)


async def test_a_worker_has_ten_seconds_for_each_answer_unless_others_are_given() -> None:
    class Late:
        """Takes all the time that it has."""

        async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
            raise TimeoutError

    late = "an assignment: no report within {} s".format
    assert await check_worker(Late(), "stay") == [late(10)]
    assert await check_worker(Late(), "stay", 20) == [late(20)]


async def test_all_kinds_of_workers_keep_the_contract(robots: Path, device: Device) -> None:
    kinds: dict[str, Any] = {
        "a": Sound(),
        "b": "robots:Jammed",
        "c": device.url,
        "d": ScriptedWorker(),
    }
    with hire(kinds, tuple(kinds)) as hired:
        assert [await check_worker(each, "stay", 20) for each in hired.values()] == [[]] * 4


def test_a_worker_is_checked_by_a_command(robots: Path) -> None:
    done = CliRunner().invoke(app, ["check", "--worker", "robots:Jammed", "--assignment", "stay"])
    assert (done.exit_code, done.output.strip()) == (
        0,
        "robots:Jammed: keeps the contract of workers",
    )
