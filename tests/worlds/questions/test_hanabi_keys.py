"""The questions about Hanabi: the same for tables that a seat cannot tell apart, and true."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from cookmas.episodes.world import Command
from cookmas.world_names import domain_of
from cookmas.worlds.base.questions import Kind, Question

DOMAIN = domain_of("hanabi")


def played(name: str, seed: int) -> Iterator[tuple[Any, Any]]:
    """Yield the world and the tables of a game in which players without a card to play clue."""
    scenario: Any = DOMAIN.scenario(name, {})
    world, draw = scenario.world(), Random(seed)
    state, _ = world.apply(world.start(), {"kind": "begin", "seed": seed})
    while world.ending(state) is None:
        yield world, state
        (player,) = world.movers(state)
        legal = list(world.legal(state, player))
        clues = [action for action in legal if action.startswith("clue(")]
        state, _, _ = world.step(state, [Command(player, draw.choice(clues or legal))])


def ask(world: Any, state: Any, seat: str, kind: Kind) -> list[Question]:
    return list(DOMAIN.questioner.ask(world, world.observe(state, seat), seat, kind, Random(3)))


@pytest.mark.parametrize("kind", ["comprehension", "mind"])
@pytest.mark.parametrize("name", ["two", "three"])
def test_tables_that_a_seat_cannot_tell_apart_have_the_same_questions(
    name: str, kind: Kind
) -> None:
    some = 0
    for world, state in played(name, 5):
        for seat in world.workers:
            found = ask(world, state, seat, kind)
            assert found == ask(world, world.draw_alike(state, seat, 11), seat, kind)
            some += len(found)
    assert some >= 20


def test_an_own_card_can_be_what_is_asked_and_none_of_the_others() -> None:
    for world, state in played("two", 6):
        for seat in world.workers:
            alike = [world.draw_alike(state, seat, seed) for seed in range(40)]
            for question in ask(world, state, seat, "comprehension"):
                if question.about == "own card":
                    slot = int(question.text.split("slot ")[1].split()[0]) - 1
                    seen = {table["hands"][seat][slot]["card"] for table in alike}
                    assert seen.isdisjoint(set(question.options) - set(question.right))


def test_the_meaning_is_asked_of_no_clue_that_may_save_a_card() -> None:
    """A save clue touches the oldest card that no clue had touched; it asks for no play."""
    asked = saves = 0
    for seed, name in product(range(6), ["two", "three"]):
        before: Any = None
        for world, state in played(name, seed):
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


def test_a_clue_touches_what_the_engine_marks() -> None:
    for world, state in played("two", 7):
        (player,) = world.movers(state)
        for question in ask(world, state, player, "comprehension"):
            action = question.text.removeprefix("Which slots does ").removesuffix(" touch?")
            if question.about != "touched" or action not in world.legal(state, player):
                continue
            after, _, _ = world.step(state, [Command(player, action)])
            value = world.move_of(action).value
            other = action.removeprefix("clue(").partition(",")[0]
            touched = [
                str(slot)
                for slot, card in enumerate(after["hands"][other], start=1)
                if value in (card["card"][0], card["card"][1:])
            ]
            assert question.right == [" and ".join(touched)]


def test_a_safe_play_is_safe_whatever_the_deal() -> None:
    """The giver does not know its own hand, and the partner does not know its own either."""
    some = 0
    for seed, (name, at) in product(range(6), [("two", "alice"), ("small", "bob")]):
        for world, state in played(name, seed):
            if world.movers(state) != [at]:
                continue
            for question in ask(world, state, at, "mind"):
                if question.about != "safe play":
                    continue
                some += 1
                for clue in question.options:
                    after, _, _ = world.step(state, [Command(at, clue)])
                    partner = clue.removeprefix("clue(").partition(",")[0]
                    if clue in question.right:
                        assert _plays_surely(world, after, partner)
    assert some > 5


def _plays_surely(world: Any, state: Any, player: str) -> bool:
    """Return whether some card of a player is playable in many deals that it cannot tell apart."""
    alike = [world.draw_alike(state, player, seed) for seed in range(30)]
    return any(
        all(
            int(card[1:]) == table["fireworks"][card[0]] + 1
            for table in alike
            for card in [table["hands"][player][slot]["card"]]
        )
        for slot in range(len(state["hands"][player]))
    )
