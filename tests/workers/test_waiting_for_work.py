"""Planners while workers are busy: models are told what is under way, and may wait for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from cookmas.episodes.conversation import Usage
from cookmas.episodes.level import Level
from cookmas.episodes.trace import ModelCall, PlanRecord, Trace, TriggerRecord
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer, Request
from cookmas.orchestrator.planner import Observation, Plan, RunningWork
from cookmas.orchestrator.planners.llm import SchedulingPlanner, TalkingTeam
from cookmas.worlds.base.script import Script
from cookmas.worlds.base.voice import VOICE
from tests.workers.incubator import LASTS, Incubator, Written, play


class Begins:
    """A model that lets some workers incubate, and then answers that nothing is to be done."""

    name = "begins"

    def __init__(self, *workers: str, last: Any = ()) -> None:
        self.workers = workers
        self.last = last
        self.told: list[Mapping[str, Any]] = []

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        blocks = parse_blocks(request.messages[-1].content)
        self.told.append(blocks)
        now = blocks["CALL"]["timestep"]
        row = {"t": now, **dict.fromkeys(self.workers, "incubate")}
        later = [{**each, "t": now + each["t"]} for each in self.last]
        schedule = later if blocks.get("RUNNING") else [row]
        text = json.dumps({"reasoning": "", "keep_until": 0, "shift": [], "schedule": schedule})
        usage = Usage(prompt=1, completion=1)
        return ModelAnswer(text=text, model=self.name, usage=usage), CallMeasurements(seconds=0.0)


def calls_of(trace: Trace) -> list[int]:
    return [each.timestep for each in trace.of(ModelCall)]


def laboratory(wanted: int) -> Incubator:
    world = Incubator(Level())
    world.wanted = wanted
    return world


async def test_a_model_is_not_called_as_long_as_all_are_busy() -> None:
    model = Begins("left", "right")
    planner = SchedulingPlanner(model, voice=VOICE)
    trace = await play(planner, laboratory(2), horizon=9)
    assert trace.end
    assert (trace.end.termination, trace.end.timestep) == ("won", LASTS)
    assert calls_of(trace) == [0]


@pytest.mark.parametrize("last", [[], [{"t": 0}], [{"t": 0, "left": None}, {"t": 1}]])
async def test_a_model_may_answer_that_nothing_is_to_be_done_meanwhile(last: Any) -> None:
    model = Begins("left", last=last)
    planner = SchedulingPlanner(model, voice=VOICE)
    trace = await play(planner, laboratory(2), horizon=20)
    assert trace.end
    assert (trace.end.termination, trace.end.timestep) == ("won", 2 * LASTS)
    assert [call.purpose for call in trace.of(ModelCall)] == ["plan"] * len(calls_of(trace))
    if not last:
        assert calls_of(trace) == [0, 1, LASTS, LASTS + 1]
    assert model.told[1]["RUNNING"] == {
        "left": {"action": "incubate", "since": 0, "expected": LASTS}
    }


async def test_an_empty_schedule_is_no_answer_while_nothing_is_under_way() -> None:
    class Idle(Begins):
        async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
            answer, measured = await super().answer(request)
            return ModelAnswer(text='{"schedule": []}', model="", usage=answer.usage), measured

    planner = SchedulingPlanner(Idle(), Prompting(retries=0), voice=VOICE)
    trace = await play(planner, laboratory(1), horizon=3)
    assert trace.end
    assert trace.end.termination == "gave_up"
    assert "The schedule is empty" in trace.end.why


async def test_an_agent_of_a_team_is_not_called_while_it_is_busy() -> None:
    models = [Begins("left"), Begins("right")]
    team = TalkingTeam(models, ("left", "right"), Prompting(talk=0), voice=VOICE)
    trace = await play(team, laboratory(2), horizon=9)
    assert trace.end
    assert (trace.end.termination, trace.end.timestep) == ("won", LASTS)
    assert calls_of(trace) == [0, 0]


class Waiting(Written):
    """A planner that lets left incubate, and then waits for it with an empty schedule."""

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.seen.append(observation)
        return Plan(schedule=[] if observation.running else [{"left": "incubate"}])


async def test_who_waits_for_work_is_called_when_any_of_it_ends() -> None:
    class Quiet(Incubator):
        """Ends are no triggers of this world."""

        wanted = 2

        def take_report(self, state: Any, report: Any) -> Any:
            state, ruling = super().take_report(state, report)
            return state, type(ruling)()

    planner = Waiting()
    trace = await play(planner, Quiet(Level()), horizon=20)
    assert trace.end
    assert trace.end.timestep == 2 * LASTS
    assert [each.timestep for each in trace.of(PlanRecord)] == [0, 1, LASTS, LASTS + 1]
    assert {each.trigger for each in trace.of(TriggerRecord)} == {"begin", "exhausted"}
    (running,) = planner.seen[1].running.values()
    assert (running.action, running.since, running.expected) == ("incubate", 0, LASTS)


def test_the_scripted_model_reads_what_is_under_way() -> None:
    class Known(Script):
        def rebuild(self, situation: Any) -> tuple[Any, Any]:
            return laboratory(1), laboratory(1).start()

    domain: Any = SimpleNamespace(name="incubator")
    script = Known(domain)
    busy = {"left": {"action": "incubate", "since": 0, "expected": 3}}
    blocks = {script.mark: {}, "STATE": {}, "CALL": {"timestep": 1}}
    found = [
        script.situation({**blocks, **more}, {}, "schedule", lambda *_: False)
        for more in ({}, {"RUNNING": busy})
    ]
    assert found[0].digest != found[1].digest
    seen = script.observe(found[1])
    assert seen.running == {"left": RunningWork("incubate", 0, 3)}
    assert seen.away == {"left": "left is still at incubate, since timestep 0."}
