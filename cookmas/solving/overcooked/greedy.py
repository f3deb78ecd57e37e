"""The greedy rules: what is most urgent for a cook, without looking ahead."""

from __future__ import annotations

from dataclasses import replace

from cookmas.solving.overcooked.needs import CookNeeds
from cookmas.worlds.grids.hands import HIDDEN
from cookmas.worlds.overcooked.rules.actions import MediumAction
from cookmas.worlds.overcooked.rules.kitchen import POT, SERVING
from cookmas.worlds.overcooked.rules.state import OvercookedState
from cookmas.worlds.overcooked.world import OvercookedWorld


def choose_greedily(needs: CookNeeds) -> MediumAction | None:
    """Return the most urgent action of a cook; None if there is nothing to do but to wait.

    The cook takes the other cooks of lower numbers, whose move it is too, for greedy ones.
    """
    doing = list(needs.state.doing)
    for number in range(needs.number):
        if doing[number] is None and needs.scene.cooks[number] != HIDDEN:
            doing[number] = choose_greedily(replace(needs, number=number))
    needs = replace(needs, state=needs.state._replace(doing=tuple(doing)))
    return _choose_work(needs) or needs.make_way()


def _choose_work(needs: CookNeeds) -> MediumAction | None:
    """Return the most urgent action: soups first, then dishes, then ingredients."""
    if needs.held == "soup":
        return needs.deliver()
    if needs.held == "dish":
        rests = not needs.reaches(POT) or (not needs.soups and needs.wants_ingredient() is not None)
        return needs.plate() or (needs.lay_down() if rests else None)
    if needs.held:
        rests = needs.wants_dish() or not needs.reaches(POT)
        return needs.fill() or (needs.lay_down() if rests else None)
    soup = needs.fetch("soup") if needs.reaches(SERVING) else None
    if urgent := needs.open_for_others() or soup or needs.start():
        return urgent
    passes = not needs.reaches(POT) and needs.is_full and needs.count_there("dish") == 0
    dish = needs.fetch("dish") if needs.wants_dish() or passes else None
    item = needs.wants_ingredient() if needs.reaches(POT) or not needs.is_full else None
    return dish or (needs.fetch(item) if item else None) or needs.leave()


def choose_for(world: OvercookedWorld, state: OvercookedState, cook: str) -> MediumAction | None:
    """Return what a greedy cook begins now; None: it waits."""
    return choose_greedily(CookNeeds.of(world, state, cook))
