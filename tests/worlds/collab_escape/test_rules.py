"""Two fixes in one turn or in turns in a row repair a generator; otherwise they are lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cookmas.worlds.collab_escape.rules import NEEDED, EscapeEngine, Flight
from cookmas.worlds.rooms.rules import ACT, STAY

WAYS = {1: (2, 3), 2: (1, 3), 3: (1, 2), 4: (5,), 5: (4,)}
ROOMS = (1, 3)
"""The rooms with a generator; the killer is in another part of the map."""


def rooms_fixed(position: Flight, joint: tuple[int, int]) -> list[int]:
    """Return the room of each fix in a turn."""
    both = zip(position.players, joint, strict=True)
    return [room for room, move in both if move == ACT and room in ROOMS]


def fixes_in_a_row(turns: list[list[int]], room: int) -> int:
    """Return how many fixes of a room stand: those since the last turn without one, or all that
    came after it was repaired.
    """
    count = 0
    for fixed in turns:
        here = fixed.count(room)
        lost = here == 0 and count < NEEDED
        count = 0 if lost else count + here
    return count


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=14))
def test_fixes_that_do_not_follow_each_other_are_lost(choices: list[tuple[int, int]]) -> None:
    engine = EscapeEngine(WAYS, ROOMS, out=2)
    position, turns = engine.begin((1, 1), 4), list[list[int]]()
    for one, two in choices:
        legal = [engine.moves(position, player) for player in (0, 1)]
        joint = (legal[0][one % len(legal[0])], legal[1][two % len(legal[1])])
        turns.append(rooms_fixed(position, joint))
        position = engine.turn(position, joint, engine.goals(position)[0])
        repaired = [count >= NEEDED for count in position.fixes]
        assert repaired == [fixes_in_a_row(turns, room) >= NEEDED for room in ROOMS]


def test_one_fix_is_lost_after_a_turn_without_another() -> None:
    engine = EscapeEngine(WAYS, ROOMS, out=2)
    once = engine.turn(engine.begin((1, 2), 4), (ACT, STAY), 5)
    assert once.fixes == (1, 0)
    assert engine.turn(once, (STAY, STAY), 4).fixes == (0, 0)
    assert engine.turn(once, (ACT, STAY), 4).fixes == (2, 0)
    repaired = engine.turn(engine.begin((1, 1), 4), (ACT, ACT), 5)
    assert engine.turn(repaired, (STAY, STAY), 4).fixes == (2, 0)


def test_the_killer_goes_anywhere_with_equal_chances_or_to_whom_it_follows() -> None:
    engine = EscapeEngine(WAYS, ROOMS, out=2)
    for killer, target in [(1, None), (2, None), (4, None), (1, 0), (1, 1)]:
        position = Flight((2, 3), killer, (0, 0), target)
        results = engine.results(position, (STAY, STAY))
        goals = WAYS[killer] if target is None else (position.players[target],)
        assert [(chance, after.killer) for chance, after in results] == [
            (1 / len(goals), goal) for goal in goals
        ]
