"""The rules as a world: whose move it is, refusals, endings, and what a cook may know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import cookmas
from cookmas.api import load_scenario
from cookmas.episodes.checking_worlds import find_leaks
from cookmas.episodes.world import Command
from cookmas.files.errors import TraceError
from cookmas.world_names import domain_of
from cookmas.worlds.collab_overcooked.rules.actions import KINDS, read_action
from cookmas.worlds.collab_overcooked.rules.book import book
from cookmas.worlds.collab_overcooked.rules.grounding import Doing
from cookmas.worlds.collab_overcooked.rules.kitchen import UNKNOWN, FoodItem, UtensilContent
from tests.sampling import sampled
from tests.worlds.hands.states import visited


def begun(name: str = "level_3/01", **settings: Any) -> tuple[Any, Any]:
    """Return the world of a scenario, and its state after the order."""
    scenario = load_scenario(f"collab-overcooked/{name}", settings=settings)
    world: Any = scenario.world()
    state = world.start()
    for _, event in scenario.events():
        state, ruling = world.apply(state, event)
        assert ruling.refused is None
    return world, state


def play(world: Any, state: Any, *steps: dict[str, str]) -> Any:
    """Return the state after these commands, each of which is carried out to its end."""
    for commands in steps:
        state, outcomes, _ = world.step(state, [Command(*each) for each in commands.items()])
        assert all(outcome.done for outcome in outcomes.values()), outcomes
        while not set(world.movers(state)) >= set(commands):
            state, _, _ = world.step(state, [])
    return state


def fail_of(world: Any, state: Any, cook: str, text: str) -> str | None:
    """Return why a command is refused; None if it is not."""
    fail: str | None = world.step(state, [Command(cook, text)])[1][cook].fail
    return fail


def with_scene(state: Any, **fields: Any) -> Any:
    return state._replace(scene=state.scene._replace(**fields))


def holding(state: Any, number: int, item: FoodItem | None) -> Any:
    cooks = list(state.scene.cooks)
    cooks[number] = cooks[number]._replace(held=item)
    return with_scene(state, cooks=tuple(cooks))


def test_an_action_costs_its_walk_its_turn_and_an_interaction() -> None:
    world, state = begun("level_1/01")
    fetch = Command("alice", "pickup(bell_pepper,ingredient_dispenser)")
    for timestep, more in enumerate(([fetch], [], [])):
        assert state.timestep == timestep
        state, _, _ = world.step(state, [Command("bob", "wait(1)"), *more])
        assert world.movers(state) == (["bob", "alice"] if timestep == 2 else ["bob"])
    assert state.scene.cooks[1].held == FoodItem("bell_pepper", "ingredient")
    assert state.done == ((), ("pickup(bell_pepper, ingredient_dispenser)",))


def test_a_cook_in_action_takes_no_other_command() -> None:
    world, state = begun()
    state, _, _ = world.step(state, [Command("alice", "pickup(egg,ingredient_dispenser)")])
    assert world.legal(state, "alice") == ["wait(1)"]
    assert fail_of(world, state, "alice", "place_obj_on_counter()") == "not_your_turn"
    assert fail_of(world, state, "alice", "wait(1)") is None


def test_a_refused_action_costs_a_timestep_and_changes_nothing_else() -> None:
    world, state = begun()
    after, outcomes, _ = world.step(state, [Command("alice", "cook(pot0)")])
    assert outcomes["alice"].fail == "unreachable"
    assert outcomes["alice"].why == "alice cannot cook(pot0): it is out of reach."
    assert after == state._replace(timestep=1)


READY = UtensilContent((), 1, "egg_x", 3)
WORKS = UtensilContent((), 1, "egg_x", 1)
POT, OVEN, BOARD = (3, 0), (4, 3), (0, 2)
EGG, PLATE = FoodItem("egg", "ingredient"), FoodItem("dish", "dish")


@pytest.mark.parametrize(
    ("text", "kind", "held", "utensils"),
    [
        ("dance", "unreadable", None, {}),
        ("wait(x)", "unreadable", None, {}),
        ("pickup(egg)", "words", None, {}),
        ("cook(pot0,pot0)", "words", None, {}),
        ("wait(6)", "wait_too_long", None, {}),
        ("wait(0)", "wait_too_long", None, {}),
        ("pickup(stone,counter)", "unknown_item", None, {}),
        ("pickup(egg,sink0)", "unknown_place", None, {}),
        ("pickup(egg,delivery)", "unknown_place", None, {}),
        ("cook(oven0)", "unknown_utensil", None, {}),
        ("put_obj_in_utensil(sink0)", "unknown_utensil", EGG, {}),
        ("pickup(boiled_egg,ingredient_dispenser)", "not_raw", None, {}),
        ("pickup(dish,ingredient_dispenser)", "dish_place", None, {}),
        ("pickup(egg,dish_dispenser)", "ingredient_place", None, {}),
        ("pickup(egg,ingredient_dispenser)", "unreachable", None, {}),
        ("pickup(egg,counter)", "not_on_counter", None, {}),
        ("pickup(boiled_egg,pot0)", "busy", None, {POT: WORKS}),
        ("pickup(boiled_egg,pot0)", "hands_full", EGG, {POT: READY}),
        ("pickup(boiled_egg,pot0)", "not_inside", None, {POT: READY}),
        ("pickup(baked_carrot_soup,pot0)", "needs_dish", None, {POT: READY}),
        ("put_obj_in_utensil(pot0)", "busy", EGG, {POT: WORKS}),
        ("put_obj_in_utensil(pot0)", "ready", EGG, {POT: READY}),
        ("put_obj_in_utensil(pot0)", "full", EGG, {POT: UtensilContent(("egg",) * 3, 3)}),
        ("put_obj_in_utensil(pot0)", "hands_empty", None, {}),
        ("put_obj_in_utensil(pot0)", "dish_in_utensil", PLATE, {}),
        ("put_obj_in_utensil(blender0)", "unreachable", EGG, {}),
        ("place_obj_on_counter()", "hands_empty", None, {}),
        ("cook(pot0)", "empty", None, {}),
        ("cook(pot0)", "busy", None, {POT: WORKS}),
        ("cook(pot0)", "hands_full", EGG, {POT: UtensilContent(("egg",), 1)}),
        ("cut(chopping_board0)", "unreachable", None, {BOARD: UtensilContent(("egg",), 1)}),
        ("fill_dish_with_food(pot0)", "no_dish", None, {POT: READY}),
        ("fill_dish_with_food(pot0)", "not_ready", PLATE, {POT: UtensilContent(("egg",), 1)}),
        ("fill_dish_with_food(chopping_board0)", "unreachable", PLATE, {BOARD: READY}),
        ("deliver()", "hands_empty", None, {}),
        ("deliver()", "not_final", EGG, {}),
    ],
)
def test_an_action_is_refused_by_the_first_check_that_fails(
    text: str, kind: str, held: FoodItem | None, utensils: Any
) -> None:
    world, state = begun()
    state = with_scene(holding(state, 0, held), utensils=utensils)
    assert fail_of(world, state, "bob", text) == kind
    assert kind in KINDS
    assert text not in world.legal(state, "bob")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("pickup(taro_bean_and_bell_pepper_patty,oven0)", "needs_dish"),
        ("pickup(baked_carrot_soup,oven0)", "not_inside"),
        ("pickup(sliced_pumpkin_and_chickpea_stew,oven0)", "not_inside"),
        ("pickup(baked_carrot_soup,pot0)", "needs_dish"),
        ("pickup(taro_bean_and_bell_pepper_patty,pot0)", "not_inside"),
        ("pickup(baked_carrot_soup,chopping_board0)", "unreachable"),
    ],
)
def test_the_original_asks_for_a_dish_first_at_the_utensil_of_the_food(
    text: str, kind: str
) -> None:
    assert fail_of(*begun(mode="original"), "bob", text) == kind


def test_a_dish_that_no_order_needs_and_a_full_kitchen_are_refused() -> None:
    world, state = begun("level_1/03")
    state = with_scene(holding(state, 0, PLATE), utensils={POT: READY})
    assert fail_of(world, state, "bob", "fill_dish_with_food(pot0)") == "no_dish_needed"
    full = with_scene(state, counters=dict.fromkeys(world.kitchen.counters[0], PLATE))
    assert fail_of(world, full, "bob", "place_obj_on_counter()") == "no_counter"


def test_a_cook_that_cannot_reach_the_delivery_delivers_nothing() -> None:
    for mode, kind in (("default", "unreachable"), ("original", None)):
        world, state = begun("level_1/03", mode=mode)
        state = holding(state, 1, FoodItem("boiled_egg", "ingredient"))
        assert fail_of(world, state, "alice", "deliver()") == kind


def test_a_mix_of_a_food_of_which_nothing_is_made_is_taken_whole_in_the_original() -> None:
    world, state = begun(mode="original")
    used = {food for row in state.tables.rows for food in row.inputs}
    unused = min({*world.kitchen.raw} - used)
    lying = UtensilContent((unused, "egg"), 2)
    taking = Doing(read_action("pickup(corn,pot0)"))
    state = with_scene(state, utensils={POT: lying})._replace(doing=(taking, None))
    while state.scene.cooks[0].held is None:
        assert state.timestep < 9
        state, _, _ = world.step(state, [])
    assert POT not in state.scene.utensils
    assert state.scene.cooks[0].held == FoodItem(str([unused, "egg"]), "mix", 2)


def test_a_destroyed_mix_stops_no_other_start_but_in_the_original() -> None:
    for mode, left in (("default", {}), ("original", {(0, 2): UtensilContent(("egg",), 1)})):
        world, state = begun("level_1/03", mode=mode)
        mixes = {POT: UtensilContent(("corn",), 1), BOARD: UtensilContent(("egg",), 1)}
        state = play(world, state, {"alice": "pickup(egg,ingredient_dispenser)"})
        state = play(world, state, {"alice": "put_obj_in_utensil(chopping_board0)"})
        state = with_scene(state, utensils=mixes)
        commands = [Command("bob", "cook(pot0)"), Command("alice", "cut(chopping_board0)")]
        state, _, _ = world.step(state, commands)
        assert state.scene.utensils == left
        assert world.movers(state) == ["bob", "alice"]


def test_things_go_to_the_nearest_shared_counter_first() -> None:
    world, state = begun("level_1/03")
    filled = []
    for _ in range(5):
        state = play(world, holding(state, 0, PLATE), {"bob": "place_obj_on_counter()"})
        filled += [cell for cell in state.scene.counters if cell not in filled]
    assert filled[0] == (2, 1)
    assert sorted(filled[:3]) == [(2, 1), (2, 2), (2, 3)]
    assert sorted(filled[3:]) == [(4, 1), (4, 2)]


def test_filling_waits_until_the_utensil_has_finished() -> None:
    world, state = begun()
    cooking = UtensilContent((), 1, "baked_bell_pepper_soup", 0)
    state = with_scene(holding(state, 0, PLATE), utensils={POT: cooking})
    state = play(world, state, {"bob": "fill_dish_with_food(pot0)"})
    assert state.timestep == 4
    assert state.scene.cooks[0].held == FoodItem("baked_bell_pepper_soup", "with_dish", 1)


def test_a_mix_without_a_recipe_is_destroyed_and_everybody_is_told() -> None:
    world, state = begun()
    state = with_scene(state, utensils={POT: UtensilContent(("egg", "egg"), 2)})
    after, _, triggers = world.step(state, [Command("bob", "cook(pot0)")])
    assert after.scene.utensils == {}
    assert [(each.kind, each.to) for each in triggers] == [("destroyed", None)]


def test_a_wrong_delivery_is_lost_and_a_right_one_wins() -> None:
    world, state = begun("level_1/03")
    wrong = holding(state, 0, FoodItem("boiled_mushroom", "ingredient"))
    while not wrong.done[0]:
        wrong, _, triggers = world.step(wrong, [Command("bob", "deliver()")])
    assert [each.kind for each in triggers] == ["wrong_delivery"]
    assert world.ending(wrong) is None
    egg = holding(state, 0, FoodItem("boiled_egg", "ingredient"))
    assert world.ending(play(world, egg, {"bob": "deliver()"})).how == "won"


def test_a_soup_without_its_dish_is_no_right_delivery() -> None:
    world, state = begun()
    bare = holding(state, 0, FoodItem("baked_bell_pepper_soup", "ingredient"))
    assert world.ending(play(world, bare, {"bob": "deliver()"})) is None


def test_a_cook_whom_nothing_leads_on_gives_up_and_is_asked_again() -> None:
    world, state = begun()
    lying = with_scene(state, counters={(2, 3): PLATE})
    state, _, _ = world.step(lying, [Command("bob", "pickup(dish,counter)")])
    assert "bob" not in world.movers(state)
    state, _, triggers = world.step(with_scene(state, counters={}), [])
    assert [(each.kind, each.to) for each in triggers] == [("given_up", ("bob",))]
    assert "bob" in world.movers(state)


@pytest.mark.parametrize(("mode", "ticks"), [("default", 2), ("original", 1)])
def test_every_timer_ticks_but_in_the_original(mode: str, ticks: int) -> None:
    """The pot is started, which was filled before the oven that works."""
    world, state = begun("level_1/03", mode=mode)
    working = UtensilContent((), 1, "baked_bell_pepper", 1)
    state = with_scene(state, utensils={POT: UtensilContent(("egg",), 1), OVEN: working})
    after, _, _ = world.step(state, [Command("bob", "cook(pot0)")])
    assert after.scene.utensils[POT].ticks == 1
    assert after.scene.utensils[OVEN].ticks == ticks


def test_only_the_readers_see_the_recipe() -> None:
    world, state = begun("level_6/02")
    assert world.lookups(world.observe(state, "bob")) == ["romaine_lettuce_pea_and_tomato_patty"]
    assert world.lookups(world.observe(state, "alice")) == []
    assert world.observe(state, "alice").tables is None
    assert world.observe(state, None) == state
    turned, other = begun("turned/01")
    assert turned.lookups(turned.observe(other, "bob")) == []
    assert turned.lookups(turned.observe(other, "alice")) == ["boiled_egg"]
    assert "tables" not in str(world.setup())


def test_who_does_not_see_the_recipe_simulates_with_unknown_products() -> None:
    world, state = begun("level_2/01")
    state = with_scene(state, utensils={BOARD: UtensilContent(("potato",), 1)})
    seen = world.simulable(world.observe(state, "alice"), "alice")
    after, _, _ = world.step(seen, [Command("alice", "cut(chopping_board0)")])
    after, _, _ = world.step(after, [])
    assert after.scene.utensils[BOARD].product == UNKNOWN


@pytest.mark.parametrize("name", ["level_4/01", "open/03", "turned/02"])
def test_states_that_differ_in_the_recipe_alone_look_alike(name: str) -> None:
    scenario = load_scenario(f"collab-overcooked/{name}")
    world: Any = scenario.world()
    states = visited(scenario, 0)[:12]
    assert list(find_leaks(world, states, range(1))) == []
    blind = next(cook for cook in world.workers if cook not in world.kitchen.readers)
    assert any(world.draw_alike(state, blind, 0) != state for state in states)


def test_a_recipe_in_the_observation_would_be_found() -> None:
    scenario = load_scenario("collab-overcooked/level_1/01")
    world: Any = scenario.world()
    world.__class__ = type("Leaking", (type(world),), {"observe": lambda self, s, worker=None: s})
    assert list(find_leaks(world, visited(scenario, 0)[:2], range(1)))


def test_every_task_has_its_recipe_in_prose() -> None:
    texts = [dish.text for dish in book().dishes.values()]
    assert len(set(texts)) == len(texts) == 30
    for name, dish in book().dishes.items():
        for step in dish.steps:
            for food in step.inputs:
                if food in book().raw:
                    assert food.replace("_", " ") in dish.text.lower(), name
            assert step.utensil.replace("_", " ") in dish.text.lower(), name


def test_time_limits_follow_from_gamma() -> None:
    for gamma, limits in (
        (1, [16, 23, 35, 32, 55, 64]),
        (1.5, [24, 34, 52, 48, 82, 96]),
        (2, [32, 46, 70, 64, 110, 120]),
    ):
        names = [f"collab-overcooked/level_{number}/01" for number in range(1, 7)]
        loaded = [load_scenario(name, settings={"gamma": gamma}) for name in names]
        assert [scenario.horizon for scenario in loaded] == limits


def test_an_order_is_drawn_by_its_probability(tmp_path: Path) -> None:
    path = tmp_path / "drawn.yaml"
    orders = {"boiled_egg": 0.75, "boiled_mushroom": 0.25}
    path.write_text(yaml.safe_dump({"world": "collab-overcooked", "orders": orders}))
    first: Any = load_scenario(str(path), "collab-overcooked")
    drawn = [first.redraw(seed) for seed in range(200)]
    assert 130 < [each.order for each in drawn].count("boiled_egg") < 170
    assert [(each.seed, each.digest) for each in drawn] == [(n, first.digest) for n in range(200)]
    third: Any = load_scenario(str(path), "collab-overcooked", {"seed": 3})
    assert third.order == drawn[3].order


def test_a_header_of_another_world_is_refused() -> None:
    domain = domain_of("collab-overcooked")
    setup = begun()[0].setup()
    assert domain.world(setup).setup() == setup
    for wrong in ({}, {**setup, "cooks": ["bob"]}, {**setup, "grid": ["XXX"]}):
        with pytest.raises(TraceError, match="does not describe"):
            domain.world(wrong)


@pytest.mark.parametrize("name", sampled(["level_1/01", "level_4/03", "turned/03", "open/02"], 2))
def test_a_run_is_won_and_replays(name: str) -> None:
    run = cookmas.play(f"collab-overcooked/{name}", "reference")
    assert run.success
    assert all(frame.equal for frame in cookmas.replay(run.trace))


def test_actions_are_read_with_or_without_spaces() -> None:
    for text in ("pickup(egg,counter)", " pickup( egg , counter ) "):
        assert str(read_action(text)) == "pickup(egg,counter)"
    assert str(read_action("deliver_soup()")) == "deliver()"


def test_one_place_asks_for_the_faults_of_the_original() -> None:
    modules = Path(cookmas.__file__).parent.rglob("collab_overcooked/**/*.py")
    asking = [path.name for path in modules if "kitchen.original" in path.read_text("utf-8")]
    assert asking == ["engine.py"]
