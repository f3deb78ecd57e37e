"""Foods: their text, and what makes two of them equal."""

from __future__ import annotations

from cookmas.kitchen.foods import Food, FoodStep


def test_the_text_of_a_food_is_put_together_once_and_leaves_it_as_it_was() -> None:
    egg = Food("egg", steps=(FoodStep("boil", 7),))
    text = str(egg)
    assert text == "egg > boil 7"
    assert str(egg) is text
    fresh = Food("egg", steps=(FoodStep("boil", 7),))
    assert (egg, hash(egg), repr(egg)) == (fresh, hash(fresh), repr(fresh))
