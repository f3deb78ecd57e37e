"""A world on a grid in a browser: its cells, what lies on them, and the cooks that stand there."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.cookmas.display.conftest import Opened, played


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
    box, cell = cook.bounding_box(), cells.nth(11).bounding_box()
    assert box is not None
    assert cell is not None
    assert abs(box["x"] - cell["x"]) < 2
    assert abs(box["y"] - cell["y"]) < 2
    expect(page.locator(".score")).to_have_text(
        "order: baked bell pepper soup, not deliveredtimestep 8 of 52"
    )
    page.keyboard.press("End")
    expect(page.locator("#goals .goal")).to_contain_text("delivered")


def test_two_runs_of_a_grid_show_where_they_differ(opened: Opened, tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    runs = [
        played(tmp_path / "one", "collab-overcooked/level_3/01", "reference"),
        played(tmp_path / "other", "collab-overcooked/level_3/01", "random"),
    ]
    page = opened(runs, "#t=9")
    expect(page.locator(".grid .differs").first).to_be_attached()
