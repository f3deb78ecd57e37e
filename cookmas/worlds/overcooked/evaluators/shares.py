"""What each cook has done of the work: its interactions, and the timesteps that it lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cookmas.evals.evidence import Evidence
from cookmas.evals.verdict import EPISODE, Check
from cookmas.worlds.overcooked.grounding import is_blocked
from cookmas.worlds.overcooked.kitchen import INTERACT, STAY
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
            before, after = frame.before.scene, frame.after.scene
            blocked += is_blocked(world.kitchen, before, after, number, act)
        yield Check(name="delivered", subject=name, value=deeds["deliver soup"])
        yield Check(name="idle", subject=name, value=idle)
        yield Check(name="blocked", subject=name, value=blocked)
        each = ", ".join(f"{deed}: {count}" for deed, count in sorted(deeds.items()))
        yield Check(name="deeds", subject=name, value=deeds.total(), evidence=each)
        counts.append(deeds.total())
    balance = min(counts) / max(counts) if max(counts) else 1.0
    yield Check(name="balance", subject=EPISODE, value=round(balance, 4))
