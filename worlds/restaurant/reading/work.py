"""What happens to things in the telling: one operation each, by what the process does to food."""

from __future__ import annotations

from collections.abc import Sequence

from kitchen.layout import ASSEMBLE
from worlds.restaurant.reading.discourse import (
    COOKING,
    KNIFE,
    MIXER,
    VESSEL,
    Bond,
    Step,
    Thing,
    dissolved,
    tops,
)


def worked(
    process: str, things: Sequence[Thing], *, earlier: bool, apart: bool
) -> tuple[list[Thing], list[Step]]:
    """Do `process` to `things`. Returns what they are then, and the steps that were done."""
    if process in KNIFE:
        return _cut(process, things, earlier=earlier)
    if process in MIXER:
        return _mixed(process, things, earlier=earlier)
    if process in VESSEL:
        return _in_vessel(process, things, earlier=earlier, apart=apart)
    return _in_appliance(process, things, earlier=earlier)


def _cut(process: str, things: Sequence[Thing], *, earlier: bool) -> tuple[list[Thing], list[Step]]:
    foods: list[Thing] = []
    for thing in things:
        if thing.tentative or (thing.bond == "vessel" and not thing.steps):
            foods += [part for part in thing.parts if not part.parts]
        elif not thing.parts:
            foods.append(thing)
    return list(things), [food.add_step(process, earlier=earlier) for food in foods]


def _blended(parts: Sequence[Thing]) -> Thing:
    """A mixture that has just been named as made of `parts`."""
    mixture = Thing(bond="mixed", used=True)
    mixture.adopt(parts)
    return mixture


def mixture_of(parts: Sequence[Thing], process: str) -> Thing:
    """`a batter of flour and milk`: mixed, in a way that is still to be told."""
    mixture = _blended(dissolved(tops(parts)))
    mixture.add_step(process, earlier=False).soft = True
    return mixture


def _mixed(
    process: str, things: Sequence[Thing], *, earlier: bool
) -> tuple[list[Thing], list[Step]]:
    for thing in things:
        if thing.bond == "mixed" and len(thing.steps) == 1 and thing.steps[0].soft:
            thing.steps[0].process = process
    whole = [thing for thing in things if any(_is_done(process, t) for t in _up(thing))]
    if whole:
        done = next(t for t in _up(whole[0]) if _is_done(process, t))
        fresh = [t for t in tops(things) if t is not done.top()]
        if not fresh:
            step = done.step_of(process)
            return [done], [step] if step else []
        done_step = done.step_of(process)
        if done_step is not None and not done_step.told and len(done.steps) == 1:
            done.adopt(dissolved(fresh))
            return [done], [done_step]
    single = tops(things) if len(things) > 1 or not things[0].used else [_reach(things[0])]
    if len(single) == 1 and not single[0].tentative:
        thing = single[0]
        if not thing.parts and process == "mix" and not thing.steps and thing.bond != "open":
            return [thing], []
        return [thing], [thing.add_step(process, earlier=earlier)]
    parts = dissolved(single)
    mixture = Thing(bond="mixed", used=True)
    pending = _taken_over(parts) if earlier else []
    for thing in single:
        mixture.labels |= thing.labels if thing.tentative or thing.bond == "open" else set()
    mixture.adopt(parts)
    mixed = mixture.add_step(process, earlier=False)
    mixture.steps += pending
    return [mixture], [mixed]


def _taken_over(parts: Sequence[Thing]) -> list[Step]:
    """Steps named before the mixing they come after: `fry eggs that have been beaten`."""
    pending: list[Step] = []
    for part in parts:
        last = part.steps[-1] if part.steps else None
        if last is not None and last.process in COOKING and not last.told:
            pending.append(part.steps.pop())
    return pending[:1]


def _up(thing: Thing) -> list[Thing]:
    chain = [thing]
    while chain[-1].parent is not None:
        chain.append(chain[-1].parent)
    return chain


def _is_done(process: str, thing: Thing) -> bool:
    return bool(thing.parts) and thing.step_of(process) is not None


def _reach(thing: Thing) -> Thing:
    return thing.top()


def _in_vessel(
    process: str, things: Sequence[Thing], *, earlier: bool, apart: bool
) -> tuple[list[Thing], list[Step]]:
    things = _cooked_things(process, things)
    if len(things) > 1 and not apart:
        vessel = next((t for t in things if t.bond == "vessel" and not t.steps
                       and _process_of(t) == process), None)  # fmt: skip
        if vessel is None:
            vessel = Thing(bond="vessel", used=True)
        parts = [
            part for thing in things if thing is not vessel
            for part in (thing.parts if _is_pool(thing, process) else dissolved([thing]))
        ]  # fmt: skip
        for part in parts:
            part.add_step(process, earlier=False)
        vessel.adopt(parts)
        return [vessel], [part.add_step(process, earlier=False) for part in vessel.parts]
    steps: list[Step] = []
    results: list[Thing] = []
    for thing in things:
        if thing.tentative and thing.bond != "coated":
            vessel = Thing(bond="vessel", used=True, labels=set(thing.labels))
            parts = dissolved([thing])
            for part in parts:
                part.add_step(process, earlier=False)
            vessel.adopt(parts)
            thing = vessel
        elif thing.tentative:
            thing.add_step(ASSEMBLE, earlier=False)
        if thing.bond == "vessel" and _process_of(thing) in (process, None):
            steps += [part.add_step(process, earlier=False) for part in thing.parts]
        else:
            steps.append(thing.add_step(process, earlier=earlier))
        results.append(thing)
    return results, steps


def _is_pool(thing: Thing, process: str) -> bool:
    return thing.bond == "vessel" and not thing.steps and _process_of(thing) == process


def _process_of(vessel: Thing) -> str | None:
    """The process that the parts of a vessel share."""
    return next((part.steps[-1].process for part in vessel.parts if part.steps), None)


def _cooked_things(process: str, things: Sequence[Thing]) -> list[Thing]:
    """What is meant by the named things when they are cooked."""
    found: list[Thing] = []
    for thing in things:
        meant = _cooked_thing(process, thing)
        if meant not in found:
            found.append(meant)
    return found


def _cooked_thing(process: str, thing: Thing) -> Thing:
    for outer in _up(thing)[1:]:
        if outer.bond == "vessel" and not outer.steps and outer.parent is None:
            return thing
        if outer.bond == "coated" and outer.tentative:
            return outer.top()
        if outer.bond == "mixed" and not thing.steps and outer.step_of(process):
            return outer
    return thing


def _in_appliance(
    process: str, things: Sequence[Thing], *, earlier: bool
) -> tuple[list[Thing], list[Step]]:
    results = _cooked_things(process, things)
    steps: list[Step] = []
    for thing in results:
        if thing.tentative:
            thing.add_step(ASSEMBLE, earlier=False)
        steps.append(thing.add_step(process, earlier=earlier))
    return results, steps


def joined(things: Sequence[Thing], bond: Bond) -> Thing:
    """Lay things together: a tentative whole, which lasts only if something is done to it."""
    outer = tops(things)
    base = next((thing for thing in outer if thing.tentative), None)
    if base is None:
        base = next((t for t in outer if t.bond == "open" and t.steps and not t.parts), None)
    if base is None:
        base = Thing(bond=bond, used=True)
    elif base.bond == "open" or bond == "coated":
        base.bond = "coated"
        if base.steps and base.steps[0].process in COOKING:
            base.steps.insert(0, Step(ASSEMBLE))
    base.adopt(dissolved([thing for thing in outer if thing is not base]))
    base.used = True
    return base


def pooled(vessel: Thing, things: Sequence[Thing], process: str) -> list[Step]:
    """Put things into a vessel in which others cook already. Returns their own steps."""
    fresh = dissolved([t for t in tops(things) if t is not vessel.top()])
    steps = [thing.add_step(process, earlier=False) for thing in fresh]
    vessel.adopt(fresh)
    return steps
