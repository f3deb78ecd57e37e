"""The second computation of what a partner does, and of what a clue means or brings about.

A partner whose policy is stated sits down in its seat, as the planner of that name, and acts on
what it sees itself.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

from benchmarks.questions.cards import list_possible_cards
from cookmas.episodes.world import Command
from cookmas.orchestrator.planner import Observation, commands_of
from cookmas.sandbox.importing import import_named
from cookmas.world_names import domain_of
from cookmas.worlds.base.questions import Question

ALIKE = 20
"""Number of tables of Hanabi that a player cannot tell apart and that are compared."""


def seat_partner(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return what the planner does that the question states."""
    found = re.search(r"What does (\w+) (?:do|begin) now", question.text)
    assert found
    partner, name = found[1], question.about.removesuffix(" partner")
    planner = import_named(domain_of(world.name).planners[name], name)()
    there: Observation[Any] = Observation(
        timestep=state.timestep,
        triggers=(),
        world=world,
        state=world.observe(state, partner),
        texts={},
        fails={},
        agent=partner,
    )
    if hasattr(planner, "act"):
        return {planner.act(there)}
    first, *_ = asyncio.run(planner.plan(there)).schedule
    return {dict(commands_of(first)).get(partner, world.idle)}


def walk_greedily(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the steps that bring a player nearer, by trying all ways from each room."""
    partner = question.text.split()[0]

    def list_steps(room: int) -> dict[int, str]:
        players = {**state["players"], partner: room}
        legal = world.legal({**state, "players": players}, partner)
        return {int(x[len("move(") : -1]): x for x in legal if x.startswith("move(")}

    def count_turns(room: int) -> int | None:
        rooms, turns = {room}, 0
        while turns <= len(world.ways):
            if rooms & goals:
                return turns
            rooms, turns = rooms.union(*map(list_steps, rooms)), turns + 1
        return None

    here = state["players"][partner]
    if world.name == "collab-capture":
        goals = {state["thief"]}
    else:
        broken = {int(room) for room, count in state["fixes"].items() if count < 2}
        goals = broken or {world.level.exit}
        if here in broken:
            return {world.act}
    far = {x: count_turns(room) for room, x in list_steps(here).items()}
    least = min((turns for turns in far.values() if turns is not None), default=None)
    now = count_turns(here)
    if least is None or now is None or least >= now:
        return {world.idle}
    return {x for x, turns in far.items() if turns == least}


def find_newest(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the newest card that has what a clue tells on all tables that fit what is seen."""
    value = question.text.partition(": ")[2].partition(")")[0].split(",")[1].strip()
    value = value if value.isdigit() else value[0].upper()
    tables = [world.draw_alike(state, seat, seed) for seed in range(ALIKE)]
    touched = [
        slot
        for slot, entry in enumerate(state["hands"][seat], start=1)
        if all(value in table["hands"][seat][slot - 1]["card"] for table in tables)
        and entry["rank_told" if value.isdigit() else "colour_told"]
    ]
    return {f"slot {max(touched)}"}


def play_safely(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the clues after which each card that one of the partner's can be is needed next."""
    right = set[str]()
    for clue in question.options:
        partner = clue.removeprefix("clue(").partition(",")[0]
        after, _, _ = world.step(world.draw_alike(state, seat, 1), [Command(seat, clue)])
        for slot in range(len(after["hands"][partner])):
            cards = list_possible_cards(world, after, {seat, partner}, partner, slot)
            if cards and all(after["fireworks"][x[0]] + 1 == int(x[1:]) for x in cards):
                right.add(clue)
    return right
