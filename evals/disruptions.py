"""What a disruption costs: how far it moves the optimum, and how much the planner loses after it.

A disruption is an accepted event after the first one: a new order, a change, a fault. Everything is
computed from the trace. `C(s, R)` is the continuation optimum: the least number of timesteps in
which the requests `R` can be served from the state `s` if nothing else happens. `R` are the
requests that are open after the disruption at timestep `t`; `t'` is the next disruption, or the
end; `e` is the number of timesteps until `t'`, or until all of `R` are closed if that is sooner.

| check | formula |
|---|---|
| `continuation_optimum` | `C(s(t), R)` after the disruption |
| `disruption_cost` | `C(s(t), R)` less the same just before the disruption |
| `replan_regret` | `e + C(s(t'), R) - C(s(t), R)`, just before the next disruption |
| `disruption_recovery` | timesteps until all requests that were open before it are closed |
| `price_of_not_knowing` | makespan / the optimum of a planner that knows all events beforehand |

So the time to serve everything is the optimum at the beginning, plus the cost of each disruption,
plus the regret of each answer. The split by events follows the view of rescheduling as a cycle of
events and responses (Vieira, Herrmann and Lin 2003); the price is the competitive ratio of online
algorithms (Sleator and Tarjan 1985). The split into cost and regret is this project's.

Nobody may know `C` exactly. Then the shortest schedule that is known takes its place: that of a
search, or what was planned or done, if that was shorter. So no regret is negative. The check says
so, and has the range that follows from a lower bound. If the planner asked a solver at the
disruption, the bound in the solver's model stands beside it; it makes no range, because the model
leaves out some of what the rules allow.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from cookmas.episodes.trace import EventRecord, PlanRecord
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.optimality import Optimum
from cookmas.evals.verdict import EPISODE, Check, make_unscored
from cookmas.files.lines import with_article

MOST_DISRUPTIONS = 40
"""Greatest number of disruptions of an episode that are priced, the beginning included; each takes
two searches, of about a tenth of a second.
"""


class Continuation(NamedTuple):
    """What is known of the least number of timesteps in which requests can be served."""

    bound: int
    """Number of timesteps that every way of serving them needs."""
    schedule: int | None
    """Number of timesteps of the shortest known schedule; None if none is known."""

    @property
    def proof(self) -> str:
        """How the optimum is known, in words."""
        if self.schedule == self.bound:
            return "proven: the schedule is as long as the bound"
        return f"not proven: the best known schedule, against a bound of {self.bound}"


class Continuing(NamedTuple):
    """How a world answers what can still be done; another solver can take the place of its own."""

    find_requests: Callable[[Any], Collection[str]]
    """Function that returns the names of the requests that are open in a state."""
    solve: Callable[[Any, Any, Collection[str]], Continuation | None]
    """Function that takes the evidence, a state and requests, and returns the continuation; None if
    it is unknown what the requests want."""
    clairvoyant: Callable[[Any], tuple[int, Optimum] | None]
    """Function that returns the makespan of an episode, and the optimum of a planner that knows all
    events beforehand; None if one of them is unknown."""


class _Span(NamedTuple):
    """The time from one disruption to the next, or to the end."""

    begin: int
    elapsed: int
    """Timesteps until the next disruption, or until all requests are closed."""
    start: Continuation
    rest: Continuation
    """The same just before the next disruption."""


def disruptions(continuing: Continuing) -> Evaluator:
    """Return an evaluator that yields the checks of this module.

    It yields nothing for an open episode, for an episode without disruptions, and for one whose
    world was altered.
    """

    def evaluate(evidence: Evidence) -> Iterator[Check]:
        times = find_disruptions(evidence)
        if len(times) < 2 or evidence.trace.header.horizon is None or evidence.altered:
            return
        if len(times) > MOST_DISRUPTIONS:
            why = f"more than {MOST_DISRUPTIONS} disruptions"
            yield make_unscored("replan_regret", EPISODE, why)
            return
        spans = _tighten(list(_find_spans(evidence, continuing, times)))
        modelled = _find_model_bounds(evidence)
        for span in spans:
            yield from _price(span, modelled.get(span.begin))
        for one, other in pairwise(spans):
            yield from _move(one, other)
        for time in times[1:]:
            yield from _recover(evidence, continuing, time)
        if known := continuing.clairvoyant(evidence):
            makespan, best = known
            yield Check(
                name="price_of_not_knowing",
                subject=EPISODE,
                value=round(makespan / best.value, 4),
                reason=f"makespan {makespan} against {with_article(best.what)} of "
                f"{best.value:g} with all events known beforehand",
            )

    return evaluate


def subject_at(timestep: int) -> str:
    """Return the subject of the checks of a disruption at a timestep."""
    return f"{EPISODE} at {timestep}"


def find_disruptions(evidence: Evidence) -> Sequence[int]:
    """Return the timesteps at which accepted events came in, the first one included.

    What the planner itself withdrew is no disruption.
    """
    played = {frame.timestep for frame in evidence.frames}
    events = evidence.trace.of(EventRecord)
    return sorted(
        {e.timestep for e in events if e.refused is None and e.number and e.timestep in played}
    )


def _find_spans(
    evidence: Evidence, continuing: Continuing, times: Sequence[int]
) -> Iterator[_Span]:
    """Yield the spans whose continuation is known at both ends."""
    frames = {frame.timestep: frame for frame in evidence.frames}
    for begin, end in pairwise([*times, max(frames) + 1]):
        before, after = frames[begin].before, frames[end - 1].after
        requests = set(continuing.find_requests(before))
        if not requests:
            continue
        left = requests.intersection(continuing.find_requests(after))
        start = continuing.solve(evidence, before, requests)
        rest = continuing.solve(evidence, after, left) if left else Continuation(0, 0)
        if start is None or rest is None:
            continue
        closed = (
            t + 1
            for t in range(begin, end)
            if requests.isdisjoint(continuing.find_requests(frames[t].after))
        )
        yield _Span(begin, next(closed, end) - begin, start, rest)


def _tighten(spans: Sequence[_Span]) -> Sequence[_Span]:
    """Return the spans with what each end says about the other: one may do what was done."""
    tightened = []
    for span in spans:
        start, rest, elapsed = span.start, span.rest, span.elapsed
        known = [start.schedule, None if rest.schedule is None else elapsed + rest.schedule]
        schedule = min((each for each in known if each is not None), default=None)
        bound = start.bound if schedule is None else min(start.bound, schedule)
        least = max(rest.bound, bound - elapsed)
        least = least if rest.schedule is None else min(least, rest.schedule)
        tightened.append(
            span._replace(
                start=Continuation(bound, schedule), rest=Continuation(least, rest.schedule)
            )
        )
    return tightened


def _find_model_bounds(evidence: Evidence) -> Mapping[int, int]:
    """Return by timestep the bound in the model of the planner's solver, where it asked one."""
    plans = evidence.trace.of(PlanRecord)
    return {p.timestep: p.search.model_bound for p in plans if p.search and p.search.model_bound}


def _price(span: _Span, modelled: int | None) -> Iterator[Check]:
    """Yield the optimum after a disruption, and the regret until the next one.

    `modelled` is the bound in the model of the planner's solver. It says nothing if it is no
    greater than the bound, or if it is greater than a known schedule: then the planner took
    something else for wanted, or the model leaves that schedule out.
    """
    start, rest, subject = span.start, span.rest, subject_at(span.begin)
    if start.schedule is None:
        yield make_unscored("continuation_optimum", subject, "no schedule is known")
        return
    yield Check(
        name="continuation_optimum",
        subject=subject,
        value=start.schedule,
        evidence=f"{start.proof}; in the model of the planner's solver at least {modelled}"
        if modelled is not None and start.bound < modelled <= start.schedule
        else start.proof,
    )
    if rest.schedule is None:
        yield make_unscored("replan_regret", subject, "no schedule is known of what was left")
        return
    least = max(0, span.elapsed + rest.bound - start.schedule)
    most = span.elapsed + rest.schedule - start.bound
    yield Check(
        name="replan_regret",
        subject=subject,
        value=span.elapsed + rest.schedule - start.schedule,
        evidence=f"{least} to {most}",
        reason=f"{span.elapsed} timesteps, and {rest.schedule} left, against {start.schedule}",
    )


def _move(one: _Span, other: _Span) -> Iterator[Check]:
    """Yield the cost of the disruption between two spans."""
    before, after = one.rest.schedule, other.start.schedule
    if before is not None and after is not None:
        yield Check(
            name="disruption_cost",
            subject=subject_at(other.begin),
            value=after - before,
            reason=f"{after} timesteps with it, {before} without",
        )


def _recover(evidence: Evidence, continuing: Continuing, time: int) -> Iterator[Check]:
    """Yield how long the requests that were open before a disruption took."""
    frames = [frame for frame in evidence.frames if frame.timestep >= time - 1]
    waiting = set(continuing.find_requests(frames[0].after))
    waiting &= set(continuing.find_requests(frames[1].before))
    if not waiting:
        return
    name, subject = "disruption_recovery", subject_at(time)
    for frame in frames[1:]:
        if waiting.isdisjoint(continuing.find_requests(frame.after)):
            yield Check(name=name, subject=subject, value=frame.timestep + 1 - time)
            return
    yield make_unscored(name, subject, "not all earlier requests were served")
