"""The keys of questions about Robotouille, beside what waiting and the facts show."""

from __future__ import annotations

from functools import cache
from random import Random

import cookmas
from cookmas.episodes.replay import Frame
from cookmas.episodes.world import Command
from cookmas.replaying import replay
from cookmas.world_names import domain_of
from cookmas.worlds.base.questions import Kind, Question
from cookmas.worlds.robotouille.rules.engine import FactState, GroundTimer
from cookmas.worlds.robotouille.world import RobotouilleWorld


def ask(world: RobotouilleWorld, state: FactState, about: str, seed: int = 0) -> list[Question]:
    kind: Kind = "comprehension"
    asked = domain_of("robotouille").questioner.ask(world, state, "robot1", kind, Random(seed))
    return [question for question in asked if question.about == about]


@cache
def frames() -> list[Frame]:
    """Return the timesteps of an episode in which food is cut and cooked."""
    return list(replay(cookmas.play("robotouille/two-robots/4", "embedded").trace))


def test_a_timer_has_to_count_as_often_as_it_does_until_it_ends() -> None:
    asked = 0
    for frame in frames():
        world, state = frame.world, frame.before
        for question in ask(world, state, "ready"):
            about = question.text.partition(":")[0]
            (left,) = question.right
            now, waited = state, 0
            while any(timer.about == about for timer in list_timers(world, now)):
                now, _, _ = world.step(now, [Command(x, world.idle) for x in world.workers])
                waited += 1
                assert waited < 20
            assert waited == int(left) == question.depth
            assert left in question.options
            asked += 1
    assert asked > 2


def list_timers(world: RobotouilleWorld, state: FactState) -> list[GroundTimer]:
    return [world.engine.timer(running.key) for running in state.timers]


def test_of_what_an_action_needs_one_thing_that_is_not_so_is_among_others_that_are() -> None:
    asked = [
        (frame, question)
        for seed, frame in enumerate(frames())
        for question in ask(frame.world, frame.before, "blocked", seed)
    ]
    assert len(asked) > 2
    for frame, question in asked:
        true = set(frame.world.dump(frame.before)["true"])
        assert len(question.right) == 1
        assert len(question.options) >= 3
        changing = [
            x for x in question.options if x.partition("(")[0] in frame.world.domain.changing
        ]
        assert {x for x in changing if x not in true} == set(question.right).intersection(changing)
