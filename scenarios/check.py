"""Validation of scenario, kitchen, menu and schedule files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from cookmas.episodes.scenario import resolve_name
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import read_yaml, until_changed
from cookmas.kitchen.layout import KIND_OF_PROCESS
from cookmas.kitchen.stages import Infeasible, Workload, unfold_dish
from cookmas.scenarios.fitting import misfit, processes
from cookmas.scenarios.kitchens import load_stations
from cookmas.scenarios.menu import SHIPPED_MENU, load_menu
from cookmas.scenarios.scenario import KitchenScenario, load_scenario
from cookmas.scenarios.schedule import load_schedule, read_schedule
from cookmas.scenarios.truth.truth import ScenarioTruth, load_menu_truth, load_truth, truth_path

Prove = Callable[[KitchenScenario, ScenarioTruth], str]
"""A function that returns one sentence on whether a scenario is known to be solvable.

It raises InputError if the scenario's schedule does not solve the scenario.
"""

Cook = Callable[[Path], object]
"""A function that cooks every item of the menu in a folder.

It raises InputError if an item cannot be made.
"""


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
    data = read_yaml(path)
    if path.suffix not in (".yaml", ".yml"):
        raise InputError(str(path), "the file: has an unknown suffix, expected .yaml")
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
    scenario = load_scenario(resolve_name(file.scenario, path))
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
    findings = [
        f"scenario {scenario.name}: level {scenario.file.level}, {len(scenario.file.events)} "
        f"events, {len(book.items)} order lines, sound"
    ]
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
