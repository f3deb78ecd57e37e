"""An agent that asks a model has the whole dialogue: repair, look-up, memory, lessons, presets."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

import cookmas
from cookmas.episodes.trace import MessageRecord, ModelCall, PlanRecord, Trace
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting, preset
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.models.message import Request
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.llm import SchedulingPlanner, TalkingTeam
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from cookmas.worlds.corridor.voice import VOICE
from tests.sampling import covering
from tests.worlds.recording import Begun

WALKERS = ("walker_1", "walker_2")


def team_of(model: Any, ways: Prompting | None = None) -> TalkingTeam:
    return TalkingTeam([model, model], WALKERS, ways, voice=VOICE)


def purposes(trace: Trace, agent: str) -> list[str]:
    return [call.purpose for call in trace.of(ModelCall) if call.agent == agent]


def own(agent: str, *actions: str) -> dict[str, Any]:
    return {"say": "", "keep_until": 0, "schedule": {agent: [[0, *actions]]}}


def test_an_answer_that_cannot_be_used_is_sent_back_within_the_turn() -> None:
    model = Begun("no JSON", own("walker_2", "stay"), own("walker_1", "fly"))
    run = cookmas.play("corridor/halves", team_of(model))
    assert run.success
    assert purposes(run.trace, "walker_1")[:3] == ["turn", "repair", "repair"]
    assert model.blocks(1)["CALL"]["problems"] == ["There is no JSON object in it."]
    assert model.blocks(2)["CALL"]["problems"] == ["You plan for walker_1 alone, not for walker_2."]
    assert not [plan for plan in run.trace.of(PlanRecord) if plan.refused]


def test_an_agent_without_a_usable_answer_goes_on_and_is_told_why_at_the_next() -> None:
    model = Begun("no JSON")
    run = cookmas.play("corridor/halves", team_of(model, replace(preset("default"), retries=0)))
    assert run.success
    again = next(request for request in model.requests[1:] if "walker_1, and" in _system(request))
    problems = parse_blocks(again.messages[1].content)["CALL"]["problems"]
    assert problems[0] == "The answer at timestep 0 could not be used."


def _system(request: Request) -> str:
    return str(request.messages[0].content)


def test_what_would_fail_is_sent_back_and_kept_as_a_lesson() -> None:
    ways = Prompting(look_ahead=1, lessons=True)
    model = Begun(own("walker_1", "left"))
    team = team_of(model, ways)
    assert team.planner_class == "assisted"
    run = cookmas.play("corridor/halves", team)
    assert run.success
    (violation,) = model.blocks(1)["CALL"]["violations"]
    assert (violation["worker"], violation["action"]) == ("walker_1", "left")
    later = [
        parse_blocks(request.messages[1].content)
        for request in model.requests[2:]
        if "walker_1, and" in _system(request)
    ]
    assert [blocks["LESSONS"][0]["action"] for blocks in later] == ["left"] * len(later)
    assert later


def test_an_agent_remembers_its_own_decisions() -> None:
    model = Begun()
    assert cookmas.play("corridor/two", team_of(model, Prompting(memory=2))).success
    asked = [parse_blocks(request.messages[1].content) for request in model.requests]
    remembered = [(each["CALL"]["agent"], each["MEMORY"]) for each in asked if "MEMORY" in each]
    assert remembered
    for agent, decisions in remembered:
        assert {name for each in decisions for row in each["actions"] for name in row} <= {agent}


def test_an_agent_looks_up_what_it_may_know_itself() -> None:
    model = Begun()
    run = cookmas.play(
        "corridor/halves", team_of(model, replace(preset("default"), recipes="tool"))
    )
    assert run.success
    assert "lookup" in purposes(run.trace, "walker_1")
    assert "TEXTS" not in model.blocks(0)


RATES: dict[str, dict[str, float]] = {"exact": {}, "illegal": {"illegal": 0.2, "prose": 0.3}}
"""The rates of faults with which the scripted model plays."""

PLAYS = covering(product(PRESETS, RATES), lambda case: [case[0], (PRESETS[case[0]].form, case[1])])


@pytest.mark.parametrize(("name", "play"), PLAYS)
def test_a_team_plays_with_every_preset(name: str, play: str) -> None:
    faults = RATES[play]
    ways = PRESETS[name] if not faults else replace(PRESETS[name], look_ahead=3)
    team = team_of(Begun(**faults), ways)
    assert team.planner_class == ways.planner_class
    run = cookmas.play("corridor/two", team)
    assert run.trace.end
    assert run.trace.end.tally.done > 0


def test_without_talk_nothing_can_be_said() -> None:
    model = Begun()
    run = cookmas.play("corridor/two", team_of(model, replace(preset("default"), talk=0)))
    assert not list(run.trace.of(MessageRecord))
    assert "TALK" not in model.blocks(0)
    assert "You cannot talk to the others." in _system(model.requests[0])
    schema = model.requests[0].schema
    assert schema
    assert "say" not in schema.schema["properties"]


def test_a_planner_that_asks_a_model_talks_in_one_seat_beside_a_policy() -> None:
    class Stays:
        def act(self, observation: Observation[Any]) -> str:
            return "stay"

    model = Begun({**own("walker_1", "right"), "say": "blue hangs at 2"})
    seats = {
        "walker_1": seat_of(SchedulingPlanner(model, voice=VOICE), "walker_1", WALKERS),
        "walker_2": seat_of(Stays(), "walker_2", WALKERS),
    }
    run = cookmas.play("corridor/halves", team_of_seats(seats), max_stalled=4)
    assert [said.text for said in run.trace.of(MessageRecord)][:1] == ["blue hangs at 2"]
    assert {call.agent for call in run.trace.of(ModelCall)} == {"walker_1"}
    assert run.trace.header.planner == "walker_1=llm, walker_2=Stays"
    assert run.trace.header.planner_class == "mixed"


def test_a_run_says_how_much_is_talked_in_a_team_and_in_a_seat_and_nowhere_else() -> None:
    scenario = cookmas.load_scenario("corridor/halves")
    model, asking = ModelOptions(model="x", base_url="http://localhost:9"), AskingOptions(talk=0)

    def rounds(spec: str) -> int:
        team = cookmas.load_planner(spec, scenario, model, asking)
        assert isinstance(team, Team)
        return team.rounds

    assert rounds("llm-team") == rounds("walker_1=llm,walker_2=embedded") == 0
    with pytest.raises(InputError, match="has no use for --talk: leave it out"):
        cookmas.load_planner("llm", scenario, model, asking)
