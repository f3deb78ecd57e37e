"""Who is meant: the nodes that words stand for."""

from __future__ import annotations

from collections.abc import Sequence

from worlds.restaurant.reading.foods import Node
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.values import HEAT, Event, Ref

GENERAL = frozenset({"vegetable", "herb", "fruit"})
"""Words that may stand for several foods at once."""


def resolve(story: Story, refs: Sequence[Ref], event: Event) -> list[Node]:
    """The nodes that words stand for, each once."""
    found: list[Node] = []
    for ref in refs:
        found += [node for node in _resolve(story, ref, event, found) if node not in found]
    return found


def _resolve(story: Story, ref: Ref, event: Event, before: Sequence[Node]) -> list[Node]:
    match ref.kind:
        case "food":
            return [story.food(ref.value, ref, event)]
        case "kind":
            return _of_kind(story, ref, event)
        case "mixture":
            return _mixture(story, ref, event, before)
        case "whole":
            return [story.group] if story.group else list(story.focus)
        case "shape":
            shaped = [node for node in story.nodes if node.find(ref.value)]
            return [max(shaped, key=lambda node: node.last)] if shaped else []
        case "pronoun":
            return _pronoun(story, ref, event)


def _of_kind(story: Story, ref: Ref, event: Event) -> list[Node]:
    """`the fish`, `the vegetables`: what was told of already, or else what the text names."""
    could = story.lexicon.kinds[ref.value]
    known = [n for name, n in story.foods.items() if name in could and not n.asked]
    if ref.value in GENERAL and ref.word.endswith("s"):
        return [node for node in known if node.said >= event.sentence - 2]
    if known:
        return [max(known, key=lambda node: node.last)]
    named = [name for name in could if name in story.named and name not in story.dropped]
    if not named and (ref.value in story.lexicon.sets["shy"] or len(could) != 1):
        return []
    return [story.food((named or could)[0], ref, event)]


def _mixture(story: Story, ref: Ref, event: Event, before: Sequence[Node]) -> list[Node]:
    """`the sauce`: what bears the name, what is made of what such a thing is, or a promise."""
    joined = [node for node in story.nodes if node.kind in ("mix", "batch", "promise")]
    labelled = [node for node in joined if node.name == ref.value]
    if labelled:
        return [labelled[-1].top()]
    typical = story.lexicon.mixtures.get(ref.value) or [
        name for name in story.named if ref.value.startswith(f"{name} ")
    ]

    def likeness(node: Node) -> int:
        leaves = [leaf.name for leaf in node.leaves()]
        return sum((3 if name in typical[:2] else 1) for name in typical if name in leaves)

    made = [node for node in joined if node.kind != "promise" and node not in before]
    ranked = [node for node in made if likeness(node) or not typical]
    if ranked:
        return [max(ranked, key=lambda node: (likeness(node), node.last)).top()]
    promise = Node("promise", ref.value, event.sentence, words=[ref.words])
    return [story.new(promise)]


def _pronoun(story: Story, ref: Ref, event: Event) -> list[Node]:
    """`it`, `both`: what is spoken of, or as many as are said of what was spoken of before."""
    number = story.lexicon.numbers.get(ref.word, 0)
    if ref.value in HEAT:  # everything from the pan
        return [b.whole() for b in story.batches if b.process == ref.value][-1:]
    if ref.value == "all" and (event.kind == "heat" or "bowl" in event.cues):
        loose = [
            node for node in story.nodes
            if node.within is None and not node.asked and (
                "bowl" in event.cues or (node.said >= event.sentence - 1 and not node.heat())
            )
        ]  # fmt: skip
        if len(loose) > 1 and ("bowl" in event.cues or not any(n.heat() for n in story.focus)):
            return loose
    if ref.value != "many" or (len(story.focus) > 1 and not number):
        return _remarked(story, event) or list(story.focus)
    if number and len(story.focus) >= number:
        return story.focus[-number:]
    worked = [
        node for node in story.nodes
        if node.said == event.sentence and node.steps and not node.heat() and not node.within
    ]  # fmt: skip
    if not number and (event.kind != "name" or event.span) and len(worked) > 1:
        return worked
    if number and story.batches and len(story.batches[-1].members) == number:
        return list(story.batches[-1].members)
    recent = [n for n in story.nodes if n.kind != "group" and not n.asked]
    tops = list(dict.fromkeys(n.top() for n in sorted(recent, key=lambda n: -n.last)))
    if number:
        return tops[:number][::-1]
    return _remarked(story, event) or list(story.focus) or tops[:1]


def _remarked(story: Story, event: Event) -> list[Node]:
    """Foods of the last remark, where what is done now can only be done to them."""
    aside = story.aside
    if aside is None or event.kind not in ("work", "heat"):
        return []
    fresh = [ref for ref in aside.foods if ref.value not in story.foods]
    if story.focus and (len(fresh) != 1 or event.sentence - aside.sentence > 2):
        return []
    story.aside = None
    return [story.food(ref.value, ref, event) for ref in aside.foods]
