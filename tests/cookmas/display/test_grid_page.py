"""A world on a grid in a browser: its cells, what lies on them, and the cooks that stand there."""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from playwright.sync_api import Page, expect

from tests.cookmas.display.conftest import NASTY, Opened, box_of, look, played, until
from tests.cookmas.display.seats import sitting
from tests.cookmas.people.working.conftest import prepared


def test_a_kitchen_on_a_grid_is_drawn(opened: Opened, tmp_path: Path) -> None:
    page = opened([played(tmp_path, "collab-overcooked/level_3/01", "reference")])
    cells = page.get_by_role("table", name="the grid").get_by_role("cell")
    words = cells.locator(".unseen")
    expect(cells).to_have_count(25)
    expect(words.nth(3)).to_have_text("pot0")
    expect(words.nth(8)).to_have_text("bob looks north")
    expect(words.nth(11)).to_have_text("alice looks north")
    page.evaluate("location.hash = '#t=9'")
    expect(words.nth(10)).to_have_text("chopping board0; bell pepper slices; ready")
    page.evaluate("location.hash = '#t=8'")
    expect(words.nth(10)).to_have_text("chopping board0; bell pepper slices; 2/3")
    expect(page.locator(".grid .lit")).to_have_count(1)
    cook = page.locator(".grid .body").nth(1)
    box, cell = box_of(cook), box_of(cells.nth(11))
    assert abs(box["x"] - cell["x"]) < 2
    assert abs(box["y"] - cell["y"]) < 2
    expect(page.locator(".score")).to_have_text(
        "order: baked bell pepper soup, not deliveredtimestep 8 of 52"
    )
    page.evaluate("location.hash = '#t=1'")
    expect(page.locator("#moment .acts li").nth(1)).to_contain_text("(continues)")
    expect(page.locator("#moment [role=status]")).to_contain_text("(continues)")
    expect(page.locator(".standing li").nth(1)).to_have_text(
        re.compile(r"alice takes .*\(continues\)")
    )
    rows = "film.rows.get('alice')"
    assert look(page, f"{rows}.slice(1).every((span, n) => span.from === {rows}[n].to)")
    page.keyboard.press("End")
    expect(page.locator("#goals .goal")).to_contain_text("delivered")
    waits = "film.extend('alice', 99, {action: 'wait(2)', words: ''})"
    assert look(page, f"({waits}, {rows}.at(-1).idle)")


def test_the_talk_stands_beside_the_drawing_up_to_the_shown_timestep(
    opened: Opened, tmp_path: Path
) -> None:
    trace = played(tmp_path, "collab-overcooked/level_1/01", "bob=asking,alice=obedient")
    page = opened([trace], "#t=3")
    panel = page.get_by_role("region", name="Talk")
    said = panel.get_by_role("listitem")
    expect(said).to_have_count(1)
    expect(said).to_contain_text("bob at timestep 0")
    expect(said).not_to_have_attribute("aria-current", "true")
    drawing, talk = box_of(page.locator("#scene")), box_of(panel)
    assert talk["x"] > drawing["x"] + drawing["width"]
    assert talk["y"] == drawing["y"]
    said.get_by_role("button", name="timestep 0").click()
    expect(said).to_have_attribute("aria-current", "true")
    expect(said).to_contain_text("this timestep")
    expect(page.locator("#moment [role=status]")).to_contain_text("bob says: request(")
    page.set_viewport_size({"width": 420, "height": 900})
    below, drawing = box_of(panel), box_of(page.locator("#scene"))
    assert drawing["y"] + drawing["height"] < below["y"] < drawing["y"] + drawing["height"] + 40


def test_the_talk_appears_with_the_first_message_and_keeps_the_latest_in_sight(
    opened: Opened, tmp_path: Path
) -> None:
    page = opened([played(tmp_path, "collab-overcooked/level_1/01", "reference")])
    panel = page.locator("#talk")
    expect(panel).to_be_hidden()
    message = {"kind": "message", "t": 0, "agent": "alice"}
    for text in [NASTY, *map(str, range(30))]:
        page.evaluate("(said) => cookmas.player.films[0].push(said)", {**message, "text": text})
    page.evaluate("cookmas.player.grown()")
    said = panel.get_by_role("listitem")
    expect(said).to_have_count(31)
    expect(said.first).to_contain_text(NASTY)
    assert page.evaluate("window.struck") is None
    expect(said.last).to_be_in_viewport()
    expect(said.first).not_to_be_in_viewport()


def test_two_runs_of_a_grid_show_where_they_differ(opened: Opened, tmp_path: Path) -> None:
    task = "collab-overcooked/level_3/01"
    page = opened([played(tmp_path, task, planner) for planner in ("reference", "random")], "#t=9")
    expect(page.locator(".grid .differs").first).to_be_attached()


def soup(x: int, y: int, ticks: int) -> dict[str, object]:
    """Return a soup of three onions at a cell, as a layout writes it."""
    onions = [{"name": "onion", "position": [x, y]}] * 3
    return {"name": "soup", "position": [x, y], "_ingredients": onions, "_cooking_tick": ticks}


START = {
    "players": [
        {"position": [1, 1], "orientation": [0, -1]},
        {"position": [3, 1], "orientation": [0, -1], "held_object": soup(3, 1, 20)},
    ],
    "objects": [soup(1, 0, 18), {"name": "tomato", "position": [4, 2]}],
}
"""A soup that is nearly ready in a pot, one in the hands of the second cook, and a tomato."""

GATED = {"grid": "XPXDX\nO1G2S\nWXXXX", "start_state": START}


def test_pots_gates_and_the_score_are_drawn(opened: Opened, tmp_path: Path) -> None:
    layout, schedule = tmp_path / "gated.layout", tmp_path / "acts.yaml"
    layout.write_text(repr(GATED), encoding="utf-8")
    acts = [("east", "east"), ("interact", "interact"), ("stay", "stay")]
    schedule.write_text(yaml.safe_dump([{"alice": a, "bob": b} for a, b in acts]))
    page = opened([played(tmp_path, str(layout), str(schedule), "overcooked")], "#t=1")
    words = page.locator(".grid .unseen")
    pot, gate, window = words.nth(1), words.nth(7), words.nth(9)
    expect(pot).to_have_text("pot c0; onion, onion, onion; 19/20")
    expect(gate).to_have_text("gate g0; closed")
    expect(words.nth(8)).to_have_text("bob looks east, holds soup of 3 onions")
    expect(words.nth(14)).to_have_text("tomato")
    expect(page.locator(".score")).to_contain_text("0 points")
    page.evaluate("location.hash = '#t=2'")
    expect(gate).to_have_text("gate g0; open 10")
    expect(pot).to_have_text("pot c0; onion, onion, onion; ready")
    expect(window).to_have_text("serving d0")
    expect(page.locator(".score")).to_contain_text("20 points1 soup")
    expect(page.locator(".grid .tile.gate.open")).to_have_count(1)
    expect(page.locator("#goals .goal", has_text="soup of 3 onions")).to_contain_text(
        "20 points, delivered 1 time"
    )


def test_a_person_walks_by_keys_beside_a_scripted_cook_that_is_hidden(
    page: Page, tmp_path: Path
) -> None:
    hidden = {"horizon": 20, "hide_partner": "yes"}
    folder = prepared(
        tmp_path / "run", "overcooked/cramped_room", "alice", planner="bob=lazy", settings=hidden
    )
    with sitting(folder, page, to_the_end=False):
        until(page, "Boolean(window.cookmas)")
        words = page.locator(".grid .unseen")
        expect(words.nth(11)).to_have_text("alice looks north")
        expect(page.locator("#moment .acts li").nth(1)).to_contain_text("is not seen")
        expect(page.locator(".grid .body")).to_have_count(1)
        expect(page.locator(".pad")).to_be_focused()
        for key, seen in (
            ("ArrowUp", "alice looks north"),
            ("ArrowLeft", "alice looks west"),
            (" ", "alice looks west, holds onion"),
        ):
            page.keyboard.press(key)
            expect(words.nth(6)).to_have_text(seen)
        acts = look(page, "film.acts.map((acts) => acts.alice.action)")
        assert acts == ["north", "west", "interact"]
