"""`run` plays exactly what `check` calls sound, and says of the rest what `check` says."""

from __future__ import annotations

from pathlib import Path

import pytest

import cookmas
from cookmas.files.errors import CookMASError
from cookmas.scenarios.check import check
from cookmas.scenarios.scenario import load_scenario

LONG = "x" * 501
LINE = "      - item: French Fries\n"
EVENTS = "".join(f"  - {{at: {at}, kind: change_line, line: o1.1, note: n}}\n" for at in range(200))
ORDERS = "".join(
    f"  - at: {at}\n    kind: new_order\n    order: x{at}\n    lines:\n{LINE * 50}"
    for at in range(1, 5)
)
BAD: dict[str, tuple[str, str, str]] = {
    "a key twice": ("level: 3\n", "level: 3\nlevel: 3\n", "level: is given twice"),
    "level 1 with two orders": ("level: 3\n", "level: 1\n", "level: is 1 with several events"),
    "a line that is not there": ("line: o1.1", "line: o1.7", "there is no line 'o1.7'"),
    "an item that is not there": ("French Fries", "French Fires", "is not on the menu"),
    "the far future": ("at: 9\n", "at: 1000000000\n", "at most 10000"),
    "many digits": ("at: 9\n", f"at: {'9' * 6000}\n", "has more than 15 digits"),
    "stock over 64 bits": ("level: 3\n", f"level: 3\nstock: {{egg: {2**63}}}\n", "more than 15"),
    "much stock": ("level: 3\n", "level: 3\nstock: {egg: 10001}\n", "stock.egg"),
    "a long horizon": ("level: 3\n", "level: 3\nhorizon: 100001\n", "horizon: "),
    "a long title": ("A test", "x" * 201, "title: expected at most 200"),
    "a long note": ("No onion, please.", LONG, "note: expected at most 500"),
    "many lines": (LINE, LINE * 50, "lines: expected at most 50"),
    "many orders": ("  - at: 9\n", f"{ORDERS}  - at: 9\n", "more than 200 order lines"),
    "many events": ("  - at: 9\n", f"{EVENTS}  - at: 9\n", "events: expected at most 200"),
    "nesting": ("title: A test", f"title: {'[' * 9999}", "is nested deeper than 32"),
}


def said_by_both(path: Path) -> str:
    """What check says of a file that is not sound, and run as well."""
    said = []
    for judge in (check, lambda file: cookmas.play(str(file))):
        with pytest.raises(CookMASError) as error:
            judge(path)
        said.append(str(error.value))
    assert said[0] == said[1]
    assert "\n" not in said[0]
    return said[0]


@pytest.mark.parametrize("case", BAD)
def test_what_check_refuses_is_not_run(scenario_file: Path, case: str) -> None:
    old, new, expected = BAD[case]
    text = scenario_file.read_text()
    assert old in text
    scenario_file.write_text(text.replace(old, new, 1))
    assert expected in said_by_both(scenario_file)


def test_a_truth_that_does_not_fit_is_refused_before_anything_is_played(
    scenario_file: Path,
) -> None:
    truth = scenario_file.with_suffix(".truth.yaml")
    truth.write_text(f"scenario: {'0' * 15}x\nnotes: {{}}\n")
    assert "scenario: names " in said_by_both(scenario_file)
    truth.write_text(f'scenario: "{load_scenario(str(scenario_file)).digest}"\nnotes: {{}}\n')
    assert "expected the meaning of 'No onion, please.'" in said_by_both(scenario_file)


@pytest.mark.parametrize(
    "name",
    ["plate", "slot 1", "slot 99", "' egg'", "'egg '", "''", "'a (b)'", '"e\\x1b"', '"e\\n"'],
)
def test_ingredients_that_cannot_be_picked_are_refused(menu_file: Path, name: str) -> None:
    text = menu_file.read_text()
    menu_file.write_text(text.replace("pantry: [bread]", f"pantry: [bread, {name}]"))
    with pytest.raises(CookMASError) as error:
        check(menu_file)
    assert "ingredients" in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("burnt: 9", "burnt: 99999", "burnt"),
        ("[3, 4]", "[3, 99999]", "golden"),
        ("pantry: [bread]", f"pantry: [bread, {'x' * 61}]", "at most 60"),
    ],
)
def test_a_menu_has_bounds(menu_file: Path, old: str, new: str, expected: str) -> None:
    menu_file.write_text(menu_file.read_text().replace(old, new))
    with pytest.raises(CookMASError, match=expected):
        check(menu_file)


@pytest.mark.parametrize(
    ("component", "expected"),
    [
        ("(" * 17 + "butter", "nests brackets more than 16 deep"),
        ("butter > chop 10001", "needs minutes from 1 to 10000"),
        (f"butter > chop {'9' * 6000}", "needs minutes or a level"),
    ],
)
def test_components_have_bounds(menu_file: Path, component: str, expected: str) -> None:
    truth = menu_file.parent / "truth.yaml"
    truth.write_text(f"Toast: ['{component}']\n")
    with pytest.raises(CookMASError, match=expected):
        check(menu_file)
