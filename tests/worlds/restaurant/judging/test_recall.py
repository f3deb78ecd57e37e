"""What was read of a dish, against what it should be: by hand, and by rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas import judge
from cookmas.kitchen.components import Component, StepSpec, combine, parse_component
from cookmas.worlds.restaurant.judging.reading import KINDS, facts
from tests.worlds.restaurant.judging.house import HOUSE

FRIES = ["potato > peel 1 > slice 2 > deep-fry 7", "ketchup"]


def recalled(understood: list[str] | None) -> dict[str, float]:
    said = None if understood is None else {"o1.1": understood}
    order = HOUSE.order("French Fries")
    verdict = judge(HOUSE.play(HOUSE.serve(FRIES), {0: [order]}, understood=said), HOUSE.truth)
    found = {
        check.name: check.value
        for check in verdict.checks
        if check.name.endswith(("_recalled", "_invented"))
    }
    assert {name: verdict.summary[name] for name in found} == found
    return found  # type: ignore[return-value]


def test_what_was_read_right_is_recalled_and_nothing_invented() -> None:
    found = recalled(["ketchup", "potato > peel 1 > slice 2 > deep-fry 6-8"])
    shares = {"recalled": 1.0, "invented": 0.0}
    assert found == {f"{kind}_{name}": x for kind in KINDS for name, x in shares.items()}


def test_the_example_of_the_docs() -> None:
    """The truth: five steps, three dependencies, three minutes; read without peeling."""
    found = recalled(["ketchup", "potato > slice 2 > deep-fry 8-10"])
    assert found == {
        "steps_recalled": 0.8,
        "steps_invented": 0.0,
        "dependencies_recalled": 0.3333,
        "dependencies_invented": 0.5,
        "minutes_recalled": 0.3333,
        "minutes_invented": 0.5,
    }


def test_a_planner_that_does_not_say_has_no_recall() -> None:
    assert recalled(None) == {}


def test_joined_foods_depend_on_all_their_parts() -> None:
    found = facts([parse_component("(lemon + oil > mix 1) > mix 2", {})])
    assert dict(found.steps) == {
        "join lemon+oil": 1,
        "fetch lemon": 1,
        "fetch oil": 1,
        "mix oil": 1,
        "mix lemon+oil": 1,
    }
    assert dict(found.dependencies) == {
        "fetch lemon -> join lemon+oil": 1,
        "fetch oil -> mix oil": 1,
        "mix oil -> join lemon+oil": 1,
        "join lemon+oil -> mix lemon+oil": 1,
    }
    assert dict(found.minutes) == {"mix oil 1": 1, "mix lemon+oil 2": 1}


STEPS = st.lists(st.builds(StepSpec, st.sampled_from(["chop", "mix"]), st.just(1), st.just(2)))
LEAVES = st.builds(
    Component, st.sampled_from(["egg", "oil", "rice"]), st.just(()), STEPS.map(tuple)
)
FOODS = st.recursive(
    LEAVES,
    lambda parts: st.lists(parts, min_size=2, max_size=3).map(combine),
    max_leaves=5,
)


@given(st.lists(FOODS, max_size=3))
def test_each_component_is_a_tree_of_steps(components: list[Component]) -> None:
    found = facts(components)
    nodes = [node for component in components for node in component.walk()]
    assert found.minutes.total() == sum(len(node.steps) for node in nodes)
    assert found.steps.total() == len(nodes) + found.minutes.total()
    assert found.dependencies.total() == found.steps.total() - len(components)


@pytest.mark.parametrize("level", ["light", "golden"])
def test_a_level_of_doneness_counts_as_its_minutes(level: str) -> None:
    named = parse_component(f"bread > grill {level}", HOUSE.truth.doneness)
    step = named.steps[0]
    minutes = parse_component(f"bread > grill {step.low}-{step.high}", HOUSE.truth.doneness)
    assert facts([named]) == facts([minutes])
