"""The script of Collab-Overcooked: who reads the recipe asks, the partner does what it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from cookmas.orchestrator.dialogue.blocks import mapping, recall
from cookmas.orchestrator.dialogue.voice import STATE
from cookmas.worlds.base.script import Overlooks, Planned, Script, Situation
from cookmas.worlds.collab_overcooked.rules.actions import (
    PICKUP,
    PLACE,
    STARTED,
    read_action,
    read_requests,
)
from cookmas.worlds.collab_overcooked.rules.book import book, find_plated, foods_of, tables_of
from cookmas.worlds.collab_overcooked.rules.kitchen import DISH, TICKS
from cookmas.worlds.collab_overcooked.rules.state import CollabState
from cookmas.worlds.collab_overcooked.voice import VOICE
from cookmas.worlds.collab_overcooked.world import CollabWorld
from cookmas.worlds.grids.lasting import UnableError
from cookmas.worlds.shipped import solved

PATIENCE = 5
"""Timesteps for each action left of a request, after which the request may be repeated."""

_REST = f"wait({TICKS - 1})"


class CollabScript(Script):
    """The script of cooks: it knows the recipes of the book by heart.

    A situation also holds the `talk` so far.
    """

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Overlooks
    ) -> Situation:
        """Return the situation that the blocks describe, with the talk.

        The model knows the names of the food in the book, and hears others in the talk.
        """
        talk = blocks.get("TALK", [])
        setup = mapping(self.mark, blocks.get(self.mark))
        state = mapping(STATE, blocks.get(STATE))
        whole = {**blocks, self.mark: _complete_setup(setup, state, talk)}
        found = super().situation(whole, looked_up, task, deaf)
        return replace(found, about={**found.about, "talk": talk})

    def recall(self, blocks: Mapping[str, Any], looked_up: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the blocks with the state as far as the model knows it.

        What it was never told is as it was at the start.
        """
        setup = mapping(self.mark, blocks.get(self.mark))
        world = self.domain.world(_complete_setup(setup, {}, ()))
        return recall(blocks, VOICE.tell_state(world, world.start()))

    def plan(self, situation: Situation) -> Planned:
        """Return the next action towards the order, for each cook whose move it is."""
        world, state = self.rebuild(situation)
        schedule = [{name: _lead_on(world, state, name) for name in world.movers(state)}]
        return Planned(schedule=schedule, lines={}, reasoning="what leads on")

    def turn(self, situation: Situation, agent: str) -> Planned:
        """Return the turn of a cook.

        A cook that reads the recipe does its next action towards the order, and asks its partner
        for the partner's next actions unless an earlier request is open. A cook that does not read
        the recipe does what it is asked, and waits if that is not legal.
        """
        world, state = self.rebuild(situation)
        talk = situation.about["talk"]
        if agent in world.kitchen.readers:
            others = [name for name in world.workers if name not in world.kitchen.readers]
            requests = [action for name in others for action in _ask(world, state, name, talk)]
            own = [{agent: _lead_on(world, state, agent)}]
            return Planned(
                schedule=own, lines={}, reasoning="what leads on", requests=tuple(requests)
            )
        wanted = _last_request(world, state, agent, talk).left
        if agent in world.movers(state) and set(wanted[:1]) - {*world.legal(state, agent)}:
            wanted = []
        plan = [{agent: action} for action in _with_rests(wanted or [world.idle])]
        return Planned(schedule=plan, lines={}, reasoning="what I am asked")

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """Return an action with another item, at an unknown place, or of an unknown kind."""
        try:
            verb, place, food, _ = read_action(action)
        except UnableError:
            return action
        world, _ = self.rebuild(situation)
        if fault == "wrong_item" and verb == PICKUP:
            others = sorted(world.kitchen.raw - {food})
            return f"{PICKUP}({draw.choice(others)},{place})"
        if fault == "forbidden_station" and place:
            return action.replace(place, "sink0")
        return "fly()" if fault == "illegal" else action


def _complete_setup(
    setup: Mapping[str, Any], state: Mapping[str, Any], talk: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the setup of a world from the block in a prompt, which has few names of food."""
    known = book()
    named = {*setup["raw"], *setup.get("made", ())}
    named |= {action.food for said in talk for action in read_requests(said["said"])} - {""}
    order = {state["order"]} if state.get("order") else set()
    foods = foods_of(tables_of(known.dishes.values(), known.besides), {*known.raw, *named, *order})
    return {
        **{name: setup[name] for name in ("grid", "cooks", "readers")},
        "raw": sorted({*known.raw, *setup["raw"]}),
        "foods": sorted(foods - {DISH}),
        "menu": sorted({*known.dishes, *order}),
        "plated": sorted(find_plated(known.dishes)),
        "mode": "",
    }


def _goal(world: CollabWorld, state: CollabState) -> Any:
    return solved("collab-overcooked", "useful:goal_of")(
        world.kitchen, state.order or "", state.tables
    )


def _lead_on(world: CollabWorld, state: CollabState, name: str) -> str:
    """Return the next action of a cook towards the order.

    Return `world.idle` if the cook has none, or if the action is not legal now.
    """
    goal, number = _goal(world, state), world.kitchen.cooks.index(name)
    plan_from = solved("collab-overcooked", "fewest_actions:plan_from")
    moves = plan_from(goal, state.scene, number) if goal else []
    action = next((each.action for each in moves if each.number == number), world.idle)
    return action if action in world.legal(state, name) else world.idle


def _ask(
    world: CollabWorld, state: CollabState, name: str, talk: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Return what a cook is to do next, until it lays something down or another cook must act.

    Return nothing while an earlier request to the cook is open.
    """
    goal = _goal(world, state)
    if goal is None or _last_request(world, state, name, talk).is_open(state.timestep):
        return []
    number = world.kitchen.cooks.index(name)
    wanted: list[str] = []
    for each in solved("collab-overcooked", "fewest_actions:plan_from")(goal, state.scene, number):
        if each.number != number:
            break
        wanted.append(each.action)
        if read_action(each.action).verb == PLACE:
            break
    return wanted


class _Request(NamedTuple):
    """The last request to a cook."""

    timestep: int
    left: Sequence[str]
    """The actions that are not done yet."""

    def is_open(self, now: int) -> bool:
        """Return whether the request is still open at timestep `now`.

        It is open if actions are left, and fewer than PATIENCE timesteps for each of these have
        passed since it was made.
        """
        return bool(self.left) and now - self.timestep < PATIENCE * len(self.left)


def _last_request(
    world: CollabWorld, state: CollabState, name: str, talk: Sequence[Mapping[str, Any]]
) -> _Request:
    """Return the last request to a cook, which takes the place of all earlier ones."""
    done = [str(read_action(text)) for text in state.done[world.kitchen.cooks.index(name)]]
    for said in reversed(talk):
        wanted = [*map(str, read_requests(said["said"]))]
        if said["agent"] != name and wanted:
            lengths = range(min(len(wanted), len(done)), -1, -1)
            count = next(n for n in lengths if wanted[:n] == done[len(done) - n :])
            return _Request(said.get("t", 0), wanted[count:])
    return _Request(0, ())


def _with_rests(actions: Sequence[str]) -> list[str]:
    """Return actions with a wait after each that starts a utensil."""
    found: list[str] = []
    for action in actions:
        found.append(action)
        if action.partition("(")[0] in STARTED:
            found.append(_REST)
    return found


SCRIPT = CollabScript
