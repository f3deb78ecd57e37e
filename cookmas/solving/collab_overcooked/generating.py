"""Generated tasks: a new kitchen, and a new dish; the names of all food that is made are new."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from cookmas.files.errors import InputError
from cookmas.files.writing import write_text
from cookmas.files.yaml_text import to_yaml
from cookmas.solving.collab_overcooked.search import fewest_timesteps
from cookmas.solving.collab_overcooked.useful import DishGoal
from cookmas.worlds.collab_overcooked.rules.book import book
from cookmas.worlds.collab_overcooked.rules.kitchen import CAPACITY, LETTERS, STARTERS
from cookmas.worlds.collab_overcooked.scenario import CollabScenario, ScenarioFile

LEVELS = range(1, 7)
SEARCHED_SITUATIONS = 60_000
"""Greatest number of situations that are searched for the fewest timesteps of a draw."""
TRIES = 50

_LEFT = [(1, 0), (0, 1), (0, 2), (0, 3), (1, 4)]
_RIGHT = [(3, 0), (4, 1), (4, 2), (4, 3), (3, 4)]
_SYLLABLES = ("ba", "do", "fe", "gu", "ki", "lo", "ma", "ne", "pi", "ru", "sa", "to", "vu", "ze")
_WORDS: Mapping[str, str] = {
    "pot": "cook {} in the pot",
    "oven": "bake {} in the oven",
    "chopping_board": "cut {} on the chopping board",
    "blender": "stir {} in the blender",
}


def generate_task(level: int, size: int | None, seed: int, path: Path) -> Path:
    """Write a task with `level` cooking steps and `size` ingredients.

    The kitchen has two rooms, one with the ingredients and one with the delivery. The published
    time of the dish is the fewest timesteps in which it can be delivered. If `size` is None or 0,
    the number of ingredients follows from the level. Raise InputError if level or size is out of
    range, or no draw gives a task that is solved quickly.
    """
    count = size or (1 if level < 4 else 2 if level < 6 else 3)
    if level not in LEVELS or not 1 <= count <= CAPACITY:
        raise InputError("level, size", f"expected level 1 to 6, and 1 to {CAPACITY} ingredients")
    draw = Random(f"{level}/{count}/{seed}")
    for _ in range(TRIES):
        dish, entry = _draw_dish(draw, level, count)
        data: dict[str, Any] = {
            "world": "collab-overcooked",
            "title": f"{level} cooking steps, {count} ingredients",
            "own_layout": _draw_layout(draw, {step["utensil"] for step in entry["steps"]}),
            "orders": {dish: 1.0},
            "dishes": {dish: entry},
        }
        file = ScenarioFile.model_validate(data)
        scenario = CollabScenario(name="drawn", path=path, file=file)
        goal = DishGoal(scenario.kitchen, dish, tuple(s.row() for s in scenario.dishes[dish].steps))
        plan = fewest_timesteps(goal, SEARCHED_SITUATIONS)
        if plan is not None:
            entry["published"] = len(plan.begun)
            write_text(path, to_yaml(data))
            return path
    raise InputError(
        "seed", f"{TRIES} draws gave no task that is solved quickly; take another seed"
    )


def _draw_dish(draw: Random, level: int, count: int) -> tuple[str, dict[str, Any]]:
    """Return the name and the entry of a drawn dish with `level` steps.

    Each step processes one food, but the last step joins all of them.
    """
    raw = draw.sample(sorted(book().raw), count)
    foods, last = list(raw), dict.fromkeys(raw, "")
    names = _draw_names(draw, level)
    steps: list[dict[str, Any]] = []
    for number, product in enumerate(names):
        joins = number == level - 1
        inputs = list(foods) if joins else [draw.choice(foods)]
        used = {last[food] for food in inputs}
        utensil = draw.choice([kind for kind in STARTERS if kind not in used])
        steps.append({"utensil": utensil, "inputs": inputs, "product": product})
        foods = [product if food == inputs[0] else food for food in foods if food not in inputs[1:]]
        last[product] = utensil
    dish = names[-1]
    plated = level >= 3
    text = " ".join(_sentence(step) for step in steps)
    text += f" Fill a dish with the {dish} and deliver it." if plated else f" Deliver the {dish}."
    return dish, {
        "level": level,
        "served": "dish" if plated else "hand",
        "steps": steps,
        "text": text,
    }


def _sentence(step: Mapping[str, Any]) -> str:
    foods = [f"the {food.replace('_', ' ')}" for food in step["inputs"]]
    joined = " and ".join(foods) if len(foods) < 3 else f"{', '.join(foods[:-1])} and {foods[-1]}"
    words = _WORDS[step["utensil"]].format(joined)
    return f"{words[0].upper()}{words[1:]} for three timesteps: that is {step['product']}."


def _draw_names(draw: Random, count: int) -> list[str]:
    names: list[str] = []
    while len(names) < count:
        name = "".join(draw.sample(_SYLLABLES, 3))
        if name not in names:
            names.append(name)
    return names


def _draw_layout(draw: Random, kinds: set[str]) -> dict[str, Any]:
    """Return two rooms with counters between them, the utensils spread over both by chance."""
    letters = {kind: letter for letter, kind in LETTERS.items()}
    rooms = [draw.sample(_LEFT, 5), draw.sample(_RIGHT, 5)]
    draw.shuffle(rooms)
    supplies, delivery = rooms
    rows = [list("XXXXX"), list("X X X"), list("X X X"), list("X X X"), list("XXXXX")]
    places = [(supplies.pop(), "I"), (supplies.pop(), "D"), (delivery.pop(), "S")]
    for kind in draw.sample(sorted(kinds), len(kinds)):
        room = draw.choice([each for each in rooms if len(each) > 1])
        places.append((room.pop(), letters[kind]))
    for (x, y), letter in places:
        rows[y][x] = letter
    rows[draw.randint(1, 3)][1], rows[draw.randint(1, 3)][3] = "2", "1"
    reader = draw.choice(["bob", "alice"])
    grid = ["".join(row) for row in rows]
    return {"grid": grid, "cooks": ["bob", "alice"], "readers": [reader]}
