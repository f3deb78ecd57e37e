"""Every note of a scenario, shipped or generated, is read as what it means."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from cookmas.kitchen.customizations import customise
from cookmas.kitchen.state import order_of
from cookmas.scenarios.truth import _ScenarioTruthFile, to_customization
from cookmas.solving.restaurant.generating import SIZES, generate
from cookmas.solving.restaurant.reading import read_note
from tests.sampling import seeds
from tests.solving.restaurant.reading.menu_reading import LARDER, MENU, TRUTH

ROOT = Path(__file__).parents[4]
SCENARIOS = sorted(
    path
    for folder in ("levels", "adversarial")
    for path in (ROOT / "scenarios" / folder).rglob("*.yaml")
)


def items(scenario: Mapping[str, Any]) -> dict[str, str]:
    """The item of each line by its name, such as `o1.2`."""
    found: dict[str, str] = {}
    for event in scenario["events"]:
        lines = event["lines"] if event["kind"] == "new_order" else [event]
        for line in lines if "item" in lines[0] else []:
            number = 1 + sum(order_of(name) == event["order"] for name in found)
            found[f"{event['order']}.{number}"] = line["item"]
    return found


def misread(scenario: Mapping[str, Any], truth: Mapping[str, Any]) -> Iterator[str]:
    """Notes that are read as something else than they mean."""
    of_line = items(scenario)
    for line, notes in _ScenarioTruthFile.model_validate(truth).notes.items():
        dish = list(TRUTH[of_line[line]])
        for note, wishes in notes.items():
            meant = [to_customization(wish) for wish in wishes]
            read, _ = read_note(note, dish, LARDER)
            if customise(dish, read, MENU.doneness) != customise(dish, meant, MENU.doneness):
                yield f"{of_line[line]}: {note!r} read as {[*map(str, read)]}"


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_checked_scenario(path: Path) -> None:
    relative = path.relative_to(ROOT / "scenarios")
    hidden = (
        ROOT
        / "scenarios/truth"
        / (relative if relative.parts[0] != "levels" else Path(*relative.parts[1:]))
    )
    truth = yaml.safe_load(hidden.read_text())
    assert not list(misread(yaml.safe_load(path.read_text()), truth))


@pytest.mark.parametrize("level", [2, 3])
def test_generated_scenarios(level: int) -> None:
    wrong = [
        message
        for seed in seeds(0, 50, 200)
        for message in misread(*generate(level, SIZES[level][1], seed))
    ]
    assert not wrong
