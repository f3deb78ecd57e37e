"""In a world of turns nobody is asked whose move it is not, and it ends as the world says."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from cookmas.episodes.failure import WorldFailedError
from cookmas.episodes.replay import replay
from cookmas.episodes.trace import (
    Chain,
    End,
    ForkRecord,
    PlannerClass,
    StepRecord,
    Superstep,
    Trace,
    TriggerRecord,
    to_line,
)
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.orchestrator.episode import Episode, mailbox_for
from cookmas.orchestrator.graph.context import Context, complete_state
from cookmas.orchestrator.graph.recorder import Recorder
from cookmas.orchestrator.graph.restoring import count_kept_records
from cookmas.orchestrator.graph.state import Acts, State
from cookmas.orchestrator.graph.workers import assign, availability, recoveries, tasks
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.workers.person import Person, PersonChannel
from cookmas.workers.protocol import Assigned, Report, ScriptedWorker
from tests.episodes.dice import DiceWorld, header


class Caller:
    """Has everybody do the same at this timestep, and is asked again at the next."""

    name = "caller"
    planner_class: PlannerClass = "per-step"

    def __init__(self, action: str = "add") -> None:
        self.action = action
        self.seen: list[Observation[Any]] = []

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.seen.append(observation)
        return Plan(schedule=[dict.fromkeys(observation.world.workers, self.action)])


async def _nothing(key: str) -> str:
    raise KeyError(key)


def episode(planner: Any, *dice: int, world: DiceWorld | None = None, **more: Any) -> Episode:
    """Return an episode in which the dice add these points."""
    events = [(0, {"kind": "dice", "dice": list(dice)})] if dice else []
    world = world or DiceWorld()
    return Episode(
        world=world,
        header=header(planner, more.pop("horizon", 30)),
        planner=planner,
        mailbox=mailbox_for(world, events),
        fetch=_nothing,
        **more,
    )


async def test_only_those_act_whose_move_it_is() -> None:
    asked: list[tuple[int, str]] = []

    class Asked(ScriptedWorker):
        async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
            asked.append((timestep, worker))
            return await super().act(timestep, worker, assignment)

    workers = {"ann": Asked(), "ben": Asked()}
    trace = await episode(Caller(), 1, 9, workers=workers).run()
    commands = [list(step.commands) for step in trace.of(StepRecord)]
    assert commands == [
        [("ann", "add")],
        [("ben", "add")],
        [],
        [("ann", "add")],
        [("ben", "add")],
        [],
    ]
    assert asked == [(0, "ann"), (1, "ben"), (3, "ann"), (4, "ben")]
    assert [s.nodes for s in trace.of(Superstep) if s.nodes[0] == "worker"] == [["worker"]] * 4
    assert all(frame.equal for frame in replay(trace, DiceWorld()))


@pytest.mark.parametrize(
    ("dice", "how", "why"),
    [((8,), "won", "ten points"), ((5,), "lost", "seven points"), ((1,), "horizon", "The last")],
)
async def test_the_world_says_how_it_ends(dice: tuple[int, ...], how: str, why: str) -> None:
    trace = await episode(Caller(), *dice, horizon=5).run()
    assert isinstance(trace.end, End)
    assert trace.end.termination == how
    assert trace.end.why.startswith(why)


async def test_what_happens_while_nobody_moves_is_told_to_the_next_who_does() -> None:
    planner = Caller("hop")
    trace = await episode(planner, 1, 1, horizon=4).run()
    told = [[(each.kind, each.to) for each in observed.triggers] for observed in planner.seen]
    assert told == [
        [("thrown", None)],
        [("failure", ("ann",)), ("exhausted", None)],
        [("failure", ("ben", "ann")), ("rolled", None), ("exhausted", None)],
    ]
    assert [observed.timestep for observed in planner.seen] == [0, 1, 3]
    assert [list(observed.fails) for observed in planner.seen] == [[], ["ann"], ["ben"]]
    assert [record.timestep for record in trace.of(TriggerRecord)] == [0, 1, 1, 3, 3, 3]
    assert all(record.to is None for record in trace.of(TriggerRecord))


async def test_whoever_plans_is_asked_at_once_where_nothing_comes() -> None:
    planner = Caller()
    await episode(planner, horizon=2).run()
    assert [observed.timestep for observed in planner.seen] == [0, 1]


async def test_in_a_team_the_trace_says_whom_a_trigger_concerns() -> None:
    class Hopper:
        async def turn(self, observation: Observation[Any]) -> Turn:
            return Turn(actions=["hop"])

    members = {"ann": Hopper(), "ben": Hopper()}
    team = Team(name="hoppers", planner_class="per-step", members=members)
    trace = await episode(team, horizon=2).run()
    failures = [r.to for r in trace.of(TriggerRecord) if r.trigger == "failure"]
    assert failures == [["ann"]]


@pytest.mark.parametrize("action", ["add", "hop"])
def test_a_fork_goes_on_as_its_parent_from_every_timestep(action: str, tmp_path: Path) -> None:
    def play(path: Path) -> tuple[Trace, list[str]]:
        planner = Caller(action)
        trace = asyncio.run(episode(planner, 1, 1, horizon=8, path=path).run())
        return trace, [repr((each.triggers, each.fails)) for each in planner.seen]

    parent, shown = play(tmp_path / "parent.jsonl")
    for at in range(len(list(parent.of(StepRecord)))):
        kept = list(parent.lines())[: count_kept_records(parent, at)]
        record = ForkRecord(timestep=at, run="parent", planner="caller", planner_class="per-step")
        path = tmp_path / f"{at}.jsonl"
        lines = [*kept, Chain.continue_after(kept[-1]).close(to_line(record))]
        path.write_text("".join(f"{line}\n" for line in lines))
        fork, seen = play(path)
        assert [r for r in fork.records if not isinstance(r, ForkRecord)] == list(parent.records)
        assert seen == shown[-len(seen) :] if seen else True, at


async def test_a_world_that_fails_is_named_and_nothing_is_blamed_on_the_planner() -> None:
    with pytest.raises(WorldFailedError, match=r"^world dice failed: KeyError: 'no dice'"):
        await episode(Caller(), world=DiceWorld("step")).run()


async def test_a_world_that_fails_when_a_planner_asks_it_is_named(caplog: Any) -> None:
    class Curious(Caller):
        async def plan(self, observation: Observation[Any]) -> Plan:
            observation.world.legal(observation.state, "ann")
            return await super().plan(observation)

    trace = await episode(Curious(), world=DiceWorld("legal")).run()
    assert trace.end
    assert trace.end.termination == "infrastructure_error"
    assert trace.end.why.startswith("world dice failed: KeyError: 'no dice' at dice.py:")
    assert "in legal" in caplog.text, "its author gets the traceback"


def test_a_person_is_prompted_only_where_it_is_their_move() -> None:
    people = {name: Person(cast("PersonChannel", None)) for name in ("ann", "ben")}
    context = Context(
        world=DiceWorld(),
        planner=Caller(),
        workers=people,
        fetch=_nothing,
        mailbox=MemoryMailbox(),
        recorder=Recorder(),
        horizon=9,
    )
    for timestep, mover in ((0, "ann"), (1, "ben")):
        world = {"timestep": timestep, "points": 0, "dice": []}
        state = complete_state(State(timestep=timestep, world=world), context)
        state = assign(state, context)
        assert [dict(each) for each in tasks(state)] == [
            {
                "timestep": timestep,
                "place": "0",
                "worker": mover,
                "action": "pass",
                "legal": ["add", "pass"],
            }
        ]


def test_whoever_is_away_and_is_not_asked_is_not_back() -> None:
    acts = Acts(timestep=3, by={"0": ("ann", "add", None)})
    found = availability(acts, {"ben": "ben is asleep"}, "pass")
    assert found.away == {"ben": "ben is asleep"}
    assert recoveries({"ben": "ben is asleep"}, found.away) == []
