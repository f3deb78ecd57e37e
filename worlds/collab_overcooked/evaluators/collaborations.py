"""Collaborations: what one cook asks the other for, and what the other then does.

The measures are those of the paper (Section 3.3, equations 5 and 6). A collaboration is one
dialogue turn with requests. It is initiated well if the requested actions raise the TES of the
other cook, and responded to well if the actions do that the other cook then carries out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import NamedTuple

from episodes.trace import MessageRecord
from evals.evidence import Evidence
from evals.trajectories import ites
from evals.verdict import EPISODE, Check
from worlds.collab_overcooked.actions import requests_in
from worlds.collab_overcooked.evaluators.trajectories import history, references

Actions = Sequence[str]


class Collaboration(NamedTuple):
    """One request, and the answer in deeds."""

    timestep: int
    by: str
    to: int
    """Number of the cook that is asked."""
    requested: Actions
    before: Actions
    """What the asked cook had carried out."""
    response: Actions
    """What it carried out then, at most as many actions as were requested."""


def collaborations(evidence: Evidence) -> Iterator[Check]:
    """Yield `initiated` and `responded` of each collaboration, and IC and RC of the episode.

    `initiating_capability` and `responding_capability` count actions and divide by the number of
    collaborative actions that the task requires; those `of_dialogues` are shares of the dialogues
    that were held. Yield nothing without references, or with other than two cooks.
    """
    known = references(evidence)
    if known is None or len(evidence.world.workers) != 2:
        return
    readers = evidence.world.kitchen.readers  # type: ignore[attr-defined]
    helper = next((n for n, w in enumerate(evidence.world.workers) if w not in readers), 1)
    required = len(known.by_cook[helper][0])
    initiated = responded = advanced = answered = 0
    held = [each for each in find_collaborations(evidence) if each.to == helper]
    for each in held:
        options = known.by_cook[each.to]
        begun = ites(each.requested, each.before, options) > 0
        done = ites(each.response, each.before, options) > 0
        name = f"{each.by} at {each.timestep}"
        told = ", ".join(each.requested)
        yield Check(name="initiated", subject=name, value=begun, passed=begun, evidence=told)
        told = ", ".join(each.response)
        yield Check(name="responded", subject=name, value=done, passed=done, evidence=told)
        initiated, responded = initiated + begun, responded + done
        advanced += _advancing(each.requested, each.before, options)
        answered += _advancing(each.response, each.before, options)
    if not held:
        return
    yield _share("initiating_capability", advanced, required, "required")
    yield _share("responding_capability", answered, required, "required")
    yield _share("initiating_capability_of_dialogues", initiated, len(held), "held")
    yield _share("responding_capability_of_dialogues", responded, len(held), "held")


def find_collaborations(evidence: Evidence) -> list[Collaboration]:
    """Return all turns of two cooks in which one asks the other for actions."""
    cooks = list(evidence.world.workers)
    asked = [
        (message, requested)
        for message in evidence.trace.of(MessageRecord)
        if message.agent in cooks and (requested := list(map(str, requests_in(message.text))))
    ]
    found = []
    for message, requested in asked:
        to = 1 - cooks.index(message.agent)
        later = [m.timestep for m, _ in asked if m.agent == message.agent]
        until = min((each for each in later if each > message.timestep), default=inf)
        before = history(evidence, to, message.timestep)
        response = history(evidence, to, until)[len(before) :][: len(requested)]
        found.append(
            Collaboration(message.timestep, message.agent, to, requested, before, response)
        )
    return found


def _advancing(actions: Actions, before: Actions, options: Sequence[Actions]) -> int:
    """Return how many of the actions raise the TES, each after those before it."""
    count, done = 0, list(before)
    for action in actions:
        count += ites([action], done, options) > 0
        done.append(action)
    return count


def _share(name: str, count: int, of: int, what: str) -> Check:
    return Check(
        name=name,
        subject=EPISODE,
        value=round(count / of, 4) if of else None,
        reason=f"{count} of {of} {what}",
    )
