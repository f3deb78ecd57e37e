"""Orders that the cooks of a kitchen can never serve are named, and so are wrong probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from cookmas.files.errors import InputError
from cookmas.world_names import domain_of, locate

GRID = ["XXXPX", "I X1X", "D2X S", "XXXOX"]


def remarks(tmp_path: Path, grid: list[str], orders: Any = None, **fields: Any) -> list[str]:
    path = tmp_path / "mine.yaml"
    data = {
        "world": "collab-overcooked",
        "own_layout": {"grid": grid, "cooks": ["bob", "alice"], "readers": ["alice"]},
        "orders": orders or {"boiled_egg": 1.0},
        **fields,
    }
    path.write_text(yaml.safe_dump(data))
    return [*domain_of("collab-overcooked").check(path)]


def test_a_kitchen_in_which_all_can_be_served_is_sound(tmp_path: Path) -> None:
    assert remarks(tmp_path, GRID) == ["scenario mine: sound"]
    domain = domain_of("collab-overcooked")
    assert not any(domain.remarks(domain.scenario(name, {})) for name in domain.names())


@pytest.mark.parametrize(
    ("grid", "dish", "why"),
    [
        (["XXXXX", *GRID[1:]], "boiled_egg", "there is no pot"),
        (["XXXXX", "I X1X", "D2X S", "XXXOP"], "boiled_egg", "no cook reaches the pot"),
        (["XXXPX", "X X1X", "D2X S", "XXXOI"], "boiled_egg", "no cook reaches the ingredient"),
        (["XXXXX", "I2P1S", "XXXXX"], "boiled_egg", None),
        (["XXXXSX", "I2CC1P", "XXXXXX"], "boiled_egg", "the cooks cannot pass"),
    ],
)
def test_an_order_that_cannot_be_served_is_named(
    tmp_path: Path, grid: list[str], dish: str, why: str | None
) -> None:
    told = remarks(tmp_path, grid, {dish: 1.0})
    if why is None:
        assert told == ["scenario mine: sound"]
    else:
        assert told[1].startswith(f"the order of {dish} cannot be served in this kitchen: {why}")


def test_probabilities_have_the_sum_1(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected probabilities whose sum is 1"):
        remarks(tmp_path, GRID, {"boiled_egg": 0.5})
    with pytest.raises(InputError, match="whose sum is 1"):
        remarks(tmp_path, GRID, {"boiled_egg": 0.6, "boiled_mushroom": 0.6})
    thirds = {"boiled_egg": 0.333, "boiled_mushroom": 0.666}
    assert remarks(tmp_path, GRID, thirds) == ["scenario mine: sound"]


def test_a_layout_is_played_in_the_world_that_reads_it(tmp_path: Path) -> None:
    assert locate("my.layout") == ("overcooked", "my.layout")
    with pytest.raises(InputError, match="use --world overcooked"):
        locate("my.layout", "collab-overcooked")
    path = tmp_path / "mine.yaml"
    path.write_text("world: collab-overcooked\norders: {boiled_egg: 1}\n")
    with pytest.raises(InputError, match="is a file of 'collab-overcooked', not of overcooked"):
        domain_of("overcooked").check(path)
