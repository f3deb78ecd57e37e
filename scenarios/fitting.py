"""The check that a wish can be applied to a dish."""

from __future__ import annotations

from cookmas.kitchen.components import Component
from cookmas.kitchen.customizations import Customization, Done, Longer, Swap
from cookmas.scenarios.menu import Menu


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
