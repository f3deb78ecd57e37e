"""Choices as models write them: in brackets, marks and any case, and what is no choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.trace import ModelCall, StepRecord, Trace
from cookmas.orchestrator.dialogue.choices import Offer
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.worlds.questions.voice import VOICE
from tests.orchestrator.dialogue.test_plans import Prepared

WHO = "answerer"
OPTIONS = ["stay", "move(2)", "3", "clue(bob, 2)", "-1", "1", "it cannot", "0.5", "5"]
LETTERS = "ABCDEFGHI"
LETTERED, WRITTEN = (Offer({WHO: OPTIONS}, lettered=lettered) for lettered in (True, False))


def read(text: str, offer: Offer = LETTERED) -> str | None:
    return offer.read_asked(text) or offer.read_marked(text)


@pytest.mark.parametrize(
    "said",
    [
        *("(B)", "**b**", "B.", '"B"', "Option B", "answer: b", "[B]", "<B>", "{B}", "#B", " b) "),
        *("\\boxed{B}", "\x08oxed{B}", "$\\boxed{\\text{b}}$", "\text{B}", "\\(B\\)"),
        *("<answer>B</answer>", "<b>B</b>", "\uff22", "\u3010B\u3011", "\uff08B\uff09", "\u24b7"),
        *("The correct answer is (B).", "Final answer: Option **B**", "My choice: B!"),
        *(
            "B) move(2)",
            "(B) Move( 2 ).",
            "move(2) (B)",
            "B - move(2)",
            "B\u2014move(2)",
            "B:move(2)",
        ),
        *("`MOVE(2)`", "\u201cmove(2)\u201d", "move(2).", "Option B: move(2)", "move (2"),
    ],
)
def test_a_letter_or_an_option_is_read_in_usual_marks(said: str) -> None:
    assert LETTERED.read_asked(said) is None
    assert LETTERED.read_marked(said) == "move(2)"


@pytest.mark.parametrize(
    "said",
    [
        *("", "**", "option", "J", "AB", "B?", "!B", "not B", "B because it is near", "jump"),
        *("A or B", "A, B", "[A, B]", "A/B", "B) stay", "stay (B)", "stay or move(2)", "B A"),
        *("-3", ".3", "- 1", "F) -1", "F -1", "+1", "55", "0.55", "move(22)", "move(-2)"),
    ],
)
def test_what_can_mean_no_option_or_several_is_no_choice(said: str) -> None:
    assert read(said) is None


@pytest.mark.parametrize(
    ("said", "meant"),
    [("-1", "-1"), ("E) -1", "-1"), ("(-1)", "-1"), ("F. 1", "1"), ("1.", "1"), ("0.5.", "0.5")],
)
def test_a_mark_of_a_number_is_part_of_it(said: str, meant: str) -> None:
    assert read(said) == meant


@pytest.mark.parametrize("said", ["B", "b.", "B) move(2)", "Option A"])
def test_without_letters_a_letter_means_nothing(said: str) -> None:
    assert read(said, WRITTEN) is None
    assert read("**Move(2)**", WRITTEN) == "move(2)"
    assert read(" move(2) ", WRITTEN) == "move(2)"


def test_a_letter_that_is_also_an_option_is_read_only_as_it_is_asked_for() -> None:
    crossed = Offer({WHO: ["B", "A", "b"]}, lettered=True)
    assert [crossed.read_asked(letter) for letter in "ABC"] == ["B", "A", "b"]
    assert crossed.read_marked("(B)") is None
    assert crossed.read_marked("A, B") is None
    assert Offer({WHO: ["wait", "Wait"]}).read_marked("WAIT.") is None


def test_a_text_without_end_is_no_choice() -> None:
    assert read("<b>" * 100_000 + "B") is None
    assert read("*" * 1000 + "B" + "*" * 1000) is None
    assert read("*" * 1000 + "B") == "move(2)"


AROUND = [
    *(("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"), ("**", "**"), ("*", "*"), ("`", "`")),
    *(('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\\boxed{", "}"), ("$", "$"), ("", ".")),
    *(("", ")"), ("", ":"), ("", "!"), (" ", "\n"), ("Answer: ", ""), ("The answer is ", ".")),
    *(("Option ", ""), ("### ", ""), ("", "\n")),
]
MARKS = st.lists(st.sampled_from(AROUND), max_size=4)
PLACES = st.integers(0, len(OPTIONS) - 1)
JOINTS = st.sampled_from([") ", ". ", ": ", " - ", " \u2013 ", " ", ".\n"])


def mark(text: str, marks: list[tuple[str, str]]) -> str:
    for before, after in marks:
        text = f"{before}{text}{after}"
    return text


@given(PLACES, MARKS, st.sampled_from([str.lower, str.upper, str.title]), JOINTS)
def test_an_option_is_read_in_any_nest_of_marks(
    place: int, marks: list[tuple[str, str]], case: Any, joint: str
) -> None:
    letter, option = LETTERS[place], OPTIONS[place]
    for text in (letter, option, f"{letter}{joint}{option}"):
        assert read(mark(case(text), marks)) == option


@given(PLACES, PLACES, MARKS, MARKS, JOINTS)
def test_two_different_options_are_no_choice(
    one: int, other: int, marks: list[tuple[str, str]], further: list[tuple[str, str]], joint: str
) -> None:
    assume(one != other)
    for second in (LETTERS[other], OPTIONS[other]):
        assert read(f"{mark(LETTERS[one], marks)}{joint}{mark(second, further)}") is None


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Trace]:
    """Return a function that asks one question of a model with prepared choices."""

    def play(*chosen: Any, ways: Prompting | None = None) -> Trace:
        model = Prepared(*({"actions": {WHO: each}} for each in chosen))
        planner = SchedulingPlanner(model, ways, voice=VOICE)
        return cookmas.play(QUESTION, planner).trace

    return play


QUESTION = "questions/small/collab-capture-comprehension-001"
"""A question whose options are 1, 2, 3, 4 and "it cannot"."""


def answered(trace: Trace) -> tuple[str, list[tuple[str, ...]], list[str | None]]:
    calls = list(trace.of(ModelCall))
    done = [dict(step.commands)[WHO] for step in trace.of(StepRecord)]
    return done[-1], [call.lenient for call in calls], [call.unusable for call in calls]


@pytest.mark.parametrize(
    ("chosen", "kinds"),
    [
        ("C", ()),
        ("3", ()),
        ("**(c)**", ("choice_marks",)),
        ("Option C: 3", ("choice_marks",)),
        (3, ("text_as_data",)),
        (["C"], ("text_as_data",)),
    ],
)
def test_a_choice_is_taken_and_its_leniency_recorded(
    ask: Callable[..., Trace], chosen: Any, kinds: tuple[str, ...]
) -> None:
    assert answered(ask(chosen)) == ("3", [kinds], [None])


@pytest.mark.parametrize("chosen", ["C or D", "C) 4", ["C", "D"], 7, True])
def test_doubt_is_told_to_the_model(ask: Callable[..., Trace], chosen: Any) -> None:
    trace = ask(chosen, "D")
    done, _, unusable = answered(trace)
    assert (done, unusable) == ("4", ["outside_schema", None])
    told = [*trace.of(ModelCall)][1].messages[-1].content
    assert "(A to E)" in told or "should be" in told


def test_marks_are_sent_back_if_answers_are_read_strictly(ask: Callable[..., Trace]) -> None:
    strict = replace(VOICE.default_prompting, answers="strict")
    assert answered(ask("(C)", "C", ways=strict)) == ("3", [(), ()], ["outside_schema", None])
