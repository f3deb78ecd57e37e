"""The second computation of keys: by trying in the world what a question asks about.

It uses the steps of worlds and what they show, and nothing of the code that asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.questions.cards import list_possible_cards
from benchmarks.questions.missing import cook_dish, deliver_soup, start_utensil
from benchmarks.questions.partners import find_newest, play_safely, seat_partner, walk_greedily
from benchmarks.questions.planning import (
    deliver_earliest,
    play_rooms,
    reach_earliest,
    serve_earliest,
)
from cookmas.episodes.world import Command
from cookmas.worlds.base.questions import VIEW, Question
from cookmas.worlds.overcooked.rules.places import places_of

DIRECTIONS = ((0, -1), (0, 1), (1, 0), (-1, 0))

Again = Callable[[Any, Any, str, Question], set[str] | None]


def compute_again(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the right options by trying; None if the question is not tried again.

    `state` is what `seat` sees.
    """
    about = question.about.removeprefix(f"{VIEW} ")
    if about != question.about and about != "own card":
        seat = question.text.partition(" is asked")[0]
    again = AGAIN.get((world.name, about)) or AGAIN.get(("", about))
    return again(world, state, seat, question) if again else None


def _do(world: Any, state: Any, actions: Mapping[str, str]) -> tuple[Any, Any]:
    commands = [Command(x, actions.get(x, world.idle)) for x in world.workers]
    after, outcomes, _ = world.step(state, commands)
    return after, outcomes


def _try_actions(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the options that do not FAIL while the others do nothing."""
    return {x for x in question.options if _do(world, state, {seat: x})[1][seat].done}


def _walk_rooms(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    words = question.text.partition("from room ")[2].split()
    goal = int(words[3].rstrip("?"))
    rooms = {int(words[0])}
    for turns in range(len(world.ways) + 1):
        if goal in rooms:
            return {str(turns)}
        rooms |= {
            int(action[len("move(") : -1])
            for room in rooms
            for action in world.legal({**state, "players": {**state["players"], seat: room}}, seat)
            if action.startswith("move(")
        }
    return {"it cannot"}


def _move_thief(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    return {str(_do(world, state, {})[0]["thief"])}


def _meet_killer(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    afters = {x: _do(world, state, {seat: x})[0] for x in question.options}
    return {x for x, after in afters.items() if after["players"][seat] == after["killer"]}


def _walk_cells(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the number of moves to a place in Collab-Overcooked."""
    place = question.text.partition("to face ")[2].partition(" at the")[0]
    (goal,) = world.kitchen.places[place]
    moves = _flood(world, state, seat, goal)
    return {"no way" if moves is None else str(moves)}


def _find_way(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return whether a way leads to a place in Overcooked-AI, around the others or through them."""
    if state.scene.gates:
        return None
    goal = places_of(world.kitchen)[question.text.partition("to face ")[2].split()[0]]
    around, through, no_way = question.options
    if _flood(world, state, seat, goal) is not None:
        return {around}
    return {no_way if _flood(world, state, seat, goal, alone=True) is None else through}


def _find_nearest(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the places of Overcooked-AI among the options to which the fewest moves lead."""
    if state.scene.gates:
        return None
    places = places_of(world.kitchen)
    far = {x: _flood(world, state, seat, places[x]) for x in question.options}
    least = min(moves for moves in far.values() if moves is not None)
    return {x for x, moves in far.items() if moves == least}


def _flood(world: Any, state: Any, seat: str, goal: Any, *, alone: bool = False) -> int | None:
    """Return the fewest moves of a cook to face a cell; None if there is no way.

    The other cooks stand still, or are not there if it is `alone`.
    """
    kitchen, number = world.kitchen, world.workers.index(seat)
    bodies = [cook.body for cook in state.scene.cooks]
    others = set() if alone else {x.at for n, x in enumerate(bodies) if n != number}
    free = kitchen.grid.floor - others
    reached = {(bodies[number].at, bodies[number].faces)}
    for moves in range(4 * len(kitchen.grid.floor)):
        if any(faces == goal for _, faces in reached):
            return moves
        for (x, y), _ in reached.copy():
            for right, down in DIRECTIONS:
                to = (x + right, y + down)
                if to in free:
                    reached.add((to, (to[0] + right, to[1] + down)))
                elif to not in others:
                    reached.add(((x, y), to))
    return None


def _wait_until(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return at which timestep a utensil or a tool is ready, by waiting for it."""
    _, _, after = question.text.partition(" out of " if world.name == "cuisineworld" else " has ")
    place = after.split()[0]
    for timestep in range(state.timestep, state.timestep + 30):
        if world.name == "cuisineworld":
            ready = place not in state.busy
        else:
            told = [text for text in world.narrate(state, seat) if text.startswith(place)]
            ready = any("has made" in text for text in told)
        if ready:
            return {str(timestep)}
        state, _ = _do(world, state, {})
    return None


def _read_facts(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the needs that are not among the facts of a state's plain data."""
    changing, true = world.domain.changing, set(world.dump(state)["true"])
    if any(x.partition("(")[0] not in changing for x in question.options):
        return None
    return {x for x in question.options if x not in true}


def _touch(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    action = question.text.removeprefix("Which slots does ").removesuffix(" touch?")
    other, value = action[len("clue(") : -1].replace(" ", "").split(",")[:2]
    cards = [card["card"] for card in state["hands"][other]]
    value = value if value.isdigit() else value[0].upper()
    slots = [str(n) for n, card in enumerate(cards, start=1) if value in card]
    return {" and ".join(slots)}


def _need_next(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    return {x for x in question.options if state["fireworks"][x[0]] + 1 == int(x[1:])}


def _deal_cards(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the cards for which some deal of all unseen cards fits all clues about a hand."""
    owner = seat if "your card" in question.text else question.text.partition(" does")[0]
    slot = int(question.text.partition("slot ")[2].split()[0]) - 1
    cards = list_possible_cards(world, state, {seat, owner}, owner, slot)
    return cards.intersection(question.options)


AGAIN: Mapping[tuple[str, str], Again] = {
    ("", "legal"): _try_actions,
    ("", "distance"): _walk_rooms,
    ("", "thief"): _move_thief,
    ("", "killer"): _meet_killer,
    ("collab-overcooked", "reach"): _walk_cells,
    ("overcooked", "reach"): _find_way,
    ("overcooked", "nearest"): _find_nearest,
    ("collab-overcooked", "ready"): _wait_until,
    ("cuisineworld", "ready"): _wait_until,
    ("", "blocked"): _read_facts,
    ("", "touched"): _touch,
    ("", "playable"): _need_next,
    ("", "own card"): _deal_cards,
    ("cuisineworld", "missing"): cook_dish,
    ("overcooked", "missing"): deliver_soup,
    ("collab-overcooked", "missing"): start_utensil,
    ("collab-capture", "greedy partner"): walk_greedily,
    ("collab-escape", "greedy partner"): walk_greedily,
    ("", "greedy partner"): seat_partner,
    ("", "reference partner"): seat_partner,
    ("", "meaning of a clue"): find_newest,
    ("", "safe play"): play_safely,
    ("", "optimal partner"): play_rooms,
    ("collab-capture", "best move"): play_rooms,
    ("collab-escape", "best move"): play_rooms,
    ("cuisineworld", "best action"): serve_earliest,
    ("collab-overcooked", "best action"): deliver_earliest,
    ("robotouille", "best action"): reach_earliest,
}
"""How the questions about a word are tried again, by the world, or by none for all worlds."""
