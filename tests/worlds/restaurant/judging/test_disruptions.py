"""What the restaurant says of a disruption: what is known, what is missed, and one clairvoyant."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from cookmas.episodes.trace import Trace
from cookmas.evals.disruptions import disruptions
from cookmas.evals.evidence import Evidence
from cookmas.evals.optimality import Optimum
from cookmas.evals.rescheduling import PlannedSchedule
from cookmas.evals.verdict import Check
from cookmas.kitchen.state import Content, Outage
from cookmas.scenarios.schedule import load_schedule
from cookmas.solving.restaurant import continuing
from cookmas.solving.restaurant.certifying import find_own_bound, find_standing
from cookmas.solving.restaurant.proof import makespan_of, play_schedule, schedule_paths
from cookmas.solving.restaurant.scheduling.schedule import make_schedule
from cookmas.worlds.restaurant.domain import DOMAIN
from cookmas.worlds.restaurant.judging import JUDGING
from cookmas.worlds.restaurant.judging.optimality import (
    CONTINUING,
    clairvoyant,
    find_missed,
    solve,
)
from tests.sampling import sampled
from tests.worlds.restaurant.judging.house import HOUSE, TOAST, House

ITEM = "Buttered Toast"
FAULT = {"kind": "fault", "timesteps": 2}
LEVEL_3 = DOMAIN.names("level3")


@pytest.fixture
def solving(monkeypatch: pytest.MonkeyPatch) -> House:
    """The restaurant whose truth looks for schedules, without the solver."""
    monkeypatch.setattr(continuing, "is_installed", lambda: False)
    house = House()
    house.truth = replace(HOUSE.truth, solve=continuing.find_continuation)
    return house


def evidence_of(trace: Trace, truth: Any = HOUSE.truth, world: Any = HOUSE.world) -> Any:
    found: list[Evidence] = []

    def keep(evidence: Evidence) -> list[Check]:
        found.append(evidence)
        return []

    JUDGING.examine(trace, truth, world, {"keep": keep})
    return found[0]


def price(trace: Trace, house: House) -> dict[tuple[str, str], Check]:
    verdict = house.judge(trace, {"disruptions": disruptions(CONTINUING)})
    return {(check.name, check.subject): check for check in verdict.checks}


def test_what_was_done_after_a_fault_that_ends_proves_no_bound(
    solving: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One worker alone takes longer than all three from when two of them come back. The search is
    one that waits for nobody, so the planner is better than it.
    """
    monkeypatch.setattr(continuing, "_search_again", lambda *given: [])
    world = solving.world
    state, _ = world.apply(world.start(), solving.order(ITEM, ITEM))
    wanted = dict.fromkeys(state.open_lines(), solving.truth.items[ITEM])
    rows = make_schedule(world.kitchen, state, wanted).schedule
    out = [{**FAULT, "worker": name} for name in world.workers[1:]]
    trace = solving.ordered([{}, {}, {}, *rows], ITEM, ITEM, at={1: out})
    checks = price(trace, solving)
    absent = state._replace(out={name: Outage(0, 2) for name in world.workers[1:]})
    alone = make_schedule(world.kitchen, absent, wanted).bound
    optimum, regret = (
        checks[name, "episode at 1"] for name in ("continuation_optimum", "replan_regret")
    )
    assert alone is not None
    assert optimum.value == makespan_of(rows) + 2 < alone
    assert optimum.evidence.startswith("not proven: by what was done")
    low, high = map(int, regret.evidence.split(" to "))
    assert regret.value == low == 0 < high
    assert checks["own_yardstick", "episode at 1"].value is True
    assert regret.reason.endswith("so the regret is at least 0")


def test_a_search_knows_when_what_is_out_of_service_comes_back(solving: House) -> None:
    world = solving.world
    kitchen, item = world.kitchen, solving.truth.items[ITEM]
    state, _ = world.apply(world.start(), solving.order(ITEM, ITEM))
    wanted = dict.fromkeys(state.open_lines(), item)
    whole = continuing.find_continuation(kitchen, state, wanted, [])
    for timesteps in (2, 500):
        out = {name: Outage(0, timesteps) for name in world.workers[1:]}
        found = continuing.find_continuation(kitchen, state._replace(out=out), wanted, [])
        alone = make_schedule(kitchen, state._replace(out=out), wanted)
        assert whole.schedule is not None
        assert found.schedule is not None
        assert alone.bound is not None
        if timesteps == 2:
            assert whole.bound <= found.bound < alone.bound
            assert found.schedule <= whole.schedule + 2 < len(alone.schedule)
        else:
            assert found.bound == alone.bound
            assert found.schedule == len(alone.schedule)


def test_a_schedule_longer_than_the_outage_is_longer_by_one_at_least() -> None:
    world = HOUSE.world
    state, _ = world.apply(world.start(), HOUSE.order(ITEM))
    wanted = {"o1.1": HOUSE.truth.items[ITEM]}
    out = state._replace(out={"worker_1": Outage(0, 30), "worker_2": Outage(0, 40)})
    assert continuing._let_outages_end(29, world.kitchen, out, wanted) == 29
    assert continuing._let_outages_end(99, world.kitchen, out, wanted) == 31


def test_an_outage_that_is_over_shifts_the_clocks_as_the_simulator_does() -> None:
    world = HOUSE.world
    food = Content(1, "bread", since=2)  # type: ignore[arg-type]
    begin = world.start()._replace(timestep=4, contents={"grill_1": (food,)})
    out = begin._replace(out={"grill_1": Outage(3, 5)})
    after, _, _ = world.step(out, [])
    assert out._replace(timestep=5).end_outages() == after


def test_a_wrong_dish_is_no_schedule_of_what_was_wanted(solving: House) -> None:
    out = {2: [{**FAULT, "worker": "worker_2"}]}
    checks = price(solving.ordered(solving.serve(TOAST[:1]), ITEM, at=out), solving)
    for when in (0, 2):
        optimum = checks["continuation_optimum", f"episode at {when}"]
        assert isinstance(optimum.value, int)
        assert "by the embedded scheduler" in optimum.evidence or "proven:" in optimum.evidence
    assert checks["replan_regret", "episode at 2"].reason == "closed, but not as wanted: o1.1"
    assert checks["replan_regret", "episode at 0"].scored


def test_a_refused_line_is_missed() -> None:
    refuse = {"kind": "refuse_line", "line": "o1.2", "why": "no tomatoes"}
    trace = HOUSE.ordered(HOUSE.serve(TOAST), ITEM, ITEM, at={0: [refuse]})
    evidence = evidence_of(trace)
    assert find_missed(evidence) == {"o1.2"}
    assert evidence.refusals == {}, "a mail refused it, not the planner"


def test_the_answer_given_at_the_disruption_and_the_one_before_are_known() -> None:
    asked: list[Any] = []

    def note(kitchen: Any, state: Any, wanted: Any, planned: Any) -> tuple[int, int, str, str]:
        asked.append((dict(wanted), [list(rows) for rows in planned]))
        return 5, 7, "a search", ""

    world = HOUSE.world
    state, _ = world.apply(world.start(), HOUSE.order(ITEM, ITEM))
    rows = [{"worker_1": f"wait {n}"} for n in range(6)]
    schedules = [
        PlannedSchedule(0, 0, rows[:1]),
        PlannedSchedule(1, 1, rows),
        PlannedSchedule(5, 4, rows[:3]),
        PlannedSchedule(5, 5, rows[:2]),
    ]
    evidence: Any = SimpleNamespace(
        truth=replace(HOUSE.truth, solve=note), world=world, schedules=schedules
    )
    assert solve(evidence, state._replace(timestep=4), {"o1.2"}) == (5, 7, "a search", "")
    assert asked == [({"o1.2": HOUSE.truth.items[ITEM]}, [rows[3:], rows[:3]])]


def test_a_clairvoyant_may_begin_before_an_order() -> None:
    """One toast at 0 and one at 60: it is served when it is ordered, after 61 timesteps."""
    first, second = HOUSE.serve(TOAST), HOUSE.serve(TOAST, "o1.2")
    actions = [*first, *["wait"] * (60 - len(first)), *second]
    add = {"kind": "add_line", "order": "o1", "item": ITEM}
    trace = HOUSE.ordered(actions, ITEM, at={60: [add]})
    found = clairvoyant(evidence_of(trace))
    assert found is not None
    assert found == (60 + len(second), Optimum(61, "bound", "less"))


def test_a_change_may_be_served_only_from_its_timestep_on() -> None:
    change = {"kind": "change_line", "line": "o1.1", "note": ""}
    actions = [*["wait"] * 30, *HOUSE.serve(TOAST)]
    trace = HOUSE.ordered(actions, ITEM, note="as I like it", at={25: [change]})
    evidence = evidence_of(trace, HOUSE.knowing())
    assert [(line.ordered, line.released) for line in evidence.lines] == [(0, 25)]
    found = clairvoyant(evidence)
    assert found is not None
    assert found[1].value == 26


@pytest.mark.parametrize("name", sampled(LEVEL_3, 4))
def test_the_price_and_the_certificate_know_the_same_clairvoyant(name: str) -> None:
    """The known schedule of a scenario is judged with the bound of the certificate's lines."""
    scenario = DOMAIN.scenario(name, {})
    truth = DOMAIN.truth(scenario)
    path = schedule_paths(scenario)[0]
    trace = play_schedule(scenario, load_schedule(path, scenario), path)
    evidence = evidence_of(trace, truth, scenario.world())
    found = clairvoyant(evidence)
    standing = find_standing(scenario, truth)
    assert found is not None
    assert found[1].value == find_own_bound(scenario, standing)
    served = {line.name: line.served_at or 0 for line in evidence.lines}
    for at, event in scenario.events():
        line = str(event.get("line"))
        if "note" in event and line in standing.release and at <= served[line]:
            assert standing.release[line] == at > 0
