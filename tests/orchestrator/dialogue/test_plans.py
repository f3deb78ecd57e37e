"""The agent of Collab-Overcooked: plans, requests, talk that ends, a queue, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

import cookmas
from cookmas.episodes.conversation import LONGEST_REQUEST, Usage, requests_in, speech
from cookmas.episodes.trace import MessageRecord, ModelCall, PlanRecord, StepRecord, Trace
from cookmas.episodes.world import Commands
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting
from cookmas.orchestrator.dialogue.reading import Unusable, UsableAnswer, read_reply
from cookmas.orchestrator.episode import Episode
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer, Request
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.planners.llm import SchedulingPlanner, TalkingTeam
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from cookmas.worlds.corridor.voice import VOICE
from cookmas.worlds.corridor.world import Corridor, CorridorLevel, CorridorWorld
from tests.orchestrator.dialogue.layouts import plan_layout

COLLAB = PRESETS["collab"]
ONE, TWO = WALKERS = ("walker_1", "walker_2")
RED = {"kind": "bell", "name": "red"}


class Prepared:
    """A model with prepared answers; after them its agent does nothing."""

    name = "prepared"

    def __init__(self, *answers: Mapping[str, Any]) -> None:
        self.requests: list[Request] = []
        self._answers = list(answers)

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        self.requests.append(request)
        said = self._answers.pop(0) if self._answers else {"plan": ["stay"]}
        usage = Usage(prompt=1, completion=1)
        return ModelAnswer(text=json.dumps(said), model=self.name, usage=usage), CallMeasurements(
            seconds=0.0
        )

    def blocks(self, number: int) -> dict[str, Any]:
        return parse_blocks(self.requests[number].messages[-1].content)

    @property
    def times(self) -> list[int]:
        return [self.blocks(number)["CALL"]["timestep"] for number in range(len(self.requests))]


def plan(*actions: str, say: str = "[NOTHING]", **more: str) -> dict[str, Any]:
    return {"analysis": "hm", "plan": list(actions), "say": say, **more}


def team(first: Prepared, second: Prepared, ways: Prompting = COLLAB) -> Any:
    planners = {
        ONE: SchedulingPlanner(first, ways, voice=VOICE),
        TWO: SchedulingPlanner(second, ways, voice=VOICE),
    }
    return team_of_seats({name: seat_of(each, name, WALKERS) for name, each in planners.items()})


Play = Callable[..., Trace]


@pytest.fixture
def play(corridor: Callable[..., Episode]) -> Any:
    async def run(who: Any, horizon: int = 4, world: Any = None) -> Trace:
        return await corridor(who, (0, RED), world=world, horizon=horizon).run()

    return run


def done(trace: Trace, worker: str) -> list[str]:
    steps = [dict(step.commands) for step in trace.of(StepRecord)]
    return [step.get(worker, "") for step in steps]


def said(trace: Trace) -> list[tuple[str, str]]:
    return [(each.agent, each.text) for each in trace.of(MessageRecord)]


@pytest.mark.parametrize(
    ("written", "actions"),
    [
        (["left", "right"], [["left"], ["right"]]),
        ("left; right", [["left"], ["right"]]),
        ([], []),
        ("", []),
        (["left", "", "right"], [["left"], [], ["right"]]),
        (["left", "request('ring(red)')"], [["left"]]),
        ({"walker_1": ["left"]}, [["left"]]),
    ],
)
def test_a_plan_is_read_without_timesteps(written: Any, actions: list[list[str]]) -> None:
    answer = ModelAnswer(
        text=json.dumps({"plan": written}), model="", usage=Usage(prompt=1, completion=1)
    )
    read = read_reply(answer, plan_layout(ONE))
    assert isinstance(read, UsableAnswer)
    assert [list(row.actions.values()) for row in read.value.schedule] == actions


def test_a_plan_that_is_none_is_refused_in_words() -> None:
    answer = ModelAnswer(text='{"plan": 3}', model="", usage=Usage(prompt=1, completion=1))
    read = read_reply(answer, plan_layout(ONE))
    assert isinstance(read, Unusable)
    assert read.problems == ("The object: the plan should be a list of actions.",)


def test_requests_are_found_in_words() -> None:
    text = """Please. request('pickup(a, b)'); request("cut(c)") request(deliver()) [END]"""
    assert requests_in(text) == ["pickup(a, b)", "cut(c)", "deliver()"]
    assert requests_in("I request(ed) nothing of you") == ["ed"]
    assert requests_in("nothing at all") == []
    assert requests_in("request( ) request( a(b) )") == ["", "a(b)"]


def test_a_text_of_any_length_is_searched_for_requests() -> None:
    assert requests_in(f"request('{'a' * LONGEST_REQUEST}')") == ["a" * LONGEST_REQUEST]
    assert requests_in(f"request('{'a' * (LONGEST_REQUEST + 1)}')") == []
    for part in ("request('", "request(", " ", "' "):
        assert requests_in("request(" + part * 50_000) == []
    assert speech("[NOTHING]", []) == ""
    assert speech("hello [NOTHING]", ["request('a')"]) == "hello\nrequest('a')"


async def test_a_plan_is_worked_off_without_the_model(play: Any) -> None:
    first, second = Prepared(plan("right", "right", "left")), Prepared(plan("stay", "stay"))
    trace = await play(team(first, second), horizon=3)
    assert done(trace, ONE) == ["right", "right", "left"]
    assert first.times == [0]
    assert second.times == [0, 2]
    left = [plan.schedule for plan in trace.of(PlanRecord) if plan.agent == ONE]
    assert [len(schedule) for schedule in left] == [3, 2, 1]


async def test_what_is_requested_goes_to_the_others_with_what_is_said(play: Any) -> None:
    first = Prepared(plan("right", "request('right')", "request('ring(red)')", say="Go. [END]"))
    second = Prepared(plan("stay", say="Must I?"), plan("right"))
    trace = await play(team(first, second), horizon=1)
    assert said(trace) == [(ONE, "Go. [END]\nrequest('right'); request('ring(red)')")]
    assert done(trace, ONE) == ["right"]
    assert second.blocks(0)["TALK"][0]["said"].startswith("Go. [END]")
    assert len(first.requests) == len(second.requests) == 1


async def test_a_talk_goes_on_until_who_began_it_ends_it(play: Any) -> None:
    first = Prepared(plan(say="Who?"), plan(say="You. [END]"), plan("left"))
    second = Prepared(plan(say="Not I [END]"), plan("right", say="too late"))
    trace = await play(team(first, second), horizon=1)
    assert said(trace) == [(ONE, "Who?"), (TWO, "Not I [END]"), (ONE, "You. [END]")]
    assert (done(trace, ONE), done(trace, TWO)) == (["stay"], ["right"])


async def test_who_hears_something_new_is_asked_although_its_plan_is_not_worked_off(
    play: Any,
) -> None:
    first = Prepared(plan("right"), plan("left", say="Stop! [END]"))
    second = Prepared(plan("right", "right", "right"), plan("stay", "left"))
    trace = await play(team(first, second), horizon=3)
    assert second.times == [0, 1]
    assert second.blocks(1)["PLANS"] == {TWO: ["right", "right"]}
    assert done(trace, TWO) == ["right", "stay", "left"]


async def test_an_empty_plan_goes_on_with_what_is_left(play: Any) -> None:
    first = Prepared(plan("right"), plan("right", say="hello [END]"))
    second = Prepared(plan("right", "right", "left"), plan())
    trace = await play(team(first, second), horizon=3)
    assert done(trace, TWO) == ["right", "right", "left"]
    assert second.times == [0, 1]


async def test_a_refused_action_is_sent_back_once_and_then_costs_a_timestep(play: Any) -> None:
    wrong = Prepared(plan("left", "right"), plan("left", lesson="no left"), plan("right"))
    trace = await play(team(wrong, Prepared()), horizon=2)
    assert done(trace, ONE) == ["stay", "right"]
    assert wrong.times == [0, 0, 1]
    assert [each["action"] for each in wrong.blocks(1)["CALL"]["violations"]] == ["left"]
    lessons = wrong.blocks(2)["LESSONS"]
    assert [each.get("lesson", each.get("why")) for each in lessons] == [
        "walker_1 stands at the wall.",
        "no left",
    ]
    assert not any(step.fails for step in trace.of(StepRecord))


async def test_a_queued_action_that_is_refused_is_asked_about_before_it_is_done(play: Any) -> None:
    wrong = Prepared(plan("right", "left", "left", "right"), plan("right"))
    trace = await play(team(wrong, Prepared()), horizon=3)
    assert wrong.times == [0, 2]
    assert wrong.blocks(1)["CALL"]["problems"] == [
        "Your next action, left, would FAIL: walker_1 stands at the wall."
    ]
    assert done(trace, ONE) == ["right", "left", "right"]
    again = Prepared(plan("right", "left", "left"), plan("left"), plan("right"))
    trace = await play(team(again, Prepared()), horizon=4)
    assert done(trace, ONE) == ["right", "left", "stay", "right"]
    assert again.times == [0, 2, 3]


async def test_without_error_handling_a_wrong_action_fails_in_the_world(play: Any) -> None:
    wrong = Prepared(plan("left"), plan("right"))
    trace = await play(team(wrong, Prepared(), replace(COLLAB, look_ahead=0)), horizon=2)
    assert done(trace, ONE) == ["left", "right"]
    assert wrong.blocks(1)["CALL"]["fails"][ONE]["why"] == "walker_1 stands at the wall."


async def test_the_successful_actions_are_remembered(play: Any) -> None:
    ways = replace(COLLAB, look_ahead=0)
    model = Prepared(plan("right", "left", "left", "right"), plan("right"), plan("right"))
    await play(team(model, Prepared(), ways), horizon=5)
    assert "MEMORY" not in model.blocks(0)
    entries = [{ONE: "right"}, {ONE: "left"}, {}]
    assert model.blocks(1)["MEMORY"] == [{"timestep": 0, "actions": entries}]
    later = {"timestep": 3, "actions": [{ONE: "right"}]}
    assert model.blocks(2)["MEMORY"] == [{"timestep": 0, "actions": entries}, later]


@pytest.mark.parametrize(
    ("ways", "gone"),
    [
        ({"talk": 0}, "say"),
        ({"lessons": False}, "lesson"),
        ({"chain_of_thought": False}, "analysis"),
    ],
)
async def test_each_part_can_be_left_out(play: Any, ways: dict[str, Any], gone: str) -> None:
    whole, model = (Prepared(plan("right"), plan("right")) for _ in range(2))
    await play(team(whole, Prepared(), COLLAB), horizon=2)
    await play(team(model, Prepared(), replace(COLLAB, **ways)), horizon=2)
    assert _fields(whole) - _fields(model) == {gone}
    assert f"`{gone}`" not in model.requests[0].messages[0].content


def _fields(model: Prepared) -> set[str]:
    assert model.requests[0].schema
    properties: Mapping[str, Any] = model.requests[0].schema.schema["properties"]
    return {*properties}


async def test_without_a_queue_the_plan_is_a_schedule(play: Any) -> None:
    model = Prepared(plan("right", "left", "left"), plan("right"))
    ways = replace(COLLAB, queue=False, look_ahead=0, memory=0)
    trace = await play(team(model, Prepared(plan(*["stay"] * 4)), ways), horizon=4)
    assert model.times == [0, 3]
    assert done(trace, ONE) == ["right", "left", "left", "right"]
    assert "MEMORY" not in model.blocks(1)


class Slow(CorridorWorld):
    """A corridor in which a step takes two timesteps, and who walks hears what is said."""

    def __init__(self) -> None:
        super().__init__(CorridorLevel())

    def movers(self, state: Corridor) -> Sequence[str]:
        busy = state.get("busy", {})
        return [name for name in self.workers if busy.get(name, 0) <= state["timestep"]]

    discloses_decisions = True

    def listeners(self, state: Corridor) -> Sequence[str]:
        return self.workers

    def step(self, state: Corridor, commands: Commands) -> Any:
        given, moving = dict(commands), self.movers(state)
        after = {**state, "timestep": state["timestep"] + 1}
        outcomes = {}
        for name in self.workers:
            action = given.get(name, "stay") if name in moving else "stay"
            after, outcomes[name] = self._act(after, name, action)
            if action != "stay" and outcomes[name].done:
                after["busy"] = {**after.get("busy", {}), name: state["timestep"] + 2}
        return after, outcomes, ()


async def test_who_is_busy_is_asked_only_when_it_is_spoken_to(play: Any) -> None:
    first = Prepared(plan("stay"), plan("stay", say="Back! [END]"), plan(*["stay"] * 9))
    second = Prepared(plan("right", "right", "right"), plan("left", "right"))
    trace = await play(team(first, second), horizon=6, world=Slow())
    assert second.times == [0, 1]
    assert done(trace, TWO) == ["right", "", "left", "", "right", ""]
    decided = [first.blocks(number).get("DECIDED") for number in range(3)]
    assert decided == [None, {TWO: ["right", "right"]}, {TWO: ["left", "right"]}]
    assert second.blocks(1)["PLANS"] == {TWO: ["right", "right"]}


def test_the_name_of_a_preset_is_a_planner_in_each_seat() -> None:
    scenario = cookmas.load_scenario("corridor/halves")
    model = ModelOptions(model="x", base_url="http://localhost:9")
    team = cookmas.load_planner("walker_1=collab,walker_2=default", scenario, model)
    members: Any = getattr(team, "members", {})
    assert all(isinstance(each, SchedulingPlanner) for each in members.values())
    assert [each.prompting for each in members.values()] == [COLLAB, PRESETS["default"]]
    assert team.name == "walker_1=llm:collab (x), walker_2=llm:default (x)"
    with pytest.raises(InputError, match="is a preset itself: leave out --preset react"):
        cookmas.load_planner("collab", scenario, model, AskingOptions(preset="react"))


def test_a_queue_is_no_way_of_asking_one_planner_of_all() -> None:
    scenario = cookmas.load_scenario("corridor/halves")
    model = ModelOptions(model="x", base_url="http://localhost:9")
    with pytest.raises(InputError, match="has no use for --queue: leave it out"):
        cookmas.load_planner("llm", scenario, model, AskingOptions(queue=True))


@pytest.mark.parametrize("scenario", ["corridor/halves", "corridor/two", "cuisineworld/level_0"])
def test_the_scripted_model_plays_it_with_its_mistakes(scenario: str) -> None:
    from cookmas.modelserver.answers import ScriptedModel
    from cookmas.modelserver.faults import Faults
    from cookmas.sandbox.importing import import_named
    from cookmas.world_names import WORLDS, domain_of

    faults = Faults(rates={"illegal": 0.1, "prose": 0.3, "off_by_one": 0.1}, seed=1)
    domain = domain_of(scenario.split("/")[0])
    voice = import_named(domain.voice_spec, "", "")
    loaded = cookmas.load_scenario(scenario)
    workers = list(loaded.world().workers)
    models = [ScriptedModel(WORLDS, faults)] * 2
    run = cookmas.play(loaded, TalkingTeam(models, workers, COLLAB, voice=voice))
    assert run.trace.end
    assert run.trace.end.tally.done > 0
    purposes = {call.purpose for call in run.trace.of(ModelCall)}
    assert "turn" in purposes <= {"turn", "repair"}
    assert not [plan for plan in run.trace.of(PlanRecord) if plan.refused]
