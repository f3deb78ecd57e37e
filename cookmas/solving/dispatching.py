"""Dispatching rules: which job comes first, by what is known of each job alone.

A dispatcher begins the first task that can begin, of the first job that has one. It neither
searches nor looks ahead. Panwalkar and Iskander (1977) list such rules, and Haupt (1989) compares
them.

| rule | other names | first is the job |
|---|---|---|
| `first-come` | FCFS, FIFO | that came in first |
| `shortest-first` | LWKR, least work remaining; for one task SPT | with the least work left |
| `most-work` | MWKR, most work remaining | with the most work left |
| `most-urgent` | minimum slack | with the least time to spare until it is due |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from typing import NamedTuple


class Job(NamedTuple):
    """The facts about a job from which a dispatching rule decides."""

    arrival: int
    """Its place in the order in which the jobs came in; no two have the same."""
    work: int
    """The sum of the timesteps for which its remaining tasks keep workers busy."""
    time: int
    """The least number of timesteps until it can be finished."""
    due: int | None = None
    """The timestep by which it should be finished; None if there is none."""


Key = tuple[float, ...]
"""A sort key of a job, the lowest for the one that comes first."""

Rule = Callable[[Job], Key]
"""A dispatching rule. Its keys end with the arrival, so that no two jobs are equal."""


def first_come(job: Job) -> Key:
    """Return the key of the job's arrival."""
    return (job.arrival,)


def shortest_first(job: Job) -> Key:
    """Return the key by which the least remaining work comes first."""
    return job.work, job.arrival


def most_work(job: Job) -> Key:
    """Return the key by which the most remaining work comes first."""
    return -job.work, job.arrival


def most_urgent(job: Job) -> Key:
    """Return the key by which the least slack comes first, then the longest time to go.

    The slack is the time until the job is due, less the time that it still needs. It is taken
    without the present timestep, which is the same for all jobs. A job without a due time has
    endless slack.
    """
    slack = inf if job.due is None else job.due - job.time
    return slack, -job.time, job.arrival


RULES: Mapping[str, Rule] = {
    "first-come": first_come,
    "shortest-first": shortest_first,
    "most-work": most_work,
    "most-urgent": most_urgent,
}
"""The dispatching rules by the names of their planners."""
