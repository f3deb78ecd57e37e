"""Questions about a kitchen of CuisineWorld: tools, a greedy agent, and the quickest dish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from cookmas.worlds.base.questions import (
    KINDS,
    Kind,
    Question,
    Questioner,
    ask_earliest,
    ask_fact,
    ask_missing,
    ask_partner,
)
from cookmas.worlds.cuisineworld.rules.engine import every_command
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineState
from cookmas.worlds.cuisineworld.world import CuisineWorld
from cookmas.worlds.shipped import solved

SEARCHED = 20_000
"""Greatest number of situations that are searched for the best action."""

_BEST = (
    "All agents work for one {dish} and nothing else, and do so in the best way. Which action had "
    "{seat} best do now, so that the next {dish} comes to the serving table earliest?"
)
_GREEDY = (
    "All agents are greedy and look no further ahead than a command. An agent that holds an item "
    "brings it to where it is needed, or to storage. The orders, those with the shortest lifetime "
    "first, get one free agent each, if nobody carries something for them; it does the first thing "
    "that is missing. An agent that stands at the right place goes before others, and then one "
    "with a lower number. An agent without a task does nothing. What does {partner} do now?"
)


class CuisineQuestioner(Questioner):
    """The questions of CuisineWorld."""

    kinds = KINDS
    players = ("greedy", "shared-greedy", "random")

    def list_actions(self, world: CuisineWorld, observed: CuisineState) -> Sequence[str]:
        """Return all actions at the places of the kitchen."""
        return [action for _, action in world.commands(every_command(world.kitchen, 0))]

    def ask(
        self, world: CuisineWorld, observed: CuisineState, seat: str, kind: Kind, draw: Random
    ) -> Iterator[Question]:
        """Yield the questions about a kitchen."""
        if kind == "comprehension":
            yield from super().ask(world, observed, seat, kind, draw)
            yield from self._ask_ready(observed)
            yield from self._ask_missing(world, observed)
        elif kind == "mind":
            yield from self._ask_greedy(world, observed, seat)
        else:
            yield from self._ask_best(world, observed, seat)

    def _ask_ready(self, state: CuisineState) -> Iterator[Question]:
        """Yield until which timestep a tool is occupied."""
        now = state.timestep
        for place, left in state.busy.items():
            first = now + max(1, left - 2)
            options = [str(timestep) for timestep in range(first, first + 5)]
            yield from ask_fact(
                "ready",
                f"It is timestep {now} now. At which timestep can an agent take something out of "
                f"{place} or put something in at the earliest?",
                options,
                [str(now + left)],
                f"{left} timesteps are left",
                depth=left,
            )

    def _ask_missing(self, world: CuisineWorld, state: CuisineState) -> Iterator[Question]:
        """Yield what a place with a part of one product still needs for it."""
        kitchen = world.kitchen
        recipes = kitchen.recipes.values()
        for place, items in state.inside.items():
            inside = Counter(items)
            fits = [
                recipe
                for recipe in recipes
                if recipe.tool == kitchen.places[place] and inside < Counter(recipe.inputs)
            ]
            if len(fits) != 1 or place in state.busy:
                continue
            (recipe,) = fits
            missing = Counter(recipe.inputs) - inside
            options = sorted({item for each in recipes for item in each.inputs})
            yield from ask_missing(
                f"{place} is to make {recipe.product}. Which of these still has to go into it?",
                missing,
                options,
                f"it needs {', '.join(recipe.inputs)}",
            )

    def _ask_greedy(
        self, world: CuisineWorld, state: CuisineState, seat: str
    ) -> Iterator[Question]:
        """Yield what each other agent does if all are greedy."""
        for partner, action in world.commands(
            solved("cuisineworld", "planners:greedy")(world.kitchen, state)
        ):
            if partner != seat:
                yield from ask_partner(
                    "greedy partner",
                    _GREEDY.format(partner=partner),
                    world.legal(state, partner),
                    [action],
                    "its greedy command",
                    "another command",
                )

    def _ask_best(self, world: CuisineWorld, state: CuisineState, seat: str) -> Iterator[Question]:
        """Yield with which actions the dish of the most urgent order is served earliest.

        What will be ordered is not known, so the question is about one dish.
        """
        if not state.orders:
            return
        dish, legal = state.orders[0].dish, world.legal(state, seat)
        number = world.workers.index(seat)
        found = solved("cuisineworld", "quickest:find_quickest")(
            world.kitchen, state, dish, number, SEARCHED
        )
        if found is None:
            return
        best, timesteps = found
        right = [command.action for command in world.commands(sorted(best))]
        yield from ask_earliest(
            _BEST.format(seat=seat, dish=dish), legal, right, timesteps, "on the table"
        )


QUESTIONER = CuisineQuestioner()
