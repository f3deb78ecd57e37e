"""After an event the schedule under way is planned again, at the same times where it can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from cookmas.kitchen.actions import parse_action
from cookmas.worlds.restaurant.scheduling import repairing, searches
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.repairing import Repairing, handling_of
from cookmas.worlds.restaurant.scheduling.reuse import find_remaining
from cookmas.worlds.restaurant.scheduling.schedule import make_schedule
from cookmas.worlds.restaurant.scheduling.serial import SerialGeneration
from cookmas.worlds.restaurant.scheduling.states import Solution
from cookmas.worlds.restaurant.scheduling.tracking import Tracked, track


def begun(floor: Any, seed: int, lines: int = 5, timesteps: int = 7, workers: int = 4) -> Any:
    """A small kitchen some timesteps after its first schedule was made."""
    shift = floor.shift("small", workers=workers, effort=200)
    shift.order(Random(seed).choices(list(floor.items), k=lines))
    shift.play(timesteps)
    shift.queue = []
    return shift


def products_of(shift: Any, underway: Sequence[Mapping[str, str]]) -> Tracked:
    rows = [[parse_action(row[name]) for name in shift.kitchen.workers] for row in underway]
    return track(shift.kitchen, shift.seen(), rows)


def repair(shift: Any) -> Repairing:
    tracked = products_of(shift, shift.underway)
    handling = handling_of(tracked, shift.open(), shift.kitchen)
    work = find_remaining(shift.kitchen, shift.seen(), shift.open(), handling=handling)
    return Repairing(Problem(shift.kitchen, shift.seen(), work), tracked, Random(1))


def tasks_of(repairing: Repairing, line: str = "") -> list[Any]:
    """Return the tasks of a line, or of all lines."""
    tasks = repairing.problem.tasks
    return [
        entry.task
        for entry in repairing.problem.entries
        if entry.task.kind != "clear" and line in ("", tasks.line(entry.task))
    ]


def served_by(repairing: Repairing, found: Solution) -> set[str]:
    """Return the lines that a schedule serves."""
    return {
        repairing.problem.tasks.line(placed.mode.task)
        for placed in found.placed
        if placed.mode.task and placed.mode.served is not None
    }


@pytest.mark.parametrize("seed", range(12))
def test_a_schedule_is_found_again(floor: Any, seed: int) -> None:
    shift = begun(floor, seed)
    repaired = repair(shift)
    assert repaired.planned.keys() >= set(tasks_of(repaired))
    found = repaired.best()
    assert found
    assert found.length <= len(shift.underway) + 2


@pytest.mark.parametrize("seed", [1, 4, 8])
def test_a_new_line_is_added_to_the_schedule(floor: Any, seed: int) -> None:
    shift = begun(floor, seed)
    old = len(shift.underway)
    shift.order(["Buttered Toast"])
    repaired = repair(shift)
    assert repaired.planned.keys().isdisjoint(tasks_of(repaired, "o2.1"))
    found = repaired.best()
    assert found
    assert found.length <= old + 12
    assert served_by(repaired, found) == set(shift.open())


@pytest.mark.parametrize("most", [0, 1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_steps_that_wait_for_each_other_leave_out_no_line(
    floor: Any, monkeypatch: pytest.MonkeyPatch, seed: int, most: int
) -> None:
    monkeypatch.setattr(repairing, "WAITING_STEPS", most)
    shift = begun(floor, seed)
    repaired = repair(shift)
    if found := repaired.best():
        assert served_by(repaired, found) == set(shift.open())


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_a_cancelled_line_is_left_out(floor: Any, seed: int) -> None:
    shift = begun(floor, seed)
    shift.happen({"kind": "remove_line", "line": "o1.2"})
    found = repair(shift).best()
    assert found
    assert found.length <= len(shift.underway) + 2


def test_equal_lines_keep_their_order(floor: Any) -> None:
    shift = floor.shift("small", workers=4, effort=200)
    shift.order(["Buttered Toast"] * 3)
    shift.plan()
    swap = {"serve(o1.1)": "serve(o1.3)", "serve(o1.3)": "serve(o1.1)"}
    shift.underway = [{w: swap.get(act, act) for w, act in row.items()} for row in shift.underway]
    repaired = repair(shift)
    ends = [
        max(repaired.planned[task].last for task in tasks_of(repaired, f"o1.{n}"))
        for n in (1, 2, 3)
    ]
    assert ends == sorted(ends)
    found = repaired.best()
    assert found
    assert found.length <= len(shift.underway)


def test_work_in_progress_is_handled_as_before(floor: Any) -> None:
    shift = floor.shift("small", workers=2)
    shift.order(["Buttered Toast", "Buttered Toast"])
    shift.state = floor.with_things(
        shift.state, "aisle: egg", "aisle: butter", board_1=["onion"], plating_1=["plate"]
    )
    acts = (
        ["navigate(counter_1)", "place", "navigate(board_1)", "pick", "navigate(bin)", "discard"],
        ["navigate(plating_1)", "place", "assemble", "pick", "navigate(pass)", "serve(o1.2)"],
    )
    underway = [
        dict(zip(shift.kitchen.workers, row, strict=True)) for row in zip(*acts, strict=True)
    ]
    handling = handling_of(products_of(shift, underway), shift.open(), shift.kitchen)
    assert handling.put_by == {"worker_1"}
    assert handling.given_up == {"board_1"}
    assert handling.withheld == {("o1.1", "worker_2"), ("o1.1", "plating_1")}


def test_stages_keep_their_stations(floor: Any) -> None:
    shift = begun(floor, 3)
    repaired = repair(shift)
    found = repaired.best()
    assert found
    at = {
        room.spot.stage: station
        for placed in found.placed
        for room, station in zip(placed.mode.rooms, placed.stations, strict=True)
        if room.puts
    }
    kept = [at[stage] == repaired._stations[stage] for stage in at if stage in repaired._stations]
    assert len(kept) > 5
    assert all(kept)


def test_a_station_out_of_service_is_replaced(floor: Any) -> None:
    shift = begun(floor, 3)
    state = shift.state
    shift.state = floor.with_things(state, out=["plating_3"])._replace(
        contents={n: c for n, c in state.contents.items() if n != "plating_3"},
        workers=state.workers,
    )
    found = repair(shift).best()
    assert found
    assert "plating_3" not in {name for placed in found.placed for name in placed.stations}


def test_a_line_that_finds_no_place_is_planned_after_the_others(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = begun(floor, 2, timesteps=1)
    plan, refused = SerialGeneration.plan_at, []

    def plan_at(self: SerialGeneration, state: Any, entry: Any, *times: Any) -> Any:
        if self.problem.tasks.line(entry.task) == "o1.4":
            refused.append(entry)
            return None
        return plan(self, state, entry, *times)

    monkeypatch.setattr(SerialGeneration, "plan_at", plan_at)
    assert repair(shift).best()
    assert refused
    monkeypatch.setattr(repairing, "TRIES_OF_AN_ORDER", 1)
    assert repair(shift).best() is None


def test_what_cannot_be_planned_again_is_no_schedule(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = begun(floor, 2, timesteps=1)
    monkeypatch.setattr(SerialGeneration, "plan_at", lambda *_: None)
    monkeypatch.setattr(SerialGeneration, "plan", lambda *_: None)
    assert repair(shift).best() is None


def test_a_repaired_schedule_competes(floor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shift = begun(floor, 9, lines=7, workers=6)
    shift.order(["Buttered Toast"])
    monkeypatch.setattr(searches, "WHOLE_COST", 1)

    def planned(underway: Sequence[Mapping[str, str]]) -> Any:
        kitchen, state, wanted = shift.kitchen, shift.seen(), shift.open()
        return make_schedule(kitchen, state, wanted, underway=underway, effort=20)

    repaired, searched = planned(shift.underway), planned([])
    assert repaired.configuration == repairing.NAME
    assert len(repaired.schedule) < len(searched.schedule)
    shift.queue = list(repaired.schedule)
    shift.play()
    shift.sound()


def test_forced_work_that_finds_no_place_ends_the_repair(floor: Any) -> None:
    """The line of a dish in a worker's hands has no other task that could be left for later."""
    shift = floor.shift("small", workers=3, effort=1)
    shift.order(["Buttered Toast"] * 3)
    toast = "dish[bread > grill 3; butter]"
    state = {
        "timestep": 22,
        "workers": {
            "worker_1": ["grill_1", None],
            "worker_2": ["plating_3", None],
            "worker_3": ["plating_1", toast],
        },
        "contents": {
            "grill_1": [[1, "bread", 21]],
            "plating_2": [[1, "butter", None], [2, "plate", None]],
            "plating_3": [[1, "bread > grill 3", None]],
        },
        "out": {name: [22, 1_000_000_000] for name in ("plating_3", "worker_2")},
        "stock": {},
        "lines": {f"o1.{n}": ["Buttered Toast", "", None, "open", None] for n in (1, 2, 3)},
    }
    shift.state = shift.world.load(state)
    rows = [
        ("navigate(aisle)", "pick(plate)", "navigate(pass)"),
        ("navigate(grill_1)", "navigate(plating_3)", "serve(o1.2)"),
        ("pick(slot 1)", "place", "navigate(fridge)"),
        ("navigate(plating_2)", "navigate(aisle)", "pick(butter)"),
        ("place", "wait", "navigate(plating_3)"),
        ("assemble", "wait", "place"),
        ("pick", "wait", "assemble"),
        ("navigate(pass)", "wait", "pick"),
        ("serve(o1.1)", "wait", "navigate(pass)"),
        ("wait", "wait", "serve(o1.3)"),
    ]
    underway = [dict(zip(shift.kitchen.workers, row, strict=True)) for row in rows]
    found = make_schedule(shift.kitchen, shift.state, shift.open(), underway=underway, effort=1)
    assert found.schedule
