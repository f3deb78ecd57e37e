"""The keys of questions agree with a second computation, by the rules of the worlds alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from cookmas.episodes.world import Command
from cookmas.world_names import domain_of
from cookmas.worlds.base.question_suite import QUESTIONS, read_suite
from cookmas.worlds.base.questions import KINDS, Kind, Question
from cookmas.worlds.questions.domain import DOMAIN
from cookmas.worlds.rooms.questions import NEVER

ROOMS = ("collab-capture", "collab-escape")


def played(world_name: str, seed: int) -> Iterator[tuple[Any, Any]]:
    """Yield a world and the states of a play with drawn actions."""
    scenario: Any = domain_of(world_name).scenario("building", {})
    world, draw = scenario.world(), Random(seed)
    state = world.start()
    for _, event in scenario.events():
        state, _ = world.apply(state, event)
    while not world.is_finished(state) and state["timestep"] < 12:
        yield world, state
        commands = [Command(x, draw.choice(list(world.legal(state, x)))) for x in world.workers]
        state, _, _ = world.step(state, commands)


def asked(world_name: str, kind: Kind, about: str) -> list[tuple[Any, Any, str, Question]]:
    """Return the questions of a kind in some plays, with the world, the state and the seat."""
    found = []
    for seed in range(8):
        for world, state in played(world_name, seed):
            seat = world.workers[seed % 2]
            ask = domain_of(world_name).questioner.ask
            draw = Random(seed)
            found += [
                (world, state, seat, question)
                for question in ask(world, world.observe(state, seat), seat, kind, draw)
                if question.about == about
            ]
    return found


def do(world: Any, state: Any, **actions: str) -> Any:
    """Return the state after a turn; a player without an action stays."""
    commands = [Command(x, actions.get(x, world.idle)) for x in world.workers]
    return world.step(state, commands)[0]


@pytest.mark.parametrize("name", ROOMS)
def test_a_distance_is_the_number_of_moves_that_the_rules_need(name: str) -> None:
    questions = asked(name, "comprehension", "distance")
    assert len(questions) > 20
    for world, state, seat, question in questions:
        goal = int(question.text.rpartition("room ")[2].rstrip("?"))
        rooms, turns = {state["players"][seat]}, 0
        while goal not in rooms and turns < 20:
            turns += 1
            rooms |= {
                int(action[len("move(") : -1])
                for room in rooms
                for action in world.legal(
                    {**state, "players": {**state["players"], seat: room}}, seat
                )
                if action.startswith("move(")
            }
        assert question.right == ([str(turns)] if goal in rooms else [NEVER])


def test_the_thief_is_where_the_rules_bring_it() -> None:
    questions = asked("collab-capture", "comprehension", "thief")
    assert len(questions) > 20
    for world, state, _, question in questions:
        assert question.right == [str(do(world, state)["thief"])]


def test_a_player_meets_the_killer_where_the_rules_say_so() -> None:
    questions = asked("collab-escape", "comprehension", "killer")
    assert len(questions) > 10
    for world, state, seat, question in questions:
        met = []
        for action in question.options:
            after = do(world, state, **{seat: action})
            if after["players"][seat] == after["killer"]:
                met.append(action)
        assert list(question.right) == met


@pytest.mark.parametrize("kind", ["mind", "planning"])
def test_the_best_moves_catch_the_thief_earliest(kind: Kind) -> None:
    about = "optimal partner" if kind == "mind" else "best move"
    questions = asked("collab-capture", kind, about)
    assert len(questions) > 5

    def fewest(world: Any, state: Any, most: int) -> int:
        """Return the fewest turns to a capture, by trying all joint moves; 99 if `most` are few."""

        @cache
        def search(players: tuple[int, int], thief: int, doors: tuple[bool, ...], left: int) -> int:
            there = {
                **state,
                "timestep": 1,
                "players": dict(zip(world.workers, players, strict=True)),
                "thief": thief,
                "doors": dict(zip(state["doors"], doors, strict=True)),
            }
            if left == 0:
                return 99
            best = 99
            one, two = world.workers
            for first in world.legal(there, one):
                for second in world.legal(there, two):
                    after = do(world, there, **{one: first, two: second})
                    turns = 1
                    if not after["caught"]:
                        turns += search(
                            tuple(after["players"].values()),
                            after["thief"],
                            tuple(after["doors"].values()),
                            min(left, best) - 1,
                        )
                    best = min(best, turns)
            return best

        players = tuple(state["players"].values())
        return search(players, state["thief"], tuple(state["doors"].values()), most)

    for world, state, seat, question in questions[:4]:
        partner = next(name for name in world.workers if name != seat)
        mover = seat if kind == "planning" else partner
        other = partner if kind == "planning" else seat
        if state["timestep"] == 0:
            continue
        turns = dict[str, int]()
        for action in question.options:
            afters = [
                do(world, state, **{mover: action, other: reply})
                for reply in world.legal(state, other)
            ]
            turns[action] = min(1 if x["caught"] else 1 + fewest(world, x, 4) for x in afters)
        best = min(turns.values())
        if best < 5:
            assert set(question.right) == {x for x, count in turns.items() if count == best}


def test_the_keys_of_a_shipped_suite_are_computed_again() -> None:
    for path in DOMAIN.folder.glob("*.jsonl"):
        suite = read_suite(path)
        if suite.head.version != QUESTIONS:
            continue
        lines = suite.questions.values()
        searched = ("overcooked", "hanabi", "robotouille")
        quick = [x for x in lines if x.kind != "planning" or x.of not in searched]
        some = Random(1).sample(quick, 40)
        assert all(DOMAIN.find_fault(line) is None for line in some)
        assert {line.kind for line in lines} == set(KINDS)
