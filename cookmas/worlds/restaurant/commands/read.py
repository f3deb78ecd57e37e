"""The command `cookmas read`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.files.lines import clean
from cookmas.files.printing import print_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cookmas.kitchen.components import Component
    from cookmas.scenarios.menu import Menu

Note = Annotated[str | None, typer.Option("--note", help="A customer's words about the dish.")]
Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        help="The truth: a YAML file of components, by dish or plain; 'truth': the menu's own.",
    ),
]


def read(
    what: Annotated[str, typer.Argument(help="A dish, a file, a menu folder, or - for stdin.")],
    note: Note = None,
    against: Against = None,
    json: Annotated[bool, typer.Option("--json", help="One line of JSON for each recipe.")] = False,
) -> None:
    """Show how a recipe is read: each step with its words, skipped words, and doubts.

    The exit code is 1 if a reading differs from the truth.
    """
    from cookmas.files.errors import InputError
    from cookmas.kitchen.events import LONGEST_NOTE
    from cookmas.scenarios.menu import SHIPPED_MENU, load_menu

    if note is not None and len(note) > LONGEST_NOTE:
        raise InputError("--note", f"has more than {LONGEST_NOTE} characters")
    folder = Path(what) if (Path(what) / "menu.yaml").exists() else SHIPPED_MENU
    menu = load_menu(folder)
    wrong = False
    for dish, text in _find_recipes(what, menu).items():
        truth = _load_truth(against, dish, menu) if against is not None else None
        wrong |= _show(dish, text, note, truth, menu, json=json)
    raise typer.Exit(int(wrong))


def _find_recipes(what: str, menu: Menu) -> Mapping[str, str]:
    """Return the recipes that `what` names, by dish. Raises MissingError if it names none."""
    from cookmas.files.errors import MissingError
    from cookmas.files.reading import text_of
    from cookmas.scenarios.menu import LONGEST_RECIPE, recipe_in

    if what == "-":
        return {"stdin": text_of(sys.stdin.buffer, "stdin", LONGEST_RECIPE)}
    if Path(what).is_file():
        return {Path(what).stem: recipe_in(Path(what))}
    if (Path(what) / "menu.yaml").exists():
        return {item: menu.recipe(item) for item in menu.items}
    if what in menu.items:
        return {what: menu.recipe(what)}
    raise MissingError(
        f"there is no dish, file or menu folder {what!r}; expected one of them, or -"
    )


def _load_truth(against: str, dish: str, menu: Menu) -> Sequence[Component]:
    from cookmas.files.errors import InputError
    from cookmas.files.reading import read_yaml
    from cookmas.kitchen.components import parse_component
    from cookmas.scenarios.truth import load_menu_truth

    if against == "truth":
        found = load_menu_truth(menu).get(dish)
        if found is None:
            raise InputError("--against truth", f"{dish} is not on the menu, expected a file")
        return found
    data = read_yaml(Path(against))
    texts = data.get(dish) if isinstance(data, dict) else data
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError(against, f"{dish}: has no components, expected a list of them")
    return [parse_component(text, menu.doneness) for text in texts]


def _show(
    dish: str,
    text: str,
    note: str | None,
    truth: Sequence[Component] | None,
    menu: Menu,
    *,
    json: bool,
) -> bool:
    """Print one recipe's reading; return True if it differs from the truth."""
    from cookmas.worlds.shipped import solved

    larder_of, read_recipe, read_note = (
        solved("restaurant", f"reading:{name}") for name in ("Larder", "read_recipe", "read_note")
    )
    find_differences, doubt_lines, dump_reading, lines_of = (
        solved("restaurant", f"reading.showing:{name}")
        for name in ("differences", "doubt_lines", "dump_reading", "lines_of")
    )
    larder = larder_of(ingredients=frozenset(menu.larder), doneness=menu.doneness)
    reading = read_recipe(text, larder)
    wrong = find_differences(reading.components, truth) if truth is not None else []
    data: dict[str, Any] = {
        "dish": dish,
        **dump_reading(text, reading),
    }
    lines = [dish, *lines_of(text, reading)]
    if note is not None:
        wishes, doubts = read_note(note, reading.components, larder)
        data["wishes"] = [str(wish) for wish in wishes]
        data["note_doubts"] = [doubt._asdict() for doubt in doubts]
        lines += [
            "wishes",
            *(f"  {wish}" for wish in wishes),
            *doubt_lines(doubts),
        ]
    if truth is not None:
        data["differences"] = wrong
        lines += ["against the truth", *(f"  {each}" for each in wrong or ["no difference"])]
    if json:
        print_json(data)
    else:
        for line in lines:
            print(clean(line))
        print()
    return bool(wrong)
