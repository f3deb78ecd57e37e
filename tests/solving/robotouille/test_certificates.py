"""The certificates of Robotouille: kitchens without names, the bound, and what is shipped."""

from __future__ import annotations

import os
from heapq import heappop, heappush
from pathlib import Path
from random import Random

import pytest

from benchmarks.robotouille.certify import GROUPS, certify
from cookmas.episodes.world import Command
from cookmas.files.reading import read_yaml
from cookmas.solving import robotouille as solving
from cookmas.solving.certificate_check import check_certificate
from cookmas.solving.certificates import Certificate, read_certificate
from cookmas.solving.robotouille.kitchen_estimate import KitchenEstimate
from cookmas.solving.robotouille.kitchen_search import (
    FoundPath,
    read_kitchen_dishes,
    search,
)
from cookmas.solving.robotouille.kitchen_states import NamelessKitchen, State
from cookmas.worlds.robotouille.domain import DOMAIN
from tests.worlds.robotouille.opened import world_of

CERTIFICATES = Path(solving.__file__).with_name("certificates")

SMALL = ["synchronous/0", "synchronous/1", "synchronous/3", "synchronous/4", "asynchronous/0"]
WHOLE = bool(os.environ.get("COOKMAS_CONFORMANCE"))
LARGER = ["synchronous/2-378", "asynchronous/1", "asynchronous/5", "synchronous/0-42"]
NAMES = [name for group in GROUPS for name in DOMAIN.names(group)]
PROVEN = [name for name in NAMES if name[:2] != "tw" and name.split("/")[1][0] in "01"] + [
    name for name in NAMES if name.startswith(("synchronous/2", "synchronous/3", "synchronous/4"))
]


def certificate_of(name: str) -> Certificate | None:
    """Return the shipped certificate of a scenario."""
    return read_certificate(CERTIFICATES, name, DOMAIN.scenario(name, {}).digest)


def kitchen_of(name: str) -> NamelessKitchen:
    """Return the kitchen of a scenario without names."""
    world = world_of(name)
    dishes = read_kitchen_dishes(world)
    assert dishes is not None
    return NamelessKitchen(world, dishes, world.start())


def find_distances(kitchen: NamelessKitchen) -> dict[State, int]:
    """Return the exact timesteps to the goal from each state that can be reached."""
    states, edges = [kitchen.start], dict[State, list[tuple[State, int]]]()
    seen = {kitchen.start}
    for state in states:
        for cost, after in kitchen.follow(state):
            edges.setdefault(after, []).append((state, cost))
            if after not in seen:
                seen.add(after)
                states.append(after)
    exact = dict[State, int]()
    heap = [(0, state) for state in states if kitchen.is_reached(state)]
    while heap:
        length, state = heappop(heap)
        if state not in exact:
            exact[state] = length
            for before, cost in edges.get(state, ()):
                if before not in exact:
                    heappush(heap, (length + cost, before))
    return exact


@pytest.mark.parametrize("name", [*SMALL, *(LARGER if WHOLE else ())])
def test_the_estimate_is_a_bound_in_every_state(name: str) -> None:
    kitchen = kitchen_of(name)
    estimate = KitchenEstimate(kitchen)
    exact = find_distances(kitchen)
    assert [(state, n) for state, n in exact.items() if estimate.of(state) > n] == []
    certificate = certificate_of(name)
    assert certificate is not None
    assert certificate.value == certificate.bound == exact[kitchen.start]


def test_the_estimate_alone_proves_the_bound_of_a_soup_and_two_sandwiches() -> None:
    """A step that it left out would make it smaller than the bound that is shipped."""
    kitchen, certificate = kitchen_of("asynchronous/9"), certificate_of("asynchronous/9")
    assert certificate is not None
    assert KitchenEstimate(kitchen).of(kitchen.start) == certificate.bound


@pytest.mark.parametrize(
    ("name", "mixed"),
    [("synchronous/7", False), ("asynchronous/8", False), ("asynchronous/4", True)],
)
def test_a_goal_is_mixed_that_wants_a_kind_in_several_states(name: str, *, mixed: bool) -> None:
    """Two sandwiches alike want each kind in one state; a burger with onion rings does not."""
    dishes = read_kitchen_dishes(world_of(name))
    assert dishes
    assert {dish.mixed for dish in dishes} == {mixed}


@pytest.mark.parametrize(
    "name", ["synchronous/1", "asynchronous/4", "asynchronous/5", "asynchronous/9"]
)
def test_a_kitchen_without_names_does_what_the_engine_does(name: str) -> None:
    kitchen = kitchen_of(name)
    world = kitchen.world
    for seed in range(3):
        draw, state = Random(seed), world.start()
        for _ in range(40):
            before = kitchen.read(state)
            origin = kitchen.find_robot(before, 0)
            legal = world.legal(state, "robot1")
            works = [each for each in legal if not each.startswith("move")]
            action = draw.choice(works if draw.random() < 0.7 else legal)
            after, _, _ = world.step(state, [Command("robot1", action)])
            follows = {each for cost, each in kitchen.follow(before) if cost == 1}
            others = (*before[:origin], *before[origin + 1 :])
            moved = [kitchen.move(before[origin], each) for each in others]
            follows |= {
                kitchen.tick((*others[:n], *others[n + 1 :], *pair)) for n, pair in enumerate(moved)
            }
            follows |= {kitchen.tick(before)}
            assert kitchen.read(after) in follows, action
            state = after


def test_a_weight_finds_a_schedule_but_proves_nothing() -> None:
    kitchen = kitchen_of("synchronous/2")
    found = search(kitchen, KitchenEstimate(kitchen), 2, 1000, 99)
    assert found.path is not None
    assert (found.bound, found.timesteps) == (23, 24)
    assert search(kitchen, KitchenEstimate(kitchen), 1, 3, 99) == FoundPath(24, None, 10_000)


def test_every_layout_has_a_certificate() -> None:
    found = {name: certificate_of(name) for name in NAMES}
    assert [name for name, each in found.items() if each is None] == []
    small = [each for name in PROVEN if (each := found[name])]
    assert [each.certificate for each in small if not each.proven] == []
    gaps = [(each.value - each.bound) / each.bound for each in found.values() if each]
    assert sum(gaps) / len(gaps) < 0.05
    assert max(gaps) < 1.2


@pytest.mark.parametrize("name", NAMES if WHOLE else NAMES[::20])
def test_a_shipped_certificate_is_right(name: str) -> None:
    path = CERTIFICATES / f"{name}.yaml"
    assert check_certificate(DOMAIN, read_yaml(path), str(path)).startswith(
        f"certificate of {name}: "
    )


@pytest.mark.parametrize("name", ["synchronous/0-42", "asynchronous/5"])
def test_the_same_certificate_is_found_again(name: str) -> None:
    assert certify(name) == certificate_of(name)


def test_a_certificate_needs_a_schedule() -> None:
    with pytest.raises(ValueError, match="bench/0: at least 0 timesteps, but there is no"):
        certify("bench/0")
