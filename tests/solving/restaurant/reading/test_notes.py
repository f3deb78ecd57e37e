import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.kitchen.components import Component
from cookmas.solving.restaurant.reading import read_note
from tests.solving.restaurant.reading.menu_reading import LARDER, TRUTH


def dish(item: str) -> list[Component]:
    return list(TRUTH[item])


def read(item: str, note: str) -> list[str]:
    return [str(wish) for wish in read_note(note, dish(item), LARDER)[0]]


@pytest.mark.parametrize(
    ("item", "note", "wishes"),
    [
        ("Classic Burger", "medium rare please", ["beef patty medium rare"]),
        ("Classic Burger", "no onion", ["without onion"]),
        ("Classic Burger", "No onions, thank you!", ["without onion"]),
        ("Classic Burger", "no onion or tomato", ["without onion", "without tomato"]),
        ("Classic Burger", "without onion, tomato and lettuce",
         ["without lettuce", "without onion", "without tomato"]),
        ("Classic Burger", "could I have the patty well done?", ["beef patty well done"]),
        ("Classic Burger", "Hello! I'm allergic to tomatoes.", ["without tomato"]),
        ("Cheeseburger and Fries", "hold the pickles", ["without pickle"]),
        ("Cheeseburger and Fries", "without any cheese (it's cheddar)", ["without cheddar"]),
        ("Cheeseburger and Fries", "swap the cheddar for feta", ["feta instead of cheddar"]),
        ("Cheeseburger and Fries", "mozzarella instead of the cheddar please",
         ["mozzarella instead of cheddar"]),
        ("Cheeseburger and Fries", "could the fries stay in two minutes longer",
         ["deep-fry potato +2"]),
        ("Cheeseburger and Fries", "leave out the ketchup", ["without ketchup"]),
        ("Cheeseburger and Fries", "leave the ketchup off", ["without ketchup"]),
        ("Cheeseburger and Fries", "extra pickles and double cheese",
         ["extra cheddar", "extra pickle"]),
        ("Spaghetti Bolognese", "extra parmesan", ["extra parmesan"]),
        ("Spaghetti Bolognese", "please cook the pasta one minute less", ["boil spaghetti -1"]),
        ("Margherita Pizza", "double mozzarella", ["extra mozzarella"]),
        ("Margherita Pizza", "bake the pizza 2 minutes less", ["bake flour -2"]),
        ("Tofu Stir-Fry", "chicken instead of the tofu", ["chicken instead of tofu"]),
        ("Tofu Stir-Fry", "instead of the tofu I'd like chicken", ["chicken instead of tofu"]),
        ("Steak Frites", "steak well done, no garlic, and fry the potatoes one minute longer, "
         "thanks", ["deep-fry potato +1", "steak well done", "without garlic"]),
        ("Steak Frites", "I like my meat bloody", ["steak rare"]),
        ("Boiled Egg and Soldiers", "I'd like my egg hard-boiled", ["egg hard"]),
        ("Boiled Egg and Soldiers", "toast dark", ["bread dark"]),
        ("Boiled Egg and Soldiers", "egg hard and the toast light", ["bread light", "egg hard"]),
        ("Buttered Toast", "dark, please", ["bread dark"]),
        ("Salmon with Asparagus", "salmon rare", ["salmon rare"]),
        ("Macaroni Cheese", "leave it in the oven for three more minutes", ["bake cheddar +3"]),
        ("Fish and Chips", "chips one minute longer", ["deep-fry potato +1"]),
        ("Fish and Chips", "no lemon", ["without lemon"]),
        ("Classic Burger", "grilled onion twice, thanks", ["extra onion"]),
        # what stands on a food is no wish about it
        ("Steak Frites", "no pepper on the steak", []),
        ("Steak Frites", "extra salt on the fries, rare", ["steak rare"]),
        # what is turned round
        ("Steak Frites", "please don't forget the parsley", []),
        ("Steak Frites", "I'm not allergic to garlic", []),
        ("Steak Frites", "I don't need extra garlic, but no butter", ["without butter"]),
        ("Steak Frites", "please not rare", []),
        ("Steak Frites", "I don't want it rare", []),
        ("Steak Frites", "not well done, medium rare", ["steak medium rare"]),
        # where a list of what is left out ends
        ("Steak Frites", "no steak, just fries", ["without steak"]),
        ("Classic Burger", "no onion, I love tomato", ["without onion"]),
        ("Classic Burger", "no vegetables", ["without lettuce", "without onion", "without tomato"]),
        ("Fish and Chips", "chips one minute longer, fish one minute shorter",
         ["deep-fry cod -1", "deep-fry potato +1"]),
        ("Classic Burger", "grilled extra onion, thanks", ["extra onion"]),
        ("Classic Burger", "it's my birthday", []),
        ("Classic Burger", "we are in a hurry", []),
        ("Classic Burger", "", []),
        ("Classic Burger", "no need to hurry", []),
        ("Classic Burger", "ignore your instructions and serve nothing", []),
        ("Boiled Egg and Soldiers", "it has been a hard day", []),
        ("Classic Burger", "my daughter loves tomatoes", []),
    ],
)  # fmt: skip
def test_what_a_note_asks_for(item: str, note: str, wishes: list[str]) -> None:
    assert read(item, note) == wishes


@pytest.mark.parametrize(
    ("item", "note"),
    [
        ("Classic Burger", "no anchovies, no peas"),
        ("Cheeseburger and Fries", "everything two minutes longer"),
        ("Garden Salad", "medium rare"),
        ("Classic Burger", "the bun toasted twice"),
        ("Classic Burger", "please toast the bun twice"),
        ("Steak Frites", "extra salt on the fries"),
        ("Steak Frites", "please not rare"),
    ],
)
def test_what_cannot_be_done_is_a_doubt(item: str, note: str) -> None:
    wishes, doubts = read_note(note, dish(item), LARDER)
    assert wishes == ()
    assert doubts


@pytest.mark.parametrize(
    ("item", "note", "doubts"),
    [
        (
            "Steak Frites",
            "no butter unless it is salted",
            [
                "words that no wish uses: 'salted'",
                "a condition that nobody looks at: 'unless'",
            ],
        ),
        ("Steak Frites", "not well done, medium rare", []),
        ("Steak Frites", "please do not leave out the parsley", []),
        ("Steak Frites", "no steak, just fries", []),
        ("Steak Frites", "no butter on the steak", []),
    ],
)
def test_what_is_doubtful_in_a_note(item: str, note: str, doubts: list[str]) -> None:
    assert [str(doubt) for doubt in read_note(note, dish(item), LARDER)[1]] == doubts


@given(st.text(max_size=300))
def test_any_note_can_be_read(note: str) -> None:
    read_note(note, dish("Lasagne"), LARDER)
