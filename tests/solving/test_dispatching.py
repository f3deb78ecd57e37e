"""The dispatching rules: which job comes first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.solving.dispatching import RULES, Job

TIMES = st.integers(0, 200)
JOBS = st.lists(st.tuples(TIMES, TIMES, st.none() | TIMES), min_size=1, max_size=8).map(
    lambda rows: [Job(number, *row) for number, row in enumerate(rows)]
)


def order(rule: str, jobs: list[Job]) -> list[Job]:
    return sorted(jobs, key=RULES[rule])


@pytest.mark.parametrize("rule", RULES)
@given(st.data())
def test_no_two_jobs_are_equal(rule: str, data: st.DataObject) -> None:
    jobs = data.draw(JOBS)
    assert len(set(map(RULES[rule], jobs))) == len(jobs)
    assert order(rule, data.draw(st.permutations(jobs))) == order(rule, jobs)


@given(JOBS)
def test_each_rule_orders_by_what_it_is_named_for(jobs: list[Job]) -> None:
    assert order("first-come", jobs) == jobs
    work = sorted(job.work for job in jobs)
    assert [job.work for job in order("shortest-first", jobs)] == work
    assert [job.work for job in order("most-work", jobs)] == work[::-1]


@given(JOBS)
def test_the_most_urgent_job_has_the_least_slack(jobs: list[Job]) -> None:
    found = order("most-urgent", jobs)
    slack = [job.due - job.time for job in found if job.due is not None]
    assert slack == sorted(slack)
    others = found[len(slack) :]
    assert all(job.due is None for job in others)
    assert [job.time for job in others] == sorted((job.time for job in others), reverse=True)


@given(JOBS, TIMES)
def test_the_present_time_changes_no_order(jobs: list[Job], later: int) -> None:
    moved = [job._replace(due=None if job.due is None else job.due + later) for job in jobs]
    assert [job.arrival for job in order("most-urgent", moved)] == [
        job.arrival for job in order("most-urgent", jobs)
    ]


def test_equal_jobs_come_in_order_of_arrival() -> None:
    jobs = [Job(0, 5, 9, 20), Job(1, 5, 9, 20)]
    assert all(order(rule, jobs[::-1]) == jobs for rule in RULES)
