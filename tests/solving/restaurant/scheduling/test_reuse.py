"""What is under way and still of use: each kind of claim, and what has to make way."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from cookmas.kitchen.components import parse_component
from cookmas.kitchen.stages import (
    PLATE_SOURCE,
    Delivery,
    Fetch,
    FoodInSlot,
    Held,
    Input,
    Lying,
    Source,
)
from cookmas.solving.restaurant.scheduling.reuse import Clear, Handling, Remaining, find_remaining

LINE = "o1.1"


class Case:
    """One order line that wants `components`, in a kitchen in which some things are already."""

    def __init__(
        self,
        floor: Any,
        components: Sequence[str],
        *hands: str,
        workers: int = 3,
        at: int = 0,
        **things: Any,
    ) -> None:
        self.shift = floor.wanting(components, name="standard", workers=workers)
        for _ in range(at):
            self.shift.tick(dict.fromkeys(self.shift.kitchen.workers, "wait"))
        self.shift.state = floor.with_things(self.shift.state, *hands, **things)

    def left(self, **options: Any) -> Remaining:
        return find_remaining(self.shift.kitchen, self.shift.seen(), self.shift.wanted, **options)

    def serves(self, timesteps: int) -> None:
        """It is served right, as late as that at most."""
        began = self.shift.state.timestep
        self.shift.finish()
        assert self.shift.served[LINE] - began <= timesteps


def sources(left: Remaining, kind: str) -> list[Source]:
    """Where the inputs of the stages at a kind of station come from."""
    return [e.source for stage in left.stages if stage.kind == kind for e in stage.inputs]


class Found(NamedTuple):
    """What is left to do: for some kinds of stations where the inputs of their stages come from, at
    which station the only stage is, and its work; what makes way, and what has only to be served.
    """

    sources: Mapping[str, Sequence[Source]] = {}
    stations: Mapping[str, str | None] = {}
    work: Mapping[str, tuple[str, ...]] = {}
    kinds: Sequence[str] | None = None
    junk: Mapping[int, str | None] = {}
    clears: Sequence[Clear] = ()
    deliveries: Sequence[Delivery] | None = None
    within: int = 100
    """Within how many timesteps the line is served."""
    leftovers: Sequence[str] = ()

    def check(self, left: Remaining) -> None:
        assert (left.junk, left.clears) == (self.junk, [*self.clears])
        assert self.kinds is None or [stage.kind for stage in left.stages] == self.kinds
        assert self.deliveries is None or left.deliveries == self.deliveries
        for kind, expected in self.sources.items():
            assert Counter(sources(left, kind)) == Counter(expected)
        for kind in self.stations:
            (stage,) = [stage for stage in left.stages if stage.kind == kind]
            assert stage.station == self.stations[kind]
            assert stage.work == self.work.get(kind, stage.work)


def given(*components: str, hands: Sequence[str] = (), **more: Any) -> Callable[[Any], Case]:
    """Return what makes a case."""
    return lambda floor: Case(floor, components, *hands, **more)


SOUP = "(carrot > chop 2 > boil 9-10 + stock > boil 9-10 + onion > boil 9-10)"
LATER = "(stock > boil 12-14 + noodles > boil 4-5)"
BOTH = "(stock > boil 12-14 + noodles > boil 4-5 + onion > boil 12-14)"
GRILLING: Any = {"grill_1": ["bread"], "since": {"grill_1": 1}}
POT: Any = {"pot_1": ["stock", "onion"], "since": {"pot_1": 1}}
SLOTS = [FoodInSlot(None, n) for n in range(4)]
"""What lies in the slots of a station, by its number."""
BREAD, ONION, NOODLES, STOCK = (
    Fetch(food, "pantry") for food in ("bread", "onion", "noodles", "stock")
)
BUTTER, LEMON = (Fetch(food, "fridge") for food in ("butter", "lemon"))
USELESS: Any = {"plating_1": ["egg", "milk"], "counter_1": ["milk"]}
TOAST = "dish[bread > grill 3; butter]"

CASES: Mapping[str, tuple[Callable[[Any], Case], Found]] = {
    "from an empty kitchen everything is fetched": (
        given("bread > grill 2-3", "butter"),
        Found({"grill": [BREAD]}, kinds=["grill", "plating"]),
    ),
    "food in a hand is used": (
        given("bread > grill 2-3", hands=["aisle", "pantry: bread"]),
        Found({"grill": [Held(1)]}, within=12),
    ),
    "food half chopped goes on where it lies": (
        given("onion > chop 5", board_2=["onion > chop 3"]),
        Found({"board": [SLOTS[1]]}, {"board": "board_2"}, {"board": ("chop", "chop")}, within=11),
    ),
    "food chopped too long is not used": (
        given("onion > chop 2", board_1=["onion > chop 3"]),
        Found({"board": [ONION]}, clears=[Clear("board_1", 1)], leftovers=["onion > chop 3"]),
    ),
    "food that has cooked too long is made anew": (
        given("bread > grill 2-3", **GRILLING, at=9),
        Found({"grill": [BREAD]}, clears=[Clear("grill_1", 1)], within=20, leftovers=["bread"]),
    ),
    "food in its last minute is taken out by who stands there": (
        given("bread > grill 2-3", hands=["grill_1"], workers=1, **GRILLING, at=4),
        Found({"grill": [FoodInSlot(1, 1)]}, within=12),
    ),
    "a pot in its last minute is taken out by who stands there": (
        given("(stock > boil 2-3 + onion > boil 2-3)", hands=["pot_1"], workers=1, **POT, at=4),
        Found({"pot": [FoodInSlot(1, 1), FoodInSlot(1, 2)]}, within=12),
    ),
    "a pot in which some foods lie is filled up": (
        given(SOUP, pot_2=["carrot > chop 2", "stock"]),
        Found({"pot": [SLOTS[1], SLOTS[2], ONION]}, {"pot": "pot_2"}),
    ),
    "what goes in later joins a pot that is running": (
        given(LATER, at=5, pot_1=["stock"], since={"pot_1": 1}),
        Found({"pot": [FoodInSlot(1, 1), NOODLES]}, {"pot": "pot_1"}, within=8 + 2 + 8),
    ),
    "a running pot gets the food that it waits for": (
        given(BOTH, hands=["aisle: noodles"], **POT, at=5),
        Found({"pot": [FoodInSlot(1, 1), FoodInSlot(1, 2), Held(0)]}, {"pot": "pot_1"}),
    ),
    "a running pot gets no food that it does not wait for": (
        given(BOTH, hands=["aisle: onion"], **POT, at=5),
        Found(
            {"pot": [FoodInSlot(1, 1), FoodInSlot(1, 2), NOODLES]}, {"pot": "pot_1"}, junk={0: None}
        ),
    ),
    "what cooks and is foreign is cleared in one go": (
        given("(stock > boil 9 + onion > boil 9)", pot_1=["stock", "milk"]),
        Found(
            {"pot": [STOCK, ONION]},
            clears=[Clear("pot_1", 1, process="start")],
            leftovers=["milk", "stock"],
        ),
    ),
    "a plating place with an extra food is filled up once that is gone": (
        given("bread", "butter", "onion > chop 2", plating_1=["bread", "milk", "onion > chop 2"]),
        Found(
            {"plating": [PLATE_SOURCE, SLOTS[1], SLOTS[3], BUTTER]},
            {"plating": "plating_1"},
            clears=[Clear("plating_1", 2, stage=0)],
        ),
    ),
    "a plate that stands there is used": (
        given("bread", "butter", plating_2=["plate", "bread"]),
        Found({"plating": [SLOTS[1], SLOTS[2], BUTTER]}, {"plating": "plating_2"}, within=11),
    ),
    "a clean plate in a hand is used": (
        given("bread", hands=["plates: plate"]),
        Found({"plating": [Held(0), BREAD]}, within=10),
    ),
    "a clean plate on a counter is used": (
        given("bread", counter_1=["plate"]),
        Found({"plating": [Lying("counter_1", 1), BREAD]}),
    ),
    "an assembled dish has only to be served": (
        given("bread > grill 2-3", "butter", plating_1=[TOAST]),
        Found(kinds=[], deliveries=[Delivery(LINE, Lying("plating_1", 1))], within=4),
    ),
    "an assembled dish in a hand has only to be served": (
        given("bread > grill 2-3", "butter", hands=["aisle", f"plating_1: {TOAST}"]),
        Found(kinds=[], deliveries=[Delivery(LINE, Held(1))], within=2),
    ),
    "a dish with something extra is thrown away": (
        given("bread", hands=["pass: dish[bread; butter]"], plating_1=["dish[milk]"]),
        Found(junk={0: None}, clears=[Clear("plating_1", 1)], leftovers=["dish[milk]"]),
    ),
    "food in a station out of service is taken on": (
        given("onion > chop 3", board_1=["onion > chop 2"], out=["board_1"]),
        Found({"board": [Lying("board_1", 1)]}, {"board": None}, {"board": ("chop",)}),
    ),
    "food not cooked enough in a station out of service is not waited for": (
        given("bread > grill 6-7", at=4, grill_1=["bread"], since={"grill_1": 2}, out=["grill_1"]),
        Found(
            {"grill": [BREAD]},
            {"grill": None, "plating": None},
            clears=[Clear("grill_1", 1)],
            leftovers=["bread"],
        ),
    ),
    "what a worker out of service holds is out of reach": (
        given("bread", hands=["aisle: bread"], out=["worker_1"]),
        Found({"plating": [PLATE_SOURCE, BREAD]}, leftovers=["bread"]),
    ),
    "what nobody wants is junk or in the way, but not on a counter": (
        given("bread", hands=["aisle: egg"], pan_1=["oil", "egg"], **USELESS),
        Found(
            junk={0: None},
            clears=[Clear("pan_1", 1, process="start"), Clear("plating_1", 1, process="assemble")],
            leftovers=["egg", "egg", "milk", "milk", "oil"],
        ),
    ),
    "what lies in a mixer is mixed there rather than taken away": (
        given("lemon > slice 3", "(lemon + yoghurt) > mix 2", mixer_1=["lemon"]),
        Found({"mixer": [FoodInSlot(), Fetch("yoghurt", "fridge")], "board": [LEMON]}),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_under_way_is_used_or_makes_way(floor: Any, name: str) -> None:
    make, found = CASES[name]
    case = make(floor)
    found.check(case.left())
    case.serves(found.within)
    assert case.shift.leftovers() == [*found.leftovers]


def test_who_stands_there_begins_with_what_is_in_its_last_minute(floor: Any) -> None:
    make, _ = CASES["food in its last minute is taken out by who stands there"]
    assert make(floor).shift.plan()[0]["worker_1"].startswith("pick")


def test_finished_food_is_carried_on_from_where_it_lies(floor: Any) -> None:
    case = Case(floor, ["onion > chop 2", "bread"], board_1=["onion > chop 2"])
    left = case.left()
    assert Lying("board_1", 1) in sources(left, "plating")
    assert [stage.kind for stage in left.stages] == ["plating"]
    case.serves(12)


def test_food_that_is_cooking_stays_until_it_is_done(floor: Any) -> None:
    case = Case(floor, ["bread > grill 6-7"], at=4, grill_1=["bread"], since={"grill_1": 2})
    left = case.left()
    (cooking,) = [stage for stage in left.stages if stage.kind == "grill"]
    assert cooking.station == "grill_1"
    assert cooking.inputs == (Input(source=FoodInSlot(2, 1), low=6, high=7),)
    case.serves(4 + 7)


@pytest.mark.parametrize("out", [[], ["pot_1"]])
def test_cold_pots_full_of_what_nobody_wants_are_emptied(floor: Any, out: list[str]) -> None:
    lying = ["milk", "egg"]
    case = Case(floor, ["stock > boil 9"], out=out, pot_1=lying, pot_2=lying, pot_3=lying)
    case.shift.finish()


def test_what_is_under_way_for_a_later_line_is_put_aside(floor: Any) -> None:
    case = Case(floor, ["bread"], "aisle: bread", board_1=["onion > chop 2"])
    onion = parse_component("onion > chop 3", {})
    case.shift.wanted["o1.2"] = (onion,)
    later = case.left(later=frozenset({LINE}))
    assert later.junk == {0: "counter_1"}
    assert [delivery.line for delivery in later.deliveries] == ["o1.2"]
    assert case.left(later=frozenset({"o1.2"})).clears == [], "the onion is kept"


def test_what_is_given_up_is_not_used(floor: Any) -> None:
    case = Case(floor, ["onion > chop 5"], board_2=["onion > chop 3"])
    left = case.left(handling=Handling(given_up=frozenset({"board_2"})))
    assert sources(left, "board") == [Fetch("onion", "pantry")]


def test_each_thing_is_used_once_and_the_most_worked_on_first(floor: Any) -> None:
    case = Case(floor, ["onion > chop 4"], board_1=["onion > chop 1"], board_2=["onion > chop 3"])
    assert [stage.station for stage in case.left().stages] == ["board_2", None]
    case.shift.wanted["o1.2"] = case.shift.wanted[LINE]
    stations = [stage.station for stage in case.left().stages if stage.kind == "board"]
    assert sorted(map(str, stations)) == ["board_1", "board_2"]


def test_a_mixture_is_matched_by_what_is_in_it(floor: Any) -> None:
    sauce = "(oil + vinegar > boil 1-2) > mix 3"
    right = Case(floor, [sauce], mixer_1=["(oil + vinegar > boil 2) > mix 1"])
    (mixing,) = [stage for stage in right.left().stages if stage.kind == "mixer"]
    assert (mixing.station, mixing.work) == ("mixer_1", ("mix", "mix"))
    wrong = Case(floor, [sauce], mixer_1=["(oil + vinegar > boil 3) > mix 1"])
    assert all(stage.station is None for stage in wrong.left().stages)
    assert wrong.left().clears == [Clear("mixer_1", 1)]


@pytest.mark.parametrize("at", [1, 3, 6, 10, 14])
def test_nothing_that_is_under_way_is_fetched_again(floor: Any, at: int) -> None:
    shift = floor.shift("standard", effort=600)
    shift.order(["Classic Burger"])
    shift.play(at)
    left = shift.left()
    fetched = [s.name for stage in left.stages for s in _sources(stage) if isinstance(s, Fetch)]
    things = " ".join(shift.leftovers())
    wanted = [name for part in shift.wanted[LINE] for name in part.ingredients()]
    assert sorted(fetched) == sorted(name for name in [*wanted, "plate"] if name not in things)


def _sources(stage: Any) -> list[Source]:
    return [entry.source for entry in stage.inputs]


def test_a_kitchen_that_was_pickled_has_the_same_left_to_do(floor: Any) -> None:
    things: Any = {"board_1": ["onion > chop 2"], "pot_1": ["egg"], "plating_1": ["plate"]}
    case = Case(floor, ["onion > chop 4", "egg > boil 6"], **things)
    kitchen, state = case.shift.kitchen, case.shift.seen()
    copied, seen = pickle.loads(pickle.dumps((kitchen, state)))
    again = find_remaining(copied, seen, case.shift.wanted)
    assert again == find_remaining(kitchen, state, case.shift.wanted)


def test_food_goes_to_the_dish_that_is_begun_rather_than_to_the_first(floor: Any) -> None:
    case = Case(
        floor, ["onion > chop 2", "bread"], plating_1=["butter"], board_1=["onion > chop 2"]
    )
    begun = Case(floor, ["onion > chop 2", "butter"])
    case.shift.wanted["o1.2"] = begun.shift.wanted[LINE]
    users = [
        stage.line
        for stage in case.left().stages
        for entry in stage.inputs
        if entry.source == Lying("board_1", 1)
    ]
    assert users == ["o1.2"]
