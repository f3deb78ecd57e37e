"""What holds for the questions of all worlds, and their keys beside a second computation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random

import pytest

import benchmarks.questions.beside
from benchmarks.questions.again import compute_again
from benchmarks.questions.beside import ask_drawn, main
from cookmas.commands.ask import PLACES
from cookmas.studies.questions import making
from cookmas.studies.questions.making import PlayedState, make_questions, play_states
from cookmas.world_names import domain_of
from cookmas.worlds.base.question_suite import MOST_OPTIONS
from cookmas.worlds.base.questions import VIEW, Kind, Question, Questioner
from tests.sampling import CONFORMANCE

WORLDS = {
    **{place.partition("/")[0]: place for place in PLACES},
    "robotouille": f"robotouille/two-robots/{4 if CONFORMANCE else 3}",
}
"""A place of each world that has questions of its own."""

SEARCHED = ("overcooked", "hanabi", "robotouille")
"""The worlds whose planning takes seconds."""

STATES = 6 if CONFORMANCE else 3


@cache
def drawn_states(name: str) -> Sequence[PlayedState]:
    return Random(2).sample(list(play_states(WORLDS[name], 5)), STATES)


def questioner_of(name: str) -> Questioner:
    return domain_of(name).questioner


def kinds_of(name: str) -> list[Kind]:
    return [x for x in questioner_of(name).kinds if x != "planning" or name not in SEARCHED]


@cache
def ask_everything(name: str) -> list[tuple[PlayedState, Question]]:
    return [
        (played, question)
        for played in drawn_states(name)
        for seat in played.world.workers
        for kind in kinds_of(name)
        for question in questioner_of(name).ask_all(
            played.world, played.world.observe(played.state, seat), seat, kind, Random(3)
        )
    ]


@pytest.mark.parametrize("name", WORLDS)
def test_options_are_never_doubled_and_some_but_not_all_are_right(name: str) -> None:
    found = ask_everything(name)
    assert {question.kind for _, question in found} == set(kinds_of(name))
    for _, question in found:
        assert len(set(question.options)) == len(question.options)
        assert set() < set(question.right) < set(question.options)
        assert len(set(question.right)) == len(question.right)
        assert question.proof.keys() == set(question.options)
        assert question.depth >= 1


@pytest.mark.parametrize("name", WORLDS)
def test_actions_among_the_options_are_legal_and_both_forms_have_all_right_ones(name: str) -> None:
    for played, question in ask_everything(name):
        if not question.actions or len(question.options) > MOST_OPTIONS:
            continue
        world = played.world
        assert any(
            set(question.options) <= set(world.legal(world.observe(played.state, x), x))
            for x in world.workers
        )
        every = questioner_of(name).list_actions(
            world, world.observe(played.state, world.workers[0])
        )
        options = making._list_options(question, every, Random(1))
        assert len(set(options)) == len(options) <= MOST_OPTIONS
        assert set(question.options) <= set(options) <= {*every, *question.options}
        assert making._list_options(question, (), Random(1)) == sorted(question.options)
        if len({*every, *question.options}) >= MOST_OPTIONS:
            assert len(options) == MOST_OPTIONS
        else:
            assert set(options) == {*every, *question.options}


@pytest.mark.parametrize("name", WORLDS)
def test_states_that_a_seat_cannot_tell_apart_have_the_same_questions(name: str) -> None:
    questioner = questioner_of(name)
    for number, played in enumerate(drawn_states(name)):
        world = played.world
        for seat in world.workers:
            alike = world.draw_alike(played.state, seat, number)
            for kind in kinds_of(name):
                first, again = (
                    list(questioner.ask_all(world, world.observe(x, seat), seat, kind, Random(3)))
                    for x in (played.state, alike)
                )
                assert first == again


@pytest.mark.parametrize("name", WORLDS)
def test_every_world_of_several_seats_asks_from_another_seats_view(name: str) -> None:
    about = Counter(x.about for _, x in ask_everything(name) if x.kind == "mind")
    assert any(word.startswith(VIEW) for word in about)


def test_keys_agree_with_a_second_computation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the tests without the worlds whose keys need a search, which are in conformance."""
    left_out = SEARCHED if not CONFORMANCE else ("robotouille",)
    places = [place for name, place in WORLDS.items() if name not in left_out]
    monkeypatch.setattr(benchmarks.questions.beside, "STATES", len(places))
    monkeypatch.setattr(benchmarks.questions.beside, "PLACES", places)
    monkeypatch.setattr(benchmarks.questions.beside, "list_small_worlds", list)
    main()
    *_, last = capsys.readouterr().out.strip().splitlines()
    asked, tried, agree = map(int, last.split()[1:])
    assert asked >= tried == agree > 5


def test_the_second_computation_finds_a_wrong_key() -> None:
    world, seen, seat, question = next(
        each for each in ask_drawn([WORLDS["collab-overcooked"]], 4, 1) if each[3].about == "legal"
    )
    wrong = [x for x in question.options if x not in question.right]
    assert compute_again(world, seen, seat, question) == set(question.right) != set(wrong)


def test_a_place_has_only_the_kinds_of_its_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questioner_of("cuisineworld"), "kinds", ("comprehension", "mind"))
    places = ["cuisineworld/level_2", "collab-overcooked/level_1/01"]
    lines = list(make_questions(places, 12, 3))
    assert Counter(x.kind for x in lines) == {"comprehension": 4, "mind": 4, "planning": 4}
    assert {x.of for x in lines if x.kind == "planning"} == {"collab-overcooked"}
    assert all(one.kind != two.kind for one, two in pairwise(lines))
