"""Properties that hold in every run, whatever the workers do and whatever happens to them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cookmas.episodes.world import Command, Outcome
from cookmas.kitchen.actions import (
    Action,
    Discard,
    Navigate,
    Pick,
    Place,
    Serve,
    Start,
    Wait,
    Work,
    parse_action,
)
from cookmas.kitchen.foods import Dish, Food, Plate, Thing
from cookmas.kitchen.layout import WORK, Kitchen
from cookmas.kitchen.legal import legal_actions
from cookmas.kitchen.simulator import name_of, step
from cookmas.kitchen.state import FOREVER, KitchenState
from cookmas.kitchen.world import Restaurant
from tests.sampling import examples

if TYPE_CHECKING:
    from tests.kitchen.conftest import Chaos

many_runs = settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

seeds = st.integers(min_value=0, max_value=2**32)
TIMESTEPS = 40


@dataclass(frozen=True)
class Moment:
    """One timestep of a run: the state at its start and its end, and what was done in it."""

    restaurant: Restaurant
    before: KitchenState
    actions: dict[str, str]
    outcomes: dict[str, Outcome]
    after: KitchenState

    @property
    def kitchen(self) -> Kitchen:
        return self.restaurant.kitchen

    def done(self) -> Iterator[tuple[int, Action]]:
        """The actions that were carried out, with the place of the worker in the order."""
        for index, worker in enumerate(self.kitchen.workers):
            if self.outcomes[worker].done:
                yield index, parse_action(self.actions[worker])


def run(seed: int, chaos: Chaos, timesteps: int = TIMESTEPS) -> Iterator[Moment]:
    rng = Random(seed)
    restaurant = Restaurant(chaos.kitchen(rng))
    state = restaurant.start()
    for _ in range(timesteps):
        for event in chaos.events(rng, restaurant.kitchen, state):
            state, _ = restaurant.apply(state, event)
        actions = chaos.joint(rng, restaurant.kitchen, state)
        after, outcomes, _ = restaurant.step(state, joint(actions))
        yield Moment(restaurant, state, actions, outcomes, after)
        state = after


def joint(actions: Mapping[str, str]) -> list[Command]:
    return [Command(*act) for act in actions.items()]


def made_of(thing: Thing | None) -> Counter[str]:
    """The ingredients and plates in a thing."""
    match thing:
        case Food():
            return Counter(thing.ingredients())
        case Plate():
            return Counter(["plate"])
        case Dish():
            leaves = [leaf for food in thing.components for leaf in food.ingredients()]
            return Counter(["plate", *leaves])
    return Counter()


def in_the_kitchen(state: KitchenState) -> Counter[str]:
    held = [made_of(worker.holding) for worker in state.workers]
    lying = [made_of(c.thing) for contents in state.contents.values() for c in contents]
    return sum([*held, *lying], Counter())


def stations_are_never_fuller_than_they_are_built(moment: Moment) -> None:
    present = Counter(worker.station for worker in moment.after.workers)
    for station in moment.kitchen.stations.values():
        # Whoever falls ill goes to the aisle, however crowded it is.
        if station.room is not None and station.name != moment.kitchen.aisle:
            assert present[station.name] <= station.room
    for name, contents in moment.after.contents.items():
        station = moment.kitchen.stations[name]
        slots = [content.slot for content in contents]
        assert slots, "a station that holds nothing is not listed"
        assert slots == sorted(set(slots))
        assert set(slots) <= set(range(1, station.slots + 1))
        if station.kind.name not in ("counter", "plating"):
            assert all(isinstance(content.thing, Food) for content in contents)
        if station.kind.role != "appliance":
            assert all(content.since is None for content in contents)
        if station.kind.name == "plating":
            things = [content.thing for content in contents]
            assert sum(isinstance(thing, Plate) for thing in things) <= 1
            assert len(things) == 1 or not any(isinstance(thing, Dish) for thing in things)


def a_hand_changes_only_by_the_action_of_its_worker(moment: Moment) -> None:
    done = dict(moment.done())
    for index, (before, after) in enumerate(
        zip(moment.before.workers, moment.after.workers, strict=True)
    ):
        match done.get(index):
            case Pick():
                assert before.holding is None
                assert after.holding is not None
            case Place() | Serve() | Discard():
                assert before.holding is not None
                assert after.holding is None
            case Work() | Start():
                assert before.holding is None
                assert after.holding is None
            case _:
                assert after.holding == before.holding


def a_fail_changes_nothing(moment: Moment) -> None:
    """Whoever FAILs might as well have waited: for the kitchen and for everybody else.

    That holds for navigations, too. Who cannot arrive stands where it stood, and so takes up the
    room that a waiting worker takes up; a round in which it still seemed to leave is forgotten.
    """
    failed = [w for w, outcome in moment.outcomes.items() if not outcome.done]
    reasons = {worker: outcome.fail for worker, outcome in moment.outcomes.items()}
    for idle in [*([worker] for worker in failed), failed]:
        actions = {**moment.actions, **dict.fromkeys(idle, "wait")}
        after, outcomes, _ = moment.restaurant.step(moment.before, joint(actions))
        assert after == moment.after
        assert {worker: outcome.fail for worker, outcome in outcomes.items()} == {
            **reasons,
            **dict.fromkeys(idle),
        }


def every_fail_says_why_and_nothing_else_does(moment: Moment) -> None:
    for outcome in moment.outcomes.values():
        if outcome.done:
            assert outcome.why == ""
        else:
            assert outcome.why.endswith(".")
            assert "\n" not in outcome.why


def dump_and_load_are_inverse(moment: Moment) -> None:
    restaurant = moment.restaurant
    dump = restaurant.dump(moment.after)
    assert restaurant.load(dump) == moment.after
    through_json = json.loads(json.dumps(dump))
    assert through_json == dump
    assert restaurant.load(through_json) == moment.after


def a_run_goes_on_the_same_from_a_loaded_state(moment: Moment) -> None:
    again = Restaurant.of_setup(json.loads(json.dumps(moment.restaurant.setup())))
    loaded = again.load(moment.restaurant.dump(moment.before))
    stepped = again.step(loaded, joint(moment.actions))
    assert stepped == (moment.after, moment.outcomes, ())


def outages_end_when_they_should(moment: Moment) -> None:
    then = moment.after.timestep
    still_out = {n: o for n, o in moment.before.out.items() if o.until > then}
    assert moment.after.out == still_out
    observed = moment.restaurant.observe(moment.after)
    assert {name: outage.since for name, outage in observed.out.items()} == {
        name: outage.since for name, outage in still_out.items()
    }
    assert all(outage.until == FOREVER for outage in observed.out.values())


CHECKS = (
    stations_are_never_fuller_than_they_are_built,
    a_hand_changes_only_by_the_action_of_its_worker,
    a_fail_changes_nothing,
    every_fail_says_why_and_nothing_else_does,
    dump_and_load_are_inverse,
    a_run_goes_on_the_same_from_a_loaded_state,
    outages_end_when_they_should,
)


@many_runs
@given(seed=seeds)
def test_what_holds_in_every_timestep(seed: int, chaos: Chaos) -> None:
    for moment in run(seed, chaos):
        for check in CHECKS:
            check(moment)


@many_runs
@given(seed=seeds)
def test_nothing_is_created_or_lost_but_through_the_rules(seed: int, chaos: Chaos) -> None:
    dispensed: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    for moment in run(seed, chaos):
        for index, action in moment.done():
            worker = moment.before.workers[index]
            kind = moment.kitchen.stations[worker.station].kind
            if isinstance(action, Pick) and kind.role == "dispenser":
                dispensed[action.food or "plate"] += 1
            elif isinstance(action, Discard | Serve):
                gone += made_of(worker.holding)
        assert dispensed == in_the_kitchen(moment.after) + gone
        left = {name: n - dispensed[name] for name, n in moment.kitchen.stock.items()}
        assert moment.after.stock == left
        assert all(number >= 0 for number in left.values())


@many_runs
@given(seed=seeds)
def test_the_same_run_twice_is_the_same(seed: int, chaos: Chaos) -> None:
    first, second = ([(m.actions, m.outcomes, m.after) for m in run(seed, chaos)] for _ in range(2))
    assert first == second
    assert len({after.timestep for _, _, after in first}) == TIMESTEPS


@many_runs
@given(seed=seeds)
def test_step_and_apply_leave_their_arguments_alone(seed: int, chaos: Chaos) -> None:
    rng = Random(seed)
    restaurant = Restaurant(chaos.kitchen(rng))
    state = restaurant.start()
    for _ in range(TIMESTEPS):
        for event in chaos.events(rng, restaurant.kitchen, state):
            kept, same_event = deepcopy(state), deepcopy(event)
            after, ruling = restaurant.apply(state, event)
            assert state == kept
            assert event == same_event
            if ruling.refused is not None:
                assert after == state, "what is refused changes nothing"
            state = after
        commands = joint(chaos.joint(rng, restaurant.kitchen, state))
        kept, same_commands = deepcopy(state), list(commands)
        stock = dict(restaurant.kitchen.stock)
        after, _, _ = restaurant.step(state, commands)
        assert state == kept
        assert commands == same_commands
        assert restaurant.kitchen.stock == stock
        assert after.timestep == state.timestep + 1
        state = after


def plain_actions(kitchen: Kitchen, state: KitchenState, worker: str) -> list[Action]:
    """Every action in the one form in which `legal_actions` would name it."""
    station = kitchen.stations[state.workers[kitchen.workers.index(worker)].station]
    things = {c.slot: name_of(c.thing) for c in state.contents.get(station.name, ())}
    picks: list[Action] = []
    if station.kind.role == "dispenser":
        picks = [Pick(food) for food in (*kitchen.larder, "plate", "dish", "nothing")]
    elif station.kind.vessel:
        picks = [Pick(None, slot) for slot in range(1, station.slots + 2)]
    else:
        picks = [Pick(things.get(slot, "onion"), slot) for slot in range(1, station.slots + 2)]
    return [
        Wait(),
        Place(),
        Start(),
        Discard(),
        *map(Navigate, (*kitchen.stations, "nowhere")),
        *map(Work, WORK),
        *map(Serve, (*state.lines, "o9.9")),
        *picks,
    ]


def every_action(kitchen: Kitchen, state: KitchenState, worker: str) -> list[Action]:
    """`plain_actions`, and every other way to pick something."""
    names = {name_of(c.thing) for contents in state.contents.values() for c in contents}
    foods = (None, *kitchen.larder, "plate", "dish", "nothing", *sorted(names))
    picks = [Pick(food, slot) for food in foods for slot in (None, 1, 2, 3, 4, 5, 99)]
    return [*plain_actions(kitchen, state, worker), *picks]


def alone(
    kitchen: Kitchen, state: KitchenState, worker: str, action: Action
) -> tuple[KitchenState, bool]:
    """What comes of an action when nobody else moves."""
    joint: list[Action] = [action if name == worker else Wait() for name in kitchen.workers]
    after, outcomes = step(kitchen, state, joint)
    return after, outcomes[kitchen.workers.index(worker)].done


@settings(many_runs, max_examples=examples(30))
@given(seed=seeds)
def test_legal_actions_are_exactly_those_that_do_not_fail(seed: int, chaos: Chaos) -> None:
    for moment in list(run(seed, chaos))[::5]:
        kitchen, state = moment.kitchen, moment.before
        for worker in kitchen.workers:
            legal = legal_actions(kitchen, state, worker)
            assert len(legal) == len(set(legal))
            plain = plain_actions(kitchen, state, worker)
            assert set(legal) == {a for a in plain if alone(kitchen, state, worker, a)[1]}
            assert moment.restaurant.legal(state, worker) == [str(action) for action in legal]


@settings(many_runs, max_examples=20)
@given(seed=seeds)
def test_legal_actions_lead_wherever_any_action_leads(seed: int, chaos: Chaos) -> None:
    """There are other ways to say an action, but no others to get somewhere."""
    for moment in list(run(seed, chaos))[::7]:
        kitchen, state, restaurant = moment.kitchen, moment.before, moment.restaurant
        for worker in kitchen.workers:
            legal = legal_actions(kitchen, state, worker)
            reached = [restaurant.dump(alone(kitchen, state, worker, a)[0]) for a in legal]
            for action in every_action(kitchen, state, worker):
                after, done = alone(kitchen, state, worker, action)
                if done:
                    assert restaurant.dump(after) in reached, action
