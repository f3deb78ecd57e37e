"""Lists in a plan: every style is read back as it was meant, and counted; no action is a list."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.conversation import Usage
from cookmas.episodes.replay import replay
from cookmas.episodes.trace import MessageRecord, ModelCall, StepRecord
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.plans import read_list
from cookmas.orchestrator.dialogue.prompting import PRESETS
from cookmas.orchestrator.dialogue.reading import Unusable, UsableAnswer, read_reply
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer, Request
from cookmas.orchestrator.planners.llm import TalkingTeam
from cookmas.world_names import WORLDS, domain_of
from cookmas.worlds.collab_overcooked.voice import VOICE
from tests.orchestrator.dialogue.layouts import plan_layout
from tests.sampling import examples
from tests.worlds.recording import Recording

Style = Callable[[Sequence[str]], str]


def numbered(mark: str, between: str) -> Style:
    return lambda actions: between.join(f"{mark.format(n)}{a}" for n, a in enumerate(actions, 1))


MARKS = ("{}. ", "{}) ", "({}) ", "{}: ", "- ", "* ", "• ", "\u2013 ")
PLAIN: dict[str, Style] = {"semicolons": "; ".join, "lines": "\n".join}
STYLES: dict[str, Style] = {
    **{f"{mark.strip()} in lines": numbered(mark, "\n") for mark in MARKS},
    **{f"{mark.strip()} with semicolons": numbered(mark, ";\n") for mark in MARKS},
    **{f"{mark.strip()} in a line": numbered(mark, " ") for mark in MARKS[:4]},
    "numbers without a space": numbered("{}.", "\n"),
    "commas": ", ".join,
    "commas without a space": ",".join,
    "commas in lines": ",\n".join,
    "arrows": " -> ".join,
    "arrows of one letter": " → ".join,
    "brackets": lambda actions: f"[{', '.join(actions)}]",
    "brackets with semicolons": lambda actions: f"[{'; '.join(actions)}]",
    "JSON": lambda actions: json.dumps(list(actions)),
    "quotes": lambda actions: ", ".join(f"'{each}'" for each in actions),
    "quotes and blanks before the commas": lambda actions: " , ".join(f"'{a}'" for a in actions),
    "quotes with semicolons": lambda actions: "; ".join(f'"{each}"' for each in actions),
    "curly quotes": lambda actions: "\n".join(f"\u201c{each}\u201d" for each in actions),
    "numbers and quotes": numbered("{}. ", "\n"),
}

FOODS = st.sampled_from(["apple", "bell_pepper", "beef_patty"])
ACTIONS = st.one_of(
    st.sampled_from(["wait(1)", "place_obj_on_counter()", "ring(bell 1)", "left", "go to bell 2"]),
    FOODS.map(lambda food: f"pickup({food}, ingredient_dispenser)"),
    FOODS.map(lambda food: f"pickup({food},counter,12)"),
    FOODS.map(lambda food: f"request('pickup({food}, ingredient_dispenser)')"),
)
PLANS = st.lists(ACTIONS, min_size=2, max_size=6)


@settings(max_examples=examples(40, 12))
@given(PLANS)
def test_every_style_of_list_round_trips_and_is_counted(actions: list[str]) -> None:
    for name, style in STYLES.items():
        items, kinds = read_list(style(actions))
        assert items == actions, name
        assert kinds, name
    for name, style in PLAIN.items():
        assert read_list(style(actions)) == (actions, set()), name


def answer(plan: object, *, lines: bool = False, strict: bool = False) -> object:
    text = f"bob plan: {plan}\nbob say: [NOTHING]" if lines else json.dumps({"plan": plan})
    said = ModelAnswer(text=text, model="m", usage=Usage(prompt=1, completion=1))
    return read_reply(said, plan_layout("bob", lines=lines), strict=strict)


def actions_of(read: object) -> list[str]:
    assert isinstance(read, UsableAnswer), read
    assert isinstance(read.value, ScheduleAnswer)
    return [row.actions.get("bob", "") for row in read.value.rows]


@given(PLANS, st.sampled_from(sorted(STYLES)), st.booleans())
def test_an_answer_with_any_list_is_lenient(actions: list[str], name: str, lines: bool) -> None:
    own = [each for each in actions if not each.startswith("request")]
    read = answer(STYLES[name](own), lines=lines) if len(own) > 1 else answer("left")
    assert actions_of(read) == (own if len(own) > 1 else ["left"])
    assert isinstance(read, UsableAnswer)
    assert bool(read.lenient) == (len(own) > 1)


@pytest.mark.parametrize(
    ("items", "kinds"),
    [
        (["left", "", "right"], set()),
        (["1. left", "2. right"], {"list_marks"}),
        (["left, right"], {"list_commas"}),
        (["left; right"], {"list_in_item"}),
        (["'left'", "right"], {"list_quotes"}),
    ],
)
def test_a_list_within_an_item_is_read(items: list[str], kinds: set[str]) -> None:
    read = answer(items)
    assert actions_of(read) == (["left", "right"] if kinds else items)
    assert isinstance(read, UsableAnswer)
    assert set(read.lenient) == kinds
    assert isinstance(answer(items, strict=True), Unusable) == bool(kinds)


@pytest.mark.parametrize("nothing", [None, [""], []])
def test_a_plan_may_be_empty(nothing: Any) -> None:
    assert actions_of(answer(nothing)) == []


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize(
    ("plan", "why"),
    [
        ("left; cut(board", "a bracket is open: cut(board"),
        ("'left; right", "a quote is open: 'left; right"),
    ],
)
def test_what_cannot_be_read_is_told(plan: str, why: str, lines: bool) -> None:
    read = answer(plan, lines=lines)
    assert isinstance(read, Unusable)
    assert read.fault == "outside_schema"
    assert why in read.why


@given(st.text(st.sampled_from("12.-) (,;\n'\"[]ab→>"), max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(ValueError):
        assert all(isinstance(each, str) for each in read_list(text).items)


@pytest.mark.parametrize("name", sorted(set(WORLDS) - {"questions"}))
def test_no_action_of_a_world_is_taken_for_a_list(name: str) -> None:
    """Play by chance; every legal action is read as it is, also among others in any style."""
    domain, draw = domain_of(name), Random(7)
    scenario = cookmas.load_scenario(f"{name}/{domain.names()[0]}")
    spec = "random" if "random" in domain.planners else "embedded"
    episode = cookmas.episode_of(scenario, cookmas.load_planner(spec, scenario), horizon=5)
    for frame in replay(asyncio.run(episode.run()), scenario.world()):
        world = frame.world
        for worker in world.workers:
            actions = list(world.legal(frame.before, worker))
            assert all(read_list(action) == ([action], set()) for action in actions)
            some = draw.sample(actions, min(4, len(actions)))
            if len(some) > 1:
                assert all(read_list(style(some)).items == some for style in STYLES.values())


class Listing:
    """The scripted model, whose plans are lists of a style."""

    name = "listing"

    def __init__(self, style: Style) -> None:
        self._model = Recording()
        self._style = style

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        answer, took = await self._model.answer(request)
        lines = answer.text.split("\n")
        for number, line in enumerate(lines):
            who, found, plan = line.partition(" plan: ")
            if found:
                lines[number] = f"{who} plan: {self._style(plan.split('; '))}"
        return replace(answer, text="\n".join(lines)), took


def cooked(style: Style) -> cookmas.Run:
    team = TalkingTeam([Listing(style)] * 2, ["bob", "alice"], PRESETS["collab-text"], voice=VOICE)
    return cookmas.play("collab-overcooked/level_1/03", team)


def test_cooks_who_write_lists_do_the_same_and_their_lists_are_counted() -> None:
    published, listed = cooked("; ".join), cooked(STYLES["{}. in lines"])
    commands = [[step.commands for step in run.trace.of(StepRecord)] for run in (published, listed)]
    said = [[each.text for each in run.trace.of(MessageRecord)] for run in (published, listed)]
    assert commands[0] == commands[1]
    assert said[0] == said[1] != []
    calls = list(listed.trace.of(ModelCall))
    assert {kind for call in calls for kind in call.lenient} == {"list_marks"}
    assert not [call for call in published.trace.of(ModelCall) if call.lenient]


def test_a_plan_that_cannot_be_read_is_sent_back_and_counted_as_unusable() -> None:
    run = cooked(lambda actions: "; ".join([*actions, "wait(1"]))
    calls = list(run.trace.of(ModelCall))
    assert all(call.unusable for call in calls if " plan: " in call.text)
    assert any("a bracket is open: wait(1" in m.content for call in calls for m in call.messages)
