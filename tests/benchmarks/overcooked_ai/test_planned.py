"""The joint planner beside an upper bound of the points that any team can get."""

from __future__ import annotations

import pytest

from benchmarks.overcooked_ai.bounds import bound_points, find_line, most_of_pot
from benchmarks.overcooked_ai.planned import PUBLISHED, rows
from benchmarks.overcooked_ai.useful import play_usefully
from cookmas.files.errors import InputError
from cookmas.worlds.overcooked.rules.bound import digest_of, most_points
from cookmas.worlds.overcooked.rules.kitchen import Dynamics
from cookmas.worlds.overcooked.rules.layout import OvercookedLayout, load_kitchen, parse_layout
from tests.sampling import sampled, seeds

ROOM = {
    "grid": "XPXX\nO1 D\nX 2S\nXXXX",
    "start_all_orders": [{"ingredients": ["onion"] * 3}],
    "cook_time": 1,
}


def room(**fields: object) -> OvercookedLayout:
    return parse_layout(repr({**ROOM, **fields}), "room")


@pytest.mark.parametrize("layout", sampled([*PUBLISHED], 3))
def test_the_bound_is_between_the_published_score_and_twice_what_the_pots_cook(layout: str) -> None:
    kitchen = load_kitchen(layout, "papers")
    bound = bound_points(kitchen, 400)
    assert PUBLISHED[layout] <= bound <= 2 * 20 * 18
    assert bound <= 20 * sum(most_of_pot(kitchen, pot, 400, 20) for pot in kitchen.pots)
    assert bound_points(kitchen, 200) < bound


@pytest.mark.parametrize("layout", sampled([*PUBLISHED], 3))
def test_the_best_score_of_the_world_is_the_bound_in_episodes_of_any_length(layout: str) -> None:
    kitchen = load_kitchen(layout, "papers")
    assert most_points(kitchen, 400) == bound_points(kitchen, 400)
    for timesteps in (1, 23, 60, 1000):
        bound = bound_points(kitchen, timesteps)
        assert bound <= most_points(kitchen, timesteps) <= bound + 20
    assert find_line(layout, kitchen).kitchen == digest_of(kitchen)


@pytest.mark.parametrize("grid", ["XPXX\nO1 D\nX 2S\nXXXX", "XPXX\nO1 D\nX  S\nXXXX"])
def test_no_play_gets_more_than_the_bound(grid: str) -> None:
    kitchen = room(grid=grid).kitchen("papers")
    for timesteps in (20, 60, 150):
        for seed in seeds(0, 2, 5):
            points = sum(points for _, _, points in play_usefully(kitchen, seed, timesteps))
            assert points <= bound_points(kitchen, timesteps) <= most_points(kitchen, timesteps)


def test_the_bound_of_one_cook_is_reached_in_a_small_room() -> None:
    kitchen = room(grid="XPXX\nO1DX\nXSXX").kitchen("papers")
    fetch = ["west", "interact", "north", "interact"]
    serve = ["east", "interact", "north", "interact", "south", "interact"]
    assert bound_points(kitchen, len(fetch) * 3 + len(serve)) == 20
    assert bound_points(kitchen, len(fetch) * 3 + len(serve) - 1) == 0


def test_a_pot_that_only_one_cook_reaches_at_a_time_takes_three_timesteps_to_fill() -> None:
    kitchen = load_kitchen("cramped_room", "papers")
    assert most_of_pot(kitchen, kitchen.pots[0], 2 + 20 + 1, 20) == 1
    assert most_of_pot(kitchen, kitchen.pots[0], 2 + 20 + 22 + 1, 20) == 1
    assert most_of_pot(kitchen, kitchen.pots[0], 2 + 20 + 23 + 1, 20) == 2
    assert most_of_pot(kitchen, kitchen.pots[0], 2 + 20, 20) == 0


@pytest.mark.parametrize(
    ("layout", "dynamics"),
    [
        ("tutorial_1", "papers"),
        ("cramped_room", "current"),
        ("cramped_room_tomato", "papers"),
        ("old_dynamics_put_test", "papers"),
    ],
)
def test_kitchens_that_the_bound_does_not_know_are_refused(layout: str, dynamics: Dynamics) -> None:
    with pytest.raises(InputError, match=r"one order, three onions|is never cooked"):
        bound_points(load_kitchen(layout, dynamics), 400)


def test_the_table_has_a_row_for_each_layout() -> None:
    (row,) = rows(["cramped_room"], timesteps=60)
    layout, published, greedy, score, bound, ratio, _ = row.strip("| ").split(" | ")
    assert (layout, published) == ("cramped_room", "220")
    assert int(greedy) <= int(score) <= int(bound)
    assert float(ratio) == round(int(bound) / int(score), 2)
