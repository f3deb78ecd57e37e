"""Collab-Overcooked as a world: high-level actions, each of which takes several timesteps.

A timestep is one low-level act of each cook. It is the move of the cooks whose action is done; the
others carry on. The recipe behind the order comes with the order, so that neither the setup nor the
first state has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from cookmas.episodes.world import Ending, Json, Ruling, Trigger
from cookmas.files.errors import InputError
from cookmas.worlds.collab_overcooked.rules.actions import KINDS, every_action, is_wait, read_action
from cookmas.worlds.collab_overcooked.rules.engine import legal_actions, refusal, rules_of
from cookmas.worlds.collab_overcooked.rules.grounding import (
    WAITING,
    Doing,
    begin,
    pass_timestep,
)
from cookmas.worlds.collab_overcooked.rules.kitchen import CollabSight, Tables
from cookmas.worlds.collab_overcooked.rules.level import CollabLevel
from cookmas.worlds.collab_overcooked.rules.state import (
    CollabState,
    dump,
    load,
    load_tables,
    opening_state,
)
from cookmas.worlds.collab_overcooked.rules.timestep import Happened
from cookmas.worlds.collab_overcooked.words import describe_rules, tell_kitchen
from cookmas.worlds.grids.lasting import LastingWorld, UnableError


class CollabWorld(LastingWorld):
    """A kitchen with its cooks."""

    name = "collab-overcooked"
    level_type = CollabLevel
    idle = str(WAITING)
    fails = KINDS
    discloses_decisions = True

    def __init__(self, level: CollabLevel) -> None:
        super().__init__(level)
        self.kitchen = level.kitchen
        self.workers = self.kitchen.cooks
        """Names of the cooks, by the number of their start; in the paper the first is the chef."""
        self.about = describe_rules(self.kitchen)
        self.actions = rules_of(self.kitchen).forms

    def is_idle(self, action: str) -> bool:
        """Return whether an action is a wait, of whatever length."""
        return is_wait(action)

    def start(self) -> CollabState:
        return opening_state(self.kitchen)

    def receive(self, state: CollabState, event: Json) -> tuple[CollabState, Ruling]:
        """Apply the order: `{"kind": "order", "dish": ..., "tables": [...]}`."""
        match event:
            case {"kind": "order", "dish": str(dish), "tables": list(rows)} if (
                state.order is None and dish in self.kitchen.menu
            ):
                try:
                    tables = load_tables(rows)
                except (TypeError, ValueError):
                    raise InputError("event", "tables: expected rows of a table") from None
                trigger = Trigger(kind="new_order", cause=f"{dish} is ordered")
                return state._replace(order=dish, tables=tables), Ruling(trigger=trigger)
            case {"kind": "order", "dish": str(dish)} if dish in self.kitchen.menu:
                return state, Ruling(refused="there is an order already")
        raise InputError(
            "event", f"expected an order of one of {', '.join(sorted(self.kitchen.menu))}"
        )

    def sight(self, state: CollabState, number: int) -> CollabSight:
        return CollabSight(self.kitchen, state.scene, number, state.order or "")

    def begin(self, state: CollabState, number: int, text: str) -> Doing:
        """Return the action that a cook begins. Raise UnableError if it is refused."""
        action = read_action(text)
        kind = refusal(self.sight(state, number), action)
        if kind is not None:
            raise UnableError(kind)
        return begin(action)

    def carry_out(
        self, state: CollabState, actions: Sequence[Doing | None]
    ) -> tuple[CollabState, Sequence[Trigger]]:
        """Return the state after a timestep, and its triggers."""
        kitchen, order = self.kitchen, state.order or ""
        scene, happened, doing, left = pass_timestep(
            kitchen, state.scene, order, state.tables, actions
        )
        triggers: list[Trigger] = []
        for number, before in enumerate(actions):
            if before is not None and doing[number] is not before:
                triggers.append(self.give_up(number, before, _why_given_up(before)))
        done = state.done
        if any(happened.events):
            done = tuple(
                (*before, event) if event else before
                for before, event in zip(done, happened.events, strict=True)
            )
        served = state.served or happened.served
        after = CollabState(
            state.timestep + 1, scene, state.order, state.tables, tuple(left), done, served
        )
        if happened.destroyed or happened.delivered:
            triggers += _triggers(happened)
        return after, triggers

    def list_legal(self, state: CollabState, number: int) -> list[str]:
        return legal_actions(self.sight(state, number))

    def every_action(self) -> list[str]:
        return every_action(self.kitchen)

    def ending(self, state: CollabState) -> Ending | None:
        """Return that the episode is won once the order has been delivered."""
        return Ending("won", f"{state.order} was delivered") if state.served else None

    def lookups(self, state: CollabState) -> list[str]:
        """Return the ordered dish, whose recipe may be read, if the recipe is not hidden."""
        return [] if state.order is None or state.tables is None else [state.order]

    def observe(self, state: CollabState, worker: str | None = None) -> CollabState:
        """Return the state; only readers of the recipe, and a central planner, see the tables."""
        if worker is None or worker in self.kitchen.readers:
            return state
        return state._replace(tables=None)

    def spectate(self, state: CollabState) -> CollabState:
        """Return the state without the tables; the recipe is shown as it is looked up."""
        return state._replace(tables=None)

    def narrate(self, observed: CollabState, worker: str | None) -> list[str]:
        """Return what everybody holds, how far away the places are, and what utensils contain."""
        return [*tell_kitchen(self.kitchen, observed, worker)]

    def draw_alike(self, state: CollabState, worker: str, seed: int) -> CollabState:
        """Return a state whose tables have their products shuffled, for a cook without the recipe.

        For a reader of the recipe the state is unchanged.
        """
        if state.tables is None or worker in self.kitchen.readers:
            return state
        products = [row.product for row in state.tables.rows]
        Random(seed).shuffle(products)
        rows = zip(state.tables.rows, products, strict=True)
        tables = Tables(tuple(row._replace(product=product) for row, product in rows))
        return state._replace(tables=tables)

    def dump(self, state: CollabState) -> dict[str, Any]:
        """Return the state as plain data."""
        return dump(self.kitchen, state)

    def load(self, data: Json) -> CollabState:
        """Return the state of the plain data of `dump`."""
        return load(self.kitchen, data)


def _why_given_up(action: Doing) -> str:
    waits = action.action.waits and action.left < 1
    return "it has not come in time" if waits else "nothing leads on"


def _triggers(happened: Happened) -> list[Trigger]:
    found = [
        Trigger(kind="destroyed", cause=f"the mix in {name} fits no recipe and is destroyed")
        for name in happened.destroyed
    ]
    if not happened.served:
        found += [
            Trigger(kind="wrong_delivery", cause=f"{name} was delivered, which is not the order")
            for name in happened.delivered
        ]
    return found
