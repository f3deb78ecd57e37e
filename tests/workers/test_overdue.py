"""Long actions that last longer than their world allows: they are stopped, and told of."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.episodes.level import Level
from cookmas.episodes.play import Play
from cookmas.episodes.trace import EventRecord, Trace
from cookmas.episodes.world import Command
from cookmas.workers.protocol import Assigned, AwayError, Report
from tests.workers.incubator import Incubator, Written, assert_replays, ends_of, play

LONGEST = 4


class Limited(Incubator):
    """A laboratory in which nothing incubates for longer than four timesteps."""

    def longest(self, action: str) -> int | None:
        return LONGEST if action == "incubate" else None


class Hanging:
    """A device that never ends its first long work: it stops when it is told to, or does not."""

    def __init__(self, *, obeys: bool) -> None:
        self.obeys = obeys
        self.asked: list[str] = []
        self.ended = asyncio.Event()

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        self.asked.append(assignment.id.partition("/")[2])
        while assignment == "incubate" and len(self.asked) == 1:
            with suppress(*() if self.obeys else [asyncio.CancelledError]):
                await self.ended.wait()
                break
        return Report.done()


class Elsewhere(Hanging):
    """A device that is told to stop by a message, and may answer that it is done."""

    def __init__(self, answer: Report | Exception | None) -> None:
        super().__init__(obeys=True)
        self.answer = answer
        self.told: list[str] = []

    async def stop(self, assignment: Assigned) -> Report | None:
        self.told.append(assignment.id.partition("/")[2])
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


async def play_with(device: Hanging) -> tuple[Trace, dict[str, Any], Written]:
    """Return an episode, the event with which the work ended, and the planner."""
    planner = Written({"left": "incubate"}, *[{"right": "stir"}] * 9)
    trace = await play(planner, Limited(Level()), workers={"left": device}, horizon=7)
    device.ended.set()
    ((timestep, end),) = ends_of(trace)
    assert timestep == LONGEST
    assert_replays(trace, Limited(Level()))
    return trace, end, planner


async def test_an_overdue_action_is_stopped_and_the_planner_called() -> None:
    _, end, planner = await play_with(device := Hanging(obeys=True))
    assert (end["status"], end.get("uncertain")) == ("failed", None)
    assert end["why"] == "It was stopped at timestep 4, after 4 timesteps."
    assert planner.seen[1].timestep == LONGEST
    assert planner.seen[1].fails["left"][1].why == end["why"]
    assert planner.seen[1].away == {}
    assert len(device.asked) > 1


async def test_a_worker_that_does_not_stop_is_out_of_reach_and_its_work_may_have_been_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cookmas.orchestrator.graph.underway.STOP", 0.05)
    _, end, planner = await play_with(Hanging(obeys=False))
    assert (end["status"], end["uncertain"]) == ("failed", True)
    assert end["why"].endswith("left did not answer, so it may have been done.")
    (away,) = planner.seen[1].away.values()
    assert away == "left did not answer when it was told to stop incubate."


@pytest.mark.parametrize(
    ("answer", "ended", "away"),
    [
        (None, ("failed", None, None), set()),
        (Report.running(), ("failed", None, None), set()),
        (Report.done(result=3), ("done", None, 3), set()),
        (AwayError("left is away"), ("failed", True, None), {"left"}),
    ],
    ids=["stopped", "stopping", "done before", "may be done"],
)
async def test_a_worker_elsewhere_is_told_to_stop(
    answer: Report | Exception | None, ended: tuple[Any, ...], away: set[str]
) -> None:
    _, end, planner = await play_with(device := Elsewhere(answer))
    assert device.told == ["0/left"]
    assert (end["status"], end.get("uncertain"), end.get("result")) == ended
    assert {name for seen in planner.seen for name in seen.away} == away


@pytest.mark.parametrize("longest", [2, LONGEST + 2])
async def test_the_shorter_limit_of_the_world_and_of_the_option_counts(longest: int) -> None:
    planner = Written({"left": "incubate"}, *[{"right": "stir"}] * 9)
    device = Hanging(obeys=True)
    trace = await play(
        planner, Limited(Level()), workers={"left": device}, horizon=7, longest=longest
    )
    device.ended.set()
    assert [timestep for timestep, _ in ends_of(trace)] == [min(longest, LONGEST)]


async def test_an_option_limits_long_work_in_a_world_without_a_limit() -> None:
    planner = Written({"left": "incubate"}, *[{}] * 9)
    device = Hanging(obeys=True)
    trace = await play(planner, workers={"left": device}, horizon=7, longest=2)
    device.ended.set()
    ((timestep, end),) = ends_of(trace)
    assert (timestep, end["why"]) == (2, "It was stopped at timestep 2, after 2 timesteps.")


def test_the_option_is_kept_with_the_run(tmp_path: Path) -> None:
    arguments = ["run", "corridor/one", "--longest", "7", "--runs", str(tmp_path)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    (folder,) = tmp_path.iterdir()
    assert json.loads((folder / "run.json").read_text())["longest"] == 7
    assert "--longest" in CliRunner().invoke(app, [*arguments, "--longest", "0"]).output


def test_an_episode_without_workers_stops_overdue_actions_too() -> None:
    class Slow(Limited):
        def duration(self, action: str) -> int:
            return 9 if action == "incubate" else 1

    records: list[Any] = []
    episode = Play(Slow(Level()), [(0, {"kind": "begin"})], 6, records.append)
    episode.step([Command("left", "incubate")])
    for _ in range(5):
        episode.step([])
    (end,) = [e for e in records if isinstance(e, EventRecord) and e.event["kind"] == "report"]
    assert (end.timestep, end.event["status"]) == (LONGEST, "failed")
