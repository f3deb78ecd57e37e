"""Requests: what an agent asks of its partner, whether that advances the task, and the result.

The measures are the initiating and responding capability of Collab-Overcooked (Section 3.3), and
what newer work counts of requests. A request stands in what an agent says, as `request('ACTION')`
or as an action in plain words; all requests of an agent at one timestep are one collaboration. The
partner's next actions, up to the number of the requested ones, are its response.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cookmas.episodes.conversation import requests_in
from cookmas.episodes.trace import MessageRecord, Trace
from cookmas.evals.trajectories import Actions, TrajectoryStep, classify_astray, ites, progress, tes
from cookmas.evals.verdict import EPISODE, Check, make_check

Reader = Callable[[str], str | None]
"""Function from a text to its action in the one spelling of trajectories.

It is empty if the text asks to wait, which no trajectory has, and None if the text is no action."""

Shortest = Callable[["PartnerRequest"], int | None]
"""Function that returns the fewest timesteps in which the first action of a request can be done."""

MATRIX: Mapping[tuple[bool, bool], str] = {
    (True, True): "successful initiating, successful responding",
    (True, False): "successful initiating, failed responding",
    (False, True): "failed initiating, successful responding",
    (False, False): "failed initiating, failed responding",
}
"""The subjects of `matrix`, by whether the request and the response advance the task."""

_CALL = re.compile(r"\b\w+\([^()]*\)")


class PartnerRequest(NamedTuple):
    """The actions that an agent requests of its partner at one timestep."""

    timestep: int
    by: str
    """The agent that asks."""
    to: str
    actions: Sequence[str]
    """The actions, in order; empty if the agent speaks and names none."""


def find_requests(trace: Trace, by: str, to: str, read: Reader) -> list[PartnerRequest]:
    """Return the requests of the agent `by` to its partner `to`, at most one for each timestep.

    A timestep has a request if the agent speaks first in it, or asks for an action in it. The
    request has all actions that the agent asks for at that timestep.
    """
    found: dict[int, list[str]] = {}
    begun: dict[int, str] = {}
    for message in trace.of(MessageRecord):
        now = message.timestep
        begun.setdefault(now, message.agent)
        if message.agent == by:
            actions = _actions(message.text, read)
            if actions or begun[now] == by:
                found.setdefault(now, []).extend(actions)
    return [PartnerRequest(now, by, to, actions) for now, actions in found.items()]


def _actions(text: str, read: Reader) -> list[str]:
    """Return the actions that a text asks for: its requests, or else those named in its words.

    A request that cannot be read is returned as it is, as an action that nobody can do. A request
    to wait is left out: histories have no waits.
    """
    requests = requests_in(text)
    if not requests:
        return [action for named in _CALL.findall(text) if (action := read(named))]
    known = [(each, read(each)) for each in requests]
    return [each if action is None else action for each, action in known if action != ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRequest:
    """A request with the response to it, and what both are worth."""

    request: PartnerRequest
    before: Sequence[str]
    """The partner's actions before the request."""
    response: Actions
    """The partner's actions from the request until the next request; no more than requested."""
    asked: float
    """ITES of the requested actions."""
    answered: float
    """ITES of the response."""
    why: str
    """Why the request does not advance (premature, repetitive, irrelevant, nothing); else empty."""

    @property
    def initiated(self) -> bool:
        """True if the request has a positive ITES."""
        return self.asked > 0

    @property
    def responded(self) -> bool:
        """True if the response has a positive ITES."""
        return self.answered > 0


def collaborations(
    requests: Sequence[PartnerRequest],
    steps: Sequence[TrajectoryStep],
    references: Sequence[Actions],
) -> list[JudgedRequest]:
    """Return what each request and its response are worth by the references of the partner."""
    found = []
    ends = [*(request.timestep for request in requests[1:]), None]
    for request, end in zip(requests, ends, strict=True):
        own = [step for step in steps if step.worker == request.to]
        before = [step.action for step in own if step.timestep < request.timestep]
        response = [
            step.action
            for step in own
            if step.timestep >= request.timestep and (end is None or step.timestep < end)
        ][: len(request.actions)]
        asked = ites(request.actions, before, references)
        found.append(
            JudgedRequest(
                request=request,
                before=before,
                response=response,
                asked=asked,
                answered=ites(response, before, references),
                why="" if asked > 0 else _category(request, before, references),
            )
        )
    return found


def _category(request: PartnerRequest, before: Actions, references: Sequence[Actions]) -> str:
    first = request.actions[0] if request.actions else None
    parts = [{request.to: reference} for reference in references]
    return classify_astray(first, {request.to: before}, parts)


def capabilities(
    found: Sequence[JudgedRequest], references: Sequence[Actions], required: int
) -> Iterator[Check]:
    """Yield the initiating and responding capability as shares of a number N, read in two ways.

    In the first reading N is the number of talks in `found`, which the initiating agent began. For
    the request and the response of each talk yield `ites`, and whether it is positive (`initiated`,
    `responded`); the `..._capability_of_dialogues` are the shares of the positive ones. In the
    second reading N is `required`, the number of actions that a task requires of the partner.
    `initiating_capability` is the share of them that were requested when they advanced the task,
    `responding_capability` the share that were done after a request. `matrix` counts the talks by
    initiating and responding, and `failed_initiation` the requests that do not advance, by the
    paper's categories.
    """
    for each in found:
        subject = f"{each.request.by} at {each.request.timestep}"
        wanted = "; ".join(each.request.actions) or "no action"
        made = "; ".join(each.response) or "no action"
        yield make_check("initiated", subject, each.initiated, evidence=wanted, reason=each.why)
        yield make_check("responded", subject, each.responded, evidence=made)
        yield Check(name="ites", subject=f"request of {subject}", value=round(each.asked, 4))
        yield Check(name="ites", subject=f"response to {subject}", value=round(each.answered, 4))
    if required > 0:
        requested = [(each.before, each.request.actions) for each in found]
        answered = [(each.before, each.response) for each in found]
        asked = min(len(_find_advanced(requested, references)), required)
        done = min(len(_find_advanced(answered, references)), required)
        yield _share("initiating_capability", asked, required)
        yield _share("responding_capability", done, required)
    if found:
        initiated = sum(each.initiated for each in found)
        begun = f" talks that {found[0].request.by} began"
        yield _share("initiating_capability_of_dialogues", initiated, len(found), begun)
        responded = sum(each.responded for each in found)
        yield _share("responding_capability_of_dialogues", responded, len(found), begun)
    kinds = Counter((each.initiated, each.responded) for each in found)
    for kind, subject in MATRIX.items():
        yield Check(name="matrix", subject=subject, value=kinds[kind])
    for category, number in sorted(Counter(each.why for each in found if each.why).items()):
        yield Check(name="failed_initiation", subject=category, value=number)


def _share(name: str, count: int, whole: int, what: str = "") -> Check:
    return Check(
        name=name,
        subject=EPISODE,
        value=round(count / whole, 4),
        evidence=f"{count} of {whole}{what}",
    )


def _find_advanced(
    talks: Sequence[tuple[Actions, Actions]], references: Sequence[Actions]
) -> set[int]:
    """Return the places in a reference that actions advanced to.

    Each of the `talks` has the partner's actions before it, and the actions to judge: those that
    were requested, or those that the partner did in response.
    """
    return {place for before, more in talks for place in _advances(before, more, references)}


def _advances(history: Actions, more: Actions, references: Sequence[Actions]) -> Iterator[int]:
    """Yield the place reached in a reference after each action of `more` that makes TES grow."""
    now = list(history)
    for action in more:
        after = [*now, action]
        if tes(after, references) > tes(now, references):
            yield progress(after, references)
        now = after


class Fate(NamedTuple):
    """The result of one requested action."""

    request: PartnerRequest
    action: str
    done: int | None
    """Timestep at which the partner did the action; None if it never did."""


def fates(requests: Sequence[PartnerRequest], steps: Sequence[TrajectoryStep]) -> list[Fate]:
    """Return the result of each requested action.

    What the partner does fulfils the earliest request for it that is open, and no other one. If an
    action is asked for again before it is done, only the earlier request counts.
    """
    pending: list[tuple[PartnerRequest, str]] = []
    found: list[Fate] = []
    moments = sorted(
        [(request.timestep, 0, request) for request in requests]
        + [(step.timestep, 1, step) for step in steps],
        key=lambda each: each[:2],
    )
    for now, _, each in moments:
        if isinstance(each, PartnerRequest):
            known = Counter(action for _, action in pending)
            new = Counter(each.actions) - known
            pending += [(each, action) for action in new.elements()]
            continue
        match = next((p for p in pending if (p[0].to, p[1]) == (each.worker, each.action)), None)
        if match is not None:
            pending.remove(match)
            found.append(Fate(*match, now))
    left = [Fate(request, action, None) for request, action in pending]
    return sorted([*found, *left], key=lambda fate: fate.request.timestep)


def fulfilment(
    requests: Sequence[PartnerRequest], steps: Sequence[TrajectoryStep], shortest: Shortest
) -> Iterator[Check]:
    """Yield `fulfilled` of every action asked for, and how long the partner took to begin.

    `response_time` is the number of timesteps from a request to the first of its actions that the
    partner did, both included. `response_delay` is `response_time` divided by `shortest(request)`,
    the fewest timesteps possible; it is left out where that is None or 0.
    """
    known = fates(requests, steps)
    for fate in known:
        done = fate.done is not None
        yield make_check(
            "fulfilled",
            f"{fate.action}, asked by {fate.request.by} at {fate.request.timestep}",
            done,
            reason=f"done at {fate.done}" if done else f"{fate.request.to} never did it",
        )
    for request in requests:
        times = [fate.done for fate in known if fate.request is request and fate.done is not None]
        if not times:
            continue
        subject = f"{request.by} at {request.timestep}"
        took = min(times) - request.timestep + 1
        yield Check(name="response_time", subject=subject, value=took)
        fewest = shortest(request)
        if fewest:
            yield Check(name="response_delay", subject=subject, value=round(took / fewest, 4))
