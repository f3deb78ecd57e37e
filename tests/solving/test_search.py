"""The search in layers, against all ways of a drawn graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.solving.search import Layers, Step, search_layers

STATES = range(7)
ACTS = "abc"
ENOUGH = 100

Graph = Mapping[int, Sequence[int]]
GRAPHS = st.fixed_dictionaries({n: st.lists(st.sampled_from(STATES), max_size=3) for n in STATES})
GOALS = st.sets(st.sampled_from(STATES), max_size=2)
FIRST = st.lists(st.tuples(st.sampled_from(ACTS), st.sampled_from(STATES)), max_size=5)
First = Sequence[tuple[str, int]]


def search(
    graph: Graph,
    goals: set[int],
    first: First,
    most: int = ENOUGH,
    within: int = ENOUGH,
    far: Mapping[int, int] | None = None,
    left_out: Sequence[int] = (),
) -> Layers[int, int, str] | None:
    def enter(state: int) -> Step[int, int]:
        return state, state, state in goals

    return search_layers(
        [(act, enter(state)) for act, state in first],
        lambda state: map(enter, graph[state]),
        most,
        bound=lambda state: (far or {}).get(state, 0),
        within=within,
        left_out=left_out,
    )


def list_ways(graph: Graph, first: First, steps: int) -> list[tuple[str, tuple[int, ...]]]:
    """Return every way of some timesteps with its first action, from all sequences of states."""
    return [
        (act, way)
        for act, begin in dict.fromkeys(first)
        for way in product([begin], *[STATES] * (steps - 1))
        if all(after in graph[before] for before, after in pairwise(way))
    ]


def find_shortest(
    graph: Graph, goals: set[int], first: First
) -> tuple[int, list[tuple[str, tuple[int, ...]]]]:
    """Return the timesteps of the shortest ways to a goal, and these; 0 and none without one.

    A shortest way enters no state twice. Of a goal's distance more than 4 nothing is told.
    """
    for steps in range(1, 5):
        ways = [each for each in list_ways(graph, first, steps) if each[1][-1] in goals]
        if ways:
            return steps, ways
    return 0, []


@given(GRAPHS, GOALS, FIRST)
def test_the_first_actions_are_those_of_all_shortest_ways(
    graph: Graph, goals: set[int], first: First
) -> None:
    steps, ways = find_shortest(graph, goals, first)
    found = search(graph, goals, first)
    assert found is not None
    if not steps:
        assert not found.reached or len(found.layers) > 4
        return
    assert len(found.layers) == steps
    assert {act: set(ends) for act, ends in found.first.items()} == {
        act: {way[-1] for other, way in ways if other == act} for act, _ in ways
    }
    for act, ends in found.first.items():
        for end in ends:
            assert (act, tuple(found.find_way(end, act))) in ways


@given(GRAPHS, GOALS, FIRST, st.integers(0, 4))
def test_a_bound_that_is_true_changes_no_answer_and_keeps_no_more(
    graph: Graph, goals: set[int], first: First, within: int
) -> None:
    far = {n: find_shortest(graph, goals, [("a", m) for m in graph[n]])[0] for n in STATES}
    true = {n: 0 if n in goals else far[n] or 5 for n in STATES}
    plain, bounded = search(graph, goals, first), search(graph, goals, first, ENOUGH, within, true)
    assert plain is not None
    assert bounded is not None
    near = bool(plain.reached) and len(plain.layers) <= within
    assert dict(bounded.first) == (dict(plain.first) if near else {})
    assert bounded.kept <= plain.kept


@given(GRAPHS, GOALS, FIRST)
def test_it_gives_up_if_layers_without_a_goal_keep_more_states_than_it_may(
    graph: Graph, goals: set[int], first: First
) -> None:
    found = search(graph, goals, first)
    assert found is not None
    before = sum(map(len, found.layers[:-1] if found.reached else found.layers))
    assert search(graph, goals, first, before) == found
    assert before == 0 or search(graph, goals, first, before - 1) is None
    assert found.kept == len({key for layer in found.layers for key in layer})


@pytest.mark.parametrize(("most", "ends"), [(2, [3]), (1, None)])
def test_a_state_that_is_left_out_is_never_entered_and_is_counted(
    most: int, ends: Sequence[int] | None
) -> None:
    """State 0 leads to the goal at once, and state 1 by way of 2."""
    graph = {0: [3], 1: [0, 3], 3: []}
    first = [("a", 0), ("b", 1)]
    short = search(graph, {3}, first)
    assert short is not None
    assert set(short.first) == {"a", "b"}
    found = search(graph, {3}, first, most, left_out=[0])
    assert (found and found.first) == (ends and {"b": ends})
