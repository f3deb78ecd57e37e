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

So as long as something is open, the time to serve everything is the optimum at the beginning, plus
the cost of each disruption, plus the regret of each answer. The split by events follows the view of
rescheduling as a cycle of events and responses (Vieira, Herrmann and Lin 2003); the price is the
competitive ratio of online algorithms (Sleator and Tarjan 1985). The split into cost and regret is
this project's.

Nobody may know `C` exactly. Then the shortest schedule that is known takes its place: that of a
search, or what was planned or done, if that was shorter. So no regret is negative. The check names
what found the schedule, and has the range that follows from a lower bound. A bound is proven
without a look at any schedule, and never lowered to one; a bound that a schedule refutes is no
bound, and nothing is priced with it. Where the planner's own schedule is the shortest one, it is
measured against itself: then its regret is *at least* the lower end of the range, and the check
`own_yardstick` is true. Where the planner closed a request without serving it as wanted, what was
done is no schedule, and the span has no regret.

If the planner asked a solver at the disruption, the bound in the solver's model stands beside the
optimum; it makes no range, because the model leaves out some of what the rules allow.
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
two searches, of about a third of a second with the solver.
"""

PLANNED, DONE = "what was planned", "what was done"
"""What found a schedule if the planner itself did."""


class Continuation(NamedTuple):
    """What is known of the least number of timesteps in which requests can be served."""

    bound: int
    """Number of timesteps that every way of serving them needs."""
    schedule: int | None
    """Number of timesteps of the shortest known schedule; None if none is known."""
    found: str
    """What found it: PLANNED, DONE, or the name of a search."""
    lacking: str = ""
    """A search that could have found a shorter one but is not installed; else empty."""

    @property
    def is_proven(self) -> bool:
        """True if no schedule is shorter."""
        return self.schedule == self.bound

    @property
    def is_own(self) -> bool:
        """True if no search found a schedule that is as short as the planner's own."""
        return not self.is_proven and self.found in (PLANNED, DONE)

    @property
    def proof(self) -> str:
        """How the optimum is known, in words."""
        if self.is_proven:
            return "proven: the schedule is as long as the bound"
        unproven = f"not proven: by {self.found}, against a bound of {self.bound}"
        return f"{unproven}; {self.lacking} was not used" if self.lacking else unproven


NOTHING_LEFT = Continuation(0, 0, DONE)
"""The continuation if nothing is open."""


class Continuing(NamedTuple):
    """How a world answers what can still be done; another solver can take the place of its own."""

    find_requests: Callable[[Any], Collection[str]]
    """Function that returns the names of the requests that are open in a state."""
    solve: Callable[[Any, Any, Collection[str]], Continuation | None]
    """Function that takes the evidence, a state and requests, and returns the continuation; None if
    it is unknown what the requests want."""
    find_missed: Callable[[Any], Collection[str]]
    """Function that returns the requests of an episode that were closed, but not as wanted."""
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
    missed: Sequence[str] = ()
    """The requests that were closed meanwhile, but not as wanted."""


def disruptions(continuing: Continuing) -> Evaluator:
    """Return an evaluator of the cost, the regret and the recovery of each disruption.

    `continuing` says what can still be done in the world. The evaluator yields nothing for an open
    episode, for an episode without disruptions, and for one whose world was altered.
    """

    def evaluate(evidence: Evidence) -> Iterator[Check]:
        times = find_disruptions(evidence)
        if len(times) < 2 or evidence.trace.header.horizon is None or evidence.altered:
            return
        if len(times) > MOST_DISRUPTIONS:
            why = f"more than {MOST_DISRUPTIONS} disruptions"
            yield make_unscored("replan_regret", EPISODE, why)
            return
        found = list(_find_spans(evidence, continuing, times))
        spans = [span and _tighten(span) for span in found]
        modelled = _find_model_bounds(evidence)
        for span in spans:
            if span is not None:
                yield from _price(span, modelled.get(span.begin))
        for one, other in pairwise(spans):
            if one is not None and other is not None:
                yield from _move(one, other)
        for time in times[1:]:
            yield from _recover(evidence, continuing, time)
        known = continuing.clairvoyant(evidence)
        if known and known[1].knows == "everything":
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
) -> Iterator[_Span | None]:
    """Yield the span after each disruption; None if its continuation is unknown at an end."""
    frames = {frame.timestep: frame for frame in evidence.frames}
    missed = set(continuing.find_missed(evidence))
    for begin, end in pairwise([*times, max(frames) + 1]):
        before, after = frames[begin].before, frames[end - 1].after
        requests = set(continuing.find_requests(before))
        if not requests:
            yield _Span(begin, 0, NOTHING_LEFT, NOTHING_LEFT)
            continue
        left = requests.intersection(continuing.find_requests(after))
        start = continuing.solve(evidence, before, requests)
        rest = continuing.solve(evidence, after, left) if left else NOTHING_LEFT
        if start is None or rest is None:
            yield None
            continue
        closed = (
            t + 1
            for t in range(begin, end)
            if requests.isdisjoint(continuing.find_requests(frames[t].after))
        )
        elapsed = next(closed, end) - begin
        yield _Span(begin, elapsed, start, rest, sorted(missed.intersection(requests - left)))


def _tighten(span: _Span) -> _Span:
    """Return a span with what each end says about the other: one may do what was done.

    The schedule at the beginning is no longer than that, and the rest needs no less than the bound
    at the beginning leaves for it.
    """
    start, rest, elapsed = span.start, span.rest, span.elapsed
    if span.missed:
        return span
    if rest.schedule is not None:
        done = elapsed + rest.schedule
        if start.schedule is None or done < start.schedule:
            start = start._replace(schedule=done, found=DONE)
    least = max(rest.bound, start.bound - elapsed)
    return span._replace(start=start, rest=rest._replace(bound=least))


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
    if start is NOTHING_LEFT:
        return
    unknown = _explain_unknown(start)
    if unknown or start.schedule is None:
        yield make_unscored("continuation_optimum", subject, unknown)
        yield make_unscored("replan_regret", subject, unknown)
        return
    yield Check(
        name="continuation_optimum",
        subject=subject,
        value=start.schedule,
        evidence=f"{start.proof}; in the model of the planner's solver at least {modelled}"
        if modelled is not None and start.bound < modelled <= start.schedule
        else start.proof,
    )
    unknown = _explain_unknown(rest)
    if span.missed:
        unknown = f"closed, but not as wanted: {', '.join(span.missed)}"
    if unknown or rest.schedule is None:
        yield make_unscored("replan_regret", subject, unknown)
        return
    least = max(0, span.elapsed + rest.bound - start.schedule)
    most = span.elapsed + rest.schedule - start.bound
    against = f"{start.schedule} by {start.found}"
    own = f", so the regret is at least {least}" if start.is_own else ""
    yield Check(
        name="replan_regret",
        subject=subject,
        value=span.elapsed + rest.schedule - start.schedule,
        evidence=f"{least} to {most}",
        reason=f"{span.elapsed} timesteps, and {rest.schedule} left, against {against}{own}",
    )
    yield Check(name="own_yardstick", subject=subject, value=start.is_own)


def _explain_unknown(continuation: Continuation) -> str:
    """Return why nothing can be priced with what is known; an empty text if it can."""
    length, bound = continuation.schedule, continuation.bound
    if length is None:
        return "no schedule is known"
    if length < bound:
        return f"{continuation.found} takes {length} timesteps, which refutes a bound of {bound}"
    return ""


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
