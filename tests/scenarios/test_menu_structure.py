"""The shipped menu is as varied as it is meant to be."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from cookmas.files.reading import read_text
from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import KIND_OF_PROCESS, KINDS
from cookmas.scenarios.menu import SHIPPED_MENU, MenuStore, load_menu
from cookmas.scenarios.truth import load_menu_truth

TRUTH = load_menu_truth(load_menu())


def nodes(item: str) -> list[Component]:
    return [node for component in TRUTH[item] for node in component.walk()]


def cooking(component: Component) -> int:
    """The longest chain of unattended stages in a component."""
    own = sum(KIND_OF_PROCESS[step.process].role == "appliance" for step in component.steps)
    return own + max(map(cooking, component.parts), default=0)


def test_at_least_thirty_items_each_with_truth_and_recipe() -> None:
    assert len(load_menu().items) >= 30
    assert set(TRUTH) == set(load_menu().items)


@pytest.mark.parametrize("item", sorted(TRUTH))
def test_recipe_is_prose_of_60_to_200_words(item: str) -> None:
    words = read_text(load_menu().recipe_file(item)).split()
    assert 60 <= len(words) <= 200


def test_ten_items_have_parallel_components() -> None:
    parallel = [i for i in TRUTH if sum(bool(c.steps or c.parts) for c in TRUTH[i]) >= 2]
    assert len(parallel) >= 10


def test_five_items_have_a_sauce_or_mix_of_several_ingredients() -> None:
    mixed = [i for i in TRUTH if any(n.parts and n.steps[:1] for n in nodes(i))]
    sauces = [
        i
        for i in mixed
        if any(n.parts and n.steps and n.steps[0].process == "mix" for n in nodes(i))
    ]
    assert len(sauces) >= 5


def test_five_items_have_two_cooking_stages() -> None:
    assert sum(any(cooking(c) >= 2 for c in TRUTH[i]) for i in TRUTH) >= 5


def test_five_items_share_a_component_with_another() -> None:
    made = {i: {str(n) for n in nodes(i) if n.parts or len(n.steps) > 1} for i in TRUTH}
    sharing = [i for i in TRUTH if any(made[i] & made[j] for j in TRUTH if j != i)]
    assert len(sharing) >= 5


def test_items_go_from_a_few_operations_to_a_dozen() -> None:
    operations = [sum(len(n.steps) for n in nodes(i)) for i in TRUTH]
    assert min(operations) == 1
    assert max(operations) >= 12


def test_every_tool_and_appliance_is_needed() -> None:
    needed = {KIND_OF_PROCESS[s.process].name for i in TRUTH for n in nodes(i) for s in n.steps}
    holding = {kind.name for kind in KINDS.values() if kind.role in ("tool", "appliance")}
    assert needed == holding


def test_a_store_reads_a_recipe_once_and_a_menu_loaded_later_has_the_new_text(
    tmp_path: Path,
) -> None:
    mine = tmp_path / "menu"
    shutil.copytree(SHIPPED_MENU, mine)
    store = MenuStore(load_menu(mine))
    before = asyncio.run(store.recipe("Tomato Soup"))
    (mine / "recipes" / "Tomato Soup.txt").write_text("Boil it all.\n")
    assert asyncio.run(store.recipe("Tomato Soup")) == before
    assert asyncio.run(MenuStore(load_menu(mine)).recipe("Tomato Soup")) == "Boil it all.\n"
