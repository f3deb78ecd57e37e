"""A schedule that a person writes: the same look-ahead as for a model, told cell by cell."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.files.errors import InputError
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.sheet import MOST_ROWS, Row, Sheet
from cookmas.people.orchestrating.terminal import edit, read, write
from cookmas.worlds.corridor.world import CorridorLevel, CorridorWorld


def sheet(timestep: int = 3) -> Sheet:
    """Two walkers at the left wall of a corridor, and the red bell three steps away."""
    world = CorridorWorld(CorridorLevel())
    state, _ = world.apply(world.start(), {"kind": "bell", "name": "red"})
    state = {**state, "timestep": timestep}
    more: dict[str, Any] = {"triggers": (), "texts": {}, "fails": {}}
    return Sheet(Observation(timestep=timestep, world=world, state=state, **more))


def test_each_cell_that_would_fail_says_why() -> None:
    rows: list[Row] = [{"walker_1": "left", "walker_2": "right"}, {"walker_1": "right"}]
    [trouble] = sheet().troubles(rows)
    assert trouble == (3, "walker_1", "walker_1 stands at the wall.", False)


def test_what_cannot_be_read_is_told_and_nothing_behind_it_is_tried() -> None:
    rows: list[Row] = [{"walker_1": "left"}, {"walker_1": "hop"}, {"walker_2": "left"}]
    found = [(each.timestep, each.worker, each.unreadable) for each in sheet().troubles(rows)]
    assert found == [(3, "walker_1", False), (4, "walker_1", True)]
    with pytest.raises(InputError, match="5 cannot be simulated"):
        sheet().legal(rows, 5)


def test_what_is_legal_follows_the_schedule() -> None:
    assert "left" not in sheet().legal([], 3)["walker_1"]
    rows: list[Row] = [{"walker_1": "right"}]
    assert "left" in sheet().legal(rows, 4)["walker_1"]
    assert "left" not in sheet().legal(rows, 4)["walker_2"]
    for nowhere in (2, 10**12):
        with pytest.raises(InputError, match="cannot be simulated from here"):
            sheet().legal(rows, nowhere)


def test_a_line_says_what_a_worker_does_from_a_timestep_on() -> None:
    rows = edit(sheet(), [], "walker_1: right*3; ring(red)")
    rows = edit(sheet(), rows, "5 2: right; -; left")
    assert rows == [
        {"walker_1": "right"},
        {"walker_1": "right"},
        {"walker_1": "right", "walker_2": "right"},
        {"walker_1": "ring(red)"},
        {"walker_2": "left"},
    ]
    assert edit(sheet(), rows, "7 walker_2:-")[-1] == {"walker_1": "ring(red)"}
    assert edit(sheet(), [], "walker_1: right*0") == [{"walker_1": "right*0"}], "as it was typed"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("walker_3: left", "expected one of walker_1, walker_2"),
        ("2 walker_1: left", "expected one from 3 to"),
        (f"{3 + MOST_ROWS} walker_1: left", "expected one from 3 to"),
        (f"walker_1: left*{MOST_ROWS + 1}", "expected up to"),
        ("walker_1: " + "x" * 201, "expected up to"),
        ("cook", "expected 'WORKER: ACTION"),
    ],
)
def test_a_line_that_is_none_is_refused(line: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        edit(sheet(), [], line)


cells = st.dictionaries(
    st.sampled_from(["walker_1", "walker_2"]), st.sampled_from(["left", "ring(a b)"])
)


@given(st.lists(cells, max_size=5))
def test_what_is_written_is_read_again(rows: list[Row]) -> None:
    there = sheet()
    rows = there.rows(rows)
    assert read(there, f"# a remark\n{write(there, rows)}\n") == rows
