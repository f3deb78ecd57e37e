"""Which move meets the killer, as the steps of the world show it."""

from __future__ import annotations

from random import Random

import pytest

from cookmas.world_names import domain_of
from tests.worlds.rooms.opened import ESCAPE, opened, step


@pytest.mark.parametrize(("room", "asked"), [(1, 1), (3, 1), (9, 0)])
def test_a_move_meets_the_killer_that_leads_to_where_it_goes(room: int, asked: int) -> None:
    """The killer follows bob to room 2, which is beside the rooms 1 and 3."""
    world = opened(ESCAPE)
    state = {**world.start(), "players": {"alice": room, "bob": 2}, "follows": "bob"}
    questions = [
        question
        for question in domain_of(ESCAPE).questioner.ask(
            world, state, "alice", "comprehension", Random(1)
        )
        if question.about == "killer"
    ]
    assert len(questions) == asked
    for question in questions:
        after = {act: step(world, state, act, "stay") for act in question.options}
        assert set(question.options) == set(world.legal(state, "alice"))
        assert set(question.right) == {
            act for act, then in after.items() if then["players"]["alice"] == then["killer"]
        }
