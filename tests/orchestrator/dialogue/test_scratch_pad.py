"""The scratch pad, the guide, the deductions and the news: options of every world."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.conversation import Usage
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.answers import LONGEST_BELIEF, fit_pad
from cookmas.orchestrator.dialogue.blocks import add_told, find_news, parse_blocks, recall
from cookmas.orchestrator.dialogue.prompting import Prompting, Told
from cookmas.orchestrator.models.message import CallMeasurements, ModelAnswer, Request
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from cookmas.worlds.corridor.voice import VOICE

FORM = {"bob": {"1": "...", "2": "..."}, "plan": "..."}
PADS: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=300),
    lambda inner: st.dictionaries(st.sampled_from(["bob", "plan", "1", "x"]), inner),
)
ONE, TWO = WALKERS = ("walker_1", "walker_2")


@given(PADS)
def test_a_pad_has_the_form_and_no_long_text(written: Any) -> None:
    pad = fit_pad(written, FORM)
    assert set(pad) <= {"bob", "plan"}
    assert set(pad.get("bob", {})) <= {"1", "2"}
    assert all(pad.values())
    for text in (*pad.get("bob", {}).values(), pad.get("plan", "")):
        assert isinstance(text, str)
        assert len(text) <= LONGEST_BELIEF
    assert fit_pad(pad, FORM) == pad


class Writing:
    """A model that stays, and writes these things into its scratch pad, one at each call."""

    name = "writing"

    def __init__(self, *pads: Any) -> None:
        self.requests: list[Request] = []
        self._pads = list(pads)

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        self.requests.append(request)
        pad = self._pads[min(len(self.requests), len(self._pads)) - 1]
        text = json.dumps({"reasoning": "", "action": "stay", "plan": ["stay"], "scratch_pad": pad})
        usage = Usage(prompt=1, completion=1)
        return ModelAnswer(text=text, model=self.name, usage=usage), CallMeasurements(seconds=0.0)

    def given(self, number: int) -> Any:
        """Return the scratch pad in a request; None if it has none."""
        return parse_blocks(self.requests[number].messages[-1].content).get("SCRATCH_PAD")


def asked(model: Writing, ways: Prompting) -> Writing:
    idle = replace(ways, scratch_pad=False, guided=False)
    seats = {
        name: seat_of(
            SchedulingPlanner(
                model if name == ONE else Writing({}), ways if name == ONE else idle, voice=VOICE
            ),
            name,
            WALKERS,
        )
        for name in WALKERS
    }
    cookmas.play("corridor/two", team_of_seats(seats), max_stalled=5)
    return model


TOLD: tuple[Told, Told] = ("all", "news")
CHOICE = Prompting(form="choice", per_step=True, chain_of_thought=True, legal_actions=True, talk=0)


@pytest.mark.parametrize(
    "ways",
    [
        replace(CHOICE, scratch_pad=True),
        Prompting(form="plan", chain_of_thought=True, scratch_pad=True, talk=0),
    ],
)
def test_a_pad_is_given_back_until_there_is_another(ways: Prompting) -> None:
    model = asked(Writing({ONE: "a", TWO: "b", "me": "c"}, None, "none", {TWO: "d" * 500}), ways)
    assert [model.given(number) for number in range(5)] == [
        None,
        *[{ONE: "a", TWO: "b"}] * 3,
        {TWO: "d" * LONGEST_BELIEF},
    ]
    system = model.requests[0].messages[0].content
    assert "- SCRATCH_PAD, after the first call" in system
    assert f"at most {LONGEST_BELIEF} characters" in system
    assert f'"scratch_pad": {{"{ONE}": "...", "{TWO}": "..."}}' in system


def test_without_the_option_nothing_is_kept() -> None:
    model = asked(Writing({ONE: "a"}), CHOICE)
    assert model.given(1) is None
    assert "scratch" not in model.requests[0].messages[0].content.lower()


def test_the_guide_comes_with_the_reasoning() -> None:
    guide = "Go through these steps in `reasoning`:"
    for guided in (True, False):
        model = asked(Writing({}), replace(CHOICE, guided=guided))
        assert (guide in model.requests[0].messages[0].content) is guided


@pytest.mark.parametrize(
    ("ways", "option"),
    [
        ({"guided": True}, "guided: there is no reasoning"),
        ({"words": True, "deductions": False}, "words: words may have deductions"),
        ({"words": True, "told": "own"}, "words: words tell all of the state"),
        ({"form": "text", "scratch_pad": True}, "scratch_pad: lines of text have none"),
    ],
)
def test_options_that_do_not_go_together_are_refused(ways: dict[str, Any], option: str) -> None:
    with pytest.raises(InputError, match=option):
        Prompting(**ways)


def test_a_world_without_deductions_or_stations_says_so() -> None:
    with pytest.raises(InputError, match="this world shows no deductions; leave it out"):
        SchedulingPlanner(Writing({}), Prompting(deductions=False), voice=VOICE)
    with pytest.raises(InputError, match="this world has no stations; expected all or news"):
        SchedulingPlanner(Writing({}), Prompting(told="own"), voice=VOICE)


ENTRIES: Any = st.dictionaries(st.sampled_from("abc"), st.integers() | st.lists(st.integers()))
STATES: Any = st.fixed_dictionaries(
    {}, optional={"n": st.integers(), "list": st.lists(st.integers()), "x": ENTRIES, "y": ENTRIES}
)


@given(STATES, STATES)
def test_news_are_what_has_changed_and_no_more(before: Any, now: Any) -> None:
    def full(state: Any) -> Any:
        return {name: part for name, part in state.items() if part not in ({}, [], None)}

    news = find_news(before, now)
    assert full(add_told(before, news)) == full(now)
    assert find_news({}, now) == now
    assert find_news(now, now) == {}
    for name, part in news.items():
        assert part != before.get(name) or name not in before
        if name in ("x", "y") and name in before:
            assert all(before[name].get(entry) != told for entry, told in part.items())


@pytest.mark.parametrize("memory", [99, 0])
def test_news_and_the_memory_of_them_are_the_whole(memory: int) -> None:
    whole, news = (asked(Writing({}), replace(CHOICE, told=told, memory=memory)) for told in TOLD)
    for number, request in enumerate(news.requests):
        blocks = parse_blocks(request.messages[-1].content)
        state = parse_blocks(whole.requests[number].messages[-1].content)["STATE"]
        assert blocks["CALL"]["told"] == "news"
        if number == 0 or memory:
            assert recall(blocks, {})["STATE"] == state
        if number:
            assert blocks["STATE"].keys() < state.keys()
    assert news.requests[1:]
    for model, there in ((whole, False), (news, True)):
        text = model.requests[0].messages[0].content
        assert ("STATE has only what has changed since your last decision" in text) is there
