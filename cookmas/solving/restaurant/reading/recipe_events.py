"""The interpreter of events: each fills the discourse, and leads from one moment to the next.

This module interprets work, joining, names and times, the module `cooking` cooking and adding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cookmas.solving.restaurant.reading.cooking import add, heat, set_batch_times
from cookmas.solving.restaurant.reading.discourse import (
    Discourse,
    FoodNode,
    Moment,
    ProcessingStep,
    foods_of_remark,
    resolve,
)
from cookmas.solving.restaurant.reading.values import HEAT, MIXING, PREP, Event

LONG = 4
"""A time belongs to work in another sentence only if it is at most this long, in minutes."""


def interpret(discourse: Discourse, events: Sequence[Event]) -> None:
    """Fill a discourse with what the events state."""
    now = Moment()
    for event, upcoming in zip(events, [*events, None][1:], strict=True):
        now = _interpret_one(discourse, now._replace(upcoming=upcoming), event)
    _settle(discourse, now)
    for group in [node for node in discourse.nodes if node.is_loose]:
        _take_apart(group)


def _interpret_one(discourse: Discourse, now: Moment, event: Event) -> Moment:
    if event.jump:
        return now.turn_to(*now.stations.get(event.jump, (now.focus, now.targets)))
    if now.place is not None and event.sentence > now.place.sentence + 1:
        now = now._replace(place=None)
    if event.has("aside"):
        return now._replace(aside=event)
    now = {
        "work": work, "heat": heat, "join": join, "add": add, "name": name, "serve": name,
        "drop": drop, "uncut": uncut, "time": time,
    }[event.kind](discourse, now, event)  # fmt: skip
    return now._replace(
        worked=event if event.kind == "work" else now.worked,
        aside=None,
        previous=event,
        stations={**now.stations, event.step: (now.focus, now.targets)},
    )


def _settle(discourse: Discourse, now: Moment) -> None:
    """Assign the minutes and levels that do not belong to any cooking step yet.

    Minutes without a food belong to the group. A level implies its process if only one is possible.
    """
    for nodes, event in list(discourse.waiting):
        told = replace(event, kind="heat", foods=(), others=(), cues=frozenset())
        if event.kind == "heat" and not nodes and discourse.group is not None:
            now = heat(discourse, now.turn_to([discourse.group]), told)
        for node in nodes:
            ways = discourse.processes_for(node, event.level)
            if len(ways) == 1 and node.heat() is None:
                now = heat(discourse, now.turn_to([node]), replace(told, process=ways[0]))


def _take_apart(group: FoodNode) -> None:
    """Dissolve a group that is merely put together: its parts are served separately."""
    for part in group.parts:
        part.within = group.within
    if group.within is not None:
        group.within.parts += group.parts
    group.parts = []


def name(discourse: Discourse, now: Moment, event: Event) -> Moment:
    """Interpret foods that are mentioned without a verb, by their context."""
    named = [n for n in resolve(discourse, now, event.foods, event) if n.kind != "announced"]
    if named:
        told = _continue_list(discourse, now, event, named) if event.kind == "name" else None
        if told is not None or event.has("while"):
            return told or now
        now = now.turn_to(named)
    return time(discourse, now, event)


def _continue_list(
    discourse: Discourse, now: Moment, event: Event, named: list[FoodNode]
) -> Moment | None:
    """Apply the preceding statement to further foods; return None if there was none to apply."""
    roles = {ref.role for ref in event.foods}
    open_ = [step for node in named for step in node.steps[:1]]
    place = now.place
    if place is not None:
        told = replace(event, kind="heat", process=place.process, span=event.span or place.span)
        return heat(discourse, now, told)._replace(place=place)
    if event.span is not None and roles == {"for"}:
        return time(discourse, now.turn_to(named, open_), event)  # `two minutes for the potatoes`
    if roles == {"on"} and not event.span:
        return now
    together = event.has("and") or roles == {"with"}
    again = _repeat_event(discourse, now, event, named, together=together)
    return None if again is None else _interpret_one(discourse, now, again)


def _repeat_event(
    discourse: Discourse, now: Moment, event: Event, named: list[FoodNode], *, together: bool
) -> Event | None:
    """Return the preceding event with other foods, as in `same with`.

    `together` says that `and` or `with` joins the foods to those of the preceding event. Returns
    None if no preceding event can apply to these foods.
    """
    last, done, soon = now.previous, now.worked, now.upcoming
    if last is not None and event.has("likewise") and last.kind in ("work", "heat"):
        return replace(last, words=event.words, foods=event.foods, span=event.span or last.span)
    if event.has("on") and discourse.group is not None:
        return replace(event, kind="join").with_cues("build")
    joined = last is not None and (last.kind == "join" or last.process in MIXING)
    near = last is not None and last.sentence == event.sentence
    if last is not None and joined and near and (together or event.has("afterwards")):
        return replace(last, foods=(), others=event.foods, span=event.span)
    if done is not None and done.sentence == event.sentence and done.process in PREP:
        timed = event.span is not None or (soon is not None and soon.kind == "time")
        if timed and not any(node.find(done.process) for node in named):
            return replace(done, words=event.words, foods=event.foods, span=event.span)
    return None


def time(discourse: Discourse, now: Moment, event: Event) -> Moment:
    """Assign a time or level without a verb to the last step that lacks one."""
    _level(discourse, now, event)
    if event.span is None:
        return now
    for node in now.focus:
        node.asked = False
    if now.focus == (discourse.group,):
        now.focus[0].assembly().span = event.span
        return now
    heats = [step for node in now.focus if (step := node.heat())]
    if event.span.extent in ("last", "more") and not heats and discourse.batches:
        return add(discourse, now, replace(event, kind="add", foods=(), others=()))
    last = [step for node in now.focus for step in node.steps[-1:]]
    targets = now.targets or heats or last
    if all(step.process not in HEAT and step.sentence != event.sentence for step in targets):
        # a longer time belongs to cooking
        cut = targets if event.span.low <= LONG else []
        targets = [step for step in heats if step.batch and not step.batch.timed] or cut
    if not targets:
        discourse.waiting.append((now.focus, event))
    elif not set_batch_times(targets, replace(event, level=""), now.focus):
        for step in targets:
            step.span = event.span
    return now


def _level(discourse: Discourse, now: Moment, event: Event) -> None:
    for node in now.focus:
        ways = discourse.processes_for(node, event.level)
        batches = [step.batch for way in ways if (step := node.find(way)) and step.batch]
        if batches and (not batches[0].level or event.has("corrects")):
            batches[0].level = event.level
        elif ways and not batches:
            discourse.waiting.append(((node,), replace(event, span=None)))


def work(discourse: Discourse, now: Moment, event: Event) -> Moment:
    """Apply work by hand or machine to foods."""
    named = resolve(discourse, now, event.foods, event)
    if event.process in MIXING:
        others = resolve(discourse, now, event.others, event)
        return _mix(discourse, now, event, [*(named or now.focus), *others])
    nodes = named or now.focus or foods_of_remark(discourse, now, event)
    nodes = [node for node in nodes if node.name not in discourse.lexicon.sets["uncut"]]
    if not nodes:
        discourse.objectless.extend([event] if event.foods else [])
        return now
    last = now.previous
    if event.has("likewise") and last is not None and last.kind == "work":
        event = replace(event, span=event.span or last.span)
    steps = [_prepare_step(part, event) for node in nodes for part in _cuttable(node, event)]
    return now if event.has("attribute") else now.turn_to(nodes, steps)


def _cuttable(node: FoodNode, event: Event) -> Sequence[FoodNode]:
    """Return the foods that a knife is applied to.

    If several foods are put together or mixed, the knife is applied to the one mentioned last.
    """
    if node.is_loose or (node.kind == "mix" and event.has("past")):
        return [max(node.leaves(), key=lambda leaf: leaf.last, default=node)]
    return [] if event.process == "cut" and node.kind in ("group", "mix") else [node]


def _prepare_step(node: FoodNode, event: Event) -> ProcessingStep:
    """Return the step of cutting or peeling a node.

    It is an earlier step, which the event refines, or else a new one.
    """
    process, early, cuts = event.process, _is_early(node, event), PREP - {"peel"} | {"cut"}
    for step in node.steps:
        free = step.only_mentioned or event.has("corrects") or "cut" in (process, step.process)
        same = step.process == process or (free and {process, step.process} <= cuts)
        if same and (process == "cut" or early or node.heat() is None):
            step.process = step.process if process == "cut" else process
            step.words.append(event.words)
            step.span = event.span or step.span
            return step
    only_mentioned = event.has("attribute")
    step = ProcessingStep(
        process, [event.words], event.sentence, span=event.span, only_mentioned=only_mentioned
    )
    node.insert(step, early=early)
    return step


def _is_early(node: FoodNode, event: Event) -> bool:
    """Return whether work that is stated after a cooking step was done before that step."""
    heat = node.heat()
    if heat is None or heat.batch is None:
        return event.process == "peel"
    untold = not heat.batch.timed and not heat.batch.level
    elsewhere = heat.sentence != event.sentence and not event.has("base")
    shared = len(heat.batch.members) > 1 or elsewhere
    return event.has("earlier") or untold or (shared and not event.has("afterwards"))


def _mix(discourse: Discourse, now: Moment, event: Event, nodes: Sequence[FoodNode]) -> Moment:
    """Mix the given nodes into one."""
    tops = list(dict.fromkeys(node.top() for node in nodes))
    if len(tops) == 1:
        tops = _find_near_foods(discourse, event) or tops
    if not tops:
        discourse.objectless.append(event)
        return now
    if len(tops) == 1:
        return _mix_one(now, event, tops[0])
    mixes = (top for top in tops if top.kind == "mix" and top.sentence >= event.sentence - 1)
    mix = next(mixes, None)
    if mix is None:
        for top in tops:  # a food that was beaten alone is not mixed twice
            if top.kind == "food" and top.steps and top.steps[-1].process == event.process:
                event = replace(event, span=event.span or top.steps.pop().span)
        mix = FoodNode("mix", sentence=event.sentence, words=[event.words])
        mix.steps.append(
            ProcessingStep(event.process, [event.words], event.sentence, span=event.span)
        )
    mix.take(tops)
    discourse.register_mixed(mix)
    return now.turn_to([mix], mix.steps[-1:])


def _find_near_foods(discourse: Discourse, event: Event) -> list[FoodNode]:
    """Return the foods that were mentioned shortly before, as partners for a food to be mixed."""
    for since in (event.sentence, event.sentence - 1):
        near = [node.top() for node in discourse.nodes if node.said >= since and not node.heat()]
        if len(set(near)) > 1:
            return list(dict.fromkeys(near))
    return []


def _mix_one(now: Moment, event: Event, top: FoodNode) -> Moment:
    """Mix, blend or knead a single node; a group becomes one item by this."""
    known = top.find(event.process)
    if event.has("stir") and (top.kind == "batch" or top.heat() is not None):
        return now
    top.united = True
    if known is not None:
        known.words.append(event.words)
        known.span = event.span or known.span
    else:
        known = ProcessingStep(event.process, [event.words], event.sentence, span=event.span)
        top.steps.append(known)
    return now.turn_to([top], [known])


def join(discourse: Discourse, now: Moment, event: Event) -> Moment:
    """Put foods together in a group, which becomes one item only if it is cooked or worked on."""
    named = resolve(discourse, now, event.foods, event)
    others = resolve(discourse, now, event.others, event)
    coat, group = event.has("coat"), discourse.group
    if group is None or any(ref.kind != "pronoun" for ref in (*event.foods, *event.others)):
        joined = dict.fromkeys([*(named or now.focus), *(others or now.focus)])
        if group is None or (coat and not any(group in (n, n.top()) for n in joined)):
            if len({node.top() for node in joined}) < 2 and not event.has("dish"):
                return now.look_at(joined or now.focus)
            group = discourse.mention(FoodNode("group", sentence=event.sentence, coat=coat))
        group.words.append(event.words)
        group.take(node.top() for node in joined)
    if event.span is not None:
        group.assembly().span = event.span
    return now.turn_to([group])


def drop(discourse: Discourse, now: Moment, event: Event) -> Moment:
    """Remove foods that the text says are not in the dish."""
    discourse.dropped.update(ref.value for ref in event.foods if ref.kind == "food")
    gone = [node for food, node in discourse.foods.items() if food in discourse.dropped]
    gone += now.focus[-1:] if event.has("focus") else ()
    gone = [n for n in gone if n.kind == "food" and not n.steps and n.within is None]
    for node in gone:
        discourse.withdraw(node)
    return now.look_at(node for node in now.focus if node not in gone)


def uncut(discourse: Discourse, now: Moment, event: Event) -> Moment:
    """Remove the denied process, by default peeling, from uncooked foods in focus."""
    denied = event.process or "peel"
    for node in now.focus:
        node.asked = False
        if node.heat() is None:
            node.steps = [step for step in node.steps if step.process != denied]
    return now
