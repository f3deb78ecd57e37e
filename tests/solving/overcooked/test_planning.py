"""The joint planner: its plans happen as planned, get points, and suit cooks of other kinds."""

from __future__ import annotations

from typing import Any

import pytest

import cookmas
from cookmas.api import load_scenario
from cookmas.episodes.trace import TriggerRecord
from cookmas.files.errors import InputError
from cookmas.orchestrator.planner import Observation
from cookmas.solving.overcooked import planners
from cookmas.solving.overcooked.goals import find_missing, passing_counters
from cookmas.solving.overcooked.planners import JointCook, action_at
from cookmas.solving.overcooked.search import Aim, Effort, estimate, plan_together
from cookmas.solving.overcooked.ways import moves_between, ways_to
from cookmas.worlds.grids.hands import Cook
from cookmas.worlds.overcooked.rules.kitchen import (
    ACTS,
    Dynamics,
    KitchenItem,
    OvercookedKitchen,
    PotContent,
    Scene,
)
from cookmas.worlds.overcooked.rules.layout import load_kitchen, parse_layout
from cookmas.worlds.overcooked.rules.places import OvercookedSight
from cookmas.worlds.overcooked.rules.steps import step

SMALL = Effort(ahead=40, width=6)


def play(kitchen: OvercookedKitchen, scene: Scene, acts: Any) -> tuple[Scene, int]:
    points = 0
    for joint in acts:
        scene, happened = step(kitchen, scene, joint)
        points += happened.points
    return scene, points


def score(layout: str, planner: Any, horizon: int, **settings: Any) -> float | None:
    run = cookmas.play(f"overcooked/{layout}", planner, settings={"horizon": horizon, **settings})
    assert run.verdict
    return run.verdict.score


def holding(scene: Scene, number: int, item: KitchenItem | None) -> Scene:
    cooks = [*scene.cooks]
    cooks[number] = cooks[number]._replace(held=item)
    return scene._replace(cooks=tuple(cooks))


@pytest.mark.parametrize(
    ("layout", "dynamics", "least"),
    [
        ("cramped_room", "papers", 20),
        ("forced_coordination", "papers", 20),
        ("soup_passing_door", "papers", 20),
        ("cramped_room", "current", 20),
        ("mdp_test", "current", 40),
        ("cramped_room_single", "papers", 20),
    ],
)
def test_a_plan_delivers_soups(layout: str, dynamics: Dynamics, least: int) -> None:
    kitchen = load_kitchen(layout, dynamics)
    plan = plan_together(kitchen, kitchen.opening, 55, Effort(ahead=55, width=6))
    assert len(plan.acts) == 55
    assert play(kitchen, kitchen.opening, plan.acts)[1] >= least


def test_a_plan_depends_on_its_arguments_alone() -> None:
    kitchen = load_kitchen("coordination_ring", "papers")
    other = load_kitchen("coordination_ring", "papers")
    first, second = (plan_together(each, each.opening, 400, SMALL) for each in (kitchen, other))
    assert first == second
    assert len(first.acts) == SMALL.ahead
    assert {act for joint in first.acts for act in joint} <= set(ACTS)


def test_no_work_is_begun_that_cannot_end_in_time() -> None:
    kitchen = load_kitchen("cramped_room", "papers")
    soup = holding(kitchen.opening, 0, KitchenItem("soup", ("onion",) * 3))
    plan = plan_together(kitchen, soup, 5, SMALL)
    assert play(kitchen, soup, plan.acts) == (play(kitchen, soup, plan.acts)[0], 20)
    assert plan.aims[0] == Aim(kitchen.places["serving"][0])


def test_a_cook_that_is_expected_to_rest_rests_in_the_plan() -> None:
    kitchen = load_kitchen("cramped_room", "papers")
    rest = Aim(None, wait=6, firm=True)
    plan = plan_together(kitchen, kitchen.opening, 400, SMALL, (rest, None))
    assert {joint[0] for joint in plan.acts[:6]} == {"stay"}
    assert {joint[1] for joint in plan.acts[:6]} != {"stay"}


def test_a_plan_goes_on_with_what_a_cook_is_at() -> None:
    kitchen = load_kitchen("cramped_room", "papers")
    dishes = kitchen.places["dish_dispenser"][0]
    plan = plan_together(kitchen, kitchen.opening, 400, SMALL, (Aim(dishes), None))
    scene, _ = play(kitchen, kitchen.opening, plan.acts[:2])
    assert scene.cooks[0].held == KitchenItem("dish")


def test_ways_are_fewest_moves_and_lead_around_a_taken_cell() -> None:
    kitchen = load_kitchen("cramped_room", "papers")
    pot = kitchen.pots[0]
    ways = ways_to(kitchen, frozenset(), pot)
    body = kitchen.opening.cooks[0].body
    assert ways.moves[body] == 2
    assert ways.moves[kitchen.walks(frozenset())[body, ways.lead[body]]] == 1
    assert ways_to(kitchen, frozenset(), pot, (2, 1)).moves == {}
    left, right = kitchen.places["onion_dispenser"]
    assert moves_between(kitchen, left, right) == 2
    assert moves_between(kitchen, left, (0, 0)) == 1000


def test_a_closed_gate_bars_the_way() -> None:
    kitchen = load_kitchen("soup_passing_door", "papers")
    body = kitchen.opening.cooks[0].body
    window = kitchen.places["serving"][0]
    other_side = kitchen.pots[1]
    assert body in ways_to(kitchen, frozenset(), window).moves
    assert body not in ways_to(kitchen, frozenset(), other_side).moves
    assert body in ways_to(kitchen, frozenset(kitchen.gates), other_side).moves


def test_counters_between_two_sides_serve_for_passing() -> None:
    assert passing_counters(load_kitchen("cramped_room", "papers")) == frozenset()
    forced = passing_counters(load_kitchen("forced_coordination", "papers"))
    assert forced == {(2, 1), (2, 2), (2, 3)}
    assert len(passing_counters(load_kitchen("counter_circuit_o_1order", "papers"))) == 4


def test_an_order_is_chosen_that_has_the_most_points_for_its_work() -> None:
    kitchen = parse_layout(
        "{'grid': 'XPTX\\nO1 D\\nX 2S\\nXXXX', 'start_all_orders': ["
        "{'ingredients': ['onion']}, {'ingredients': ['onion', 'tomato']}],"
        "'recipe_values': [4, 20], 'recipe_times': [5, 5]}",
        "room",
    ).kitchen("current")
    assert find_missing(kitchen, ()) == (20, ("onion", "tomato"))
    assert find_missing(kitchen, ("onion", "tomato")) == (20, ())
    assert find_missing(kitchen, ("tomato", "tomato")) is None


def test_each_step_of_the_work_is_worth_more_than_the_one_before() -> None:
    kitchen = load_kitchen("cramped_room", "papers")
    pot, soup = kitchen.pots[0], ("onion",) * 3
    first = kitchen.opening
    scenes = [
        first,
        holding(first, 0, KitchenItem("onion")),
        first._replace(pots={pot: PotContent(("onion",))}),
        first._replace(pots={pot: PotContent(soup[:2])}),
        first._replace(pots={pot: PotContent(soup, 1)}),
        first._replace(pots={pot: PotContent(soup, 20)}),
        holding(first._replace(pots={pot: PotContent(soup, 20)}), 0, KitchenItem("dish")),
        holding(first, 0, KitchenItem("soup", soup)),
    ]
    worth = [estimate(kitchen, scene) for scene in scenes]
    assert worth == sorted(set(worth))
    assert worth[-1] < 20


@pytest.mark.parametrize(
    ("layout", "horizon", "least"),
    [
        ("cramped_room", 40, 20),
        pytest.param("cramped_room", 75, 40, marks=pytest.mark.conformance),
        pytest.param("soup_passing_door", 40, 20, marks=pytest.mark.conformance),
        pytest.param("soup_passing_door", 75, 40, marks=pytest.mark.conformance),
    ],
)
def test_a_team_of_planners_gets_points_in_a_short_episode(
    layout: str, horizon: int, least: int
) -> None:
    assert (score(layout, "joint-search", horizon) or 0) >= least


@pytest.mark.parametrize("joint", ["alice", "bob"])
def test_the_planner_suits_a_cook_that_does_not_plan(joint: str) -> None:
    seats = {"alice": "greedy", "bob": "greedy", joint: "joint-search"}
    assert (score("cramped_room", seats, 45) or 0) >= 20


@pytest.mark.parametrize(
    ("settings", "horizon"),
    [({"acts": "medium"}, 35), ({"acts": "low"}, 35), ({"hide_partner": True}, 45)],
)
def test_the_planner_keeps_the_rules_of_the_scenario(
    settings: dict[str, Any], horizon: int
) -> None:
    run = cookmas.play(
        "overcooked/asymmetric_advantages",
        "joint-search",
        settings={"horizon": horizon, **settings},
    )
    steps = [record for record in run.trace.records if record.kind == "step"]
    assert len(steps) == horizon
    assert not any(record.fails for record in steps)
    triggers = {record.trigger for record in run.trace.of(TriggerRecord)}
    assert "exhausted" not in triggers, "a cook is called at each of its moves"
    assert run.verdict
    assert (run.verdict.score or 0) >= 20


def test_a_cell_becomes_the_action_that_the_cook_does_there() -> None:
    world: Any = load_scenario("overcooked/soup_passing_door").world()
    kitchen: OvercookedKitchen = world.kitchen
    first = kitchen.opening
    counter = kitchen.places["counter"][0]
    onions, gate = kitchen.places["onion_dispenser"][0], kitchen.gates[0]
    window, pot = kitchen.places["serving"][0], kitchen.pots[0]

    def told(scene: Scene, cell: tuple[int, int]) -> str:
        return str(action_at(OvercookedSight(kitchen, scene, 0), cell))

    assert told(first, onions) == "pick_up(onion,o0)"
    assert told(first, gate) == "open(g0)"
    assert told(first, pot) == told(first, window) == told(first, counter) == "None"
    onion = holding(first, 0, KitchenItem("onion"))
    assert told(onion, pot) == "put(onion,c0)"
    dish = holding(first, 0, KitchenItem("dish"))
    cooking = dish._replace(pots={pot: PotContent(("onion",) * 3, 1)})
    assert (told(dish, pot), told(cooking, pot)) == ("None", "pick_up(soup,c0)")
    soup = holding(first, 0, KitchenItem("soup", ("onion",) * 3))
    assert told(soup, window) == "deliver(soup,d0)"
    cook = Cook(first.cooks[0].body)
    assert first.cooks[0] == cook


def test_cooks_are_planned_for_up_to_the_greatest_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planners, "MOST_COOKS", 2)
    assert score("cramped_room", "joint-search", 1) == 0
    monkeypatch.setattr(planners, "MOST_COOKS", 1)
    with pytest.raises(InputError, match="at most 1 cooks together, and the kitchen has 2"):
        score("cramped_room", "joint-search", 1)


async def test_a_cook_trusts_in_a_plan_as_long_as_its_partner_follows_it() -> None:
    world = cookmas.load_scenario("overcooked/cramped_room").world()
    state = world.start()
    planned = [["east", "west"], ["interact", "interact"]]
    memory = {"since": 0, "plan": planned}

    async def trusts(*acts: str) -> bool:
        seen = state._replace(timestep=1, acts=acts)
        observation = Observation(
            timestep=1, triggers=(), world=world, state=seen, texts={}, fails={},
            memory=memory, agent="alice", movers=tuple(world.workers),
        )  # fmt: skip
        turn = await JointCook().turn(observation)
        assert turn.memory in (memory, {"plan": None})
        return turn.memory == memory

    assert await trusts("east", "west")
    assert not await trusts("east", "stay")
