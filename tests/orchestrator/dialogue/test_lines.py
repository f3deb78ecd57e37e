"""Answers as lines of text: what is read of them, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.conversation import Usage
from cookmas.episodes.trace import MessageRecord, ModelCall, Trace
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.dialogue.answers import ScheduleAnswer
from cookmas.orchestrator.dialogue.plans import read_lines, write_lines
from cookmas.orchestrator.dialogue.prompting import PRESETS
from cookmas.orchestrator.dialogue.reading import Unusable, read_reply
from cookmas.orchestrator.models.message import ModelAnswer
from cookmas.orchestrator.planners.llm import TalkingTeam
from cookmas.world_names import WORLDS
from cookmas.worlds.collab_overcooked.voice import VOICE
from tests.orchestrator.dialogue.layouts import plan_layout

PRINTED = """\
Bob analysis: The order is for a baked bell pepper. Only Alice can pick up ingredients,
so my plan: I need to ask her.
Bob plan: request('pickup(bell_pepper,
ingredient_dispenser)');    request('
place_obj_on_counter()'); wait(2)
Bob say: Alice, please pick up a bell pepper and place it
on the counter. [END]"""
"""An answer as the paper prints it, with its line breaks."""


def reply(text: str, finish_reason: str = "stop") -> ScheduleAnswer | Unusable:
    usage = Usage(prompt=0, completion=0)
    answer = ModelAnswer(text=text, model="m", usage=usage, finish_reason=finish_reason)
    read = read_reply(answer, plan_layout("bob", lines=True))
    return read if isinstance(read, Unusable) else read.value


def value(text: str, finish_reason: str = "stop") -> ScheduleAnswer:
    found = reply(text, finish_reason)
    assert isinstance(found, ScheduleAnswer), found
    return found


def actions(answer: ScheduleAnswer) -> list[str]:
    return [row.actions["bob"] for row in answer.rows]


def test_an_answer_is_read_as_the_paper_prints_it() -> None:
    found = value(PRINTED)
    assert found.reasoning.endswith("so my plan: I need to ask her.")
    assert actions(found) == ["wait(2)"]
    words, requests = found.say.rsplit("\n", 1)
    assert words.endswith("on the counter. [END]")
    wanted = (
        "request('pickup(bell_pepper, ingredient_dispenser)'); request(' place_obj_on_counter()')"
    )
    assert requests == wanted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Chef plan: wait(1)\nChef say: [NOTHING]", ["wait(1)"]),
        ("1. **Chef analysis:** hm\n2. **Chef plan:** wait(1);stay()", ["wait(1)", "stay()"]),
        ("<Chef> plan:\nwait(1)\nstay()\n", ["wait(1)", "stay()"]),
        ("plan: []\nsay: [NOTHING]", []),
        ("plan: [NOTHING]", []),
        ("<think>\nBob plan: fly()\n</think>\nBob plan: wait(1)", ["wait(1)"]),
        ("Here you are:\n\n```\nBob plan: wait(1)\n```\nBob may do more.", ["wait(1)"]),
    ],
)
def test_lines_of_all_kinds_are_read(text: str, expected: list[str]) -> None:
    found = value(text)
    assert (actions(found), found.say) == (expected, "")


@pytest.mark.parametrize(
    ("text", "finish_reason", "fault", "problem"),
    [
        ("I do not know.", "stop", "unreadable", "There is no line 'plan: ...' in it"),
        ('{"plan": ["wait(1)"]}', "stop", "unreadable", "There is no line 'plan: ...' in it"),
        ("Chef plan: a()\nAssistant plan: b()", "stop", "outside_schema", "'plan' stands more"),
        ("Chef plan: a(); b(", "length", "truncated", "It was cut off before its end"),
    ],
)
def test_other_texts_are_refused_in_one_sentence(
    text: str, finish_reason: str, fault: str, problem: str
) -> None:
    found = reply(text, finish_reason)
    assert isinstance(found, Unusable)
    assert found.fault == fault
    (said,) = found.problems
    assert said.startswith(problem)
    assert "\n" not in said


def test_an_action_goes_on_in_the_next_lines_until_its_bracket_closes() -> None:
    for length in (100, 1000):
        assert read_lines(f"plan: cut(\na\n{'b' * length})")[0]["plan"].count(";") == 0
    assert read_lines("plan: " + "a\n" * 100_000)[0]["plan"].count(";") == 99_999


def test_a_plan_that_is_whole_counts_though_the_text_was_cut_off() -> None:
    assert actions(value("plan: wait(1)\nsay: Ple", "length")) == ["wait(1)"]


@given(st.text(st.sampled_from("plan: say[];()'\"\n*`<think>\ud800é0"), max_size=60))
@example("plan: \ud800")
def test_no_text_breaks_the_reader(text: str) -> None:
    assert isinstance(reply(text), ScheduleAnswer | Unusable)


def test_what_is_written_is_read_again() -> None:
    written = write_lines("bob", {"analysis": "a\nb", "plan": ["x(1)", "y()"], "say": ""})
    assert written == "bob analysis: a b\nbob plan: x(1); y()\nbob say:"
    assert read_lines(written) == ({"analysis": "a b", "plan": "x(1); y()", "say": ""}, [], set())


def played(preset: str, rates: dict[str, float]) -> tuple[Trace, Any]:
    model = ScriptedModel(WORLDS, Faults(rates=rates, seed=1))
    team = TalkingTeam([model] * 2, ["bob", "alice"], PRESETS[preset], voice=VOICE)
    run = cookmas.play("collab-overcooked/level_1/03", team)
    return run.trace, run.verdict


def test_a_model_is_asked_for_lines_and_its_lines_are_carried_out() -> None:
    trace, verdict = played("collab-text", {})
    assert verdict.success
    first = next(trace.of(ModelCall))
    assert first.schema_name is None
    assert first.text.startswith("bob analysis: what leads on\nbob plan: ")
    system = first.messages[0].content
    assert "Answer with lines of text and nothing else" in system
    assert "bob plan: " in system
    objects, _ = played("collab", {})
    said = [[each.text for each in some.of(MessageRecord)] for some in (trace, objects)]
    assert said[0] == said[1] != []


def test_broken_lines_are_sent_back() -> None:
    _, verdict = played("collab-text", {"truncation": 0.2, "prose": 0.3, "illegal": 0.2})
    assert verdict.success
    assert verdict.summary["unusable_answers"] > 0
    assert verdict.summary["repairs"] > 0
