"""Questions about Robotouille: what is legal, what stands in the way, and the best action."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cookmas.worlds.base.questions import (
    DISTRACTORS,
    GUESSES,
    KINDS,
    Kind,
    Question,
    Questioner,
    ask_earliest,
    ask_fact,
)
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.rules.literals import Literal
from cookmas.worlds.robotouille.world import RobotouilleWorld
from cookmas.worlds.shipped import solved

SEARCHED = 2000
"""Greatest number of states that are searched for the best action."""

_BEST = (
    "Which action had {seat} best do now, so that the goal is reached earliest, if both robots do "
    "their best?"
)


class RobotouilleQuestioner(Questioner):
    """The questions of Robotouille; those about the best action need two robots.

    None is about what a robot does, because its planner is no policy that words can state.
    """

    kinds = KINDS
    players = ("embedded", "embedded", "random")

    def ask(
        self,
        world: RobotouilleWorld,
        observed: FactState,
        seat: str,
        kind: Kind,
        draw: Random,
    ) -> Iterator[Question]:
        """Yield the questions about a state before the goal is reached."""
        if world.goal.is_reached(observed.true):
            return
        if kind == "comprehension":
            yield from super().ask(world, observed, seat, kind, draw)
            yield from self._ask_blocked(world, observed, seat, draw)
            yield from self._ask_timers(world, observed)
        elif kind == "planning":
            yield from self._ask_best(world, observed, seat)

    def _ask_blocked(
        self, world: RobotouilleWorld, state: FactState, seat: str, draw: Random
    ) -> Iterator[Question]:
        """Yield something that an action lacks which is not possible, beside what it has."""
        legal = set(world.legal(state, seat))
        refused = [text for text in world.every_action() or () if text not in legal]
        if not refused:
            return
        text = draw.choice(refused)
        needs = list_needs(world, seat, text)
        lacks = [need for need in needs if not holds(world, state, need)]
        has = [str(need) for need in needs if need not in lacks]
        if lacks and len(has) >= GUESSES - 1:
            lack = str(draw.choice(lacks))
            options = sorted([lack, *has[:DISTRACTORS]])
            yield Question(
                kind="comprehension",
                about="blocked",
                text=f"What of this does the action {text} of {seat} need that is not so now?",
                options=options,
                right=[lack],
                proof={x: "is so now" if x in has else "is not so now" for x in options},
            )

    def _ask_timers(self, world: RobotouilleWorld, state: FactState) -> Iterator[Question]:
        """Yield how much longer a timer counts that nothing interrupts."""
        for running in state.timers:
            timer = world.engine.timer(running.key)
            left = timer.length - running.counted
            if timer.counts_actions or timer.length < GUESSES or left < 1:
                continue
            options = [str(number) for number in range(1, timer.length + 1)]
            yield from ask_fact(
                "ready",
                f"{timer.about}: how much more does its timer have to count?",
                options,
                [str(left)],
                f"has counted {running.counted} of {timer.length}",
                depth=left,
            )

    def _ask_best(self, world: RobotouilleWorld, state: FactState, seat: str) -> Iterator[Question]:
        """Yield with which actions the goal is reached earliest, if a whole search proves it."""
        legal = world.legal(state, seat)
        found = solved("robotouille", "kitchen_search:find_best_beginnings")(
            world, state, seat, SEARCHED
        )
        if found is None:
            return
        right, timesteps = found
        yield from ask_earliest(_BEST.format(seat=seat), legal, right, timesteps, "reached")


def list_needs(world: RobotouilleWorld, robot: str, text: str) -> list[Literal]:
    """Return what an action of a robot needs."""
    found = world.engine.read(robot, text)
    if found is None:
        return []
    action, values = found
    return [need.replace(values) for need in action.needs]


def holds(world: RobotouilleWorld, state: FactState, need: Literal) -> bool:
    """Return whether a literal holds in a state."""
    return bool(state.true & world.engine.bit(need.predicate, need.args)) == need.holds


QUESTIONER = RobotouilleQuestioner()
