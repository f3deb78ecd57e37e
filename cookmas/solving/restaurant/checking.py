"""Validation of a menu: its recipes are compared with its truth, and each dish is cooked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.files.reading import until_changed
from cookmas.kitchen.actions import Serve
from cookmas.kitchen.components import Component
from cookmas.kitchen.foods import Dish
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.world import Restaurant
from cookmas.scenarios.check import NO_MENU_TRUTH, check
from cookmas.scenarios.check import fix as mend
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import SHIPPED_MENU, Menu, load_menu
from cookmas.scenarios.truth import load_menu_truth
from cookmas.solving.restaurant.proof import prove
from cookmas.solving.restaurant.reading import Larder, read_recipe
from cookmas.solving.restaurant.reading.showing import differences
from cookmas.solving.restaurant.scheduling.schedule import make_schedule
from cookmas.worlds.restaurant.judging.comparison import compare

KITCHEN = "standard"
"""The kitchen in which the check cooks the dishes of a menu's truth."""

LINE = "o1.1"

Truth = Mapping[str, Sequence[Component]]
"""The components of each item of a menu."""


def check_file(path: Path, *, fix: bool = False) -> list[str]:
    """Validate a file as `cookmas.scenarios.check` does, and check that its menu can be cooked.

    For a menu file, the embedded reader's reading of each recipe is also compared with the truth.
    If `fix`, the digest in the truth of a scenario is also updated, provided that everything else
    is valid. Returns one sentence for each finding. Raises InputError.
    """
    findings = check(path, prove, cook, stale=fix)
    if fix:
        findings = [*mend(path), *findings]
    if path.name != "menu.yaml" or NO_MENU_TRUTH in findings:
        return findings
    folder = SHIPPED_MENU if path.parent.resolve() == SHIPPED_MENU else path.parent
    menu = load_menu(folder)
    cooked = f"its truth: every item was cooked as it says, in the {KITCHEN} kitchen"
    return [*findings, cooked, *_read(menu, load_menu_truth(menu))]


@until_changed
def cook(folder: Path) -> None:
    """Cook every item of the menu in a folder. Raises InputError if an item cannot be made."""
    menu = load_menu(folder)
    kitchen = build_kitchen(kitchen_path(KITCHEN), menu)
    for item, components in load_menu_truth(menu).items():
        if why := find_cooking_fault(kitchen, item, components):
            expected = f"expected what can be made in the {KITCHEN} kitchen"
            raise InputError(str(menu.folder), f"{item}: {why}, {expected}")


def find_cooking_fault(kitchen: Kitchen, item: str, components: Sequence[Component]) -> str | None:
    """Let the scheduler cook an item as the only order; return the problem, or None.

    It is a problem if no schedule is found, if an action of the schedule FAILs, or if the served
    dish does not have the `components`.
    """
    world = Restaurant(kitchen)
    order = {"kind": "new_order", "order": "o1", "lines": [{"item": item}]}
    state, _ = world.apply(world.start(), order)
    held = None
    for entry in make_schedule(kitchen, state, {LINE: components}, effort=1).schedule:
        holding = dict(zip(world.workers, state.workers, strict=True))
        server = next((name for name, action in entry.items() if action == str(Serve(LINE))), None)
        held = holding[server].holding if server else held
        state, outcomes, _ = world.step(state, [Command(*each) for each in entry.items()])
        for outcome in outcomes.values():
            if not outcome.done:
                return outcome.why.rstrip(".")
    if not isinstance(held, Dish):
        return "no schedule that serves it was found"
    wrong = compare(held.components, components, kitchen.doneness)
    return "; ".join(map(str, wrong)) or None


def _read(menu: Menu, truth: Truth) -> list[str]:
    larder = Larder(ingredients=frozenset(menu.larder), doneness=menu.doneness)
    findings: list[str] = []
    for item in menu.items:
        reading = read_recipe(menu.recipe(item), larder)
        findings += [f"{item}: {doubt}" for doubt in reading.doubts]
        findings += [f"{item}: {each}" for each in differences(reading.components, truth[item])]
    return findings or ["its recipes: the embedded reader reads each as its truth, without doubts"]
