import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.solving.restaurant.reading import read_recipe, reader
from cookmas.solving.restaurant.reading.discourse import conclude
from cookmas.solving.restaurant.reading.doubting import findings
from cookmas.solving.restaurant.reading.showing import lines_of
from tests.sampling import CONFORMANCE, sampled, seeds
from tests.solving.restaurant.reading.menu_reading import (
    LARDER,
    TRUTH,
    read_components,
    wanted,
)

ROOT = Path(__file__).parents[4]
NOT_READ = (
    "The tomato we slice", "Boil the peeled and chopped", "Dip the cod in a batter of",
    "The pork is dipped in a mixture", "Once an onion and a carrot",
    "Put an onion in a pan, and in", "Put the flour in a bowl", "Knead flour, oil and yeast. Mean",
    "Slice a tomato. Put the basil", "Slice a tomato for two",
)  # fmt: skip
"""How sentences begin that the reader does not read right yet; a test holds that they are not."""
RECIPES = sorted((ROOT / "scenarios/menu/recipes").glob("*.txt"))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_shipped_recipe_reads_as_the_truth(path: Path) -> None:
    reading = read_recipe(path.read_text(), LARDER)
    assert [str(c) for c in reading.components] == sorted(map(str, TRUTH[path.stem]))
    assert reading.doubts == ()


def test_the_stages_after_the_events_only_read() -> None:
    for path in sampled(RECIPES, 3):
        stages = reader.read(path.read_text(), LARDER)
        assert conclude(stages.discourse) == stages.result
        assert findings(stages.discourse, stages.result, stages.clauses) == stages.findings


@pytest.mark.parametrize(
    ("prose", "components"),
    [
        # numbers
        ("Boil the peas for 180 s.", ["peas > boil 3"]),
        ("Deep-fry the potato for 120 seconds.", ["potato > deep-fry 2"]),
        ("Boil the potatoes for twenty five minutes.", ["potato > boil 25"]),
        ("Fry the onion (slowly. Really slowly) for 5 minutes.", ["onion > fry 5"]),
        ("Boil the peas for an hour and a half.", ["peas > boil 90"]),
        ("Boil the peas for not less than 3 minutes.", ["peas > boil 3"]),
        # voice
        ("Don't forget to slice the tomato.", ["tomato > slice 1"]),
        ("Chop and fry the onion for 5 minutes.", ["onion > chop 2 > fry 5"]),
        ("Peel, slice and boil the carrots for 6 minutes.",
         ["carrot > peel 1 > slice 1 > boil 6"]),
        ("Boil the peas for 5 minutes without a lid.", ["peas > boil 5"]),
        ("Fry the prawns for 4 minutes without burning them.", ["prawns > fry 4"]),
        ("Slice a tomato.", ["tomato > slice 1"]),
        ("The tomato is sliced.", ["tomato > slice 1"]),
        ("We sliced the tomato.", ["tomato > slice 1"]),
        ("The tomato we slice.", ["tomato > slice 1"]),
        ("Tomato, sliced.", ["tomato > slice 1"]),
        ("Start by slicing a tomato.", ["tomato > slice 1"]),
        ("A tomato goes into the pan for 5 minutes.", ["tomato > fry 5"]),
        ("Give the tomato four minutes on the grill.", ["tomato > grill 4"]),
        ("The cod needs 8 minutes in the oven.", ["cod > bake 8"]),
        # times
        ("Boil the rice for ten to 12 minutes.", ["rice > boil 10-12"]),
        ("Boil the rice for 10-12 min.", ["rice > boil 10-12"]),
        ("Boil the rice for half an hour.", ["rice > boil 30"]),
        ("Boil the rice for a quarter of an hour to 18 minutes.", ["rice > boil 15-18"]),
        ("Boil the rice for a dozen minutes.", ["rice > boil 12"]),
        ("Let the rice boil for nine or ten.", ["rice > boil 9-10"]),
        ("Fry the tomato for 5 minutes. Boil the rice for one.", ["tomato > fry 5",
         "rice > boil 1"]),
        ("Rice for one. Boil it for 9 minutes.", ["rice > boil 9"]),
        ("Boil the rice, nine minutes at the least and ten at the most.", ["rice > boil 9-10"]),
        ("Chop the onion for a couple of minutes.", ["onion > chop 2"]),
        ("Grill the bun for a minute or two.", ["bun > grill 1-2"]),
        # order
        ("Fry the onion for 5 minutes. Before that, slice it.", ["onion > slice 1 > fry 5"]),
        ("Grill the pork for 6 minutes and slice it afterwards.", ["pork > grill 6 > slice 1"]),
        ("Before boiling the potato for 9 minutes, peel it.", ["potato > peel 1 > boil 9"]),
        ("Boil the peeled and chopped potatoes for 9 minutes.",
         ["potato > peel 1 > chop 2 > boil 9"]),
        # one after another, together, later
        ("Chop the tomatoes and then the garlic, one minute for the garlic.",
         ["tomato > chop 2", "garlic > chop 1"]),
        ("The tomato is sliced, and so is the cucumber.",
         ["tomato > slice 1", "cucumber > slice 1"]),
        ("Fry the onion and the minced beef together for 8 minutes.",
         ["(onion > fry 8 + minced beef > fry 8)"]),
        ("Put the stock and the beans into a pot. They simmer for 12 minutes. Add the macaroni "
         "for the last 8 minutes.",
         ["(stock > boil 12 + beans > boil 12 + macaroni > boil 8)"]),
        ("Whisk oil, vinegar and mustard.", ["(oil + vinegar + mustard) > mix 2"]),
        ("Dip the cod in a batter of flour and milk and deep-fry it for 7 minutes.",
         ["(cod + (flour + milk) > mix 2) > assemble 1 > deep-fry 7"]),
        ("The pork is dipped in a mixture of egg and flour that has been whisked for a minute, "
         "and fried in the fryer for 6 minutes.",
         ["(pork + (egg + flour) > mix 1) > assemble 1 > deep-fry 6"]),
        ("Cut the tomatoes into chunks and the onion into rings.",
         ["tomato > chop 2", "onion > slice 1"]),
        ("While the rice boils, which takes nine minutes, slice an onion.",
         ["rice > boil 9", "onion > slice 1"]),
        ("Once an onion and a carrot have been chopped, they go into a pan for 6 minutes.",
         ["(onion > chop 2 > fry 6 + carrot > chop 2 > fry 6)"]),
        ("Fry the rice and the peas for 6 minutes. Two minutes before the end, crack in an egg.",
         ["(rice > fry 6 + peas > fry 6 + egg > fry 2)"]),
        ("Make a batter: flour, milk and eggs, whisked for 3 minutes. The batter goes into a pan "
         "for 4 minutes.", ["(flour + milk + egg) > mix 3 > fry 4"]),
        ("Take the skin off an apple.", ["apple > peel 1"]),
        ("Lay the cheddar between the bread and grill the sandwich for 4 minutes.",
         ["(bread + cheddar) > assemble 1 > grill 4"]),
        ("Lay the cheddar on the bread and serve.", ["bread", "cheddar"]),
        ("Bake the cod for 8 minutes. Behind it comes the carrot. That one is boiled for 5 "
         "minutes.", ["cod > bake 8", "carrot > boil 5"]),
        ("Slice an onion, put it in a pan with the stock and let the pair of them cook for 5 "
         "minutes.", ["(onion > slice 1 > fry 5 + stock > fry 5)"]),
        ("Put an onion in a pan, and in with the minced beef as well. Everything for 8 minutes.",
         ["(onion > fry 8 + minced beef > fry 8)"]),
        ("Put the flour in a bowl, make a well for the oil and the yeast, and knead it for 4 "
         "minutes. The dough goes into the oven for 9 minutes.",
         ["(flour + oil + yeast) > knead 4 > bake 9"]),
        ("Knead flour, oil and yeast. Meanwhile a sauce was frying: tomato and garlic, for 7 "
         "minutes. The dough is baked for 9 minutes.",
         ["(flour + oil + yeast) > knead 4 > bake 9", "(tomato > fry 7 + garlic > fry 7)"]),
        ("Whisk egg and milk. The bread is placed in this liquid and soaked for one minute. The "
         "soaked bread is fried for 4 minutes.",
         ["((egg + milk) > mix 2 + bread) > assemble 1 > fry 4"]),
        ("Put the carrot in a pot with the stock and boil everything for 9 minutes. The macaroni "
         "joins them: it goes in for the last 8.", ["(carrot > boil 9 + stock > boil 9 + macaroni "
         "> boil 8)"]),
        # nouns that could be verbs
        ("Boil the potato for 9 minutes, then mash it with milk. Sausage, mash and gravy. Fry the "
         "sausage for 8 minutes.", ["(potato > boil 9 + milk) > mix 2", "sausage > fry 8"]),
        ("The topping is ordinary mash. Boil the potato for 9 minutes.", ["potato > boil 9"]),
        ("Last in line is the onion. Slice it.", ["onion > slice 1"]),
        # what is not meant
        ("Slice a tomato. Put the basil down.", ["tomato > slice 1"]),
        ("Slice a tomato. I reached for a knife to chop the onion.", ["tomato > slice 1"]),
        ("Slice a tomato. A slice of bread is nice with this at home.", ["tomato > slice 1"]),
        ("Slice a tomato, and open the mayonnaise.", ["tomato > slice 1", "mayonnaise"]),
        ("Slice a tomato for two minutes while telling my sister about basil.",
         ["tomato > slice 2"]),
        ("Slice a tomato. Do not peel it.", ["tomato > slice 1"]),
        ("Slice a tomato. My sister adds basil to hers.", ["tomato > slice 1"]),
        ("Slice a tomato. No butter, no mustard.", ["tomato > slice 1"]),
        ("Slice a tomato. Some people fry it first.", ["tomato > slice 1"]),
        # doneness
        ("Grill the steak to medium rare.", ["steak > grill medium rare"]),
        ("Boil an egg until soft.", ["egg > boil soft"]),
        ("Toast the bread golden.", ["bread > grill golden"]),
        ("The bread goes on the grill and comes off dark.", ["bread > grill dark"]),
    ],
)  # fmt: skip
def test_one_way_of_saying_it(prose: str, components: list[str]) -> None:
    assert (read_components(prose) == wanted(*components)) != prose.startswith(NOT_READ)


@pytest.mark.parametrize("prose", ["", "?", "()", "\x00", "minutes" * 50, "and " * 99, "<5-6>"])
def test_nonsense_asks_for_nothing(prose: str) -> None:
    assert read_recipe(prose, LARDER).components == ()


@pytest.mark.parametrize(
    ("prose", "doubts"),
    [
        ("Flambé the banana.", ["flambé: an unknown verb: 'Flambé the banana'"]),
        ("Tenderise the steak and grill it to medium rare.",
         ["tenderise: an unknown verb: 'Tenderise the steak'"]),
        ("Grill the bread golden. Chop the rutabaga.",
         ["rutabaga: an unknown food: 'rutabaga'"]),
        ("Boil the peas for 5 minutes. Then fry the zucchini.",
         ["zucchini: an unknown food: 'zucchini'"]),
        ("Slice a tomato and a zucchini.", ["zucchini: an unknown food: 'zucchini'"]),
        ("Slice zucchini and tomato.", ["zucchini: an unknown food: 'zucchini'"]),
        ("Chop tomato, zucchini and onion.", ["zucchini: an unknown food: 'zucchini'"]),
        ("Chop the zucchini, the tomato and the onion.", ["zucchini: an unknown food: 'zucchini'"]),
        ("Slice a tomato. Serve with ketchup and sriracha.",
         ["sriracha: an unknown food: 'sriracha'"]),
        ("Boil the peas, and fry them for 2 minutes.",
         ["boil peas: no minutes are told: 'Boil the peas'"]),
        ("You cannot go wrong if you boil the peas.",
         ["nothing is served: 'You cannot go wrong if you boil the peas'"]),
        ("Add the sriracha to the mayonnaise.", ["sriracha: an unknown food: 'sriracha'"]),
        ("Slice a tomato. Water boiling already, mind.",
         ["nothing came of it: 'Water boiling'"]),
        ("Peel the potatoes, then put them to boil until it wants five minutes to the half hour.",
         ["a time that belongs to no step: 'five minutes'"]),
        # what is known and asks for nothing, and what is no order
        ("Boil the rice for 11 minutes. Drain the rice.", []),
        ("Slice a tomato. Meanwhile the bread is grilled golden.", []),
        ("Grill the steak to medium rare. Lean the steak against the wall.", []),
        ("Grill the steak to medium rare. Watch the edges and grab a plate.", []),
        ("Memo to the fry station. Deep-fry the potatoes for 9 minutes.", []),
        ("Slice a tomato. The guest rolls it.", []),
        ("Slice a tomato, boys, thinly.", []),
        ("Slice a tomato. Serve with ketchup, the red one.", []),
    ],
)  # fmt: skip
def test_what_nobody_knows_and_what_came_to_nothing_is_a_doubt(
    prose: str, doubts: list[str]
) -> None:
    assert [str(doubt) for doubt in read_recipe(prose, LARDER).doubts] == doubts


def test_what_is_missing_is_a_doubt() -> None:
    assert read_recipe("Put the cod on the grill.", LARDER).doubts


@pytest.mark.parametrize(
    "prose",
    [
        # foods that are put into each other, and what is nowhere any more
        """Then you stack, on the plate: lettuce as it is, tomato in slices, the patty, and
        upon that a slice of cheddar, which you cut yourself, for bought slices are
        sweepings. Over it a spoonful of pink sauce, which is no more than mayonnaise and
        ketchup stirred together the usual while. Simmer all three 7 minutes more. Layer in
        a dish: sheets (straight from the packet), ragù (2), white sauce (3), parmesan (4).""",
        """Meanwhile we brown the minced beef in a pan together with an onion and a carrot, all
        three for eight to ten minutes. The meat mixture goes into a dish, the mash is
        spread over it, and the pie is baked for twelve to fourteen minutes. There it bakes
        for a quarter of an hour, and what you put in is layered up like this: meat sauce,
        white sauce, lasagne sheets and mozzarella, over and over until the dish is full.
        For the meat sauce we chop an onion and then some tomatoes, two minutes for each,
        and put both in a pan with the minced beef.""",
    ],
)
def test_what_cannot_be_told_apart_is_doubted_and_serves_nothing_without_a_name(prose: str) -> None:
    reading = read_recipe(prose, LARDER)
    assert reading.doubts
    assert all(component.name for component in reading.components)


@given(st.text(max_size=400))
def test_any_text_can_be_read(prose: str) -> None:
    read_recipe(prose, LARDER)


_OTHERS = (
    "the a and , . ; : then it they both chop slice boil fry bake mix into in with over "
    "for until while before 2 minutes four to pan pot oven grill dish sauce everything "
    "last another ( ) is are not layered dipped add whisked grilled"
)


@given(st.lists(st.sampled_from([*sorted(LARDER.ingredients), *_OTHERS.split()]), max_size=120))
def test_any_words_of_the_kitchen_can_be_read(words: list[str]) -> None:
    read_recipe(" ".join(words), LARDER)


@pytest.mark.parametrize(
    "prose",
    [
        "Slice a tomato. After the grill somebody cut it before.",
        "Into the dish: the sauce, the mash. They are sliced.",
        "deep dishes breading poach",
    ],
)
def test_what_is_hardly_told_can_be_read(prose: str) -> None:
    read_recipe(prose, LARDER)


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_sentences_in_any_order_can_be_read(path: Path) -> None:
    sentences = path.read_text().split(". ")
    chance = random.Random(path.stem)
    for _ in seeds(0, 3, 10):
        chance.shuffle(sentences)
        read_recipe(". ".join(sentences), LARDER)


@pytest.mark.parametrize("words", ["it ", "tomato and ", "10 ", "zest ", "mix the tomato, "])
def test_a_sentence_that_is_four_times_as_long_takes_about_four_times_as_long(words: str) -> None:
    def seconds(text: str) -> float:
        began = time.process_time()
        list(lines_of(text, read_recipe(text, LARDER)))
        return time.process_time() - began

    short, long = (words * (size // len(words)) for size in (2_000, 8_000))
    assert min(seconds(long) for _ in range(2)) < 8 * min(seconds(short) for _ in range(3))


def test_a_text_of_many_recipes_can_be_read() -> None:
    prose = "".join(path.read_text() for path in RECIPES) * (4 if CONFORMANCE else 1)
    assert read_recipe(prose[:100_000], LARDER).components
