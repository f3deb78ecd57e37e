"""What a world cannot play is refused in one line: options, names and files of a user's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import cookmas
from cookmas.files.errors import CookMASError

OPTIONS: dict[str, list[tuple[dict[str, Any], str]]] = {
    "collab-overcooked/level_1/01": [
        ({"gamma": "0"}, "more than 0"),
        ({"mode": "new"}, "default or"),
        ({"agents": 3}, "no such"),
    ],
    "cuisineworld/level_99": [({}, "there is no level 'level_99'")],
    "cuisineworld/level_3": [
        ({"tau": "7"}, "--tau: expected one of 1.0"),
        ({"agents": "9"}, "--agents"),
        ({"agents": "two"}, "--agents: expected a whole number"),
        ({"cooks": "2"}, "--cooks: there is no such option"),
        ({"more_cooks": "2"}, "--more-cooks: there is no such option"),
        ({"episode": "4"}, "episode"),
    ],
    "overcooked/cramped_room": [
        ({"layout": "moon"}, "there is no layout 'moon'"),
        ({"layout": "moon.layout"}, "there is no such file"),
        ({"horizon": 0}, "expected at least 1 and at most 100000"),
        ({"horizon": "long"}, "expected a whole number"),
        ({"dynamics": "new"}, "expected papers or current"),
        ({"hide_partner": "maybe"}, "--hide-partner: expected yes or no"),
        ({"speed": 3}, "there is no such option, only --layout, --horizon"),
    ],
}


@pytest.mark.parametrize(
    ("name", "settings", "why"), [(name, *row) for name, rows in OPTIONS.items() for row in rows]
)
def test_a_wrong_option_is_refused(name: str, settings: dict[str, Any], why: str) -> None:
    with pytest.raises(CookMASError) as refused:
        cookmas.load_scenario(name, settings=settings)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def small(last: str, reader: str) -> dict[str, Any]:
    """Return a file of Collab-Overcooked with a kitchen of one cell of floor."""
    layout = {"grid": ["XXX", "X1X", last], "cooks": ["a"], "readers": [reader]}
    return {"orders": {"boiled_egg": 1.0}, "own_layout": layout}


def level(*dishes: str, **recipes: Any) -> dict[str, Any]:
    """Return a file of CuisineWorld."""
    places = ["storage", "servingtable", "pot"]
    return {"own": {"places": places, "dishes": [*dishes]}, "recipes": recipes}


FILES: dict[str, list[tuple[dict[str, Any], str]]] = {
    "collab-overcooked": [
        ({"orders": {"pizza": 1.0}}, "there is no recipe for 'pizza'"),
        ({"orders": {}}, "orders"),
        ({"orders": {"boiled_egg": 2.0}}, "orders"),
        ({"orders": {"boiled_egg": 1.0}, "layout": "moon"}, "there is no layout 'moon'"),
        (small("XQX", "a"), "'Q' is none"),
        (small("XXX", "b"), "no cook"),
        (small("XXX", "a"), "delivery"),
    ],
    "cuisineworld": [
        (level("a", a={"pot": ["a"]}), "recipe a: needs itself"),
        (level("a", a={"pot": ["b"]}, b={"pan": ["a"]}), "needs itself"),
        (level("a", a={"pot": ["rice", "rice"]}), "takes each item once"),
        (level("a", "a", a={"pot": ["rice"]}), "name each dish once"),
        (level("a_b", a_b={"pot": ["rice"]}), "cannot have '_'"),
        ({"own": {"places": ["storage"], "dishes": ["stew"]}}, "serving table"),
    ],
}


@pytest.mark.parametrize(
    ("world", "data", "why"), [(world, *row) for world, rows in FILES.items() for row in rows]
)
def test_a_wrong_file_is_refused(
    world: str, data: dict[str, Any], why: str, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(yaml.safe_dump({"world": world, **data}))
    with pytest.raises(CookMASError) as refused:
        cookmas.load_scenario(str(path))
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)
