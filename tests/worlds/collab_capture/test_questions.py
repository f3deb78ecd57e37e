"""Where the thief goes, as a step of the world shows it."""

from __future__ import annotations

from random import Random

from cookmas.world_names import domain_of
from tests.worlds.rooms.opened import CAPTURE, opened, step


def test_the_thief_goes_where_a_step_in_which_both_stay_leads_it() -> None:
    world, draw = opened(CAPTURE), Random(2)
    state, found = world.start(), set[str]()
    for _ in range(8):
        (question,) = (
            question
            for question in domain_of(CAPTURE).questioner.ask(
                world, state, "alice", "comprehension", draw
            )
            if question.about == "thief"
        )
        goal = str(step(world, state, "stay", "stay")["thief"])
        assert question.right == [goal]
        assert goal in question.options
        found.add(goal)
        one, two = (draw.choice(list(world.legal(state, seat))) for seat in world.workers)
        state = step(world, state, one, two)
        if world.is_finished(state):
            state = world.start()
    assert len(found) > 1
