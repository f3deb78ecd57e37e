"""The proofs of what models are told about Collab Escape."""

from __future__ import annotations

from cookmas.worlds.base.voice import VOICE
from cookmas.worlds.collab_escape.rules import Flight
from cookmas.worlds.collab_escape.world import EscapeWorld
from tests.worlds.rooms.opened import ESCAPE, opened
from tests.worlds.telling import Rule, page, quoted, told

PAGE = page("reference/collab-games-rules.md")
NONE = (0, 0)


def world() -> EscapeWorld:
    made = opened(ESCAPE)
    assert isinstance(made, EscapeWorld)
    return made


def rules_told() -> str:
    return told(world(), VOICE)


def leads(room: int, *others: int) -> None:
    assert world().ways.get(room) == others


def have_generators(*rooms: int) -> None:
    assert tuple(world().level.generators) == rooms


def wins(room: int) -> None:
    engine = world().engine
    assert engine.is_won(Flight((room, 1), 4, (2, 2), None)) is True
    assert engine.is_won(Flight((room, 1), 4, (2, 1), None)) is None


def loses() -> None:
    assert world().engine.is_won(Flight((4, 1), 4, NONE, None)) is False


def loses_first() -> None:
    assert world().engine.is_won(Flight((7, 1), 1, (2, 2), None)) is False


def fixes(players: tuple[int, int], before: tuple[int, int], *moves: int) -> tuple[int, ...]:
    """Return the fixes after a turn."""
    one, two = moves
    return world().engine.turn(Flight(players, 4, before, None), (one, two), 5).fixes


def is_fixed() -> None:
    assert fixes((1, 6), NONE, -1, -1) == (1, 1)
    assert fixes((1, 6), NONE, 2, 5) == (0, 0)


def repairs(count: int) -> None:
    assert world().engine.is_won(Flight((7, 1), 4, (count, count), None)) is True
    assert world().engine.is_won(Flight((7, 1), 4, (count - 1, count), None)) is None
    assert fixes((2, 3), (count, 0), 0, 0) == (count, 0)


def is_repaired_together() -> None:
    assert fixes((1, 1), NONE, -1, -1) == (2, 0)


def falls_back() -> None:
    assert fixes((1, 2), (1, 0), 0, 0) == (0, 0)
    assert fixes((1, 2), (1, 0), -1, 0) == (2, 0)


def sees_ahead() -> None:
    assert world().engine.begin((3, 1), 4).target == 0
    assert world().engine.begin((6, 7), 8).target == 1
    assert world().engine.begin((4, 1), 6).target is None


def goes_where_the_player_was() -> None:
    engine = world().engine
    assert list(engine.goals(engine.begin((3, 1), 4))) == [3]


def follows_the_new_one() -> None:
    engine = world().engine
    before = engine.begin((2, 1), 3)
    assert before.target == 0
    assert engine.turn(before, (3, 0), 2).target == 1


def follows_on() -> None:
    engine = world().engine
    assert engine.begin((1, 3), 2).target == 0
    assert engine.turn(Flight((1, 3), 2, NONE, 1), (2, 4), 3).target == 1
    assert engine.turn(Flight((10, 4), 7, NONE, None), (1, 3), 2).target == 0


def goes_anywhere() -> None:
    engine = world().engine
    assert list(engine.goals(engine.begin((1, 2), 6))) == [5, 7]


def never_stays() -> None:
    assert all(room not in others for room, others in world().ways.items())


def stands_still() -> None:
    after = world().engine.turn(Flight((1, 2), 4, NONE, None), (0, 0), 5)
    assert after.players == (1, 2)


def goes() -> None:
    after = world().engine.turn(Flight((1, 2), 4, NONE, None), (10, 3), 5)
    assert after.players == (10, 3)


RULES = (
    Rule(
        "Two players, alice and bob, flee from the killer in a building of rooms.",
        ("Two players flee from the killer in a building of rooms.",),
    ),
    quoted("A way leads from one room to another, and not always back.", lambda: leads(7, 3, 6)),
    Rule(
        "The game is won if all generators are repaired and a player is in the exit, room <n>.",
        ("The game is won if all generators are repaired and a player is in the exit.",),
        wins,
    ),
    quoted("It is lost if the killer is in the room of a player after a turn.", loses),
    quoted("If both happen, it is lost.", loses_first),
    quoted("A player fixes the generator in its room.", is_fixed),
    quoted("A generator is repaired for good after <n> fixes.", repairs),
    quoted("Two players who fix it together repair it in one turn.", is_repaired_together),
    quoted(
        "If nobody fixes it in a turn before it is repaired, all earlier fixes of it are lost.",
        falls_back,
    ),
    quoted("Both players choose at once, and the killer before them.", goes_where_the_player_was),
    quoted("It sees the players in the rooms to which a way leads from its own.", sees_ahead),
    quoted(
        "If it sees one player, it goes to the room in which this player is before the turn.",
        goes_where_the_player_was,
    ),
    quoted(
        "If it sees both, it follows the one that it did not see a turn before.",
        follows_the_new_one,
    ),
    Rule(
        "If it saw both or none then, it follows the player it followed, or else alice.",
        ("If it saw both or none then, it follows the player it followed, or else the first",),
        follows_on,
    ),
    quoted("If it sees nobody, it goes to a random room to which a way leads.", goes_anywhere),
    quoted("It never stays.", never_stays),
    Rule("Characters for whom nobody here decides: killer.", ("flee from the killer",)),
    Rule("From room <n> a way leads to rooms <n> and <n>.", (), leads),
    Rule("From room <n> a way leads to rooms <n>, <n> and <n>.", (), leads),
    Rule("Generators: rooms <n> and <n>.", (), have_generators),
    quoted("`move(ROOM)`: go to a room to which an open way leads.", goes),
    quoted("`fix`: fix the generator in the room.", is_fixed),
    Rule("`wait`: stay in the room.", ("stay in the room.",), stands_still),
)
