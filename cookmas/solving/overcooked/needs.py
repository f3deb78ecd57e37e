"""What a kitchen needs of a cook, by simple rules, in medium-level actions.

The rules look at what pots, counters and hands hold now, and at the actions that the other cooks
have begun. They do not look ahead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from cookmas.worlds.grids.hands import HIDDEN, Cook
from cookmas.worlds.overcooked.rules.actions import (
    AWAY,
    DELIVER,
    OPEN,
    PICK_UP,
    PLACE,
    PUT,
    START,
    MediumAction,
    medium_actions,
)
from cookmas.worlds.overcooked.rules.kitchen import (
    CAPACITY,
    POT,
    SERVING,
    KitchenItem,
    OvercookedKitchen,
    PotContent,
    Scene,
    SoupRecipe,
)
from cookmas.worlds.overcooked.rules.places import SHARED_LETTER, OvercookedSight, places_of
from cookmas.worlds.overcooked.rules.serving import list_served_orders
from cookmas.worlds.overcooked.rules.state import OvercookedState
from cookmas.worlds.overcooked.world import OvercookedWorld

DETOUR = 5
"""Moves by which a way counts as longer that others block."""

EMPTY = PotContent(())


@dataclass(frozen=True)
class CookNeeds:
    """A kitchen as one cook sees it."""

    kitchen: OvercookedKitchen
    """The kitchen."""
    state: OvercookedState
    """The state as the cook observes it."""
    number: int
    """Number of the cook."""

    @classmethod
    def of(cls, world: OvercookedWorld, state: OvercookedState, cook: str) -> CookNeeds:
        """Return the needs as a cook sees them."""
        return cls(world.kitchen, state, world.workers.index(cook))

    @property
    def scene(self) -> Scene:
        """The cooks, and where all things are."""
        return self.state.scene

    @property
    def orders(self) -> Sequence[SoupRecipe]:
        """The orders that can be delivered."""
        return list_served_orders(self.kitchen)

    @property
    def held(self) -> str:
        """The kind of item in the cook's hands; empty for none."""
        item = self.scene.cooks[self.number].held
        return "" if item is None else item.kind

    @cached_property
    def sight(self) -> OvercookedSight:
        """The kitchen and the scene as the cook sees them."""
        return OvercookedSight(self.kitchen, self.scene, self.number)

    @cached_property
    def others(self) -> Sequence[tuple[Cook[KitchenItem], MediumAction | None]]:
        """The other cooks that the cook knows of, each with the action that it is at."""
        return [
            (cook, doing)
            for number, (cook, doing) in enumerate(
                zip(self.scene.cooks, self.state.doing, strict=True)
            )
            if number != self.number and cook != HIDDEN
        ]

    @cached_property
    def legal(self) -> Sequence[MediumAction]:
        """The medium-level actions that the cook can do now."""
        return medium_actions(self.sight)

    @cached_property
    def reached(self) -> frozenset[tuple[int, int]]:
        """The cells that the cook can come to face."""
        return self.sight.reached

    def reaches(self, kind: str) -> bool:
        """Return whether the cook can come to face a place of a kind."""
        return not self.reached.isdisjoint(self.kitchen.places[kind])

    @cached_property
    def contents(self) -> Sequence[PotContent]:
        """The contents of all pots, also of the empty ones."""
        return [self.scene.pots.get(cell, EMPTY) for cell in self.kitchen.pots]

    def content_at(self, action: MediumAction) -> PotContent:
        """Return the content of the pot of an action; that of an empty pot if it is no pot."""
        return self.scene.pots.get(places_of(self.kitchen)[action.place], EMPTY)

    def count_lying(self, item: str) -> int:
        """Return how many items of a kind lie on counters."""
        return sum(each.kind == item for each in self.scene.counters.values())

    def count_coming(self, item: str) -> int:
        """Return how many items of a kind the others hold or fetch."""
        coming = 0
        for cook, doing in self.others:
            coming += cook.held is not None and cook.held.kind == item
            coming += doing is not None and (doing.verb, doing.item) == (PICK_UP, item)
        return coming

    def count_there(self, item: str) -> int:
        """Return how many items of a kind need not be fetched by this cook.

        Those on counters count only for a cook that reaches no pot, and so brings others things.
        """
        return self.count_coming(item) + (0 if self.reaches(POT) else self.count_lying(item))

    def nearest(self, actions: Iterable[MediumAction]) -> MediumAction | None:
        """Return the action with the nearest place; None if there are no actions."""
        return min(actions, key=self.distance, default=None)

    def distance(self, action: MediumAction) -> int:
        """Return the moves to the place of an action, more if others block the way."""
        cell = places_of(self.kitchen)[action.place]
        around = self.sight.way_around(cell)
        if around is not None:
            return len(around)
        return DETOUR + len(self.sight.way_through(cell) or ())

    def find(self, verb: str, *items: str) -> list[MediumAction]:
        """Return the legal actions of a verb, with one of these items if any are named."""
        return [
            each for each in self.legal if each.verb == verb and (not items or each.item in items)
        ]

    def fits(self, content: PotContent, item: str) -> bool:
        """Return whether some ordered soup can be made of a pot with one more item."""
        if content.ticks >= 0 or len(content.ingredients) == CAPACITY:
            return False
        inside = Counter((*content.ingredients, item))
        return any(inside <= Counter(recipe.ingredients) for recipe in self.orders)

    def lacking(self, item: str) -> int:
        """Return how many items of a kind the pots take now, or once their soups are taken."""
        most = max((recipe.ingredients.count(item) for recipe in self.orders), default=0)
        contents = [EMPTY if each.ticks >= 0 else each for each in self.contents]
        return sum(
            max(0, most - content.ingredients.count(item))
            for content in contents
            if self.fits(content, item)
        )

    def is_whole(self, content: PotContent) -> bool:
        """Return whether a pot that does not cook yet holds an ordered soup."""
        orders = [order.ingredients for order in self.orders]
        return content.ticks < 0 and content.ingredients in orders

    @property
    def soups(self) -> int:
        """How many pots cook, or have a soup that is cooked."""
        return sum(content.ticks >= 0 for content in self.contents)

    def fill(self) -> MediumAction | None:
        """Return the action that puts the ingredient in the fullest pot that it fits in."""
        best = [
            (len(self.content_at(action).ingredients), -self.distance(action), action)
            for action in self.find(PUT, self.held)
            if self.fits(self.content_at(action), self.held)
        ]
        return max(best)[2] if best else None

    def plate(self) -> MediumAction | None:
        """Return the action that takes the soup that is ready first; None if none cooks."""
        best = [
            (-self.content_at(action).ticks, self.distance(action), action)
            for action in self.find(PICK_UP, "soup")
            if places_of(self.kitchen)[action.place] in self.kitchen.pots
        ]
        return min(best)[2] if best else None

    def deliver(self) -> MediumAction | None:
        """Return the action that delivers the soup at the nearest window."""
        return self.nearest(self.find(DELIVER))

    def start(self) -> MediumAction | None:
        """Return the action that starts the nearest pot with an ordered soup."""
        return self.nearest(
            each for each in self.find(START) if self.is_whole(self.content_at(each))
        )

    def open_for_others(self) -> MediumAction | None:
        """Return the action that opens a gate for another cook that waits with a soup."""
        for number, cook in enumerate(self.scene.cooks):
            if number == self.number or cook == HIDDEN:
                continue
            waits = cook.held is not None and cook.held.kind == "soup"
            windows = self.kitchen.places[SERVING]
            sight = OvercookedSight(self.kitchen, self.scene, number)
            if waits and all(sight.way_through(cell) is None for cell in windows):
                return self.nearest(self.find(OPEN))
        return None

    def lay_down(self) -> MediumAction | None:
        """Return the action that lays down what the cook holds.

        A cook that reaches no pot lays it where others take it; any other keeps these places free.
        """
        places = self.find(PLACE)
        shared = [each for each in places if each.place[0] == SHARED_LETTER]
        if not self.reaches(POT):
            return self.nearest(shared or places)
        return self.nearest([each for each in places if each not in shared] or places)

    @property
    def is_full(self) -> bool:
        """Whether at most one of the shared counters that the cook reaches is empty."""
        shared = [
            cell
            for name, cell in places_of(self.kitchen).items()
            if name[0] == SHARED_LETTER and cell in self.reached
        ]
        return sum(cell not in self.scene.counters for cell in shared) <= 1

    def make_way(self) -> MediumAction | None:
        """Return the step away from others if the cook blocks the way of one of them."""
        places = places_of(self.kitchen)
        for number, doing in enumerate(self.state.doing):
            if number == self.number or doing is None or doing.place not in places:
                continue
            cell, sight = places[doing.place], OvercookedSight(self.kitchen, self.scene, number)
            if sight.way_around(cell) is None and sight.way_through(cell) is not None:
                return AWAY
        return None

    def fetch(self, item: str) -> MediumAction | None:
        """Return the action that fetches the nearest item of a kind.

        A cook that only passes things on takes none that lie where others reach them.
        """
        found = self.find(PICK_UP, item)
        if not self.reaches(POT):
            found = [each for each in found if each.place[0] != SHARED_LETTER]
        return self.nearest(found)

    def wants_ingredient(self) -> str | None:
        """Return the ingredient that the pots lack most; None if enough is coming."""
        lacks = {item: self.lacking(item) - self.count_there(item) for item in ("onion", "tomato")}
        item = max(lacks, key=lambda each: lacks[each])
        return item if lacks[item] > 0 else None

    def wants_dish(self) -> bool:
        """Return whether fewer dishes are coming than soups cook or are cooked."""
        return self.soups > self.count_there("dish")

    def leave(self) -> MediumAction | None:
        """Return the action that opens a gate if nothing but gates is within reach."""
        return None if self.find(PICK_UP) else self.nearest(self.find(OPEN))
