"""Grids: their text, walking and turning, shortest paths, and drawing."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.worlds.grids.grid import DIRECTIONS, Direction, Grid
from cookmas.worlds.grids.showing import draw_text, tell_place
from cookmas.worlds.grids.walking import Body, move, move_together, nearest, shortest_path
from cookmas.worlds.grids.words import tell_distances

ROOM = Grid.of_rows(["XAXXX", "X1 2B", "X X X", "C   X", "XXXXX"])
NORTH, SOUTH, EAST, WEST = DIRECTIONS.values()


def test_a_grid_knows_its_floor_its_starts_and_its_solid_cells() -> None:
    assert ROOM.starts == ((1, 1), (3, 1))
    assert (2, 2) not in ROOM.floor
    assert ROOM.solid[(1, 0)] == "A"
    assert ROOM.region((1, 1)) == ROOM.floor
    assert {ROOM.solid[cell] for cell in ROOM.cells_touched((1, 1))} == {"A", "B", "C", "X"}


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (["XXX", "X1X"], "expected 3 to"),
        (["XXX", "X1X", "XX"], "same length"),
        (["XXX", "X1 ", "XXX"], "closed border"),
        (["XXX", "X X", "XXX"], "starts"),
        (["XXXX", "X12X", "X2XX", "XXXX"], "starts"),
        (["XXX", "X2X", "XXX"], "starts"),
    ],
)
def test_a_text_that_is_no_grid_is_refused(rows: list[str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Grid.of_rows(rows)


def test_a_move_into_a_solid_cell_only_turns() -> None:
    assert move(ROOM, Body((1, 1), NORTH), "E") == Body((2, 1), EAST)
    assert move(ROOM, Body((1, 1), NORTH), "W") == Body((1, 1), WEST)


def test_bodies_that_meet_or_change_places_all_stay_and_turn() -> None:
    beside = [Body((1, 1), NORTH), Body((2, 1), NORTH)]
    assert move_together(ROOM, beside, ["E", "W"]) == [Body((1, 1), EAST), Body((2, 1), WEST)]
    apart = [Body((1, 1), NORTH), Body((3, 1), NORTH)]
    assert move_together(ROOM, apart, ["E", "W"]) == [Body((1, 1), EAST), Body((3, 1), WEST)]
    assert move_together(ROOM, beside, ["E", "E"]) == [Body((2, 1), EAST), Body((3, 1), EAST)]
    assert move_together(ROOM, beside, ["stay", "W"]) == [Body((1, 1), NORTH), Body((2, 1), WEST)]


def cost_by_trying(body: Body, target: tuple[int, int], most: int) -> int | None:
    """Return the fewest moves, by trying all sequences."""
    bodies = {body}
    for cost in range(most):
        if any(each.faces == target for each in bodies):
            return cost
        bodies = {move(ROOM, each, letter) for each in bodies for letter in DIRECTIONS}
    return None


@given(
    st.sampled_from(sorted(ROOM.floor)),
    st.sampled_from([*DIRECTIONS.values()]),
    st.sampled_from(sorted(ROOM.solid)),
)
def test_no_way_is_shorter_than_the_shortest_path(
    at: tuple[int, int], facing: tuple[int, int], target: tuple[int, int]
) -> None:
    body = Body(at, facing)
    path = shortest_path(ROOM, body, target)
    assert cost_by_trying(body, target, 12) == (None if path is None else len(path))
    for letter in path or ():
        body = move(ROOM, body, letter)
    assert path is None or body.faces == target


def test_a_path_goes_around_what_is_taken() -> None:
    body = Body((1, 1), NORTH)
    assert shortest_path(ROOM, body, (4, 1)) == ("E", "E")
    around = shortest_path(ROOM, body, (4, 1), frozenset({(2, 1)}))
    assert around == ("S", "S", "E", "E", "N", "N", "E")
    assert shortest_path(ROOM, body, (4, 1), frozenset({(2, 1), (2, 3)})) is None


def test_of_equally_near_targets_the_first_is_taken() -> None:
    body = Body((2, 1), NORTH)
    assert nearest(ROOM, body, ()) is None
    for first, second in product([(2, 0), (2, 2)], repeat=2):
        found = nearest(ROOM, Body((2, 1), WEST), (first, second))
        assert found is not None
        assert found[0] == first
    assert nearest(ROOM, body, ((4, 1), (2, 0))) == ((2, 0), ())


def test_a_grid_is_drawn_with_its_bodies_and_marks() -> None:
    rows = draw_text(ROOM, [Body((1, 1), EAST), Body((3, 3), SOUTH)], {(4, 1): "*"})
    assert rows == [
        "X  A  X  X  X",
        "X  1> .  .  B *",
        "X  .  X  .  X",
        "C  .  .  2v X",
        "X  X  X  X  X",
    ]


def test_words_tell_how_far_a_place_is_and_who_blocks_the_way() -> None:
    hall = Grid.of_rows(["XXXXXX", "A1  2B", "X  XXX", "XXXCXX"])
    places = {"pot": (5, 1), "dispenser": (0, 1), "desk": (3, 2), "cellar": (3, 3)}
    body = Body((1, 1), WEST)
    assert tell_distances(hall, body, places, {"bob": (4, 1)}) == [
        "pot is blocked by bob.",
        "dispenser is in front.",
        "desk is 2 moves away.",
        "cellar cannot be reached.",
    ]
    free = {"pot": (5, 1), "desk": (3, 2)}
    assert tell_distances(hall, body, free, {"bob": (2, 2)}) == [
        "pot is 3 moves away.",
        "desk is 3 moves away.",
    ]
    two = {"ann": (2, 2), "gate": (4, 1)}
    assert tell_distances(hall, body, {"pot": (5, 1)}, two) == ["pot is blocked by gate."]
    both = {"ann": (3, 1), "gate": (4, 1)}
    assert tell_distances(hall, body, {"pot": (5, 1)}, both) == ["pot is blocked by ann and gate."]


@pytest.mark.parametrize(
    ("facing", "arrow"), [(NORTH, "^"), (SOUTH, "v"), (EAST, ">"), (WEST, "<")]
)
def test_an_arrow_shows_where_a_body_looks(facing: Direction, arrow: str) -> None:
    body = Body((2, 1), facing)
    assert tell_place(body) == f"2,1 {arrow}"
    assert draw_text(ROOM, [body], {})[1] == f"X  .  1{arrow} .  B"
