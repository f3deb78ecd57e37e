"""Questions about a kitchen of Collab-Overcooked: ways, utensils, the partner, the best action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from cookmas.worlds.base.questions import (
    DISTRACTORS,
    KINDS,
    Kind,
    Question,
    Questioner,
    ask_earliest,
    ask_fact,
    ask_missing,
    ask_partner,
)
from cookmas.worlds.collab_overcooked.rules.actions import read_action
from cookmas.worlds.collab_overcooked.rules.kitchen import TICKS
from cookmas.worlds.collab_overcooked.rules.state import CollabState
from cookmas.worlds.collab_overcooked.words import tell_kitchen
from cookmas.worlds.collab_overcooked.world import CollabWorld
from cookmas.worlds.grids.walking import shortest_path
from cookmas.worlds.shipped import solved

SEARCHED = 4000
"""Greatest number of situations that are searched for the best action."""

NO_WAY = "no way"
"""The option that a cook cannot come to face a place."""

_REFERENCE = (
    "All cooks know the recipe and follow a joint plan with the fewest timesteps. If the kitchen "
    "is not as planned, {partner} does the first thing that leads towards the dish. What does "
    "{partner} begin now?"
)
_BEST = "Which action had {seat} best begin now, so that the order can be delivered earliest?"


class CollabQuestioner(Questioner):
    """The questions of Collab-Overcooked."""

    kinds = KINDS
    players = ("reference", "erring", "random")

    def view_of(
        self, world: CollabWorld, observed: CollabState, seat: str, other: str
    ) -> CollabState:
        """Return the state without the tables if the other cook does not see the recipe."""
        return world.observe(observed, other)

    def narrate(
        self, world: CollabWorld, observed: CollabState, seat: str, *, bare: bool
    ) -> Sequence[str]:
        """Return the state, if `bare` without how far the places are."""
        return [*tell_kitchen(world.kitchen, observed, seat, ways=not bare)]

    def ask(
        self, world: CollabWorld, observed: CollabState, seat: str, kind: Kind, draw: Random
    ) -> Iterator[Question]:
        """Yield the questions about a kitchen with an open order."""
        if observed.served or observed.order is None:
            return
        if kind == "comprehension":
            yield from super().ask(world, observed, seat, kind, draw)
            yield from self._ask_reach(world, observed, seat, draw)
            yield from self._ask_ready(world, observed)
            yield from self._ask_missing(world, observed, draw)
        elif kind == "mind":
            for partner in world.workers:
                if partner != seat:
                    yield from self._ask_reference(world, observed, partner)
        else:
            yield from self._ask_best(world, observed, seat)

    def _ask_reach(
        self, world: CollabWorld, state: CollabState, seat: str, draw: Random
    ) -> Iterator[Question]:
        """Yield with how many moves a cook comes to face a place while the others stand still."""
        kitchen, number = world.kitchen, world.workers.index(seat)
        bodies = [cook.body for cook in state.scene.cooks]
        taken = frozenset(body.at for n, body in enumerate(bodies) if n != number)
        names = [name for name, cells in kitchen.places.items() if len(cells) == 1]
        if not names:
            return
        name = draw.choice(names)
        path = shortest_path(kitchen.grid, bodies[number], kitchen.places[name][0], taken)
        far = len(path or ())
        near = range(max(0, far - 2), max(0, far - 2) + 5)
        options = [*map(str, near), NO_WAY]
        yield from ask_fact(
            "reach",
            f"While the others stand still, with how many moves, turns included, does {seat} "
            f"come to face {name} at the earliest?",
            options,
            [NO_WAY if path is None else str(far)],
            f"fewest moves: {' '.join(path or ()) or 'none'}",
            depth=far or 1,
            bare=True,
        )

    def _ask_ready(self, world: CollabWorld, state: CollabState) -> Iterator[Question]:
        """Yield at which timestep a utensil has made its content."""
        for cell, content in state.scene.utensils.items():
            if content.product is not None and content.ticks < TICKS:
                left, now = TICKS - content.ticks, state.timestep
                options = [str(now + more) for more in range(TICKS + 2)]
                name = world.kitchen.names[cell]
                yield from ask_fact(
                    "ready",
                    f"It is timestep {now} now. At which timestep has {name} made its content?",
                    options,
                    [str(now + left)],
                    f"has worked {content.ticks} of {TICKS}",
                    depth=left,
                )

    def _ask_missing(
        self, world: CollabWorld, state: CollabState, draw: Random
    ) -> Iterator[Question]:
        """Yield which items still have to go into a utensil for the ordered dish."""
        goal = solved("collab-overcooked", "useful:goal_of")(
            world.kitchen, state.order or "", state.tables
        )
        foods = sorted({food for row in goal.steps for food in row.inputs}) if goal else []
        for cell, content in state.scene.utensils.items():
            kind, inside = world.kitchen.kinds[cell], Counter(content.items)
            rows = [
                row
                for row in (goal.steps if goal and content.product is None else ())
                if row.utensil == kind and inside <= Counter(row.inputs)
            ]
            if len(rows) != 1:
                continue
            missing = Counter(rows[0].inputs) - inside
            if missing:
                proof = f"{rows[0].product} is made of {', '.join(rows[0].inputs)}"
                others = sorted(world.kitchen.raw.difference(foods))
                options = sorted([*foods, *draw.sample(others, min(DISTRACTORS, len(others)))])
                yield from ask_missing(
                    f"Which of these still has to go into {world.kitchen.names[cell]} for "
                    f"{state.order}?",
                    missing,
                    options,
                    proof,
                )

    def _ask_reference(
        self, world: CollabWorld, state: CollabState, partner: str
    ) -> Iterator[Question]:
        """Yield what the cook that follows the best plan begins."""
        number = world.workers.index(partner)
        if state.doing[number] is not None:
            return
        legal = world.list_legal(state, number)
        right = solved("collab-overcooked", "planners:reference_action")(world, state, partner)
        text = _REFERENCE.format(partner=partner)
        yield from ask_partner(
            "reference partner", text, legal, [right], "as planned", "not planned"
        )

    def _ask_best(self, world: CollabWorld, state: CollabState, seat: str) -> Iterator[Question]:
        """Yield with which legal actions the order can be delivered earliest, by a whole search."""
        number = world.workers.index(seat)
        goal = solved("collab-overcooked", "useful:goal_of")(
            world.kitchen, state.order or "", state.tables
        )
        if goal is None or state.doing[number] is not None:
            return
        legal = world.list_legal(state, number)
        situation = solved("collab-overcooked", "search:TimedSituation")(state.scene, state.doing)
        actions = [read_action(text) for text in legal]
        found = solved("collab-overcooked", "search:find_best_beginnings")(
            goal, situation, number, actions, SEARCHED
        )
        if found is None:
            return
        best, timesteps = found
        right = [text for text, action in zip(legal, actions, strict=True) if action in best]
        yield from ask_earliest(_BEST.format(seat=seat), legal, right, timesteps, "delivered")


def _goal(world: CollabWorld, state: CollabState) -> Any:
    goal_of = solved("collab-overcooked", "useful:goal_of")
    return goal_of(world.kitchen, state.order or "", state.tables)


QUESTIONER = CollabQuestioner()
