"""Times in prose: read, or doubted; no part of a number is minutes, and no mark of an oven is."""

import pytest

from tests.solving.restaurant.reading.menu_reading import read


@pytest.mark.parametrize(
    ("time", "minutes"),
    [
        ("1.5 hours", "90"),
        ("1:30 hours", "90"),
        ("1,5 hours", "90"),
        ("1 1/2 hours", "90"),
        ("1-1/2 hours", "90"),
        ("1½ hours", "90"),
        ("one and a half hours", "90"),
        ("an hour and a half", "90"),
        ("two hours and a quarter", "135"),
        ("1h30", "90"),
        ("1 hr 10 mins", "70"),
        ("an hour and ten minutes", "70"),
        ("1 hour 600 seconds", "70"),
        ("3/4 of an hour", "45"),
        ("½ hour", "30"),
        ("1 to 1 1/2 hours", "60-90"),
        ("one to two hours", "60-120"),
        ("45 minutes to 1 hour", "45-60"),
        ("2-3 hrs", "120-180"),
        ("25 minutes, then 10 more", "35"),
    ],
)
def test_a_time_is_read_as_a_whole(time: str, minutes: str) -> None:
    assert read(f"Bake the potatoes for {time}.") == ([f"potato > bake {minutes}"], [])


@pytest.mark.parametrize(
    ("time", "minutes"),
    [
        ("2 1/2 minutes", "2-3"),
        ("1.5 minutes", "1-2"),
        ("90 seconds", "1-2"),
        ("30 seconds", "1"),
        ("1 minute 30 seconds", "1-2"),
    ],
)
def test_no_whole_number_of_minutes_is_a_doubt(time: str, minutes: str) -> None:
    components, doubts = read(f"Boil the rice for {time}.")
    assert components == [f"rice > boil {minutes}"]
    assert doubts == [f"no whole number of minutes: '{time}'"]


@pytest.mark.parametrize(
    "mark",
    ["at 6/180°", "at gas mark 6", "at 350F", "at 350", "at 180 °C", "in a 200 degree oven"],
)
def test_the_mark_of_an_oven_is_no_time(mark: str) -> None:
    assert read(f"Bake the potatoes {mark} for 40 minutes.") == (["potato > bake 40"], [])
    assert "no minutes are told" in " ".join(read(f"Bake the potatoes {mark}.")[1])


@pytest.mark.parametrize("much", ["1/4 cup", "1.5 cups", "2 1/2 cups", "½ cup", "1/4 or so"])
def test_a_quantity_is_no_time(much: str) -> None:
    assert read(f"Boil {much} of rice for 12 minutes.") == (["rice > boil 12"], [])
    assert "no minutes are told" in " ".join(read(f"Boil {much} of rice until soft.")[1])


@pytest.mark.parametrize(
    "rest",
    [
        "Let it sit for 20 minutes.",
        "Stand for 15 minutes.",
        "Chill for 2 hours.",
        "Let the mixture cool for ten minutes.",
        "Wait 20 minutes.",
        "Set aside for 20 minutes.",
        "Leave for 20 minutes.",
        "Keep it in the fridge for 1 hour.",
    ],
)
def test_resting_is_no_work_and_its_time_is_a_doubt(rest: str) -> None:
    components, doubts = read(f"Mix the oil and the mustard. {rest}")
    assert components == ["(mustard + oil) > mix 2"]
    assert [doubt.partition(":")[0] for doubt in doubts] == ["a time that belongs to no step"]


@pytest.mark.parametrize(
    ("prose", "doubt"),
    [
        ("Fry the prawns for 3 minutes, flip, 3 minutes.", "a time that belongs to no step"),
        ("Grill the cod for 3 minutes per side.", "a time that may be for each side"),
        ("Grill the cod 2 minutes on each side.", "a time that may be for each side"),
        ("Grill the cod for 20 minutes, reduce the heat and grill for 10 minutes.",
         "a time that belongs to no step"),
        ("Boil the egg for 6-and-a-half minutes.", "a time that is not understood"),
        ("Bake the cod for 1000 minutes.", "a number that nothing uses: '1000 minutes'"),
        ("Mix the oil and the mustard and leave for 20 minutes.", "longer than work lasts"),
        ("Mix the egg and the milk. Add the cheddar and mix again.",
         "mixed again, after further foods"),
        ("Mash the banana. Add the onion and the tomato, both chopped, and stir again.",
         "added, and served apart"),
        ("Fry the onion for 5 minutes. Stir in the tomatoes and boil for 20 minutes.",
         "added without minutes of its own"),
    ],
)  # fmt: skip
def test_what_may_be_misread_is_a_doubt(prose: str, doubt: str) -> None:
    assert doubt in " ".join(read(prose)[1])


def test_the_longest_times_that_are_read() -> None:
    assert read("Bake the cod for 999 minutes.") == (["cod > bake 999"], [])
    assert read("Mix the oil and the mustard for 10 minutes.") == (["(mustard + oil) > mix 10"], [])
