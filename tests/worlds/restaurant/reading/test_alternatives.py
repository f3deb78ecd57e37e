"""Where a text can be read in several ways, the way with the fewest loose ends is taken."""

from dataclasses import dataclass, field

import pytest

from kitchen.components import parse_component
from scenarios.menu import load_menu
from worlds.restaurant.reading import Larder, read_recipe
from worlds.restaurant.reading.alternatives import Choices, most_plausible
from worlds.restaurant.reading.plausible import loose_ends

MENU = load_menu()
LARDER = Larder(ingredients=frozenset(MENU.larder), doneness=MENU.doneness)


def read(prose: str) -> list[str]:
    return [str(component) for component in read_recipe(prose, LARDER).components]


@dataclass(frozen=True)
class Toy:
    """A text with two places to choose at; each right choice leaves one loose end fewer."""

    choices: Choices
    looseness: int
    suspects: frozenset[int] = field(default_factory=frozenset)


def tell(choices: Choices) -> Toy:
    first = choices.choose(("who", 1, 0, 0), 3)
    second = choices.choose(("skip", 2, 0, 0), 2)
    return Toy(choices, (first != 2) + (second != 1))


def test_single_changes_of_mind_lead_to_the_best_reading() -> None:
    assert most_plausible(tell).looseness == 0


def test_without_effort_the_likeliest_reading_stands() -> None:
    assert most_plausible(tell, 0).looseness == 2


@pytest.mark.parametrize(
    ("component", "weight"),
    [
        ("potato > peel 1 > chop 2 > boil 12-14", 0),
        ("bread > grill golden > slice 1", 0),
        ("(flour + milk + egg) > mix 3 > fry 3-4", 0),
        ("potato > chop 2 > peel 1 > boil 12-14", 3),
        ("rice", 4),
        ("milk > chop 2", 4),
        ("onion", 2),
        ("(flour + milk + egg) > mix 3", 8),
    ],
)
def test_what_no_kitchen_would_serve_is_a_loose_end(component: str, weight: int) -> None:
    ends = loose_ends([parse_component(component, MENU.doneness)], [], [])
    assert sum(end.weight for end in ends) == weight


@pytest.mark.parametrize(
    ("prose", "components"),
    [
        ("The macaroni goes in a dish and the dish goes in the oven. After ten to twelve minutes "
         "it will be brown.", ["macaroni > bake 10-12"]),
        ("Fill your biggest pot with the stock, drop in the carrot and let it all simmer for 8 to "
         "9 minutes.", ["(carrot > boil 8-9 + stock > boil 8-9)"]),
        ("Pour the stock into a pot, drop in the carrot, and let it all simmer for 8 to 9 "
         "minutes.", ["(carrot > boil 8-9 + stock > boil 8-9)"]),
        ("My brother chopped the cabbage for three minutes. The cabbage goes on the plate.",
         ["cabbage > chop 3"]),
        ("Do I have to peel the potato? Yes, always. Boil it for 12 minutes.",
         ["potato > peel 1 > boil 12"]),
        ("The egg is soft-boiled.", ["egg > boil soft"]),
        ("Cut the potatoes, once they are peeled, into sticks. They need six to eight minutes in "
         "the fryer.", ["potato > peel 1 > slice 1 > deep-fry 6-8"]),
        ("You need an egg, boiled until soft, and pork, grilled for six minutes and then cut into "
         "slices.", ["egg > boil soft", "pork > grill 6 > slice 1"]),
    ],
)  # fmt: skip
def test_loose_ends_are_tied(prose: str, components: list[str]) -> None:
    assert read(prose) == components
