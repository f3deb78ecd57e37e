"""The worlds of rooms in a browser: the map, what is in the rooms, and where everybody goes."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, expect

from cookmas.worlds.rooms.view import BEND, HEIGHT, WIDTH
from tests.cookmas.display.conftest import Opened, box_of, look, played, until
from tests.cookmas.display.seats import sitting
from tests.cookmas.people.working.conftest import prepared


def schedule(folder: Path, *turns: tuple[str, str]) -> str:
    """Return a file with the actions of alice and bob."""
    file = folder / "acts.yaml"
    file.write_text(yaml.safe_dump([{"alice": one, "bob": other} for one, other in turns]))
    return str(file)


def middle(page: Page, selector: str) -> tuple[float, float]:
    """Return the middle of an element on the page."""
    box = box_of(page.locator(selector))
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def inside(page: Page, body: str, room: int) -> bool:
    """Return whether the body with this title is drawn in a room."""
    x, y = middle(page, f".rooms .body[title={body}]")
    box = box_of(page.locator(".rooms .room").nth(room - 1))
    return 0 < x - box["x"] < box["width"] and 0 < y - box["y"] < box["height"]


def expect_inside(page: Page, body: str, room: int) -> None:
    """Wait until the body with this title has gone into a room."""
    deadline = time.monotonic() + 60
    while not inside(page, body, room):
        assert time.monotonic() < deadline, (body, room)
        page.wait_for_timeout(50)


def is_bent(page: Page, number: int) -> bool:
    """Return whether a way is drawn from room to room, bent towards the middle of the drawing."""
    path = page.locator(".rooms .way").nth(number).get_attribute("d") or ""
    numbers = [*map(float, re.findall(r"[\d.]+", path))]
    begin, by, end = (numbers[at : at + 2] for at in (0, 2, 4))
    spots = [*look(page, "film.run.setup.spots").values()]
    return (
        begin in spots
        and end in spots
        and by
        == pytest.approx(
            [
                (1 - BEND) * (a + b) / 2 + BEND * size / 2
                for a, b, size in zip(begin, end, (WIDTH, HEIGHT), strict=True)
            ]
        )
    )


def test_rooms_doors_and_moves_are_drawn(opened: Opened, tmp_path: Path) -> None:
    acts = schedule(tmp_path, ("stay", "move(9)"), ("stay", "press"), ("move(2)", "move(6)"))
    page = opened([played(tmp_path, "collab-capture/building", acts)])
    words = page.locator(".rooms .room .unseen")
    doors = page.get_by_role("list", name="the rooms").locator(".door")
    expect(words.nth(0)).to_have_text("room 1; ways to room 6; alice")
    expect(words.nth(8)).to_have_text("room 9; ways to room 6; button of the door 1-2")
    expect(doors).to_have_text(
        [
            "door between rooms 1 and 2, button in room 9: closed",
            "door between rooms 3 and 4, button in room 8: open",
        ]
    )
    expect(page.locator(".rooms .way")).to_have_count(9)
    expect(page.locator(".rooms .one-way")).to_have_count(0)
    assert all(is_bent(page, number) for number in range(9))
    expect(page.locator(".rooms .move.now")).to_have_count(2)
    expect(page.locator(".turn")).to_have_text(
        "timestep 0 of 30the thief goes from room 2 to room 3"
    )
    expect_inside(page, "alice", 1)
    expect_inside(page, "thief", 2)
    page.evaluate("location.hash = '#t=2'")
    expect(doors.first).to_contain_text("open")
    expect(page.locator(".rooms path.door.open")).to_have_count(2)
    expect(words.nth(0)).to_have_text("room 1; ways to rooms 2 and 6; alice")
    expect_inside(page, "bob", 9)
    page.keyboard.press("End")
    expect(page.locator(".rooms .move.now")).to_have_count(0)
    expect_inside(page, "alice", look(page, "film.head.players.alice"))
    expect(page.locator("#goals .goal")).to_contain_text("catch it")


def test_generators_one_way_ways_and_the_killer_are_drawn(opened: Opened, tmp_path: Path) -> None:
    acts = schedule(tmp_path, ("fix", "move(1)"), ("fix", "fix"), ("wait", "wait"))
    run = played(tmp_path, "collab-escape/building", acts)
    other = played(tmp_path, "collab-escape/building", "optimal")
    page = opened([run], "#t=1")
    words = page.locator(".rooms .room .unseen")
    expect(words.nth(0)).to_have_text(
        "room 1; ways to rooms 2 and 10; generator, 1 of 2 fixes; alice; bob"
    )
    expect(page.locator(".rooms .one-way")).to_have_count(2)
    expect(page.locator(".rooms .sign")).to_have_text(["1/2", "0/2", "exit"])
    expect(page.locator("#goals .goal", has_text="generator 1")).to_contain_text("1 of 2 fixes")
    page.evaluate("location.hash = '#t=2'")
    expect(words.nth(0)).to_contain_text("generator, repaired")
    expect(page.locator(".rooms .room.ready")).to_have_count(1)
    expect(page.locator(".turn")).to_have_text(
        re.compile(r"the killer goes from room \d to room \d; the killer follows nobody")
    )
    both = opened([run, other], "#t=1")
    expect(both.locator(".rooms .differs").first).to_be_attached()


def test_a_person_flees_by_keys_and_sees_where_the_killer_may_go(
    page: Page, tmp_path: Path
) -> None:
    folder = prepared(tmp_path / "run", "collab-escape/building", "alice", planner="bob=optimal")
    with sitting(folder, page, to_the_end=False):
        until(page, "Boolean(window.cookmas)")
        expect(page.locator(".rooms .move.next")).to_have_count(2)
        expect(page.locator(".turn")).to_contain_text("next it goes to one of rooms 5 and 7")
        page.keyboard.press("2")
        expect(page.locator(".rooms .room .unseen").nth(1)).to_contain_text("alice")
        expect(page.locator(".rooms .move.past")).not_to_have_count(0)
        expect_inside(page, "alice", 2)
        page.get_by_role("button", name="goes to room 1").click()
        until(page, "cookmas.player.films[0].length === 2")
        expect_inside(page, "alice", 1)
