"""How much can be done at the end: what the plating places and the workers allow."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cookmas.solving.restaurant.bound import (
    Dishes,
    bound_by_ending,
    most_at_the_end,
    work_on_a_dish,
)

WORKERS = st.integers(1, 8)
PLACES = st.integers(1, 6)
DISHES = st.builds(Dishes, st.integers(0, 3), st.integers(1, 12), st.integers(2, 6))


def test_the_last_timesteps_of_a_dish_are_one_workers_until_foods_are_put() -> None:
    assert [work_on_a_dish(last) for last in range(9)] == [0, 1, 2, 3, 4, 5, 6, 8, 10]


def test_three_plating_places_occupy_three_workers_at_the_end() -> None:
    most = most_at_the_end(Dishes(0, 9), workers=6, places=3)
    assert [most[last] for last in range(9)] == [0, 3, 6, 9, 12, 15, 18, 24, 30]


def test_no_more_dishes_end_than_there_are() -> None:
    most = most_at_the_end(Dishes(0, 1), workers=6, places=3)
    assert [most[last] for last in range(5)] == [0, 1, 2, 3, 4]
    assert most_at_the_end(Dishes(1, 1), workers=6, places=3)[4] == 8


def test_work_that_begins_late_ends_late() -> None:
    dishes = Dishes(0, 9)
    at_once = bound_by_ending({0: 60}, dishes, workers=6, places=3)
    assert at_once == 60 / 6 + 18 / 6
    assert bound_by_ending({0: 60, 5: 60}, dishes, workers=6, places=3) == 5 + at_once


@given(DISHES, WORKERS, PLACES)
def test_more_workers_places_and_dishes_never_do_less(
    dishes: Dishes, workers: int, places: int
) -> None:
    most = most_at_the_end(dishes, workers, places)
    assert all(most[last] <= workers * last for last in most)
    for more in (
        most_at_the_end(dishes, workers + 1, places),
        most_at_the_end(dishes, workers, places + 1),
        most_at_the_end(dishes._replace(others=dishes.others + 1), workers, places),
        most_at_the_end(dishes._replace(made=dishes.made + 1), workers, places),
    ):
        assert all(most[last] <= more[last] for last in most)


@given(st.integers(1, 400), DISHES, WORKERS, PLACES)
def test_the_bound_is_the_shortest_that_the_last_timesteps_leave_room_in(
    work: int, dishes: Dishes, workers: int, places: int
) -> None:
    most = most_at_the_end(dishes, workers, places)

    def refuted(timesteps: int) -> bool:
        return any(workers * max(0, timesteps - last) + fits < work for last, fits in most.items())

    bound = bound_by_ending({0: work}, dishes, workers, places)
    assert refuted(bound - 1)
    assert not any(refuted(timesteps) for timesteps in range(bound, bound + 3))
