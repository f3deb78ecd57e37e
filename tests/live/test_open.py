"""Open kitchens in one process: how they idle, keep a pace, end, and go on after trouble."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cookmas.api import aresume, create, load_scenario
from cookmas.client import AsyncClient, NoAnswerError
from cookmas.episodes.failure import FailedError
from cookmas.episodes.trace import (
    AnyRecord,
    End,
    EventRecord,
    PlannerClass,
    PlanRecord,
    StepRecord,
    Superstep,
    Trace,
    TriggerRecord,
)
from cookmas.files.errors import EndpointAwayError, InfrastructureError
from cookmas.forking import afork
from cookmas.mailboxes.protocol import Settled
from cookmas.mailboxes.sqlite.letterbox import SqliteLetterbox
from cookmas.mailboxes.sqlite.mailbox import SqliteMailbox
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.pace import Pace, WallClock
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.planners.calling import EndpointOutage
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.replaying import replay
from cookmas.worlds.restaurant.desk import RestaurantDesk
from cookmas.worlds.restaurant.domain import DOMAIN
from tests.live.conftest import open_small
from tests.mailboxes.open_memory import MemoryOpenMailbox
from tests.orchestrator.clocks import Time


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(60):
        while not await holds():
            await asyncio.sleep(0.02)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return open_small(tmp_path / "run")


@asynccontextmanager
async def playing(folder: Path) -> AsyncIterator[AsyncClient]:
    task = asyncio.create_task(aresume(folder))
    client = AsyncClient(folder, "anna", patience=60)
    yield client
    await client.close()
    run = await task
    assert run.trace.end is not None
    assert run.trace.end.termination == "closed"


async def asleep(client: AsyncClient) -> bool:
    status = await client.status()
    return status is not None and bool(status["asleep"])


async def test_an_idle_kitchen_writes_nothing_and_uses_no_time(folder: Path) -> None:
    async with playing(folder) as client:
        await client.order("1 Garden Salad")
        await until(lambda: asleep(client))

        def sizes() -> list[int]:
            names = ("trace.jsonl", "checkpoints.sqlite", "checkpoints.sqlite-wal")
            return [(folder / name).stat().st_size for name in names]

        before, used = sizes(), time.process_time()
        await asyncio.sleep(1)
        assert sizes() == before
        assert time.process_time() - used < 0.25
        answer = await client.order("1 Garden Salad")
        assert answer is not None
        assert answer.status == "taken"


async def test_who_is_answered_finds_its_message_in_the_status(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[tuple[int, bool]] = []
    settle = SqliteMailbox.settle

    async def look_and_settle(mailbox: SqliteMailbox, settled: Sequence[Settled]) -> None:
        status = await SqliteLetterbox(folder).status()
        assert status
        found.append((status["letters"] - settled[-1].number, status["asleep"]))
        await settle(mailbox, settled)

    monkeypatch.setattr(SqliteMailbox, "settle", look_and_settle)
    async with playing(folder) as client:
        for _ in range(2):
            await client.order("1 Garden Salad")
            await until(lambda: asleep(client))
    assert found == [(0, False)] * 2


async def test_it_ends_once_what_was_taken_is_served(folder: Path) -> None:
    async with playing(folder) as client:
        await client.order("1 Garden Salad")
        await client.close()
        refused = await client.order("1 Garden Salad")
        assert refused is not None
        assert refused.why == "the episode is closed"


async def test_a_closed_kitchen_without_a_single_order_ends(folder: Path) -> None:
    async with playing(folder):
        pass


async def test_an_answer_that_does_not_come_leaves_the_message_kept(folder: Path) -> None:
    client = AsyncClient(folder, "anna", patience=0.05)
    with pytest.raises(NoAnswerError):
        await client.order("1 Garden Salad", id="a")
    async with playing(folder) as other:
        answer = await other.order("1 Garden Salad", id="a")
        assert answer is not None
        assert answer.about == "live1"


async def test_meanings_are_what_lines_are_judged_by(folder: Path) -> None:
    meaning = {"1": [{"kind": "without", "food": "cucumber"}]}
    async with playing(folder) as client:
        await client.order("Garden Salad: no cucumber", meaning=meaning)
        await client.order("Garden Salad: no tomato", meaning={"1": "nonsense"})
    verdict = (await aresume(folder)).verdict
    assert verdict is not None
    complete = {c.subject: c.passed for c in verdict.checks if c.name == "complete"}
    assert complete == {"live1.1": True, "live2.1": None}
    named = {check.name for check in verdict.checks}
    assert {"throughput", "time_per_line"} <= named
    assert not {"makespan", "gap"} & named
    trace = (folder / "trace.jsonl").read_text()
    assert "without" not in trace


async def test_a_strict_kitchen_refuses_what_it_does_not_understand(tmp_path: Path) -> None:
    run = open_small(tmp_path / "strict", "embedded-strict")
    async with playing(run) as client:
        await client.order("1 Garden Salad: the tomato; 1 Garden Salad")
        await until(lambda: asleep(client))
        late = await client.change("live1.1", "no tomato")
        assert late is not None
        assert late.why == "order line live1.1 is already refused"
    verdict = (await aresume(run)).verdict
    assert verdict is not None
    assert {goal.name: goal.status for goal in verdict.goals} == {
        "live1.1": "refused",
        "live1.2": "served",
    }


class Sullen:
    """Gives up, or fails to answer, until it is told otherwise."""

    name = "sullen"
    planner_class: PlannerClass = "fixed"

    def __init__(self, *answers: Plan | Exception) -> None:
        self._answers = list(answers)
        self.calls = 0

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.calls += 1
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


GAVE_UP = Plan(schedule=(), gave_up="I cannot cook.")


@asynccontextmanager
async def opened(
    planner: Any, pace: float | Pace = 0.0
) -> AsyncIterator[tuple[AsyncClient, list[AnyRecord], asyncio.Task[None], Pace]]:
    scenario = DOMAIN.scenario("open", {"kitchen": "small"})
    mailbox, records = MemoryOpenMailbox(), list[AnyRecord]()
    keeping = pace if isinstance(pace, Pace) else Pace(pace)
    desk = RestaurantDesk(scenario.world())
    episode = episode_of(scenario, planner, mailbox=mailbox, desk=desk, pace=keeping)

    async def play() -> None:
        async for record in episode.stream():
            records.append(record)

    task = asyncio.create_task(play())
    yield AsyncClient(mailbox, "anna", patience=0), records, task, keeping
    task.cancel()


async def stands_still(count: Callable[[], object]) -> bool:
    """Whether nothing is counted for a while."""
    before = count()
    await asyncio.sleep(0.3)
    return count() == before


def of(kind: type[Any], records: Sequence[AnyRecord]) -> list[Any]:
    return list(Trace(tuple(records)).of(kind))


async def test_a_planner_that_gives_up_on_an_order_does_not_end_an_open_kitchen() -> None:
    planner = Sullen(GAVE_UP)
    async with opened(planner) as (client, records, task, _):
        await client.order("1 Garden Salad")
        await until(_holds(lambda: len(of(StepRecord, records)) > 0))
        await until(lambda: stands_still(lambda: (planner.calls, len(of(StepRecord, records)))))
        assert not task.done()
        await client.cancel("live1")
        await until(_holds(lambda: len(of(EventRecord, records)) == 2))
        await client.close()
        await asyncio.wait_for(task, 60)
        assert of(End, records)[0].termination == "closed"


async def test_a_planner_that_gave_up_ends_a_kitchen_that_is_closed() -> None:
    async with opened(Sullen(GAVE_UP)) as (client, records, task, _):
        await client.order("1 Garden Salad")
        await client.close()
        await asyncio.wait_for(task, 60)
        assert of(End, records)[0].termination == "no_progress"


async def test_an_outage_ends_no_open_kitchen_but_stops_it() -> None:
    async with opened(Sullen(InfrastructureError("the model is away"))) as (
        client,
        records,
        task,
        _,
    ):
        await client.order("1 Garden Salad")
        with pytest.raises(InfrastructureError, match="the model is away"):
            await asyncio.wait_for(task, 60)
        assert of(End, records) == []


class Away(Sullen):
    """A planner whose endpoint is away at first, and who then works on no order."""

    def __init__(self, fails: int) -> None:
        super().__init__(Plan(schedule=[{}] * 100))
        self.fails = fails

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.fails -= 1
        if self.fails >= 0:
            self.calls += 1
            raise EndpointAwayError("the endpoint is away")
        return await super().plan(observation)


async def test_an_endpoint_that_is_away_ends_no_open_kitchen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cookmas.orchestrator.models.patience.SHORTEST_PAUSE", 3600.0)
    planner = Away(3)
    async with opened(planner, pace=0.01) as (client, records, task, _):
        await client.order("1 Garden Salad")
        await until(_holds(lambda: planner.calls == 1))
        assert of(PlanRecord, records) == []
        await client.order("1 Garden Salad")
        await until(_holds(lambda: len(of(EventRecord, records)) == 2))
        assert planner.calls == 1
        monkeypatch.setattr(EndpointOutage, "left", 0.0)
        await client.order("1 Garden Salad")
        await until(_holds(lambda: len(of(StepRecord, records)) > 0))
        assert not task.done()
        plan = of(PlanRecord, records)[0]
        assert plan.by is None
        causes = [each.cause for each in of(TriggerRecord, records)]
        for number in (1, 2, 3):
            assert any(f"live{number}" in cause for cause in causes[-3:])


async def test_timesteps_keep_a_pace_and_lateness_is_counted() -> None:
    class Slow(Sullen):
        async def plan(self, observation: Observation[Any]) -> Plan:
            await asyncio.sleep(0.25)
            return await super().plan(observation)

    wait = Plan(schedule=[{}] * 4)
    async with opened(Slow(wait), pace=0.05) as (client, records, task, pace):
        began = time.monotonic()
        await client.order("1 Garden Salad")
        await until(_holds(lambda: len(of(StepRecord, records)) >= 4))
        assert time.monotonic() - began >= 0.25 + 3 * 0.05
        await until(_holds(lambda: len(of(StepRecord, records)) >= 6))
        assert pace.late >= 0.3
        assert not task.done()


async def test_by_a_wall_clock_no_sleep_is_counted_as_late() -> None:
    time = Time()
    wait = Plan(schedule=[{}] * 4)
    async with opened(Sullen(wait), pace=WallClock(1.0, time)) as (client, records, task, pace):
        await until(_holds(lambda: any(each.nodes == ["world"] for each in of(Superstep, records))))
        time.now += 50.0
        await client.order("1 Garden Salad")
        await until(_holds(lambda: len(of(StepRecord, records)) >= 53))
        assert [step.timestep for step in of(StepRecord, records) if step.elapsed] == [*range(50)]
        assert pace.late == 0.0
        assert not task.done()


def _holds(true: Callable[[], bool]) -> Callable[[], Awaitable[bool]]:
    async def holds() -> bool:
        return true()

    return holds


async def test_a_scenarios_events_go_on_beside_what_is_sent(tmp_path: Path) -> None:
    create(tmp_path / "run", RunRequest(scenario="level2/03", planner="embedded", pace=0.0))
    known = load_scenario("level2/03").events()
    async with playing(tmp_path / "run") as client:
        answer = await client.order("1 Buttered Toast")
        assert answer is not None
        assert answer.status == "taken"
    events = of(EventRecord, (await aresume(tmp_path / "run")).trace.records)
    assert [event.event for event in events if not event.injected] == [event for _, event in known]
    assert [event.injected for event in events].count(True) == 1


async def test_a_planner_that_fails_loses_nothing_and_is_gone_on_with_when_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = "from cookmas.solving.restaurant.planners import EmbeddedPlanner\n"
    own += "class Own(EmbeddedPlanner):\n    name = 'own'\n"
    module = tmp_path / "mended_planner.py"
    module.write_text(f"{own}    async def plan(self, observation):\n        return self.plans\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = open_small(tmp_path / "run", "mended_planner:Own")
    with pytest.raises(
        FailedError, match=r"planner failed: AttributeError: .* mended_planner\.py:5"
    ):
        async with playing(folder) as client:
            await client.order("1 Garden Salad")
    assert "AttributeError" in (folder / "traceback.txt").read_text()
    module.write_text(own)
    run = await aresume(folder)
    assert (run.success, len(list(run.trace.of(EventRecord)))) == (True, 1)
    assert not (folder / "traceback.txt").exists()


async def test_a_fork_refuses_too_what_is_no_order(folder: Path, tmp_path: Path) -> None:
    async with playing(folder) as client:
        await client.order("1 Garden Salad")
        answer = await client.order("a salad, please")
        assert answer is not None
        assert answer.status == "refused"
    run = await afork(folder, 0, folder=tmp_path / "fork")
    events = of(EventRecord, run.trace.records)
    assert [event.refused is None for event in events] == [True, False]
    assert all(frame.equal for frame in replay(run.trace))
