# ruff: noqa: RUF001 - dashes and waves of prose
"""No number of a recipe is dropped in silence: it is used, or an amount, or a doubt."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.solving.restaurant.reading.words import lexicon_of
from tests.sampling import examples
from tests.solving.restaurant.reading.menu_reading import LARDER, MENU, read

LEXICON = lexicon_of(LARDER.ingredients)
RECIPES = {item: MENU.recipe(item) for item in MENU.items}
GAPS = [(item, gap.start()) for item, text in RECIPES.items() for gap in re.finditer(r"\S+", text)]
"""The beginning of each word of the shipped recipes."""
SPARE = "a number that nothing uses"


def counts_a_food(rest: str) -> bool:
    """Whether a text begins with a food, or with a word and then a food."""
    words = re.findall(r"[\w'-]+", rest.lower())[:4]
    things = {"food", "kind", "mixture", "whole", "part", "shape"}
    return any(LEXICON.kinds_at(words, at) & things for at in range(2))


TRUTHS = {item: read(text)[0] for item, text in RECIPES.items()}


@settings(max_examples=examples(60))
@given(
    st.sampled_from(GAPS),
    st.integers(2, 99),
    st.sampled_from(["{}", "{},", ", {},", "({})", "- {} -", "for {}", "{}:30", "{}½", "1,{}00"]),
)
def test_a_number_anywhere_in_a_recipe_is_used_or_counts_a_food_or_is_a_doubt(
    gap: tuple[str, int], number: int, form: str
) -> None:
    item, at = gap
    text = RECIPES[item]
    components, doubts = read(f"{text[:at]}{form.format(number)} {text[at:]}")
    counts = counts_a_food(text[at:]) or text[at:].startswith(("of ", "minute", "second"))
    assert components != TRUTHS[item] or doubts or counts


MARKS = [chr(c) for c in range(0x21, 0x3100) if unicodedata.category(chr(c))[0] in "PS"]
WORDS = ["to", "or", "and", "minus", "till", "thru", "rather", "maybe", "not", "no", "sorry", "if",
         "than", "times", "like", "while", "then", "with", "of", "x"]  # fmt: skip


@given(
    st.lists(st.sampled_from([*MARKS, *WORDS]), min_size=1, max_size=3),
    st.sampled_from(["", " "]),
    st.sampled_from([(10, 12), (12, 10)]),
)
def test_what_stands_between_two_numbers_makes_a_range_or_a_doubt(
    between: list[str], space: str, numbers: tuple[int, int]
) -> None:
    first, last = numbers
    components, doubts = read(
        f"Boil the rice for {first}{space}{' '.join(between)}{space}{last} minutes."
    )
    assert components == ["rice > boil 10-12"] or doubts


@pytest.mark.parametrize(
    "range_",
    [
        *(f"10{dash}12" for dash in "-–—‑−‐‒―－﹣⸺⸻~～〜∼⁓→_"),
        *(f"10 {words} 12" for words in ("up to", "upto", "thru", "through", "til", "to", "or")),
        "10-to-12", "10 – 12", "10...12", "10…12", "between 10 & 12", "between 10 and 12",
        "10 min ~ 12", "１０〜１２",
    ],
)  # fmt: skip
def test_a_range_is_read_whatever_its_mark_is(range_: str) -> None:
    assert read(f"Boil the rice for {range_} minutes.") == (["rice > boil 10-12"], [])


@pytest.mark.parametrize(
    ("prose", "components"),
    [
        ("Boil the rice for 1:30 hours.", "rice > boil 90"),
        ("Boil the rice for 1:30 h.", "rice > boil 90"),
        ("Boil the rice for 12:00 minutes.", "rice > boil 12"),
        ("Boil the rice for 1,200 seconds.", "rice > boil 20"),
        ("Boil the rice for seventy minutes.", "rice > boil 70"),
        ("Boil the rice for a hundred and twenty-five minutes.", "rice > boil 125"),
        ("Boil half a dozen eggs for 7 minutes.", "egg > boil 7"),
        ("Make a seven-minute boiled egg.", "egg > boil 7"),
        ("Chop carrots x3, boil 6 mins", "carrot > chop 2 > boil 6"),
        ("Chop carrots × 3, boil 6 mins", "carrot > chop 2 > boil 6"),
        ("Chop carrots #3, boil 6 mins", "carrot > chop 2 > boil 6"),
        ("Chop 3x carrots, boil 6 mins", "carrot > chop 2 > boil 6"),
        ("Boil the eggs (x 3) for 6 minutes.", "egg > boil 6"),
        ("Boil 3/4 kg of the potatoes for 9 minutes.", "potato > boil 9"),
        ("Boil 2 large potatoes for 9 minutes.", "potato > boil 9"),
        ("Bake the cod at gas mark 6 for 9 minutes.", "cod > bake 9"),
        ("Bake the cod at 90 °C for 9 minutes.", "cod > bake 9"),
        ("An actress in 212 wanted more. Bake the cod for 9 minutes.", "cod > bake 9"),
        ("Bake the cod for 9 minutes, but don't go past eleven.", "cod > bake 9"),
        ("I was six then. Bake the cod for 9 minutes.", "cod > bake 9"),
        ("1. Bake the cod for 9 minutes.\n2. Serve the cod (1).", "cod > bake 9"),
    ],
)
def test_a_number_that_has_its_meaning_makes_no_doubt(prose: str, components: str) -> None:
    assert read(prose) == ([components], [])


@pytest.mark.parametrize(
    ("prose", "components", "doubt"),
    [
        ("Chop carrots - 3 - and boil 6 mins", "carrot > chop 2 > boil 6", f"{SPARE}: '3'"),
        ("Chop carrots: 3. Boil 6 mins", "carrot > chop 3 > boil 6", "may be an amount: '3'"),
        ("Boil the rice, 12 minutes for basmati, 20 minutes for brown.", "rice > boil 12",
         "a time that belongs to no step: '20 minutes'"),
        ("Boil the rice, 12 minutes for basmati, 20 for brown.", "rice > boil 12",
         f"{SPARE}: '20'"),
        ("Boil the rice for 12 - no, 10 minutes.", "rice > boil 10", "no step: '12'"),
        ("Boil the rice 7 for 12 minutes.", "rice > boil 12", f"{SPARE}: '7'"),
        ("Boil the rice for 10 ± 2 minutes.", "rice > boil 2", "no step: '10'"),
        ("Boil the rice for 12 minutes, 12 or so.", "rice > boil 12", "'12'"),
        ("Boil the rice for 12 minutes. Serve with the rest (7).", "rice > boil 12", "'(7)'"),
        ("Boil the rice for 10 minutes if 12 minutes.", "rice > boil 10", f"{SPARE}: '12 minutes'"),
        ("Boil the rice for 12 minutes at 7.", "rice > boil 12", f"{SPARE}: '7'"),
        ("Boil the rice for 12 minutes. Do not stir 7.", "rice > boil 12", f"{SPARE}: '7'"),
        ("Boil the rice for 12 minutes, seven gently.", "rice > boil 12", f"{SPARE}: 'seven'"),
    ],
)  # fmt: skip
def test_a_number_without_a_meaning_is_a_doubt(prose: str, components: str, doubt: str) -> None:
    found, doubts = read(prose)
    assert found == [components]
    assert doubt in "; ".join(doubts)
