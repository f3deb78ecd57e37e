"""The proofs of what models are told about the kitchen of Robotouille."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from cookmas.episodes.world import Command
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.voice import VOICE
from cookmas.worlds.robotouille.world import RobotouilleLevel, RobotouilleWorld
from tests.worlds.telling import Rule, page, told

PAGE = page("reference/robotouille-rules.md")

OBJECTS = {
    **{name: ["table", "-"] for name in ("table1", "table2", "table3", "table4", "table5")},
    "stove1": ["stove", "-"],
    "stove2": ["stove", "-"],
    "board1": ["board", "-"],
    "fryer1": ["fryer", "-"],
    "sink1": ["sink", "-"],
    "robot1": ["robot", "table1"],
    "robot2": ["robot", "table2"],
    "bread1": ["bread", "table1"],
    "cheese1": ["cheese", "bread1"],
    "patty1": ["patty", "stove1", "iscookable"],
    "lettuce1": ["lettuce", "board1"],
    "chicken1": ["chicken", "fryer1", "isfryable"],
    "pot1": ["pot", "sink1"],
    "bowl1": ["bowl", "table5"],
    "onion1": ["onion", "table4"],
}


def rules_told() -> str:
    return told(opened(), VOICE)


def opened() -> RobotouilleWorld:
    """Return a kitchen with one of everything that the rules name."""
    level = {"objects": OBJECTS, "goal": "iscut(onion_1)"}
    return RobotouilleWorld(RobotouilleLevel.model_validate(level))


def act(*actions: str, fail: str | None = None) -> set[str]:
    """Return what is true after actions of the first robot; only the last one may FAIL."""
    world = opened()
    state: FactState = world.start()
    for number, action in enumerate(actions, start=1):
        state, outcomes, _ = world.step(state, [Command("robot1", action)])
        assert outcomes["robot1"].fail == (fail if number == len(actions) else None)
    return {str(each) for each in world.engine.literals(state.true)}


def comes_true(literal: str, *actions: str) -> None:
    """Assert that the last of some actions makes a literal true."""
    assert literal not in act(*actions[:-1])
    assert literal in act(*actions)


def go(target: str) -> str:
    return f"move(table1, {target})"


def holds_one_thing() -> None:
    take = ["unstack(cheese1, bread1, table1)", "pick-up-item(bread1, table1)"]
    act(*take, fail="nothing")


def goes_anywhere() -> None:
    comes_true("loc(robot1, stove1)", go("stove1"))
    act(go("table2"), fail="vacant")


def is_stacked() -> None:
    act("pick-up-item(bread1, table1)", fail="clear")
    comes_true("has_item(robot1, cheese1)", "unstack(cheese1, bread1, table1)")


STACK = ("unstack(cheese1, bread1, table1)", go("stove1"), "stack(cheese1, patty1, stove1)")


def works_on_what_lies_alone() -> None:
    act(*STACK, "cook(patty1, stove1)", fail="clear")
    hold = ("unstack(cheese1, bread1, table1)",)
    for place, action in (
        ("stove1", "cook(patty1, stove1)"),
        ("board1", "cut(lettuce1, board1)"),
        ("fryer1", "fry(chicken1, fryer1)"),
    ):
        act(*hold, go(place), action, fail="nothing")
        below = action.partition("(")[2].partition(",")[0]
        act(*hold, go(place), f"stack(cheese1, {below}, {place})", action, fail="clear")
    onto = (go("table4"), "pick-up-item(onion1, table4)", "move(table4, board1)")
    act(*onto, "stack(onion1, lettuce1, board1)", "cut(onion1, board1)", fail="item_on")


def fills_with_empty_hands() -> None:
    hold = ("unstack(cheese1, bread1, table1)", go("sink1"))
    act(*hold, "fill-pot(pot1, sink1)", fail="nothing")
    boil = (*BOILING[:-1], "move(stove2, table1)", hold[0], go("stove2"), BOILING[-1])
    act(*boil, fail="nothing")


def numbers_water() -> None:
    comes_true("in(water1, pot1)", *FILLED)
    pours_out = ("fill-bowl(bowl1, pot1, water1, table5)", "move(table5, sink1)")
    poured = (*FILLED, "pick-up-container(pot1, sink1)", "move(sink1, table5)", *pours_out)
    again = ("place-container(pot1, sink1)", "fill-pot(pot1, sink1)", *["wait"] * 3)
    comes_true("in(water2, pot1)", *poured, *again)


def stands_for_any() -> None:
    level = {"objects": OBJECTS | {"onion2": ["onion", "table3"]}}
    for goal, reached in (("iscut(onion_7)", True), ("iscut(onion_7), iscut(onion_8)", False)):
        world = RobotouilleWorld(RobotouilleLevel.model_validate({**level, "goal": goal}))
        facts = world.start().true | world.engine.bit("iscut", ("onion2",))
        assert world.goal.is_reached(facts) is reached


def lasts(more: int) -> None:
    """Assert that everything that takes timesteps takes that of its action and so many more."""
    for begin, done in (
        ((go("stove1"), "cook(patty1, stove1)"), "iscooked(patty1)"),
        ((go("fryer1"), "fry(chicken1, fryer1)"), "isfried(chicken1)"),
        ((go("sink1"), "fill-pot(pot1, sink1)"), "in(water1, pot1)"),
        (BOILING, "isboiling(water1)"),
    ):
        comes_true(done, *begin, *["wait"] * more)


FILLED = (go("sink1"), "fill-pot(pot1, sink1)", "wait", "wait", "wait")
CARRIED = (*FILLED, "pick-up-container(pot1, sink1)", "move(sink1, stove2)")
BOILING = (*CARRIED, "place-container(pot1, stove2)", "boil-water(pot1, water1, stove2)")


def leaves_it() -> None:
    away = [go("stove1"), "cook(patty1, stove1)", "move(stove1, table3)", "wait"]
    comes_true("iscooked(patty1)", *away, "wait")


def pauses_away() -> None:
    cooks = [go("stove1"), "cook(patty1, stove1)", "pick-up-item(patty1, stove1)"]
    assert "iscooked(patty1)" not in act(*cooks, *["wait"] * 9)
    comes_true("iscooked(patty1)", *cooks, "wait", "place-item(patty1, stove1)", "wait", "wait")


def burns_nothing() -> None:
    assert "iscooked(patty1)" in act(go("stove1"), "cook(patty1, stove1)", *["wait"] * 99)


def is_cut(times: int) -> None:
    cuts = ["cut(lettuce1, board1)"] * times
    comes_true("iscut(lettuce1)", go("board1"), *cuts)


def takes_what_lies_alone() -> None:
    comes_true("has_item(robot1, onion1)", go("table4"), "pick-up-item(onion1, table4)")
    act("pick-up-item(cheese1, table1)", fail="item_on")


def needs_an_empty_place() -> None:
    hold = ("unstack(cheese1, bread1, table1)", go("table3"))
    comes_true("item_on(cheese1, table3)", *hold, "place-item(cheese1, table3)")
    act(hold[0], "place-item(cheese1, table1)", fail="station_empty")


def adds_to_water() -> None:
    into = (*FILLED, "move(sink1, table4)", "pick-up-item(onion1, table4)", "move(table4, sink1)")
    comes_true("addedto(onion1, water1)", *into, "add-to(onion1, water1, pot1, sink1)")


def pours() -> None:
    into = (*FILLED, "pick-up-container(pot1, sink1)", "move(sink1, table5)")
    comes_true("in(water1, bowl1)", *into, "fill-bowl(bowl1, pot1, water1, table5)")


def puts_vessels() -> None:
    take = (go("table5"), "pick-up-container(bowl1, table5)", "move(table5, table3)")
    comes_true("container_at(bowl1, table3)", *take, "place-container(bowl1, table3)")
    act(*take[:2], "move(table5, table4)", "place-container(bowl1, table4)", fail="station_empty")


def waits() -> None:
    assert act("wait") == act()


PROOFS: Mapping[str, Callable[..., None]] = {
    "A robot holds one thing at a time.": holds_one_thing,
    "A robot needs one timestep to go to any station where no other robot is.": goes_anywhere,
    "Items can be stacked.": is_stacked,
    "Only the top item of a stack can be taken or covered.": is_stacked,
    (
        "A robot cooks, fries and cuts with empty hands, and only an item that lies alone at "
        "its station."
    ): works_on_what_lies_alone,
    "It also needs empty hands to fill a pot and to boil.": fills_with_empty_hands,
    (
        "Cooking, frying, filling a pot and boiling take the timestep of the action and <n> more."
    ): lasts,
    "Robots may do other things meanwhile.": leaves_it,
    "Nothing burns.": burns_nothing,
    "Cutting takes <n> actions.": is_cut,
    (
        "The first water that is made has the name `water1`, a later one the next number."
    ): numbers_water,
    "`move(STATION_A, STATION_B)`: the worker goes from STATION_A to STATION_B.": goes_anywhere,
    (
        "`pick-up-item(ITEM, STATION)`: the worker takes ITEM from STATION, where nothing "
        "else lies."
    ): takes_what_lies_alone,
    (
        "`place-item(ITEM, STATION)`: the worker lays ITEM on STATION, which is empty."
    ): needs_an_empty_place,
    (
        "`stack(ITEM_A, ITEM_B, STATION)`: the worker lays ITEM_A on ITEM_B, the top item at "
        "STATION."
    ): partial(comes_true, "atop(cheese1, patty1)", *STACK),
    (
        "`unstack(ITEM_A, ITEM_B, STATION)`: the worker takes ITEM_A off ITEM_B at STATION."
    ): is_stacked,
    (
        "`cook(ITEM, STATION)`: the worker starts to cook ITEM, which lies alone on the "
        "stove STATION."
    ): partial(comes_true, "iscooking(patty1)", go("stove1"), "cook(patty1, stove1)"),
    (
        "`cut(ITEM, STATION)`: the worker cuts ITEM, which lies alone on the board STATION; "
        "after <n> cuts it is cut."
    ): is_cut,
    (
        "`fry(ITEM, STATION)`: the worker starts to fry ITEM, which lies alone in the fryer "
        "STATION."
    ): partial(lasts, 3),
    (
        "`fill-pot(CONTAINER, STATION)`: the worker starts to fill the empty pot CONTAINER "
        "at the sink STATION with water."
    ): partial(lasts, 3),
    (
        "`boil-water(CONTAINER, MEAL, STATION)`: the worker starts to boil MEAL, which is in "
        "the pot CONTAINER on the stove STATION."
    ): partial(lasts, 3),
    (
        "`add-to(ITEM, MEAL, CONTAINER, STATION)`: the worker adds ITEM to MEAL, which is in "
        "the pot CONTAINER at STATION and need not boil."
    ): adds_to_water,
    (
        "`fill-bowl(CONTAINER_A, CONTAINER_B, MEAL, STATION)`: the worker pours MEAL from "
        "the pot CONTAINER_B in its hands into the empty bowl CONTAINER_A at STATION."
    ): pours,
    (
        "`pick-up-container(CONTAINER, STATION)`: the worker takes CONTAINER from STATION."
    ): puts_vessels,
    (
        "`place-container(CONTAINER, STATION)`: the worker puts CONTAINER on STATION, which "
        "is empty."
    ): puts_vessels,
    "`wait`: do nothing.": waits,
}
"""What a model is told, and a play of it."""

RULES = (
    *(Rule(says, play=play) for says, play in PROOFS.items()),
    Rule(
        "If the thing is taken away, its time pauses until it is back at the same station.",
        ("It pauses while its condition does not hold.",),
        pauses_away,
    ),
    Rule(
        (
            "In the goal `onion_1` stands for any onion, and so do other names with a number "
            "behind `_`."
        ),
        ("`bread_1` stands for any bread",),
        stands_for_any,
    ),
    Rule(
        "Two such names never stand for the same object.",
        ("two variables never stand for the same object.",),
        stands_for_any,
    ),
)
