"""A sound file is said to be sound; a bad one gets one line: file, field, what, and expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from cookmas.scenarios.check import check
from cookmas.scenarios.kitchens import SHIPPED_KITCHENS
from cookmas.scenarios.menu import SHIPPED_MENU
from cookmas.scenarios.scenario import load_scenario
from tests.scenarios.spoiling import spoil, the_line


def add_truth(scenario_file: Path, notes: str) -> Path:
    truth = scenario_file.with_suffix(".truth.yaml")
    truth.write_text(f"scenario: {load_scenario(str(scenario_file)).digest}\nnotes:\n{notes}")
    return truth


NO_ONION = "  o1.1:\n    No onion, please.: [{kind: without, food: onion}]\n"
NO_TOMATO = "    No tomato, please.: [{kind: without, food: tomato}]\n"


# Sound files


def test_scenario_without_truth(scenario_file: Path) -> None:
    assert check(scenario_file) == [
        "scenario scenario: level 3, 2 events, 2 order lines, sound",
        "it has no truth: what the customers say cannot be judged",
    ]


def test_scenario_with_truth(scenario_file: Path) -> None:
    add_truth(scenario_file, NO_ONION + NO_TOMATO)
    assert check(scenario_file)[1] == "its truth: 2 notes, each with its meaning"


def test_kitchen(kitchen_file: Path) -> None:
    assert check(kitchen_file) == ["kitchen tiny: 14 stations, sound"]


@pytest.mark.parametrize("path", sorted(SHIPPED_KITCHENS.glob("*.yaml")), ids=lambda p: p.stem)
def test_shipped_kitchens(path: Path) -> None:
    assert check(path)[0].startswith(f"kitchen {path.stem}: ")


def test_menu(menu_file: Path) -> None:
    assert check(menu_file) == ["menu: 1 items, 3 ingredients, sound"]


def test_shipped_menu() -> None:
    assert check(SHIPPED_MENU / "menu.yaml") == ["menu: 38 items, 76 ingredients, sound"]


# Bad files


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("title: A test\n", "", ["title: is missing"]),
        ("title: A test", "title: 7", ["title", "expected a text", "not 7"]),
        ("title: A test", "title: no", ["title: YAML reads no as true or false", "'no'"]),
        ("level: 3", "level: 4", ["level", "at most 3", "not 4"]),
        ("level: 3", "level: 03", ["level: YAML reads 03", "no leading zero: 3"]),
        ("level: 3", "level: three", ["level", "a whole number", "not 'three'"]),
        ("level: 3", "level: 3.5", ["level", "a whole number", "not 3.5"]),
        ("level: 3", "level: 2", ["level: is 2 with several events, expected 3"]),
        ("level: 3", "level: on", ["level: YAML reads on as true or false"]),
        (
            "kitchen: standard",
            "kitchen: huge",
            ["scenario.yaml: kitchen", "'huge'", "large, small, standard"],
        ),
        ("kitchen: standard", "kitchen: k.yaml", ["k.yaml: there is no such file"]),
        ("kitchen: standard", "kitchen: yes", ["kitchen: YAML reads yes", "'yes'"]),
        ("kitchen: standard", "menu: nowhere\nkitchen: standard", ["nowhere", "no such file"]),
        ("kitchen: standard", "kitchen: standard\nchef: me", ["chef", "no such field"]),
        ("kitchen: standard", "kitchen: standard\nworkers: 0", ["workers", "at least 1"]),
        ("kitchen: standard", "kitchen: standard\nworkers: 9", ["workers", "at most 6"]),
        ("kitchen: standard", "kitchen: standard\nhorizon: 0", ["horizon", "at least 1"]),
        ("kitchen: standard", "kitchen: standard\nstock: {fish: 1}", ["stock.fish"]),
        ("kitchen: standard", "kitchen: standard\nstock: {egg: -1}", ["stock.egg", "at least 0"]),
        ("kitchen: standard", "kitchen: standard\nkitchen: small", ["kitchen: is given twice"]),
        ("at: 0", "at: -1", ["events.0.at", "at least 0"]),
        ("at: 9", "at: 09", ["events.1.at: YAML reads 09", "no leading zero: 9"]),
        ("at: 9", "at: 010", ["events.1.at: YAML reads 010", "no leading zero: 10"]),
        ("at: 9", "at: 1:30", ["events.1.at: YAML reads 1:30", "base 60"]),
        ("at: 9", "at: soon", ["events.1.at", "a whole number", "not 'soon'"]),
        ("  - at: 9\n    kind", "  - kind", ["events.1.at", "a whole number", "not None"]),
        ("kind: change_line", "kind: shout", ["events.1", "'shout'", "'change_line'"]),
        ("kind: change_line", "knd: change_line", ["events.1", "kind"]),
        ("order: o1", "order: 1", ["events.0", "order", "expected a text", "not 1"]),
        ("order: o1", "order: o 1", ["events.0", "order", "pattern"]),
        ("Classic Burger", "Classic Berger", ["events.0", "'Classic Berger'", "expected"]),
        ("item: French Fries", "item: on", ["events.0.lines.1.item: YAML reads on"]),
        ("note: No onion, please.", "note: no", ["events.0.lines.0.note: YAML reads no", "'no'"]),
        ("note: No onion, please.", "note: [onion]", ["note", "expected a text"]),
        ("note: No onion, please.", "note: 2020-01-01", ["note: YAML reads", "date"]),
        ("note: No onion, please.", "not: x", ["events.0", "not", "no such field"]),
        ("line: o1.1", "line: o1.3", ["events.1.line: there is no line 'o1.3'", "o1.1, o1.2"]),
        ("line: o1.1", "line: 1.1", ["line", "expected a text", "not 1.1"]),
        ("note: No tomato, please.", "note: ''", ["events.1.note", "new words"]),
        (
            "kind: change_line\n    line: o1.1\n    note: No tomato, please.",
            "kind: cancel_order\n    order: o2",
            ["events.1.order: there is no order 'o2' at timestep 9, expected: o1"],
        ),
        (
            "kind: change_line\n    line: o1.1\n    note: No tomato, please.",
            "kind: fault\n    station: grill_7\n    timesteps: 3",
            ["events.1.station", "'grill_7'"],
        ),
        (
            "kind: change_line\n    line: o1.1\n    note: No tomato, please.",
            "kind: fault\n    worker: worker_4\n    timesteps: 3",
            ["events.1.worker", "'worker_4'", "worker_3"],
        ),
        (
            "kind: change_line\n    line: o1.1\n    note: No tomato, please.",
            "kind: fault\n    worker: worker_1\n    station: grill_1\n    timesteps: 3",
            ["events.1", "either a station or a worker"],
        ),
        (
            "kind: change_line\n    line: o1.1\n    note: No tomato, please.",
            "kind: fault\n    worker: worker_1\n    timesteps: 0",
            ["events.1", "timesteps", "at least 1"],
        ),
        ("at: 0", "at: 20", ["events: expected an order as the first event"]),
        ("title: A test", "title: [A test", ["line ", "is no YAML"]),
        ("title: A test", "title: A test: really", ["line 1", "is no YAML"]),
    ],
)
def test_bad_scenario(scenario_file: Path, old: str, new: str, expected: list[str]) -> None:
    spoil(scenario_file, old, new)
    line = the_line(scenario_file)
    named = "kitchen: huge" in new or "k.yaml" in new or "nowhere" in new
    assert named or line.startswith(str(scenario_file))
    for part in expected:
        assert part in line


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        (NO_ONION, "notes.o1.1: expected the meaning of 'No tomato, please.'"),
        (
            NO_ONION + NO_TOMATO + "    No fuss.: []\n",
            "notes.o1.1: the scenario has no note 'No fuss.', expected no meaning",
        ),
        (
            NO_ONION + NO_TOMATO.replace("food: tomato", "food: tofu"),
            "notes.o1.1.No tomato, please..0.food: no 'tofu' in Classic Burger, expected one of "
            "beef patty, bun, lettuce, onion, tomato",
        ),
        (
            NO_ONION + NO_TOMATO.replace("without", "lacking"),
            "notes.o1.1.No tomato, please..0.kind: expected one of 'done', 'without'",
        ),
        (
            NO_ONION
            + NO_TOMATO.replace("without, food: tomato", "done, food: beef patty, level: blue"),
            "level: no level 'blue' for beef patty in Classic Burger, expected: rare, medium rare",
        ),
        (
            NO_ONION
            + NO_TOMATO.replace("without", "done").replace("tomato}", "tomato, level: rare}"),
            "level: no level 'rare' for tomato in Classic Burger, expected: none",
        ),
        (
            NO_ONION + NO_TOMATO.replace("without", "swap").replace("tomato}", "tomato, by: glue}"),
            "by: 'glue' is no ingredient, expected one of the menu's",
        ),
        (
            NO_ONION
            + NO_TOMATO.replace(
                "without, food: tomato", "longer, food: bun, process: bake, minutes: 1"
            ),
            "process: no 'bake' of bun in Classic Burger, expected: grill",
        ),
        (
            NO_ONION
            + NO_TOMATO.replace(
                "without, food: tomato", "longer, food: bun, process: grill, minutes: 0"
            ),
            "minutes: is 0, expected a positive or a negative number",
        ),
    ],
)
def test_bad_truth(scenario_file: Path, notes: str, expected: str) -> None:
    truth = add_truth(scenario_file, notes)
    line = the_line(scenario_file)
    assert line.startswith(f"{truth}: ")
    assert expected in line


def test_truth_of_another_scenario(scenario_file: Path) -> None:
    truth = add_truth(scenario_file, NO_ONION + NO_TOMATO)
    spoil(scenario_file, "title: A test", "title: Another test")
    digest = load_scenario(str(scenario_file)).digest
    line = the_line(scenario_file)
    assert line.startswith(f"{truth}: scenario: names ")
    assert line.endswith(f"expected {digest}")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("name: tiny\n", "", "name: is missing"),
        ("grill: {count: 1, slots: 2}", "grill: {count: 0, slots: 2}", "stations.grill.count"),
        ("grill: {count: 1, slots: 2}", "grill: {count: 1}", "stations.grill: expected a number"),
        ("grill: {count: 1, slots: 2}", "grill: {count: 08, slots: 2}", "stations.grill.count"),
        ("grill: {count: 1, slots: 2}", "girll: {count: 1, slots: 2}", "stations.girll: no such"),
        ("  grill: {count: 1, slots: 2}\n", "", "stations: expected at least one grill"),
        ("pass: {count: 1}", "pass: {count: 1, slots: 3}", "stations.pass: expected no slots"),
        ("board: {count: 1, slots: 1}", "board: {count: 1, slots: 2}", "stations.board.slots"),
        ("bin: {count: 1}", "bin: {count: 1, lid: 1}", "stations.bin.lid"),
        ("bin: {count: 1}", "bin: yes", "stations.bin: YAML reads yes"),
        ("bin: {count: 1}", "bin: {count: 1, workers: 0}", "stations.bin.workers"),
        ("bin: {count: 1}", "bin: {count: 1}\n  bin: {count: 2}", "stations.bin: is given twice"),
    ],
)
def test_bad_kitchen(kitchen_file: Path, old: str, new: str, expected: str) -> None:
    spoil(kitchen_file, old, new)
    assert the_line(kitchen_file).startswith(f"{kitchen_file}: {expected}")


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("menu.yaml", "pantry: [bread]", "pantry: [bread, butter]", "'butter' is listed twice"),
        ("menu.yaml", "pantry: [bread]", "larder: [bread]", "ingredients.larder"),
        ("menu.yaml", "pantry: [bread]", "pantry: [bread, off]", "YAML reads off"),
        ("menu.yaml", "pantry: [bread]", "pantry: [bread, a+b]", "ingredients.pantry.1"),
        ("menu.yaml", "  bread:\n", "  toast:\n", "doneness.toast.grill: 'toast' is no ingredient"),
        ("menu.yaml", "grill:", "warm:", "doneness.bread.warm: no such process"),
        ("menu.yaml", ", burnt: 9", "", "doneness.bread.grill.burnt"),
        ("menu.yaml", "[3, 4]", "[4, 3]", "doneness.bread.grill.golden"),
        ("menu.yaml", "[3, 4]", "[3]", "doneness.bread.grill.golden"),
        ("truth.yaml", "butter]", "glue]", "Toast: 'glue' is no ingredient"),
        ("truth.yaml", "grill golden", "grill black", "'grill black' needs minutes"),
        ("truth.yaml", "grill golden", "warm 3", "Toast: no process 'warm', expected one of"),
        ("truth.yaml", "Toast:", "Tosat:", "Toast: has no truth"),
        ("truth.yaml", "butter]", "butter]\nSoup: [butter]", "Soup: has no recipe"),
        ("recipes/Toast.txt", "Toast the bread golden; butter beside it.", " ", "is empty"),
    ],
)
def test_bad_menu(menu_file: Path, file: str, old: str, new: str, expected: str) -> None:
    spoil(menu_file.parent / file, old, new)
    line = the_line(menu_file)
    assert line.startswith(str(menu_file.parent))
    assert expected in line


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("menu.yaml", "[3, 4]", "[4, 3]"),
        ("truth.yaml", "Toast", "Roast"),
        ("recipes/Toast.txt", "", ""),
    ],
)
def test_a_menu_that_changes_is_checked_anew(
    menu_file: Path, file: str, old: str, new: str
) -> None:
    check(menu_file)
    changing = menu_file.parent / file
    text = changing.read_text()
    changing.write_text(text.replace(old, new) if old else "")
    assert the_line(menu_file).startswith(str(menu_file.parent))
    changing.write_text(text)
    assert check(menu_file)


def test_menu_without_recipes(menu_file: Path) -> None:
    (menu_file.parent / "recipes" / "Toast.txt").unlink()
    assert "recipes: there are none" in the_line(menu_file)


def test_menu_without_truth(menu_file: Path) -> None:
    (menu_file.parent / "truth.yaml").unlink()
    assert check(menu_file)[1] == "its menu has no truth: dishes cannot be judged"


def test_menu_under_another_name(menu_file: Path) -> None:
    renamed = menu_file.rename(menu_file.parent / "card.yaml")
    assert the_line(renamed).endswith("expected the name menu.yaml")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "the file: is empty"),
        ("just words\n", "the file: is no scenario, kitchen, menu or schedule"),
        ("a: b\n", "the file: is no scenario, kitchen, menu or schedule"),
        ("schedule: []\n", "schedule: expected at least 1 of them"),
        ("schedule: 3\n", "schedule: expected a list, not 3"),
        ("[]\n", "schedule: expected at least 1 of them"),
        ("- wait\n", "schedule.0: expected a mapping of names to values"),
    ],
)
def test_other_content(tmp_path: Path, content: str, expected: str) -> None:
    path = tmp_path / "some.yaml"
    path.write_text(content)
    assert the_line(path).startswith(f"{path}: {expected}")


def test_no_file(tmp_path: Path) -> None:
    assert the_line(tmp_path / "no.yaml").endswith("no.yaml: there is no such file")


def test_a_folder(tmp_path: Path) -> None:
    assert "cannot be read as text" in the_line(tmp_path)


def test_no_text(tmp_path: Path) -> None:
    path = tmp_path / "binary.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    assert "cannot be read as text" in the_line(path)


def test_another_suffix(scenario_file: Path) -> None:
    renamed = scenario_file.rename(scenario_file.with_suffix(".txt"))
    said = the_line(renamed)
    assert "is text that begins with 'title: " in said
    assert said.endswith("; expected a scenario, kitchen, menu or schedule, a .yaml file")


def test_quotes_make_a_word_of_it(scenario_file: Path) -> None:
    spoil(scenario_file, "title: A test", "title: 'no'")
    assert check(scenario_file)


# Schedules for a kitchen
