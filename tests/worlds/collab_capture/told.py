"""The proofs of what models are told about Collab Capture."""

from __future__ import annotations

from cookmas.worlds.base.voice import VOICE
from cookmas.worlds.collab_capture.rules import CaptureEngine, Chase, Door
from cookmas.worlds.collab_capture.world import CaptureWorld
from tests.worlds.rooms.opened import CAPTURE, opened
from tests.worlds.telling import Rule, page, quoted, told

PAGE = page("reference/collab-games-rules.md")
OPEN = (True, True)


def world() -> CaptureWorld:
    made = opened(CAPTURE)
    assert isinstance(made, CaptureWorld)
    return made


def rules_told() -> str:
    return told(world(), VOICE)


def turn(
    players: tuple[int, int],
    thief: int,
    *moves: int,
    doors: tuple[bool, bool] = OPEN,
    begun: bool = True,
) -> Chase:
    """Return the position after a turn, in which the players stay if they have no moves."""
    one, two = moves or (0, 0)
    return world().engine.turn(Chase(players, thief, doors, begun), (one, two))


def leads(room: int, *others: int) -> None:
    assert world().ways.get(room) == others


def has_a_door(one: int, other: int, button: int) -> None:
    doors = [(*door.between, door.button) for door in world().level.doors]
    assert (one, other, button) in doors


def shuts() -> None:
    assert 2 not in world().engine.moves(Chase((1, 6), 3, (False, True)), 0)
    assert turn((8, 9), 2, doors=(False, True)).thief == 3


def toggles() -> None:
    assert turn((9, 6), 3, -1, 0, doors=(False, True)).doors == (True, True)
    assert turn((9, 6), 3, -1, 0).doors == (False, True)


def cancel() -> None:
    assert turn((9, 9), 3, -1, -1).doors == OPEN


def goes_far() -> None:
    assert turn((3, 3), 5, 4, 0).thief == 7


def sees_where_they_go() -> None:
    assert turn((1, 6), 3, 2, 0).thief == 4


def takes_the_first() -> None:
    assert turn((1, 5), 3).thief == 2


def stays() -> None:
    engine = CaptureEngine({1: (2,), 2: (1,)}, [Door((1, 2), 2)])
    assert engine.turn(Chase((2, 2), 1, (False,)), (0, 0)).thief == 1
    assert engine.turn(Chase((2, 2), 1, (True,)), (0, 0)).thief == 2


def passes() -> None:
    after = turn((4, 8), 1, 3, -1)
    assert after.players == (3, 8)
    assert after.doors == (True, False)


def is_caught() -> None:
    assert turn((5, 8), 7).caught
    assert not turn((1, 2), 5).caught


def is_caught_in_passing() -> None:
    assert turn((7, 1), 8, 8, 0).caught
    assert not turn((7, 1), 8, 8, 0, begun=False).caught


def has_a_button() -> None:
    assert "press" not in world().legal(world().start(), "bob")
    assert -1 in world().engine.moves(Chase((9, 1), 2, OPEN), 0)


def stands_still() -> None:
    assert turn((9, 6), 2).players == (9, 6)


RULES = (
    Rule(
        "Two players, alice and bob, catch the thief in a building of rooms.",
        ("Two players catch the thief in a building of rooms.",),
        is_caught,
    ),
    quoted("Ways between rooms lead in both directions."),
    quoted("A closed door shuts a way off for everybody.", shuts),
    quoted("A press of its button opens a closed door and closes an open one.", toggles),
    quoted("Two presses of the same button in one turn change nothing.", cancel),
    quoted("Both players choose at once."),
    quoted("The thief sees to which rooms they go.", sees_where_they_go),
    quoted(
        "It goes to a room next to its own that is as far as possible from the nearer player.",
        goes_far,
    ),
    quoted("It stays only if every way is shut off.", stays),
    quoted("Distance is the difference between the numbers of two rooms.", goes_far),
    quoted(
        "If several rooms are as far, it goes to the one that the map names first.", takes_the_first
    ),
    quoted("All moves count with the doors as they were before the turn.", passes),
    quoted("So one can still pass a door in the turn in which it closes.", passes),
    quoted("The thief is caught if it is in the room of a player after the turn.", is_caught),
    quoted(
        "It is also caught if it and a player change rooms with each other, except in the "
        "first turn.",
        is_caught_in_passing,
    ),
    Rule("Characters for whom nobody here decides: thief.", ("catch the thief",)),
    Rule("Room <n> is next to room <n>.", (), leads),
    Rule("Room <n> is next to rooms <n> and <n>.", (), leads),
    Rule("Room <n> is next to rooms <n>, <n> and <n>.", (), leads),
    Rule(
        "A door is between rooms <n> and <n>; its button is in room <n>.",
        ("each `between` two rooms, with its `button`",),
        has_a_door,
    ),
    quoted("`move(ROOM)`: go to a room to which an open way leads.", shuts),
    quoted("`press`: press the button in the room.", has_a_button),
    Rule("`stay`: stay in the room.", ("stay in the room.",), stands_still),
)
