"""Files of every world have bounds, and what runs is what `check` calls sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import cookmas
from cookmas.files.errors import CookMASError
from cookmas.world_names import domain_of

BELL = {"name": "red", "text": "Here."}
CORRIDOR = {"world": "corridor", "title": "Bells", "bells": [BELL]}
OWN = {"places": ["storage", "servingtable", "pot"], "dishes": ["d9"]}
TREE = {
    f"{kind}{n}": {"pot": [f"d{n - 1}", f"e{n - 1}"] if n else ["pork"]}
    for n in range(10)
    for kind in "de"
}
SUSHI = {"world": "cuisineworld", "own": OWN, "recipes": TREE}
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "late bell": ({**CORRIDOR, "bells": [{**BELL, "at": 1001}]}, "bells.0.at"),
    "many bells": ({**CORRIDOR, "bells": [BELL] * 100}, "bells: expected at most 99 of them"),
    "long text": ({**CORRIDOR, "bells": [{**BELL, "text": "x" * 1001}]}, "at most 1000"),
    "long name": ({**CORRIDOR, "bells": [{**BELL, "name": "x" * 61}]}, "at most 60"),
    "long corridor": ({**CORRIDOR, "length": 100}, "length"),
    "unknown ringer": ({**CORRIDOR, "bells": [{**BELL, "ringer": "nobody"}]}, "there is no walker"),
    "many places": ({**SUSHI, "own": {**OWN, "places": ["pot"] * 100}}, "at most 99"),
    "long dish": ({**SUSHI, "own": {**OWN, "dishes": ["x" * 201]}}, "at most 200"),
    "many recipes": ({**SUSHI, "recipes": {f"x{n}": {} for n in range(201)}}, "at most 200"),
    "many steps": (SUSHI, "needs more than 200 steps"),
    "a long seed": ({**SUSHI, "seed": 10**16}, "has more than 15 digits"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_check_refuses_is_not_run(tmp_path: Path, case: str) -> None:
    data, expected = BAD[case]
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump(data))
    said = []
    for judge in (domain_of(data["world"]).check, lambda file: cookmas.play(str(file))):
        with pytest.raises(CookMASError) as error:
            judge(path)
        said.append(str(error.value))
    assert said[0] == said[1]
    assert expected in said[0]


@pytest.mark.parametrize("value", ["9" * 6000, "x", "", "1.5", "\uff11"])
def test_options_of_a_world_are_whole_numbers(value: str) -> None:
    with pytest.raises(CookMASError, match="--seed: expected a whole number") as error:
        cookmas.load_scenario("cuisineworld/level_1", settings={"seed": value})
    assert len(str(error.value)) < 100
