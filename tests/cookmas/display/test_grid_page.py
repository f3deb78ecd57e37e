"""A world on a grid in a browser: its cells, what lies on them, and the cooks that stand there."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.cookmas.display.conftest import Opened, played


def test_a_kitchen_on_a_grid_is_drawn(opened: Opened, tmp_path: Path) -> None:
    page = opened([played(tmp_path, "collab-overcooked/level_3/01", "reference")])
    cells = page.locator("table.grid td")
    expect(cells).to_have_count(25)
    expect(cells.nth(3)).to_have_text("pot0")
    expect(cells.nth(8)).to_have_text("1 ↑")
    expect(cells.nth(11)).to_have_text("2 ↑")
    page.evaluate("location.hash = '#t=9'")
    expect(cells.nth(10)).to_contain_text("ready")
    page.evaluate("location.hash = '#t=8'")
    expect(cells.nth(10)).to_have_text("chopping board0bell pepper slices 2/3")
    expect(page.locator("table.grid td.lit")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.locator("#goals .goal")).to_contain_text("delivered")
