"""The judging of Overcooked-AI: the points of an episode, and each cook's share of the work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from cookmas.evals.columns import CALLS, GRADES, SUCCESS, TALK, Measure, column_of_values
from cookmas.evals.evidence import Evaluator, Evidence
from cookmas.evals.judging import Judging
from cookmas.evals.verdict import EPISODE, Check
from cookmas.worlds.overcooked.rules.grounding import is_blocked
from cookmas.worlds.overcooked.rules.kitchen import INTERACT, STAY
from cookmas.worlds.overcooked.world import OvercookedWorld


def cook_shares(evidence: Evidence) -> Iterator[Check]:
    """Yield `soups` and `balance` of the episode, and of each cook what it did.

    `delivered` are the soups that the cook delivered. `idle` are the timesteps in which it stayed,
    or interacted without an effect. `blocked` are those in which another cook kept it from walking.
    `deeds` are its interactions with an effect, with the number of each kind. `balance` is the
    number of deeds of the cook with the fewest / that of the cook with the most; 1 if there are no
    deeds.
    """
    world = evidence.world
    assert isinstance(world, OvercookedWorld)
    yield Check(name="soups", subject=EPISODE, value=evidence.final.delivered)
    counts = []
    for number, name in enumerate(world.workers):
        deeds: Counter[str] = Counter()
        idle = blocked = 0
        for frame in evidence.frames:
            act, deed = frame.after.acts[number], frame.after.deeds[number]
            if deed is not None:
                deeds[deed] += 1
            elif act in (STAY, INTERACT):
                idle += 1
            before, after = world.sight(frame.before, number), world.sight(frame.after, number)
            blocked += is_blocked(before, after, act)
        yield Check(name="delivered", subject=name, value=deeds["deliver soup"])
        yield Check(name="idle", subject=name, value=idle)
        yield Check(name="blocked", subject=name, value=blocked)
        each = ", ".join(f"{deed}: {count}" for deed, count in sorted(deeds.items()))
        yield Check(name="deeds", subject=name, value=deeds.total(), evidence=each)
        counts.append(deeds.total())
    balance = min(counts) / max(counts) if max(counts) else 1.0
    yield Check(name="balance", subject=EPISODE, value=round(balance, 4))


class OvercookedJudging(Judging):
    """The judging of Overcooked-AI by points, and by how the cooks came to them."""

    evaluators: Mapping[str, Evaluator] = {**Judging.evaluators, "shares": cook_shares}
    primary = "score"
    columns = (
        replace(SUCCESS, optional=True),
        *GRADES,
        column_of_values("soups", "soups", better="more"),
        column_of_values("idle", "idle", " timesteps", better="less"),
        column_of_values("blocked", "blocked", " timesteps", better="less"),
        column_of_values("balance", "balance", digits=2, better="more"),
        *TALK,
        *CALLS,
    )
    measures = (
        Measure(name="soups", measured_in="soups"),
        Measure(name="balance", measured_in="share"),
        Measure(name="delivered", of=True, better="more", measured_in="soups"),
        Measure(name="idle", unit="timesteps", of=True),
        Measure(name="blocked", unit="timesteps", of=True),
        Measure(name="deeds", of=True, measured_in="interactions"),
        *Judging.measures,
    )


JUDGING = OvercookedJudging()
