"""Unfolding of dishes into stages: what goes where, joined how, in which order."""

from __future__ import annotations

import pytest

from cookmas.kitchen.components import Component, StepSpec, parse_component
from cookmas.kitchen.layout import KIND_OF_PROCESS
from cookmas.kitchen.stages import (
    PLATE_SOURCE,
    Delivery,
    Fetch,
    Infeasible,
    Input,
    Made,
    Stage,
    Workload,
    follow,
    group_steps,
    joining_of,
    unfold,
    unfold_dish,
)
from cookmas.scenarios.menu import load_menu
from cookmas.scenarios.truth import load_menu_truth

LARDER = {
    "bread": "pantry",
    "oil": "pantry",
    "pasta": "pantry",
    "beans": "pantry",
    "egg": "fridge",
    "butter": "fridge",
}
ITEMS = load_menu_truth(load_menu())


def component(text: str) -> Component:
    return parse_component(text, {})


def unfolded(*texts: str) -> Workload:
    workload = Workload()
    unfold_dish(workload, "o1.1", [component(text) for text in texts], LARDER)
    return workload


def fetched(name: str, low: int = 0, high: int = 0) -> Input:
    return Input(source=Fetch(name, LARDER[name]), low=low, high=high)


def made(stage: int, low: int = 0, high: int = 0) -> Input:
    return Input(source=Made(stage), low=low, high=high)


def stage(kind: str, *inputs: Input, work: tuple[str, ...] = ()) -> Stage:
    return Stage(line="o1.1", kind=kind, inputs=inputs, work=work)


def plated(*inputs: Input) -> Stage:
    return stage("plating", Input(source=PLATE_SOURCE), *inputs, work=("assemble",))


def test_raw_food_goes_from_its_dispenser_to_the_plate() -> None:
    workload = unfolded("bread", "egg")
    assert workload.stages == [plated(fetched("bread"), fetched("egg"))]
    assert workload.deliveries == [Delivery("o1.1", Made(0))]


def test_work_at_one_kind_of_tool_is_one_stage() -> None:
    workload = unfolded("egg > peel 1 > chop 2")
    assert workload.stages == [
        stage("board", fetched("egg"), work=("peel", "chop", "chop")),
        plated(made(0)),
    ]


def test_each_cooking_is_a_stage_of_its_own() -> None:
    workload = unfolded("egg > boil 6-8 > fry 2 > slice 1")
    assert workload.stages == [
        stage("pot", fetched("egg", 6, 8)),
        stage("pan", made(0, 2, 2)),
        stage("board", made(1), work=("slice",)),
        plated(made(2)),
    ]


def test_the_same_cooking_twice_is_two_stages() -> None:
    twice = group_steps((StepSpec("bake", 3, 3), StepSpec("bake", 4, 4)))
    assert [len(group) for group in twice] == [1, 1]


def test_what_is_mixed_is_joined_by_the_first_work_at_the_mixer() -> None:
    workload = unfolded("(egg > chop 2 + oil) > mix 2 > blend 1 > fry 4")
    assert workload.stages == [
        stage("board", fetched("egg"), work=("chop", "chop")),
        stage("mixer", made(0), fetched("oil"), work=("mix", "mix", "blend")),
        stage("pan", made(1, 4, 4)),
        plated(made(2)),
    ]


def test_what_is_assembled_is_joined_on_a_plating_place_without_a_plate() -> None:
    workload = unfolded("(bread + butter) > assemble 1 > grill 3-4")
    assert workload.stages == [
        stage("plating", fetched("bread"), fetched("butter"), work=("assemble",)),
        stage("grill", made(0, 3, 4)),
        plated(made(1)),
    ]


def test_what_cooks_together_is_joined_in_the_vessel_each_with_its_own_minutes() -> None:
    workload = unfolded("(pasta > boil 9-10 + beans > chop 1 > boil 3)")
    by_name = {"pasta": fetched("pasta", 9, 10), "beans": made(0, 3, 3)}
    first, gathered, last = workload.stages
    assert first == stage("board", fetched("beans"), work=("chop",))
    assert (gathered.kind, gathered.work, gathered.cooks) == ("pot", (), True)
    assert sorted(gathered.inputs, key=repr) == sorted(by_name.values(), key=repr)
    assert last == plated(made(1))


def test_a_vessels_mixture_goes_on_as_one_food() -> None:
    workload = unfolded("(pasta > boil 5 + beans > boil 5) > bake 7")
    assert [stage.kind for stage in workload.stages] == ["pot", "oven", "plating"]
    assert workload.stages[1].inputs == (made(0, 7, 7),)


def test_joined_food_can_be_part_of_joined_food() -> None:
    workload = unfolded("((egg + oil) > mix 2 + bread > grate 1) > assemble 1")
    kinds = [stage.kind for stage in workload.stages]
    assert sorted(kinds[:2]) == ["board", "mixer"]
    assert kinds[2:] == ["plating", "plating"]
    inner = {entry.source for entry in workload.stages[2].inputs}
    assert inner == {Made(0), Made(1)}


def test_follow_says_where_the_first_stage_is_under_way() -> None:
    workload = Workload()
    steps = (StepSpec("chop", 1, 1), StepSpec("fry", 2, 3))
    source = follow(workload, "o1.1", Fetch("egg", "fridge"), steps, station="board_2")
    assert [stage.station for stage in workload.stages] == ["board_2", None]
    assert source == Made(1)


def test_nothing_to_do_adds_no_stage() -> None:
    workload = Workload()
    assert follow(workload, "o1.1", Fetch("egg", "fridge"), ()) == Fetch("egg", "fridge")
    assert workload.stages == []


def test_the_cooking_together_is_taken_off_the_parts() -> None:
    join = joining_of(component("(pasta > boil 9 + beans > chop 1 > boil 3) > bake 2"))
    assert join.kind == "pot"
    assert {str(part) for part in join.parts} == {"pasta", "beans > chop 1"}
    assert [step.process for step in join.cooking] == ["boil", "boil"]
    assert [str(step) for step in join.rest] == ["bake 2"]


def test_alike_cooking_in_an_appliance_that_is_no_vessel_joins_nothing() -> None:
    with pytest.raises(Infeasible, match="joined by nothing"):
        joining_of(component("(bread > grill 2 + egg > grill 2)"))


@pytest.mark.parametrize(
    "text",
    [
        "(bread + egg)",
        "(bread > boil 3 + egg > fry 3)",
        "(bread > boil 3 + egg)",
        "(bread + egg) > bake 5",
        "(bread + egg) > chop 2",
    ],
)
def test_what_nothing_joins_is_infeasible(text: str) -> None:
    with pytest.raises(Infeasible, match="is joined by nothing the kitchen can do"):
        unfold(Workload(), "o1.1", component(text), LARDER)


def test_what_no_dispenser_gives_out_is_infeasible() -> None:
    with pytest.raises(Infeasible, match="unicorn is in no dispenser"):
        unfolded("unicorn > chop 2")


@pytest.mark.parametrize("item", ITEMS)
def test_every_dish_of_the_menu_is_a_tree_of_stages(item: str) -> None:
    menu, workload = load_menu(), Workload()
    unfold_dish(workload, "o1.1", ITEMS[item], menu.larder)
    used: list[int] = []
    for number, entered in enumerate(workload.stages):
        sources = [entry.source for entry in entered.inputs]
        used += [source.stage for source in sources if isinstance(source, Made)]
        assert all(source.stage < number for source in sources if isinstance(source, Made))
        assert all(KIND_OF_PROCESS[process].name == entered.kind for process in entered.work)
    assert sorted(used) == list(range(len(workload.stages) - 1)), "each product is used once"
    names = [
        entry.source.name
        for entered in workload.stages
        for entry in entered.inputs
        if isinstance(entry.source, Fetch)
    ]
    wanted = [name for part in ITEMS[item] for name in part.ingredients()]
    assert sorted(names) == sorted([*wanted, "plate"])
    assert workload.deliveries == [Delivery("o1.1", Made(len(workload.stages) - 1))]
