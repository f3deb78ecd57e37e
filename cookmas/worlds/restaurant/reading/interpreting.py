"""The interpreter of events: it updates the discourse with work, joining, names and times.

The module `cooking` interprets cooking and adding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cookmas.worlds.restaurant.reading.cooking import add, heat, set_batch_times
from cookmas.worlds.restaurant.reading.discourse import Discourse, FoodNode, ProcessingStep
from cookmas.worlds.restaurant.reading.referring import foods_of_remark, resolve
from cookmas.worlds.restaurant.reading.values import HEAT, MIXING, PREP, Event

LONG = 4
"""A time belongs to work in another sentence only if it is at most this long, in minutes."""


def interpret(discourse: Discourse, event: Event, upcoming: Event | None = None) -> None:
    """Update the discourse with an event; `upcoming` is the event after it."""
    discourse.upcoming = upcoming
    if event.jump:
        discourse.set_focus(
            *discourse.stations.get(event.jump, (discourse.focus, discourse.targets))
        )
        return
    if discourse.place is not None and event.sentence > discourse.place.sentence + 1:
        discourse.place = None
    if event.has("aside"):
        discourse.aside = event
        return
    {
        "work": work, "heat": heat, "join": join, "add": add, "name": name, "serve": name,
        "drop": Discourse.drop, "uncut": Discourse.uncut, "time": time,
    }[event.kind](discourse, event)  # fmt: skip
    discourse.worked = event if event.kind == "work" else discourse.worked
    discourse.previous, discourse.aside = event, None
    discourse.stations[event.step] = (discourse.focus, discourse.targets)


def name(discourse: Discourse, event: Event) -> None:
    """Interpret foods that are mentioned without a verb, by their context."""
    named = [n for n in resolve(discourse, event.foods, event) if n.kind != "announced"]
    if named:
        told = event.kind == "name" and _continue_list(discourse, event, named)
        if told or event.has("while"):
            return
        discourse.set_focus(named)
    time(discourse, event)


def _continue_list(discourse: Discourse, event: Event, named: list[FoodNode]) -> bool:
    """Apply the preceding statement to further foods; return whether there was one to apply."""
    roles = {ref.role for ref in event.foods}
    open_ = [step for node in named for step in node.steps[:1]]
    place = discourse.place
    if place is not None:
        told = replace(event, kind="heat", process=place.process, span=event.span or place.span)
        heat(discourse, told)
        discourse.place = place
        return True
    if event.span is not None and roles == {"for"}:
        discourse.set_focus(named, open_)  # `two minutes for the potatoes`
        time(discourse, event)
        return True
    if roles == {"on"} and not event.span:
        return True
    again = _repeat_event(discourse, event, named, together=event.has("and") or roles == {"with"})
    if again is not None:
        interpret(discourse, again, discourse.upcoming)
    return again is not None


def _repeat_event(
    discourse: Discourse, event: Event, named: list[FoodNode], *, together: bool
) -> Event | None:
    """Return the preceding event with other foods, as in `same with`.

    `together` says that `and` or `with` joins the foods to those of the preceding event. Returns
    None if no preceding event can apply to these foods.
    """
    last, done, soon = discourse.previous, discourse.worked, discourse.upcoming
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


def time(discourse: Discourse, event: Event) -> None:
    """Assign a time or level without a verb to the last step that lacks one."""
    _level(discourse, event)
    if event.span is None:
        return
    for node in discourse.focus:
        node.asked = False
    if discourse.focus == [discourse.group]:
        discourse.focus[0].assembly().span = event.span
        return
    heats = [step for node in discourse.focus if (step := node.heat())]
    if event.span.extent in ("last", "more") and not heats and discourse.batches:
        add(discourse, replace(event, kind="add", foods=(), others=()))
        return
    last = [step for node in discourse.focus for step in node.steps[-1:]]
    targets = discourse.targets or heats or last
    if all(step.process not in HEAT and step.sentence != event.sentence for step in targets):
        # a longer time belongs to cooking
        cut = targets if event.span.low <= LONG else []
        targets = [step for step in heats if step.batch and not step.batch.timed] or cut
    if not targets:
        discourse.waiting.append((discourse.focus, event))
    elif not set_batch_times(discourse, targets, replace(event, level=""), discourse.focus):
        for step in targets:
            step.span = event.span


def _level(discourse: Discourse, event: Event) -> None:
    for node in discourse.focus:
        ways = discourse.processes_for(node, event.level)
        batches = [step.batch for way in ways if (step := node.find(way)) and step.batch]
        if batches and (not batches[0].level or event.has("corrects")):
            batches[0].level = event.level
        elif ways and not batches:
            discourse.waiting.append(([node], replace(event, span=None)))


def work(discourse: Discourse, event: Event) -> None:
    """Apply work by hand or machine to foods."""
    named = resolve(discourse, event.foods, event)
    if event.process in MIXING:
        _mix(
            discourse,
            event,
            [*(named or discourse.focus), *resolve(discourse, event.others, event)],
        )
        return
    nodes = named or discourse.focus or foods_of_remark(discourse, event)
    nodes = [node for node in nodes if node.name not in discourse.lexicon.sets["uncut"]]
    if not nodes:
        discourse.objectless += [event] if event.foods else []
        return
    last = discourse.previous
    if event.has("likewise") and last is not None and last.kind == "work":
        event = replace(event, span=event.span or last.span)
    steps = [_prepare_step(part, event) for node in nodes for part in _cuttable(node, event)]
    if not event.has("attribute"):
        discourse.set_focus(nodes, steps)


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


def _mix(discourse: Discourse, event: Event, nodes: Sequence[FoodNode]) -> None:
    """Mix the given nodes into one."""
    tops = list(dict.fromkeys(node.top() for node in nodes))
    if len(tops) == 1:
        tops = _find_near_foods(discourse, event) or tops
    if not tops:
        discourse.objectless.append(event)
    elif len(tops) == 1:
        _mix_one(discourse, event, tops[0])
    else:
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
        discourse.set_focus([mix], mix.steps[-1:])


def _find_near_foods(discourse: Discourse, event: Event) -> list[FoodNode]:
    """Return the foods that were mentioned shortly before, as partners for a food to be mixed."""
    for since in (event.sentence, event.sentence - 1):
        near = [node.top() for node in discourse.nodes if node.said >= since and not node.heat()]
        if len(set(near)) > 1:
            return list(dict.fromkeys(near))
    return []


def _mix_one(discourse: Discourse, event: Event, top: FoodNode) -> None:
    """Mix, blend or knead a single node; a group becomes one item by this."""
    known = top.find(event.process)
    if event.has("stir") and (top.kind == "batch" or top.heat() is not None):
        return
    top.united = True
    if known is not None:
        known.words.append(event.words)
        known.span = event.span or known.span
    else:
        known = ProcessingStep(event.process, [event.words], event.sentence, span=event.span)
        top.steps.append(known)
    discourse.set_focus([top], [known])


def join(discourse: Discourse, event: Event) -> None:
    """Put foods together in a group, which becomes one item only if it is cooked or worked on."""
    named = resolve(discourse, event.foods, event)
    others = resolve(discourse, event.others, event)
    coat, group = event.has("coat"), discourse.group
    if group is None or any(ref.kind != "pronoun" for ref in (*event.foods, *event.others)):
        joined = dict.fromkeys([*(named or discourse.focus), *(others or discourse.focus)])
        if group is None or (coat and not any(group in (n, n.top()) for n in joined)):
            if len({node.top() for node in joined}) < 2 and not event.has("dish"):
                discourse.focus = list(joined) or discourse.focus
                return
            group = discourse.mention(FoodNode("group", sentence=event.sentence, coat=coat))
        group.words.append(event.words)
        group.take(node.top() for node in joined)
    discourse.set_focus([group])
    if event.span is not None:
        group.assembly().span = event.span
