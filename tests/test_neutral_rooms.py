"""Rooms that serve every world have no words of the kitchen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
KINDS = {".py", ".lua", ".md", ".js", ".css", ".html", ".txt", ".yaml"}

PLACE = frozenset({"kitchen", "kitchens", "chef", "chefs", "cook", "cooks", "cooked", "cooking"})
"""Words that no room may have that knows no world."""

FOOD = frozenset(
    {
        *("dish", "dishes", "recipe", "recipes", "menu", "menus", "meal", "meals", "ingredient"),
        *("ingredients", "restaurant", "restaurants", "plate", "plates", "grill", "oven", "stove"),
        *("burger", "salad", "waiter", "customer", "customers"),
    }
)
"""Words that stand in an example at most, where people learn of CookMAS: in `cookmas`."""

ROOMS = {
    "cookmas": PLACE,
    **dict.fromkeys(
        (
            *("evals", "orchestrator", "workers", "cookmas/display", "cookmas/episodes"),
            *("cookmas/files", "cookmas/mailboxes", "cookmas/modelserver", "cookmas/sandbox"),
            "cookmas/worlds/base",
        ),
        PLACE | FOOD,
    ),
}
"""The rooms with the words that they may not have; a later room is a part of an earlier one."""

ALLOWED = {
    "orchestrator/dialogue/prompting.py": ("recipes", "the name of an option, kept in run.json"),
    "orchestrator/dialogue/prompt.py": ("recipes", "the name of an option, kept in run.json"),
    "orchestrator/planners/llm.py": ("recipes", "the name of an option, kept in run.json"),
    "orchestrator/dialogue/segments.py": ("recipe recipes", "the published names of segments"),
    "orchestrator/models/openai_model.py": ("recipes", "it names the option of that name"),
    "orchestrator/models/langchain_model.py": ("recipes", "it names the option of that name"),
    "orchestrator/models/probe.py": ("recipes", "it names the option of that name"),
    "cookmas/sandbox/importing.py": ("kitchen", "the former root of the kitchen's modules"),
    "cookmas/worlds/base/domain.py": ("kitchen", "an option for worlds that can be altered"),
    "cookmas/worlds/shipped.py": ("restaurant", "the name of a world"),
    "cookmas/commands/check.py": ("kitchen", "the kinds of files that the restaurant has"),
    "cookmas/commands/fork.py": ("kitchen", "an option for worlds that can be altered"),
    "cookmas/forking.py": ("kitchen", "an option for worlds that can be altered"),
    "cookmas/commands/serve.py": ("kitchen", "it opens a kitchen of the restaurant"),
    "cookmas/commands/show.py": ("kitchen", "it shows the parts that the restaurant has"),
}
"""Files with words of the kitchen, and why they have them."""


def words(text: str) -> list[str]:
    """Return the words of a text, also those of which names are made."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text.replace("CookMAS", "cookmas"))
    return re.findall(r"[a-z]+", parted.lower())


def found(text: str, among: frozenset[str]) -> set[str]:
    """Return the words of the kitchen in a text."""
    return {word for word in words(text) if word in among}


def files() -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the files of the rooms, each with the words that it may not have."""
    of_worlds = {ROOT / "cookmas/worlds", ROOT / "cookmas/solving"}
    for room, among in ROOMS.items():
        for path in sorted((ROOT / room).rglob("*")):
            ours = not of_worlds & {*path.parents} or of_worlds & {*(ROOT / room).parents}
            if ours and path.suffix in KINDS and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), among
    for top in sorted(of_worlds):
        for path in sorted(top.glob("*.py")):
            yield path.relative_to(ROOT).as_posix(), PLACE | FOOD


def test_a_room_of_every_world_has_no_word_of_the_kitchen() -> None:
    rooms = dict(files())
    assert len(rooms) > 250
    text = {path: (ROOT / path).read_text(encoding="utf-8") for path in rooms}
    having = {path: found(f"{path}\n{text[path]}", among) for path, among in rooms.items()}
    allowed = {path: set(which.split()) for path, (which, _) in ALLOWED.items()}
    assert {path: which for path, which in having.items() if which} == allowed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no_kitchen KitchenOptions", {"kitchen"}),
        ("An open\nkitchen, OPEN_KITCHENS.", {"kitchen", "kitchens"}),
        ("CookMAS cooked a Dish", {"cooked", "dish"}),
    ],
)
def test_a_word_is_found_in_names_and_across_lines(text: str, expected: set[str]) -> None:
    assert found(text, PLACE | FOOD) == expected
