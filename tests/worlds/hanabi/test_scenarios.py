"""The scenarios of Hanabi: variants, given decks, the list, and generated files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from cookmas.files.errors import InputError
from cookmas.world_names import domain_of
from cookmas.worlds.base.checking import faults_of
from tests.worlds.hanabi.playing import opened

DOMAIN = domain_of("hanabi")
SMALL = {"players": 2, "colours": 1, "ranks": 2, "hand": 1}
DECK = ["R2", "R1", "R1", "R1"]


@pytest.mark.parametrize("name", ["three", "small"])
def test_the_checker_of_worlds_finds_nothing(name: str) -> None:
    assert list(faults_of(DOMAIN, DOMAIN.scenario(name, {}), range(1))) == []


def test_the_list_has_the_players_and_the_cards() -> None:
    rows = {row["name"]: row for row in DOMAIN.show([], {}).data}
    assert set(rows) == {"two", "three", "four", "five", "small"}
    assert rows["four"] == {
        "name": "four",
        "title": "Four players, the full deck",
        "players": 4,
        "cards": 50,
        "hand": 4,
        "best": 25,
    }
    assert (rows["small"]["cards"], rows["small"]["best"]) == (12, 6)


def test_a_file_without_a_horizon_has_time_for_the_longest_game() -> None:
    scenario: Any = DOMAIN.build("mine", Path("mine.yaml"), {"players": 2}, {})
    assert DOMAIN.horizon(scenario) == 2 * 40 + 8 + 2
    assert DOMAIN.scenario("two", {"players": "3"}).world().workers == ("alice", "bob", "cara")


def written(path: Path, **fields: Any) -> str:
    path.write_text(yaml.safe_dump({"world": "hanabi", **SMALL, **fields}))
    return str(path)


def deal(deck: list[str], at: int = 0) -> list[dict[str, Any]]:
    return [{"at": at, "kind": "deal", "deck": deck}]


def test_a_given_deck_is_dealt_whatever_the_seed(tmp_path: Path) -> None:
    path = written(tmp_path / "given.yaml", events=deal(DECK), seed=5)
    assert DOMAIN.check(Path(path)) == ["scenario given: sound"]
    scenario = DOMAIN.scenario(path, {})
    world: Any = scenario.world()
    table = world.start()
    for _, event in scenario.events():
        table, ruling = world.apply(table, event)
        assert ruling.trigger
    assert [hand[0]["card"] for hand in table["hands"].values()] == ["R2", "R1"]
    assert table["deck"] == ["R1", "R1"]


def test_a_deal_during_the_game_is_refused() -> None:
    world, table = opened(**SMALL)
    same, ruling = world.receive({**table, "timestep": 1}, {"kind": "deal", "deck": DECK})
    assert (same["hands"], ruling.refused) == (table["hands"], "the game has begun")


def test_a_generated_game_has_a_deck_of_its_own(tmp_path: Path) -> None:
    one, same, other = (tmp_path / f"{name}.yaml" for name in "abc")
    for path, seed in ((one, 1), (same, 1), (other, 2)):
        assert DOMAIN.generate(3, 2, seed, path) == (path,)
    assert one.read_text() == same.read_text() != other.read_text()
    scenario: Any = DOMAIN.scenario(str(one), {})
    world = scenario.world()
    [_, (at, event)] = scenario.events()
    assert (at, Counter(event["deck"])) == (0, Counter(world.game.cards))
    assert (len(world.workers), world.game.colours) == (3, "RY")
    assert DOMAIN.check(one) == ["scenario a: sound"]
    DOMAIN.generate(2, None, 1, one)
    whole: Any = DOMAIN.scenario(str(one), {})
    assert len(whole.world().game.cards) == 50


@pytest.mark.parametrize(("players", "colours"), [(1, 5), (6, 5), (2, 0), (2, 6)])
def test_what_cannot_be_generated_is_refused(tmp_path: Path, players: int, colours: int) -> None:
    with pytest.raises(InputError, match="level, size: expected 2 to 5 players"):
        DOMAIN.generate(players, colours, 1, tmp_path / "new.yaml")
