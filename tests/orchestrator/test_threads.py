"""A thread of an app belongs to the episode that began in it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

import cookmas
from cookmas.files.errors import InputError
from cookmas.mailboxes.memory import MemoryMailbox
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.graph import build_graph
from cookmas.orchestrator.graph.recorder import Recorder
from cookmas.orchestrator.graph.state import ANEW, State
from cookmas.orchestrator.pace import AS_FAST_AS_POSSIBLE, Pace, WallClock
from cookmas.orchestrator.planner import Plan
from cookmas.workers.person import Asked, Person, PersonChannel
from cookmas.workers.protocol import ScriptedWorker

NOBODY: Any = None


REFERRING = {"schedule"}
"""The parts with numbers of records, of which a thread with two episodes has more."""


class Asking(NamedTuple):
    """What an app asks for; each of them is an episode of its own."""

    scenario: str = "corridor/one"
    planner: str = "embedded"
    horizon: int = 40
    person: str = ""
    pace: Pace = AS_FAST_AS_POSSIBLE


async def context_of(asking: Asking) -> Context:
    scenario = await asyncio.to_thread(cookmas.load_scenario, asking.scenario)
    planner: Any = await asyncio.to_thread(cookmas.load_planner, asking.planner, scenario)
    world = scenario.world()
    workers: dict[str, Any] = {name: ScriptedWorker() for name in world.workers}
    if asking.person:
        channel: PersonChannel = NOBODY
        workers[asking.person] = Person(channel)
    return Context(
        world=world,
        planner=planner,
        workers=workers,
        fetch=scenario.look_up,
        mailbox=MemoryMailbox(scenario.events()),
        recorder=Recorder(),
        horizon=asking.horizon,
        pace=asking.pace,
        episode=scenario.digest,
    )


class App:
    """An app with one thread; the context of each asking lives as long as the app."""

    def __init__(self) -> None:
        self._kept: dict[Asking, Context] = {}
        self.saver = InMemorySaver()
        self.graph = build_graph(self.saver, context_schema=Asking, context_of=self._context)
        self.config: Any = {"configurable": {"thread_id": "one"}, "recursion_limit": 500}

    async def _context(self, asking: Asking) -> Context:
        if asking not in self._kept:
            self._kept[asking] = await context_of(asking)
        return self._kept[asking]

    async def ask(self, asking: Asking, given: Any = NOBODY, config: Any = NOBODY) -> Any:
        given = {} if given is NOBODY else given
        return await self.graph.ainvoke(given, config or self.config, context=asking)

    async def middle(self) -> Any:
        """Return the configuration of a checkpoint in the middle of the episode."""
        history = [each async for each in self.graph.aget_state_history(self.config)]
        return next(each.config for each in history if each.values.get("timestep") == 2)


async def test_on_an_ended_thread_an_episode_begins_anew() -> None:
    first, second = Asking(), Asking("corridor/two")
    app = App()
    for asking in (first, second, second, first):
        alone = await App().ask(asking)
        done = await app.ask(asking)
        for part in {*ANEW, "world"} - REFERRING:
            assert done.get(part, ANEW.get(part)) == alone.get(part, ANEW.get(part)), part
        assert done["ended"] == "finished"


def test_no_part_of_a_state_stays_on_an_ended_thread() -> None:
    """Each part is in the state of the beginning, but for those that every superstep writes."""
    assert set(State.__annotations__) - set(ANEW) == {"world", "records", "episode"}


@pytest.mark.parametrize(
    "other",
    [
        Asking("corridor/two"),
        Asking(planner="tests.orchestrator.test_threads:Waiting"),
        Asking(horizon=41),
    ],
)
async def test_in_the_middle_another_episode_is_refused(other: Asking) -> None:
    app = App()
    whole = await app.ask(Asking())
    middle = await app.middle()
    with pytest.raises(InputError, match=r"^thread: it is in the middle of another episode"):
        await app.graph.ainvoke(None, middle, context=other)
    done = await app.graph.ainvoke(None, middle, context=Asking())
    assert {**done, "records": whole["records"]} == whole


class Waiting:
    """A planner that has no plan."""

    name = "waiting"
    planner_class: Any = "embedded"

    async def plan(self, observation: Any) -> Any:
        return Plan(schedule=[{}])


async def test_what_a_clock_and_a_person_left_in_a_thread_does_not_stay() -> None:
    app = App()
    played = Asking(person="walker_1", pace=WallClock(0.001))
    answer = await app.ask(played)
    while "__interrupt__" in answer:
        asked = answer["__interrupt__"][0].value
        answer = await app.ask(played, Command(resume={"action": asked["assignment"]}))
    assert answer["epoch"] > 0
    assert answer["apart"]
    done = await app.ask(Asking())
    assert (done["ended"], done["epoch"], done["apart"], done["legal"]) == ("finished", 0.0, [], {})


@pytest.mark.parametrize(
    "given",
    [
        "right",
        True,
        None,
        {},
        [],
        {"action": 7},
        {"action": None},
        {"move": "right"},
        {"action": "right", "away": "asleep"},
        {"action": "right", "because": "it is near"},
    ],
)
async def test_a_person_whose_answer_cannot_be_read_is_asked_again(given: Any) -> None:
    app = App()
    played = Asking(person="walker_1")
    (asked,) = (await app.ask(played))["__interrupt__"]
    first: Asked = asked.value
    again = (await app.ask(played, Command(resume={asked.id: given})))["__interrupt__"]
    refused = again[0].value.pop("refused")
    assert again[0].value == first
    assert 'expected {"action": ...}' in refused
    after = await app.ask(played, Command(resume={"action": first["assignment"]}))
    assert "refused" not in after["__interrupt__"][0].value
    assert after["timestep"] == 1


@pytest.mark.parametrize(
    ("scenario", "planner", "told"),
    [
        ("corridor/two", "embedded", "is of another scenario"),
        ("collab-capture/building", "embedded", "is of another world (corridor, not "),
        (
            "corridor/one",
            "tests.orchestrator.test_threads:Waiting",
            "is of another planner (embedded, not ",
        ),
    ],
)
@pytest.mark.parametrize("ended", [True, False])
async def test_checkpoints_of_another_episode_are_refused(
    tmp_path: Path, scenario: str, planner: str, told: str, *, ended: bool
) -> None:
    trace = tmp_path / "trace.jsonl"

    async def play(scenario: str, planner: str, *, whole: bool) -> Any:
        loaded = cookmas.load_scenario(scenario)
        async with sqlite_checkpoints(tmp_path / "c.sqlite") as saver:
            who = cookmas.load_planner(planner, loaded)
            playing = cookmas.episode_of(loaded, who, path=trace, checkpointer=saver)
            async for record in playing.stream():
                if not whole and record.kind == "step":
                    return None
            return record

    await play("corridor/one", "embedded", whole=ended)
    before = trace.read_bytes()
    with pytest.raises(InputError, match=told.replace("(", r"\(")):
        await play(scenario, planner, whole=True)
    assert trace.read_bytes() == before
    assert (await play("corridor/one", "embedded", whole=True)).termination == "finished"
