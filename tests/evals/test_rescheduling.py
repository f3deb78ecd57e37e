"""How much a new schedule changes of the one before."""

from __future__ import annotations

import asyncio
from itertools import cycle, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.level import Level
from cookmas.episodes.trace import Header, PlannerClass, PlanRecord, StepRecord, Trace
from cookmas.evals.disruptions import PLANNED, Continuation
from cookmas.evals.rescheduling import compare_schedules, find_schedules, rescheduling
from cookmas.orchestrator.pace import WallClock
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving import restaurant as solving
from cookmas.solving.certificates import read_certificate
from cookmas.solving.restaurant import continuing
from cookmas.solving.restaurant.certifying import find_standing
from cookmas.solving.restaurant.scheduling.decode import ScheduleResult
from cookmas.solving.restaurant.scheduling.schedule import make_schedule
from cookmas.workers.protocol import Assigned
from cookmas.worlds.restaurant.domain import DOMAIN
from tests.orchestrator.clocks import Time
from tests.workers.incubator import Incubator, play

CERTIFICATES = Path(solving.__file__).with_name("certificates")


class Thinking:
    """A planner that thinks for some seconds, and writes what nobody else does at a timestep."""

    name = "thinking"
    planner_class: PlannerClass = "fixed"

    def __init__(self, time: Time, thinks: list[float]) -> None:
        self.time, self.thinks = time, cycle(thinks)

    async def plan(self, observation: Observation[Any]) -> Plan:
        await self.time.wait(next(self.thinks))
        now = observation.timestep
        workers = observation.world.workers
        return Plan(schedule=[{workers[(now + n) // 2 % 2]: "stir"} for n in range(5)])


ROWS = st.lists(
    st.dictionaries(st.sampled_from(["ann", "bob"]), st.sampled_from("xyz")), max_size=6
)


def test_the_example_of_the_docs() -> None:
    old = [{"ann": "a", "bob": "x"}, {"ann": "b"}, {"ann": "c"}]
    new = [{"ann": "a", "bob": "y"}, {"ann": "c"}, {"ann": "c"}, {"ann": "b"}]
    edit = compare_schedules(old, new)
    assert (edit.changed, edit.places) == (2, 4)
    assert edit.radius == 2
    assert (edit.kept, edit.planned) == (3, 4)
    assert not edit.same


@given(ROWS)
def test_the_same_schedule_changes_nothing(rows: list[dict[str, str]]) -> None:
    edit = compare_schedules(rows, rows)
    assert edit.same
    assert (edit.changed, edit.radius) == (0, 0)
    assert edit.kept == edit.planned == edit.places == sum(map(len, rows))


@given(ROWS, ROWS)
def test_what_is_added_behind_the_old_schedule_is_no_nervousness(
    old: list[dict[str, str]], more: list[dict[str, str]]
) -> None:
    edit = compare_schedules(old, old + more)
    assert (edit.changed, edit.radius, edit.kept) == (0, 0, edit.planned)
    assert edit.same == (not any(more))


@given(ROWS, ROWS)
def test_no_share_leaves_its_range(old: list[dict[str, str]], new: list[dict[str, str]]) -> None:
    edit = compare_schedules(old, new)
    assert 0 <= edit.changed <= edit.places
    assert 0 <= edit.kept <= edit.planned
    assert edit.radius <= len(old)
    assert (edit.radius == 0) == (edit.changed == 0)
    assert not edit.same or edit.changed == 0


@given(ROWS)
def test_work_that_only_moves_is_preserved(rows: list[dict[str, str]]) -> None:
    edit = compare_schedules(rows, [{}, *rows])
    assert edit.kept == edit.planned


@settings(max_examples=12)
@given(
    thinks=st.lists(st.sampled_from([0.5, 1.5, 2.5]), min_size=1, max_size=4),
    slow=st.sets(st.integers(1, 9), max_size=3),
    horizon=st.sampled_from([None, 18]),
)
def test_what_is_carried_out_is_what_the_schedule_says_for_that_timestep(
    thinks: list[float], slow: set[int], horizon: int | None
) -> None:
    """By a wall clock, an answer takes effect later, and elapsed timesteps move what is left."""
    time, world = Time(), Incubator(Level())

    class Slow:
        async def act(self, timestep: int, worker: str, assignment: Assigned) -> str:
            time.now += 2.5 if timestep in slow else 0.0
            return assignment

    planner = Thinking(time, thinks)
    clock = WallClock(1.0, time)
    trace = asyncio.run(
        play(planner, pace=clock, workers={"right": Slow()}, horizon=18, in_graph=True)
    )
    records = [
        record.model_copy(update={"horizon": horizon}) if isinstance(record, Header) else record
        for record in trace.records
    ]
    evidence: Any = SimpleNamespace(trace=Trace(tuple(records)), world=world)
    schedules = find_schedules(evidence)
    assert schedules
    for step in trace.of(StepRecord):
        under = [each for each in schedules if each.effect <= step.timestep]
        rest = under[-1].list_rest(step.timestep) if under else []
        done = {c.worker: c.action for c in step.commands if c.action != "wait"}
        assert done == ({} if step.elapsed else dict(rest[0]) if rest else {})
    effects = [each.effect for each in schedules]
    assert [check.subject for check in rescheduling(evidence) if check.name == "nervousness"] == [
        f"episode at {later.effect}"
        for earlier, later in pairwise(schedules)
        if any(earlier.list_rest(later.effect))
    ]
    assert effects == sorted(set(effects))


def edit_places(old: Any, new: Any) -> tuple[float, int, float, bool]:
    """Compare two schedules place by place: the four figures of a replan, by their formulas."""
    was = {(t, worker): action for t, row in enumerate(old) for worker, action in row.items()}
    now = {(t, worker): action for t, row in enumerate(new) for worker, action in row.items()}
    places = {place for place in {*was, *now} if place[0] < len(old)}
    changed = [t for t, worker in places if was.get((t, worker)) != now.get((t, worker))]
    left = [(worker, action) for (_, worker), action in now.items()]
    kept = 0
    for (_, worker), action in was.items():
        if (worker, action) in left:
            left.remove((worker, action))
            kept += 1
    return len(changed) / len(places), max(changed, default=-1) + 1, kept / len(was), was == now


@pytest.fixture(scope="module")
def counted() -> tuple[cookmas.Run, list[int]]:
    """A run with replans, and the effort of each search of its judging.

    It is counted in partial schedules that the searches expand, which take nearly all of the time.
    """
    calls: list[int] = []

    def count(*args: Any, **options: Any) -> ScheduleResult:
        result = make_schedule(*args, **options)
        calls.append(result.effort)
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(continuing, "make_schedule", count)
        run = cookmas.play("level3/06")
    return run, calls


def test_every_replan_of_a_run_is_compared_and_each_disruption_priced(
    counted: tuple[cookmas.Run, list[int]],
) -> None:
    run, _ = counted
    assert run.verdict
    subjects = [f"episode at {t}" for t in (6, 10, 14)]
    evidence: Any = SimpleNamespace(
        trace=run.trace, world=cookmas.load_scenario("level3/06").world()
    )
    edits = [
        edit_places(before.list_rest(after.effect), after.list_rest(after.effect))
        for before, after in pairwise(find_schedules(evidence))
    ]
    names = ("nervousness", "edit_radius", "preserved_work", "unchanged_replan")
    for name, values in zip(names, zip(*edits, strict=True), strict=True):
        found = [*run.verdict.of(name)]
        assert [check.subject for check in found] == subjects
        assert [check.value for check in found] == pytest.approx([*values], abs=1e-4)
    assert [check.subject for check in run.verdict.of("disruption_cost")] == subjects
    summary = run.verdict.summary
    (first,) = [
        c.value for c in run.verdict.of("continuation_optimum") if c.subject == "episode at 0"
    ]
    parts = [first, summary["disruption_cost"], summary["replan_regret"]]
    assert sum(int(part or 0) for part in parts) == summary["makespan"]


def test_judging_searches_much_less_than_a_planner(
    counted: tuple[cookmas.Run, list[int]],
) -> None:
    run, calls = counted
    planned = [plan.search.effort for plan in run.trace.of(PlanRecord) if plan.search]
    assert len(calls) == 2 * len(planned) - 1
    assert sum(calls) < sum(planned)


def test_a_schedule_that_was_planned_counts_only_if_it_serves_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = DOMAIN.scenario("level1/03", {})
    kitchen, standing = scenario.kitchen, find_standing(scenario, DOMAIN.truth(scenario))
    found = read_certificate(CERTIFICATES, "level1/03", scenario.digest)
    assert found
    begin, wanted, best = standing.begin, standing.wanted, found.schedule
    monkeypatch.setattr(continuing, "is_installed", lambda: False)
    alone = Continuation(19, 21, "the embedded scheduler", "CP-SAT")
    assert continuing.find_continuation(kitchen, begin, wanted, []) == alone
    planned = alone._replace(schedule=20, found=PLANNED)
    assert continuing.find_continuation(kitchen, begin, wanted, [best]) == planned
    assert continuing.find_continuation(kitchen, begin, wanted, [best[1:]]) == alone


def test_an_unchanged_episode_has_no_replan() -> None:
    run = cookmas.play("level2/01")
    assert run.verdict
    assert not list(run.verdict.of("nervousness"))
    assert run.verdict.summary["replan_regret"] is None
