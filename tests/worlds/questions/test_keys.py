"""The keys of questions about rooms and cards, beside a second computation by the rules alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from benchmarks.questions.again import compute_again
from cookmas.episodes.world import Command
from cookmas.world_names import domain_of
from cookmas.worlds.base.question_suite import QUESTIONS, read_suite
from cookmas.worlds.base.questions import KINDS, Kind, Question
from cookmas.worlds.questions.domain import DOMAIN
from tests.sampling import CONFORMANCE

CAPTURE, ESCAPE = "collab-capture/building", "collab-escape/building"


def played(place: str, seed: int) -> Iterator[tuple[Any, Any]]:
    """Yield a world and the states of a play with drawn actions, with clues where they can be."""
    world_name, _, name = place.partition("/")
    scenario: Any = domain_of(world_name).scenario(name, {})
    scenario = scenario.redraw(seed) if scenario.drawn else scenario
    world, draw = scenario.world(), Random(seed)
    state = world.start()
    for _, event in scenario.events():
        state, _ = world.apply(state, event)
    while world.ending(state) is None and not world.is_finished(state):
        yield world, state
        legal = {name: list(world.legal(state, name)) for name in world.movers(state)}
        clues = {name: [x for x in each if x.startswith("clue(")] for name, each in legal.items()}
        commands = [Command(x, draw.choice(clues[x] or each)) for x, each in legal.items()]
        state, _, _ = world.step(state, commands)


def ask(world: Any, state: Any, seat: str, kind: Kind) -> list[Question]:
    questioner, observed = domain_of(world.name).questioner, world.observe(state, seat)
    return list(questioner.ask(world, observed, seat, kind, Random(3)))


def try_again(place: str, kind: Kind, about: str) -> Iterator[tuple[Question, set[str]]]:
    """Yield questions about a word in some plays, with their keys by the second computation."""
    for seed in range(8):
        for world, state in islice(played(place, seed), 60):
            for seat in world.workers:
                for question in ask(world, state, seat, kind):
                    if question.about == about:
                        again = compute_again(world, world.observe(state, seat), seat, question)
                        assert again is not None
                        yield question, again


@pytest.mark.parametrize(
    ("place", "kind", "about", "most"),
    [
        (CAPTURE, "comprehension", "distance", 60),
        (ESCAPE, "comprehension", "distance", 60),
        (CAPTURE, "comprehension", "thief", 60),
        (ESCAPE, "comprehension", "killer", 15),
        (CAPTURE, "mind", "optimal partner", 4),
        (CAPTURE, "planning", "best move", 4),
        ("hanabi/two", "comprehension", "own card", 20),
        ("hanabi/two", "comprehension", "touched", 20),
        ("hanabi/two", "mind", "safe play", 5),
        ("hanabi/small", "mind", "safe play", 5),
        ("hanabi/two", "mind", "meaning of a clue", 4),
    ],
)
def test_a_key_is_what_the_rules_say(place: str, kind: Kind, about: str, most: int) -> None:
    found = list(islice(try_again(place, kind, about), most))
    assert len(found) == most
    for question, again in found:
        assert set(question.right) == again, question.text


@pytest.mark.parametrize("kind", ["comprehension", "mind"])
@pytest.mark.parametrize("name", ["two", "three"])
def test_tables_that_a_seat_cannot_tell_apart_have_the_same_questions(
    name: str, kind: Kind
) -> None:
    some = 0
    for world, state in played(f"hanabi/{name}", 5):
        for seat in world.workers:
            found = ask(world, state, seat, kind)
            assert found == ask(world, world.draw_alike(state, seat, 11), seat, kind)
            some += len(found)
    assert some >= 20


def test_the_meaning_is_asked_of_no_clue_that_may_save_a_card() -> None:
    """A save clue touches the oldest card that no clue had touched; it asks for no play."""
    asked = saves = 0
    for seed, name in product(range(6), ["two", "three"]):
        before: Any = None
        for world, state in played(f"hanabi/{name}", seed):
            last = state["recent"][-1]["action"] if state["recent"] else ""
            if last.startswith("clue("):
                seat = last.removeprefix("clue(").partition(",")[0]
                cards = [(entry["card"][0], entry["card"][1]) for entry in before["hands"][seat]]
                told = world.move_of(last).value
                touched = [slot for slot, card in enumerate(cards) if told in card]
                clued = [x["colour_told"] or x["rank_told"] for x in before["hands"][seat]]
                chop = clued.index(False) if False in clued else None
                found = [x for x in ask(world, state, seat, "mind") if x.about.startswith("mean")]
                assert not (found and chop in touched)
                assert all(x.right == [f"slot {touched[-1] + 1}"] for x in found)
                asked += len(found)
                saves += chop in touched and len(touched) > 1
            before = state
    assert asked > 3
    assert saves > 3


def test_the_keys_of_a_shipped_suite_are_computed_again() -> None:
    for path in DOMAIN.folder.glob("*.jsonl"):
        suite = read_suite(path)
        if suite.head.version != QUESTIONS:
            continue
        lines = suite.questions.values()
        searched = ("overcooked", "hanabi", "robotouille")
        quick = [x for x in lines if x.kind != "planning" or x.of not in searched]
        some = Random(1).sample(quick, 40 if CONFORMANCE else 12)
        assert all(DOMAIN.find_fault(line) is None for line in some)
        assert {line.kind for line in lines} == set(KINDS)
