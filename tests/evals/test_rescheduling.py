"""How much a new schedule changes of the one before."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.trace import PlanRecord
from cookmas.evals.rescheduling import compare_schedules
from cookmas.worlds.base.certificates import read_certificate
from cookmas.worlds.restaurant import continuing
from cookmas.worlds.restaurant.certificates import CERTIFICATES
from cookmas.worlds.restaurant.certifying import find_standing
from cookmas.worlds.restaurant.domain import DOMAIN
from cookmas.worlds.restaurant.scheduling.decode import ScheduleResult
from cookmas.worlds.restaurant.scheduling.schedule import make_schedule

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


def test_every_replan_of_a_run_is_compared_and_each_disruption_priced() -> None:
    run = cookmas.play("level3/06")
    assert run.verdict
    subjects = [f"episode at {t}" for t in (6, 10, 14)]
    for name in ("nervousness", "edit_radius", "preserved_work", "unchanged_replan"):
        assert [check.subject for check in run.verdict.of(name)] == subjects
    assert [check.subject for check in run.verdict.of("disruption_cost")] == subjects
    summary = run.verdict.summary
    (first,) = [
        c.value for c in run.verdict.of("continuation_optimum") if c.subject == "episode at 0"
    ]
    parts = [first, summary["disruption_cost"], summary["replan_regret"]]
    assert sum(int(part or 0) for part in parts) == summary["makespan"]


def test_judging_searches_much_less_than_a_planner(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in partial schedules that the searches expand, which take nearly all of the time."""
    calls: list[int] = []

    def count(*args: Any, **options: Any) -> ScheduleResult:
        result = make_schedule(*args, **options)
        calls.append(result.effort)
        return result

    monkeypatch.setattr(continuing, "make_schedule", count)
    run = cookmas.play("level3/06")
    planned = [plan.search.effort for plan in run.trace.of(PlanRecord) if plan.search]
    assert len(calls) == 2 * len(planned) - 1
    assert sum(calls) < sum(planned)


def test_a_schedule_that_was_planned_counts_only_if_it_serves_everything() -> None:
    scenario = DOMAIN.scenario("level1/03", {})
    kitchen, standing = scenario.kitchen, find_standing(scenario, DOMAIN.truth(scenario))
    found = read_certificate(CERTIFICATES, "level1/03", scenario.digest)
    assert found
    begin, wanted, best = standing.begin, standing.wanted, found.schedule
    assert continuing.find_continuation(kitchen, begin, wanted, []) == (19, 21)
    assert continuing.find_continuation(kitchen, begin, wanted, [best]) == (19, 20)
    assert continuing.find_continuation(kitchen, begin, wanted, [best[1:]]) == (19, 21)


def test_an_unchanged_episode_has_no_replan() -> None:
    run = cookmas.play("level2/01")
    assert run.verdict
    assert not list(run.verdict.of("nervousness"))
    assert run.verdict.summary["replan_regret"] is None
