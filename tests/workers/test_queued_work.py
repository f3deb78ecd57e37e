"""Queues of actions, in a world whose workers report when their work ends."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cookmas.episodes.level import Level
from cookmas.episodes.trace import EventRecord, StepRecord, Trace
from cookmas.episodes.world import Ruling
from cookmas.orchestrator.dialogue.look_ahead import look_ahead
from cookmas.orchestrator.planner import Observation, Plan, RunningWork
from cookmas.worlds.base.checking import remarks_of
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld
from tests.workers.incubator import LASTS, Answering, Incubator, Written, play
from tests.workers.test_claims import Claiming


class Queued(Incubator):
    """A laboratory in which a schedule is a queue, and nobody is called when work ends."""

    lasting = True
    wanted = 9

    def take_report(self, state: Any, report: Any) -> tuple[Any, Ruling]:
        return super().take_report(state, report)[0], Ruling()


class Writer(Written):
    """A planner that answers once, with queues."""

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.seen.append(observation)
        rest = self.rows if len(self.seen) == 1 else ()
        return Plan(schedule=[*rest], queued=True)


def begun_by(trace: Trace, worker: str) -> list[tuple[int, str]]:
    """Return the actions of a worker other than idling, with their timesteps."""
    acts = [(step.timestep, dict(step.commands).get(worker, "")) for step in trace.of(StepRecord)]
    return [(timestep, action) for timestep, action in acts if action not in ("", "wait")]


async def test_an_action_in_a_queue_waits_for_the_end_of_the_work_before_it() -> None:
    rows = [{"left": action} for action in ("stir", "incubate", "stir", "incubate", "stir")]
    planner = Writer(*rows, *[{"right": "stir"}] * 2)
    trace = await play(planner, Queued(Level()), horizon=3 + 2 * LASTS)
    expected = [(0, "stir"), (1, "incubate"), (1 + LASTS, "stir"), (2 + LASTS, "incubate")]
    assert begun_by(trace, "left") == [*expected, (2 + 2 * LASTS, "stir")]
    assert begun_by(trace, "right") == [(5, "stir"), (6, "stir")]
    assert not any(r.since for s in trace.of(StepRecord) for r in (s.reports or {}).values())


async def test_a_queue_that_cancels_the_work_under_way_begins_with_that() -> None:
    class Anew(Writer):
        async def plan(self, observation: Observation[Any]) -> Plan:
            row = self.rows[min(observation.timestep, len(self.rows) - 1)]
            return Plan(schedule=[row, {"left": "stir"}], queued=True)

    planner = Anew({"left": "incubate", "right": "stir"}, {"left": "stop"}, {"left": "stir"})
    device = Answering(RuntimeError("jam"))
    trace = await play(planner, Queued(Level()), workers={"right": device}, horizon=4)
    (end,) = [e.event for e in trace.of(EventRecord) if "cancelled" in e.event]
    assert (end["worker"], end["cancelled"]) == ("left", 1)
    assert begun_by(trace, "left") == [(0, "incubate"), (1, "stop"), (2, "stir"), (3, "stir")]


def busy(expected: int | None) -> dict[str, RunningWork]:
    return {"left": RunningWork("incubate", 0, expected=expected)}


@pytest.mark.parametrize(
    ("expected", "refused"),
    [(1, [0]), (3, [0, 1]), (-5, [0]), (None, [0])],
)
def test_a_look_ahead_knows_what_work_under_way_claims(
    expected: int | None, refused: list[int]
) -> None:
    """It is tried until the work may have ended; what has no end is held for one timestep."""
    world = Claiming(Level())
    state = world.apply(world.start(), {"kind": "begin"})[0]
    rows = [{"right": "incubate"}, {"left": "stir", "right": "incubate"}]
    found = look_ahead(world, state, 0, rows, running=busy(expected))
    assert [each.timestep for each in found] == refused
    assert {each.reason for each in found} == {"claimed"}
    assert "is held by left, which does incubate" in found[0].why


def test_a_look_ahead_knows_what_its_own_long_actions_claim_until_they_end() -> None:
    world = Claiming(Level())
    state = world.apply(world.start(), {"kind": "begin"})[0]
    rows = [{"left": "incubate"}, *[{"right": "incubate"}] * (LASTS + 2)]
    assert [each.timestep for each in look_ahead(world, state, 0, rows)] == [1, 2]


def test_a_look_ahead_lets_queued_actions_wait_for_long_work() -> None:
    world = Queued(Level())
    state = world.apply(world.start(), {"kind": "begin"})[0]
    rows = [{"left": "incubate"}, {"left": "stir"}]
    assert look_ahead(world, state, 0, rows, queued=True) == []


class Still(CorridorWorld):
    """A corridor with queues, though nothing in it lasts."""

    lasting = True


@pytest.mark.parametrize(
    ("world", "remark"),
    [
        (Incubator(Level()), "a later action of a busy worker is left out"),
        (Still(CorridorLevel(length=3)), "no action lasted"),
    ],
)
def test_a_world_that_says_only_one_of_both_is_remarked_on(world: Any, remark: str) -> None:
    (said,) = remarks_of(_scenario(world), range(2))
    assert remark in said


def test_a_world_that_says_both_or_in_which_nothing_lasts_is_not_remarked_on() -> None:
    class Quick(Incubator):
        def duration(self, action: str) -> int:
            return 1

    for world in (Queued(Level()), Quick(Level())):
        assert [*remarks_of(_scenario(world), range(2))] == []


def _scenario(world: Any) -> Any:
    return SimpleNamespace(
        name="first", horizon=6, events=lambda: [(0, {"kind": "begin"})], world=lambda: world
    )
