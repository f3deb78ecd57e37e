"""A player learns nothing of its own cards: neither from the world, nor from words and numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings

import cookmas
from cookmas.bridges.pettingzoo import aec_env
from cookmas.display.page.feed import Feed
from cookmas.display.terminal import console
from cookmas.display.watch.scene import scene
from cookmas.episodes.checking_worlds import find_leaks
from cookmas.episodes.trace import Header
from cookmas.orchestrator.episode import header_of
from cookmas.studies.previewing import first_request
from cookmas.world_names import domain_of
from cookmas.worlds.base.training import Training
from cookmas.worlds.hanabi.rules import UNSEEN
from cookmas.worlds.hanabi.world import HanabiLevel, HanabiWorld, Table
from tests.worlds.hanabi.playing import SEEDS, dealt, do, levels, opened, tables

DOMAIN = domain_of("hanabi")

BOBS = ("R1", "R1", "R1", "R2", "R2")


def drawn(picture: Any) -> str:
    """Return a picture as text."""
    screen = console()
    with screen.capture() as shown:
        screen.print(picture)
    return shown.get()


def all_that_is_told(world: HanabiWorld, table: Table, player: str) -> str:
    """Return all words and numbers about a table that are made for a player."""
    seen = world.observe(table, player)
    numbers: Training = DOMAIN.training(world).of(player)
    viewing = DOMAIN.viewing
    told = [
        world.dump(seen),
        list(world.narrate(seen, player)),
        {name: [list(row) for row in rows] for name, rows in numbers.encode(seen).items()},
        list(numbers.legal(seen, player)),
        list(world.legal(seen, player)),
        drawn(scene(viewing, world, seen)),
        viewing.keys(world, seen, player),
    ]
    return json.dumps(told)


@settings(max_examples=6)
@given(levels(), SEEDS)
def test_two_tables_that_differ_in_own_cards_look_and_read_the_same(
    level: HanabiLevel, seed: int
) -> None:
    world, table = opened(seed, **level.setup())
    told = 0
    for at, each in enumerate(tables(world, table, seed)):
        for player in world.workers if at % 7 == 0 else ():
            other = world.draw_alike(each, player, seed)
            assert all_that_is_told(world, each, player) == all_that_is_told(world, other, player)
            told += 1
    assert told


@pytest.mark.parametrize("name", ["two", "small"])
def test_the_checker_tells_no_two_tables_apart(name: str) -> None:
    scenario: Any = DOMAIN.scenario(name, {})
    world = scenario.world()
    table, _ = world.apply(world.start(), {"kind": "begin", "seed": 3})
    states = [each for at, each in enumerate(tables(world, table, 3)) if at % 9 == 0]
    assert list(find_leaks(world, states)) == []


def test_own_cards_are_unseen_and_those_of_others_are_seen() -> None:
    world, table = dealt(["R1", "R2", "R3", "R4", "R5"], players=3)
    for player in world.workers:
        seen = world.observe(table, player)
        for name, hand in seen["hands"].items():
            cards = {each["card"] for each in hand}
            assert (cards == {UNSEEN}) is (name == player)
        assert set(seen["deck"]) == {UNSEEN}
        assert "seed" not in seen
    spectators = world.spectate(table)
    assert [each["card"] for each in spectators["hands"]["alice"]] == ["R1", "R2", "R3", "R4", "R5"]
    assert set(spectators["deck"]) == {UNSEEN}


def test_what_others_know_is_shown_without_the_own_cards() -> None:
    """Bob sees the only R5 in alice's hand, which alice must not conclude from what he knows."""
    hands = ["R5", "G1", "G1", "G1", "Y1"], ["R1", "R1", "R1", "R2", "R2"]
    world, table = dealt([*hands[0], *hands[1]], players=2)
    table = do(world, table, "clue(bob,red)")
    shown = {
        name: drawn(scene(DOMAIN.viewing, world, world.observe(table, name)))
        for name in world.workers
    }
    spectators = drawn(scene(DOMAIN.viewing, world, world.spectate(table)))
    assert "told red; can be red 1 2 3 4 5" in shown["alice"]
    for others in (shown["bob"], spectators):
        assert "told red; can be red 1 2 3 4" in others
        assert "told red; can be red 1 2 3 4 5" not in others
    assert "not seen" in shown["alice"].partition("cards of bob")[0]
    assert "not seen" in shown["bob"].partition("cards of bob")[2]
    assert "not seen" not in spectators


def test_planners_get_a_world_that_knows_neither_the_seed_nor_the_deck() -> None:
    deck = list(HanabiWorld(HanabiLevel()).game.cards)
    data = {"seed": 77, "events": [{"at": 0, "kind": "deal", "deck": deck}], "texts": {"a": "b"}}
    scenario: Any = DOMAIN.build("mine", DOMAIN.folder / "mine.yaml", data, {})
    world = scenario.world()
    assert (world.level.seed, world.level.events) == (0, [])
    assert world.level.texts == {"a": ""}
    assert world.lookups(world.start()) == ["a"]
    assert scenario.events()[1] == (0, {"kind": "deal", "deck": deck})


def entries_for(player: str | None) -> list[str]:
    """Return the entries of the page after a deal, for a player or a spectator."""
    scenario: Any = DOMAIN.scenario("two", {})
    world = scenario.world()
    header: Header = header_of(scenario, world, "random", "embedded", 120, "1")
    feed = Feed(header, None, player)
    trace = cookmas.play("hanabi/two", "alice=random,bob=random").trace
    return [json.dumps(feed.opening())] + [
        json.dumps(entry) for record in trace.records[1:] for entry in feed.take(record)
    ]


def test_the_entries_of_a_page_have_own_cards_for_spectators_alone() -> None:
    scenario: Any = DOMAIN.scenario("two", {})
    world = scenario.world()
    table, _ = world.apply(world.start(), scenario.events()[0][1])
    cards = {name: [x["card"] for x in hand] for name, hand in table["hands"].items()}

    def hands_in(entry: str) -> list[list[str]]:
        changes = json.loads(entry)["change"]
        return [
            [each["card"] for each in value] for path, value in changes if path[:1] == ["hands"]
        ]

    begun = {name: entries_for(name)[1] for name in (None, "alice", "bob")}
    assert hands_in(begun[None]) == [cards["alice"], cards["bob"]]
    assert hands_in(begun["alice"]) == [cards["bob"]]
    assert hands_in(begun["bob"]) == [cards["alice"]]


def test_the_prompt_of_a_player_is_the_same_whatever_cards_it_holds(tmp_path: Path) -> None:
    hands = ["B5", "Y5", "G5", "W5", "R5"], ["G4", "G4", "Y4", "B4", "W4"]
    prompts = []
    for deck in ((*hands[0], *BOBS), (*hands[1], *BOBS), (*hands[0], "Y1", *BOBS[1:])):
        _, table = dealt(list(deck), players=2)
        whole = [*deck, *reversed(table["deck"])]
        data = {"world": "hanabi", "events": [{"at": 0, "kind": "deal", "deck": whole}]}
        path = tmp_path / "given.yaml"
        path.write_text(yaml.safe_dump(data))
        prompts.append(repr(first_request(str(path), "alice=cac,bob=random")))
    assert prompts[0] == prompts[1]
    assert prompts[0] != prompts[2]


@pytest.mark.parametrize("name", ["two", "five"])
def test_what_is_trained_on_does_not_have_the_own_cards(name: str) -> None:
    env = aec_env(f"hanabi/{name}")
    env.reset(seed=4)
    game: Any = env.unwrapped
    held = game._get_stepped().state["hands"]
    for player in env.possible_agents:
        rows = env.observe(player)["observation"]["hands"]
        own = len(held[player])
        assert (rows[:own, 2:4] == -1).all()
        assert (rows[own:, 2:4] != -1).all()
        first = env.possible_agents.index(player) + 1
        after = env.possible_agents[first % len(env.possible_agents)]
        assert rows[own, 3] == int(held[after][0]["card"][1])
