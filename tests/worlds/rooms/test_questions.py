"""How far one looks ahead for the best move: the fewest turns from which on it stays the same."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cookmas.solving.rooms.search import solve
from cookmas.world_names import domain_of
from cookmas.worlds.base.questions import Question
from cookmas.worlds.rooms.rules import AHEAD
from cookmas.worlds.rooms.world import RoomWorld
from tests.worlds.rooms.opened import CAPTURE, ESCAPE, opened, step


@pytest.mark.parametrize("name", [CAPTURE, ESCAPE])
def test_a_depth_is_the_fewest_turns_with_which_optimal_play_does_not_change(name: str) -> None:
    world, questioner, draw = opened(name), domain_of(name).questioner, Random(4)
    state, depths = world.start(), list[int]()
    for _ in range(6):
        if world.is_finished(state):
            state = world.start()
        one, two = (draw.choice(list(world.legal(state, seat))) for seat in world.workers)
        state = step(world, state, one, two)
        for question in questioner.ask(world, state, "alice", "planning", draw):
            solution, position = solve(world, state), world.position(state)
            best = list[set[str]]()
            for turns in range(1, AHEAD + 1):
                moves = solution.moves(position, turns)
                top = max(moves.values())
                best.append(
                    {world.texts_of(joint)["alice"] for joint, x in moves.items() if x == top}
                )
            alike = [all(each == best[-1] for each in best[turn:]) for turn in range(AHEAD)]
            assert question.margin == round(question.margin or 0, 9) > 0
            assert question.depth == 1 + alike.index(True)
            depths.append(question.depth)
    assert len(set(depths)) > 1
    assert min(depths) < AHEAD


def ask_distances(world: RoomWorld) -> list[Question]:
    """Return questions about distances from where alice begins, which are more than none."""
    asked = [
        question
        for seed in range(30)
        for question in domain_of(CAPTURE).questioner.ask(
            world, world.start(), "alice", "comprehension", Random(seed)
        )
        if question.about == "distance"
    ]
    assert asked
    return asked


def test_a_distance_is_asked_of_a_room_that_is_not_the_next_one() -> None:
    world = opened(CAPTURE)
    legal = world.legal(world.start(), "alice")
    near = {f"room {action[5:-1]}?" for action in legal if "move" in action}
    asked = [question.text for question in ask_distances(world)]
    assert not [text for text in asked if text.endswith(tuple(near))]


ROW = [[2], *([room - 1, room + 1] for room in range(2, 9)), [8]]
"""The ways of nine rooms, one behind the other."""


@pytest.mark.parametrize("changed", [{}, {"ways": ROW, "doors": []}], ids=["building", "row"])
def test_the_other_answers_about_a_distance_are_the_numbers_nearest_to_it(
    changed: dict[str, Any],
) -> None:
    world, rights = opened(CAPTURE, **changed), set[int]()
    for question in ask_distances(world):
        right = int(question.right[0])
        rights.add(right)
        rooms = range(1, len(world.ways))
        nearest = sorted((n for n in rooms if n != right), key=lambda n: (abs(n - right), str(n)))
        told = [int(option) for option in question.options if option.isdigit()]
        assert told == sorted([right, *nearest[:3]])
    assert len(rights) > 1
