"""A laboratory with one long action, and planners that write their schedule beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.level import Level
from cookmas.episodes.replay import replay
from cookmas.episodes.trace import EventRecord, Header, PlannerClass, Trace
from cookmas.episodes.world import Ending, Json, Ruling, Trigger
from cookmas.orchestrator.episode import Episode, mailbox_for
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.workers.protocol import Assigned, Report

LASTS = 3


class Incubator(World):
    """Robots stir, and incubate for three timesteps; a sample that was incubated ends the game."""

    name = "incubator"
    workers: tuple[str, ...] = ("left", "right")
    actions: Mapping[str, str] = {"stir": "stirs", "incubate": "incubates", "stop": "stops"}
    cancel = "stop"
    wanted = 1

    def opening(self) -> dict[str, Any]:
        return {"busy": [], "stirred": 0, "samples": [], "spoilt": []}

    def legal(self, state: Any, worker: str) -> Sequence[str]:
        return ["wait", "stop"] if worker in state["busy"] else ["wait", "stir", "incubate"]

    def duration(self, action: str) -> int:
        return LASTS if action == "incubate" else 1

    def advance(self, state: Any, actions: Mapping[str, str], draw: Random) -> Any:
        begun = [name for name, action in actions.items() if action == "incubate"]
        stirred = [*actions.values()].count("stir")
        return {**state, "busy": [*state["busy"], *begun], "stirred": state["stirred"] + stirred}

    def take_report(self, state: Any, report: Json) -> tuple[Any, Ruling]:
        if report.get("action") != "incubate":
            if "result" not in report:
                return state, Ruling()
            return {**state, "samples": [*state["samples"], report.get("result")]}, Ruling()
        state = {**state, "busy": [n for n in state["busy"] if n != report["worker"]]}
        if report["status"] == "failed":
            return {**state, "spoilt": [*state["spoilt"], report.get("why")]}, Ruling()
        samples = [*state["samples"], report.get("result")]
        trigger = Trigger(kind="sample", cause=f"{report['worker']} has a sample")
        return {**state, "samples": samples}, Ruling(trigger=trigger)

    def ending(self, state: Any) -> Ending | None:
        enough = len(state["samples"]) >= self.wanted
        return Ending("won", "The samples are there.") if enough else None


class Written:
    """A planner whose rows are written beforehand, one for each timestep; it then waits."""

    name = "written"
    planner_class: PlannerClass = "fixed"

    def __init__(self, *rows: Mapping[str, str], takes: int = 0) -> None:
        self.rows = rows
        self.seen: list[Observation[Any]] = []

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.seen.append(observation)
        rest = [*self.rows[observation.timestep :]]
        return Plan(schedule=rest or [dict.fromkeys(observation.world.workers, "wait")])


class Answering:
    """A device that answers in turn, and then does what it is asked; it remembers that."""

    def __init__(self, *answers: Report | str | Exception, asynchronous: bool = False) -> None:
        self.asynchronous = asynchronous
        self.answers = [*answers]
        self.asked: list[tuple[int, str, str]] = []

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report | str:
        self.asked.append((timestep, str(assignment), assignment.id.partition("/")[2]))
        answer = self.answers.pop(0) if self.answers else assignment
        if isinstance(answer, Exception):
            raise answer
        return answer


async def play(planner: Any, world: World | None = None, **more: Any) -> Trace:
    """Return the trace of an episode of at most 30 timesteps."""
    played = world or Incubator(Level())
    episode = Episode(
        world=played,
        header=header_of(played, planner, more.pop("horizon", 30)),
        planner=planner,
        mailbox=mailbox_for(played, [(0, {"kind": "begin"})]),
        fetch=_nothing,
        **more,
    )
    return await episode.run()


def ends_of(trace: Trace) -> list[tuple[int, dict[str, Any]]]:
    """Return the events with which work ended, with their timesteps."""
    events = [(each.timestep, each.event) for each in trace.of(EventRecord)]
    return [(at, dict(event)) for at, event in events if event["kind"] == "report"]


def assert_replays(trace: Trace, world: World | None = None) -> None:
    """Assert that a trace is replayed in its world, by default the laboratory."""
    assert all(frame.equal for frame in replay(trace, world or Incubator(Level())))


def header_of(world: World, planner: Any, horizon: int) -> Header:
    return Header(
        world=world.name,
        rules=world.rules,
        workers=list(world.workers),
        seed=0,
        horizon=horizon,
        planner=planner.name,
        planner_class=planner.planner_class,
        scenario_name="incubator",
        scenario_digest="",
        scenario={},
        setup=world.setup(),
    )


async def _nothing(key: str) -> str:
    raise KeyError(key)
