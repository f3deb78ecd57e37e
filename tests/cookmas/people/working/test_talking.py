"""People as agents of a team: they hear their partner, answer it, and are limited as models are."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.api import aresume
from cookmas.episodes.conversation import END
from cookmas.episodes.engine import EXHAUSTED
from cookmas.episodes.trace import ModelCall, PlanRecord, StepRecord, TriggerRecord
from cookmas.files.errors import InputError, NobodyThereError
from cookmas.forking import ForkRequest, create_fork
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.runs.folder import RunFolder
from cookmas.people.working.asked import MoveQuestion, TalkQuestion
from cookmas.people.working.talk import Talk, Utterance
from tests.cookmas.people.working.talking import (
    BOTH,
    PAIR,
    PEPPER,
    WAIT,
    Answer,
    Asked,
    made,
    said,
    talk,
    talk_until,
    trace_of,
    words,
)
from tests.modelserver.hosting import Hosted

BAKING = (
    "pickup(bell_pepper,counter)",
    "put_obj_in_utensil(oven0)",
    "bake(oven0)",
    "pickup(baked_bell_pepper,oven0)",
    "deliver()",
)


def following(*actions: str) -> Answer:
    """Return a person who says nothing, and does these actions as soon as they are legal."""
    left = list(actions)

    def answer(question: Asked) -> Any:
        if isinstance(question, TalkQuestion):
            return words("", end=True)
        if left and left[0] in question.asked["legal"]:
            return left.pop(0)
        return WAIT

    return answer


def saying(spoken: dict[int, Any], then: Answer) -> Answer:
    """Return a person who first says something at some timesteps, and else answers as `then`."""
    left = dict(spoken)

    def answer(question: Asked) -> Any:
        now = (
            question.timestep if isinstance(question, TalkQuestion) else question.asked["timestep"]
        )
        return left.pop(now) if question.talk and now in left else then(question)

    return answer


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = Hosted()
    yield server.url
    server.stop()


async def test_a_scripted_cook_does_what_a_person_asks_for_and_both_are_measured(
    tmp_path: Path,
) -> None:
    folder = made(tmp_path / "run", "bob=person,alice=obedient", "bob")
    asked = "Please: " + " and ".join(f"request('{action}')" for action in PEPPER)
    run = await talk(folder, bob=saying({0: words(asked, end=True)}, following(*BAKING)))
    assert run.success
    trace = trace_of(folder)
    assert said(trace) == [(0, "bob", f"{asked} {END}")]
    assert run.verdict
    values = {check.name: check.value for check in run.verdict.checks}
    assert values["initiating_capability"] == values["responding_capability"] == 1.0
    assert values["initiating_capability_of_dialogues"] == 1.0
    assert trace.header.people == ["bob"]
    assert trace.header.seats
    assert trace.header.seats["bob"].planner_class == "human"
    assert all(frame.equal for frame in cookmas.replay(trace))


async def test_a_person_may_write_an_action_that_is_not_listed_unless_it_is_refused(
    tmp_path: Path,
) -> None:
    short = {"gamma": "0.13"}
    folder = made(tmp_path / "run", "bob=person,alice=obedient", "bob", settings=short)
    refused: list[str] = []

    def bob(question: Asked) -> Any:
        assert isinstance(question, MoveQuestion)
        for written in ("wait(9)", "deliver()", "dance()", "", f"wait({'0' * 200}2)"):
            with pytest.raises(InputError) as error:
                question.check(written)
            refused.append(str(error.value))
        return "wait( 2 )"

    await talk(folder, bob=bob)
    steps = [dict(step.commands) for step in trace_of(folder).of(StepRecord)]
    assert [step.get("bob") for step in steps] == ["wait( 2 )", None]
    assert refused == [
        "answer: bob cannot wait(9): a wait has 1 to 5 timesteps.",
        "answer: bob cannot deliver(): the hand is empty.",
        "answer: bob cannot dance(): it is no action.",
        "answer: '' is not what bob can do now",
        f"answer: {'wait(' + '0' * 200 + '2)'!r:.80} is not what bob can do now",
    ]


async def test_a_person_answers_a_model_that_asks_and_the_model_is_told(
    url: str, tmp_path: Path
) -> None:
    options = ModelOptions(model="scripted", base_url=url)
    folder = made(tmp_path / "run", "bob=collab,alice=person", "alice", model=options)
    asked: list[Asked] = []
    do = following(*PEPPER)

    def alice(question: Asked) -> Any:
        asked.append(question)
        if question.talk and question.talk.addressed:
            return words("I do, <b>Bob</b>!", end=True)
        return do(question)

    run = await talk(folder, alice=alice)
    assert run.success
    trace = trace_of(folder)
    (_, first, request), (_, second, answer), *_ = said(trace)
    assert (first, second) == ("bob", "alice")
    assert all(f"request('{action}')" in request or action in request for action in PEPPER)
    assert answer == f"I do, <b>Bob</b>! {END}"
    prompts = [call.messages[-1].content for call in trace.of(ModelCall) if call.agent == "bob"]
    assert any("I do, \\u003cb>Bob" in prompt for prompt in prompts)
    assert not any("<b>" in prompt for prompt in prompts)
    assert run.verdict
    values = {check.name: check.value for check in run.verdict.checks}
    assert values["responding_capability"] == 1.0
    first_question = asked[0]
    assert isinstance(first_question, MoveQuestion)
    assert first_question.talk
    assert first_question.talk.addressed


async def test_who_is_in_the_middle_of_an_action_hears_and_answers(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", PAIR, *BOTH)
    heard: list[TalkQuestion] = []

    def alice(question: Asked) -> Any:
        if isinstance(question, TalkQuestion):
            heard.append(question)
            return words("On my way.")
        return PEPPER[0] if PEPPER[0] in question.asked["legal"] else WAIT

    stop = asyncio.Event()
    waits = following()

    def bob(question: Asked) -> Any:
        if isinstance(question, MoveQuestion) and question.asked["timestep"] == 3:
            stop.set()
            return None
        return waits(question)

    await talk_until(stop, folder, alice=alice, bob=saying({1: words("Well?")}, bob))
    assert [question.timestep for question in heard] == [1]
    assert said(trace_of(folder)) == [(1, "bob", "Well?"), (1, "alice", "On my way.")]


async def _stopped(folder: Path, timestep: int, **people: Answer) -> None:
    """Play until bob is asked what to do at a timestep."""
    stop = asyncio.Event()
    bob = people["bob"]

    def until(question: Asked) -> Any:
        if isinstance(question, MoveQuestion) and question.asked["timestep"] == timestep:
            stop.set()
            return None
        return bob(question)

    await talk_until(stop, folder, **{**people, "bob": until})


async def test_a_person_is_asked_at_each_move_and_hears_of_no_schedule_that_ran_out(
    tmp_path: Path,
) -> None:
    folder = made(tmp_path / "run", PAIR, *BOTH)
    await _stopped(folder, 3, bob=following(), alice=following())
    assert EXHAUSTED not in {each.trigger for each in trace_of(folder).of(TriggerRecord)}


async def test_a_person_speaks_as_often_as_a_model_may_and_then_decides(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", PAIR, *BOTH, asking=AskingOptions(talk=2))
    left: dict[str, list[int]] = {"bob": [], "alice": []}

    def chatting(name: str) -> Answer:
        def answer(question: Asked) -> Any:
            if question.talk is None:
                left[name].append(0)
                return WAIT
            left[name].append(question.talk.left)
            return words(f"{name} {question.talk.left}")

        return answer

    await _stopped(folder, 1, bob=chatting("bob"), alice=chatting("alice"))
    assert [text for _, _, text in said(trace_of(folder))] == [
        "bob 2",
        "alice 2",
        "bob 1",
        "alice 1",
    ]
    assert left == {"bob": [2, 1, 0], "alice": [2, 1, 0]}


async def test_the_talk_is_over_when_who_began_it_ends_it(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", PAIR, *BOTH)
    may_speak: list[bool] = []

    def alice(question: Asked) -> Any:
        may_speak.append(question.talk is not None)
        return WAIT

    ends = saying({0: words("Only this.", end=True)}, following())
    await _stopped(folder, 1, bob=ends, alice=alice)
    assert may_speak == [False]
    assert said(trace_of(folder)) == [(0, "bob", f"Only this. {END}")]


async def test_words_and_an_action_are_one_turn_and_may_be_changed_after_an_answer(
    tmp_path: Path,
) -> None:
    folder = made(tmp_path / "run", PAIR, *BOTH)
    chosen: list[str | None] = []

    def alice(question: Asked) -> Any:
        assert isinstance(question, MoveQuestion)
        chosen.append(question.chosen)
        if len(chosen) == 1:
            return words("Pepper?", action="pickup(apple,ingredient_dispenser)")
        return PEPPER[0]

    bob = following()
    answers = [words("Hello."), words("Yes, pepper.")]

    def first(question: Asked) -> Any:
        return answers.pop(0) if question.talk and answers else bob(question)

    await _stopped(folder, 1, bob=first, alice=alice)
    assert chosen == [None, "pickup(apple,ingredient_dispenser)"]
    trace = trace_of(folder)
    assert [text for _, _, text in said(trace)] == ["Hello.", "Pepper?", "Yes, pepper."]
    [step] = trace.of(StepRecord)
    assert dict(step.commands)["alice"] == PEPPER[0]


async def test_who_lets_the_time_pass_idles_and_says_nothing(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", "bob=person,alice=obedient", "bob", limit=3.0)
    asked: list[float | None] = []
    heard: list[float] = []
    thinks = 0.5

    def bob(question: Asked) -> Any:
        asked.append(question.until)
        heard.append(time.monotonic())
        if len(asked) == 1:
            time.sleep(thinks)
            return words("I begin, ")
        return None if len(asked) == 2 else WAIT

    await _stopped(folder, 2, bob=bob, alice=following())
    trace = trace_of(folder)
    assert said(trace) == [(0, "bob", "I begin,")]
    assert next(dict(step.commands)["bob"] for step in trace.of(StepRecord)) == WAIT
    plans = [plan.reasoning for plan in trace.of(PlanRecord) if plan.agent == "bob"]
    assert plans[0] == "the person did not answer within 3 s"
    assert not any(step.fails for step in trace.of(StepRecord))
    assert asked[0] is not None
    assert asked[1] is not None
    together = "the time of a timestep is for all turns together"
    assert asked[1] - asked[0] < heard[1] - heard[0] - 0.9 * thinks, together


async def test_who_has_no_time_left_is_not_asked_again_at_this_timestep(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", PAIR, *BOTH, limit=2.0)
    asked: list[int] = []

    def bob(question: Asked) -> Any:
        assert isinstance(question, MoveQuestion)
        asked.append(question.asked["timestep"])

    both = asyncio.Event()

    def alice(question: Asked) -> Any:
        if question.talk and len(asked) == 1:
            return words("Are you there?", action=WAIT)
        if len(asked) == 2:
            both.set()
        return WAIT

    await talk_until(both, folder, bob=bob, alice=alice)
    assert asked == [0, 1]
    assert said(trace_of(folder)) == [(0, "alice", "Are you there?")]


async def test_a_kill_in_the_middle_of_a_talk_asks_the_same_question_again(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", PAIR, *BOTH)
    seen: list[MoveQuestion] = []
    answers = [words("One."), None, None]

    def bob(question: Asked) -> Any:
        assert isinstance(question, MoveQuestion)
        seen.append(question)
        if len(seen) > 1:
            stop.set()
        return answers[len(seen) - 1]

    def alice(question: Asked) -> Any:
        return words("Two.", action=PEPPER[0])

    for _ in range(2):
        stop = asyncio.Event()
        await talk_until(stop, folder, bob=bob, alice=alice)
    assert seen[1].talk == seen[2].talk
    assert seen[2].talk
    assert (seen[2].talk.addressed, seen[2].talk.left) == (True, 3)
    assert seen[2].talk.decided == {"alice": [PEPPER[0]]}
    assert [text for _, _, text in said(trace_of(folder))] == ["One.", "Two."]


async def test_a_killed_talk_goes_on_and_a_fork_keeps_what_was_said(tmp_path: Path) -> None:
    alice = following(*PEPPER)
    bob = saying({0: words("One."), 1: words("Two.", end=True)}, following(*BAKING))
    folder = made(tmp_path / "run", PAIR, *BOTH)
    await _stopped(folder, 2, bob=bob, alice=alice)
    with pytest.raises(NobodyThereError, match="seat 'bob', which belongs to a person"):
        await aresume(folder)
    run = await talk(folder, bob=following(*BAKING), alice=following(PEPPER[1]))
    assert run.success
    once = said(trace_of(folder))
    assert once == [(0, "bob", "One."), (1, "bob", f"Two. {END}")]
    assert all(frame.equal for frame in cookmas.replay(run.trace))
    fork = create_fork(RunFolder(folder), ForkRequest(at=1))
    forked = await talk(fork, bob=following(*BAKING), alice=following(PEPPER[1]))
    assert said(forked.trace) == once[:1]
    assert forked.success


async def test_where_talk_is_forbidden_people_decide_at_the_same_time(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", PAIR, *BOTH, asking=AskingOptions(talk=0))
    asked: dict[str, Asked] = {}
    both = asyncio.Event()

    def silent(question: Asked) -> Any:
        assert isinstance(question, MoveQuestion)
        asked[question.asked["worker"]] = question
        if len(asked) == 2:
            both.set()
        return None

    await talk_until(both, folder, bob=silent, alice=silent)
    assert {question.talk for question in asked.values()} == {None}
    assert all(plan.schedule[0][0].action == WAIT for plan in trace_of(folder).of(PlanRecord))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (words("x" * 1501), "expected words of at most 1500 characters"),
        (words("\ud800"), "expected whole characters, not a lone surrogate"),
        ({"say": "x"}, "expected words, and whether they end the talk"),
        ({"say": 1, "end": False}, "expected words, and whether they end the talk"),
        (words("x", action="fly()"), "bob cannot fly(): it is no action"),
        ("fly()", "bob cannot fly(): it is no action"),
    ],
)
async def test_what_is_no_answer_is_refused(answer: Any, why: str, tmp_path: Path) -> None:
    folder = made(tmp_path / "run", "bob=person,alice=obedient", "bob")
    with pytest.raises(InputError) as refused:
        await talk(folder, bob=lambda _: answer)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("answer", "understood"),
    [
        (words(" Bye. [END] "), Utterance("Bye.", ends=True)),
        (words("[NOTHING]"), Utterance("", ends=False)),
        (words("", end=True), Utterance("", ends=True)),
    ],
)
def test_people_may_write_the_marks_of_models(
    answer: dict[str, Any], understood: Utterance
) -> None:
    assert Talk(addressed=False, left=1).check(answer) == understood
