"""Interpretation of cooking: which foods share a pan or pot, and for how many minutes.

Foods that cook in one place form a batch (`discourse.Batch`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cookmas.solving.restaurant.reading.discourse import (
    Batch,
    BatchEntry,
    Discourse,
    FoodNode,
    Moment,
    ProcessingStep,
    resolve,
)
from cookmas.solving.restaurant.reading.values import HEAT, JOINING, MIXING, Event, Span


def heat(discourse: Discourse, now: Moment, event: Event) -> Moment:
    """Apply a cooking event to its foods; if the foods are not stated yet, remember the event."""
    soon = now.upcoming
    listed = soon is not None and sum(ref.kind != "pronoun" for ref in soon.foods) > 1
    if listed and {ref.value for ref in event.foods} == {"all"}:
        return now._replace(place=event)  # `all goes in the pan: ...`
    named = resolve(discourse, now, event.foods, event)
    others = resolve(discourse, now, event.others, event)
    nodes = named or [node for node in now.focus if node not in others]
    if event.process == "cook":
        heats = [step for node in nodes if (step := node.top().heat() or node.heat())]
        if not heats:
            discourse.waiting.append((tuple(nodes), event))
            return now.look_at(nodes)
        event = replace(event, process=heats[-1].process)
    only_announced = bool(named) and all(node.kind == "announced" for node in named)
    if only_announced or not (nodes or others):
        discourse.waiting.extend([((), event)] if event.span is not None else [])
        return now._replace(place=event)
    known = not named or any(node.kind != "food" or node.heat() for node in nodes)
    if known and event.has("while", "ing") and not event.span and not event.level:
        return now
    return _cook(discourse, now._replace(place=None), event, nodes, others)


def _cook(
    discourse: Discourse, now: Moment, event: Event, nodes: list[FoodNode], others: list[FoodNode]
) -> Moment:
    process = event.process
    early = event.has("earlier", "while")
    told = any(ref.kind != "pronoun" for ref in event.foods)
    subjects = _subjects(nodes, alone=told or early)
    company = _subjects(others, alone=True)
    whole = next(
        (b for b in discourse.batches if subjects == [b.node] and b.process == process), None
    )
    subjects = list(whole.members) if whole is not None else subjects
    for node in subjects if event.has("instead") else ():
        node.steps = [step for step in node.steps if step.process not in HEAT]
    steps = [step for node in subjects if (step := node.find(process)) and step is node.heat()]
    if len(steps) == len(subjects) and not company:
        for step in steps:
            step.words.append(event.words)
        set_batch_times(steps, event, nodes)
        return now
    if process not in JOINING and len(subjects) + len(company) > 1:
        for node in (*subjects, *company):
            now = heat(discourse, now.look_at([node]), replace(event, foods=(), others=()))
        return now.look_at([*subjects, *company])
    batch = _batch_for(discourse, event, company)
    return _cook_together(discourse, now, event, [*subjects, *company], batch, early=early)


def _subjects(nodes: Sequence[FoodNode], *, alone: bool) -> list[FoodNode]:
    """Return the nodes to cook, each once. Food is cooked with its coating, and a group as a whole.

    If `alone`, a food stands for itself. Otherwise it may stand for the node that contains it.
    """
    out: list[FoodNode] = []
    for node in nodes:
        top = node.top()
        coated = top.coat and top.parts[:1] == [node]
        itself = node.kind == "food" and not coated and (alone or top.kind == "mix")
        out.append(node if itself else top)
        if out[-1].is_loose:
            out[-1].united = True
            out[-1].assembly()
    return list(dict.fromkeys(out))


def _cook_together(
    discourse: Discourse,
    now: Moment,
    event: Event,
    nodes: list[FoodNode],
    batch: Batch | None,
    *,
    early: bool = False,
) -> Moment:
    """Cook foods in one place: in the given batch, or in a new one.

    If `early`, this cooking comes before the other cooking of the foods.
    """
    fresh = batch is None
    if batch is None:
        batch = Batch(event.process, event.sentence)
        discourse.batches.append(batch)
    entry = BatchEntry(0) if fresh else enter(batch, event.span)
    steps = []
    for node in nodes:
        known = batch.members.get(node)
        if known is not None and event.kind == "add":
            known.own = entry.own or known.own
        elif known is None and node is not batch.node:
            steps.append(ProcessingStep(batch.process, [event.words], event.sentence))
            batch.admit(node, steps[-1], replace(entry), early=early)
    set_batch_time(batch, event if fresh else replace(event, span=None), nodes)
    if batch.node is not None:
        discourse.register_mixed(batch.node)
    for waiting, told in list(discourse.waiting):
        near = not waiting and told.sentence >= batch.sentence - 1
        if near or any(node in batch.members for node in waiting):
            set_batch_time(batch, told, waiting)
            discourse.waiting.remove((waiting, told))
    return now.turn_to(nodes, steps or now.targets)


def batch_of(discourse: Discourse, node: FoodNode) -> Batch | None:
    """Return the latest batch that a node cooks in, or whose product the node is or belongs to.

    The product is the node that the foods of a batch become. Returns None if there is no such
    batch.
    """
    own = (b for b in reversed(discourse.batches) if node in b.members or b.node is node.top())
    return next(own, None)


def _batch_for(discourse: Discourse, event: Event, company: list[FoodNode]) -> Batch | None:
    """Return the batch that foods join; None if they begin a new one.

    `company` has the foods with which the event joins them.
    """
    found = [batch for node in company if (batch := batch_of(discourse, node))]
    if event.has("same", "add"):
        found += reversed(discourse.batches)
    joined = (batch for batch in found if batch.process == event.process in JOINING)
    return next(joined, None)


def enter(batch: Batch, span: Span | None) -> BatchEntry:
    """Return in which phase foods join a batch now, and the minutes that are theirs alone, if any.

    `span` has the minutes that the text states for them; these may begin a new phase of the batch.
    """
    phase = len(batch.phases) if batch.timed else len(batch.phases) - 1
    if span is None:
        own, batch.rest = batch.rest, None
        return BatchEntry(phase, own)
    if span.extent == "last":
        return BatchEntry(phase, span)
    if span.extent == "after":
        batch.phases = [span, None]
    else:
        batch.phases.append(span)
    return BatchEntry(len(batch.phases) - 1)


def set_batch_time(batch: Batch, event: Event, nodes: Sequence[FoodNode]) -> None:
    """Apply what an event of the recipe states to a batch: the level of doneness, and the minutes,
    which may be those of some members only.
    """
    batch.level = batch.level or event.level
    span, whole = event.span, batch.phases[-1]
    if span is None:
        return
    some = [node for node in nodes if node in batch.members]
    part = bool(some) and len(some) < len(batch.members)
    entries = batch.members.values()
    opens = any(entry.own is None and entry.phase >= len(batch.phases) for entry in entries)
    if span.extent == "plain" and any(told and told[:2] == span[:2] for told in batch.phases):
        return
    if span.extent == "plain" and whole is not None and part:
        for node in some:
            batch.members[node].own = span
    elif span.extent == "last" and (len(batch.members) > 1 or not some):
        for node in some if part else list(batch.members)[-1:]:
            batch.members[node].own = span
    elif span.extent == "after" and whole is not None:
        low, high = whole.low - span.low, whole.high - span.high
        batch.rest = span._replace(low=low, high=max(low, high)) if low > 0 else None
    elif span.extent == "after":
        batch.phases = [*batch.phases[:-1], span, None]
    elif opens or (span.extent == "more" and whole is not None):
        batch.phases.append(span)
    elif whole is None or event.has("corrects") or span.extent == "last":
        batch.phases[-1] = span


def set_batch_times(
    steps: Sequence[ProcessingStep], event: Event, nodes: Sequence[FoodNode]
) -> list[Batch]:
    """Apply the minutes and level of an event to the batches of steps; return the batches."""
    batches = list(dict.fromkeys(step.batch for step in steps if step.batch is not None))
    for batch in batches:
        set_batch_time(batch, event, nodes)
    return batches


def add(discourse: Discourse, now: Moment, event: Event) -> Moment:
    """Add foods to others: into their batch, into their mixture, or on top of them."""
    others = resolve(discourse, now, event.others, event)
    named = resolve(discourse, now, event.foods, event)
    if named and all(node.kind == "announced" for node in named):
        return now
    rest = [node for node in (others or now.focus) if node not in named]
    if named and rest and not event.has("bowl", "plate"):
        discourse.added.append((named, rest))
    soon = now.upcoming
    if named and event.span is None and soon is not None and soon.process in MIXING:
        return now.turn_to(dict.fromkeys([*now.focus, *others, *named]))
    subjects = [node for node in (named or now.focus) if node not in others]
    mix = next((n for node in others for n in node.list_containers() if n.kind == "mix"), None)
    batch = next((found for node in others if (found := batch_of(discourse, node))), None)
    if not others and discourse.batches and now.focus != (discourse.group,):
        batch = discourse.batches[-1]
    if event.has("bowl"):
        batch = None
    if batch is not None and batch.process not in JOINING:
        told = replace(event, kind="heat", process=batch.process, foods=(), others=())
        return heat(discourse, now.look_at(subjects), told)
    if batch is not None and (mix is None or event.span is not None):
        tops = [node if node.kind == "food" else node.top() for node in subjects]
        return _cook_together(discourse, now, event, tops, batch)
    if mix is not None:
        mix.take(node.top() for node in subjects if node.top() is not mix)
        return now.turn_to([mix], mix.steps[-1:])
    return now.look_at([*others, *subjects])
