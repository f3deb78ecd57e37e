"""The planners that dispatch the dishes of a goal by a rule."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import cookmas
from cookmas.episodes.trace import End
from cookmas.solving.dispatching import RULES
from cookmas.solving.robotouille.kitchen_search import read_kitchen_dishes, serve_in_turn
from cookmas.solving.robotouille.planners import find_dispatched
from cookmas.solving.robotouille.search import reaches
from cookmas.worlds.robotouille.domain import DOMAIN
from tests.sampling import sampled
from tests.worlds.robotouille.opened import world_of

FRIES = "asynchronous/3"


@cache
def timesteps(choice: int) -> int:
    """Return the timesteps of a schedule of burger and fries that begins with a dish's number."""
    world = world_of(FRIES)
    dishes = read_kitchen_dishes(world)
    assert dishes is not None

    def choose(left: Any, state: Any) -> int:
        number: int = left[choice] if len(left) == len(dishes) else left[0]
        return number

    found = serve_in_turn(world, dishes, world.start(), choose)
    assert found is not None
    return len(found[0])


def ending(name: str, planner: str) -> End:
    end = cookmas.play(f"robotouille/{name}", planner).trace.end
    assert end is not None
    return end


def test_every_rule_has_a_planner() -> None:
    assert set(RULES) <= set(DOMAIN.planners)


@pytest.mark.parametrize(
    ("rule", "choice"),
    [("first-come", 0), ("shortest-first", 1), ("most-work", 0), ("most-urgent", 0)],
)
def test_a_burger_takes_longer_than_fries(rule: str, choice: int) -> None:
    world = world_of(FRIES)
    found = find_dispatched(world, world.start(), rule)
    assert found is not None
    assert reaches(world, world.start(), found)
    assert len(found) == timesteps(choice)
    assert timesteps(0) != timesteps(1)


@pytest.mark.parametrize("rule", sampled(list(RULES), 4))
def test_at_the_bench_there_is_one_job_for_which_all_rules_do_the_same(rule: str) -> None:
    assert ending("bench/0", rule).timestep == ending("bench/0", "embedded").timestep


def test_a_rule_says_which_goals_it_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "cookmas.solving.robotouille.planners.read_kitchen_dishes"
    monkeypatch.setattr(module, lambda world: None)
    end = ending(FRIES, "most-work")
    assert end.termination == "gave_up"
    assert "stacks or soups" in end.why


def test_a_dish_that_is_not_found_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "cookmas.solving.robotouille.planners.serve_in_turn"
    monkeypatch.setattr(module, lambda *anything: None)
    assert ending(FRIES, "most-work").termination == "gave_up"
