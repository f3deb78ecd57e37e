"""In the worlds that come with CookMAS, too, a seat cannot tell apart what it may not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from dataclasses import fields as fields_of
from typing import Any

import pytest

import cookmas
from cookmas.api import load_scenario
from cookmas.episodes.checking_worlds import find_leaks
from cookmas.episodes.level import Level
from cookmas.episodes.scenario import Scenario
from cookmas.episodes.trace import MessageRecord, Trace
from cookmas.orchestrator.dialogue.prompting import PRESETS, Prompting
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from cookmas.worlds.corridor.domain import DOMAIN as CORRIDOR
from cookmas.worlds.corridor.voice import VOICE as CORRIDOR_VOICE
from cookmas.worlds.cuisineworld.scenario import CuisineScenario
from cookmas.worlds.cuisineworld.voice import VOICE as CUISINEWORLD_VOICE
from tests.sampling import sampled
from tests.worlds.every import SCENARIOS
from tests.worlds.hands.states import visited
from tests.worlds.hands.talking import Recording
from tests.worlds.hands.test_knowing import FULL, Following, page_of, story_of

WAYS = [FULL, *PRESETS.values()]
NAMES = ["full", *PRESETS]


def halves(*steps: str) -> Scenario:
    """Return the corridor for 20 timesteps whose halves know different things, with bells at
    other places.
    """
    level = load_scenario("halves", "corridor").data()
    bells = [
        {**bell, "text": f"It hangs {at} steps from the left end."}
        for bell, at in zip(level["bells"], steps, strict=True)
    ]
    data = {**level, "bells": bells, "horizon": 20}
    return CORRIDOR.build("halves", CORRIDOR.folder / "elsewhere.yaml", data, {})


@dataclass(frozen=True, kw_only=True)
class WithOrders(CuisineScenario):
    """A level in which other orders come."""

    orders: Sequence[tuple[int, dict[str, Any]]]

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        return [*self.orders]


def asked_and_traced(
    scenario: Scenario, model: Recording, planner: Any, worker: str
) -> tuple[list[str], Trace]:
    """Play with a model in one seat and everybody else idle."""
    world = scenario.world()
    seats = {
        name: seat_of(planner if name == worker else Following({}, []), name, world.workers)
        for name in world.workers
    }
    run = cookmas.play(scenario, team_of_seats(seats), max_stalled=12)
    assert not list(run.trace.of(MessageRecord))
    return [request.digest() for request in model.asked], run.trace


@pytest.mark.parametrize("ways", sampled(WAYS, 7), ids=sampled(NAMES, 7))
def test_a_walker_is_not_told_where_a_bell_hangs_that_another_knows_of(ways: Prompting) -> None:
    ways = replace(ways, demonstration="none")
    asked, pages, stories = [], [], []
    for scenario in (halves("five", "two"), halves("three", "two"), halves("five", "three")):
        model = Recording(
            "walker_1", {0: "right", 1: "left", 2: "left", 3: "ring(red)"}, "stay", ways
        )
        planner = SchedulingPlanner(model, ways, voice=CORRIDOR_VOICE)
        requests, trace = asked_and_traced(scenario, model, planner, "walker_1")
        asked.append(requests)
        pages.append(page_of(trace, "corridor", "walker_1", 5))
        stories.append(story_of(trace, "corridor", "walker_1"))
    assert asked[0] == asked[1] != asked[2], "the second bell is the walker's own to know"
    assert pages[0] == pages[1] != pages[2]
    assert stories[0] == stories[1]
    assert len(asked[0]) >= 3


@pytest.mark.parametrize("ways", sampled(WAYS, 7), ids=sampled(NAMES, 7))
def test_an_agent_is_not_told_which_orders_are_to_come(ways: Prompting) -> None:
    ways = replace(ways, demonstration="none", retries=0)
    usual = load_scenario("cuisineworld/level_4", settings={"agents": 2, "tau": "3.0"})
    assert isinstance(usual, CuisineScenario)
    (first, order), (second, _), *_ = usual.events()
    fields = {each.name: getattr(usual, each.name) for each in fields_of(usual)}
    asked, pages = [], []
    for dish in usual.kitchen.dishes[:2]:
        coming = [(first, order), (second, {**order, "dish": dish})]
        scenario = WithOrders(**fields, orders=coming)
        model = Recording("agent0", {0: "goto_storage0", 1: "fly"}, "noop", ways)
        requests, trace = asked_and_traced(
            scenario, model, SchedulingPlanner(model, ways, voice=CUISINEWORLD_VOICE), "agent0"
        )
        asked.append([each for each, at in zip(requests, model.times, strict=True) if at < second])
        pages.append([page_of(trace, "cuisineworld", "agent0", at) for at in (second, second + 1)])
    assert asked[0] == asked[1]
    assert len(asked[0]) >= 2
    assert pages[0][0] == pages[1][0]
    assert pages[0][1] != pages[1][1]


@pytest.mark.parametrize(
    ("world", "name"),
    [
        ("corridor", "halves"),
        ("corridor", "two"),
        ("cuisineworld", "level_3"),
        ("collab-overcooked", "level_1/02"),
        ("overcooked", "no_counter_door"),
    ],
)
def test_states_that_look_alike_are_alike(world: str, name: str) -> None:
    scenario = load_scenario(name, world)
    for seed in range(2):
        assert list(find_leaks(scenario.world(), visited(scenario, seed)[:40])) == []


@pytest.mark.parametrize(
    "name",
    [
        *("level1/01", "corridor/halves", "cuisineworld/level_3", "collab-overcooked/level_1/02"),
        "overcooked/forced_coordination",
    ],
)
def test_what_is_observed_can_be_simulated(name: str) -> None:
    """A state that somebody observes can be stepped, and offers what is legal."""
    scenario = load_scenario(name)
    world = scenario.world()
    states = visited(scenario, 0)
    for state in states[:10]:
        for worker in (None, *world.workers):
            known = world.simulable(world.observe(state, worker), worker)
            assert known is not None
            world.step(known, [])
            for each in world.workers:
                assert list(world.legal(known, each)) == list(world.legal(state, each))


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_world_of_planners_has_nothing_that_is_to_come(name: str) -> None:
    scenario: Any = load_scenario(name)
    if "seed" in type(scenario.file).model_fields:
        scenario = scenario.redraw(4321)
    level = getattr(scenario.world(), "level", None)
    if isinstance(level, Level):
        assert (level.seed, level.events) == (0, [])
        assert set(level.texts.values()) <= {""}
        assert list(level.texts) == list(scenario.world().lookups(scenario.world().start()))


def test_a_planner_of_the_corridor_cannot_read_the_bells_to_come_in_its_world() -> None:
    scenario: Any = halves("3", "4")
    level = scenario.world().level
    assert not hasattr(level, "bells")
    assert "4 steps" not in str(vars(level))
