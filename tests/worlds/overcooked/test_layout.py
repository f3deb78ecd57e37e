"""Layouts: what a file says becomes a kitchen, and what it may not say is refused in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.files.errors import InputError, MissingError
from cookmas.worlds.grids.hands import Cook
from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.rules.bound import most_points
from cookmas.worlds.overcooked.rules.kitchen import KitchenItem, PotContent
from cookmas.worlds.overcooked.rules.layout import layouts, load_kitchen, parse_layout, read_layout
from cookmas.worlds.overcooked.rules.serving import list_served_orders

BOTH = "XPTX\nO1 D\nX 2S\nXXXX"
GRID = "XPXX\nO1 D\nX 2S\nXXXX"
ONIONS = {"ingredients": ["onion"] * 3}
MIXED = {"ingredients": ["tomato", "onion"]}
COOK = {"position": [1, 1], "orientation": [0, 1]}
OTHER = {"position": [2, 2], "orientation": [0, 1]}


def begun(*cooks: Any, **things: list[int]) -> dict[str, Any]:
    """Return a start state, of both cooks if none is given."""
    objects = [{"name": name, "position": cell} for name, cell in things.items()]
    return {"players": [*cooks] or [COOK, OTHER], "objects": objects}


def parse(**fields: Any) -> Any:
    return parse_layout(repr({"grid": GRID, **fields}), "my.layout")


def test_without_numbers_every_soup_gives_20_points_after_20_timesteps() -> None:
    recipes = parse(grid=BOTH).kitchen("current").recipes
    assert len(recipes) == 9
    assert {(recipe.points, recipe.time, recipe.bonus) for recipe in recipes} == {(20, 20, False)}


def test_only_ordered_soups_give_points_and_bonus_orders_more() -> None:
    orders = {"start_all_orders": [ONIONS, MIXED], "start_bonus_orders": [MIXED]}
    recipes = {"recipe_values": [10, 7], "recipe_times": [5, 6]}
    kitchen = parse(**orders, **recipes, order_bonus=3).kitchen("current")
    ordered = {recipe.ingredients: recipe[1:] for recipe in kitchen.ordered}
    assert ordered == {("onion",) * 3: (10, 5, False), ("onion", "tomato"): (21, 6, True)}
    assert kitchen.times[("tomato",)] == 20


def test_points_and_times_may_be_sums_over_ingredients_or_one_number() -> None:
    kitchen = parse(grid=BOTH, onion_value=21, tomato_value=13, cook_time=9).kitchen("papers")
    assert kitchen.points[("onion", "tomato", "tomato")] == 21 + 13 + 13
    assert set(kitchen.times.values()) == {9}
    ordered = parse(delivery_reward=5).kitchen("papers").ordered
    assert [(each.ingredients, each.points) for each in ordered] == [(("onion",) * 3, 5)]


def test_a_start_state_says_where_all_is() -> None:
    cook = {**COOK, "held_object": {"name": "tomato", "position": [1, 1]}}
    start = begun(OTHER, cook, soup=[1, 0], dish=[0, 0])
    start["objects"][0]["_ingredients"] = [{"name": "onion", "position": [1, 0]}]
    first = parse(start_state=start).kitchen("current").opening
    other, holding = Body((2, 2), (0, 1)), Body((1, 1), (0, 1))
    assert first.cooks == (Cook(other), Cook(holding, KitchenItem("tomato")))
    assert first.pots == {(1, 0): PotContent(("onion",))}
    assert first.counters == {(0, 0): KitchenItem("dish")}


def test_both_dynamics_have_their_own_layout_of_the_same_name() -> None:
    name = "asymmetric_advantages"
    assert len(load_kitchen(name, "papers").grid.rows[0]) == 11
    assert len(load_kitchen(name, "current").grid.rows[0]) == 9
    assert (
        load_kitchen("cramped_room", "papers").grid == load_kitchen("cramped_room", "current").grid
    )
    assert len(layouts("papers")) == len(layouts("current")) == 50
    with pytest.raises(MissingError, match="there is no layout 'moon'; the layouts are asymm"):
        load_kitchen("moon", "papers")
    with pytest.raises(MissingError, match="give a file of yours with --layout"):
        load_kitchen("my.layout", "papers")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{'grid': open('x')}", "is no layout: expected a dictionary of literals"),
        ("{" * 5000, "is no layout"),
        ("[]", "expected a mapping of names to values"),
        ("{'grid': '...',\n'cook_time': 20, 'cook_time': 5}", "cook_time: is given twice.*line 2"),
        ("\n{'a': [{'b': 1,\n'b': 1}]}", "b: is given twice.*line 3"),
        ("{'grid': '',\n'cook_time': }", "my.layout, line 2: is no layout"),
    ],
)
def test_a_text_that_is_no_layout_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as raised:
        parse_layout(text, "my.layout")
    assert str(raised.value).startswith("my.layout")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"grid": GRID.replace("P", "X")}, "at least one P"),
        ({"grid": GRID.replace("O", "X")}, "at least one O or T"),
        ({"grid": GRID.replace("P", "Q")}, "grid: 'Q' is none of X, D, G, O, P, S, T, W$"),
        ({"grid": GRID.replace("XPX", "GPX")}, "no gate at the border"),
        ({"grid": GRID.replace("1", " ")}, "expected the starts"),
        ({"p_slip": 0.25}, "p_slip: cooks never slip here"),
        ({"start_order_list": ["onion"]}, "name each one once in start_all_orders"),
        ({"grid": GRID.replace("S", " ")}, "row 2 has 3 columns and another row has 4; spaces"),
        ({"grid": GRID.replace("1 D", "1\tD")}, "row 1 has a tab: write a space"),
        ({"grid": GRID.replace("2", "C")}, "reads it as own_layout"),
        ({"grid": 3}, "grid: expected a list, not 3"),
        ({"start_all_orders": [ONIONS, ONIONS]}, "expected each order once"),
        ({"start_all_orders": [ONIONS], "start_bonus_orders": [MIXED]}, "of start_all_orders"),
        ({"start_all_orders": [{"ingredients": []}]}, "expected at least 1 of them"),
        ({"recipe_values": [1]}, "recipe_values: expected one for each"),
        ({"onion_value": 3}, "expected both onion_value and tomato_value"),
        ({"cook_time": 3, "onion_time": 3, "tomato_time": 3}, "expected one kind of time"),
        ({"cook_time": 0}, "cook_time: expected at least 1, not 0"),
        ({"order_bonus": 1.5}, "order_bonus: expected a whole number, not 1.5"),
        ({"start_state": begun(COOK)}, "expected 2 cooks on different cells"),
        ({"start_state": begun(COOK, COOK)}, "expected 2 cooks on different"),
        ({"start_state": begun(COOK, {**OTHER, "position": [0, 0]})}, "expected cooks on floor"),
        ({"start_state": begun(onion=[1, 0])}, "expected objects on counters, soups also in pots"),
        ({"start_state": begun(soup=[1, 0])}, "expected onions or tomatoes in each soup"),
        ({"start_state": begun(dish=[0, 0], onion=[0, 0])}, "expected objects on different cells"),
        ({"start_state": {**begun(), "all_orders": [ONIONS]}}, "expected the orders of the layout"),
    ],
)
def test_what_a_layout_may_not_say_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as raised:
        parse(**fields)
    assert "\n" not in str(raised.value)


def test_a_byte_order_mark_and_keys_without_a_meaning_do_not_count() -> None:
    layout = parse_layout(f"\ufeff{{'grid': {GRID!r}, 'counter_goals': [], 'x': 1}}", "my.layout")
    assert [*layout.remarks(layout.kitchen("papers"))] == [
        "keys that have no meaning in a layout are ignored: counter_goals, x"
    ]


def test_a_wall_in_a_kitchen_without_gates_is_named() -> None:
    layout = parse(grid="XPXXX\nO1 WX\nX 2 S\nXXDXX")
    told = [*layout.remarks(layout.kitchen("papers"))]
    assert told == ["W is a wall here, on which nobody walks; write floor for a puddle"]


def test_papers_dynamics_cook_full_pots_alone() -> None:
    named = [order.ingredients for order in parse(grid=BOTH).kitchen("papers").ordered]
    assert len(named) == 4
    assert {len(soup) for soup in named} == {3}
    older = parse(start_order_list=None, num_items_for_soup=3)
    assert [each.ingredients for each in older.kitchen("papers").ordered] == [("onion",) * 3]
    for field in ("start_all_orders", "start_bonus_orders"):
        with pytest.raises(InputError, match=f"room: {field}: .* a soup of 1 onion and 1 tomato"):
            parse(**{field: [MIXED]}).kitchen("papers", "room")
        assert parse(**{field: [MIXED]}).kitchen("current").ordered


def test_the_key_old_dynamics_has_to_agree_with_the_dynamics() -> None:
    assert parse(old_dynamics=True).kitchen("papers")
    with pytest.raises(InputError, match="old_dynamics: True are the dynamics papers; choose"):
        parse(old_dynamics=True).kitchen("current")
    with pytest.raises(InputError, match="old_dynamics: False are the dynamics current; choose"):
        parse(old_dynamics=False).kitchen("papers")


@pytest.mark.parametrize(
    ("grid", "why"),
    [
        ("XPXX\nT1 D\nX 2S\nXXXX", "there is no onion dispenser"),
        ("XPXXXX\nT1 DXO\nX 2SXX\nXXXXXX", "no cook reaches an onion dispenser"),
        ("XXXXPX\nO1 DXX\nX 2SXX\nXXXXXX", "no cook reaches a pot"),
        ("XPXXXX\nO1 XXD\nX 2SXX\nXXXXXX", "no cook reaches a dish dispenser"),
        ("XPXXXX\nO1 DXS\nX 2XXX\nXXXXXX", "no cook reaches a serving window"),
        ("XPOWOX\nO1 W2D\nX  W S\nXXXWXX", "the cooks cannot pass each other all that it needs"),
    ],
)
def test_an_order_that_no_cook_can_serve_is_named(grid: str, why: str) -> None:
    layout = parse(grid=grid, start_all_orders=[ONIONS])
    kitchen = layout.kitchen("papers")
    told = f"the order of 3 onions cannot be served in this kitchen: {why}"
    assert told in [*layout.remarks(kitchen)]
    assert most_points(kitchen, 400) == 0


@pytest.mark.parametrize(
    "grid",
    [
        "XPOXOX\nO1 X2D\nX  X S\nXXXXXX",
        "XXXXXX\nO1 P2D\nX  W S\nXXXWXX",
        "XPOWOX\nO1 G2D\nX  W S\nXXXWXX",
    ],
)
def test_things_pass_over_counters_pots_and_gates(grid: str) -> None:
    layout = parse(grid=grid, start_all_orders=[ONIONS])
    assert list_served_orders(layout.kitchen("papers"))


def test_the_joint_planner_plans_for_at_most_four_cooks(tmp_path: Path) -> None:
    path = tmp_path / "crowd.layout"
    path.write_text(repr({"grid": "XXXPXXX\nO12345D\nXXXSXXX", "start_all_orders": [ONIONS]}))
    with pytest.raises(InputError, match="at most 4 cooks together, and the kitchen has 5"):
        cookmas.play(str(path), "joint-search", world="overcooked", settings={"horizon": 5})


def test_greedy_cooks_score_on_layouts_of_2019(tmp_path: Path) -> None:
    path = tmp_path / "older.layout"
    older = {"start_order_list": None, "num_items_for_soup": 3}
    numbers = {"cook_time": 20, "delivery_reward": 20}
    path.write_text(repr({"grid": "XXPXX\nO  2O\nX1  X\nXDXSX", **older, **numbers}))
    run = cookmas.play(str(path), "greedy", world="overcooked", settings={"horizon": 100})
    assert run.verdict is not None
    assert run.verdict.score


def test_a_layout_of_ones_own_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "my.layout"
    path.write_text(repr({"grid": GRID}))
    assert read_layout(path) == parse()
    with pytest.raises(MissingError, match="no such file"):
        read_layout(tmp_path / "other.layout")
