"""The rules of Collab Capture, said of any turn on a map with two doors."""

from __future__ import annotations

from itertools import product

import pytest

from cookmas.worlds.collab_capture.rules import CaptureEngine, Chase, Door
from cookmas.worlds.rooms.rules import ACT, STAY, JointMove

WAYS = {1: (4, 2), 2: (1, 3), 3: (2, 4), 4: (3, 1)}
DOORS = [Door((1, 2), button=3), Door((3, 4), button=1)]
CLOSED = {(1, 2): 0, (2, 1): 0, (3, 4): 1, (4, 3): 1}
"""The number of the door on a way."""

ENGINE = CaptureEngine(WAYS, DOORS)
TURNS: list[tuple[Chase, JointMove]] = [
    (position, joint)
    for one, two, thief in product(WAYS, repeat=3)
    for doors in product((True, False), repeat=2)
    for begun in (True, False)
    for position in [Chase((one, two), thief, doors, begun)]
    for joint in product(ENGINE.moves(position, 0), ENGINE.moves(position, 1))
]


def neighbours(room: int, doors: tuple[bool, ...]) -> list[int]:
    return [x for x in WAYS[room] if (room, x) not in CLOSED or doors[CLOSED[room, x]]]


def test_a_player_stays_goes_where_no_door_is_closed_or_presses_a_button() -> None:
    for position, _ in TURNS[::7]:
        for player, room in enumerate(position.players):
            press = [ACT] if room in (1, 3) else []
            legal = [STAY, *neighbours(room, position.doors), *press]
            assert sorted(ENGINE.moves(position, player)) == sorted(legal)


def test_a_turn() -> None:
    """The thief goes to the first room, by the order of ways, that is farthest from the nearer
    player by number. Who is with it or has passed it has caught it, but passing does not count in
    the first turn.
    """
    passed = 0
    for position, joint in TURNS:
        before, thief = position.players, position.thief
        after = ENGINE.turn(position, joint)
        players = tuple(
            move if move in WAYS else room for move, room in zip(joint, before, strict=True)
        )
        assert after.players == players
        ways = neighbours(thief, position.doors)
        if ways:
            distances = [min(abs(room - x) for x in players) for room in ways]
            assert after.thief == ways[distances.index(max(distances))]
        else:
            assert after.thief == thief
        changed = [
            goes == thief != came == after.thief for goes, came in zip(players, before, strict=True)
        ]
        caught = after.thief in players or (position.begun and any(changed))
        assert after.caught is caught
        assert ENGINE.is_won(after) is (True if caught else None)
        passed += any(changed) and after.thief not in players
        pressed = [room for move, room in zip(joint, before, strict=True) if move == ACT]
        turned = [pressed.count(door.button) % 2 == 1 for door in DOORS]
        assert after.doors == tuple(x != y for x, y in zip(position.doors, turned, strict=True))
        assert ENGINE.results(position, joint) == ((1.0, after),)
    assert passed > 9


@pytest.mark.parametrize("player", [0, 1])
def test_who_passes_the_thief_catches_it_but_for_the_first_turn(player: int) -> None:
    players = (4, 2) if player == 0 else (2, 4)
    joint = (3, STAY) if player == 0 else (STAY, 3)
    position = Chase(players, 3, (True, True))
    after = ENGINE.turn(position, joint)
    assert (after.thief, after.caught) == (4, True)
    assert not ENGINE.turn(position._replace(begun=False), joint).caught
