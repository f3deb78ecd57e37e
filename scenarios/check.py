"""Validation of scenario, kitchen, menu and schedule files, and repair of truth files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from cookmas.episodes.checking_worlds import describe_valid
from cookmas.files.errors import InputError, MissingError
from cookmas.files.naming import is_yaml
from cookmas.files.reading import read_text, read_yaml, refuse_other_file, until_changed
from cookmas.files.writing import write_whole
from cookmas.files.yaml_text import parse_yaml
from cookmas.kitchen.components import Component
from cookmas.kitchen.customizations import Customization, Done, Longer, Swap
from cookmas.kitchen.layout import KIND_OF_PROCESS
from cookmas.kitchen.stages import Infeasible, Workload, unfold_dish
from cookmas.scenarios.kitchens import load_stations
from cookmas.scenarios.menu import SHIPPED_MENU, Menu, load_menu
from cookmas.scenarios.scenario import KitchenScenario, load_scenario
from cookmas.scenarios.schedule import load_schedule, read_schedule
from cookmas.scenarios.truth import ScenarioTruth, load_menu_truth, load_truth, truth_path

Prove = Callable[[KitchenScenario, ScenarioTruth], str]
"""A function that returns one sentence on whether a scenario is known to be solvable.

It raises InputError if the scenario's schedule does not solve the scenario.
"""

Cook = Callable[[Path], object]
"""A function that cooks every item of the menu in a folder.

It raises InputError if an item cannot be made.
"""


_SCENARIO_LINE = re.compile(r"^scenario[ ]*:.*$", re.MULTILINE)

NO_MENU_TRUTH = "its menu has no truth: dishes cannot be judged"


def check(
    path: Path, prove: Prove | None = None, cook: Cook | None = None, *, stale: bool = False
) -> list[str]:
    """Validate a file and everything it refers to; the content decides what kind of file it is.

    If `prove` is given, it is called to check that a scenario can be solved. If `cook` is given, it
    is called to check that the dishes of the menu can be made. If `stale`, the truth may name an
    earlier version of the scenario. Returns one sentence for each finding. Raises the first
    InputError or MissingError.
    """
    if not is_yaml(path):
        refuse_other_file(path, "a scenario, kitchen, menu or schedule, a .yaml file")
    data = read_yaml(path)
    if isinstance(data, list) or (isinstance(data, Mapping) and "schedule" in data):
        return _check_schedule(path)
    if isinstance(data, Mapping):
        if "events" in data or "level" in data:
            return vet(load_scenario(str(path)), prove, cook, stale=stale)
        if "stations" in data:
            return _check_kitchen(path)
        if "ingredients" in data or "doneness" in data:
            return _check_menu(path, cook)
    raise InputError(
        str(path),
        "the file: is no scenario, kitchen, menu or schedule, expected the key events, stations, "
        "ingredients or schedule",
    )


def _check_kitchen(path: Path) -> list[str]:
    name, stations = load_stations(path)
    return [f"kitchen {name}: {len(stations)} stations, sound"]


def _check_schedule(path: Path) -> list[str]:
    file = read_schedule(path)
    if file.scenario is None:
        return [
            f"schedule: {len(file.schedule)} timesteps, every action can be read; it names no "
            "scenario, so workers and stations were not checked"
        ]
    scenario = load_scenario(file.scenario, path.parent)
    load_schedule(path, scenario)
    return [f"schedule: {len(file.schedule)} timesteps, sound for {scenario.name}"]


def _check_menu(path: Path, cook: Cook | None) -> list[str]:
    if path.name != "menu.yaml":
        raise InputError(str(path), "the file: is a menu, expected the name menu.yaml")
    folder = SHIPPED_MENU if path.parent.resolve() == SHIPPED_MENU else path.parent
    menu = load_menu(folder)
    findings = [f"menu: {len(menu.items)} items, {len(menu.larder)} ingredients, sound"]
    return findings if _has_truth(folder, cook) else [*findings, NO_MENU_TRUTH]


def _has_truth(folder: Path, cook: Cook | None) -> bool:
    """Return whether the menu in a folder has a truth; if `cook` is given, also cook its items.

    Raises InputError if the menu or its truth is invalid, or if an item cannot be cooked.
    """
    _check_recipes(folder)
    try:
        _check_items(folder)
    except MissingError:
        return False
    if cook:
        cook(folder)
    return True


@until_changed
def _check_recipes(folder: Path) -> None:
    menu = load_menu(folder)
    if not menu.items:
        raise InputError(str(folder), "recipes: there are none, expected recipes/<item>.txt")
    for item in menu.items:
        if not menu.recipe(item).strip():
            file = str(menu.recipe_file(item))
            raise InputError(file, "the file: is empty, expected the recipe in prose")


@until_changed
def _check_items(folder: Path) -> None:
    menu, where = load_menu(folder), str(folder)
    truth = load_menu_truth(menu)
    for item in menu.items:
        if item not in truth:
            raise InputError(where, f"{item}: has no truth, expected its components")
    for item, components in truth.items():
        if item not in menu.items:
            raise InputError(where, f"{item}: has no recipe, expected recipes/{item}.txt")
        for process in processes(components):
            if process not in KIND_OF_PROCESS:
                known = ", ".join(KIND_OF_PROCESS)
                raise InputError(where, f"{item}: no process {process!r}, expected one of {known}")
        if not components:
            raise InputError(where, f"{item}: its truth is empty, expected components")
        try:
            unfold_dish(Workload(), item, components, menu.larder)
        except Infeasible as problem:
            raise InputError(
                where, f"{item}: {problem}, expected components that a kitchen can make"
            ) from None


def vet(
    scenario: KitchenScenario,
    prove: Prove | None = None,
    cook: Cook | None = None,
    *,
    stale: bool = False,
) -> list[str]:
    """Validate a scenario with its menu and its truth; return one sentence for each finding.

    `prove`, `cook` and `stale` have the same meaning as in `check`. Raises InputError if anything
    is invalid.
    """
    book = scenario.book
    sizes = f"{len(scenario.file.events)} events", f"{len(book.items)} order lines"
    findings = describe_valid(scenario, (f"level {scenario.file.level}", *sizes))
    if not _has_truth(scenario.menu.folder, cook):
        return [*findings, NO_MENU_TRUTH]
    if book.notes and not truth_path(scenario).exists():
        return [*findings, "it has no truth: what the customers say cannot be judged"]
    truth = load_truth(scenario, stale=stale)
    _check_truth(scenario, truth)
    notes = f"its truth: {len(book.notes)} notes, each with its meaning"
    notes = notes if book.notes else "it has no notes, so it needs no truth"
    return [*findings, notes, *([prove(scenario, truth)] if prove else [])]


def _check_truth(scenario: KitchenScenario, truth: ScenarioTruth) -> None:
    book = scenario.book
    where = str(truth_path(scenario))
    for line, note in book.notes:
        if (line, note) not in truth.notes:
            raise InputError(where, f"notes.{line}: expected the meaning of {note!r}")
    for (line, note), wishes in truth.notes.items():
        if (line, note) not in book.notes:
            raise InputError(
                where, f"notes.{line}: the scenario has no note {note!r}, expected no meaning"
            )
        item = book.items[line]
        for number, wish in enumerate(wishes):
            if problem := misfit(wish, item, truth.items[item], scenario.menu):
                raise InputError(where, f"notes.{line}.{note}.{number}.{problem}")


def misfit(
    wish: Customization, item: str, components: tuple[Component, ...], menu: Menu
) -> str | None:
    """Return a text about the first field of a wish that does not fit the dish; None if all fit.

    The text names the field and the expected value. `components` are those of the menu item `item`
    before the wish is applied.
    """
    foods = sorted({name for component in components for name in component.ingredients()})
    if wish.food not in foods:
        return f"food: no {wish.food!r} in {item}, expected one of {', '.join(foods)}"
    match wish:
        case Done(food=food, level=level):
            levels = [
                known
                for component in components
                for node in component.walk()
                if node.name == food
                for step in node.steps
                if step.level is not None
                for known in menu.doneness[food, step.process].levels
            ]
            if level not in levels:
                known = ", ".join(levels) or "none"
                return f"level: no level {level!r} for {food} in {item}, expected: {known}"
        case Swap(by=by):
            if by not in menu.larder:
                return f"by: {by!r} is no ingredient, expected one of the menu's"
        case Longer(food=food, process=process, minutes=minutes):
            applied = processes(components, food)
            if process not in applied:
                known = ", ".join(applied) or "none"
                return f"process: no {process!r} of {food} in {item}, expected: {known}"
            if minutes == 0:
                return "minutes: is 0, expected a positive or a negative number"
    return None


def processes(components: tuple[Component, ...], food: str | None = None) -> list[str]:
    """Return the processes of all steps of components and of their parts, each once.

    If `food` is given, only the components and parts that contain this food count.
    """
    nodes = [node for component in components for node in component.walk()]
    names = [
        step.process
        for node in nodes
        if food is None or food in node.ingredients()
        for step in node.steps
    ]
    return list(dict.fromkeys(names))


def fix(path: Path) -> list[str]:
    """Update the digest in the truth of a scenario, if the digest is out of date.

    `path` is the file of the scenario. The rest of the truth file stays unchanged. Returns a list
    with one sentence about the update; without an update it is empty. Raises InputError.
    """
    data = read_yaml(path)
    if not isinstance(data, Mapping) or "events" not in data:
        return []
    scenario = load_scenario(str(path))
    truth = truth_path(scenario)
    if not truth.exists():
        return []
    content = read_yaml(truth)
    if not isinstance(content, Mapping) or content.get("scenario") == scenario.truth_digest:
        return []
    line = f'scenario: "{scenario.truth_digest}"'
    text, replaced = _SCENARIO_LINE.subn(line, read_text(truth), count=1)
    repaired = text if replaced else f"{line}\n{text}"
    if parse_yaml(repaired, str(truth)) != {**content, "scenario": scenario.truth_digest}:
        raise InputError(str(truth), f"cannot be repaired; write the line {line}")
    write_whole(truth, repaired)
    return [f"{truth} now names the current scenario, {scenario.truth_digest}"]
