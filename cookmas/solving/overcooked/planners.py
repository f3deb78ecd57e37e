"""Cooks without a model: the greedy one, partners with other rules, and cooks that plan together.

They are deterministic; what a cook draws depends on its seed, its name and the timestep alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.files.errors import InputError
from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.planner import Observation
from cookmas.solving.overcooked.needs import CookNeeds
from cookmas.solving.overcooked.search import Aim, Effort, JointPlan, plan_together
from cookmas.solving.policies import ErringPolicy, NamedPolicy, make_team
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.hands import HIDDEN
from cookmas.worlds.overcooked.rules.actions import MediumAction, medium_actions
from cookmas.worlds.overcooked.rules.kitchen import ACTS, POT, SERVING, STAY, OvercookedKitchen
from cookmas.worlds.overcooked.rules.places import OvercookedSight, places_of
from cookmas.worlds.overcooked.rules.state import OvercookedState
from cookmas.worlds.overcooked.world import OvercookedWorld


def choose_greedily(needs: CookNeeds) -> MediumAction | None:
    """Return the most urgent action of a cook; None if there is nothing to do but to wait.

    The cook takes the other cooks of lower numbers, whose move it is too, for greedy ones.
    """
    doing = list(needs.state.doing)
    for number in range(needs.number):
        if doing[number] is None and needs.scene.cooks[number] != HIDDEN:
            doing[number] = choose_greedily(replace(needs, number=number))
    needs = replace(needs, state=needs.state._replace(doing=tuple(doing)))
    return _choose_work(needs) or needs.make_way()


def _choose_work(needs: CookNeeds) -> MediumAction | None:
    """Return the most urgent action: soups first, then dishes, then ingredients."""
    if needs.held == "soup":
        return needs.deliver()
    if needs.held == "dish":
        rests = not needs.reaches(POT) or (not needs.soups and needs.wants_ingredient() is not None)
        return needs.plate() or (needs.lay_down() if rests else None)
    if needs.held:
        rests = needs.wants_dish() or not needs.reaches(POT)
        return needs.fill() or (needs.lay_down() if rests else None)
    soup = needs.fetch("soup") if needs.reaches(SERVING) else None
    if urgent := needs.open_for_others() or soup or needs.start():
        return urgent
    passes = not needs.reaches(POT) and needs.is_full and needs.count_there("dish") == 0
    dish = needs.fetch("dish") if needs.wants_dish() or passes else None
    item = needs.wants_ingredient() if needs.reaches(POT) or not needs.is_full else None
    return dish or (needs.fetch(item) if item else None) or needs.leave()


def choose_for(world: OvercookedWorld, state: OvercookedState, cook: str) -> MediumAction | None:
    """Return what a greedy cook begins now; None: it waits."""
    return choose_greedily(CookNeeds.of(world, state, cook))


Seen = Observation[OvercookedState]


def needs_in(observation: Seen) -> CookNeeds:
    """Return the needs of the kitchen as the cook of an observation sees them."""
    world = observation.world
    assert isinstance(world, OvercookedWorld)
    return CookNeeds.of(world, observation.state, observation.agent or world.workers[0])


def _do(choose: Callable[[CookNeeds], MediumAction | None]) -> Callable[[Seen], str]:
    """Return the function by which a cook does what is chosen, or stays if that is nothing."""
    return lambda observation: str(choose(needs_in(observation)) or STAY)


def bring_onions(needs: CookNeeds) -> MediumAction | None:
    """Return the next action with an onion."""
    if needs.held:
        return needs.fill() or (None if needs.reaches(POT) else needs.lay_down())
    return needs.fetch("onion") if needs.lacking("onion") else None


def bring_dishes(needs: CookNeeds) -> MediumAction | None:
    """Return the next action with a dish or a soup."""
    if needs.held == "soup":
        return needs.deliver() or needs.lay_down()
    if needs.held:
        return needs.plate() or (None if needs.reaches(POT) else needs.lay_down())
    return needs.start() or needs.fetch("dish")


act_greedily = _do(choose_greedily)

GREEDY = partial(NamedPolicy, "greedy", act_greedily)
"""The cook that always does the most urgent thing, action by action."""

ONION_ONLY = partial(NamedPolicy, "onion-only", _do(bring_onions))
"""The cook that only brings onions to the pots."""

PLATE_ONLY = partial(NamedPolicy, "plate-only", _do(bring_dishes))
"""The cook that only brings dishes, and delivers soups."""

LAZY = partial(ErringPolicy, "lazy", 0.75, GREEDY(), lambda observation, draw: STAY)
"""The greedy cook that rests at most of its moves."""

CLUMSY = partial(ErringPolicy, "clumsy", 0.2, GREEDY())
"""The greedy cook that does some legal action at every fifth move, on average."""

HALF_RANDOM = partial(
    ErringPolicy, "half-random", 0.5, GREEDY(), lambda observation, draw: draw.choice(ACTS)
)
"""The greedy cook that does a random low-level act at half of its moves."""


KEPT = 20
"""Greatest number of timesteps after which the cooks plan again."""

MOST_COOKS = 4
"""Greatest number of cooks that are searched for together."""

QUICK = Effort(ahead=40, width=4)
"""How much a cook searches for itself that does not trust the others."""

REST = 6
"""Timesteps for which another cook is expected to rest that rested in the last one."""


class JointCook:
    """A cook that does its part of the best joint plan that a search finds.

    At first it trusts the others to follow the same plan, and commands low-level acts. Once
    one of them does something else, it trusts nobody: it commands medium-level actions, which
    the others see, and plans for each of them with what the others are at. A cook that does not see
    the others acts as the greedy one.
    """

    planner_class: PlannerClass = "embedded"
    stepwise = True

    async def turn(self, observation: Seen) -> Turn:
        """Return the next action of the cook. Its memory has the plan that it trusts in.

        Raise InputError if the kitchen has more than MOST_COOKS.
        """
        world, state = observation.world, observation.state
        assert isinstance(world, OvercookedWorld)
        if world.kitchen.cooks > MOST_COOKS:
            raise InputError(
                "planner joint-search",
                f"plans for at most {MOST_COOKS} cooks together, and the kitchen has "
                f"{world.kitchen.cooks}; take the planner greedy",
            )
        if HIDDEN in state.scene.cooks:
            return Turn(actions=[act_greedily(observation)])
        number = world.workers.index(observation.agent or world.workers[0])
        memory = observation.memory
        if world.options.acts == "medium" or _is_broken(memory, state):
            return Turn(actions=[_act_alone(world, state, number)], memory={"plan": None})
        rest = _rest_of(memory, state)
        if not rest:
            left = world.options.horizon - state.timestep
            rest = plan_together(world.kitchen, state.scene, left, Effort()).acts[:KEPT]
            memory = {"since": state.timestep, "plan": [list(joint) for joint in rest]}
        return Turn(actions=[rest[0][number]], memory=memory)


JOINT_SEARCH = partial(make_team, "joint-search", JointCook, rounds=0)
"""The team of cooks that find the same joint plan."""


def _is_broken(memory: Mapping[str, Any], state: OvercookedState) -> bool:
    """Return whether another cook did not follow the plan, now or before."""
    if not memory:
        return False
    plan = memory["plan"]
    if plan is None:
        return True
    done = state.timestep - memory["since"]
    return not 0 < done <= len(plan) or list(state.acts) != plan[done - 1]


def _rest_of(memory: Mapping[str, Any], state: OvercookedState) -> Sequence[Sequence[str]]:
    """Return the rest of the plan, which all cooks have followed so far."""
    return memory["plan"][state.timestep - memory["since"] :] if memory else ()


def _act_alone(world: OvercookedWorld, state: OvercookedState, number: int) -> str:
    """Return the action of a cook that expects the others to do what they are at."""
    aims = [
        None if other == number else _aim_of(world.kitchen, state, other)
        for other in range(world.kitchen.cooks)
    ]
    left = world.options.horizon - state.timestep
    plan: JointPlan = plan_together(world.kitchen, state.scene, left, QUICK, tuple(aims))
    aim = plan.aims[number]
    legal = world.legal(state, world.workers[number])
    if aim is not None and aim.cell is not None:
        action = str(action_at(world.sight(state, number), aim.cell))
        if action in legal:
            return action
    act = plan.acts[0][number]
    return act if act in legal else STAY


def _aim_of(kitchen: OvercookedKitchen, state: OvercookedState, number: int) -> Aim | None:
    """Return what a cook is expected to be at: its action, or rest if it rested before."""
    doing = state.doing[number]
    cell = places_of(kitchen).get(doing.place) if doing else None
    if cell is not None:
        return Aim(cell)
    return Aim(None, wait=REST, firm=True) if state.acts[number] == STAY else None


def action_at(sight: OvercookedSight, cell: Cell) -> MediumAction | None:
    """Return the medium-level action that a cook can do at a cell; None without one."""
    places = places_of(sight.kitchen)
    return next((each for each in medium_actions(sight) if places[each.place] == cell), None)
