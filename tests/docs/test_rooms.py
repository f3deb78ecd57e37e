"""The picture of the rooms: what is drawn, and where."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from docs.images.draw_rooms import draw_picture, lines_in, round_lines
from docs.images.placing import BEND, ROOM, Bend, place_rooms
from docs.images.rooms import (
    ROOMS,
    CircleError,
    DrawnRoom,
    HomelessError,
    arrows_of,
    imports_today,
    lines_today,
    room_of,
)

ROOT = Path(__file__).parents[2]
HOUSE = [DrawnRoom(name, f"the {name}", (name, f"{name}.*")) for name in ("roof", "hall", "cellar")]


def test_the_picture_has_not_too_many_rooms() -> None:
    assert len(ROOMS) <= 15


def test_a_module_is_in_the_first_room_that_holds_it() -> None:
    assert room_of("cookmas.commands.run") == "commands"
    assert room_of("cookmas.client") == "core"
    assert room_of("cookmas.scenarios.truth") == "kitchen, scenarios"
    assert room_of("cookmas.worlds.base.domain") == "base of worlds"
    assert room_of("cookmas.worlds.a_new_one.world") == "worlds"


def test_a_module_without_a_room_is_named() -> None:
    with pytest.raises(HomelessError, match=r"attic\.box is in no room: add it to ROOMS"):
        arrows_of([("roof", "attic.box")], HOUSE)


def test_an_arrow_is_left_out_where_a_longer_way_leads_there() -> None:
    imports = [("roof.a", "hall"), ("roof.a", "cellar.b"), ("hall", "cellar.b"), ("hall.x", "hall")]
    arrows = arrows_of(imports, HOUSE)
    assert list(arrows) == ["roof", "hall", "cellar"]
    assert arrows == {"roof": {"hall"}, "hall": {"cellar"}, "cellar": set()}


def test_rooms_that_import_each_other_are_not_drawn() -> None:
    imports = [("roof.a", "hall"), ("hall.c", "cellar.b"), ("cellar.d", "roof.e")]
    with pytest.raises(CircleError) as raised:
        arrows_of(imports, HOUSE)
    for importer, imported in imports:
        assert f"{importer} imports {imported}" in str(raised.value)


def test_no_arrow_goes_upwards_and_none_crosses_a_room() -> None:
    there = place_rooms(arrows_of(imports_today()))
    level = {place: n for n, row in enumerate(there.rows) for place in row}
    for way in there.ways:
        assert [level[place] for place in way] == list(
            range(level[way[0]], level[way[0]] - len(way), -1)
        )
    for row in there.rows:
        for left, right in pairwise(row):
            widths = [BEND if isinstance(each, Bend) else ROOM for each in (left, right)]
            assert there.middles[right] - there.middles[left] > sum(widths) / 2


def test_every_room_and_every_arrow_is_drawn() -> None:
    arrows = arrows_of([("roof", "hall"), ("hall", "cellar")], HOUSE)
    picture = draw_picture(arrows, {"roof": 10, "hall": 2000, "cellar": 30}, HOUSE)
    assert lines_in(picture) == {"roof": 10, "hall": 2000, "cellar": 30}
    assert picture.count("<path class") == 2
    assert "<title>roof imports hall</title>" in picture
    assert "the cellar" in picture
    assert picture != draw_picture(arrows_of([("roof", "hall")], HOUSE), lines_in(picture), HOUSE)


def test_arrows_do_not_cross_where_they_need_not() -> None:
    below = {"a": "z", "b": "y", "c": "x"}
    arrows = {name: frozenset(below.get(name, "")) for name in "abcxyz"}
    lower, upper = place_rooms(arrows).rows
    assert [below[str(name)] for name in upper] == lower


def test_lines_are_those_of_the_files() -> None:
    files = (ROOT / "cookmas/sandbox").rglob("*.py")
    expected = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
    assert lines_today()["sandbox"] == expected


def test_lines_stay_as_written_while_they_are_nearly_right() -> None:
    today = {"roof": 1049, "hall": 1234, "cellar": 470}
    assert round_lines(today, {}) == {"roof": 1000, "hall": 1200, "cellar": 470}
    assert round_lines(today, {"roof": 1100, "hall": 1100, "cellar": 500}) == {
        "roof": 1100,
        "hall": 1200,
        "cellar": 500,
    }
