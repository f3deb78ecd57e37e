"""Collab-Overcooked as a world: high-level actions, each of which takes several timesteps.

A timestep is one low-level act of each cook. It is the move of the cooks whose action is done; the
others carry on. The recipe behind the order comes with the order, so that neither the setup nor the
first state has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.world import (
    DONE,
    Commands,
    Ending,
    Json,
    Outcome,
    Ruling,
    Tally,
    Trigger,
    refuse_workers,
)
from cookmas.files.errors import InputError, TraceError
from cookmas.worlds.collab_overcooked.actions import FORMS, UnreadableError, read_action
from cookmas.worlds.collab_overcooked.grounding import (
    WAITING,
    Doing,
    after_timestep,
    begin,
    carry_on,
)
from cookmas.worlds.collab_overcooked.kitchen import LETTERS, CollabKitchen
from cookmas.worlds.collab_overcooked.legal import every_action, legal_actions
from cookmas.worlds.collab_overcooked.refusals import KINDS, refusal
from cookmas.worlds.collab_overcooked.scene import Tables
from cookmas.worlds.collab_overcooked.state import CollabState, dump, first_state, load, load_tables
from cookmas.worlds.collab_overcooked.steps import RESTING, CookAct, Happened, step
from cookmas.worlds.collab_overcooked.words import tell_kitchen
from cookmas.worlds.grids.grid import Grid

NAME = "collab-overcooked"


class CollabWorld(World):
    """A kitchen with its cooks."""

    name = NAME
    rules = "1"
    idle = str(WAITING)
    actions = FORMS
    discloses_decisions = True

    def __init__(self, kitchen: CollabKitchen) -> None:
        self.kitchen = kitchen
        self.workers = kitchen.cooks
        """Names of the cooks, by the number of their start; in the paper the first is the chef."""

    def setup(self) -> dict[str, Any]:
        """Return the kitchen without recipes."""
        kitchen = self.kitchen
        return {
            "grid": list(kitchen.grid.rows),
            "cooks": list(kitchen.cooks),
            "readers": sorted(kitchen.readers),
            "raw": sorted(kitchen.raw),
            "foods": sorted(kitchen.foods),
            "menu": sorted(kitchen.menu),
            "plated": sorted(kitchen.plated),
            "mode": "original" if kitchen.original else "",
        }

    @classmethod
    def of_setup(cls, data: Json) -> CollabWorld:
        """Return the world of a trace's header. Raise TraceError if the header describes none."""
        try:
            grid = Grid.of_rows([str(row) for row in data["grid"]])
            cooks = tuple(str(name) for name in data["cooks"])
            if len(cooks) != len(grid.starts) or not set(grid.solid.values()) <= set(LETTERS):
                raise ValueError
            names = {
                field: frozenset(str(each) for each in data[field])
                for field in ("readers", "raw", "foods", "menu", "plated")
            }
            return cls(
                CollabKitchen(grid=grid, cooks=cooks, original=data["mode"] == "original", **names)
            )
        except (KeyError, TypeError, ValueError, IndexError):
            raise TraceError(
                "the trace's header does not describe a kitchen of two cooks"
            ) from None

    def start(self) -> CollabState:
        """Return the state before the order."""
        return first_state(self.kitchen)

    def apply(self, state: CollabState, event: Json) -> tuple[CollabState, Ruling]:
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

    def movers(self, state: CollabState) -> list[str]:
        """Return the cooks that are not in the middle of an action."""
        return [
            name
            for name, doing in zip(self.kitchen.cooks, state.doing, strict=True)
            if doing is None
        ]

    def listeners(self, state: CollabState) -> Sequence[str]:
        """Return all cooks: who is in the middle of an action hears and answers."""
        return self.kitchen.cooks

    def step(
        self, state: CollabState, commands: Commands
    ) -> tuple[CollabState, Mapping[str, Outcome], Sequence[Trigger]]:
        """Carry out one timestep: cooks whose move it is begin an action, then all carry on."""
        given = dict(commands)
        kitchen, scene, order = self.kitchen, state.scene, state.order or ""
        doing: list[Doing | None] = []
        acts: list[CookAct] = []
        outcomes: dict[str, Outcome] = {}
        triggers: list[Trigger] = []
        for number, name in enumerate(kitchen.cooks):
            own, outcomes[name] = self._begin(state, number, given.get(name, self.idle))
            if own is None:
                doing.append(None)
                acts.append(RESTING)
                continue
            now, act = carry_on(kitchen, scene, number, own)
            doing.append(now)
            acts.append(act)
            if now is not own:
                cause = f"{name} gives up {own.action}: nothing leads on"
                triggers.append(Trigger(kind="given_up", cause=cause, to=(name,)))
        scene, happened = step(kitchen, scene, acts, order, state.tables)
        for number, each in enumerate(doing):
            if each is not None:
                doing[number] = after_timestep(kitchen, scene, order, number, each, happened)
        done = state.done
        if any(happened.events):
            done = tuple(
                (*before, event) if event else before
                for before, event in zip(done, happened.events, strict=True)
            )
        after = CollabState(
            timestep=state.timestep + 1,
            scene=scene,
            order=state.order,
            tables=state.tables,
            doing=tuple(doing),
            done=done,
            served=state.served or happened.served,
        )
        return after, outcomes, [*triggers, *_triggers(happened)]

    def _begin(self, state: CollabState, number: int, text: str) -> tuple[Doing | None, Outcome]:
        """Return what a cook is doing after a command for it, and the outcome of the command."""
        doing, name = state.doing[number], self.kitchen.cooks[number]
        if doing is not None:
            if text == self.idle:
                return doing, DONE
            return doing, Outcome("not_your_turn", f"{name} is at {doing.action}.")
        try:
            action = read_action(text)
            kind = refusal(self.kitchen, state.scene, state.order or "", number, action)
        except UnreadableError as error:
            kind = str(error)
        if kind is not None:
            return None, Outcome(kind, f"{name} cannot {text[:200]}: {KINDS[kind]}.")
        return begin(action), DONE

    def legal(self, state: CollabState, worker: str) -> list[str]:
        """Return the actions of a cook that would not be refused.

        In the middle of an action it can only wait.
        """
        number = self.kitchen.cooks.index(worker)
        if state.doing[number] is not None:
            return [self.idle]
        return legal_actions(self.kitchen, state.scene, state.order or "", number)

    def every_action(self) -> list[str]:
        """Return all actions that can be legal in some state."""
        return every_action(self.kitchen)

    def refusal(self, commands: Commands) -> str | None:
        """Return which command names no cook, or is a cook's second; None if there is none."""
        return refuse_workers(commands, self.workers)

    def ending(self, state: CollabState) -> Ending | None:
        """Return that the episode is won once the order has been delivered."""
        return Ending("won", f"{state.order} was delivered") if state.served else None

    def is_finished(self, state: CollabState) -> bool:
        """Return whether the order has been delivered."""
        return state.served

    def tally(self, state: CollabState) -> Tally:
        """Return one order done if it has been delivered, else none; no order is ever lost."""
        return Tally(done=int(state.served), lost=0)

    def progress_key(self, state: CollabState) -> dict[str, Any]:
        """Return the whole state, so that no episode ends for lack of progress."""
        return dump(self.kitchen, state)

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

    def simulable(self, observed: CollabState, worker: str | None) -> CollabState:
        """Return the observed state; without the tables every mix becomes an unknown product."""
        return observed

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
