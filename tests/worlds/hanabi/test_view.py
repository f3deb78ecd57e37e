"""Hanabi in words for people: hands, what their owners know, fireworks, tokens and moves."""

from __future__ import annotations

from cookmas.world_names import domain_of
from cookmas.worlds.hanabi.view import HanabiViewing
from cookmas.worlds.hanabi.world import HanabiWorld, Table
from tests.worlds.hanabi.playing import dealt, do, opened

VIEWING = domain_of("hanabi").viewing
SMALL = {"players": 2, "colours": 2, "ranks": 3, "hand": 2, "clues": 3, "lives": 2}
DECK = ["R1", "Y2", "R2", "Y1", "R1", "R3"]


def lines(world: HanabiWorld, table: Table) -> dict[str, dict[str, tuple[str, str]]]:
    """Return what and note of each line, by panel and name."""
    return {
        panel.title: {item.name: (item.what, item.note) for item in panel.items}
        for panel in VIEWING.panels(world, table)
    }


def test_hands_are_shown_with_what_was_told_and_what_can_be() -> None:
    world, table = dealt(DECK, **SMALL)
    table = do(world, table, "clue(bob,2)", "clue(alice,red)")
    shown = lines(world, table)
    assert list(shown) == ["cards of alice", "cards of bob", "table", "discards", "last moves"]
    assert shown["cards of alice"]["1"] == ("red 1", "told red; can be red 1 2 3")
    assert shown["cards of alice"]["2"] == ("yellow 2", "can be yellow 1 2 3")
    assert shown["cards of bob"]["1"] == ("red 2", "told 2; can be red or yellow 2")
    assert shown["cards of bob"]["2"] == ("yellow 1", "can be red or yellow 1 3")


def test_a_player_sees_its_own_cards_nowhere() -> None:
    world, table = dealt(DECK, **SMALL)
    shown = lines(world, world.observe(table, "bob"))
    assert shown["cards of bob"]["1"] == ("not seen", "can be any card")
    assert shown["cards of alice"]["1"][0] == "red 1"


def test_what_its_owner_counts_is_left_out() -> None:
    world, table = dealt(["R1", "R1", "R1", "R3"], **SMALL)
    shown = lines(world, table)
    assert shown["cards of bob"]["1"][1] == "can be any card"
    assert shown["cards of alice"]["1"][1] == "can be red 1 2, yellow 1 2 3"


def test_the_table_has_the_tokens_the_deck_and_the_score() -> None:
    world, table = dealt(DECK, **SMALL)
    table = do(world, table, "play(1)", "clue(alice,yellow)", "play(1)", "discard(2)")
    shown = lines(world, table)
    assert shown["table"] == {
        "to move": ("alice", ""),
        "fireworks": ("red 1, yellow 0", "score 1"),
        "clue tokens": ("3 of 3", ""),
        "life tokens": ("1 of 2", ""),
        "deck": ("5 cards", ""),
    }
    assert shown["discards"] == {"yellow": ("1 2", "")}
    assert shown["last moves"] == {
        "alice": ("plays card 1: yellow 2, which does not fit", ""),
        "bob": ("discards card 2: yellow 1", ""),
    }
    [tokens] = [p for p in VIEWING.panels(world, table) if p.title == "table"]
    assert [item.name for item in tokens.items if item.alarming] == ["life tokens"]


def test_the_moves_that_are_left_are_told_once_the_deck_is_empty() -> None:
    world, table = dealt(DECK, **SMALL)
    while table["left"] is None:
        kind = (
            "discard(1)"
            if table["clues"] < 3
            else f"clue({world.workers[1 - world.workers.index(table['player'])]},"
        )
        legal = world.legal(table, table["player"])
        table = do(world, table, next(each for each in legal if each.startswith(kind)))
    assert lines(world, table)["table"]["deck"] == ("0 cards", "2 moves left")


def test_fireworks_are_goals_that_are_complete_or_cannot_grow() -> None:
    world, table = dealt(["R1", "Y2", "R2", "Y2", "R3", "Y3"], **SMALL)

    def goals(table: Table) -> list[tuple[str, str, str, str, bool]]:
        each = VIEWING.goals(world, table)
        return [(g.name, g.what, g.note, g.status, g.lost) for g in each]

    assert goals(table) == [
        ("red", "0 of 3", "", "open", False),
        ("yellow", "0 of 3", "", "open", False),
    ]
    table = do(world, table, "play(1)", "play(1)", "play(1)")
    assert table["lives"] == 1
    assert goals(table)[0] == ("red", "2 of 3", "", "open", False)
    lost = {**table, "discards": ["Y2", "Y2"]}
    assert goals(lost)[1] == ("yellow", "0 of 3", "at most 1", "open", False)
    lost = {**table, "discards": ["Y1", "Y1", "Y1"]}
    assert goals(lost)[1] == ("yellow", "0 of 3", "", "ends at 0", True)
    full = {**table, "fireworks": {"R": 3, "Y": 0}}
    assert goals(full)[0] == ("red", "3 of 3", "", "complete", False)
    over = {**table, "lives": 0}
    assert [goal[3:] for goal in goals(over)] == [("ends at 2", True), ("ends at 0", True)]


def test_moves_and_events_are_told_in_words() -> None:
    world, table = opened(**SMALL)

    def words(action: str) -> str:
        return VIEWING.action(world, table, "alice", action)

    assert words("play(2)") == "plays card 2"
    assert words("discard(1)") == "discards card 1"
    assert words("clue(bob,red)") == "tells bob which cards are red"
    assert words("clue(bob,2)") == "tells bob which cards are 2s"
    assert words("wait") == "waits"
    assert words("dance") == "dance"
    assert VIEWING.event({"kind": "deal", "deck": DECK}) == "the cards are dealt"
    assert VIEWING.event({"kind": "begin", "seed": 4}) == "begin"
    assert isinstance(VIEWING, HanabiViewing)
    assert (VIEWING.terms.goals, VIEWING.terms.reached) == ("fireworks", "complete")
