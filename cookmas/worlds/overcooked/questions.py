"""Questions about a kitchen: ways, places, what a greedy partner does, and the best next action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations_with_replacement
from random import Random

from cookmas.worlds.base.questions import (
    KINDS,
    Kind,
    Question,
    Questioner,
    ask_fact,
    ask_missing,
    ask_partner,
    choose_best,
)
from cookmas.worlds.grids.hands import HIDDEN
from cookmas.worlds.overcooked.rules.actions import legal_actions, medium_actions
from cookmas.worlds.overcooked.rules.kitchen import CAPACITY, STAY
from cookmas.worlds.overcooked.rules.places import MEANINGS, places_of
from cookmas.worlds.overcooked.rules.serving import list_served_orders
from cookmas.worlds.overcooked.rules.state import OvercookedState
from cookmas.worlds.overcooked.words import tell_kitchen
from cookmas.worlds.overcooked.world import OvercookedWorld
from cookmas.worlds.shipped import solved

AROUND = "yes, around the others where they are"
THROUGH = "only if another cook makes way"
NO_WAY = "no, no way leads there now"

AHEAD = 40
"""Timesteps that a search for the best action looks ahead."""

WIDTHS = (8, 16)
"""The two searches for the best action; they must agree."""

_GREEDY = (
    "{partner} is greedy: it does what is most urgent now, soups before dishes and dishes before "
    "ingredients, and does not look ahead. What does {partner} begin now?"
)


class OvercookedQuestioner(Questioner):
    """The questions of kitchens of Overcooked-AI."""

    kinds = KINDS
    players = ("greedy", "random", "greedy")

    def view_of(
        self, world: OvercookedWorld, observed: OvercookedState, seat: str, other: str
    ) -> OvercookedState | None:
        """Return the state if no cook is hidden."""
        return None if world.options.hide_partner else observed

    def narrate(
        self, world: OvercookedWorld, observed: OvercookedState, seat: str, *, bare: bool
    ) -> Sequence[str]:
        """Return the state, if `bare` without how far the places are."""
        return [*tell_kitchen(world.kitchen, world.workers, observed, seat, ways=not bare)]

    def ask(
        self,
        world: OvercookedWorld,
        observed: OvercookedState,
        seat: str,
        kind: Kind,
        draw: Random,
    ) -> Iterator[Question]:
        """Yield the questions about a kitchen in which all cooks are seen."""
        if HIDDEN in observed.scene.cooks:
            return
        if kind == "comprehension":
            yield from self._ask_reach(world, observed, seat, draw)
            yield from self._ask_nearest(world, observed, seat)
            yield from self._ask_missing(world, observed)
        elif kind == "mind":
            for partner in world.workers:
                if partner != seat:
                    yield from self._ask_greedy(world, observed, partner)
        else:
            yield from self._ask_best(world, observed, seat)

    def _ask_reach(
        self, world: OvercookedWorld, state: OvercookedState, seat: str, draw: Random
    ) -> Iterator[Question]:
        number = world.workers.index(seat)
        places = places_of(world.kitchen)
        name = draw.choice([each for each in places if each[0] != "k"])
        sight = world.sight(state, number)
        around, through = sight.way_around(places[name]), sight.way_through(places[name])
        right = NO_WAY if through is None else THROUGH if around is None else AROUND
        moves = " ".join(around if around is not None else through or ()) or "none"
        yield from ask_fact(
            "reach",
            f"Can {seat} come to face {name} ({MEANINGS[name[0]]}) now?",
            [AROUND, THROUGH, NO_WAY],
            [right],
            f"fewest moves: {moves}",
            depth=len(around or through or ()) or 1,
            bare=True,
        )

    def _ask_nearest(
        self, world: OvercookedWorld, state: OvercookedState, seat: str
    ) -> Iterator[Question]:
        """Yield which place a cook faces soonest, of those that it does not face now."""
        sight = world.sight(state, world.workers.index(seat))
        ways = {
            name: sight.way_around(cell)
            for name, cell in places_of(world.kitchen).items()
            if name[0] != "k"
        }
        far = {name: len(way) for name, way in ways.items() if way}
        if not far:
            return
        options = [name for name, way in ways.items() if way != ()]
        right, margin = choose_best({name: -float(moves) for name, moves in far.items()})
        if margin is None and len(right) == len(options):
            return
        yield Question(
            kind="comprehension",
            about="nearest",
            text=f"Which of these places can {seat} come to face with the fewest moves, turns "
            "included, while the others stand still?",
            options=options,
            right=right,
            proof={x: f"{far[x]} moves" if x in far else "no way" for x in options},
            depth=min(far.values()),
            margin=margin,
            bare=True,
        )

    def _ask_missing(self, world: OvercookedWorld, state: OvercookedState) -> Iterator[Question]:
        """Yield what a pot with some ingredients still needs for an order."""
        kitchen = world.kitchen
        served = list_served_orders(kitchen)
        for name, cell in places_of(kitchen).items():
            content = state.scene.pots.get(cell)
            if content is None or content.ticks >= 0:
                continue
            inside = Counter(content.ingredients)
            missing = {
                _list_items(Counter(soup.ingredients) - inside)
                for soup in served
                if inside <= Counter(soup.ingredients)
            }
            kinds = {item for soup in served for item in soup.ingredients}
            some = chain.from_iterable(
                combinations_with_replacement(sorted(kinds), size) for size in range(CAPACITY + 1)
            )
            options = [_list_items(Counter(items)) for items in some]
            yield from ask_missing(
                f"Which of these is exactly what is missing in {name} for an order?",
                missing,
                options,
                f"{name} holds {_list_items(inside)}",
            )

    def _ask_greedy(
        self, world: OvercookedWorld, state: OvercookedState, partner: str
    ) -> Iterator[Question]:
        number = world.workers.index(partner)
        if state.doing[number] is not None:
            return
        legal = legal_actions(world.sight(state, number))
        chosen = solved("overcooked", "planners:choose_for")(world, state, partner)
        right = str(chosen) if chosen else STAY
        text = _GREEDY.format(partner=partner)
        yield from ask_partner(
            "greedy partner", text, legal, [right], "the most urgent", "less urgent"
        )

    def _ask_best(
        self, world: OvercookedWorld, state: OvercookedState, seat: str
    ) -> Iterator[Question]:
        """Yield the best action of a cook that is at nothing, if a doubled search agrees."""
        number = world.workers.index(seat)
        if state.doing[number] is not None:
            return
        quick = self._value(world, state, number, WIDTHS[0])
        right, differs = choose_best(quick) if quick else ([], None)
        if differs is None:
            return
        values = self._value(world, state, number, WIDTHS[1])
        again, margin = choose_best(values)
        if right == again and margin is not None:
            yield Question(
                kind="planning",
                about="best action",
                text=f"Which action had {seat} best begin now, if all cooks then cooperate?",
                options=list(values),
                right=right,
                proof={x: f"worth {value:.3f} points" for x, value in values.items()},
                actions=True,
                depth=AHEAD,
                margin=round(margin, 4),
            )

    def _value(
        self, world: OvercookedWorld, state: OvercookedState, number: int, width: int
    ) -> dict[str, float]:
        """Return what the best joint plan is worth in which a cook begins each of its actions."""
        kitchen, values = world.kitchen, dict[str, float]()
        left = world.options.horizon - state.timestep
        value_of = solved("overcooked", "search:value_of_going")
        for action in medium_actions(world.sight(state, number)):
            to = {number: places_of(kitchen)[action.place]}
            values[str(action)] = value_of(kitchen, state.scene, left, (AHEAD, width), to)
        return values


QUESTIONER = OvercookedQuestioner()


def _list_items(items: Counter[str]) -> str:
    return ", ".join(sorted(items.elements())) or "nothing"
