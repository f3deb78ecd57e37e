"""The search of the embedded planner for the dishes to cook next.

A plan is a list of dishes in the order in which they are wanted, and a style of giving jobs to
agents. The search simulates a plan in the engine, without orders, to the end of the episode. The
value of the plan is the number of orders that its dishes would serve: open orders, and guesses of
future ones. The first plans prefer dishes that serve many orders for little labour. Then the search
tries plans that differ a little from the best one so far.

A planner may know that all dishes of a level are equally likely to be ordered, but not the orders
themselves. So the search makes several guesses of the future orders, with the planner's own seed.
For the order of each timestep all dishes are about equally frequent among the guesses, and every
call makes the same guesses. So the values of two plans differ by their dishes and not by luck.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cookmas.solving.cuisineworld.dispatch import Style, count_dishes, dispatch, still_wanted
from cookmas.solving.cuisineworld.labour import labour, labour_left
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask, play
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, CuisineKitchen, CuisineState

GUESSES = 32
"""Number of guesses."""
_LATER = 0.001
"""Value that a served order loses with each timestep, so the earlier of two equal plans wins."""

Window = tuple[int, int]
"""The first and the last timestep at which an order can be served."""


class OrderForecast(NamedTuple):
    """The open orders, with several guesses of the future ones."""

    guesses: tuple[Mapping[str, Sequence[Window]], ...]
    """Each guess maps a dish to the windows of its orders, in the order of arrival."""

    def of_dish(self, dish: str, timesteps: Sequence[int]) -> float:
        """Return the mean number of orders for a dish that are served, over all guesses.

        The dish comes to the table at each of `timesteps`, which are sorted. A served order counts
        1, less `_LATER` for each timestep from 0 until it is served.
        """
        served = sum(_count_served(timesteps, guess[dish]) for guess in self.guesses)
        return served / len(self.guesses)

    def mean_served(self, put: Sequence[tuple[int, str]]) -> float:
        """Return the mean number of orders that are served, over all guesses.

        `put` has the dishes that come to the table, each with its timestep.
        """
        by_dish: dict[str, list[int]] = {}
        for timestep, dish in put:
            by_dish.setdefault(dish, []).append(timestep)
        return sum(self.of_dish(dish, timesteps) for dish, timesteps in by_dish.items())


def _count_served(timesteps: Sequence[int], windows: Sequence[Window]) -> float:
    served, at = 0.0, 0
    for timestep in timesteps:
        while at < len(windows) and windows[at][1] < timestep:
            at += 1
        if at == len(windows):
            break
        served += 1 - _LATER * max(timestep, windows[at][0])
        at += 1
    return served


def demand_of(kitchen: CuisineKitchen, state: CuisineState, seed: int) -> OrderForecast:
    """Return guesses of the orders until the end of the episode, from what a planner may know."""
    now = state.timestep
    known: dict[str, list[Window]] = {dish: [] for dish in kitchen.dishes}
    for lifetime, dish in state.orders:
        known[dish].append((now, min(now + lifetime, STEPS) - 1))
    interval = kitchen.interval
    times = range((now // interval + 1) * interval, STEPS, interval)
    guesses = [
        {dish: list(windows) for dish, windows in known.items()}
        for _ in range(GUESSES if times else 1)
    ]
    for time in times:
        dishes = _shuffle(kitchen.dishes, random.Random(seed * (STEPS + 1) + time))
        for guess, dish in zip(guesses, dishes, strict=False):
            guess[dish].append((time, min(time + kitchen.lifetimes[dish], STEPS) - 1))
    return OrderForecast(tuple(guesses))


def _shuffle(dishes: Sequence[str], draw: random.Random) -> list[str]:
    """Return a random dish for each guess, so that all dishes are about equally frequent."""
    deck = [*dishes] * -(-GUESSES // len(dishes))
    draw.shuffle(deck)
    return deck


PLANS = 12
"""Greatest number of plans that one call simulates."""
CHOSEN_DISHES = 15
"""Greatest number of dishes that `_by_worth` chooses."""
_SHARE = 0.45
"""The least duration of a dish, as a share of its labour, if any number of agents help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedPlan:
    """A plan that was simulated."""

    dishes: tuple[str, ...]
    """The dishes to cook, in the order in which they are wanted."""
    style: Style
    """How the plan gives jobs to agents."""
    schedule: tuple[tuple[str, ...], ...]
    """The commands of each timestep from now to the end of the episode."""
    value: float
    """The number of orders that the plan is expected to serve."""


def plan(
    kitchen: CuisineKitchen,
    state: CuisineState,
    *,
    seed: int = 0,
    last: tuple[tuple[str, ...], Style] | None = None,
) -> SimulatedPlan:
    """Return the best plan that the search finds from a state.

    `last` has the dishes and the style of an earlier plan. The same state, seed and `last` give the
    same plan.
    """
    demand = demand_of(kitchen, state, seed)
    draw = random.Random(seed)
    best: SimulatedPlan | None = None
    tried = set()
    style = last[1] if last else Style()
    for dishes in _first_plans(kitchen, state, demand, last[0] if last else None):
        if (dishes, style) not in tried:
            tried.add((dishes, style))
            best = _better(best, _simulate(kitchen, state, dishes, style, demand))
    assert best is not None
    for _ in range(PLANS - len(tried)):
        dishes, style = _neighbour(kitchen, state, demand, best, draw)
        if (dishes, style) not in tried:
            tried.add((dishes, style))
            best = _better(best, _simulate(kitchen, state, dishes, style, demand))
    return best


class SearchPolicy:
    """The embedded planner as a policy, which is called at every timestep.

    It searches for a plan at its first call in an episode, and later only when an order has come or
    expired.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._plan: SimulatedPlan | None = None
        self._from: CuisineState | None = None

    def __call__(self, kitchen: CuisineKitchen, state: CuisineState) -> list[str]:
        """Return the commands of a timestep; agents without a command idle."""
        if self._from is None or state.timestep < self._from.timestep or state.timestep == 0:
            self._plan = plan(kitchen, state, seed=self._seed)
            self._from = state
        elif (state.arrived, state.failed) != (self._from.arrived, self._from.failed):
            assert self._plan is not None
            last = still_wanted(
                self._plan.dishes, count_dishes(kitchen, self._from), count_dishes(kitchen, state)
            )
            self._plan = plan(kitchen, state, seed=self._seed, last=(last, self._plan.style))
            self._from = state
        assert self._plan is not None
        return list(self._plan.schedule[state.timestep - self._from.timestep])


def _better(best: SimulatedPlan | None, other: SimulatedPlan) -> SimulatedPlan:
    return other if best is None or other.value > best.value + 1e-9 else best


def _simulate(
    kitchen: CuisineKitchen,
    state: CuisineState,
    dishes: tuple[str, ...],
    style: Style,
    demand: OrderForecast,
) -> SimulatedPlan:
    """Simulate a plan to the end of the episode; return the plan with its value for `demand`."""
    task = CuisineTask(kitchen=kitchen, stream=())
    wanted = list(dishes)
    now = state._replace(orders=())
    put = [(state.timestep, dish) for dish in state.inside.get(kitchen.table, ())]
    schedule = []
    for timestep in range(state.timestep, STEPS):
        before = len(now.inside.get(kitchen.table, ()))
        commands = dispatch(kitchen, now, wanted, style)
        now, _ = play(task, now, commands)
        schedule.append(tuple(commands))
        for dish in now.inside.get(kitchen.table, ())[before:]:
            put.append((timestep, dish))
            if dish in wanted:
                wanted.remove(dish)
    return SimulatedPlan(
        dishes=dishes, style=style, schedule=tuple(schedule), value=demand.mean_served(put)
    )


def _first_plans(
    kitchen: CuisineKitchen,
    state: CuisineState,
    demand: OrderForecast,
    last: tuple[str, ...] | None,
) -> Iterator[tuple[str, ...]]:
    """Yield the dishes of the first plans.

    These are the last plan if there is one, two plans with the dishes of the greatest worth
    (`_by_worth`), and the dishes of the open orders by lifetime.
    """
    rest = kitchen.servable * 2
    if last:
        yield last
    for sharpness in (1.0, 0.3):
        yield (*_by_worth(kitchen, state, demand, sharpness), *rest)
    table = list(state.inside.get(kitchen.table, ()))
    ordered = []
    for order in state.orders:
        if order.dish in table:
            table.remove(order.dish)
        elif order.dish in kitchen.servable:
            ordered.append(order.dish)
    yield (*ordered, *rest, *rest)


def _by_worth(
    kitchen: CuisineKitchen,
    state: CuisineState,
    demand: OrderForecast,
    sharpness: float,
    draw: random.Random | None = None,
) -> list[str]:
    """Choose dishes one after the other, each time the dish with the greatest worth.

    The worth of a dish is the expected number of additional orders / labour ** `sharpness`. If
    `draw` is given, it changes the worth at random. The timestep at which a dish is ready is an
    estimate: the labour so far is divided by the number of agents, but a dish takes at least a
    fixed share of its labour.
    """
    now, agents = state.timestep, kitchen.agents
    put: dict[str, list[int]] = {dish: [] for dish in kitchen.servable}
    for dish in state.inside.get(kitchen.table, ()):
        put[dish].append(now)
    served = {dish: demand.of_dish(dish, put[dish]) for dish in put}
    cost = {dish: labour_left(kitchen, state, dish) for dish in put}
    spent = 0.0
    chosen: list[str] = []
    while len(chosen) < CHOSEN_DISHES:
        best, best_worth, best_done = None, 0.0, 0
        for dish in put:
            share = cost[dish] * _SHARE if agents > 1 else 0
            done = int(now + max((spent + cost[dish]) / agents, share))
            if done >= STEPS:
                continue
            more = demand.of_dish(dish, sorted((*put[dish], done))) - served[dish]
            if draw is not None:
                more *= 1 + draw.random() / 2
            worth = more / max(cost[dish], 1) ** sharpness
            if worth > best_worth:
                best, best_worth, best_done = dish, worth, done
        if best is None:
            break
        chosen.append(best)
        put[best] = sorted((*put[best], best_done))
        served[best] = demand.of_dish(best, put[best])
        spent += cost[best]
        cost[best] = labour(kitchen, best)
    return chosen


def _neighbour(
    kitchen: CuisineKitchen,
    state: CuisineState,
    demand: OrderForecast,
    best: SimulatedPlan,
    draw: random.Random,
) -> tuple[tuple[str, ...], Style]:
    """Return a random plan that differs a little from the best one, mostly in its first dishes."""
    dishes: list[str] = list(best.dishes)
    how = draw.random()
    if how < 0.25:
        return best.dishes, Style(draw.choice((1, 2, 3, 4)), draw.random() < 0.7)
    if how < 0.4:
        sharpness = draw.choice((0.3, 1.0, 1.0, 2.0))
        dishes = [
            *_by_worth(kitchen, state, demand, sharpness, draw),
            *kitchen.servable,
            *kitchen.servable,
        ]
    elif how < 0.6:
        one, other = draw.randrange(_front(dishes, 8)), draw.randrange(_front(dishes, 8))
        dishes[one], dishes[other] = dishes[other], dishes[one]
    elif how < 0.8:
        dishes.insert(draw.randrange(_front(dishes, 3)), draw.choice(kitchen.servable))
    elif len(dishes) > 1:
        dishes.pop(draw.randrange(_front(dishes, 6)))
    return tuple(dishes), best.style


def _front(dishes: Sequence[str], most: int) -> int:
    return min(len(dishes), most)
